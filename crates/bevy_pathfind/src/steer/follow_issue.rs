//! What agents on paths need that [`follow`](super::follower::follow) cannot do while it goes through all of them:
//! [`end_paths`](super::follower::end_paths), [`pass`](super::head_on::pass) and then [`help`](super::follower::help)
//! do it, agent by agent.

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
    /// The same, after two attempts in vain. `PathStuck` is triggered, unless the agent waits in a queue.
    Stuck,
    /// The same, after more than two. `PathStuck` is triggered if it has not been.
    StillStuck,
    /// It backs off for another agent, or stands while another backs off: check whether that is over.
    Meeting,
}

/// The number of an agent's request, what the agent needs, and the agent.
pub(super) type Issue = (u64, FollowIssue, Entity);

/// The needs of agents in this tick. [`pass`](super::head_on::pass) sorts the list.
#[derive(Resource, Default)]
pub(super) struct FollowIssues(pub(super) Vec<Issue>);

/// An agent that has arrived, and where it stands.
pub(super) type Arrival = (AgentId, Entity, Vec3);

/// The agents that have arrived in this tick.
#[derive(Resource, Default)]
pub(super) struct Arrivals(pub(super) Vec<Arrival>);
