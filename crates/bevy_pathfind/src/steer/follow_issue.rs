//! The list of agents on paths that need more than [`follow`](super::follower::follow) can do while it goes through
//! all agents in parallel: [`end_paths`](super::follower::end_paths) and [`help`](super::follower::help) work the list
//! off, agent by agent.

use bevy::prelude::*;

use crate::agent::AgentId;

/// What an agent on a path needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FollowIssue {
    /// It comes near its goal: it needs an arrival slot.
    Slot,
    /// It has left its path: it needs a way back.
    OffPath,
    /// It makes no progress: it needs another attempt.
    Stalled,
    /// It makes no progress after two failed attempts. `AgentStuck` is triggered, unless the agent waits in a queue.
    Stuck,
    /// It makes no progress after more than two failed attempts. `AgentStuck` is triggered if it has not been.
    StillStuck,
}

/// The number of an agent's request, what the agent needs, and the agent.
pub(super) type Issue = (u64, FollowIssue, Entity);

/// The issues of agents in this tick, in any order.
#[derive(Resource, Default)]
pub(super) struct FollowIssues(pub(super) Vec<Issue>);

/// Agents on paths that stand still because a value of theirs is invalid, or because their settings cannot move them.
#[derive(Resource, Default)]
pub(super) struct UnfitAgents(pub(super) Vec<Entity>);

/// An agent that has arrived, and where it stands.
pub(super) type Arrival = (AgentId, Entity, Vec3);

/// The agents that have arrived in this tick.
#[derive(Resource, Default)]
pub(super) struct Arrivals(pub(super) Vec<Arrival>);
