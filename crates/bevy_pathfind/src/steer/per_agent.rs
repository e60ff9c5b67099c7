//! Work for many who have neighbours, place by place.

use core::ops::Range;

use bevy::prelude::*;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::FlockStep;

use super::{CrowdIndex, NeighborIndex};
use crate::parallel::Threads;

/// What each agent is to do, found in the order of their places, in which neighbours lie near each other in
/// memory, and handed out by slot.
#[derive(Debug, Default)]
pub(super) struct PerAgentOutput<T> {
    by_place: Vec<T>,
    by_slot: Vec<T>,
}

/// What can be spread.
pub(super) trait Spreadable: Copy + Send + Sync {
    /// Stands where there is none.
    const NOTHING: Self;

    fn is_nothing(&self) -> bool;
}

impl Spreadable for Vec3 {
    const NOTHING: Self = Self::NAN;

    fn is_nothing(&self) -> bool {
        self.is_nan()
    }
}

impl Spreadable for FlockStep {
    const NOTHING: Self = Self { acceleration: Vec3::NAN, velocity: Vec3::NAN };

    fn is_nothing(&self) -> bool {
        self.acceleration.is_nan()
    }
}

impl<T: Spreadable> PerAgentOutput<T> {
    pub(super) fn clear(&mut self) {
        self.by_slot.clear();
    }

    /// What an agent is to do, if it is to do anything.
    pub(super) fn get(&self, slot: CrowdIndex) -> Option<T> {
        self.by_slot.get(slot.index()).copied().filter(|item| !item.is_nothing())
    }

    /// Has `work` find it for ranges of places, on as many threads as there are.
    pub(super) fn fill(
        &mut self,
        neighbor_index: &NeighborIndex,
        threads: Threads,
        work: impl Fn(Range<usize>, &mut [T]) + Sync,
    ) {
        self.fill_by(neighbor_index.neighbors(), neighbor_index.slots(), threads, work);
    }

    /// The same by the places of other neighbours, for so many agents.
    pub(super) fn fill_by(
        &mut self,
        neighbors: &Neighbors,
        slots: usize,
        threads: Threads,
        work: impl Fn(Range<usize>, &mut [T]) + Sync,
    ) {
        let Self { by_place, by_slot } = self;
        by_place.clear();
        by_place.resize(neighbors.len(), T::NOTHING);
        threads.share(vec![(0..by_place.len(), by_place.as_mut_slice())], |(places, out)| work(places, out));
        // Each is written anew.
        by_slot.resize(slots, T::NOTHING);
        threads.share(vec![(0..by_slot.len(), by_slot.as_mut_slice())], |(slots, out)| {
            for (slot, out) in slots.zip(out) {
                *out = neighbors.slot(slot).map_or(T::NOTHING, |place| by_place[place]);
            }
        });
    }
}
