//! Out of a wall.

use bevy::prelude::*;

use super::GoalVelocity;
use crate::agent::Agent;
use crate::world::GridRef;

/// What an agent wishes for that stands where its kind may not, because the ground under it changed or it was
/// put there: straight to the nearest cell on which it may stand. `None` for all others.
///
/// Until it is out nothing else counts, and no wall holds it.
#[inline(always)]
pub(super) fn way_out(grid: &GridRef, agent: &Agent, at: Vec3, dt: f32) -> Option<GoalVelocity> {
    let here = grid.cell(at);
    if dt <= 0.0 || grid.nav.grid().is_walkable(agent.kind, here) {
        return None;
    }
    let out = grid.footing(agent.kind, here)?;
    let way = grid.place.flatten(grid.place.to_world(out.center(), 0.0) - at);
    let speed = agent.speed.max(0.0).min(way.length() / dt);
    Some(GoalVelocity::new(way.normalize_or_zero() * speed))
}
