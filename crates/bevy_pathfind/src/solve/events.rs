//! What an agent is told, as entity events: observe them on the entity or in the app.

use bevy::prelude::*;

use super::{PathError, PathOutcome};

/// A new path is in place.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
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
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// What is wrong.
    pub error: PathError,
}

/// The agent has come to the end of its path; it may still be braking. Or it has come among the others round a
/// shared goal, is hemmed in by them, and settles where it stands.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathArrived {
    /// The agent.
    pub entity: Entity,
    /// Whether the path's end is the goal, or only as near as one can get.
    pub outcome: PathOutcome,
}

/// The map changed the way of an agent. Unless it is a shorter way that has been found, a new path has been
/// asked for, which a [`PathFound`] or [`PathFailed`] will follow; meanwhile the agent walks on as far as the
/// old one is free.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathReplanned {
    /// The agent.
    pub entity: Entity,
    /// What has happened to its way.
    pub reason: ReplanReason,
}

/// Why the map made an agent plan again.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Debug, PartialEq)]
pub enum ReplanReason {
    /// Something changed on the way that it had still to go.
    Touched,
    /// Another map was put in the place of its own.
    NewMap,
    /// A shorter way has opened, and is in place already; see [`RepairSettings::improve`](super::RepairSettings).
    ShorterWay,
}

/// The agent comes no nearer to where it should go, and a new path has not helped: something that the map
/// does not know stands in its way. Told once, until it gets on again; it goes on trying.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathStuck {
    /// The agent.
    pub entity: Entity,
}

/// The agent goes back, or aside, to let another pass that it has met head-on where there is room for one only. Its
/// [`Path`](super::Path) leads to where it waits meanwhile, and its status stays `Following`; when the other is past, a
/// [`PathFound`] or [`PathFailed`] follows. A game that does not want this switches it off with
/// [`SteerSettings::back_off`](crate::steer::SteerSettings::back_off).
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct PathYielded {
    /// The agent that backs off.
    pub entity: Entity,
    /// The agent for which it does.
    pub other: Entity,
}
