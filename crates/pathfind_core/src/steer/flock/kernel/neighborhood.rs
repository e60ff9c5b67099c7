//! Candidates within separation radius of some member, set aside.

use crate::simd::SimdF32;
use crate::steer::flock::list::CAPACITY;

/// Candidates set aside, each with its distance to the member of each lane.
pub(super) struct Neighborhood<L> {
    slots: [u32; PLACES],
    distances: [L; PLACES],
}

/// A power of two, so that the remainder replaces a bounds check.
const PLACES: usize = CAPACITY.next_power_of_two();

impl<L: SimdF32> Neighborhood<L> {
    pub(super) fn new() -> Self {
        Self { slots: [0; PLACES], distances: [L::splat(0.0); PLACES] }
    }

    /// Writes a candidate at a place below [`CAPACITY`]. A caller that does not advance its count overwrites it
    /// with the next candidate: so candidates out of range are dropped without a branch.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize, slot: usize, distance: L) {
        self.slots[place % PLACES] = slot as u32;
        self.distances[place % PLACES] = distance;
    }

    /// The first `count` candidates: slot and distances.
    #[inline(always)]
    pub(super) fn first(&self, count: usize) -> impl Iterator<Item = (usize, L)> {
        self.slots[..count]
            .iter()
            .zip(&self.distances[..count])
            .map(|(&slot, &distance)| (slot as usize, distance))
    }
}
