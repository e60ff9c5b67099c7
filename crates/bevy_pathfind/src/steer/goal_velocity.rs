//! The goal velocity of an agent: the velocity that it should have to reach its goal, and the source that states it.
//!
//! Avoidance, separation and flocks are not goals; `blend` combines them with the goal velocity.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::follow::braking_speed;

use super::{Behavior, Remaining, SteeringId};
use crate::agent::Agent;
use crate::bevy_version::OnRemove;
use crate::order::{FollowField, PathStatus, Ticket};

/// The time in which an agent would be at a point that it keeps up with if it went on as fast as it is off it, in seconds.
/// Not measured.
const CATCH_UP: f32 = 0.3;

/// Write access to an agent's goal velocity, for a steering behaviour of your own; see
/// [`AddSteering`](super::AddSteering).
///
/// Goal velocities hold for one tick. Of all that are stated in a tick, the one of the most urgent [`GoalSource`]
/// stays, whichever system ran first. What stays is blended as every goal is: obstacle avoidance and separation go
/// before it, the agent's top speed and acceleration limit it, and [`SteeringBreakdown`] and the panel name its
/// source.
#[derive(QueryData, Debug)]
#[query_data(mutable, derive(Debug))]
pub struct SteeringGoal {
    active: &'static mut ActiveGoal,
    goal_velocity: &'static mut GoalVelocity,
}

/// The source of the goal velocity; `None` if no goal was stated. Reset each tick.
///
/// It is a component of its own, so that agents without a goal are skipped without reading their [`GoalVelocity`].
#[derive(Component, Debug, Default)]
pub(crate) struct ActiveGoal {
    source: GoalSource,
    /// Whether the goal velocity leads along a path or field, or to a place in sight, and keeps out of walls by itself.
    is_on_path: bool,
    /// Whether the goal velocity leads away from something, and to no point.
    is_retreat: bool,
    /// Whether a behaviour of the user's own decided in the last tick.
    was_custom: bool,
}

/// The goal velocity stated last; outdated while [`ActiveGoal`] is `None`.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct GoalVelocity {
    /// The velocity, in world units per second.
    pub(crate) velocity: Vec3,
    /// The point that it finally leads to, if known: obstacles beyond it are not avoided.
    pub(crate) end: Option<Vec3>,
    /// A lower bound of the distance yet to go.
    pub(crate) remaining: Remaining,
    /// Factor on the agent's top speed; above 1 only for pursuers that are faster on diagonals.
    pub(crate) haste: f32,
}

impl GoalVelocity {
    pub(crate) const fn new(velocity: Vec3) -> Self {
        Self { velocity, end: None, remaining: Remaining::UNKNOWN, haste: 1.0 }
    }

    /// Keeps up with a point that moves with the velocity `drift`, and is at the end of the vector `way`.
    pub(crate) fn keep_up(way: Vec3, drift: Vec3, agent: &Agent, dt: f32) -> Self {
        let distance = way.length();
        let speed = (distance / CATCH_UP).min(braking_speed(distance, agent.acceleration, dt, 0.0));
        Self::new((drift + way.normalize_or_zero() * speed).clamp_length_max(agent.speed))
    }

    pub(crate) fn with_end(self, end: impl Into<Option<Vec3>>) -> Self {
        Self { end: end.into(), ..self }
    }

    pub(crate) const fn with_remaining(self, remaining: Remaining) -> Self {
        Self { remaining, ..self }
    }
}

impl Default for GoalVelocity {
    fn default() -> Self {
        Self::new(Vec3::ZERO)
    }
}

impl SteeringGoalItem<'_, '_> {
    /// The source of the goal velocity stated so far in this tick.
    #[must_use]
    pub fn source(&self) -> GoalSource {
        self.active.source
    }

    /// The goal velocity stated so far in this tick, in world units per second; `None` if there is none.
    #[must_use]
    pub fn velocity(&self) -> Option<Vec3> {
        (!self.active.is_empty()).then_some(self.goal_velocity.velocity)
    }

    /// States a goal velocity, in world units per second, as that of a behaviour of yours: before pursuits, paths,
    /// fields and simple behaviours. To go after them, state it in a system that
    /// [adjusts](super::AddSteering::adjust_steering), and only if [`velocity`](Self::velocity) is `None`. A velocity
    /// that is not finite is ignored.
    pub fn set(&mut self, behaviour: SteeringId, velocity: Vec3) {
        if velocity.is_finite() {
            self.state(GoalSource::Custom(behaviour), GoalVelocity::new(velocity));
        }
    }

