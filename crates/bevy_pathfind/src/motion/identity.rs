//! Who is who, in every run alike.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The number by which an agent is known wherever an order or a chance is needed: neighbours are summed in
/// this order, and chance is drawn from it.
///
/// Agents get theirs as they are spawned, one after another. Give them your own (distinct, below 2³²) where
/// a run has to come out the same whatever the order of spawning: in lockstep games, or after loading.
#[derive(
    Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[component(on_insert = number)]
pub struct AgentId(pub u64);

impl AgentId {
    const UNSET: Self = Self(u64::MAX);
}

impl Default for AgentId {
    /// The next number that is free, once it is on an entity.
    fn default() -> Self {
        Self::UNSET
    }
}

/// How many agents have been given a number.
#[derive(Resource, Debug, Default)]
pub(crate) struct AgentIds(u64);

fn number(mut world: DeferredWorld, at: HookContext) {
    let is_unset = world.get::<AgentId>(at.entity) == Some(&AgentId::UNSET);
    if !is_unset {
        return;
    }
    let Some(mut ids) = world.get_resource_mut::<AgentIds>() else { return };
    let id = (1 << 32) + ids.0;
    ids.0 += 1;
    if let Some(mut unset) = world.get_mut::<AgentId>(at.entity) {
        *unset = AgentId(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_numbered_as_they_come_and_own_numbers_stand() {
        let mut world = World::new();
        world.init_resource::<AgentIds>();
        let first = world.spawn(AgentId::default()).id();
        let own = world.spawn(AgentId(7)).id();
        let second = world.spawn(AgentId::default()).id();
        let id = |entity| *world.get::<AgentId>(entity).unwrap();
        assert!(id(first) < id(second), "the first comes first");
        assert_eq!(id(own), AgentId(7), "an own number stands");
        assert!(id(own) < id(first), "and none is given out below 2³²");
    }
}
