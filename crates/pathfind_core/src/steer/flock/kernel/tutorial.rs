//! The sums of the tutorial's model; its formulas are in [`flock`](crate::steer::flock).

use super::neighborhood::Neighborhood;
use super::{Mate, ModelSums, NeighborSums, heading, vectors, velocity_of};
use crate::simd::{Row, SimdF32, Vectors};
use crate::steer::flock::FlockRules;
use crate::steer::flock::rules::Zone;

/// Headings with weights that grow with distance; see [`Tutorial`](crate::steer::flock::FlockModel::Tutorial).
pub(super) struct Tutorial<L, const AXES: usize> {
    avoidance: Zone,
    follow: Zone,
    push: [L; AXES],
    alignment: [L; AXES],
}

impl<L: SimdF32, const AXES: usize> ModelSums<'_, L, AXES> for Tutorial<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, _: [L; AXES], _: &mut Neighborhood<L>) -> Self {
        let none = [L::splat(0.0); AXES];
        Self { avoidance: rules.avoidance, follow: rules.follow, push: none, alignment: none }
    }

    #[inline(always)]
    fn take(&mut self, row: &Row<'_, 7>, mate: &Mate<L, AXES>) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let distance = mate.squared.sqrt();
        let mask = mate.mask.and(L::splat(self.follow.radius).is_more(distance));
        let push = one.div(distance).sub(L::splat(self.avoidance.inverse)).max(zero).and(mask);
        let weight = distance.mul(L::splat(self.follow.inverse)).and(mask);
        let heading = heading(velocity_of::<L, AXES>(row));
        for (axis, heading) in heading.into_iter().enumerate() {
            self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            self.alignment[axis] = self.alignment[axis].add(heading.mul(weight));
        }
    }

    #[inline(always)]
    fn sums(self) -> NeighborSums<L> {
        let zero = L::splat(0.0);
        let (push, alignment) = (vectors(self.push), vectors(self.alignment));
        NeighborSums { push, alignment, weight: zero, pull: Vectors::zero() }
    }
}
