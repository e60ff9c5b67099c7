//! What their mates come to for as many members at a time as there are lanes.
//!
//! Each lane is a member. All of a block see one list of candidates, those near any of them, and a
//! candidate that is no mate of a member adds zeros to its sums: so a sum is made of the same terms in the
//! same order, whoever shares the block.

use std::marker::PhantomData;

use glam::Vec3;

use super::rules::Zone;
use super::spans::Spans;
use super::{FlockLaw, FlockRules};
use crate::neighbors::{Columns, Neighbors};
use crate::simd::{Numbers, Part, Row, Table, Vectors};

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
}

impl<'a> Block<'a> {
    /// As many slots from `start` on as have their bodies near the first's, at most `most`. Far ones would
    /// make the list of candidates longer for all.
    #[inline]
    pub(super) fn new(
        neighbors: &'a Neighbors,
        table: &'a Table<'a, 7>,
        start: usize,
        end: usize,
        most: usize,
    ) -> Self {
        let columns = neighbors.columns();
        let side = neighbors.reach();
        let first = columns.position(start);
        let far = Vec3::new(4.0 * side, side, side);
        let end = end.min(start + most);
        let is_near = |&slot: &usize| (columns.position(slot) - first).abs().cmple(far).all();
        let count = (start + 1..end).take_while(is_near).count();
        Self { neighbors, table, start, end: start + 1 + count }
    }

    /// Finds the slots of all candidates.
    #[inline]
    fn candidates(&self, radius: f32, spans: &mut Spans) {
        let columns = self.neighbors.columns();
        let (mut low, mut high) = (columns.position(self.start), columns.position(self.start));
        for slot in self.start + 1..self.end {
            low = low.min(columns.position(slot));
            high = high.max(columns.position(slot));
        }
        spans.clear();
        self.neighbors.for_each_range_near_box(low, high, radius, |range| {
            // The block's own slots stand apart, in their place.
            let own = self.start.clamp(range.start, range.end)..self.end.clamp(range.start, range.end);
            if own.is_empty() {
                spans.push(range);
            } else {
                spans.push(range.start..own.start);
                spans.push(own.clone());
                spans.push(own.end..range.end);
            }
        });
    }

    /// What the mates come to, and whether each member has company on its very spot; `spans` is room to
    /// work in.
    #[inline(always)]
    pub(super) fn sums<L: Numbers>(&self, rules: &FlockRules, spans: &mut Spans) -> (Sums<L>, L) {
        self.candidates(rules.reach(), spans);
        let is_robust = rules.law == FlockLaw::Robust && rules.follow.sees_all_round();
        let is_flat = self.neighbors.is_flat();
        // The usual case is that all are mates and nobody has company.
        if is_robust && !self.neighbors.columns().has_groups() && rules.avoidance.squared > 0.0 {
            let (sums, is_odd) = if is_flat {
                Over::<L, Robust<L, 2, false>, 2, true>::sums(self, rules, spans)
            } else {
                Over::<L, Robust<L, 3, false>, 3, true>::sums(self, rules, spans)
            };
            if !is_odd.to_array()[..self.end - self.start].iter().any(|odd| odd.to_bits() != 0) {
                return (sums, L::splat(0.0));
            }
        }
        match rules.law {
            FlockLaw::Robust if is_robust && is_flat => {
                Over::<L, Robust<L, 2, false>, 2, false>::sums(self, rules, spans)
            }
            FlockLaw::Robust if is_robust => {
                Over::<L, Robust<L, 3, false>, 3, false>::sums(self, rules, spans)
            }
            FlockLaw::Robust => Over::<L, Robust<L, 3, true>, 3, false>::sums(self, rules, spans),
            FlockLaw::Tutorial => Over::<L, Tutorial<L, 3>, 3, false>::sums(self, rules, spans),
            FlockLaw::Reynolds => Over::<L, Reynolds<L, 3>, 3, false>::sums(self, rules, spans),
        }
    }
}

/// Over all candidates, and who has company. `TRUST` takes all but the members themselves for mates on
/// other spots, and sees afterwards whether they were: a push from the very spot is no number.
struct Over<'a, L, Rule, const AXES: usize, const TRUST: bool> {
    block: &'a Block<'a>,
    rules: &'a FlockRules,
    spans: &'a Spans,
    law: PhantomData<(L, Rule)>,
}

impl<'a, L: Numbers, Rule: Law<L, AXES>, const AXES: usize, const TRUST: bool>
    Over<'a, L, Rule, AXES, TRUST>
{
    #[inline(always)]
    fn sums(block: &'a Block<'a>, rules: &'a FlockRules, spans: &'a Spans) -> (Sums<L>, L) {
        L::apart(Self { block, rules, spans, law: PhantomData })
    }
}

