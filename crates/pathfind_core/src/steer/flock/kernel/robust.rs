//! The sums of the robust model; its formulas are in [`flock`](crate::steer::flock).

use super::neighborhood::Neighborhood;
use super::{Mate, ModelSums, NeighborSums, dot, heading, offset_of, vectors};
use crate::neighbors::Columns;
use crate::simd::{Row, SimdF32, Table};
use crate::steer::flock::FlockRules;
use crate::steer::flock::rules::Zone;

/// Sums with weights that fall linearly with distance; see [`Robust`](crate::steer::flock::FlockModel::Robust).
pub(super) struct Robust<'a, L, const AXES: usize, const VIEW: bool> {
    avoidance: Zone,
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
    near: &'a mut Neighborhood<L>,
    /// How many candidates are set aside in `near`.
    waiting: usize,
}

impl<'a, L: SimdF32, const AXES: usize, const VIEW: bool> ModelSums<'a, L, AXES>
    for Robust<'a, L, AXES, VIEW>
{
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: [L; AXES], near: &'a mut Neighborhood<L>) -> Self {
        let zero = L::splat(0.0);
        Self {
            avoidance: rules.avoidance,
            radius: L::splat(rules.follow.radius),
            close: L::splat(rules.avoidance.squared),
            cosine: L::splat(rules.follow.cosine),
            heading: if VIEW { heading(velocity) } else { [zero; AXES] },
            velocity,
            push: [zero; AXES],
            alignment: [zero; AXES],
            pull: [zero; AXES],
            weight: zero,
            near,
            waiting: 0,
        }
    }

    #[inline(always)]
    fn take(&mut self, row: &Row<'_, 7>, mate: &Mate<L, AXES>) {
        let distance = mate.squared.sqrt();
        let mut mask = mate.mask;
        if VIEW {
            let edge = self.cosine.mul(distance);
            mask = mask.and_not(edge.is_more(dot(self.heading, mate.offset)));
        }
        // `(1 - d / radius) · radius`: the factor cancels when the sums are divided by `weight`.
        let weight = self.radius.sub(distance).max(L::splat(0.0)).and(mask);
        self.weight = self.weight.add(weight);
        for axis in 0..AXES {
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(weight));
            self.alignment[axis] =
                self.alignment[axis].add(row.splat::<L>(Columns::VELOCITY + axis).mul(weight));
        }
        // Few candidates are within separation radius, unpredictably: set them aside without a branch, divide in
        // `settle`.
        let is_close = self.close.is_more(mate.squared).and(mate.mask);
        self.near.put(self.waiting, row.slot(), mate.mask.select(distance, L::splat(f32::INFINITY)));
        self.waiting += usize::from(is_close.is_any());
    }

    #[inline(always)]
    fn settle(&mut self, at: &[L; AXES], table: &Table<'_, 7>) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let inverse = L::splat(self.avoidance.inverse);
        for (slot, distance) in self.near.first(self.waiting) {
            let offset = offset_of(&table.row(slot), at);
            // `(1 - d / radius) / d`.
            let push = one.div(distance).sub(inverse).max(zero);
            for (sum, offset) in self.push.iter_mut().zip(&offset) {
                *sum = sum.sub(offset.mul(push));
            }
        }
        self.waiting = 0;
    }

    #[inline(always)]
    fn sums(mut self) -> NeighborSums<L> {
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
