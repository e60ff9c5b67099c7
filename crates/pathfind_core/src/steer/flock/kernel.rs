//! The sums over mates, for one block of members at a time.
//!
//! Each lane is a member. All members of a block read the same list of candidates, the bodies near any of them; a
//! candidate that is no mate of a member adds zeros to that member's sums. So a member's sums consist of the same
//! terms in the same order, whichever members share its block.

use std::marker::PhantomData;

use super::list::{CAPACITY, List};
use super::{FlockModel, FlockRules};
use crate::neighbors::{Block, Columns, RangeList};
use crate::simd::{LANES, Part, Row, SimdF32, Table, Vectors};

// Mates at the same position; candidates for the separation, set aside.
mod coincident;
mod neighborhood;

// The models.
mod reynolds;
mod robust;
mod tutorial;

use coincident::CoincidentCounter;
use neighborhood::Neighborhood;
use reynolds::Reynolds;
use robust::Robust;
use tutorial::Tutorial;

/// Sums over the mates of each member.
#[derive(Copy, Clone)]
pub(super) struct NeighborSums<L> {
    /// Sum of pushes away from mates within the separation radius.
    pub(super) push: Vectors<L>,
    /// Weighted sum of the mates' velocities or headings; in the robust model relative to the member's own.
    pub(super) alignment: Vectors<L>,
    /// Sum of the weights of `alignment`.
    pub(super) weight: L,
    /// Weighted sum of the offsets to the mates.
    pub(super) pull: Vectors<L>,
}

/// Working memory of a [`PairKernel`], and its result.
pub(super) struct Scratch<L> {
    ranges: RangeList,
    list: List,
    near: Neighborhood<L>,
    pub(super) sums: NeighborSums<L>,
}

impl<L: SimdF32> Scratch<L> {
    pub(super) fn new() -> Self {
        let zero = Vectors::zero();
        let sums = NeighborSums { push: zero, alignment: zero, weight: L::splat(0.0), pull: zero };
        Self { ranges: RangeList::new(), list: List::new(), near: Neighborhood::new(), sums }
    }
}

impl Block<'_> {
    /// Sums over the mates of each member, in the grid's axes, into `scratch.sums`. Returns the mask of the
    /// members that have a mate at their very position.
    #[inline(always)]
    pub(super) fn sums<L: SimdF32>(&self, rules: &FlockRules, scratch: &mut Scratch<L>) -> L {
        self.candidates(rules.reach(), &mut scratch.ranges);
        let is_flat = self.neighbors.is_flat();
        let is_robust = rules.model == FlockModel::Robust && rules.follow.sees_all_round();
        // Usually no two mates share a position: first run without the test for it, and repeat with the test if a
        // push is infinite or NaN.
        if is_robust && rules.avoidance.squared > 0.0 {
            let is_odd = match (is_flat, self.neighbors.columns().has_groups()) {
                (true, false) => {
                    PairKernel::<L, Robust<L, 2, false>, 2, ALL_APART>::sums(self, rules, scratch)
                }
                (true, true) => {
                    PairKernel::<L, Robust<L, 2, false>, 2, MATES_APART>::sums(self, rules, scratch)
                }
                (false, false) => {
                    PairKernel::<L, Robust<L, 3, false>, 3, ALL_APART>::sums(self, rules, scratch)
                }
                (false, true) => {
                    PairKernel::<L, Robust<L, 3, false>, 3, MATES_APART>::sums(self, rules, scratch)
                }
            };
            if is_odd.bits() & ((1 << self.len()) - 1) == 0 {
                return L::splat(0.0);
            }
        }
        match rules.model {
            FlockModel::Robust if is_robust && is_flat => {
                PairKernel::<L, Robust<L, 2, false>, 2, COUNT>::sums(self, rules, scratch)
            }
            FlockModel::Robust if is_robust => {
                PairKernel::<L, Robust<L, 3, false>, 3, COUNT>::sums(self, rules, scratch)
            }
            FlockModel::Robust => PairKernel::<L, Robust<L, 3, true>, 3, COUNT>::sums(self, rules, scratch),
            FlockModel::Tutorial => PairKernel::<L, Tutorial<L, 3>, 3, COUNT>::sums(self, rules, scratch),
            FlockModel::Reynolds => PairKernel::<L, Reynolds<L, 3>, 3, COUNT>::sums(self, rules, scratch),
        }
    }
}

