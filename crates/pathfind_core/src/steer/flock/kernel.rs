//! The sums over mates in [`FlockModel::Robust`](super::FlockModel::Robust), for one block of members at a time.
//!
//! Each SIMD lane is a member. All members of a block read the same candidates, the bodies near any of them; a
//! candidate that is no mate of a member adds zeros to that member's sums. So the nonzero terms of a member's sums
//! and their order do not depend on which members share its block.

use super::FlockRules;
use super::list::{CAPACITY, List};
use crate::neighbors::{Block, Columns, RangeList, Span};
use crate::simd::{LANES, Part, SimdF32, TableRow, Vectors, dot};
use crate::steer::apart::CoincidentCounter;

// Adds the terms of the sums.
mod sums;

use sums::{CloseMates, SumAccumulator};

/// Sums over the mates of each member; [`flock`](super) has the formulas.
#[derive(Copy, Clone)]
pub(super) struct NeighborSums<L> {
    /// Sum of pushes away from the mates within the separation radius.
    pub(super) push: Vectors<L>,
    /// Weighted sum of the mates' velocities relative to the member's own.
    pub(super) alignment: Vectors<L>,
    /// Sum of the weights of `alignment`.
    pub(super) weight: L,
    /// Sum of the offsets to the mates, with the weights of `alignment`.
    pub(super) pull: Vectors<L>,
}

/// Working memory of a [`PairKernel`], and its result.
pub(super) struct Scratch<L> {
    ranges: RangeList,
    list: List,
    close: CloseMates<L>,
    pub(super) sums: NeighborSums<L>,
}

impl<L: SimdF32> Scratch<L> {
    pub(super) fn new() -> Self {
        let zero = Vectors::zero();
        let sums = NeighborSums { push: zero, alignment: zero, weight: L::splat(0.0), pull: zero };
        Self { ranges: RangeList::new(), list: List::new(), close: CloseMates::new(), sums }
    }
}

impl Block<'_> {
    /// Sums over the mates of each member, in the grid's axes, into `scratch.sums`. Returns the mask of the
    /// members that share their position with a mate.
    #[inline(always)]
    pub(super) fn sums<L: SimdF32>(&self, rules: &FlockRules, scratch: &mut Scratch<L>) -> L {
        self.sample(rules.reach(), &mut scratch.ranges);
        let is_flat = self.neighbors.is_flat;
        // Usually members see all round and no two mates share a position. Then no test for either is needed; a push
        // that is infinite or NaN shows afterwards that one was, and the sums are made again with both tests. Without
        // a separation radius there is no push to show it.
        let mut spans = scratch.ranges.as_slice().iter();
        let is_weighted = self.neighbors.has_packed_cells() && spans.any(|span| span.number != 1.0);
        if rules.alignment.sees_all_round() && rules.separation.squared > 0.0 && !is_weighted {
            let is_not_finite = match (is_flat, self.neighbors.columns.has_groups()) {
                (true, false) => L::apart(PairKernel::<L, 2, ALL_APART> { block: self, rules, scratch }),
                (true, true) => L::apart(PairKernel::<L, 2, MATES_APART> { block: self, rules, scratch }),
                (false, false) => L::apart(PairKernel::<L, 3, ALL_APART> { block: self, rules, scratch }),
                (false, true) => L::apart(PairKernel::<L, 3, MATES_APART> { block: self, rules, scratch }),
            };
            if is_not_finite.bits() & ((1 << self.len()) - 1) == 0 {
                return L::splat(0.0);
            }
        }
        match (is_flat, is_weighted) {
            (true, false) => L::apart(PairKernel::<L, 2, TEST_ALL> { block: self, rules, scratch }),
            (false, false) => L::apart(PairKernel::<L, 3, TEST_ALL> { block: self, rules, scratch }),
            (true, true) => L::apart(PairKernel::<L, 2, WEIGHTED> { block: self, rules, scratch }),
            (false, true) => L::apart(PairKernel::<L, 3, WEIGHTED> { block: self, rules, scratch }),
        }
    }
}

/// All candidates but the member itself are taken for mates that it sees, at other positions than its own; a shared
/// position shows afterwards as a push that is not finite.
const ALL_APART: u8 = 0;
/// As [`ALL_APART`], but only candidates of the member's own group are mates.
const MATES_APART: u8 = 1;
/// Groups, positions and angles of view are tested. Shared positions are found by counting: all mates, and those at
/// another position.
const TEST_ALL: u8 = 2;
/// As [`TEST_ALL`], with candidates that stand for several.
const WEIGHTED: u8 = 3;

/// One pass over all candidates of a block: makes the sums, and returns the mask of the members that share their
/// position with a mate; without these tests, of those whose push is not finite.
struct PairKernel<'a, L, const AXES: usize, const TESTS: u8> {
    block: &'a Block<'a>,
    rules: &'a FlockRules,
    scratch: &'a mut Scratch<L>,
}

