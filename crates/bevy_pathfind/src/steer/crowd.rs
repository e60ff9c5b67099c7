//! Every agent as arrays, in an order that no spawning can change: the truth while a tick lasts.

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
    /// Whose numbers are not all numbers, by their slots.
    invalid_agents: Vec<(CrowdIndex, Entity, InvalidAgent)>,
    /// How often the order has been made anew: what is kept by slot is worthless after it.
    rebuilds: u64,
}

/// Where an agent stands in the arrays of the [`Crowd`].
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

    /// The index into the arrays.
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

    /// The entity of a slot.
    pub(crate) fn entity(&self, slot: CrowdIndex) -> Option<Entity> {
        self.entities.get(slot.index()).copied()
    }

    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The agent of a slot, if it is well.
    pub(crate) fn body(&self, slot: CrowdIndex) -> Option<&Body> {
        // Who is unwell has a place without any number.
        self.bodies.get(slot.index()).filter(|body| !body.position.x.is_nan())
    }

    pub(crate) fn invalid_agents(&self) -> &[(CrowdIndex, Entity, InvalidAgent)] {
        &self.invalid_agents
    }

    pub(crate) const fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// Whether an agent stands at its slot.
    fn has(&self, slot: CrowdIndex, entity: Entity, id: AgentId) -> bool {
        let index = slot.index();
        self.entities.get(index) == Some(&entity) && self.ids[index] == id.0
    }

    /// Puts agents into their order.
    fn rebuild_index(&mut self, mut agents: Vec<(AgentId, Entity)>) {
        // Two of one number are told apart by their entities.
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

/// Makes the order anew when an agent came, went, or has another number.
///
/// Every agent is compared with its slot: Bevy reports neither that an entity was disabled nor that it was enabled
/// again, and one can be disabled in the tick in which another is enabled, so that their number stays. As many agents
/// as slots, each at its own slot, are all agents.
pub(super) fn rebuild_index(
    mut crowd: ResMut<Crowd>,
    mut agents: Query<(Entity, &AgentId, &mut CrowdIndex), With<Agent>>,
) {
    let is_same = agents.iter().len() == crowd.len()
        && agents.iter().all(|(entity, &id, &slot)| crowd.has(slot, entity, id));
    if is_same {
        return;
    }
    crowd.rebuild_index(agents.iter().map(|(entity, &id, _)| (id, entity)).collect());
    for (index, &entity) in crowd.entities.iter().enumerate() {
        if let Ok((.., mut slot)) = agents.get_mut(entity) {
            slot.0 = u32::try_from(index).expect("an ECS holds fewer than 2³² entities");
        }
    }
}
