//! How often an entity has been teleported, so that a teleport is not measured as velocity.

use bevy::prelude::*;

/// How often this entity has been teleported. An entity that never was does not have the component.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TeleportCount(pub(crate) u32);

impl TeleportCount {
    /// The count of an entity that may not have the component.
    pub(crate) fn of(count: Option<&Self>) -> u32 {
        count.map_or(0, |count| count.0)
    }
}
