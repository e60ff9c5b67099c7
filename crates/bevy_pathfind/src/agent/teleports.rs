//! How often an entity has been teleported, so that a move is not taken for speed.

use bevy::prelude::*;

/// How often this entity has been teleported. Entities that never were have none.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TeleportCount(pub(crate) u32);

impl TeleportCount {
    /// The count of an entity that may have none.
    pub(crate) fn of(count: Option<&Self>) -> u32 {
        count.map_or(0, |count| count.0)
    }
}
