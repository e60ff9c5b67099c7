//! What the behaviours of an agent would like to do this tick.

use bevy::prelude::*;

/// The velocities that an agent's behaviours with a goal wish for, in world units per second; `None` has no
/// opinion. Emptied each tick.
#[derive(Component, Debug, Default)]
pub(crate) struct Wish {
    /// Out of the wall that it stands in.
    pub(crate) escape: Option<Errand>,
    /// As the user says.
    pub(crate) drive: Option<Errand>,
    /// After its target.
    pub(crate) pursue: Option<Errand>,
    /// Along its path.
    pub(crate) follow: Option<Errand>,
    /// As its simple behaviour has it.
    pub(crate) behave: Option<Errand>,
}

/// One such wish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Errand {
    /// The velocity, in world units per second.
    pub(crate) velocity: Vec3,
    /// Where it goes in the end, if that is known: nothing beyond is avoided.
    pub(crate) end: Option<Vec3>,
    /// How much faster than the agent's top speed it may be.
    pub(crate) haste: f32,
}

impl Errand {
    pub(crate) const fn new(velocity: Vec3) -> Self {
        Self { velocity, end: None, haste: 1.0 }
    }

    pub(crate) fn with_end(self, end: impl Into<Option<Vec3>>) -> Self {
        Self { end: end.into(), ..self }
    }
}

impl Wish {
    /// The wish that counts: out of a wall, then the user's, then the chase, then the path, then the behaviour.
    /// Empties all.
    pub(super) fn take(&mut self) -> Option<(GoalSource, Errand)> {
        let Self { escape, drive, pursue, follow, behave } = core::mem::take(self);
        let wishes = [
            (GoalSource::Escape, escape),
            (GoalSource::Driven, drive),
            (GoalSource::Pursuit, pursue),
            (GoalSource::Path, follow),
            (GoalSource::Behavior, behave),
        ];
        wishes.into_iter().find_map(|(source, errand)| Some((source, errand?)))
    }
}

/// Which behaviour gave an agent its goal.
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
