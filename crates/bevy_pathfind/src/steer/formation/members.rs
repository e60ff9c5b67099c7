//! The group of an agent, and the members of a group.

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;

/// Makes an agent a member of a group, which is an entity with a [`Formation`](super::Formation). When that entity is
/// despawned, its members lose this component and stop.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
#[relationship(relationship_target = FormationMembers)]
#[require(FormationPlace)]
pub struct FormationOf {
    /// The group.
    #[relationship]
    pub group: Entity,
    /// Members of a lower rank stand farther in front: 0 for shields, 1 for archers. Default: `0`.
    pub rank: i32,
}

impl FormationOf {
    /// A member of a group, in the foremost rank.
    #[must_use]
    pub const fn new(group: Entity) -> Self {
        Self { group, rank: 0 }
    }

    /// The same member in another rank.
    #[must_use]
    pub const fn with_rank(mut self, rank: i32) -> Self {
        self.rank = rank;
        self
    }
}

/// The members of a group; on the entity with the [`Formation`](super::Formation), and kept up to date by Bevy.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, Default, PartialEq)]
#[relationship_target(relationship = FormationOf)]
pub struct FormationMembers(Vec<Entity>);

impl FormationMembers {
    /// The members, in the order in which they joined.
    pub fn iter(&self) -> impl Iterator<Item = Entity> {
        self.0.iter().copied()
    }

    /// The number of members.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// The state of a member between ticks.
#[derive(Component, Debug, Default)]
pub(crate) struct FormationPlace {
    /// The tick in which a group has led it last; 0 before the first.
    pub(super) led: u64,
    /// Where the path that it has requested leads; `None` if the group has requested none for it.
    pub(super) requested: Option<Vec3>,
    /// Where its place was in the last tick, in grid space.
    pub(super) last: Option<Vec2>,
    /// Whether it has seen its place when it last looked.
    pub(super) sees: bool,
    /// Whether it is through the narrow ground that the group passes.
    pub(super) is_through: bool,
    /// Whether the group waits no longer for it, until it is at its place.
    pub(super) is_left_behind: bool,
}

impl FormationPlace {
    /// Whether it goes along a path that the group has requested for it.
    pub(crate) const fn has_own_path(&self) -> bool {
        self.requested.is_some()
    }
}
