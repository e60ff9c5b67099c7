//! What the mates around one member come to, eight of them at a time.

use std::ops::Range;

use glam::Vec3;

use super::rules::Zone;
use super::{FlockLaw, FlockRules};
use crate::neighbors::{Columns, Neighbors};
use crate::simd::{LANES, Lanes, Table, first};

/// Sums over the mates of one member, in the grid's axes.
#[derive(Copy, Clone, Default)]
pub(super) struct Sums {
    /// Away from those too near.
    pub(super) push: Vec3,
    /// Their ways.
    pub(super) way: Vec3,
    /// How much of a mate each way was.
    pub(super) way_weight: f32,
    /// Towards them.
    pub(super) pull: Vec3,
    /// How many lie on the very spot, the member itself included.
    pub(super) stacked: f32,
}

/// Where mates are looked up.
pub(super) struct Place<'a> {
    pub(super) neighbors: &'a Neighbors,
    pub(super) table: &'a Table<'a, 7>,
    /// Room for ranges, reused from member to member.
    pub(super) ranges: &'a mut Vec<Range<u32>>,
}

impl Place<'_> {
    fn ranges(&mut self, center: Vec3, radius: f32) -> &[Range<u32>] {
        self.ranges.clear();
        let ranges = &mut *self.ranges;
        self.neighbors
            .for_each_range(center, radius, |range| ranges.push(range.start as u32..range.end as u32));
        ranges
    }
}

/// The mates of the body at a slot: those of its group.
#[inline(always)]
pub(super) fn sums<L: Lanes>(place: Place<'_>, slot: usize, rules: &FlockRules) -> Sums {
    let sees_all = rules.follow.sees_all_round();
    match (rules.law, place.neighbors.is_flat()) {
        (FlockLaw::Robust, false) if sees_all => over::<L, Robust<L, 3, false>, 3>(place, slot, rules),
        (FlockLaw::Robust, true) if sees_all => over::<L, Robust<L, 2, false>, 2>(place, slot, rules),
        (FlockLaw::Robust, _) => over::<L, Robust<L, 3, true>, 3>(place, slot, rules),
        (FlockLaw::Tutorial, _) => over::<L, Tutorial<L, 3>, 3>(place, slot, rules),
        (FlockLaw::Reynolds, _) => over::<L, Reynolds<L, 3>, 3>(place, slot, rules),
    }
}

/// One law's sums over mates.
trait Law<L: Lanes, const AXES: usize> {
    /// For a member with this velocity.
    fn new(rules: &FlockRules, velocity: Vec3) -> Self;
    /// Takes in eight mates.
    fn take(&mut self, mates: &Mates<L, AXES>);
    /// What they came to.
    fn sums(&self) -> Sums;
}

/// Eight bodies around a member.
struct Mates<L, const AXES: usize> {
    /// Which of them are mates, apart from the member.
    mask: L,
    /// The way to them.
    offset: [L; AXES],
    squared: L,
    distance: L,
    /// One over the distance.
    inverse: L,
    velocity: [L; AXES],
}

#[inline(always)]
fn over<L: Lanes, Rule: Law<L, AXES>, const AXES: usize>(
    mut place: Place<'_>,
    slot: usize,
    rules: &FlockRules,
) -> Sums {
    let columns = place.neighbors.columns();
    let center = columns.position(slot);
    let at = splat::<L, AXES>(center);
    let group = L::splat(columns.group[slot]);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut law = Rule::new(rules, columns.velocity(slot));
    let mut stacked = zero;
    let table = place.table;
    for range in place.ranges(center, rules.reach()) {
        let mut from = range.start as usize;
        let end = range.end as usize;
        while from < end {
            let window = table.window(from);
            let same = window.lanes::<L>(0).is_same(group).and(first(end - from));
            let mut offset = [zero; AXES];
            let mut velocity = [zero; AXES];
            for axis in 0..AXES {
                offset[axis] = window.lanes::<L>(Columns::POSITION + axis).sub(at[axis]);
                velocity[axis] = window.lanes(Columns::VELOCITY + axis);
            }
            let squared = dot(offset, offset);
            let is_apart = squared.is_more(zero);
            stacked = stacked.add(one.and(same.and_not(is_apart)));
            let distance = squared.sqrt();
            let inverse = one.div(distance);
            law.take(&Mates { mask: same.and(is_apart), offset, squared, distance, inverse, velocity });
            from += LANES;
        }
    }
    let mut sums = law.sums();
    sums.stacked = stacked.sum();
    sums
}

