//! Moves every agent by one tick: from its adjusted velocity to its `AgentVelocity` and `Transform`. Contacts between
//! agents are resolved in `contacts`, heights in `stand`.

use bevy::math::Affine3A;
use bevy::prelude::*;

use super::context::MotionContext;
use super::parents::ParentTransforms;
use crate::agent::{AdjustedVelocity, Agent, AgentFacing, AgentVelocity, accelerate};
use crate::numbers::is_finite;
use crate::order::{NavPath, OnLink};
use crate::parallel::Threads;
use crate::rows::{RowMut, Rows, rows, tables};
use crate::settings::NavSettings;
use crate::steer::Avoider;
use crate::world::{GridList, GridLookupError, Grids, ObstacleMap, OwnObstacles, Tie, TieOf};

/// The components of an agent that moves.
type Mover = (
    (&'static Agent, &'static AdjustedVelocity, &'static mut AgentVelocity, &'static mut Transform),
    (Option<&'static NavPath>, Tie, Option<&'static Avoider>, Option<&'static OwnObstacles>),
    Option<&'static ChildOf>,
);

/// Components that every agent has.
type Body<'a> = (&'a Agent, &'a AdjustedVelocity, RowMut<'a, AgentVelocity>, RowMut<'a, Transform>);

/// Components that few agents have.
type Extras<'a> = (Option<&'a NavPath>, TieOf<'a>, Option<&'a Avoider>, Option<&'a OwnObstacles>);

/// Moves every agent by one tick. Each agent's step depends on its own components only, so that their order does not
/// matter.
pub(super) fn integrate(
    mut movers: Query<Mover, Without<OnLink>>,
    (grids, obstacles, parents): (Grids, Res<ObstacleMap>, Res<ParentTransforms>),
    settings: Option<Res<NavSettings>>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let settings = settings.map_or_else(NavSettings::default, |settings| *settings);
    let up = settings.up;
    let context = MoveContext { grid_list: grids.all(), obstacles: &obstacles, parents: &parents, up, dt };
    let mut tables = tables(&mut movers);
    Threads::of(&settings).share(rows(&mut tables), |movers| {
        let (len, mut movers) = movers.cut();
        for row in 0..len {
            let (body, extras, parent) = movers.row(row);
            // Two calls, so that the common case without a parent is compiled without the transform of the parent.
            match parent {
                Some(parent) => context.advance_in(parent, body, extras),
                None => context.advance(None, body, extras),
            }
        }
    });
}

/// What the steps of a tick have in common.
struct MoveContext<'a> {
    grid_list: GridList<'a>,
    obstacles: &'a ObstacleMap,
    parents: &'a ParentTransforms,
    /// The direction away from the ground for agents on no grid; `None` in three dimensions.
    up: Option<Vec3>,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl MoveContext<'_> {
    /// Moves an agent that has a parent.
    fn advance_in(&self, parent: &ChildOf, body: Body, extras: Extras) {
        self.advance(self.parents.of(Some(parent)), body, extras);
    }

    /// Moves an agent; `frame` is the transform of its parent.
    #[inline(always)]
    fn advance(&self, frame: Option<Affine3A>, body: Body, (path, tie, avoider, own_obstacles): Extras) {
        let &Self { ref grid_list, obstacles, up, dt, .. } = self;
        let (agent, wanted, mut velocity, transform) = body;
        let own = transform.translation;
        let from = frame.map_or(own, |frame| frame.transform_point3(own));
        let grid = grid_list.of(tie, from);
        // If the grid cannot be placed, the positions of walls are unknown: the agent stops, so as not to enter one.
        if matches!(grid, Err(GridLookupError::NotFinite | GridLookupError::BadGrid)) {
            velocity.set_if_neq(AgentVelocity::default());
            return;
        }
        let motion_context = MotionContext { grid: grid.ok(), obstacles, own: own_obstacles, up, since: 0.0 };
        let reached = accelerate(velocity.0, wanted.0, agent.acceleration * dt);
        let aim = from + reached * dt;
        let step = MotionStep { agent, up: motion_context.up(), frame, own, from, dt };
        // Two calls, so that positions stay in registers in the case in which nothing can block the step.
        if motion_context.is_open() {
            step.end(aim, reached, velocity, transform);
        } else {
            let to = motion_context.resolve(agent, path, avoider, from, aim, dt);
            let hindered = || {
                // Not a number where it is pushed out of an obstacle of astronomical size.
                let moved = (to - from) / dt;
                let most = reached.length().max(agent.speed);
                if is_finite(moved) { moved.clamp_length_max(most) } else { Vec3::ZERO }
            };
            step.end(to, if to == aim { reached } else { hindered() }, velocity, transform);
        }
    }
}

struct MotionStep<'a> {
    agent: &'a Agent,
    /// The direction away from the ground; `None` in three dimensions.
    up: Option<Vec3>,
    /// From the parent's space to the world; `None` without a parent.
    frame: Option<Affine3A>,
    /// The position before the step, in the parent's space.
    own: Vec3,
    /// The position before the step, in the world.
    from: Vec3,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl MotionStep<'_> {
    /// Ends the step at a position in the world, with this velocity.
    #[inline(always)]
    fn end(
        self,
        to: Vec3,
        reached: Vec3,
        mut velocity: RowMut<AgentVelocity>,
        mut transform: RowMut<Transform>,
    ) {
        let Self { agent, up, frame, own, from, dt } = self;
        velocity.set_if_neq(AgentVelocity(reached));
        if to == from {
            return;
        }
        let inside = frame.map(|frame| frame.inverse());
        let moved = inside.map_or(to, |inside| inside.transform_point3(to));
        transform.translation = if is_finite(moved) { moved } else { own };
        if agent.facing != AgentFacing::None {
            let (mut direction, mut up) = (to - from, up.unwrap_or(agent.facing.usual_up()));
            if let Some(inside) = inside {
                (direction, up) = (inside.transform_vector3(direction), inside.transform_vector3(up));
            }
            transform.rotation = agent.facing.turned(transform.rotation, direction, up, agent.turn_rate * dt);
        }
    }
}
