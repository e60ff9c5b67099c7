//! Culling of gizmos against the frusta of the active cameras.

use bevy::camera::primitives::{Frustum, Sphere};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{Cell, CellRect};

use crate::world::{GridTransform, NavGrid};

/// The cameras of the application, of which the active ones with a viewport count.
#[derive(SystemParam)]
pub(super) struct Views<'w, 's> {
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform, &'static Frustum)>,
}

impl Views<'_, '_> {
    /// The frusta of the active cameras, collected once for many tests.
    pub(super) fn eyes(&self) -> Eyes<'_> {
        Eyes(self.active().map(|(_, _, frustum)| frustum).collect())
    }

    /// The cells of a grid that some camera may see; `None` if they are more than `most`, or none.
    pub(super) fn cells(&self, nav: &NavGrid, place: &GridTransform, most: u32) -> Option<CellRect> {
        let bounds = nav.grid().bounds();
        let seen = self.active().map(|(camera, eye, _)| seen_by(camera, eye, place));
        let seen = seen.reduce(|one, other| Some(one?.union(other?)));
        let cells = match seen {
            // A camera that sees the horizon may see every cell; without any camera all count as seen, too.
            None | Some(None) => bounds,
            Some(Some(seen)) => bounds.intersection(seen)?,
        };
        let count = |min: i32, max: i32| u64::from(max.abs_diff(min)) + 1;
        let all = count(cells.min.x, cells.max.x) * count(cells.min.y, cells.max.y);
        (all <= u64::from(most)).then_some(cells)
    }

    fn active(&self) -> impl Iterator<Item = (&Camera, &GlobalTransform, &Frustum)> {
        self.cameras
            .iter()
            .filter(|(camera, ..)| camera.is_active && camera.logical_viewport_rect().is_some())
    }
}

/// The frusta of the active cameras.
pub(super) struct Eyes<'a>(Vec<&'a Frustum>);

impl Eyes<'_> {
    /// Whether some camera sees a part of a sphere; `true` without any camera.
    pub(super) fn see(&self, at: Vec3, radius: f32) -> bool {
        let sphere = Sphere { center: at.into(), radius };
        self.0.is_empty() || self.0.iter().any(|frustum| frustum.intersects_sphere(&sphere, true))
    }
}

/// The bounding rectangle of the cells at the corners of a camera's view; `None` if a corner looks past the plane
/// of the grid.
fn seen_by(camera: &Camera, eye: &GlobalTransform, place: &GridTransform) -> Option<CellRect> {
    let view = camera.logical_viewport_rect()?;
    let corners = [view.min, view.max, Vec2::new(view.min.x, view.max.y), Vec2::new(view.max.x, view.min.y)];
    let ground = InfinitePlane3d::new(place.up());
    let mut seen: Option<CellRect> = None;
    for corner in corners {
        let ray = camera.viewport_to_world(eye, corner).ok()?;
        let at = ray.plane_intersection_point(place.to_world(Vec2::ZERO, 0.0), ground)?;
        let cell = Cell::containing(place.to_grid(at));
        let one = CellRect::new(cell, cell);
        seen = Some(seen.map_or(one, |seen| seen.union(one)));
    }
    seen
}
