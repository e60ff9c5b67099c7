//! Agent ids: an order of agents that is the same in every run.

use bevy::ecs::entity::{ComponentCloneCtx, SourceComponent};
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The id of an agent. Sums over neighbours are taken in the order of the ids, and random numbers are drawn by id, so
/// that results depend neither on query order nor on entity ids.
///
/// Agents get ids as they are spawned, one after another, from 2³² on. An entity cloned from an agent gets an id
/// of its own. After a save was loaded, new agents get ids above those that were loaded. Assign your own ids
/// (distinct, below 2³²) where a run shall not depend on the order of spawning, as in lockstep games. The
/// component is immutable, so that every new id is noticed: insert another to change it.
#[derive(
    Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[component(immutable, on_insert = on_insert, clone_behavior = Custom(unset))]
pub struct AgentId(pub u64);

impl AgentId {
    const UNSET: Self = Self(u64::MAX);
}

impl Default for AgentId {
    /// A placeholder, replaced by the next free id once it is on an entity.
    fn default() -> Self {
        Self::UNSET
    }
}

/// The least id that is assigned automatically.
const FIRST: u64 = 1 << 32;

#[derive(Resource, Debug)]
pub(crate) struct AgentIds {
    /// The next id: above every id that was used so far, or [`FIRST`] after the greatest possible id was used.
    next: u64,
}

impl Default for AgentIds {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl AgentIds {
    const fn take(&mut self) -> AgentId {
        let id = AgentId(self.next);
        self.note_used(id);
        id
    }

    /// Notes that an id is in use, assigned here or not.
    const fn note_used(&mut self, AgentId(taken): AgentId) {
        if taken >= self.next {
            self.next = if taken + 1 < AgentId::UNSET.0 { taken + 1 } else { FIRST };
        }
    }
}

/// Assigns an id to an agent that has none, and notes the id of an agent that has one.
fn on_insert(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(&id) = world.get::<AgentId>(entity) else { return };
    let Some(mut ids) = world.get_resource_mut::<AgentIds>() else { return };
    if id != AgentId::UNSET {
        ids.note_used(id);
        return;
    }
    let id = ids.take();
    world.commands().queue(move |world: &mut World| {
        if world.get::<AgentId>(entity) == Some(&AgentId::UNSET) {
            world.entity_mut(entity).insert(id);
        }
    });
}

/// Unsets the id of a clone, so that it gets an id of its own.
fn unset(_: &SourceComponent, context: &mut ComponentCloneCtx) {
    context.write_target_component(AgentId::UNSET);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        let mut world = World::new();
        world.init_resource::<AgentIds>();
        world
    }

    #[test]
    fn ids_are_assigned_in_the_order_of_spawning_and_own_ids_stay() {
        let mut world = world();
        let first = world.spawn(AgentId::default()).id();
        let own = world.spawn(AgentId(7)).id();
        let second = world.spawn(AgentId::default()).id();
        let id = |entity| *world.get::<AgentId>(entity).unwrap();
        assert!(id(first) < id(second), "the agent spawned first has the lesser id");
        assert_eq!(id(own), AgentId(7), "an own id stays");
        assert!(id(own) < id(first), "and none is assigned below 2³²");
    }

    #[test]
    fn a_clone_has_an_id_of_its_own() {
        let mut world = world();
        for id in [AgentId::default(), AgentId(7)] {
            let original = world.spawn(id).id();
            let own = *world.get::<AgentId>(original).unwrap();
            let clone = world.entity_mut(original).clone_and_spawn();
            assert_ne!(*world.get::<AgentId>(clone).unwrap(), own, "the clone is another agent");
            assert_ne!(*world.get::<AgentId>(clone).unwrap(), AgentId::UNSET, "with an id");
            assert_eq!(*world.get::<AgentId>(original).unwrap(), own, "the original keeps its id");
        }
    }

    #[test]
    fn ids_that_were_loaded_are_not_assigned_again() {
        let mut world = world();
        let loaded = [FIRST + 3, FIRST, 12, FIRST + 1].map(AgentId);
        world.spawn_batch(loaded);
        let fresh: Vec<_> = (0..8).map(|_| world.spawn(AgentId::default()).id()).collect();
        let fresh: Vec<_> = fresh.into_iter().map(|entity| *world.get::<AgentId>(entity).unwrap()).collect();
        assert!(fresh.iter().all(|id| !loaded.contains(id)), "{fresh:?} are free");
    }

    #[test]
    fn after_the_greatest_id_ids_begin_again() {
        let mut world = world();
        world.spawn(AgentId(u64::MAX - 1));
        let next = world.spawn(AgentId::default()).id();
        assert_eq!(*world.get::<AgentId>(next).unwrap(), AgentId(FIRST), "ids begin again");
    }
}
