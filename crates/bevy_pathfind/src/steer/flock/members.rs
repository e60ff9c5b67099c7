//! The flock of an agent, the members of a flock, and statistics of a flock.

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;

use super::LeaderVelocity;

/// Assigns a member to a flock, which is represented by an entity. If that entity has a `Transform` it is the
/// flock's leader, whatever it is and however it moves (a player, an agent on a path, a wandering
/// [`FlockLeader`](super::FlockLeader)); if it has none, the flock has no leader.
///
/// Agents with a [`Flock`](super::Flock) and without this component together form one flock, which has no leader.
/// When the entity of a flock is despawned, its members lose this component and join that leaderless flock.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
#[relationship(relationship_target = FlockMembers)]
pub struct FlockOf(pub Entity);

/// The members of a flock; on the entity that represents the flock, and kept up to date by Bevy.
// `LeaderVelocity`: the estimated velocity of a leader that is no agent.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, Default, PartialEq)]
#[relationship_target(relationship = FlockOf)]
#[require(FlockStats, LeaderVelocity)]
pub struct FlockMembers(Vec<Entity>);

impl FlockMembers {
    /// The number of members.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// Statistics of how a flock moves; on the entity that represents the flock, updated every eighth tick. All zero when
/// the flock has no members.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, Default, PartialEq)]
pub struct FlockStats {
    /// The number of members that are valid agents.
    pub members: u32,
    /// Polarization: the length of the mean heading, 1 if all move in the same direction, 0 if the headings cancel
    /// out.
    pub polarization: f32,
    /// The mean distance from a member to its nearest mate, in world units. Only members with a mate within 8 times
    /// the reach of the neighbour index count; 0 if there is none.
    pub nearest: f32,
    /// Radius of gyration: the root mean square distance of the members from their centre, in world units.
    pub gyration: f32,
}
