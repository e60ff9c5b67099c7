//! The messages between [`follow`](super::follower::follow), which lists the agents near narrow stretches of their paths,
//! and [`give_way`](super::right_of_way::give_way), which instructs these agents.

use bevy::prelude::*;

use crate::agent::AgentId;

/// The instructions for an agent at a narrow stretch, for the next tick. It is part of the state of following.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    /// The length of path left at which the agent comes near the next stretch, in cells: infinity if the path has not
    /// been looked at, below 0 if there is none.
    pub(super) due: f32,
    /// A point to head for instead of the next waypoint, in grid space.
    pub(super) target: Option<Vec2>,
    /// The greatest speed allowed, in cells per second.
    pub(super) speed: f32,
    pub(super) waits: bool,
    pub(super) is_in_file: bool,
}

impl Default for Passage {
    fn default() -> Self {
        Self::due(f32::INFINITY)
    }
}

impl Passage {
    /// Nothing to do until so much of the path is left, in cells.
    pub(super) const fn due(due: f32) -> Self {
        Self { due, target: None, speed: f32::INFINITY, waits: false, is_in_file: false }
    }
}

/// The number of an agent's request, and its id. Of agents that ask for a stretch in one tick the least rank is first.
pub(super) type Rank = (u64, AgentId);

/// An agent that may be near a narrow stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearStretch {
    pub(super) rank: Rank,
    pub(super) entity: Entity,
    /// Its position, in grid space.
    pub(super) here: Vec2,
    /// The length of path left, in cells.
    pub(super) left: f32,
    /// Whether it is under direct control or a behaviour of the user's own: nobody knows when it goes on.
    pub(super) is_led: bool,
}
