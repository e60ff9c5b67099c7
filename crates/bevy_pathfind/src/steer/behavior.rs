//! Simple behaviours: towards a target, away from it, near it, or in a random direction.
//!
//! They move in straight lines and search no paths.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::query::QueryData;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use pathfind_core::steer::seek::{self, WanderSettings};
use pathfind_core::steer::{Body, CounterRng, MotionLimits, MovementPlane};

use super::goal_velocity::has_own_status;
use super::target_estimate::TargetEstimate;
use super::{GoalSource, GoalVelocity, SteerSettings, SteerTick, SteeringGoal};
use crate::agent::{Agent, AgentId, AgentVelocity, TeleportCount};
use crate::attributes::MeasuredIn;
use crate::order::{AgentArrived, Arrival, PathStatus, Ticket};
use crate::settings::NavSettings;
use crate::template::templated;
use crate::world::{Grids, Positions, Tie};

/// The kinds of simple behaviours (C. Reynolds, "Steering Behaviors For Autonomous Characters", 1999).
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum BehaviorKind {
    /// Straight to the target, at full speed.
    #[default]
    Seek,
    /// Straight to the target, braking so as to stop on it; [`AgentArrived`] is sent there.
    Arrive,
    /// Straight away from the target, while it is nearer than `far`; beyond that the behaviour sets no goal. In a
    /// corner, where every way round leads back to the target, an agent that avoids obstacles by
    /// [`Sweep`](super::ObstacleAvoidance::Sweep) stands.
    Flee,
    /// Away from where the target could catch the agent, while it is nearer than `far`.
    Evade,
    /// Not nearer to the target than `near`, and not farther than `far`.
    KeepDistance,
    /// In a random direction that changes smoothly, without a target.
    Wander,
}