impl<L: SimdF32, const AXES: usize, const TESTS: u8> Part<L> for PairKernel<'_, L, AXES, TESTS> {
    type Output = L;

    #[inline(always)]
    fn run(self) -> L {
        let Self { block, rules, scratch: Scratch { ranges, list, close, sums: result } } = self;
        // No closures around SIMD values: they are not always inlined.
        let (at, velocity) = (block.along(Columns::POSITION), block.along(Columns::VELOCITY));
        let mut sums = SumAccumulator::<L, AXES, TESTS>::new(rules, velocity, close);
        let group = block.table.window(block.start).lanes(0);
        let mut coincident = CoincidentCounter::new();
        let within = L::splat(rules.reach() * rules.reach());
        let mut ranges = ranges.as_slice();
        while let [Span { number, .. }, ..] = *ranges {
            sums.weigh(number);
            // In a plane nearly all candidates are near some member and are summed at once; in space many
            // are not, so they are filtered into a list first.
            let mut capacity_left = CAPACITY;
            list.clear();
            while let [span, rest @ ..] = ranges
                && span.len() <= capacity_left
                && (TESTS != WEIGHTED || span.number == number)
            {
                #[cfg(test)]
                crate::testing::count(span.len());
                let is_own = block.meets(span);
                let slots = span.start as usize..span.end as usize;
                if AXES == 2 {
                    take(&mut sums, &mut coincident, block, block.table.rows(slots), (group, &at), is_own);
                } else if is_own {
                    // The block's own members go on the list as a range of their own.
                    let own = slots.start.max(block.start)..slots.end.min(block.end);
                    list_near(list, block.table.rows(slots.start..own.start), &at, within);
                    list.push_own(own.clone());
                    list_near(list, block.table.rows(own.end..slots.end), &at, within);
                } else {
                    list_near(list, block.table.rows(slots), &at, within);
                }
                (ranges, capacity_left) = (rest, capacity_left - span.len());
            }
            if AXES == 3 {
                for (slots, is_own) in list.parts() {
                    let rows = block.table.rows_at(slots);
                    take(&mut sums, &mut coincident, block, rows, (group, &at), is_own);
                }
            }
            sums.add_close_mates(&at, block.table);
        }
        *result = sums.total();
        if TESTS < TEST_ALL {
            // A mate at the same position makes the push infinite or NaN.
            L::every().and_not(L::splat(f32::INFINITY).is_more(result.push.dot(result.push)))
        } else {
            coincident.is_any()
        }
    }
}

/// Adds candidates to the sums of members of some groups at the positions `at`; `is_own` if the block's members may be
/// among the candidates.
#[inline(always)]
fn take<'a, L: SimdF32, const AXES: usize, const TESTS: u8>(
    sums: &mut SumAccumulator<'_, L, AXES, TESTS>,
    coincident: &mut CoincidentCounter<L>,
    block: &Block<'_>,
    rows: impl Iterator<Item = TableRow<'a, 7>>,
    (group, at): (L, &[L; AXES]),
    is_own: bool,
) {
    if TESTS >= TEST_ALL {
        for row in rows {
            let offset = row.offset_from(at);
            let squared = dot(offset, offset);
            let mask = coincident.count(row.splat::<L>(0).is_same(group), squared.is_more(L::splat(0.0)));
            sums.take(&row, &Mate { mask, offset, squared });
        }
    } else if is_own {
        for row in rows {
            let offset = row.offset_from(at);
            // A member's distance to itself, 0, becomes infinite, so that it adds nothing.
            let lane = row.at.wrapping_sub(block.start).min(LANES);
            let squared = dot(offset, offset).or(L::load(&FAR[lane]));
            let mask = if TESTS == ALL_APART { L::every() } else { row.splat::<L>(0).is_same(group) };
            sums.take(&row, &Mate { mask, offset, squared });
        }
    } else {
        for row in rows {
            let offset = row.offset_from(at);
            let mask = if TESTS == ALL_APART { L::every() } else { row.splat::<L>(0).is_same(group) };
            sums.take(&row, &Mate { mask, offset, squared: dot(offset, offset) });
        }
    }
}

/// Lists the candidates within reach of any of the members at these positions.
#[inline(always)]
fn list_near<'a, L: SimdF32, const AXES: usize>(
    list: &mut List,
    rows: impl Iterator<Item = TableRow<'a, 7>>,
    at: &[L; AXES],
    within: L,
) {
    for row in rows {
        let offset = row.offset_from(at);
        list.push_if(row.at, !dot(offset, offset).is_more(within).is_every());
    }
}

/// For each lane, bits that by `or` make a 0 in that lane infinite and leave the other lanes as they are; the last
/// row changes no lane.
static FAR: [[f32; LANES]; LANES + 1] = {
    let mut far = [[0.0; LANES]; LANES + 1];
    let mut lane = 0;
    while lane < LANES {
        far[lane][lane] = f32::INFINITY;
        lane += 1;
    }
    far
};

/// One candidate, relative to each member.
struct Mate<L, const AXES: usize> {
    /// Whether it is a mate; with [`TEST_ALL`], one at another position.
    mask: L,
    /// The offset from the member to the candidate.
    offset: [L; AXES],
    /// The squared length of `offset`.
    squared: L,
}