/// Weights that fall with distance; see [`FlockLaw::Robust`].
struct Robust<L, const AXES: usize, const VIEW: bool> {
    avoidance: L,
    follow: L,
    heading: [L; AXES],
    cosine: L,
    velocity: [L; AXES],
    push: [L; AXES],
    way: [L; AXES],
    pull: [L; AXES],
    weight: L,
}

impl<L: Lanes, const AXES: usize, const VIEW: bool> Law<L, AXES> for Robust<L, AXES, VIEW> {
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: Vec3) -> Self {
        let none = splat(Vec3::ZERO);
        Self {
            avoidance: L::splat(rules.avoidance.inverse),
            follow: L::splat(rules.follow.inverse),
            heading: if VIEW { splat(velocity.normalize_or_zero()) } else { none },
            cosine: L::splat(rules.follow.cosine),
            velocity: splat(velocity),
            push: none,
            way: none,
            pull: none,
            weight: L::splat(0.0),
        }
    }

    #[inline(always)]
    fn take(&mut self, mates: &Mates<L, AXES>) {
        let zero = L::splat(0.0);
        // (1 - d / radius) / d, in one step.
        let push = mates.inverse.sub(self.avoidance).max(zero).and(mates.mask);
        let mut mask = mates.mask;
        if VIEW {
            mask = mask.and_not(self.cosine.mul(mates.distance).is_more(dot(self.heading, mates.offset)));
        }
        let weight = L::splat(1.0).sub(mates.distance.mul(self.follow)).max(zero).and(mask);
        self.weight = self.weight.add(weight);
        for axis in 0..AXES {
            self.push[axis] = self.push[axis].sub(mates.offset[axis].mul(push));
            self.pull[axis] = self.pull[axis].add(mates.offset[axis].mul(weight));
            let way = mates.velocity[axis].sub(self.velocity[axis]);
            self.way[axis] = self.way[axis].add(way.mul(weight));
        }
    }

    #[inline(always)]
    fn sums(&self) -> Sums {
        Sums {
            push: gather(self.push),
            way: gather(self.way),
            way_weight: self.weight.sum(),
            pull: gather(self.pull),
            stacked: 0.0,
        }
    }
}

/// Headings that count more with distance; see [`FlockLaw::Tutorial`].
struct Tutorial<L, const AXES: usize> {
    avoidance: L,
    follow: L,
    radius: L,
    push: [L; AXES],
    way: [L; AXES],
}

impl<L: Lanes, const AXES: usize> Law<L, AXES> for Tutorial<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, _: Vec3) -> Self {
        let none = splat(Vec3::ZERO);
        Self {
            avoidance: L::splat(rules.avoidance.inverse),
            follow: L::splat(rules.follow.inverse),
            radius: L::splat(rules.follow.radius),
            push: none,
            way: none,
        }
    }

    #[inline(always)]
    fn take(&mut self, mates: &Mates<L, AXES>) {
        let mask = mates.mask.and(self.radius.is_more(mates.distance));
        let push = mates.inverse.sub(self.avoidance).max(L::splat(0.0)).and(mask);
        let weight = mates.distance.mul(self.follow).mul(inverse_length(mates.velocity)).and(mask);
        for axis in 0..AXES {
            self.push[axis] = self.push[axis].sub(mates.offset[axis].mul(push));
            self.way[axis] = self.way[axis].add(mates.velocity[axis].mul(weight));
        }
    }

    #[inline(always)]
    fn sums(&self) -> Sums {
        Sums { push: gather(self.push), way: gather(self.way), ..Sums::default() }
    }
}

