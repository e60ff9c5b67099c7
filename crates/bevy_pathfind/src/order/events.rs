//! What an agent is told, as entity events: observe them on the entity or in the app.

use bevy::prelude::*;

use super::{PartialReason, PathError, PathOutcome};

/// A new path is in place.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathFound {
    /// The agent.
    pub entity: Entity,
    /// Whether the path reaches the goal.
    pub outcome: PathOutcome,
    /// Whether the way itself asked for it, not the user: the map had changed ([`PathInvalidated`]), an edit
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

/// The agent has reached its goal, or a place beside a goal that it shares with others; it may still be braking.
///
/// The end of a partial path is told as [`PathEndedShort`] instead: an observer of this event need not ask whether
/// the agent is where it was sent.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathArrived {
    /// The agent.
    pub entity: Entity,
    /// Whether it stands at the goal itself.
    pub arrival: Arrival,
}

/// Where an agent has arrived.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Default, Debug, PartialEq)]
pub enum Arrival {
    /// At the goal, within [`Agent::arrive_radius`](crate::agent::Agent::arrive_radius).
    #[default]
    AtGoal,
    /// Beside the goal, because other agents that were sent there hold it; only with
    /// [`PathRequest::spread`](crate::order::PathRequest::spread).
    BesideGoal {
        /// How far from the goal it stands. Unit: world units.
        distance: f32,
    },
}

/// The agent has come to the end of a partial path: it stands as near to its goal as its path leads, and not at the
/// goal.
///
/// The path was told as partial when it was found ([`PathFound::outcome`]). If the map is what keeps the agent from
/// its goal, an edit that opens a way sends it on by itself: a [`PathFound`] follows, and in the end a [`PathArrived`].
/// Without [`SearchOptions::allow_partial`](crate::order::SearchOptions::allow_partial) there are no partial paths.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathEndedShort {
    /// The agent.
    pub entity: Entity,
    /// The point nearest to the goal to which the path could lead, in world space on the ground of the grid.
    pub nearest: Vec3,
    /// Why it leads no farther.
    pub reason: PartialReason,
}

/// The map changed the way of an agent. Unless it is a shorter way that has been found, a new path has been
/// asked for, which a [`PathFound`] or [`PathFailed`] will follow; meanwhile the agent walks on as far as the
/// old one is free.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathInvalidated {
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
    /// A shorter way has opened, and is in place already; see [`ReplanSettings::seek_shortcuts`](super::ReplanSettings).
    ShorterWay,
}

/// Something that the map does not know stands in the agent's way.
///
/// It is told once all of this holds: for 3.5 seconds the agent wished to move along its path and came less than
/// 0.01 cells nearer to its next waypoint; two new paths in that time did not help; and it does not wait in a queue.
/// An agent waits in a queue while another agent on a path stands before it, within a cell of its body, that does not
/// itself wait for the first one, directly or through others. Of a queue before an obstacle only the foremost agent is
/// stuck; of agents that block one another in a ring, each is.
///
/// It is told once, until the agent comes nearer to a waypoint again; meanwhile the agent goes on trying.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathStuck {
    /// The agent.
    pub entity: Entity,
}

/// The agent goes back, or aside, to let another pass that it has met head-on where there is room for one only. Its
/// [`NavPath`](super::NavPath) leads to where it waits meanwhile, and its status stays `Following`; when the other is past, a
/// [`PathFound`] or [`PathFailed`] follows. A game that does not want this switches it off with
/// [`SteerSettings::back_off`](crate::steer::SteerSettings::back_off).
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathYielded {
    /// The agent that backs off.
    pub entity: Entity,
    /// The agent for which it does.
    pub other: Entity,
}
