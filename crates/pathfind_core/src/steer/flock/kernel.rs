//! What their mates come to for eight members at a time.
//!
//! Each lane is a member. All of a block see one list of candidates, those near any of them, and a
//! candidate that is no mate of a member adds zeros to its sums: so a sum is made of the same terms in the
//! same order, whoever shares the block.

use std::ops::Range;

use glam::Vec3;

use super::rules::Zone;
use super::{FlockLaw, FlockRules};
use crate::neighbors::{Columns, Neighbors};
use crate::simd::{LANES, Lanes, Table, Vectors};

/// Members at consecutive slots that lie close together, at most as many as there are lanes.
#[derive(Copy, Clone)]
pub(super) struct Block<'a> {
    pub(super) neighbors: &'a Neighbors,
    pub(super) table: &'a Table<'a, 7>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Sums over the mates of each member, in the grid's axes.
pub(super) struct Sums<L> {
    /// Away from those too near.
    pub(super) push: Vectors<L>,
    /// Their ways.
    pub(super) way: Vectors<L>,
    /// How much of a mate each way was.
    pub(super) weight: L,
    /// Towards them.
    pub(super) pull: Vectors<L>,
    /// How many lie on the very spot, the member itself included.
    pub(super) stacked: L,
}

impl<'a> Block<'a> {
    /// As many slots from `start` on as have their bodies near the first's. Far ones would make the list of
    /// candidates longer for all.
    pub(super) fn new(neighbors: &'a Neighbors, table: &'a Table<'a, 7>, start: usize, end: usize) -> Self {
        let columns = neighbors.columns();
        let side = neighbors.reach();
        let first = columns.position(start);
        let most = Vec3::new(4.0 * side, side, side);
        let end = end.min(start + LANES);
        let is_near = |&slot: &usize| (columns.position(slot) - first).abs().cmple(most).all();
        let count = (start + 1..end).take_while(is_near).count();
        Self { neighbors, table, start, end: start + 1 + count }
    }

    /// Finds the slots of all candidates.
    fn candidates(&self, radius: f32, ranges: &mut Vec<Range<u32>>) {
        let columns = self.neighbors.columns();
        let (mut low, mut high) = (columns.position(self.start), columns.position(self.start));
        for slot in self.start + 1..self.end {
            low = low.min(columns.position(slot));
            high = high.max(columns.position(slot));
        }
        ranges.clear();
        self.neighbors.for_each_range_near_box(low, high, radius, |range| {
            ranges.push(range.start as u32..range.end as u32);
        });
    }

    /// What the mates come to; `ranges` is room to work in.
    #[inline(always)]
    pub(super) fn sums<L: Lanes>(&self, rules: &FlockRules, ranges: &mut Vec<Range<u32>>) -> Sums<L> {
        self.candidates(rules.reach(), ranges);
        let sees_all = rules.follow.sees_all_round();
        match (rules.law, self.neighbors.is_flat()) {
            (FlockLaw::Robust, true) if sees_all => self.over::<L, Robust<L, 2, false>, 2>(rules, ranges),
            (FlockLaw::Robust, false) if sees_all => self.over::<L, Robust<L, 3, false>, 3>(rules, ranges),
            (FlockLaw::Robust, _) => self.over::<L, Robust<L, 3, true>, 3>(rules, ranges),
            (FlockLaw::Tutorial, _) => self.over::<L, Tutorial<L, 3>, 3>(rules, ranges),
            (FlockLaw::Reynolds, _) => self.over::<L, Reynolds<L, 3>, 3>(rules, ranges),
        }
    }

