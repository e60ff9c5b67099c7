//! The sweep over blocks of bodies: a fast test finds the bodies that may overlap another; only these are
//! processed one by one.

use std::ops::Range;

use glam::Vec3;

use super::{ContactSweep, SweepStats};
use crate::neighbors::{Block, Columns, RangeList};
use crate::simd::{Batch, LANES, Part, SimdF32};

/// A sweep over a range of slots, and where the new positions go.
pub(super) struct Run<'a, 'b> {
    pub(super) sweep: ContactSweep<'a>,
    pub(super) slots: Range<usize>,
    pub(super) out: &'b mut [Vec3],
}

/// Factor on the sum of two radii within which a pair is tested: more than rounding errors.
pub(super) const MARGIN: f32 = 1.0001;

/// A block with more candidates than this counts as crowded without the test, which would cost as much as the
/// sweep; so does a block among bodies of very different radii, as the test knows one radius for all of them.
const FEW: usize = 4096;

impl Batch for Run<'_, '_> {
    type Output = SweepStats;

    #[inline(always)]
    fn run<L: SimdF32>(self) -> SweepStats {
        let Self { sweep, slots, out } = self;
        let neighbors = sweep.neighbors;
        let table = &neighbors.columns().table();
        // Since the neighbours were built, both may have come nearer by the drift.
        let (part, drift) = (1.0 - sweep.tolerance, 2.0 * sweep.drift);
        let (mut ranges, mut sweep_stats) = (RangeList::new(), SweepStats::default());
        let mut slot = slots.start;
        while slot < slots.end {
            let block = Block::new::<L>(neighbors, table, slot, slots.end);
            let (mut reaches, mut farthest) = ([0.0; LANES], 0.0_f32);
            for (reach, &index) in reaches.iter_mut().zip(&neighbors.order()[block.start..block.end]) {
                let both = sweep.bodies[index as usize].radius.max(0.0) + sweep.widest;
                *reach = (both * part + drift) * MARGIN;
                farthest = farthest.max(*reach);
            }
            ranges.clear();
            if !neighbors.has_levels() {
                block.candidates(farthest, &mut ranges);
            }
            let (block, reaches, ranges) = (&block, &reaches, ranges.as_slice());
            let is_long = ranges.iter().map(ExactSizeIterator::len).sum::<usize>() > FEW;
            let crowded = if is_long || neighbors.has_levels() {
                !0
            } else if neighbors.is_flat() {
                L::apart(Crowded::<2> { block, reaches, ranges })
            } else {
                L::apart(Crowded::<3> { block, reaches, ranges })
            };
            for (lane, slot) in (block.start..block.end).enumerate() {
                let (out, from) = (&mut out[slot - slots.start], sweep.from[slot]);
                let index = neighbors.order()[slot] as usize;
                let mut deepest = 0.0;
                *out = from;
                if crowded >> lane & 1 != 0 {
                    let push;
                    (push, deepest) = sweep.push(index, from);
                    *out += push;
                }
                sweep_stats = sweep_stats
                    .and(SweepStats { deepest, drift: out.distance(sweep.bodies[index].position) });
            }
            slot = block.end;
        }
        sweep_stats
    }
}

/// The members of a block that have others within their reach, as bits.
struct Crowded<'a, const AXES: usize> {
    block: &'a Block<'a>,
    reaches: &'a [f32; LANES],
    ranges: &'a [Range<u32>],
}

impl<L: SimdF32, const AXES: usize> Part<L> for Crowded<'_, AXES> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { block, reaches, ranges } = self;
        let own = block.table.window(block.start);
        let (zero, every) = (L::splat(0.0), L::every());
        let mut at = [zero; AXES];
        for (axis, at) in at.iter_mut().enumerate() {
            *at = own.lanes(Columns::POSITION + axis);
        }
        let reach = L::load(reaches);
        let (within, mut count) = (reach.mul(reach), zero);
        for span in ranges {
            for row in block.table.rows(span.start as usize..span.end as usize) {
                let mut squared = zero;
                for (axis, at) in at.iter().enumerate() {
                    let offset = row.splat::<L>(Columns::POSITION + axis).sub(*at);
                    squared = squared.add(offset.mul(offset));
                }
                // Counts all candidates that are not farther than the reach.
                count = count.sub_whole(every.and_not(squared.is_more(within)));
            }
        }
        // A member that counts only itself is not crowded.
        let alone = zero.sub_whole(every);
        every.and_not(count.is_same(alone)).bits()
    }
}