/// The target of a behaviour.
#[derive(
    FromTemplate, MapEntities, Reflect, Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize,
)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub enum BehaviorTarget {
    /// A point in the world.
    #[default]
    Point(Vec3),
    /// An entity, wherever it goes. Once it is despawned the behaviour has no target and sets no goal.
    Entity(#[entities] Entity),
}

impl From<Vec3> for BehaviorTarget {
    fn from(point: Vec3) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for BehaviorTarget {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// A simple behaviour: moves in a straight line, without a path search. Direct control, pursuers and paths take
/// precedence.
///
/// Walls and obstacles are avoided only by agents with an [`Avoider`](super::Avoider).
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
#[require(Agent, BehaviorState)]
pub struct Behavior {
    /// The kind of behaviour. Default: `Seek`.
    pub kind: BehaviorKind,
    /// Its target. Default: the world's origin.
    #[entities]
    pub target: BehaviorTarget,
    /// Least distance that `KeepDistance` keeps. Unit: world units. Range: 0 and up. Default: `None`, three
    /// [body units](Agent::body_unit).
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("world units"))]
    pub near: Option<f32>,
    /// Greatest distance that `KeepDistance` keeps, and the distance at which `Flee` and `Evade` end. Unit: world
    /// units. Range: 0 and up. Default: `None`, ten [body units](Agent::body_unit).
    #[reflect(@0.0..=100.0_f32, @MeasuredIn("world units"))]
    pub far: Option<f32>,
    /// How far ahead `Evade` looks. Unit: seconds. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("seconds"))]
    pub horizon: f32,
    /// How fast the direction of `Wander` changes: the standard deviation of its change in a second. Unit: radians.
    /// Range: 0 and up. Default: `1.5`.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("radians"))]
    pub jitter: f32,
    /// How sharply `Wander` turns: the radius of the sphere ahead on which its aim strays, divided by the distance of
    /// the sphere's centre. Range: 0 and up. Default: `0.6`.
    #[reflect(@0.0..=2.0_f32)]
    pub sway: f32,
}

/// The default of `near`, in body units.
const DEFAULT_NEAR: f32 = 3.0;

/// The default of `far`, in body units.
const DEFAULT_FAR: f32 = 10.0;

impl Default for Behavior {
    fn default() -> Self {
        let WanderSettings { distance, radius, jitter, .. } = WanderSettings::default();
        Self {
            kind: BehaviorKind::default(),
            target: BehaviorTarget::Point(Vec3::ZERO),
            near: None,
            far: None,
            horizon: 2.0,
            jitter,
            sway: radius / distance,
        }
    }
}

templated! {
    /// A [`Behavior`] of a scene, whose target may be another entity of the scene.
    BehaviorTemplate of Behavior {
        entities { target: BehaviorTarget }
        settings { kind: BehaviorKind, near: Option<f32>, far: Option<f32>, horizon: f32, jitter: f32, sway: f32 }
    }
}

impl Behavior {
    /// A behaviour of a kind, about a point or an entity.
    #[must_use]
    pub fn new(kind: BehaviorKind, target: impl Into<BehaviorTarget>) -> Self {
        Self { kind, target: target.into(), ..Self::default() }
    }

    /// Straight to a point or an entity, at full speed.
    #[must_use]
    pub fn seek(target: impl Into<BehaviorTarget>) -> Self {
        Self::new(BehaviorKind::Seek, target)
    }

    /// Straight to a point or an entity, to stop on it.
    #[must_use]
    pub fn arrive(target: impl Into<BehaviorTarget>) -> Self {
        Self::new(BehaviorKind::Arrive, target)
    }

    /// Straight away from a point or an entity.
    #[must_use]
    pub fn flee(target: impl Into<BehaviorTarget>) -> Self {
        Self::new(BehaviorKind::Flee, target)
    }

    /// Away from where a moving entity could catch it.
    #[must_use]
    pub fn evade(target: impl Into<BehaviorTarget>) -> Self {
        Self::new(BehaviorKind::Evade, target)
    }

    /// Neither too near to a point or an entity nor too far from it.
    #[must_use]
    pub fn keep_distance(target: impl Into<BehaviorTarget>) -> Self {
        Self::new(BehaviorKind::KeepDistance, target)
    }

    /// The behaviour `Wander` with its default settings.
    #[must_use]
    pub fn wander() -> Self {
        Self { kind: BehaviorKind::Wander, ..Self::default() }
    }

    /// The least and the greatest distance from its target.
    fn distances(&self, agent: &Agent) -> (f32, f32) {
        let unit = agent.body_unit();
        (self.near.unwrap_or(DEFAULT_NEAR * unit), self.far.unwrap_or(DEFAULT_FAR * unit))
    }

    /// The settings of `Wander`: in the plane across `up`, or in space if there is no `up`.
    fn wander_rules(&self, up: Option<Vec3>) -> WanderSettings {
        let distance = WanderSettings::default().distance;
        let radius = distance * self.sway;
        WanderSettings { distance, radius, jitter: self.jitter, plane: up.and_then(MovementPlane::from_up) }
    }

    /// The goal velocity of a body; `None` if it has fled far enough.
    fn goal_velocity(
        &self,
        agent: &Agent,
        body: &Body,
        target: &Body,
        limits: &MotionLimits,
    ) -> Option<Vec3> {
        let (near, far) = self.distances(agent);
        let is_far = body.position.distance(target.position) >= far;
        let velocity = match self.kind {
            BehaviorKind::Seek => seek::seek(body, target.position, limits),
            BehaviorKind::Arrive => seek::arrive(body, target.position, limits),
            BehaviorKind::Flee | BehaviorKind::Evade if is_far => return None,
            BehaviorKind::Flee => seek::flee(body, target.position, limits),
            BehaviorKind::Evade => seek::evade(body, target, self.horizon, limits),
            BehaviorKind::KeepDistance => seek::keep_distance(body, target.position, near..=far, limits),
            BehaviorKind::Wander => Vec3::ZERO,
        };
        Some(velocity)
    }
}

/// What a behaviour keeps from tick to tick.
#[derive(Component, Debug, Default)]
pub(crate) struct BehaviorState {
    wander: seek::Wander,
    estimate: TargetEstimate,
    /// Whether the agent has arrived at the target of `Arrive`, and has not left it since.
    has_arrived: bool,
}

/// An agent with a behaviour.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Behaving {
    entity: Entity,
    behavior: &'static Behavior,
    state: &'static mut BehaviorState,
    agent: &'static Agent,
    id: &'static AgentId,
    velocity: &'static AgentVelocity,
    tie: Tie,
    goal: SteeringGoal,
    status: &'static mut PathStatus,
    ticket: Option<&'static Ticket>,
}

