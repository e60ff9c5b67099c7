//! Gizmos of the panel: selected agents, steering contributions of the agent in focus, and the search replay.

use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use bevy::reflect::PartialReflect;
use bevy::reflect::attributes::CustomAttributes;
use pathfind_core::SearchEventKind;

use super::readouts::readouts;
use super::reasons::neighbors;
use super::reflect::parts;
use super::replay::Replay;
use super::state::{NavPanel, is_open};
use crate::agent::Agent;
use crate::attributes::WorldPoint;
use crate::show::NavGizmos;
use crate::show::gizmos::{on_ground, square};
use crate::stage::NavSystems;
use crate::world::{GridTransform, NavGrid};

/// Gizmos of the panel: selection, steering contributions, and the search replay.
#[derive(Debug, Default, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_pathfind"]
pub struct PanelGizmos;

/// The most cells of a replay that are drawn.
const MAX_CELLS: usize = 20_000;
/// The most neighbours that get a line.
const MAX_NEIGHBORS: usize = 64;

/// Marks that the gizmo systems have been added.
#[derive(Resource)]
struct PanelGizmosWired;

/// Adds the gizmo group and systems, once, if the application has gizmos.
pub(super) fn wire(app: &mut App) {
    if app.world().contains_resource::<PanelGizmosWired>()
        || !app.world().contains_resource::<GizmoConfigStore>()
    {
        return;
    }
    app.insert_resource(PanelGizmosWired).init_gizmo_group::<PanelGizmos>().add_systems(
        PostUpdate,
        (draw_selected, draw_reasons, draw_replay)
            .chain()
            .run_if(is_open)
            .run_if(resource_exists::<GizmoConfigStore>)
            .in_set(NavSystems::Show),
    );
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<PanelGizmos>().0.depth_bias = -1.0;
}

fn draw_selected(
    mut gizmos: Gizmos<PanelGizmos>,
    panel: Res<NavPanel>,
    agents: Query<(&Agent, &GlobalTransform)>,
    show: Option<Res<NavGizmos>>,
    grids: Query<&GridTransform>,
) {
    let up = grids.iter().next().map_or(Vec3::Z, GridTransform::up);
    let turn = Quat::from_rotation_arc(Vec3::Z, up);
    let color = show.map_or(Color::WHITE, |show| show.selected_color);
    for &entity in &panel.selected {
        if let Ok((agent, at)) = agents.get(entity) {
            let radius = agent.radius.max(1e-3) * if Some(entity) == panel.focus() { 1.6 } else { 1.35 };
            gizmos.circle(Isometry3d::new(at.translation(), turn), radius, color).resolution(24);
        }
    }
}

/// Draws, for the agent in focus, vectors of its read-outs as arrows, points as crosses, and lines to neighbours.
fn draw_reasons(world: &mut World, gizmos: &mut bevy::ecs::system::SystemState<Gizmos<PanelGizmos>>) {
    let Some(agent) = world.resource::<NavPanel>().focus() else { return };
    let Some(at) = world.get::<GlobalTransform>(agent).map(GlobalTransform::translation) else { return };
    let radius = world.get::<Agent>(agent).map_or(0.5, |agent| agent.radius).max(1e-3);
    let near = neighbors(world, agent);
    let mut marks = Vec::new();
    for (_, _, value) in readouts(world, agent) {
        collect(value, false, &mut marks);
    }
    let Ok(mut gizmos) = gizmos.get_mut(world) else { return };
    for (_, other) in near.into_iter().take(MAX_NEIGHBORS) {
        gizmos.line(at, other, Color::WHITE.with_alpha(0.15));
    }
    for (index, (vector, is_point)) in marks.into_iter().enumerate() {
        let color = Color::hsl(index as f32 * 47.0 % 360.0, 0.8, 0.65);
        if is_point && vector.is_finite() {
            gizmos.cross(Isometry3d::from_translation(vector), radius, color);
            gizmos.line(at, vector, color.with_alpha(0.4));
        } else if !is_point && vector.is_finite() && vector != Vec3::ZERO {
            gizmos.arrow(at, at + vector * 0.5, color);
        }
    }
}

/// Collects the vectors in a read-out, each with whether it is a point.
fn collect(value: &dyn PartialReflect, is_point: bool, marks: &mut Vec<(Vec3, bool)>) {
    if let Some(&vector) = value.try_downcast_ref::<Vec3>() {
        marks.push((vector, is_point));
        return;
    }
    for part in parts(value) {
        if let Some(inner) = part.of(value) {
            // The attribute of an optional field is that of the value inside.
            let is_own = part.attributes.is_some_and(CustomAttributes::contains::<WorldPoint>);
            collect(inner, is_own || is_point && part.name.is_none(), marks);
        }
    }
}

fn draw_replay(
    mut gizmos: Gizmos<PanelGizmos>,
    mut replay: ResMut<Replay>,
    grids: Query<(&NavGrid, &GridTransform)>,
    show: Option<Res<NavGizmos>>,
) {
    let Some(show) = show else { return };
    let Some((grid, cells, now)) = replay.cells() else { return };
    let Ok((nav, place)) = grids.get(grid) else { return };
    for (&cell, kind) in cells.iter().take(MAX_CELLS) {
        let (half, color) = match kind {
            SearchEventKind::Opened => (0.2, show.opened_color),
            _ => (0.35, show.closed_color),
        };
        gizmos.lineloop(square(nav, place, cell, half), color);
    }
    if let Some(event) = now {
        gizmos.lineloop(square(nav, place, event.cell, 0.45), show.selected_color);
        let (from, to) = (event.parent.center(), event.cell.center());
        gizmos.line(on_ground(nav, place, from), on_ground(nav, place, to), show.selected_color);
    }
}
