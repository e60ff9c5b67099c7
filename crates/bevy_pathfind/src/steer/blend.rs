//! Blending: one velocity per agent from its goal, obstacle avoidance, separation and flock.
//!
//! Reciprocal avoidance of other agents follows in `avoider`.

use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;
use pathfind_core::steer::blend::{self, BlendSettings, ByPriority, Priority};
use pathfind_core::steer::flock::FlockStep;

use super::avoider::{AvoidanceColumns, AvoidingAgent, AvoidingMotion, Physics, Surface, avoiding_velocity};
use super::escape::{AllowedCell, escape_velocity};
use super::separation::Pushes;
use super::{
    ActiveGoal, Crowd, CrowdIndex, FlockForce, FlockState, GoalSource, GoalVelocity, Remaining,
    SteerSettings, SteeringBreakdown,
};
use crate::agent::{AdjustedVelocity, Agent, AgentVelocity, DesiredVelocity};
use crate::parallel::Threads;
use crate::rows::{RowMut, Rows, rows, tables};
use crate::settings::NavSettings;
use crate::world::{GridList, GridLookupError, Grids, ObstacleMap, Tie, TieOf};

/// The components of an agent that blending reads and writes.
type Blended = (
    (&'static CrowdIndex, &'static Agent, &'static AgentVelocity, Tie),
    (&'static mut ActiveGoal, &'static GoalVelocity, &'static mut AllowedCell),
    (&'static mut SteeringBreakdown, &'static mut DesiredVelocity, &'static mut AdjustedVelocity),
    Option<AvoidanceColumns>,
);

/// The columns that identify an agent, and those of its motion.
type AgentColumns<'a> = (&'a CrowdIndex, &'a Agent, &'a AgentVelocity, TieOf<'a>);

/// The columns of its goal: whether one was stated, the goal velocity, and the cell on which it is known to be
/// allowed.
type GoalColumns<'a> = (RowMut<'a, ActiveGoal>, &'a GoalVelocity, RowMut<'a, AllowedCell>);

/// The columns that blending writes.
type OutputColumns<'a> =
    (RowMut<'a, SteeringBreakdown>, RowMut<'a, DesiredVelocity>, RowMut<'a, AdjustedVelocity>);

/// Writes two velocities per agent, both no faster than its top speed. The desired velocity leads to the goal and
/// with the flock; the adjusted velocity is the velocity one tick ahead: the present one, changed by as much as the
/// agent's acceleration allows. For agents with reciprocal avoidance see [`BlendContext::budget`].
///
/// Changes of velocity are granted in order, each out of the acceleration that the ones before have left: obstacle
/// avoidance first, then separation, then the goal velocity, then the flock (C. Reynolds, "Flocks, Herds, and
/// Schools", 1987). If there is an obstacle ahead, the velocity that avoids it replaces the changes for goal and
/// flock, which it contains.
pub(super) fn blend<P: Physics>(
    mut agents: Query<Blended>,
    (crowd, flock_state, pushes): (Res<Crowd>, Res<FlockState>, Res<Pushes>),
    (grids, obstacles): (Grids, Res<ObstacleMap>),
    physics: StaticSystemParam<P>,
    (settings, nav): (Res<SteerSettings>, Res<NavSettings>),
    time: Res<Time>,
) where
    for<'w, 's> SystemParamItem<'w, 's, P>: Sync,
{
    let context = BlendContext::<P> {
        crowd: &crowd,
        flock_state: &flock_state,
        pushes: &pushes,
        grid_list: grids.all(),
        obstacles: &obstacles,
        physics: &physics.into_inner(),
        weights: settings.blend(),
        up: nav.up,
        unit_up: nav.unit_up(),
        dt: time.delta_secs(),
    };
    let mut tables = tables(&mut agents);
    Threads::of(&nav).share(rows(&mut tables), |agents| {
        let (len, mut agents) = agents.cut();
        for row in 0..len {
            let (columns, goal_columns, outputs, avoidance) = agents.row(row);
            // Two calls, so that the code for agents without an `Avoider` is compiled without obstacle avoidance.
            match avoidance {
                Some(avoidance) => context.blend_with_avoidance(columns, goal_columns, outputs, avoidance),
                None => context.blend(columns, goal_columns, outputs, None),
            }
        }
    });
}

/// What the velocities of all agents are computed from.
struct BlendContext<'a, 'w, 's, P: Physics> {
    crowd: &'a Crowd,
    flock_state: &'a FlockState,
    pushes: &'a Pushes,
    grid_list: GridList<'a>,
    obstacles: &'a ObstacleMap,
    physics: &'a SystemParamItem<'w, 's, P>,
    weights: BlendSettings,
    /// Direction away from the ground for agents on no grid, of any length.
    up: Option<Vec3>,
    /// `up` at length 1.
    unit_up: Option<Vec3>,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl<P: Physics> BlendContext<'_, '_, '_, P> {
    /// Computes the velocities of an agent that avoids obstacles.
    fn blend_with_avoidance(
        &self,
        columns: AgentColumns,
        goal_columns: GoalColumns,
        outputs: OutputColumns,
        avoidance: AvoidingAgent,
    ) {
        self.blend(columns, goal_columns, outputs, Some(avoidance));
    }

    /// Computes the velocities of an agent. `avoidance` is `None` for an agent without an `Avoider`.
    #[inline(always)]
    fn blend(
        &self,
        columns: AgentColumns,
        goal_columns: GoalColumns,
        outputs: OutputColumns,
        avoidance: Option<AvoidingAgent>,
    ) {
        let (&slot, agent, &AgentVelocity(velocity), tie) = columns;
        let (mut active, goal_velocity, mut allowed_cell) = goal_columns;
        let (mut breakdown, mut desired, mut adjusted) = outputs;
        let mut write = |contributions: SteeringBreakdown, wanted: Vec3, allowed: Vec3| {
            *breakdown.bypass_change_detection() = contributions;
            desired.set_if_neq(DesiredVelocity(wanted));
            adjusted.set_if_neq(AdjustedVelocity(allowed));
        };
        let Some(body) = self.crowd.body(slot) else {
            active.bypass_change_detection().take();
            write(SteeringBreakdown::default(), Vec3::ZERO, Vec3::ZERO);
            return;
        };
        let (mut grid, mut escape) = (None, None);
        if !self.grid_list.is_empty() {
            let found = self.grid_list.of(tie, body.position);
            grid = found.ok();
            let home = match found {
                Err(GridLookupError::OffGrid) => self.grid_list.nearest_around(body.position),
                _ => grid,
            };
            let allowed_cell = allowed_cell.bypass_change_detection();
            escape = home.and_then(|grid| escape_velocity(grid, agent, body.position, self.dt, allowed_cell));
        }
        let up = grid.map_or(self.unit_up, |grid| Some(grid.place.up()));
        let is_escaping = escape.is_some();
        // Other agents move neither one that leaves blocked ground nor one that holds its position.
        let is_alone = is_escaping || active.holds();
        let separation = if is_alone { Vec3::ZERO } else { self.pushes.on(slot) };
        let slowing =
            grid.map_or(1.0, |grid| grid.speed_factor(agent.kind, || grid.place.to_grid(body.position)));
        let top = agent.speed.max(0.0) * slowing;
        // Shortcut for most flock members: they have no goal, avoid no obstacles, are not pushed by separation, and
        // the acceleration by the flock is within the budget.
        if !is_escaping
            && avoidance.is_none()
            && active.is_empty()
            && separation == Vec3::ZERO
            && let Some(FlockStep { acceleration: push, velocity: next }) = self.flock_state.step(slot, up)
            && self.weights.affords(Priority::Rest, push * self.dt, agent.acceleration * self.dt)
        {
            let next = next.clamp_length_max(top);
            write(SteeringBreakdown { flock: push, ..SteeringBreakdown::default() }, next, next);
            return;
        }
        let flock_force = if is_alone { None } else { self.flock_state.flock_force(slot, up) };
        let is_on_path = !is_escaping && active.is_on_path();
        let is_retreat = !is_escaping && active.is_retreat();
        let goal_velocity = active.bypass_change_detection().take().map(|source| (source, *goal_velocity));
        let goal_velocity = escape.map(|goal_velocity| (GoalSource::Escape, goal_velocity)).or(goal_velocity);
        let dt = self.dt;
        let aims = Aims::new(top, velocity, goal_velocity, flock_force.as_ref(), dt);
        let is_reciprocal = avoidance.as_ref().is_some_and(|(avoider, ..)| avoider.is_reciprocal())
            && !aims.remaining.is_in_file;
        let has_only_a_goal = flock_force.is_none() && separation == Vec3::ZERO;
        let budget = self.budget(agent, is_reciprocal && has_only_a_goal);
        let avoided = avoidance.and_then(|avoidance| {
            let Self { obstacles, physics, up, .. } = *self;
            let me = self.crowd.entity(slot)?;
            let surface = Surface::<P> { grid, obstacles, physics, up, me };
            let Aims { desired, end: goal, .. } = aims;
            let remaining = aims.remaining(body.position);
            avoiding_velocity(
                avoidance,
                &AvoidingMotion {
                    agent,
                    body,
                    desired,
                    goal,
                    remaining,
                    is_on_path,
                    is_escaping,
                    is_retreat,
                },
                &surface,
                dt,
            )
        });
        let ranked = aims.ranked(avoided, separation, dt);
        let free = aims.now + blend::blend(&ranked, &self.weights, budget).change;
        let allowed = limited(aims.now, free, flock_force.as_ref(), aims.top);
        let contributions = SteeringBreakdown { is_on_path, ..aims.breakdown(avoided, separation) };
        write(contributions, aims.desired, allowed);
    }

    /// The greatest change of velocity that an agent may be granted in this tick, in world units per second: what its
    /// acceleration allows, or infinity if `is_unlimited`.
    ///
    /// Reciprocal avoidance returns the velocity that is nearest to its input. An input limited by the acceleration
    /// would be near the present velocity, and an agent that others have stopped would go on standing. So an agent
    /// that is steered by its goal and reciprocal avoidance alone is unlimited here, and
    /// [`adjust_velocities`](super::avoider::adjust_velocities) limits the result.
    const fn budget(&self, agent: &Agent, is_unlimited: bool) -> f32 {
        if is_unlimited { f32::INFINITY } else { agent.acceleration * self.dt }
    }
}

/// The goal and flock contributions of an agent in a tick, before obstacles and other agents are considered.
struct Aims {
    now: Vec3,
    source: GoalSource,
    /// The goal velocity. Without a goal: zero, or the present velocity in a flock.
    goal: Vec3,
    /// The acceleration by its flock.
    push: Vec3,
    /// The goal velocity plus the flock's acceleration during the tick, within all limits.
    desired: Vec3,
    /// The point that the goal velocity finally leads to, if that is known.
    end: Option<Vec3>,
    /// A lower bound of the distance yet to go.
    remaining: Remaining,
    /// Top speed, in world units per second.
    top: f32,
}

impl Aims {
    #[inline(always)]
    fn new(
        top: f32,
        velocity: Vec3,
        goal_velocity: Option<(GoalSource, GoalVelocity)>,
        flock_force: Option<&FlockForce>,
        dt: f32,
    ) -> Self {
        let now = if velocity.is_finite() { velocity } else { Vec3::ZERO };
        let haste = goal_velocity.map_or(1.0, |(_, goal_velocity)| goal_velocity.haste);
        let top = top * haste;
        // Without a goal an agent stands still; in a flock it keeps its velocity.
        let rest = if flock_force.is_some() { now } else { Vec3::ZERO };
        let (source, goal, end, remaining) = match goal_velocity {
            Some((source, goal_velocity)) if goal_velocity.velocity.is_finite() => (
                source,
                goal_velocity.velocity.clamp_length_max(top),
                goal_velocity.end,
                goal_velocity.remaining,
            ),
            _ if flock_force.is_some() => (GoalSource::None, rest, None, Remaining::UNKNOWN),
            _ => (GoalSource::None, rest, None, Remaining::default()),
        };
        let push = flock_force.map_or(Vec3::ZERO, |flock_force| flock_force.push);
        let desired =
            if flock_force.is_some() { limited(now, goal + push * dt, flock_force, top) } else { goal };
        Self { now, source, goal, push, desired, end, remaining, top }
    }

    /// The distance yet to go from a point: straight to the end, if the end is known.
    fn remaining(&self, from: Vec3) -> Remaining {
        self.end.map_or(self.remaining, |end| Remaining { distance: end.distance(from), ..self.remaining })
    }

    /// The change of velocity for each priority. `avoided` is the velocity that avoids an obstacle; `None` if there
    /// is no obstacle ahead.
    #[inline(always)]
    fn ranked(&self, avoided: Option<Vec3>, separation: Vec3, dt: f32) -> ByPriority {
        let mut ranked = ByPriority::default();
        match avoided {
            // It was computed from the desired velocity, so it contains goal and flock already.
            Some(avoided) => ranked[Priority::Avoid] = avoided - self.now,
            None => {
                ranked[Priority::Goal] = self.goal - self.now;
                ranked[Priority::Rest] = self.push * dt;
            }
        }
        ranked[Priority::Separation] = separation * dt;
        ranked
    }

    /// The same contributions, for the panel and gizmos.
    #[inline(always)]
    fn breakdown(&self, avoided: Option<Vec3>, separation: Vec3) -> SteeringBreakdown {
        SteeringBreakdown {
            source: self.source,
            goal: if self.source == GoalSource::None { Vec3::ZERO } else { self.goal },
            separation,
            flock: self.push,
            avoidance: avoided.map_or(Vec3::ZERO, |avoided| avoided - self.desired),
            ..SteeringBreakdown::default()
        }
    }
}

/// A velocity within the limits of the agent and its flock.
#[inline(always)]
fn limited(now: Vec3, velocity: Vec3, flock_force: Option<&FlockForce>, top: f32) -> Vec3 {
    let within = flock_force.map_or(velocity, |flock| flock.rules.limited(now, velocity, flock.plane));
    within.clamp_length_max(top)
}
