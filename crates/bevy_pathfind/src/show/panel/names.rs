//! The names of entities, as the panel shows them.

use bevy::prelude::*;

/// The display name of an agent or link.
pub(super) fn display_name(entity: Entity, name: Option<&Name>) -> String {
    name.map_or_else(|| format!("Agent {}", entity.index_u32()), ToString::to_string)
}

/// The display name of an entity of a world.
pub(super) fn name_of(world: &World, entity: Entity) -> String {
    display_name(entity, world.get::<Name>(entity))
}