/// Every candidate but the member itself counts as a mate at another position; a shared position shows afterwards
/// as a push that is not finite.
const ALL_APART: u8 = 0;
/// As [`ALL_APART`], for candidates of the member's own group.
const MATES_APART: u8 = 1;
/// Mates are counted, and those at another position, to find shared positions for certain.
const COUNT: u8 = 2;

/// One pass over all candidates of a block: sums, and the mask of members that share their position with a mate.
struct PairKernel<'a, L, Rule, const AXES: usize, const COINCIDENCE: u8> {
    block: &'a Block<'a>,
    rules: &'a FlockRules,
    scratch: &'a mut Scratch<L>,
    model: PhantomData<Rule>,
}

impl<'a, L: SimdF32, Rule: ModelSums<'a, L, AXES>, const AXES: usize, const COINCIDENCE: u8>
    PairKernel<'a, L, Rule, AXES, COINCIDENCE>
{
    #[inline(always)]
    fn sums(block: &'a Block<'a>, rules: &'a FlockRules, scratch: &'a mut Scratch<L>) -> L {
        L::apart(Self { block, rules, scratch, model: PhantomData })
    }
}

impl<'a, L: SimdF32, Rule: ModelSums<'a, L, AXES>, const AXES: usize, const COINCIDENCE: u8> Part<L>
    for PairKernel<'a, L, Rule, AXES, COINCIDENCE>
{
    type Output = L;

    #[inline(always)]
    fn run(self) -> L {
        let Self { block, rules, scratch: Scratch { ranges, list, near, sums }, .. } = self;
        // No closures around SIMD values: they are not always inlined.
        let own = block.table.window(block.start);
        let (mut at, mut velocity) = ([L::splat(0.0); AXES], [L::splat(0.0); AXES]);
        for axis in 0..AXES {
            at[axis] = own.lanes(Columns::POSITION + axis);
            velocity[axis] = own.lanes(Columns::VELOCITY + axis);
        }
        let mut model = Rule::new(rules, velocity, near);
        let mut coincident = CoincidentCounter::new(own.lanes(0));
        let within = L::splat(rules.reach() * rules.reach());
        let mut ranges = ranges.as_slice();
        while !ranges.is_empty() {
            // In a plane nearly all candidates are near some member and go straight to the model; in space many
            // are not, so they are filtered into a list first.
            let mut scratch = CAPACITY;
            list.clear();
            while let [span, rest @ ..] = ranges
                && span.len() <= scratch
            {
                let is_own = block.meets(span);
                let slots = span.start as usize..span.end as usize;
                if AXES == 2 {
                    Self::take(&mut model, &mut coincident, block, block.table.rows(slots), &at, is_own);
                } else if is_own {
                    // The block's own members go on the list as a range of their own.
                    let own = slots.start.max(block.start)..slots.end.min(block.end);
                    list_near(list, block.table.rows(slots.start..own.start), &at, within);
                    list.push_own(own.clone());
                    list_near(list, block.table.rows(own.end..slots.end), &at, within);
                } else {
                    list_near(list, block.table.rows(slots), &at, within);
                }
                (ranges, scratch) = (rest, scratch - span.len());
            }
            if AXES == 3 {
                for (slots, is_own) in list.parts() {
                    let rows = block.table.rows_at(slots);
                    Self::take(&mut model, &mut coincident, block, rows, &at, is_own);
                }
            }
            model.settle(&at, block.table);
        }
        *sums = model.sums();
        if COINCIDENCE != COUNT {
            // A mate at the same position makes the push infinite or NaN.
            L::every().and_not(L::splat(f32::INFINITY).is_more(sums.push.dot(sums.push)))
        } else {
            coincident.is_any()
        }
    }
}