    /// Changes the goal velocity stated so far (zero if there is none), as a behaviour of yours. Its end and its path
    /// stay those of the goal velocity stated before: walls are not avoided on a path, nor are obstacles beyond its
    /// end. A velocity that is not finite changes nothing.
    pub fn adjust(&mut self, behaviour: SteeringId, change: impl FnOnce(Vec3) -> Vec3) {
        let stated = if self.active.is_empty() { GoalVelocity::default() } else { *self.goal_velocity };
        let velocity = change(stated.velocity);
        if velocity.is_finite() {
            *self.goal_velocity.bypass_change_detection() = GoalVelocity { velocity, ..stated };
            let active = self.active.bypass_change_detection();
            (active.is_on_path, active.source) = (active.is_on_path(), GoalSource::Custom(behaviour));
        }
    }

    /// See [`ActiveGoal::is_led`].
    pub(crate) fn is_led(&self) -> bool {
        self.active.is_led()
    }

    /// States a goal velocity; see [`state_goal`].
    pub(crate) fn state(&mut self, source: GoalSource, goal_velocity: GoalVelocity) {
        let (active, stated) =
            (self.active.bypass_change_detection(), self.goal_velocity.bypass_change_detection());
        state_goal(active, stated, source, goal_velocity);
    }

    /// States a goal velocity that leads away from something.
    pub(crate) fn state_retreat(&mut self, source: GoalSource, goal_velocity: GoalVelocity) {
        self.state(source, goal_velocity);
        self.active.bypass_change_detection().is_retreat = self.active.source == source;
    }
}

/// States a goal velocity. The order of [`GoalSource`] decides which one stays, not the order of the calls: manual
/// before custom, then pursuit, then path, then flow field, then behaviour.
pub(super) fn state_goal(
    active: &mut ActiveGoal,
    stated: &mut GoalVelocity,
    source: GoalSource,
    goal_velocity: GoalVelocity,
) {
    if !active.outranks(source) {
        let is_on_path = matches!(source, GoalSource::Path | GoalSource::Field | GoalSource::Formation);
        (*active, *stated) = (ActiveGoal { source, is_on_path, is_retreat: false, ..*active }, goal_velocity);
    }
}

impl ActiveGoal {
    /// Whether no goal has been stated.
    pub(super) const fn is_empty(&self) -> bool {
        matches!(self.source, GoalSource::None)
    }

    /// Whether the stated goal is more urgent than a goal of this source.
    const fn outranks(&self, source: GoalSource) -> bool {
        !self.is_empty() && self.source.rank() < source.rank()
    }

    /// Whether a goal velocity has been stated that leads along a path or field.
    pub(super) const fn is_on_path(&self) -> bool {
        self.is_on_path && !self.is_empty()
    }

    /// Whether the agent has been told to stand where it is.
    pub(super) const fn holds(&self) -> bool {
        matches!(self.source, GoalSource::Hold)
    }

    /// Whether a goal velocity has been stated that leads away from something.
    pub(super) const fn is_retreat(&self) -> bool {
        self.is_retreat && !self.is_empty()
    }

    /// Whether direct control decides, which states its goal before all others, or a behaviour of the user's own decided
    /// in the last tick.
    pub(super) const fn is_led(&self) -> bool {
        matches!(self.source, GoalSource::Hold | GoalSource::Manual) || self.was_custom
    }

    /// The source of the stated goal, if there is one; resets it.
    pub(super) fn take(&mut self) -> Option<GoalSource> {
        // Writes only if a goal was stated.
        (!self.is_empty()).then(|| {
            let source = core::mem::take(&mut self.source);
            self.was_custom = matches!(source, GoalSource::Custom(_));
            source
        })
    }
}

