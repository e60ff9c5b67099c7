//! Escape: the goal velocity of an agent that stands inside a wall.

use bevy::prelude::*;

use super::GoalVelocity;
use crate::agent::Agent;
use crate::world::GridRef;

/// The goal velocity of an agent that stands on a cell that its kind may not enter, because the terrain changed or the
/// agent was put there: straight to the nearest cell that it may enter. `None` for agents elsewhere.
///
/// It replaces any other goal velocity until the agent is out; walls do not hold the agent meanwhile.
#[inline(always)]
pub(super) fn escape_velocity(grid: &GridRef, agent: &Agent, at: Vec3, dt: f32) -> Option<GoalVelocity> {
    let here = grid.cell(at);
    if dt <= 0.0 || grid.nav.grid().is_walkable(agent.kind, here) {
        return None;
    }
    let out = grid.footing(agent.kind, here)?;
    let exit = grid.place.flatten(grid.place.to_world(out.center(), 0.0) - at);
    let speed = agent.speed.max(0.0).min(exit.length() / dt);
    Some(GoalVelocity::new(exit.normalize_or_zero() * speed))
}
