//! Out of a wall.

use bevy::prelude::*;

use super::{Crowd, Errand, GoalSource, Slot, Wish};
use crate::motion::Agent;
use crate::world::{Grids, OnGrid};

/// States the wish of agents that stand where their kind may not, because the ground under them changed or
/// they were put there: straight to the nearest cell on which they may stand.
///
/// Until they are out nothing else counts, and no wall holds them.
pub(super) fn escape(
    mut agents: Query<(&Slot, &Agent, Option<&OnGrid>, &mut Wish)>,
    crowd: Res<Crowd>,
    grids: Grids,
    time: Res<Time>,
) {
    let (dt, grounds) = (time.delta_secs(), grids.all());
    if dt <= 0.0 || grounds.is_empty() {
        return;
    }
    for (&slot, agent, on, mut wish) in &mut agents {
        let Some(at) = crowd.body(slot).map(|body| body.position) else { continue };
        let Ok(grid) = grounds.of(on, at) else { continue };
        let here = grid.cell(at);
        if grid.nav.grid().is_walkable(agent.kind, here) {
            continue;
        }
        let Some(out) = grid.footing(agent.kind, here) else { continue };
        let way = grid.place.flatten(grid.place.to_world(out.center(), 0.0) - at);
        let speed = agent.speed.max(0.0).min(way.length() / dt);
        wish.state(GoalSource::Escape, Errand::new(way.normalize_or_zero() * speed));
    }
}