/// The least distance from its target at which an agent has arrived, in world units, because of rounding. Not measured.
const MIN_REACH: f32 = 1e-3;

/// States the goal velocities of simple behaviours, and triggers [`AgentArrived`] for agents that arrive at a target.
pub(super) fn behave(
    mut agents: Query<Behaving>,
    (positions, teleports): (Positions, Query<&TeleportCount>),
    grids: Grids,
    (settings, nav, tick): (Res<SteerSettings>, Res<NavSettings>, Res<SteerTick>),
    time: Res<Time>,
    mut commands: Commands,
) {
    let (dt, grid_list) = (time.delta_secs(), grids.all());
    for mut it in &mut agents {
        let Some(at) = positions.of(it.entity).filter(|at| at.is_finite()) else { continue };
        let place = grid_list.of(it.tie, at).ok().map(|grid| grid.place);
        let up = place.map_or(nav.up, |place| Some(place.up()));
        let body = Body::new(at, it.velocity.0).with_radius(it.agent.radius);
        let limits = MotionLimits::new(it.agent.speed, dt).with_acceleration(it.agent.acceleration);
        let behavior = *it.behavior;
        if behavior.kind == BehaviorKind::Wander {
            let mut rng = CounterRng::new(settings.seed, it.id.0, tick.0);
            let rules = behavior.wander_rules(up);
            let velocity = it.state.wander.step(&body, &rules, &mut rng, &limits);
            it.goal.state(GoalSource::Behavior, GoalVelocity::new(velocity));
            continue;
        }
        let target = match behavior.target {
            BehaviorTarget::Point(point) => Some((point, None)),
            BehaviorTarget::Entity(target) => positions.of(target).map(|at| (at, teleports.get(target).ok())),
        };
        let Some((target, teleports)) = target.filter(|(target, _)| target.is_finite()) else { continue };
        let flatten = |vector: Vec3| up.map_or(vector, |up| vector - up * vector.dot(up));
        let moving = it.state.estimate.observe(target, teleports, dt, it.agent.speed);
        let target = Body::new(at + flatten(target - at), flatten(moving));
        if behavior.kind == BehaviorKind::Arrive {
            let (gap, reach) = (target.position.distance(at), it.agent.arrive_radius.max(MIN_REACH));
            // An agent has left its target at more than twice the distance at which it arrived, or it would arrive
            // again each time that another one pushes it.
            let far = if it.state.has_arrived { 2.0 * (reach + it.agent.radius.max(0.0)) } else { reach };
            let has_arrived = gap <= far;
            if core::mem::replace(&mut it.state.has_arrived, has_arrived) != has_arrived && has_arrived {
                let (entity, goal) = (it.entity, target.position);
                commands.trigger(AgentArrived { entity, goal, arrival: Arrival::AtGoal });
            }
            let status = if has_arrived { PathStatus::Arrived } else { PathStatus::Following };
            if has_own_status(it.ticket) {
                it.status.set_if_neq(status);
            }
        }
        let goes_there = matches!(behavior.kind, BehaviorKind::Seek | BehaviorKind::Arrive);
        let end = goes_there.then_some(target.position);
        let Some(velocity) = behavior.goal_velocity(it.agent, &body, &target, &limits) else { continue };
        let goal_velocity = GoalVelocity::new(velocity).with_end(end);
        if velocity.dot(target.position - at) < 0.0 {
            it.goal.state_retreat(GoalSource::Behavior, goal_velocity);
        } else {
            it.goal.state(GoalSource::Behavior, goal_velocity);
        }
    }
}
