//! Escape: the goal velocity of an agent that stands inside a wall.

use bevy::prelude::*;
use pathfind_core::{Cell, KindId};

use super::GoalVelocity;
use crate::agent::Agent;
use crate::world::GridRef;

/// Where an agent was found to be allowed. While nothing of it changes, the cell is not looked up again: the cells of
/// thousands of agents lie all over the map, and so all over memory.
#[derive(Component, Debug, Default)]
pub(crate) struct AllowedCell(Option<(Cell, KindId, u64, u64)>);

/// The goal velocity of an agent that stands on a cell that its kind may not enter, because the terrain changed or the
/// agent was put there: straight to the nearest cell that it may enter. `None` for agents elsewhere.
///
/// It replaces any other goal velocity until the agent is out; walls do not hold the agent meanwhile.
#[inline(always)]
pub(super) fn escape_velocity(
    grid: &GridRef,
    agent: &Agent,
    at: Vec3,
    dt: f32,
    allowed: &mut AllowedCell,
) -> Option<GoalVelocity> {
    let here = grid.cell(at);
    let question = Some((here, agent.kind, grid.nav.lineage(), grid.nav.revision()));
    if dt <= 0.0 || allowed.0 == question {
        return None;
    }
    if grid.nav.grid().is_walkable(agent.kind, here) {
        allowed.0 = question;
        return None;
    }
    let out = grid.footing(agent.kind, here)?;
    let exit = grid.place.flatten(grid.place.to_world(out.center(), 0.0) - at);
    let speed = agent.speed.max(0.0).min(exit.length() / dt);
    Some(GoalVelocity::new(exit.normalize_or_zero() * speed))
}
