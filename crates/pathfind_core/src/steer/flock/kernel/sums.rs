//! The terms of the sums; [`flock`](crate::steer::flock) has the formulas.

use super::{Mate, NeighborSums, TEST_ALL, WEIGHTED};
use crate::neighbors::Columns;
use crate::simd::{SimdF32, Table, TableRow, Vectors, dot};
use crate::steer::flock::FlockRules;
use crate::steer::flock::list::CAPACITY;

/// Sums with weights that fall linearly with distance.
pub(super) struct SumAccumulator<'a, L, const AXES: usize, const TESTS: u8> {
    /// 1 / separation radius.
    inverse: f32,
    /// Kept in all lanes: a scalar beside the data being written would be loaded again each time.
    radius: L,
    close: L,
    cosine: L,
    heading: [L; AXES],
    velocity: [L; AXES],
    push: [L; AXES],
    alignment: [L; AXES],
    pull: [L; AXES],
    weight: L,
    /// The number of mates that each candidate stands for, with [`WEIGHTED`].
    represented: L,
    close_mates: &'a mut CloseMates<L>,
    /// How many candidates are set aside in `close_mates`.
    waiting: usize,
}

impl<'a, L: SimdF32, const AXES: usize, const TESTS: u8> SumAccumulator<'a, L, AXES, TESTS> {
    /// Starts the sums of members with these velocities.
    #[inline(always)]
    pub(super) fn new(rules: &FlockRules, velocity: [L; AXES], close_mates: &'a mut CloseMates<L>) -> Self {
        let zero = L::splat(0.0);
        Self {
            inverse: rules.separation.inverse,
            radius: L::splat(rules.alignment.radius),
            close: L::splat(rules.separation.squared),
            cosine: L::splat(rules.alignment.cosine),
            heading: if TESTS >= TEST_ALL { heading(velocity) } else { [zero; AXES] },
            velocity,
            push: [zero; AXES],
            alignment: [zero; AXES],
            pull: [zero; AXES],
            weight: zero,
            represented: zero,
            close_mates,
            waiting: 0,
        }
    }

    /// Sets the number of mates that each of the next candidates stands for.
    #[inline(always)]
    pub(super) fn weigh(&mut self, represented: f32) {
        if TESTS == WEIGHTED {
            self.represented = L::splat(represented);
        }
    }

    /// Adds a candidate.
    #[inline(always)]
    pub(super) fn take(&mut self, row: &TableRow<'_, 7>, mate: &Mate<L, AXES>) {
        let distance = mate.squared.sqrt();
        let mut mask = mate.mask;
        if TESTS >= TEST_ALL {
            let edge = self.cosine.mul(distance);
            mask = mask.and_not(edge.is_more(dot(self.heading, mate.offset)));
        }
        // `(1 - d / radius) · radius`: the factor cancels when the sums are divided by `weight`.
        let mut weight = self.radius.sub(distance).max(L::splat(0.0)).and(mask);
        if TESTS == WEIGHTED {
            weight = weight.mul(self.represented);
        }
        self.weight = self.weight.add(weight);
        for axis in 0..AXES {
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(weight));
            self.alignment[axis] =
                self.alignment[axis].add(row.splat::<L>(Columns::VELOCITY + axis).mul(weight));
        }
        // Few candidates are within separation radius, unpredictably: set them aside without a branch, divide in
        // `add_close_mates`.
        let is_close = self.close.is_more(mate.squared).and(mate.mask);
        self.close_mates.put(self.waiting, row.at, mate.mask.select(distance, L::splat(f32::INFINITY)));
        self.waiting += usize::from(is_close.is_any());
    }

    /// Adds the pushes away from the candidates set aside, for members at these positions.
    #[inline(always)]
    pub(super) fn add_close_mates(&mut self, at: &[L; AXES], table: &Table<'_, 7>) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let inverse = L::splat(self.inverse);
        for (slot, distance) in self.close_mates.first(self.waiting) {
            let offset = table.row(slot).offset_from(at);
            // `(1 - d / radius) / d`.
            let mut push = one.div(distance).sub(inverse).max(zero);
            if TESTS == WEIGHTED {
                push = push.mul(self.represented);
            }
            for (sum, offset) in self.push.iter_mut().zip(&offset) {
                *sum = sum.sub(offset.mul(push));
            }
        }
        self.waiting = 0;
    }

    /// The sums.
    #[inline(always)]
    pub(super) fn total(mut self) -> NeighborSums<L> {
        // Velocities of the mates relative to the member's own.
        for axis in 0..AXES {
            self.alignment[axis] = self.alignment[axis].sub(self.velocity[axis].mul(self.weight));
        }
        NeighborSums {
            push: vectors(self.push),
            alignment: vectors(self.alignment),
            weight: self.weight,
            pull: vectors(self.pull),
        }
    }
}

/// Candidates within the separation radius of some member, set aside, each with its distance to the member of each
/// lane.
pub(super) struct CloseMates<L> {
    slots: [u32; PLACES],
    distances: [L; PLACES],
}

/// A power of two, so that the remainder replaces a bounds check.
const PLACES: usize = CAPACITY.next_power_of_two();

impl<L: SimdF32> CloseMates<L> {
    pub(super) fn new() -> Self {
        Self { slots: [0; PLACES], distances: [L::splat(0.0); PLACES] }
    }

    /// Writes a candidate at a place below [`CAPACITY`]. A caller that does not advance its count overwrites it
    /// with the next candidate: so candidates out of range are dropped without a branch.
    #[inline(always)]
    fn put(&mut self, place: usize, slot: usize, distance: L) {
        self.slots[place % PLACES] = slot as u32;
        self.distances[place % PLACES] = distance;
    }

    /// The first `count` candidates: slot and distances.
    #[inline(always)]
    fn first(&self, count: usize) -> impl Iterator<Item = (usize, L)> {
        self.slots[..count]
            .iter()
            .zip(&self.distances[..count])
            .map(|(&slot, &distance)| (slot as usize, distance))
    }
}

#[inline(always)]
fn vectors<L: SimdF32, const AXES: usize>(lanes: [L; AXES]) -> Vectors<L> {
    Vectors([lanes[0], lanes[1], if AXES == 3 { lanes[AXES - 1] } else { L::splat(0.0) }])
}

/// Of length 1, or 0 where there is no direction.
#[inline(always)]
fn heading<L: SimdF32, const AXES: usize>(mut velocity: [L; AXES]) -> [L; AXES] {
    let inverse = L::splat(1.0).div(dot(velocity, velocity).max(L::splat(f32::MIN_POSITIVE)).sqrt());
    for part in &mut velocity {
        *part = part.mul(inverse);
    }
    velocity
}
