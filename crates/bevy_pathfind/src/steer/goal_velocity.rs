//! What the behaviours of an agent would like to do this tick.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::Remaining;

/// The velocity that an agent's behaviours with a goal wish for: that of the one that counts most.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Wish {
    active: &'static mut ActiveGoal,
    goal_velocity: &'static mut GoalVelocity,
}

/// Whose wish it is; `None` where nobody has an opinion. Emptied each tick.
///
/// Apart from the wish itself, so that who has none is passed over at a glance.
#[derive(Component, Debug, Default)]
pub(crate) struct ActiveGoal(GoalSource);

/// What is wished for; outdated where nobody has stated it.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct GoalVelocity {
    /// The velocity, in world units per second.
    pub(crate) velocity: Vec3,
    /// Where it goes in the end, if that is known: nothing beyond is avoided.
    pub(crate) end: Option<Vec3>,
    /// How far it has yet to go at least.
    pub(crate) remaining: Remaining,
    /// How much faster than the agent's top speed it may be.
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

impl WishItem<'_, '_> {
    /// States a wish. The user's hand counts before the chase, then comes the path, then the behaviour, in
    /// whatever order they are stated.
    pub(crate) fn state(&mut self, source: GoalSource, goal_velocity: GoalVelocity) {
        if self.active.outranks(source) {
            return;
        }
        *self.active.bypass_change_detection() = ActiveGoal(source);
        *self.goal_velocity.bypass_change_detection() = goal_velocity;
    }
}

impl ActiveGoal {
    /// Whether nobody has.
    pub(super) const fn is_empty(&self) -> bool {
        matches!(self.0, GoalSource::None)
    }

    /// Whether what is stated counts before a wish of this source.
    const fn outranks(&self, source: GoalSource) -> bool {
        !self.is_empty() && (self.0 as u8) < source as u8
    }

    /// Whose wish counts, if anybody's. Empties it.
    pub(super) fn take(&mut self) -> Option<GoalSource> {
        // Where none was stated, nothing is written.
        (!self.is_empty()).then(|| core::mem::take(&mut self.0))
    }
}

/// Which behaviour gave an agent its goal; those that are above the others count before them.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Default, Debug, PartialEq)]
pub enum GoalSource {
    /// None: it has no goal.
    #[default]
    None,
    /// It stands where its kind may not, and leaves by the nearest way.
    Escape,
    /// [`SteeringOverride`](super::SteeringOverride).
    Override,
    /// [`Pursuer`](super::Pursuer), of a target in sight.
    Pursuit,
    /// Its [`NavPath`](crate::order::NavPath), also that of a pursuer out of sight of its target.
    Path,
    /// [`Behavior`](super::Behavior) or [`FlockLeader`](super::FlockLeader).
    Behavior,
}

/// Why an agent turns: what was wished for in this tick, and what became of it. For show; nothing reads it.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct SteeringBreakdown {
    /// Which behaviour leads.
    pub source: GoalSource,
    /// The velocity that it wishes for, in world units per second.
    pub goal: Vec3,
    /// Away from others, in world units per second².
    pub separation: Vec3,
    /// With the flock, in world units per second².
    pub flock: Vec3,
    /// What avoiding obstacles changed, in world units per second.
    pub avoidance: Vec3,
    /// What making way for other agents changed, in world units per second.
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
        let mut wishes = world.query::<Wish>();
        for (urgent, source) in sources.into_iter().enumerate() {
            for later in sources.into_iter().skip(urgent + 1) {
                let goal_velocity =
                    |source: GoalSource| GoalVelocity::new(Vec3::splat(f32::from(source as u8)));
                for (first, second) in [(source, later), (later, source)] {
                    let agent = world.spawn((ActiveGoal::default(), GoalVelocity::default())).id();
                    let mut wish = wishes.get_mut(&mut world, agent).expect("it has both");
                    wish.state(first, goal_velocity(first));
                    wish.state(second, goal_velocity(second));
                    let taken = (wish.active.take(), *wish.goal_velocity);
                    assert_eq!(taken, (Some(source), goal_velocity(source)), "{first:?} before {second:?}");
                    assert_eq!(wish.active.take(), None, "it has been emptied");
                }
            }
        }
        assert_eq!(ActiveGoal::default().take(), None, "nobody has stated anything");
    }
}
