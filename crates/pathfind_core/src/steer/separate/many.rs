//! Separation of many bodies at once, one body in each lane.

use std::ops::Range;

use super::{Others, Push, Separation};
use crate::neighbors::{Block, Columns, RangeList, Span};
use crate::simd::{Batch, LANES, Part, SimdF32, dot};
use crate::steer::apart::{COINCIDENT, CoincidentCounter};
use crate::steer::sum::Sum;

/// A range of slots, and where their pushes go.
pub(super) struct Many<'a, 'b> {
    pub(super) rule: &'a Separation,
    pub(super) others: Others<'a>,
    pub(super) slots: Range<usize>,
    pub(super) out: &'b mut [glam::Vec3],
}

impl Batch for Many<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32>(self) {
        let Self { rule, others, slots, out } = self;
        let neighbors = others.neighbors;
        let table = &neighbors.columns.table();
        let mut ranges = RangeList::new();
        let mut slot = slots.start;
        while slot < slots.end {
            let block = Block::new::<L>(neighbors, table, slot..slots.end, Block::LONG);
            block.sample(rule.radius, &mut ranges);
            let (sums, is_left) = if neighbors.is_flat {
                L::apart(BlockSeparation::<2> { rule, block: &block, ranges: ranges.as_slice() })
            } else {
                L::apart(BlockSeparation::<3> { rule, block: &block, ranges: ranges.as_slice() })
            };
            for (lane, slot) in (block.start..block.end).enumerate() {
                let own = neighbors.order()[slot] as usize;
                let mut push = Sum(neighbors.axes.world_of([sums[0][lane], sums[1][lane], sums[2][lane]]));
                if is_left >> lane & 1 != 0 {
                    push.add_parts(others.coincident(own).0);
                }
                out[slot - slots.start] = rule.total(push);
            }
            slot = block.end;
        }
    }
}

/// One pass over all candidates of a block.
struct BlockSeparation<'a, const AXES: usize> {
    rule: &'a Separation,
    block: &'a Block<'a>,
    ranges: &'a [Span],
}

/// How many pushes a 32-bit lane can add up before it could overflow.
const MAX_PUSHES: usize = (i32::MAX / Push::PARTS as i32) as usize - 1;

impl<L: SimdF32, const AXES: usize> Part<L> for BlockSeparation<'_, AXES> {
    /// The sums in the grid's axes, and the lanes with another body at the same position, as bits: the pushes
    /// between these are added one by one.
    type Output = ([[i64; LANES]; 3], u32);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { rule, block, ranges } = self;
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let at: [L; AXES] = block.along(Columns::POSITION);
        let inverse = L::splat(1.0 / rule.radius);
        let within = L::splat(COINCIDENT);
        let (mut sums, mut wide) = ([zero; AXES], [[0; LANES]; 3]);
        let (mut coincident, mut left) = (CoincidentCounter::new(), MAX_PUSHES);
        for span in ranges {
            #[cfg(test)]
            crate::testing::count(span.len());
            let weight = span.number.min(MAX_PUSHES as f32);
            let pushes = span.len() * weight.ceil() as usize;
            if pushes > left {
                widen(&mut sums, &mut wide);
                left = MAX_PUSHES;
            }
            left -= pushes;
            let unit = L::splat(Push::PARTS * weight);
            for row in block.table.rows(span.start as usize..span.end as usize) {
                let offset = row.offset_from(&at);
                let squared = dot(offset, offset);
                let is_apart = coincident.count(L::every(), squared.is_more(within));
                let push = one.div(squared.sqrt()).sub(inverse).max(zero).mul(unit).and(is_apart);
                for (sum, offset) in sums.iter_mut().zip(&offset) {
                    *sum = sum.sub_whole(offset.mul(push).round_i32());
                }
            }
        }
        widen(&mut sums, &mut wide);
        (wide, coincident.is_any().bits())
    }
}

/// Adds the 32-bit sums to the 64-bit ones, and resets them.
#[inline(always)]
fn widen<L: SimdF32, const AXES: usize>(sums: &mut [L; AXES], wide: &mut [[i64; LANES]; 3]) {
    for (sum, wide) in sums.iter_mut().zip(wide) {
        for (lane, wide) in sum.to_array().into_iter().zip(wide) {
            *wide += i64::from(lane.to_bits() as i32);
        }
        *sum = L::splat(0.0);
    }
}
