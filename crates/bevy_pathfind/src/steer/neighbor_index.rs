//! The spatial index of all agents, built once a tick for flocks, separation and reciprocal avoidance.

use bevy::prelude::*;
use pathfind_core::neighbors::Neighbors;

use super::avoider::Avoider;
use super::flock::FlockState;
use super::{Crowd, Separation, SteerSettings, SteerTick};
use crate::agent::Agent;
use crate::settings::NavSettings;

/// The agents of the [`Crowd`], sorted by position.
#[derive(Resource, Default)]
pub(crate) struct NeighborIndex {
    neighbors: Neighbors,
    /// How many agents there are; 0 if no agent needs neighbours.
    slots: usize,
}

impl NeighborIndex {
    pub(crate) const fn neighbors(&self) -> &Neighbors {
        &self.neighbors
    }

    /// The normal of the plane in which all agents are and move; `None` if there is no such plane, or no agent needs
    /// neighbours.
    pub(crate) fn normal(&self) -> Option<Vec3> {
        if self.slots == 0 { None } else { self.neighbors.flat_axis() }
    }

    /// How many agents there are, invalid ones included; 0 if no agent needs neighbours.
    pub(crate) const fn slots(&self) -> usize {
        self.slots
    }
}

/// Sorts the agents by position, if any agent needs neighbours.
pub(super) fn build_index(
    mut neighbor_index: ResMut<NeighborIndex>,
    mut flock_state: ResMut<FlockState>,
    crowd: Res<Crowd>,
    separations: Query<(&Separation, &Agent)>,
    avoiders: Query<(&Avoider, &Agent)>,
    (settings, nav, tick): (Res<SteerSettings>, Res<NavSettings>, Res<SteerTick>),
) {
    let seen = avoiders.iter().filter(|(avoider, _)| avoider.is_reciprocal());
    let reach = separations
        .iter()
        .map(|(separation, agent)| separation.reach(agent))
        .chain(seen.map(|(avoider, agent)| avoider.reach(agent)))
        .fold(flock_state.reach(), f32::max);
    let NeighborIndex { neighbors, slots } = &mut *neighbor_index;
    *slots = if reach > 0.0 { crowd.len() } else { 0 };
    flock_state.prepare(&crowd, (&settings, &nav), *tick, |groups| {
        if reach > 0.0 {
            neighbors.build(reach, crowd.bodies(), groups);
        } else if !neighbors.is_empty() {
            // No agent needs neighbours any more: empty the index.
            neighbors.build(1.0, &[], &[]);
        }
    });
}
