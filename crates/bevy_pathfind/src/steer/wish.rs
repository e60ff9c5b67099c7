//! What the behaviours of an agent would like to do this tick.

use bevy::prelude::*;

/// The velocities that an agent's behaviours with a goal wish for, in world units per second; `None` has no
/// opinion. Emptied each tick.
#[derive(Component, Debug, Default)]
pub(crate) struct Wish {
    /// Out of the wall that it stands in.
    pub(crate) escape: Option<Vec3>,
    /// Along its path.
    pub(crate) follow: Option<Vec3>,
    /// After its target.
    pub(crate) pursue: Option<Vec3>,
    /// As its simple behaviour has it.
    pub(crate) behave: Option<Vec3>,
    /// As the user says.
    pub(crate) drive: Option<Vec3>,
    /// Where it goes in the end, if that is known: nothing beyond is avoided.
    pub(crate) end: Option<Vec3>,
    /// By how much the wish may exceed the agent's top speed.
    pub(crate) haste: Option<f32>,
}

impl Wish {
    /// The wish that counts: out of a wall, then the user's, then the chase, then the behaviour, then the path. Empties all.
    pub(super) fn take(&mut self) -> (Option<Vec3>, GoalSource, f32) {
        let Self { escape, follow, pursue, behave, drive, haste, .. } = core::mem::take(self);
        let wishes = [
            (escape, GoalSource::Escape),
            (drive, GoalSource::Driven),
            (pursue, GoalSource::Pursuit),
            (behave, GoalSource::Behavior),
            (follow, GoalSource::Path),
        ];
        let counts = wishes.into_iter().find(|(wish, _)| wish.is_some());
        let (wish, source) = counts.unwrap_or_default();
        (wish, source, haste.unwrap_or(1.0))
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
    /// [`Pursuer`](super::Pursuer).
    Pursuit,
    /// [`Behavior`](super::Behavior).
    Behavior,
    /// Its [`Path`](crate::solve::Path).
    Path,
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
