//! Puts agents on the ground of grids with elevation.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::parents::ParentTransforms;
use crate::agent::Agent;
use crate::numbers::is_finite;
use crate::order::CrossingLink;
use crate::world::{Grids, Tie};

/// An agent that may stand on the ground.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct StandingAgent {
    agent: &'static Agent,
    transform: &'static mut Transform,
    tie: Tie,
    parent: Option<&'static ChildOf>,
}

/// Puts every agent on a grid with elevation on the ground below or above it; on flat grids agents keep their height.
pub(super) fn stand(
    mut agents: Query<StandingAgent, Without<CrossingLink>>,
    (grids, parents): (Grids, Res<ParentTransforms>),
    time: Res<Time>,
) {
    let all = grids.all();
    if time.delta_secs() <= 0.0 || !all.usable().any(|grid| grid.nav.grid().has_elevation()) {
        return;
    }
    for StandingAgentItem { agent, mut transform, tie, parent } in &mut agents {
        let own = transform.translation;
        let frame = parents.of(parent);
        let at = frame.map_or(own, |frame| frame.transform_point3(own));
        let Ok(grid) = all.of(tie, at) else { continue };
        if !grid.nav.grid().has_elevation() || !grid.has_ground(at) {
            continue;
        }
        let point = grid.place.to_grid(at);
        let ground = grid.place.to_world(point, grid.nav.grid().elevation_at(agent.kind, point));
        let (_, _, offset, _) = tie;
        let to = ground + grid.place.up() * offset.map_or(0.0, |offset| offset.0);
        let inside = frame.map_or(to, |frame| frame.inverse().transform_point3(to));
        // Less is rounding: the transform of an agent that stands still is not marked as changed.
        if is_finite(inside) && to.distance(at) > 1e-5 * grid.place.cell_size() {
            transform.translation = inside;
        }
    }
}
