//! The sums of the Reynolds model; its formulas are in [`flock`](crate::steer::flock).

use super::neighborhood::Neighborhood;
use super::{Mate, ModelSums, NeighborSums, dot, heading, vectors, velocity_of};
use crate::simd::{Row, SimdF32};
use crate::steer::flock::FlockRules;
use crate::steer::flock::rules::Zone;

/// Three zones, each with a radius and an angle; see [`Reynolds`](crate::steer::flock::FlockModel::Reynolds).
pub(super) struct Reynolds<L, const AXES: usize> {
    heading: [L; AXES],
    avoidance: Zone,
    follow: Zone,
    cohesion: Zone,
    push: [L; AXES],
    alignment: [L; AXES],
    pull: [L; AXES],
    weight: L,
}

/// Mates nearer than this part of the separation radius count at any angle, as in OpenSteer's boids within three
/// of their radii.
const CLOSE: f32 = 0.3;

impl<L: SimdF32, const AXES: usize> Reynolds<L, AXES> {
    #[inline(always)]
    fn counts(&self, zone: Zone, distance: L, mate: &Mate<L, AXES>) -> L {
        let is_seen = dot(self.heading, mate.offset).is_more(L::splat(zone.cosine).mul(distance));
        let is_close = L::splat(CLOSE * self.avoidance.radius).is_more(distance);
        is_seen.or(is_close).and(L::splat(zone.radius).is_more(distance)).and(mate.mask)
    }
}

impl<L: SimdF32, const AXES: usize> ModelSums<'_, L, AXES> for Reynolds<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: [L; AXES], _: &mut Neighborhood<L>) -> Self {
        let zero = L::splat(0.0);
        Self {
            heading: heading(velocity),
            avoidance: rules.avoidance,
            follow: rules.follow,
            cohesion: rules.cohesion,
            push: [zero; AXES],
            alignment: [zero; AXES],
            pull: [zero; AXES],
            weight: zero,
        }
    }

    #[inline(always)]
    fn take(&mut self, row: &Row<'_, 7>, mate: &Mate<L, AXES>) {
        let one = L::splat(1.0);
        let distance = mate.squared.sqrt();
        let push = one.div(mate.squared).and(self.counts(self.avoidance, distance, mate));
        let alignment = one.and(self.counts(self.follow, distance, mate));
        let pull = one.and(self.counts(self.cohesion, distance, mate));
        let heading = heading(velocity_of::<L, AXES>(row));
        self.weight = self.weight.add(alignment);
        for (axis, heading) in heading.into_iter().enumerate() {
            self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            self.alignment[axis] = self.alignment[axis].add(heading.mul(alignment));
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(pull));
        }
    }

    #[inline(always)]
    fn sums(self) -> NeighborSums<L> {
        NeighborSums {
            push: vectors(self.push),
            alignment: vectors(self.alignment),
            weight: self.weight,
            pull: vectors(self.pull),
        }
    }
}