/// Where an agent's goal velocity comes from. Of several sources the one listed first (after `None`) counts.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoalSource {
    /// The agent has no goal.
    #[default]
    None,
    /// The agent stands on a cell that its kind may not enter, or off the map, and goes straight to the nearest cell that
    /// it may enter.
    Escape,
    /// [`HoldPosition`](super::HoldPosition): the agent stands.
    Hold,
    /// [`ManualVelocity`](super::ManualVelocity).
    Manual,
    /// A behaviour of your own (see [`AddSteering`](super::AddSteering)); of several the one that was added first.
    Custom(SteeringId),
    /// [`Pursuer`](super::Pursuer), of a target in sight.
    Pursuit,
    /// Its [`NavPath`](crate::order::NavPath), also that of a pursuer out of sight of its target.
    Path,
    /// The [`FlowField`](crate::order::FlowField) that it [follows](crate::order::FollowField).
    Field,
    /// Its place in a [`Formation`](super::Formation).
    Formation,
    /// [`Behavior`](super::Behavior) or [`FlockLeader`](super::FlockLeader).
    Behavior,
    /// The point where it had arrived, from which it was pushed away.
    Return,
}

impl GoalSource {
    /// The rank in the order of urgency; a lower rank is more urgent.
    const fn rank(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Escape => 1,
            Self::Hold => 2,
            Self::Manual => 3,
            Self::Custom(behaviour) => 4 + behaviour.number() as u32,
            Self::Pursuit => 1 << 17,
            Self::Path => (1 << 17) + 1,
            Self::Field => (1 << 17) + 2,
            Self::Formation => (1 << 17) + 3,
            Self::Behavior => (1 << 17) + 4,
            Self::Return => (1 << 17) + 5,
        }
    }
}

/// An agent without a flow field or behaviour has no status any more, unless it has a request. (If it still has one of the
/// two, that sets it again in the next tick.)
pub(super) fn clear_status(
    removed: OnRemove<(FollowField, Behavior)>,
    mut agents: Query<(&mut PathStatus, Option<&Ticket>)>,
) {
    if let Ok((mut status, ticket)) = agents.get_mut(removed.entity)
        && has_own_status(ticket)
    {
        status.set_if_neq(PathStatus::Idle);
    }
}

/// Whether the status of an agent is that of its field, behaviour or pursuit, and not of a request.
pub(super) fn has_own_status(ticket: Option<&Ticket>) -> bool {
    ticket.is_none_or(|ticket| !ticket.has_request())
}

/// The contributions to an agent's velocity in this tick: why it turns. For show; steering itself reads only
/// `is_on_path`, later in the same tick, and for agents that have arrived `source` and `flock`, in the next.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct SteeringBreakdown {
    /// The source of the goal velocity.
    pub source: GoalSource,
    /// Whether the goal velocity leads along a path or a field, which keeps out of walls by itself.
    pub is_on_path: bool,
    /// The goal velocity, in world units per second; zero without a goal.
    pub goal: Vec3,
    /// Acceleration by [`Separation`](super::Separation), in world units per second².
    pub separation: Vec3,
    /// Acceleration by the flock, in world units per second².
    pub flock: Vec3,
    /// Change of velocity by obstacle avoidance, in world units per second.
    pub avoidance: Vec3,
    /// Change of velocity by reciprocal avoidance of other agents, in world units per second.
    pub reciprocal: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_urgent_goal_counts_in_any_order() {
        use GoalSource::{Behavior, Custom, Hold, Manual, Path, Pursuit, Return};
        let sources = [
            Hold,
            Manual,
            Custom(SteeringId::new(0)),
            Custom(SteeringId::new(u16::MAX)),
            Pursuit,
            Path,
            Behavior,
            Return,
        ];
        let mut world = World::new();
        let mut writers = world.query::<SteeringGoal>();
        for (urgent, source) in sources.into_iter().enumerate() {
            for later in sources.into_iter().skip(urgent + 1) {
                let goal_velocity = |source: GoalSource| GoalVelocity::new(Vec3::splat(source.rank() as f32));
                for (first, second) in [(source, later), (later, source)] {
                    let agent = world.spawn((ActiveGoal::default(), GoalVelocity::default())).id();
                    let mut goal = writers.get_mut(&mut world, agent).expect("it has both");
                    goal.state(first, goal_velocity(first));
                    goal.state(second, goal_velocity(second));
                    let taken = (goal.active.take(), *goal.goal_velocity);
                    assert_eq!(taken, (Some(source), goal_velocity(source)), "{first:?} before {second:?}");
                    assert_eq!(goal.active.take(), None, "taking a goal resets it");
                }
            }
        }
        assert_eq!(ActiveGoal::default().take(), None, "no goal was stated");
    }
}