impl<L: Numbers, Rule: Law<L, AXES>, const AXES: usize, const TRUST: bool> Part<L>
    for Over<'_, L, Rule, AXES, TRUST>
{
    type Output = (Sums<L>, L);

    #[inline(always)]
    fn run(self) -> (Sums<L>, L) {
        let Self { block, rules, spans, .. } = self;
        let zero = L::splat(0.0);
        let every = L::splat(f32::from_bits(u32::MAX));
        let own = block.table.window(block.start);
        let group = own.lanes::<L>(0);
        // No closures where there are lanes: they are not always inlined.
        let (mut at, mut velocity) = ([zero; AXES], [zero; AXES]);
        for axis in 0..AXES {
            at[axis] = own.lanes(Columns::POSITION + axis);
            velocity[axis] = own.lanes(Columns::VELOCITY + axis);
        }
        let mut law = Rule::new(rules, velocity);
        // Mates, and those of them that lie elsewhere.
        let (mut all, mut apart) = (zero, zero);
        for range in spans.as_slice() {
            let range = range.start as usize..range.end as usize;
            if TRUST && !(block.start..block.end).contains(&range.start) {
                for row in block.table.rows(range) {
                    let (offset, velocity) = mate_at::<L, AXES>(&row, &at);
                    law.take(&Mate { mask: every, offset, squared: dot(offset, offset), velocity });
                }
                continue;
            }
            for row in block.table.rows(range) {
                let (offset, velocity) = mate_at::<L, AXES>(&row, &at);
                let squared = dot(offset, offset);
                let same = if TRUST { every } else { row.splat::<L>(0).is_same(group) };
                let mask = same.and(squared.is_more(zero));
                all = all.tally(same);
                apart = apart.tally(mask);
                law.take(&Mate { mask, offset, squared, velocity });
            }
        }
        let sums = law.sums();
        // All are elsewhere but itself.
        let mut is_alone = apart.tally(every).is_same(all);
        if TRUST {
            let push = sums.push.dot(sums.push);
            is_alone = is_alone.and(L::splat(f32::INFINITY).is_more(push));
        }
        (sums, every.and_not(is_alone))
    }
}

/// The way to a candidate, and its velocity.
#[inline(always)]
fn mate_at<L: Numbers, const AXES: usize>(row: &Row<'_, 7>, at: &[L; AXES]) -> ([L; AXES], [L; AXES]) {
    let (mut offset, mut velocity) = ([L::splat(0.0); AXES], [L::splat(0.0); AXES]);
    for axis in 0..AXES {
        offset[axis] = row.splat::<L>(Columns::POSITION + axis).sub(at[axis]);
        velocity[axis] = row.splat(Columns::VELOCITY + axis);
    }
    (offset, velocity)
}

/// One law's sums over mates.
trait Law<L: Numbers, const AXES: usize> {
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

impl<L: Numbers, const AXES: usize, const VIEW: bool> Law<L, AXES> for Robust<L, AXES, VIEW> {
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
        // In space hardly anybody is close, and a division can be spared; in a plane nobody can foresee it.
        if AXES == 2 || L::splat(self.avoidance.squared).is_more(mate.squared).and(mate.mask).is_any() {
            // (1 - d / radius) / d, in one step.
            let push = one.div(distance).sub(L::splat(self.avoidance.inverse)).max(zero).and(mate.mask);
            for axis in 0..AXES {
                self.push[axis] = self.push[axis].sub(mate.offset[axis].mul(push));
            }
        }
        let mut mask = mate.mask;
        if VIEW {
            let edge = L::splat(self.follow.cosine).mul(distance);
            mask = mask.and_not(edge.is_more(dot(self.heading, mate.offset)));
        }
        // The share of the radius that is left, times the radius: only proportions count.
        let weight = L::splat(self.follow.radius).sub(distance).max(zero).and(mask);
        self.weight = self.weight.add(weight);
        for axis in 0..AXES {
            self.pull[axis] = self.pull[axis].add(mate.offset[axis].mul(weight));
            self.way[axis] = self.way[axis].add(mate.velocity[axis].mul(weight));
        }
    }

    #[inline(always)]
    fn sums(mut self) -> Sums<L> {
        // Ways as seen from a member that is under way itself.
        for axis in 0..AXES {
            self.way[axis] = self.way[axis].sub(self.velocity[axis].mul(self.weight));
        }
        Sums {
            push: vectors(self.push),
            way: vectors(self.way),
            weight: self.weight,
            pull: vectors(self.pull),
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

impl<L: Numbers, const AXES: usize> Law<L, AXES> for Tutorial<L, AXES> {
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
        Sums { push, way, weight: zero, pull: Vectors::zero() }
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

impl<L: Numbers, const AXES: usize> Reynolds<L, AXES> {
    #[inline(always)]
    fn counts(&self, zone: Zone, distance: L, mate: &Mate<L, AXES>) -> L {
        let is_seen = dot(self.heading, mate.offset).is_more(L::splat(zone.cosine).mul(distance));
        let is_close = L::splat(CLOSE * self.avoidance.radius).is_more(distance);
        is_seen.or(is_close).and(L::splat(zone.radius).is_more(distance)).and(mate.mask)
    }
}

impl<L: Numbers, const AXES: usize> Law<L, AXES> for Reynolds<L, AXES> {
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
        }
    }
}

#[inline(always)]
fn vectors<L: Numbers, const AXES: usize>(lanes: [L; AXES]) -> Vectors<L> {
    Vectors([lanes[0], lanes[1], if AXES == 3 { lanes[AXES - 1] } else { L::splat(0.0) }])
}

#[inline(always)]
fn dot<L: Numbers, const AXES: usize>(a: [L; AXES], b: [L; AXES]) -> L {
    let plane = a[0].mul(b[0]).add(a[1].mul(b[1]));
    if AXES == 3 { plane.add(a[AXES - 1].mul(b[AXES - 1])) } else { plane }
}

/// Of length 1, or 0 where there is no direction.
#[inline(always)]
fn heading<L: Numbers, const AXES: usize>(mut velocity: [L; AXES]) -> [L; AXES] {
    let inverse = L::splat(1.0).div(dot(velocity, velocity).max(L::splat(f32::MIN_POSITIVE)).sqrt());
    for part in &mut velocity {
        *part = part.mul(inverse);
    }
    velocity
}
