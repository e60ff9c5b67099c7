//! The crowd: position, velocity and radius of every agent, as arrays in the order of the agents' ids.
//!
//! The order does not depend on the order of spawning. The arrays are filled at the start of a tick; blending and all
//! systems that look at neighbours read them instead of the components.

mod gather;

use bevy::prelude::*;
use pathfind_core::steer::Body;

use super::invalid::InvalidAgent;
use crate::agent::{Agent, AgentId};
pub(super) use gather::gather;

/// All agents, by their [`AgentId`].
#[derive(Resource, Debug, Default)]
pub(crate) struct Crowd {
    entities: Vec<Entity>,
    ids: Vec<u64>,
    bodies: Vec<Body>,
    /// The invalid agents, in the order of their indices.
    invalid_agents: Vec<(CrowdIndex, Entity, InvalidAgent)>,
    /// How often the index has been rebuilt. A rebuild outdates all data stored by [`CrowdIndex`].
    rebuilds: u64,
}

/// The index of an agent into the arrays of the [`Crowd`]; `u32::MAX` until it has one. Variables call it a slot, as
/// the core does.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CrowdIndex(u32);

impl Default for CrowdIndex {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl CrowdIndex {
    #[cfg(test)]
    pub(crate) const fn at(index: u32) -> Self {
        Self(index)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Crowd {
    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn ids(&self) -> &[u64] {
        &self.ids
    }

    pub(crate) fn entity(&self, slot: CrowdIndex) -> Option<Entity> {
        self.entities.get(slot.index()).copied()
    }

    /// All agents, in the order of their ids. The position of an invalid one is NaN.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Entity, &Body)> {
        self.entities.iter().copied().zip(&self.bodies)
    }

    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The body of the agent at an index, if the agent is valid.
    pub(crate) fn body(&self, slot: CrowdIndex) -> Option<&Body> {
        // The position of an invalid agent is NaN.
        self.bodies.get(slot.index()).filter(|body| !body.position.x.is_nan())
    }

    pub(super) fn body_mut(&mut self, slot: CrowdIndex) -> Option<&mut Body> {
        self.bodies.get_mut(slot.index()).filter(|body| !body.position.x.is_nan())
    }

    pub(crate) fn invalid_agents(&self) -> &[(CrowdIndex, Entity, InvalidAgent)] {
        &self.invalid_agents
    }

    pub(crate) const fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// Whether an agent is the one at its index.
    fn is_indexed(&self, slot: CrowdIndex, entity: Entity, id: AgentId) -> bool {
        let index = slot.index();
        self.entities.get(index) == Some(&entity) && self.ids[index] == id.0
    }

    /// Sorts the agents by id, and resizes the array of bodies.
    fn rebuild_index(&mut self, mut agents: Vec<(AgentId, Entity)>) {
        // Agents with the same id are ordered by their entities.
        agents.sort_by_key(|&(id, entity)| (id, entity.index_u32()));
        self.entities.clear();
        self.ids.clear();
        for (id, entity) in agents {
            self.entities.push(entity);
            self.ids.push(id.0);
        }
        self.bodies.clear();
        self.bodies.resize(self.entities.len(), Body::default());
        self.rebuilds += 1;
    }
}

/// Rebuilds the index when an agent was added or removed, or its id has changed.
///
/// Every agent is compared with the entry at its index: Bevy reports neither that an entity was disabled nor that it
/// was enabled again, and one can be disabled in the tick in which another is enabled, so that the count stays the
/// same. If there are as many agents as entries, and each agent is the one at its index, the index is up to date.
pub(super) fn rebuild_index(
    mut crowd: ResMut<Crowd>,
    mut agents: Query<(Entity, &AgentId, &mut CrowdIndex), With<Agent>>,
) {
    if agents.iter().len() == crowd.len() && is_up_to_date(&crowd, agents.as_readonly()) {
        return;
    }
    crowd.rebuild_index(agents.iter().map(|(entity, &id, _)| (id, entity)).collect());
    for (index, &entity) in crowd.entities.iter().enumerate() {
        if let Ok((.., mut slot)) = agents.get_mut(entity) {
            slot.0 = u32::try_from(index).expect("an ECS holds fewer than 2³² entities");
        }
    }
}

/// Whether each agent is the one at its index.
fn is_up_to_date(crowd: &Crowd, agents: Query<(Entity, &AgentId, &CrowdIndex), With<Agent>>) -> bool {
    // Whole columns, where Bevy hands them out, are compared faster than row by row.
    let Ok(tables) = agents.contiguous_iter() else {
        return agents.iter().all(|(entity, &id, &slot)| crowd.is_indexed(slot, entity, id));
    };
    tables.into_iter().all(|(entities, ids, slots)| {
        let mut agents = entities.iter().zip(ids).zip(slots);
        agents.all(|((&entity, &id), &slot)| crowd.is_indexed(slot, entity, id))
    })
}
