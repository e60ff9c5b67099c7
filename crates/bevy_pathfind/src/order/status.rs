//! The state of a request, as a component.

use bevy::prelude::*;

use super::{PartialReason, PathError};

/// The state of an entity's request, as of the last tick: after a new order it still is that of the old one until the
/// next tick.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// There is no request.
    #[default]
    Idle,
    /// Queued: the search has not begun. If there is an older path, the agent moves along it meanwhile. A request
    /// for a grid that is disabled waits until the grid is enabled again.
    Waiting,
    /// The search has begun, and is not finished.
    Searching,
    /// A path is in place, and the agent moves along it.
    Following,
    /// The agent lets others pass where two bodies do not fit side by side: it waits for its turn beside the mouth of
    /// the narrow place, or goes back in it to where another agent can pass.
    Yielding,
    /// The agent crosses a [`NavLink`](crate::world::NavLink): see [`OnLink`](super::OnLink).
    Crossing,
    /// At the goal, or beside it among others that share it (see [`Arrival`](super::Arrival)); perhaps still braking.
    Arrived,
    /// All [slots](super::TargetSlots) at its target are taken: the agent stands by until one becomes free.
    AwaitingSlot,
    /// At the end of a partial path: as near to the goal as the path leads, and not at the goal. If an edit of the
    /// map makes the goal reachable, the agent moves on.
    EndedShort(PartialReason),
    /// The request has failed.
    Failed(PathError),
}

impl PathStatus {
    /// Whether the agent has a path and obeys it.
    pub(crate) const fn is_on_path(&self) -> bool {
        matches!(self, Self::Following | Self::Yielding)
    }
}
