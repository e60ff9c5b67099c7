//! Results for many agents that depend on their neighbours, computed on several threads.
//!
//! A place is a position in the order of [`Neighbors`], which sorts the agents by where they are.

use core::ops::Range;

use bevy::prelude::*;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::FlockStep;

use super::CrowdIndex;
use crate::parallel::Threads;

/// A result for each agent: computed in the order of places, in which neighbours lie near each other in memory, and
/// read by crowd index.
#[derive(Debug, Default)]
pub(super) struct PerAgentOutput<T> {
    by_place: Vec<T>,
    by_slot: Vec<T>,
}

/// A type of results with a value that means "no result", so that results take no more memory than their values.
pub(super) trait SentinelResult: Copy + Send + Sync {
    /// No result.
    const NONE: Self;

    fn is_none(&self) -> bool;
}

impl SentinelResult for Vec3 {
    const NONE: Self = Self::NAN;

    fn is_none(&self) -> bool {
        self.is_nan()
    }
}

impl SentinelResult for FlockStep {
    const NONE: Self = Self { acceleration: Vec3::NAN, velocity: Vec3::NAN };

    fn is_none(&self) -> bool {
        self.acceleration.is_nan()
    }
}

impl<T: SentinelResult> PerAgentOutput<T> {
    pub(super) fn clear(&mut self) {
        self.by_slot.clear();
    }

    /// The result for an agent, if there is one.
    pub(super) fn get(&self, slot: CrowdIndex) -> Option<T> {
        self.by_slot.get(slot.index()).copied().filter(|item| !item.is_none())
    }

    /// Computes the results of `slots` agents: `work` writes all those of a range of places, over those of the last tick.
    /// Ranges are divided among the threads.
    pub(super) fn fill(
        &mut self,
        neighbors: &Neighbors,
        slots: usize,
        threads: Threads,
        work: impl Fn(Range<usize>, &mut [T]) + Sync,
    ) {
        let Self { by_place, by_slot } = self;
        // Every entry of both is overwritten, so none needs to be cleared.
        by_place.resize(neighbors.len(), T::NONE);
        threads.share(vec![(0..by_place.len(), by_place.as_mut_slice())], |(places, out)| work(places, out));
        by_slot.resize(slots, T::NONE);
        threads.share(vec![(0..by_slot.len(), by_slot.as_mut_slice())], |(slots, out)| {
            for (slot, out) in slots.zip(out) {
                *out = neighbors.slot(slot).map_or(T::NONE, |place| by_place[place]);
            }
        });
    }
}
