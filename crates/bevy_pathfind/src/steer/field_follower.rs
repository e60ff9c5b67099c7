//! Followers of flow fields: their goal velocity leads along the field.

use bevy::prelude::*;
use pathfind_core::steer::seek::arrive;
use pathfind_core::steer::{Body, MotionLimits};
use pathfind_core::{Cell, CornerRule, DistanceField, KindId, line_of_sight};

use super::{GoalSource, GoalVelocity, GoalWriter};
use crate::agent::{Agent, AgentId, AgentVelocity};
use crate::order::{AtFieldGoal, FieldArrived, FlowFieldValues, FollowField};
use crate::world::{Airborne, GridRef, Grids, Positions};

/// How many cells of its path an agent looks ahead, to head for one that it sees. With 1 it would go from cell to cell,
/// in eight directions only; every further cell costs a line of sight for each agent in each tick. Not
/// measured.
const LOOK_AHEAD: usize = 4;

/// The components of an agent that follows a field.
type Follower = (
    Entity,
    &'static AgentId,
    &'static FollowField,
    &'static mut AtFieldGoal,
    &'static Agent,
    &'static Transform,
    Has<ChildOf>,
    &'static AgentVelocity,
    GoalWriter,
);

/// States the goal velocities of agents that follow fields, and triggers [`FieldArrived`] for those at a goal.
pub(super) fn follow_fields(
    mut followers: Query<Follower, Without<Airborne>>,
    fields: Query<&FlowFieldValues>,
    (grids, positions): (Grids, Positions),
    time: Res<Time>,
    mut commands: Commands,
) {
    let dt = time.delta_secs();
    let mut arrived = Vec::new();
    for (entity, id, &FollowField(target), mut at_goal, agent, transform, has_parent, velocity, mut goal) in
        &mut followers
    {
        let Ok(values) = fields.get(target) else { continue };
        let Some((field, grid)) = values.field().zip(values.grid().and_then(|grid| grids.get(grid))) else {
            continue;
        };
        // After the grid was replaced, or its cells have moved, the agent stops until there is another field.
        if !values.is_of(grid.nav.lineage()) {
            continue;
        }
        let at = if has_parent { positions.of(entity) } else { Some(transform.translation) };
        let Some(at) = at.filter(|at| at.is_finite() && grid.place.is_usable()) else { continue };
        let here = grid.place.to_grid(at);
        let cell = Cell::containing(here);
        let is_there = field.is_goal(cell);
        if is_there && at_goal.0 != Some(target) && dt > 0.0 {
            arrived.push((*id, entity.index_u32(), FieldArrived { entity, field: target }));
        }
        at_goal.set_if_neq(AtFieldGoal(is_there.then_some(target)));
        let ahead = Ahead { field, grid: &grid, kind: agent.kind, corners: values.steps().corners };
        let Some((next, is_last)) = ahead.heading(here, cell) else { continue };
        let next = grid.place.to_world(next, 0.0);
        let gap = grid.place.flatten(next - at);
        let goal_velocity = if is_last {
            let body = Body::new(at, velocity.0).with_radius(agent.radius);
            let limits = MotionLimits::new(agent.speed, dt).with_acceleration(agent.acceleration);
            GoalVelocity::new(arrive(&body, at + gap, &limits)).with_end(at + gap)
        } else {
            GoalVelocity::new(gap.normalize_or_zero() * agent.speed)
        };
        goal.state(GoalSource::Field, goal_velocity);
    }
    arrived.sort_by_key(|&(id, index, _)| (id, index));
    arrived.into_iter().for_each(|(.., event)| commands.trigger(event));
}

/// A field, and how an agent sees along it.
struct Ahead<'a> {
    field: &'a DistanceField,
    grid: &'a GridRef<'a>,
    kind: KindId,
    corners: CornerRule,
}

impl Ahead<'_> {
    /// The point of grid space to head for: the centre of the farthest of the next cells that is in sight, and whether
    /// it is that of a goal. The next cell need not be: from anywhere in a cell its neighbours are near enough.
    /// `None` where no path leads to a goal.
    fn heading(&self, here: Vec2, cell: Cell) -> Option<(Vec2, bool)> {
        let grid = self.grid.nav.grid();
        let sees = |cell: &Cell| line_of_sight(grid, self.kind, self.corners, here, cell.center());
        let mut heading = None;
        for (steps, next) in self.field.path(cell).take(LOOK_AHEAD + 1).enumerate() {
            if steps > 1 && !sees(&next) {
                break;
            }
            heading = Some(next);
        }
        heading.map(|cell| (cell.center(), self.field.is_goal(cell)))
    }
}
