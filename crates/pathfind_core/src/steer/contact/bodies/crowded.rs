//! The sweep over blocks of bodies: a fast test finds the bodies that may overlap another; only these are
//! processed one by one.

use std::ops::Range;

use glam::Vec3;

use super::{ContactSweep, SweepStats};
use crate::neighbors::{Block, Columns, RangeList, Span};
use crate::simd::{Batch, LANES, Part, SimdF32, dot};

/// A sweep over a range of slots, and where the new positions go.
pub(super) struct SweepBatch<'a, 'b> {
    pub(super) sweep: ContactSweep<'a>,
    pub(super) slots: Range<usize>,
    pub(super) out: &'b mut [Vec3],
}

/// Factor on the sum of two radii within which a pair is tested: more than rounding errors.
pub(super) const MARGIN: f32 = 1.0001;

/// A block with more candidates than this counts as crowded without the test, which would cost as much as the
/// sweep.
const FEW: usize = 4096;

impl Batch for SweepBatch<'_, '_> {
    type Output = SweepStats;

    #[inline(always)]
    fn run<L: SimdF32>(self) -> SweepStats {
        let Self { sweep, slots, out } = self;
        let neighbors = sweep.neighbors;
        let table = &neighbors.columns.table();
        // Since the neighbours were built, both may have come nearer by the drift.
        let (part, drift) = (1.0 - sweep.tolerance, 2.0 * sweep.drift);
        let (mut ranges, mut sweep_stats) = (RangeList::new(), SweepStats::default());
        let mut slot = slots.start;
        while slot < slots.end {
            let block = Block::new::<L>(neighbors, table, slot..slots.end, Block::LONG);
            let mut radii = [0.0; LANES];
            for (radius, &index) in radii.iter_mut().zip(&neighbors.order()[block.start..block.end]) {
                *radius = sweep.bodies[index as usize].radius.max(0.0);
            }
            let own = radii.iter().fold(0.0, |widest: f32, &radius| widest.max(radius));
            let reach = |widest: f32| ((own + widest) * part + drift) * MARGIN;
            block.candidates(sweep.widest, reach, &mut ranges);
            let (block, radii, ranges) = (&block, &radii, ranges.as_slice());
            let crowded = if ranges.iter().map(Span::len).sum::<usize>() > FEW {
                !0
            } else if neighbors.is_flat {
                L::apart(Crowded::<2> { block, radii, ranges, part, drift })
            } else {
                L::apart(Crowded::<3> { block, radii, ranges, part, drift })
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
    radii: &'a [f32; LANES],
    ranges: &'a [Span],
    /// The part of a pair's radii below which their distance counts, and what is added to it.
    part: f32,
    drift: f32,
}

impl<L: SimdF32, const AXES: usize> Part<L> for Crowded<'_, AXES> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { block, radii, ranges, part, drift } = self;
        let (zero, every) = (L::splat(0.0), L::every());
        let at: [L; AXES] = block.along(Columns::POSITION);
        let (radius, mut count) = (L::load(radii), zero);
        let (part, drift, margin) = (L::splat(part), L::splat(drift), L::splat(MARGIN));
        let (mut widest, mut within) = (f32::NAN, zero);
        for span in ranges {
            if span.number != widest {
                widest = span.number;
                let reach = radius.add(L::splat(widest)).mul(part).add(drift).mul(margin);
                within = reach.mul(reach);
            }
            for row in block.table.rows(span.start as usize..span.end as usize) {
                let offset = row.offset_from(&at);
                // Counts all candidates that are not farther than the reach.
                count = count.sub_whole(every.and_not(dot(offset, offset).is_more(within)));
            }
        }
        // A member that counts only itself is not crowded.
        let alone = zero.sub_whole(every);
        every.and_not(count.is_same(alone)).bits()
    }
}