/// Three zones, each with its view; see [`FlockLaw::Reynolds`].
struct Reynolds<L, const AXES: usize> {
    heading: [L; AXES],
    avoidance: Zone,
    follow: Zone,
    cohesion: Zone,
    push: [L; AXES],
    way: [L; AXES],
    pull: [L; AXES],
    weight: L,
}

/// Part of the avoidance radius within which OpenSteer's boids see all round: three of their radii.
const CLOSE: f32 = 0.3;

impl<L: Lanes, const AXES: usize> Reynolds<L, AXES> {
    #[inline(always)]
    fn counts(&self, zone: Zone, mates: &Mates<L, AXES>) -> L {
        let is_seen = dot(self.heading, mates.offset).is_more(L::splat(zone.cosine).mul(mates.distance));
        let is_close = L::splat(CLOSE * self.avoidance.radius).is_more(mates.distance);
        let is_near = L::splat(zone.radius).is_more(mates.distance);
        is_seen.or(is_close).and(is_near).and(mates.mask)
    }
}

impl<L: Lanes, const AXES: usize> Law<L, AXES> for Reynolds<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: Vec3) -> Self {
        let none = splat(Vec3::ZERO);
        Self {
            heading: splat(velocity.normalize_or_zero()),
            avoidance: rules.avoidance,
            follow: rules.follow,
            cohesion: rules.cohesion,
            push: none,
            way: none,
            pull: none,
            weight: L::splat(0.0),
        }
    }

    #[inline(always)]
    fn take(&mut self, mates: &Mates<L, AXES>) {
        let one = L::splat(1.0);
        let push = one.div(mates.squared).and(self.counts(self.avoidance, mates));
        let is_followed = self.counts(self.follow, mates);
        let way = inverse_length(mates.velocity).and(is_followed);
        let pull = one.and(self.counts(self.cohesion, mates));
        self.weight = self.weight.add(one.and(is_followed));
        for axis in 0..AXES {
            self.push[axis] = self.push[axis].sub(mates.offset[axis].mul(push));
            self.way[axis] = self.way[axis].add(mates.velocity[axis].mul(way));
            self.pull[axis] = self.pull[axis].add(mates.offset[axis].mul(pull));
        }
    }

    #[inline(always)]
    fn sums(&self) -> Sums {
        Sums {
            push: gather(self.push),
            way: gather(self.way),
            way_weight: self.weight.sum(),
            pull: gather(self.pull),
            stacked: 0.0,
        }
    }
}

#[inline(always)]
fn splat<L: Lanes, const AXES: usize>(vector: Vec3) -> [L; AXES] {
    // No closures where there are lanes: they are not always inlined.
    let mut lanes = [L::splat(0.0); AXES];
    for axis in 0..AXES {
        lanes[axis] = L::splat(vector[axis]);
    }
    lanes
}

#[inline(always)]
fn gather<L: Lanes, const AXES: usize>(lanes: [L; AXES]) -> Vec3 {
    let z = if AXES == 3 { lanes[AXES - 1].sum() } else { 0.0 };
    Vec3::new(lanes[0].sum(), lanes[1].sum(), z)
}

#[inline(always)]
fn dot<L: Lanes, const AXES: usize>(a: [L; AXES], b: [L; AXES]) -> L {
    let plane = a[0].mul(b[0]).add(a[1].mul(b[1]));
    if AXES == 3 { plane.add(a[AXES - 1].mul(b[AXES - 1])) } else { plane }
}

/// One over the length; large for a length of zero, but a number.
#[inline(always)]
fn inverse_length<L: Lanes, const AXES: usize>(lanes: [L; AXES]) -> L {
    L::splat(1.0).div(dot(lanes, lanes).max(L::splat(f32::MIN_POSITIVE)).sqrt())
}