impl<'a, L: SimdF32, Rule: ModelSums<'a, L, AXES>, const AXES: usize, const COINCIDENCE: u8>
    PairKernel<'a, L, Rule, AXES, COINCIDENCE>
{
    /// Passes candidates to the model, for members at the positions `at`.
    #[inline(always)]
    fn take<'b>(
        model: &mut Rule,
        coincident: &mut CoincidentCounter<L>,
        block: &Block<'_>,
        rows: impl Iterator<Item = Row<'b, 7>>,
        at: &[L; AXES],
        is_own: bool,
    ) {
        if COINCIDENCE == COUNT {
            for row in rows {
                let offset = offset_of(&row, at);
                let squared = dot(offset, offset);
                let mask = coincident.count(row.splat(0), squared);
                model.take(&row, &Mate { mask, offset, squared });
            }
        } else if is_own {
            for row in rows {
                let offset = offset_of(&row, at);
                // A member's distance to itself becomes infinite, so that it adds nothing.
                let lane = row.slot().wrapping_sub(block.start).min(LANES);
                let squared = dot(offset, offset).or(L::load(&FAR[lane]));
                let mask = if COINCIDENCE == ALL_APART { L::every() } else { coincident.mates(row.splat(0)) };
                model.take(&row, &Mate { mask, offset, squared });
            }
        } else {
            for row in rows {
                let offset = offset_of(&row, at);
                let mask = if COINCIDENCE == ALL_APART { L::every() } else { coincident.mates(row.splat(0)) };
                model.take(&row, &Mate { mask, offset, squared: dot(offset, offset) });
            }
        }
    }
}

/// Lists the candidates within reach of any of the members at these positions.
#[inline(always)]
fn list_near<'a, L: SimdF32, const AXES: usize>(
    list: &mut List,
    rows: impl Iterator<Item = Row<'a, 7>>,
    at: &[L; AXES],
    within: L,
) {
    for row in rows {
        let offset = offset_of(&row, at);
        list.push_if(row.slot(), !dot(offset, offset).is_more(within).is_every());
    }
}

/// Bit patterns that, by `or`, make the number of one lane infinite, for each lane; the last changes no lane.
static FAR: [[f32; LANES]; LANES + 1] = {
    let mut far = [[0.0; LANES]; LANES + 1];
    let mut lane = 0;
    while lane < LANES {
        far[lane][lane] = f32::INFINITY;
        lane += 1;
    }
    far
};

/// The offset from each member to a candidate.
#[inline(always)]
fn offset_of<L: SimdF32, const AXES: usize>(row: &Row<'_, 7>, at: &[L; AXES]) -> [L; AXES] {
    let mut offset = [L::splat(0.0); AXES];
    for axis in 0..AXES {
        offset[axis] = row.splat::<L>(Columns::POSITION + axis).sub(at[axis]);
    }
    offset
}

/// A candidate's velocity.
#[inline(always)]
fn velocity_of<L: SimdF32, const AXES: usize>(row: &Row<'_, 7>) -> [L; AXES] {
    let mut velocity = [L::splat(0.0); AXES];
    for (axis, part) in velocity.iter_mut().enumerate() {
        *part = row.splat(Columns::VELOCITY + axis);
    }
    velocity
}

/// The sums of one model over mates.
trait ModelSums<'a, L: SimdF32, const AXES: usize> {
    /// Starts the sums of members with these velocities; candidates may be set aside in `near`.
    fn new(rules: &FlockRules, velocity: [L; AXES], near: &'a mut Neighborhood<L>) -> Self;
    /// Adds a mate.
    fn take(&mut self, row: &Row<'_, 7>, mate: &Mate<L, AXES>);
    /// Adds the candidates set aside, for members at these positions.
    fn settle(&mut self, _at: &[L; AXES], _table: &Table<'_, 7>) {}
    /// The sums.
    fn sums(self) -> NeighborSums<L>;
}

/// One candidate, as each member sees it.
struct Mate<L, const AXES: usize> {
    /// Whether it is a mate, and (if mates are counted) at another position.
    mask: L,
    /// The offset to it.
    offset: [L; AXES],
    squared: L,
}

#[inline(always)]
fn vectors<L: SimdF32, const AXES: usize>(lanes: [L; AXES]) -> Vectors<L> {
    Vectors([lanes[0], lanes[1], if AXES == 3 { lanes[AXES - 1] } else { L::splat(0.0) }])
}

#[inline(always)]
fn dot<L: SimdF32, const AXES: usize>(a: [L; AXES], b: [L; AXES]) -> L {
    let plane = a[0].mul(b[0]).add(a[1].mul(b[1]));
    if AXES == 3 { plane.add(a[AXES - 1].mul(b[AXES - 1])) } else { plane }
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
