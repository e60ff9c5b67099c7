//! The gizmos of the show stage: one gizmo group for each of the stages world, solve, steer and motion. Only what an
//! active camera sees is drawn; without an active camera, everything.

mod agents;
mod ring;
mod search;
mod view;
mod world;

use bevy::camera::CameraUpdateSystems;
use bevy::camera::visibility::VisibilitySystems;
use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use pathfind_core::{GridCell, KindId};

use super::NavGizmos;
use crate::stage::NavSystems;
use crate::world::{GridTransform, NavGrid};

/// Gizmos of the world stage: grids, terrain costs, regions, clearance and flow fields.
#[derive(Debug, Default, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_pathfind"]
pub struct WorldGizmos;

/// Gizmos of the solve stage: searches, paths and the candidates of requests for cells.
#[derive(Debug, Default, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_pathfind"]
pub struct SolveGizmos;

/// Gizmos of the steer stage: pursuers' targets, obstacle probes, and the ranges of steering.
#[derive(Debug, Default, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_pathfind"]
pub struct SteerGizmos;

/// Gizmos of the motion stage: bodies and velocities.
#[derive(Debug, Default, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_pathfind"]
pub struct MotionGizmos;

/// Marks that the gizmo systems have been added.
#[derive(Resource)]
struct GizmosWired;

/// Adds the gizmo groups and systems, once, if the application has gizmos.
pub(super) fn wire(app: &mut App) {
    if app.world().contains_resource::<GizmosWired>() || !app.world().contains_resource::<GizmoConfigStore>()
    {
        return;
    }
    app.insert_resource(GizmosWired)
        .init_gizmo_group::<WorldGizmos>()
        .init_gizmo_group::<SolveGizmos>()
        .init_gizmo_group::<SteerGizmos>()
        .init_gizmo_group::<MotionGizmos>()
        // Culling reads the viewports and frusta of this frame.
        .configure_sets(
            PostUpdate,
            NavSystems::Show.after(CameraUpdateSystems).after(VisibilitySystems::UpdateFrusta),
        )
        .add_systems(
            PostUpdate,
            (
                set_widths.run_if(resource_exists_and_changed::<NavGizmos>),
                world::draw_grids.run_if(is_on(|settings| settings.grid)),
                world::draw_terrain.run_if(is_on(|settings| settings.terrain)),
                world::draw_regions.run_if(is_on(|settings| settings.regions)),
                world::draw_clearance.run_if(is_on(|settings| settings.clearance)),
                world::draw_flow.run_if(is_on(|settings| settings.flow_field)),
                world::draw_influence.run_if(is_on(|settings| settings.influence)),
                world::draw_links.run_if(is_on(|settings| settings.links)),
                search::draw_search.run_if(is_on(|settings| settings.search)),
                search::draw_candidates.run_if(is_on(|settings| settings.candidates)),
                search::draw_paths.run_if(is_on(|settings| settings.paths)),
                agents::draw_targets.run_if(is_on(|settings| settings.targets)),
                agents::draw_flights.run_if(is_on(|settings| settings.targets)),
                agents::draw_probes.run_if(is_on(|settings| settings.probes)),
                agents::draw_radii.run_if(is_on(|settings| settings.radii)),
                agents::draw_agents.run_if(is_on(|settings| settings.agents)),
            )
                .chain()
                .run_if(resource_exists::<GizmoConfigStore>)
                .in_set(NavSystems::Show),
        );
}

/// The corners, in world space, of a level square centred in a cell; `half` is half its side, in cells.
pub(super) fn square(nav: &NavGrid, place: &GridTransform, cell: GridCell, half: f32) -> [Vec3; 4] {
    let (height, corners) =
        (nav.grid().elevation(cell), [(-half, -half), (half, -half), (half, half), (-half, half)]);
    corners.map(|corner| place.to_world(cell.center() + Vec2::from(corner), height))
}

/// The point of the ground at a point of grid space, in world space.
pub(super) fn on_ground(nav: &NavGrid, place: &GridTransform, point: Vec2) -> Vec3 {
    place.to_world(point, nav.grid().elevation_at(KindId::default(), point))
}

/// The points, in world space, of a line over the ground: its ends, and on a grid with elevation one in each half
/// cell.
pub(super) fn ground_line(
    nav: &NavGrid,
    place: &GridTransform,
    from: Vec2,
    to: Vec2,
) -> impl Iterator<Item = Vec3> {
    let pieces =
        if nav.grid().has_elevation() { (2.0 * from.distance(to)).ceil().max(1.0) as u32 } else { 1 };
    (0..=pieces).map(move |piece| on_ground(nav, place, from.lerp(to, piece as f32 / pieces as f32)))
}

/// A run condition: whether a switch of [`NavGizmos`] is on.
fn is_on(switch: fn(&NavGizmos) -> bool) -> impl Fn(Option<Res<NavGizmos>>) -> bool + Clone {
    move |settings| settings.is_some_and(|settings| switch(&settings))
}

/// Copies the line widths of [`NavGizmos`] to Bevy's gizmo configuration, over any width set there.
fn set_widths(settings: Res<NavGizmos>, mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<WorldGizmos>().0.line.width = settings.world_width;
    store.config_mut::<SolveGizmos>().0.line.width = settings.solve_width;
    store.config_mut::<SteerGizmos>().0.line.width = settings.steer_width;
    store.config_mut::<MotionGizmos>().0.line.width = settings.motion_width;
}
