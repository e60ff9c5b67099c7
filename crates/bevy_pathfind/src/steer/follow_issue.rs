//! The list of agents on paths that need more than [`follow`](super::follower::follow) can do while it goes through
//! all agents in parallel: [`end_paths`](super::follower::end_paths) and [`help`](super::follower::help) work the list
//! off, agent by agent.

use bevy::prelude::*;

use super::passage::NearStretch;
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

/// The agents on paths that need more in this tick, in any order.
#[derive(Resource, Default)]
pub(super) struct FollowIssues {
    /// The number of an agent's request, what the agent needs, and the agent.
    pub(super) issues: Vec<(u64, FollowIssue, Entity)>,
    /// Agents that have arrived, and where they stand.
    pub(super) arrivals: Vec<(AgentId, Entity, Vec3)>,
    /// Agents that stand still because a value of theirs is invalid, or because their settings cannot move them.
    pub(super) unfit: Vec<Entity>,
    pub(super) near_stretches: Vec<NearStretch>,
}