    #[inline(always)]
    fn over<L: Lanes, Rule: Law<L, AXES>, const AXES: usize>(
        &self,
        rules: &FlockRules,
        ranges: &[Range<u32>],
    ) -> Sums<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let own = self.table.window(self.start);
        let group = own.lanes::<L>(0);
        // No closures where there are lanes: they are not always inlined.
        let (mut at, mut velocity) = ([zero; AXES], [zero; AXES]);
        for axis in 0..AXES {
            at[axis] = own.lanes(Columns::POSITION + axis);
            velocity[axis] = own.lanes(Columns::VELOCITY + axis);
        }
        let mut law = Rule::new(rules, velocity);
        let mut stacked = zero;
        for range in ranges {
            for row in self.table.rows(range.start as usize..range.end as usize) {
                let (mut offset, mut velocity) = ([zero; AXES], [zero; AXES]);
                for axis in 0..AXES {
                    offset[axis] = row.splat::<L>(Columns::POSITION + axis).sub(at[axis]);
                    velocity[axis] = row.splat(Columns::VELOCITY + axis);
                }
                let same = row.splat::<L>(0).is_same(group);
                let squared = dot(offset, offset);
                let is_apart = squared.is_more(zero);
                stacked = stacked.add(one.and(same.and_not(is_apart)));
                law.take(&Mate { mask: same.and(is_apart), offset, squared, velocity });
            }
        }
        let mut sums = law.sums();
        sums.stacked = stacked;
        sums
    }
}

/// One law's sums over mates.
trait Law<L: Lanes, const AXES: usize> {
    /// For members with these velocities.
    fn new(rules: &FlockRules, velocity: [L; AXES]) -> Self;
    /// Takes in a mate.
    fn take(&mut self, mate: &Mate<L, AXES>);
    /// What all came to.
    fn sums(self) -> Sums<L>;
}

/// One candidate, as each member sees it.
struct Mate<L, const AXES: usize> {
    /// Whether it is a mate, and on another spot.
    mask: L,
    /// The way to it.
    offset: [L; AXES],
    squared: L,
    velocity: [L; AXES],
}

/// Weights that fall with distance; see [`FlockLaw::Robust`].
struct Robust<L, const AXES: usize, const VIEW: bool> {
    avoidance: Zone,
    follow: Zone,
    heading: [L; AXES],
    velocity: [L; AXES],
    push: [L; AXES],
    way: [L; AXES],
    pull: [L; AXES],
    weight: L,
}

impl<L: Lanes, const AXES: usize, const VIEW: bool> Law<L, AXES> for Robust<L, AXES, VIEW> {
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: [L; AXES]) -> Self {
        let zero = L::splat(0.0);
        Self {
            avoidance: rules.avoidance,
            follow: rules.follow,
            heading: if VIEW { heading(velocity) } else { [zero; AXES] },
            velocity,
            push: [zero; AXES],
            way: [zero; AXES],
            pull: [zero; AXES],
            weight: zero,
        }
    }

    #[inline(always)]
    fn take(&mut self, mate: &Mate<L, AXES>) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let distance = mate.squared.sqrt();
        let is_close = L::splat(self.avoidance.squared).is_more(mate.squared).and(mate.mask);
        // A division less for most candidates.
        if is_close.is_any() {
            // (1 - d / radius) / d, in one step.
            let push = one.div(distance).sub(L::splat(self.avoidance.inverse)).max(zero).and(is_close);
            for axis in 0..AXES {
                self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            }
        }
        let mut mask = mate.mask;
        if VIEW {
            let edge = L::splat(self.follow.cosine).mul(distance);
            mask = mask.and_not(edge.is_more(dot(self.heading, mate.offset)));
        }
        let weight = one.sub(distance.mul(L::splat(self.follow.inverse))).max(zero).and(mask);
        self.weight = self.weight.add(weight);
        for axis in 0..AXES {
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(weight));
            let way = mate.velocity[axis].sub(self.velocity[axis]);
            self.way[axis] = self.way[axis].add(way.mul(weight));
        }
    }

    #[inline(always)]
    fn sums(self) -> Sums<L> {
        Sums {
            push: vectors(self.push),
            way: vectors(self.way),
            weight: self.weight,
            pull: vectors(self.pull),
            stacked: L::splat(0.0),
        }
    }
}

/// Headings that count more with distance; see [`FlockLaw::Tutorial`].
struct Tutorial<L, const AXES: usize> {
    avoidance: Zone,
    follow: Zone,
    push: [L; AXES],
    way: [L; AXES],
}

