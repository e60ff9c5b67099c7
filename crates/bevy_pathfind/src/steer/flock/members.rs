//! Which flock an agent belongs to.

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;

use super::LeaderTrail;

/// Ties a member to its flock: an entity that stands for it. If that entity has a `Transform` it is the
/// flock's leader, whatever it is and however it moves (a player, an agent on a path, a wandering
/// [`FlockLeader`](super::FlockLeader)); if it has none, the flock has no leader.
///
/// A member of no flock flies with all others of no flock, without a leader. So does one whose leader is
/// despawned: the tie goes with it.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq)]
#[relationship(relationship_target = FlockMembers)]
pub struct FlockOf(pub Entity);

/// The members of a flock; on the entity that stands for it, and kept up to date by Bevy.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq)]
#[relationship_target(relationship = FlockOf)]
#[require(FlockStats, LeaderTrail)]
pub struct FlockMembers(Vec<Entity>);

impl FlockMembers {
    /// How many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// What tells a tuner how a flock does; on the entity that stands for it, measured every eighth tick.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq)]
pub struct FlockStats {
    /// How many fly in it.
    pub members: u32,
    /// The length of the mean heading: 1 if all fly the same way, 0 if they have no way in common.
    pub polarisation: f32,
    /// The mean distance of each to its nearest mate, in world units.
    pub nearest: f32,
    /// Radius of gyration: the root of the mean squared distance from their centre, in world units.
    pub gyration: f32,
}
