//! Separation of many bodies at once, one body in each lane.

use std::ops::Range;

use super::{Others, Push, Separation};
use crate::neighbors::{Block, Columns, RangeList, Sample};
use crate::simd::{Batch, LANES, Part, SimdF32};
use crate::steer::apart::COINCIDENT;
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
        let table = &neighbors.columns().table();
        let (mut ranges, mut packed) = (RangeList::new(), Vec::new());
        let mut slot = slots.start;
        while slot < slots.end {
            let block = Block::new::<L>(neighbors, table, slot, slots.end);
            let (sums, is_left) = if neighbors.is_packed() {
                packed_sums::<L>(rule, &block, &mut ranges, &mut packed)
            } else {
                block.candidates(rule.radius, &mut ranges);
                sums::<L>(rule, &block, ranges.as_slice())
            };
            for (lane, slot) in (block.start..block.end).enumerate() {
                let own = neighbors.order()[slot] as usize;
                let mut push = Sum(neighbors.axes().world_of([sums[0][lane], sums[1][lane], sums[2][lane]]));
                if is_left >> lane & 1 != 0 {
                    push.add_parts(others.coincident(own).0);
                }
                out[slot - slots.start] = rule.total(push);
            }
            slot = block.end;
        }
    }
}

/// The sums in the grid's axes, and the lanes with another body at the same position, as bits: the pushes between
/// these are added one by one.
type Sums = ([[i64; LANES]; 3], u32);

#[inline(always)]
fn sums<L: SimdF32>(rule: &Separation, block: &Block<'_>, ranges: &[Range<u32>]) -> Sums {
    if block.neighbors.is_flat() {
        L::apart(BlockSeparation::<2> { rule, block, ranges })
    } else {
        L::apart(BlockSeparation::<3> { rule, block, ranges })
    }
}

/// [`sums`] where cells are packed: a sample of each of them stands for the whole cell.
#[cold]
#[inline(always)]
fn packed_sums<L: SimdF32>(
    rule: &Separation,
    block: &Block<'_>,
    ranges: &mut RangeList,
    packed: &mut Vec<Sample>,
) -> Sums {
    block.split_candidates(rule.radius, ranges, packed);
    let (mut wide, mut is_left) = sums::<L>(rule, block, ranges.as_slice());
    for sample in packed {
        ranges.clear();
        sample.slots().for_each(|slot| ranges.push(slot..slot + 1));
        let (of_sample, _) = sums::<L>(rule, block, ranges.as_slice());
        for (wide, of_sample) in wide.iter_mut().flatten().zip(of_sample.iter().flatten()) {
            *wide += sample.whole(*of_sample);
        }
        // The sample does not show whether a member shares its position.
        is_left |= block.members_in::<L>(&sample.cell).bits();
    }
    (wide, is_left)
}

/// One pass over all candidates of a block.
struct BlockSeparation<'a, const AXES: usize> {
    rule: &'a Separation,
    block: &'a Block<'a>,
    ranges: &'a [Range<u32>],
}

/// How many pushes a 32-bit lane can add up before it could overflow.
const MAX_PUSHES: usize = (i32::MAX / Push::PARTS as i32) as usize - 1;

impl<L: SimdF32, const AXES: usize> Part<L> for BlockSeparation<'_, AXES> {
    type Output = Sums;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { rule, block, ranges } = self;
        let own = block.table.window(block.start);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let mut at = [zero; AXES];
        for (axis, at) in at.iter_mut().enumerate() {
            *at = own.lanes(Columns::POSITION + axis);
        }
        let (inverse, unit) = (L::splat(1.0 / rule.radius), L::splat(Push::PARTS));
        let (every, coincident) = (L::every(), L::splat(COINCIDENT));
        let (mut sums, mut wide) = ([zero; AXES], [[0; LANES]; 3]);
        // The number of candidates at other positions, and of all.
        let (mut apart, mut all, mut left) = (zero, zero, MAX_PUSHES);
        for span in ranges {
            #[cfg(test)]
            crate::testing::count(span.len());
            if span.len() > left {
                widen(&mut sums, &mut wide);
                left = MAX_PUSHES;
            }
            left -= span.len();
            for row in block.table.rows(span.start as usize..span.end as usize) {
                let mut offset = [zero; AXES];
                let mut squared = zero;
                for axis in 0..AXES {
                    offset[axis] = row.splat::<L>(Columns::POSITION + axis).sub(at[axis]);
                    let square = offset[axis].mul(offset[axis]);
                    squared = if axis == 0 { square } else { squared.add(square) };
                }
                let is_apart = squared.is_more(coincident);
                (apart, all) = (apart.sub_whole(is_apart), all.sub_whole(every));
                let push = one.div(squared.sqrt()).sub(inverse).max(zero).mul(unit).and(is_apart);
                for (sum, offset) in sums.iter_mut().zip(&offset) {
                    *sum = sum.sub_whole(offset.mul(push).round_i32());
                }
            }
        }
        widen(&mut sums, &mut wide);
        // No body shares the position if all but the member itself are elsewhere.
        (wide, every.and_not(apart.sub_whole(every).is_same(all)).bits())
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