impl<L: Lanes, const AXES: usize> Law<L, AXES> for Tutorial<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, _: [L; AXES]) -> Self {
        let none = [L::splat(0.0); AXES];
        Self { avoidance: rules.avoidance, follow: rules.follow, push: none, way: none }
    }

    #[inline(always)]
    fn take(&mut self, mate: &Mate<L, AXES>) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let distance = mate.squared.sqrt();
        let mask = mate.mask.and(L::splat(self.follow.radius).is_more(distance));
        let push = one.div(distance).sub(L::splat(self.avoidance.inverse)).max(zero).and(mask);
        let weight = distance.mul(L::splat(self.follow.inverse)).and(mask);
        let heading = heading(mate.velocity);
        for (axis, heading) in heading.into_iter().enumerate() {
            self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            self.way[axis] = self.way[axis].add(heading.mul(weight));
        }
    }

    #[inline(always)]
    fn sums(self) -> Sums<L> {
        let zero = L::splat(0.0);
        let (push, way) = (vectors(self.push), vectors(self.way));
        Sums { push, way, weight: zero, pull: Vectors::zero(), stacked: zero }
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
    fn counts(&self, zone: Zone, distance: L, mate: &Mate<L, AXES>) -> L {
        let is_seen = dot(self.heading, mate.offset).is_more(L::splat(zone.cosine).mul(distance));
        let is_close = L::splat(CLOSE * self.avoidance.radius).is_more(distance);
        is_seen.or(is_close).and(L::splat(zone.radius).is_more(distance)).and(mate.mask)
    }
}

impl<L: Lanes, const AXES: usize> Law<L, AXES> for Reynolds<L, AXES> {
    #[inline(always)]
    fn new(rules: &FlockRules, velocity: [L; AXES]) -> Self {
        let zero = L::splat(0.0);
        Self {
            heading: heading(velocity),
            avoidance: rules.avoidance,
            follow: rules.follow,
            cohesion: rules.cohesion,
            push: [zero; AXES],
            way: [zero; AXES],
            pull: [zero; AXES],
            weight: zero,
        }
    }

    #[inline(always)]
    fn take(&mut self, mate: &Mate<L, AXES>) {
        let one = L::splat(1.0);
        let distance = mate.squared.sqrt();
        let push = one.div(mate.squared).and(self.counts(self.avoidance, distance, mate));
        let way = one.and(self.counts(self.follow, distance, mate));
        let pull = one.and(self.counts(self.cohesion, distance, mate));
        let heading = heading(mate.velocity);
        self.weight = self.weight.add(way);
        for (axis, heading) in heading.into_iter().enumerate() {
            self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            self.way[axis] = self.way[axis].add(heading.mul(way));
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(pull));
        }
    }

    #[inline(always)]
    fn sums(self) -> Sums<L> {
        Sums {
            push: vectors(self.push),
            way: vectors(self.way),
            weight: self.weight,
            pull: vectors(self.pull),
            stacked: L::splat(0.0),
        }
    }
}

#[inline(always)]
fn vectors<L: Lanes, const AXES: usize>(lanes: [L; AXES]) -> Vectors<L> {
    Vectors([lanes[0], lanes[1], if AXES == 3 { lanes[AXES - 1] } else { L::splat(0.0) }])
}

#[inline(always)]
fn dot<L: Lanes, const AXES: usize>(a: [L; AXES], b: [L; AXES]) -> L {
    let plane = a[0].mul(b[0]).add(a[1].mul(b[1]));
    if AXES == 3 { plane.add(a[AXES - 1].mul(b[AXES - 1])) } else { plane }
}

/// Of length 1, or 0 where there is no direction.
#[inline(always)]
fn heading<L: Lanes, const AXES: usize>(mut velocity: [L; AXES]) -> [L; AXES] {
    let inverse = L::splat(1.0).div(dot(velocity, velocity).max(L::splat(f32::MIN_POSITIVE)).sqrt());
    for part in &mut velocity {
        *part = part.mul(inverse);
    }
    velocity
}
