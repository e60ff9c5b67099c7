//! What the behaviours of an agent would like to do this tick.

use bevy::prelude::*;

/// The velocity that an agent's behaviours with a goal wish for: that of the one that counts most. Emptied each
/// tick.
#[derive(Component, Debug, Default)]
pub(crate) struct Wish {
    /// Whose wish it is; `None` where nobody has an opinion.
    source: GoalSource,
    errand: Errand,
}

/// One such wish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Errand {
    /// The velocity, in world units per second.
    pub(crate) velocity: Vec3,
    /// Where it goes in the end, if that is known: nothing beyond is avoided.
    pub(crate) end: Option<Vec3>,
    /// How far it has yet to go at least, in world units; infinity, if that is not known.
    pub(crate) remaining: f32,
    /// How much faster than the agent's top speed it may be.
    pub(crate) haste: f32,
}

impl Errand {
    pub(crate) const fn new(velocity: Vec3) -> Self {
        Self { velocity, end: None, remaining: f32::INFINITY, haste: 1.0 }
    }

    pub(crate) fn with_end(self, end: impl Into<Option<Vec3>>) -> Self {
        Self { end: end.into(), ..self }
    }

    pub(crate) const fn with_remaining(self, remaining: f32) -> Self {
        Self { remaining, ..self }
    }
}

impl Default for Errand {
    fn default() -> Self {
        Self::new(Vec3::ZERO)
    }
}

impl Wish {
    /// States a wish. The user's hand counts before the chase, then comes the path, then the behaviour, in
    /// whatever order they are stated.
    pub(crate) const fn state(&mut self, source: GoalSource, errand: Errand) {
        let is_free = matches!(self.source, GoalSource::None);
        if is_free || source as u8 <= self.source as u8 {
            *self = Self { source, errand };
        }
    }

    /// The wish that counts. Empties it.
    pub(super) const fn take(&mut self) -> Option<(GoalSource, Errand)> {
        let source = self.source;
        // Where none was stated, nothing is written.
        if matches!(source, GoalSource::None) {
            return None;
        }
        self.source = GoalSource::None;
        Some((source, self.errand))
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
    /// [`Driven`](super::Driven).
    Driven,
    /// [`Pursuer`](super::Pursuer), of a target in sight.
    Pursuit,
    /// Its [`Path`](crate::solve::Path), also that of a pursuer out of sight of its target.
    Path,
    /// [`Behavior`](super::Behavior) or [`FlockLeader`](super::FlockLeader).
    Behavior,
}

/// Why an agent turns: what was wished for in this tick, and what became of it. For show; nothing reads it.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Wishes {
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
        use GoalSource::{Behavior, Driven, Path, Pursuit};
        let sources = [Driven, Pursuit, Path, Behavior];
        for (urgent, source) in sources.into_iter().enumerate() {
            for later in sources.into_iter().skip(urgent + 1) {
                let stated = |first: GoalSource, second: GoalSource| {
                    let mut wish = Wish::default();
                    wish.state(first, Errand::new(Vec3::splat(f32::from(first as u8))));
                    wish.state(second, Errand::new(Vec3::splat(f32::from(second as u8))));
                    (wish.take(), wish.take())
                };
                let wanted = (Some((source, Errand::new(Vec3::splat(f32::from(source as u8))))), None);
                assert_eq!(stated(source, later), wanted, "{source:?} before {later:?}");
                assert_eq!(stated(later, source), wanted, "{source:?} even after {later:?}");
            }
        }
        assert_eq!(Wish::default().take(), None, "nobody has stated anything");
    }
}
