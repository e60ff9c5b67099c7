//! Candidates that may be close to somebody, put aside.

use crate::simd::SimdF32;
use crate::steer::flock::list::CAPACITY;

/// Candidates put aside, with how far each lane's member is from them.
pub(super) struct Neighborhood<L> {
    slots: [u32; PLACES],
    distances: [L; PLACES],
}

/// A power of two, so that no place has to be compared with it.
const PLACES: usize = CAPACITY.next_power_of_two();

impl<L: SimdF32> Neighborhood<L> {
    pub(super) fn new() -> Self {
        Self { slots: [0; PLACES], distances: [L::splat(0.0); PLACES] }
    }

    /// Puts one at a place below [`CAPACITY`]. Whoever keeps count may put the next at the same place: that is how
    /// one that is close to nobody is left out without waiting to know it.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize, slot: usize, distance: L) {
        self.slots[place % PLACES] = slot as u32;
        self.distances[place % PLACES] = distance;
    }

    /// The first so many.
    #[inline(always)]
    pub(super) fn first(&self, count: usize) -> impl Iterator<Item = (usize, L)> {
        self.slots[..count]
            .iter()
            .zip(&self.distances[..count])
            .map(|(&slot, &distance)| (slot as usize, distance))
    }
}
