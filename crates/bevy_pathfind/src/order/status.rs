//! How a request stands, as a component.

use bevy::prelude::*;

use super::{PartialReason, PathError};

/// How an entity's request stands.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub enum PathStatus {
    /// Nothing is asked for.
    #[default]
    Idle,
    /// In line: nothing is being searched for it yet. An older path, if there is one, is walked meanwhile. A request
    /// for a grid that is disabled waits until the grid is enabled again.
    Waiting,
    /// Its search has begun, and is not done.
    Searching,
    /// A path is in place and is being walked.
    Following,
    /// At the goal, or beside it among others who share it (see [`Arrival`](super::Arrival)); perhaps still braking.
    Arrived,
    /// At the end of a partial path: as near to the goal as the path leads, and not at the goal. An edit of the map
    /// that opens a way sends the agent on.
    EndedShort(PartialReason),
    /// There is no path.
    Failed(PathError),
}
