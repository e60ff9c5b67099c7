//! Culling of gizmos: which spheres and which cells of a grid the active cameras see. Without an active camera
//! nothing is culled.

use bevy::camera::primitives::{Frustum, Sphere};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell};

use crate::world::{GridTransform, NavGrid};

/// The cameras of the application. Only those that are active and have a viewport are used.
#[derive(SystemParam)]
pub(super) struct CameraViews<'w, 's> {
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform, &'static Frustum)>,
}

impl CameraViews<'_, '_> {
    /// The frusta of the active cameras, collected once for many tests of spheres.
    pub(super) fn frusta(&self) -> ActiveFrusta<'_> {
        ActiveFrusta(self.active().map(|(_, _, frustum)| frustum).collect())
    }

    /// A rectangle with all cells of a grid that any camera sees; `None` if it is empty or has more than `max_cells`
    /// cells.
    pub(super) fn cells(&self, nav: &NavGrid, place: &GridTransform, max_cells: u32) -> Option<CellRect> {
        let bounds = nav.grid().bounds();
        let rects = self.active().map(|(camera, transform, _)| cells_seen_by(camera, transform, place));
        let seen_by_any = rects.reduce(|one, other| Some(one?.union(other?)));
        let cells = match seen_by_any {
            // There is no active camera, or one that sees the horizon: every cell counts as seen.
            None | Some(None) => bounds,
            Some(Some(seen)) => bounds.intersection(seen)?,
        };
        let length = |min: i32, max: i32| u64::from(max.abs_diff(min)) + 1;
        let count = length(cells.min.x, cells.max.x) * length(cells.min.y, cells.max.y);
        (count <= u64::from(max_cells)).then_some(cells)
    }

    fn active(&self) -> impl Iterator<Item = (&Camera, &GlobalTransform, &Frustum)> {
        self.cameras
            .iter()
            .filter(|(camera, ..)| camera.is_active && camera.logical_viewport_rect().is_some())
    }
}

pub(super) struct ActiveFrusta<'a>(Vec<&'a Frustum>);

impl ActiveFrusta<'_> {
    /// Whether any of the cameras sees a part of a sphere in world space; `true` if there is no active camera.
    pub(super) fn intersects(&self, center: Vec3, radius: f32) -> bool {
        let sphere = Sphere { center: center.into(), radius };
        // `true`: spheres beyond the far plane are culled too.
        self.0.is_empty() || self.0.iter().any(|frustum| frustum.intersects_sphere(&sphere, true))
    }
}

/// The bounding rectangle of the cells where the rays through the corners of a camera's viewport meet the plane of a
/// grid. It holds every cell that the camera sees, as the view of the plane is the quadrilateral of these four
/// points. `None` if one of the rays does not meet the plane: then the camera sees the horizon.
fn cells_seen_by(camera: &Camera, transform: &GlobalTransform, place: &GridTransform) -> Option<CellRect> {
    let view = camera.logical_viewport_rect()?;
    let corners = [view.min, view.max, Vec2::new(view.min.x, view.max.y), Vec2::new(view.max.x, view.min.y)];
    let plane = InfinitePlane3d::new(place.up());
    let mut seen: Option<CellRect> = None;
    for corner in corners {
        let ray = camera.viewport_to_world(transform, corner).ok()?;
        let point = ray.plane_intersection_point(place.to_world(Vec2::ZERO, 0.0), plane)?;
        let cell = GridCell::containing(place.to_grid(point));
        let cell_rect = CellRect::new(cell, cell);
        seen = Some(seen.map_or(cell_rect, |seen| seen.union(cell_rect)));
    }
    seen
}
