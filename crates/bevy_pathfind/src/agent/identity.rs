//! Who is who, in every run alike.

use bevy::ecs::entity::{ComponentCloneCtx, SourceComponent};
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The number by which an agent is known wherever an order or a chance is needed: neighbours are summed in
/// this order, and chance is drawn from it.
///
/// Agents get theirs as they are spawned, one after another, from 2³² on. An entity cloned from an agent gets a number
/// of its own. After a save was loaded, new agents get numbers above those that were loaded. Give agents your own
/// (distinct, below 2³²) where a run has to come out the same whatever the order of spawning, as in lockstep games. The
/// component is immutable, so that no number passes unnoticed: insert another to change it.
#[derive(
    Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[component(immutable, on_insert = number, clone_behavior = Custom(unset))]
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

/// The least number that is given out by itself.
const FIRST: u64 = 1 << 32;

/// Gives agents their numbers.
#[derive(Resource, Debug)]
pub(crate) struct AgentIds {
    /// The next number: above each that was given out, loaded or set, unless the greatest one was set.
    next: u64,
}

impl Default for AgentIds {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl AgentIds {
    /// The next number.
    const fn take(&mut self) -> AgentId {
        let id = AgentId(self.next);
        self.pass(id);
        id
    }

    /// Notes that a number is taken. There are too many to run out; once the greatest one was set they begin again.
    const fn pass(&mut self, AgentId(taken): AgentId) {
        if taken >= self.next {
            self.next = if taken + 1 < AgentId::UNSET.0 { taken + 1 } else { FIRST };
        }
    }
}

/// Gives a number to an agent that has none, and passes over those that agents bring along.
fn number(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(&id) = world.get::<AgentId>(entity) else { return };
    let Some(mut ids) = world.get_resource_mut::<AgentIds>() else { return };
    if id != AgentId::UNSET {
        ids.pass(id);
        return;
    }
    let id = ids.take();
    world.commands().queue(move |world: &mut World| {
        if world.get::<AgentId>(entity) == Some(&AgentId::UNSET) {
            world.entity_mut(entity).insert(id);
        }
    });
}

/// A clone of an agent is another agent.
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
    fn agents_are_numbered_as_they_come_and_own_numbers_stand() {
        let mut world = world();
        let first = world.spawn(AgentId::default()).id();
        let own = world.spawn(AgentId(7)).id();
        let second = world.spawn(AgentId::default()).id();
        let id = |entity| *world.get::<AgentId>(entity).unwrap();
        assert!(id(first) < id(second), "the first comes first");
        assert_eq!(id(own), AgentId(7), "an own number stands");
        assert!(id(own) < id(first), "and none is given out below 2³²");
    }

    #[test]
    fn a_clone_has_a_number_of_its_own() {
        let mut world = world();
        for id in [AgentId::default(), AgentId(7)] {
            let original = world.spawn(id).id();
            let number = *world.get::<AgentId>(original).unwrap();
            let clone = world.entity_mut(original).clone_and_spawn();
            assert_ne!(*world.get::<AgentId>(clone).unwrap(), number, "the clone is another agent");
            assert_ne!(*world.get::<AgentId>(clone).unwrap(), AgentId::UNSET, "with a number");
            assert_eq!(*world.get::<AgentId>(original).unwrap(), number, "the original is who it was");
        }
    }

    #[test]
    fn numbers_that_were_loaded_are_not_given_out_again() {
        let mut world = world();
        let loaded = [FIRST + 3, FIRST, 12, FIRST + 1].map(AgentId);
        world.spawn_batch(loaded);
        let fresh: Vec<_> = (0..8).map(|_| world.spawn(AgentId::default()).id()).collect();
        let fresh: Vec<_> = fresh.into_iter().map(|entity| *world.get::<AgentId>(entity).unwrap()).collect();
        assert!(fresh.iter().all(|id| !loaded.contains(id)), "{fresh:?} are free");
    }

    #[test]
    fn no_number_makes_the_next_one_impossible() {
        let mut world = world();
        world.spawn(AgentId(u64::MAX - 1));
        let next = world.spawn(AgentId::default()).id();
        assert_eq!(*world.get::<AgentId>(next).unwrap(), AgentId(FIRST), "they begin again");
    }
}
