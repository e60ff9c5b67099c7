//! What an agent is told, as entity events: observe them on the entity or in the app.

use bevy::prelude::*;

use super::{PathError, PathOutcome};

/// A new path is in place.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathFound {
    /// The agent.
    pub entity: Entity,
    /// Whether the path reaches the goal.
    pub outcome: PathOutcome,
    /// Whether the way itself asked for it, not the user: the map had changed ([`PathReplanned`]), an edit
    /// had opened a better way for one who was kept from its goal, or the agent had been pushed out of sight
    /// of its next waypoint.
    pub replan: bool,
}

/// A request gave no path. The same failure is also a warning in the log, once.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// What is wrong.
    pub error: PathError,
}

/// The agent has come to the end of its path; it may still be braking.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathArrived {
    /// The agent.
    pub entity: Entity,
    /// Whether the path's end is the goal, or only as near as one can get.
    pub outcome: PathOutcome,
}

/// The map changed on the way that an agent had still to go: a new path has been asked for, which a
/// [`PathFound`] or [`PathFailed`] will follow. Meanwhile the agent walks on as far as the old one is free.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathReplanned {
    /// The agent.
    pub entity: Entity,
}

/// The agent comes no nearer to where it should go, and a new path has not helped: something that the map
/// does not know stands in its way. Told once, until it gets on again; it goes on trying.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathStuck {
    /// The agent.
    pub entity: Entity,
}
