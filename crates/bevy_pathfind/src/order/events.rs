//! Entity events about an agent's request: observe them on the entity or in the app.

use bevy::prelude::*;
use pathfind_core::GridCell;

use super::{PartialReason, PathError, PathOutcome};

/// The agent has a new path: its [`NavPath`](super::NavPath) is in place.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathFound {
    /// The agent.
    pub entity: Entity,
    /// Whether the path reaches the goal.
    pub outcome: PathOutcome,
    /// Why the path was searched.
    pub cause: PathCause,
}

/// A request failed. Each agent's first failure of a kind is also logged as a warning, for up to 8 agents per kind.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// What is wrong.
    pub error: PathError,
}

/// The agent has reached its goal, or a place beside a goal that it shares with others; it may still be braking.
///
/// The event is the same for every way to a goal: the path of a [`PathRequest`](super::PathRequest) or of a
/// [`GoalQueue`](super::GoalQueue), a flight ([`Airborne`](crate::world::Airborne)), a
/// [`FlowField`](super::FlowField), and the behaviour [`Arrive`](crate::steer::BehaviorKind::Arrive). (A pursuer that
/// reaches its target gets [`CaughtTarget`](crate::steer::CaughtTarget) instead.) A follower of a field gets it each
/// time that it comes to the cell of a goal, and when it comes to rest beside the goal; beside the goal only once, until
/// it has been more than four cells from there.
///
/// At the end of a partial path [`PathEndedShort`] is sent instead, so that an observer of this event need not check
/// whether the agent has reached its goal.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentArrived {
    /// The agent.
    pub entity: Entity,
    /// The point of its goal that it went to, in world space: on the ground, on a grid.
    pub goal: Vec3,
    /// Whether it stands at the goal itself.
    pub arrival: Arrival,
}

/// The agent has visited the last goal of its [`GoalQueue`](super::GoalQueue), or found no way to it; only if the
/// queue [stops](super::QueueEnd::Stop) there. The event of the last visit, such as [`AgentArrived`], comes before it.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct QueueFinished {
    /// The agent.
    pub entity: Entity,
}

/// Where an agent has arrived.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum Arrival {
    /// At the goal, within [`Agent::arrive_radius`](crate::agent::Agent::arrive_radius).
    #[default]
    AtGoal,
    /// Beside the goal, because other agents that were sent there occupy it or are in the way; only with
    /// [`PathRequest::spread_at_goal`](crate::order::PathRequest::spread_at_goal).
    BesideGoal {
        /// How far from the goal it stands. Unit: world units.
        distance: f32,
    },
}

/// The agent has come to the end of a partial path: it stands as near to its goal as its path leads, and not at the
/// goal.
///
/// [`PathFound::outcome`] said that the path is partial. If the map keeps the agent from its goal, an edit that makes
/// the goal reachable sends the agent on: a [`PathFound`] follows, and in the end an [`AgentArrived`].
/// Without [`SearchOptions::allow_partial`](crate::order::SearchOptions::allow_partial) there are no partial paths.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathEndedShort {
    /// The agent.
    pub entity: Entity,
    /// The end of the path that the search found, in world space on the plane of the grid.
    pub nearest: Vec3,
    /// Why the path leads no farther.
    pub reason: PartialReason,
}

/// The agent stands before a cell that it has to break to go on: see [`Breacher`](super::Breacher). Break the cell by an
/// edit of the grid, and the agent goes on. [`PathEndedShort`] is sent with it.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathBlocked {
    /// The agent.
    pub entity: Entity,
    /// The grid of the cell: that of the path. Of a joined grid it is the whole;
    /// [`NavQuery::cell_at`](crate::solve::NavQuery::cell_at) finds the part.
    pub grid: Entity,
    /// The cell.
    pub cell: GridCell,
    /// The centre of the cell, in world space on the plane of the grid.
    pub at: Vec3,
}

/// An edit of the map has invalidated the agent's path, or has opened a shorter one.
///
/// When a path is invalidated, the event is sent before the new path is there: a [`PathFound`] of the same cause, or a
/// [`PathFailed`], follows. Until then the agent walks on along the part of the old path that is still free.
/// With [`PathCause::ShorterWay`] the new path has been found already, and [`PathFound`] follows in the same tick.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct PathInvalidated {
    /// The agent.
    pub entity: Entity,
    /// Why the path is replaced: [`Touched`](PathCause::Touched), [`NewMap`](PathCause::NewMap) or
    /// [`ShorterWay`](PathCause::ShorterWay).
    pub cause: PathCause,
}

/// Why a path was searched.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathCause {
    /// The request is new or has changed. Every other cause is a search that the plugin began by itself.
    #[default]
    Requested,
    /// Terrain changed on the rest of the path, or a link along it closed.
    Touched,
    /// The grid of the path was replaced by another, or was disabled for a while.
    NewMap,
    /// An edit has opened a shorter path (see
    /// [`SolveSettings::seek_shortcuts`](crate::solve::SolveSettings::seek_shortcuts)), or a path to a goal that could
    /// not be reached.
    ShorterWay,
    /// The goal is an entity, and it has moved.
    GoalMoved,
    /// The agent was pushed out of sight of its next waypoint, made no progress, has let others pass, or has no grid
    /// at the far end of a link.
    Hindered,
    /// Others hold the agent's goal, and it was given a cell beside it.
    Spread,
}

/// The agent makes no progress along its path: something that the map does not contain blocks it, such as an obstacle
/// or another body.
///
/// The event is sent once all of this holds: the agent has lost 3.5 seconds (in proportion more if it takes more than
/// half a second to turn round) in which it wanted to move along its path; what is left of the path is not shorter than
/// ever before by more than a twentieth of the way that it could go in half a second; two attempts to free it in that
/// time did not help; and the agent does not wait in a queue. The attempts are other paths, and ways round
/// [`Obstacle`](crate::world::Obstacle)s near it. An agent that was moved back loses no time while it walks up again. The
/// event is sent once, until less is left of the path than ever before; meanwhile the agent keeps trying, at the least
/// every 8 seconds.
///
/// An agent waits in a queue if another agent on a path is ahead of it, with a gap of at most one cell between the
/// bodies, and that agent does not itself wait for the first one, directly or through others. In a queue before an
/// obstacle only the foremost agent is therefore stuck; the others request new paths now and then, without this
/// event. An agent that has arrived is on no path: the agent behind it is the foremost of its queue. Of agents that
/// block one another in a ring, each is stuck; a ring of more than 64 counts as a queue. An agent that is held up
/// next to the place that it was given beside its goal (see
/// [`PathRequest::spread_at_goal`](crate::order::PathRequest::spread_at_goal)) arrives where it stands instead.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
}
