//! The goal velocity of an agent: where it wants to go in a tick, and which source asks for it.
//!
//! Avoidance, separation and flocks are not goals; `blend` combines them with the goal velocity.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::Remaining;

/// Write access to an agent's goal velocity. Of all that are stated in a tick, the one of the most urgent source stays.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct GoalWriter {
    active: &'static mut ActiveGoal,
    goal_velocity: &'static mut GoalVelocity,
}

/// The source of the goal velocity; `None` if no goal was stated. Reset each tick.
///
/// It is a component of its own, so that agents without a goal are skipped without reading their [`GoalVelocity`].
#[derive(Component, Debug, Default)]
pub(crate) struct ActiveGoal(GoalSource);

/// The goal velocity stated last; outdated while [`ActiveGoal`] is `None`.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct GoalVelocity {
    /// The velocity, in world units per second.
    pub(crate) velocity: Vec3,
    /// The point that it finally leads to, if that is known: nothing beyond is avoided.
    pub(crate) end: Option<Vec3>,
    /// A lower bound of the distance yet to go.
    pub(crate) remaining: Remaining,
    /// Factor on the agent's top speed; 1, except for pursuers that are faster on diagonals.
    pub(crate) haste: f32,
}

impl GoalVelocity {
    pub(crate) const fn new(velocity: Vec3) -> Self {
        Self { velocity, end: None, remaining: Remaining::UNKNOWN, haste: 1.0 }
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

impl GoalWriterItem<'_, '_> {
    /// States a goal velocity; see [`state_goal`].
    pub(crate) fn state(&mut self, source: GoalSource, goal_velocity: GoalVelocity) {
        let (active, stated) =
            (self.active.bypass_change_detection(), self.goal_velocity.bypass_change_detection());
        state_goal(active, stated, source, goal_velocity);
    }
}

/// States a goal velocity. The order of [`GoalSource`] decides which one stays, not the order of the calls: override
/// before pursuit, then path, then flow field, then behaviour.
pub(super) fn state_goal(
    active: &mut ActiveGoal,
    stated: &mut GoalVelocity,
    source: GoalSource,
    goal_velocity: GoalVelocity,
) {
    if !active.outranks(source) {
        (*active, *stated) = (ActiveGoal(source), goal_velocity);
    }
}

impl ActiveGoal {
    /// Whether no goal has been stated.
    pub(super) const fn is_empty(&self) -> bool {
        matches!(self.0, GoalSource::None)
    }

    /// Whether the goal that is stated is more urgent than one of this source.
    const fn outranks(&self, source: GoalSource) -> bool {
        !self.is_empty() && (self.0 as u8) < source as u8
    }

    /// The source of the stated goal, if there is one; resets it.
    pub(super) fn take(&mut self) -> Option<GoalSource> {
        // Writes only if a goal was stated.
        (!self.is_empty()).then(|| core::mem::take(&mut self.0))
    }
}

/// Where an agent's goal velocity comes from. Of several sources the one listed first (after `None`) counts.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoalSource {
    /// The agent has no goal.
    #[default]
    None,
    /// The agent stands on a cell that its kind may not enter, and goes straight to the nearest one that it may.
    Escape,
    /// [`SteeringOverride`](super::SteeringOverride).
    Override,
    /// [`Pursuer`](super::Pursuer), of a target in sight.
    Pursuit,
    /// Its [`NavPath`](crate::order::NavPath), also that of a pursuer out of sight of its target.
    Path,
    /// The [`FlowField`](crate::order::FlowField) that it [follows](crate::order::FollowField).
    Field,
    /// [`Behavior`](super::Behavior) or [`FlockLeader`](super::FlockLeader).
    Behavior,
}

impl GoalSource {
    /// Whether the goal velocity leads along a way that keeps out of walls by itself.
    pub(crate) const fn keeps_out_of_walls(self) -> bool {
        matches!(self, Self::Path | Self::Field)
    }
}

/// The contributions to an agent's velocity in this tick: why it turns. For show; steering itself reads only `source`,
/// later in the same tick.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct SteeringBreakdown {
    /// The source of the goal velocity.
    pub source: GoalSource,
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
    fn the_most_urgent_wish_counts_whatever_the_order() {
        use GoalSource::{Behavior, Override, Path, Pursuit};
        let sources = [Override, Pursuit, Path, Behavior];
        let mut world = World::new();
        let mut writers = world.query::<GoalWriter>();
        for (urgent, source) in sources.into_iter().enumerate() {
            for later in sources.into_iter().skip(urgent + 1) {
                let goal_velocity =
                    |source: GoalSource| GoalVelocity::new(Vec3::splat(f32::from(source as u8)));
                for (first, second) in [(source, later), (later, source)] {
                    let agent = world.spawn((ActiveGoal::default(), GoalVelocity::default())).id();
                    let mut goal = writers.get_mut(&mut world, agent).expect("it has both");
                    goal.state(first, goal_velocity(first));
                    goal.state(second, goal_velocity(second));
                    let taken = (goal.active.take(), *goal.goal_velocity);
                    assert_eq!(taken, (Some(source), goal_velocity(source)), "{first:?} before {second:?}");
                    assert_eq!(goal.active.take(), None, "it has been emptied");
                }
            }
        }
        assert_eq!(ActiveGoal::default().take(), None, "nobody has stated anything");
    }
}
