//! Lines drawn with gizmos, one group a stage, and only what some camera sees.

mod agents;
mod ring;
mod search;
mod view;
mod world;

use bevy::camera::CameraUpdateSystems;
use bevy::camera::visibility::VisibilitySystems;
use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use pathfind_core::Cell;

use super::NavGizmoSettings;
use crate::stage::NavSystems;
use crate::world::GridTransform;

/// What `world` shows: grids.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct WorldGizmos;

/// What `solve` shows: searches and paths.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct SolveGizmos;

/// What `steer` shows: who hunts whom, and how far anyone looks.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct SteerGizmos;

/// What `motion` shows: bodies and velocities.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct MotionGizmos;

/// Set once the systems are in place.
#[derive(Resource)]
struct Wired;

/// Adds the groups and systems, if the application has gizmos; once.
pub(super) fn wire(app: &mut App) {
    if app.world().contains_resource::<Wired>() || !app.world().contains_resource::<GizmoConfigStore>() {
        return;
    }
    app.insert_resource(Wired)
        .init_gizmo_group::<WorldGizmos>()
        .init_gizmo_group::<SolveGizmos>()
        .init_gizmo_group::<SteerGizmos>()
        .init_gizmo_group::<MotionGizmos>()
        .configure_sets(
            PostUpdate,
            NavSystems::Show.after(CameraUpdateSystems).after(VisibilitySystems::UpdateFrusta),
        )
        .add_systems(
            PostUpdate,
            (
                set_widths.run_if(resource_exists_and_changed::<NavGizmoSettings>),
                world::draw_grids.run_if(is_on(|show| show.grid)),
                world::draw_terrain.run_if(is_on(|show| show.terrain)),
                world::draw_regions.run_if(is_on(|show| show.regions)),
                world::draw_clearance.run_if(is_on(|show| show.clearance)),
                world::draw_flow.run_if(is_on(|show| show.flow_field)),
                search::draw_search.run_if(is_on(|show| show.search)),
                search::draw_paths.run_if(is_on(|show| show.paths)),
                agents::draw_targets.run_if(is_on(|show| show.targets)),
                agents::draw_probes.run_if(is_on(|show| show.probes)),
                agents::draw_radii.run_if(is_on(|show| show.radii)),
                agents::draw_agents.run_if(is_on(|show| show.agents)),
            )
                .chain()
                .run_if(resource_exists::<GizmoConfigStore>)
                .in_set(NavSystems::Show),
        );
}

/// The corners of a square in the middle of a cell, half of whose side is so many cells.
pub(super) fn square(place: &GridTransform, cell: Cell, half: f32) -> [Vec3; 4] {
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    corners.map(|corner| place.to_world(cell.center() + Vec2::from(corner), 0.0))
}

/// A condition on one of the switches.
fn is_on(switch: fn(&NavGizmoSettings) -> bool) -> impl Fn(Option<Res<NavGizmoSettings>>) -> bool + Clone {
    move |show| show.is_some_and(|show| switch(&show))
}

fn set_widths(show: Res<NavGizmoSettings>, mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<WorldGizmos>().0.line.width = show.world_width;
    store.config_mut::<SolveGizmos>().0.line.width = show.solve_width;
    store.config_mut::<SteerGizmos>().0.line.width = show.steer_width;
    store.config_mut::<MotionGizmos>().0.line.width = show.motion_width;
}
