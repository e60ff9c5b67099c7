//! The first step of each cell's path, chosen by the costs alone.
//!
//! Where several steps are equally cheap, the search keeps the one that it found first, which depends on the order of
//! its work. A field must not: one that was repaired after edits has to equal one made anew. So the step is chosen
//! afterwards: the first of [`SUCCESSORS`] that the costs allow.

use super::{Cost, DistanceScratch, GOAL, MIXED, RunContext, UNREACHABLE};
use crate::grid::{Directions, SUCCESSORS};
use crate::simd::{Pass, Simd, SimdF32x8};

/// For each of [`SUCCESSORS`] the index of its direction.
pub(super) const DIRECTIONS: [u8; 8] = {
    let mut directions = [0; 8];
    let mut step = 0;
    while step < 8 {
        directions[step] = SUCCESSORS[step] as u8;
        step += 1;
    }
    directions
};

/// How many cells are done at once.
const BATCH: usize = 16;

/// How many rows are done between two fillings of [`Entered`], which then fits into a processor's second cache.
const ROWS: usize = 16;

impl DistanceScratch {
    /// For each cell the index of the direction of its first step, or [`GOAL`] or [`UNREACHABLE`].
    pub(super) fn first_steps<C: Cost>(&self, context: &RunContext<'_>, costs: &[C]) -> Vec<u8> {
        let mut steps = vec![UNREACHABLE; costs.len()];
        Simd::widest().run(Choice { scratch: self, context, costs, steps: &mut steps });
        steps
    }
}

/// The choice of all first steps: plain loops, compiled for the instructions that the processor has.
struct Choice<'c, C> {
    scratch: &'c DistanceScratch,
    context: &'c RunContext<'c>,
    costs: &'c [C],
    steps: &'c mut [u8],
}

impl<C: Cost> Pass for Choice<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32x8>(self) {
        let Self { scratch, context, costs, steps } = self;
        let (width, legal) = (context.grid.width() as usize, context.job.steps.table());
        let mut entered = Entered::new(width);
        for (block, steps) in steps.chunks_mut(ROWS * width).enumerate() {
            let first = block * ROWS * width;
            entered.fill(scratch, context, costs, first);
            let (own, masks) = (&costs[first..][..steps.len()], &scratch.masks[first..][..steps.len()]);
            let four = context.job.steps.directions == Directions::Four;
            let (own, own_rest) = own.as_chunks::<BATCH>();
            let (masks, masks_rest) = masks.as_chunks::<BATCH>();
            let (steps, steps_rest) = steps.as_chunks_mut::<BATCH>();
            let whole = steps.len() * BATCH;
            for (number, ((own, masks), steps)) in own.iter().zip(masks).zip(steps).enumerate() {
                if own.iter().fold(true, |is_none, &cost| is_none & (cost == C::NONE)) {
                    continue;
                }
                let is_open = masks.iter().fold(true, |is_open, &mask| is_open & (mask == u8::MAX));
                let allowed =
                    if is_open { [legal[255]; BATCH] } else { masks.map(|mask| legal[usize::from(mask)]) };
                *steps = match four {
                    true => entered.choose::<4, BATCH>(number * BATCH, own, &allowed),
                    false => entered.choose::<8, BATCH>(number * BATCH, own, &allowed),
                };
            }
            for (index, step) in steps_rest.iter_mut().enumerate() {
                let allowed = [legal[usize::from(masks_rest[index])]];
                [*step] = entered.choose::<8, 1>(whole + index, &[own_rest[index]], &allowed);
            }
        }
    }
}

/// The cost of the path to the goal that begins with a step onto a cell, for a straight step and for a diagonal one. It
/// holds the cells of some rows, of the rows before and after them, and one cell more at each end.
struct Entered<C> {
    width: usize,
    by_straight: Vec<C>,
    by_diagonal: Vec<C>,
}

impl<C: Cost> Entered<C> {
    fn new(width: usize) -> Self {
        let all = vec![C::NONE; (ROWS + 2) * width + 2];
        Self { width, by_straight: all.clone(), by_diagonal: all }
    }

    /// Sets the costs round the rows that begin with the cell of index `first`.
    #[inline(always)]
    fn fill(&mut self, scratch: &DistanceScratch, context: &RunContext<'_>, costs: &[C], first: usize) {
        let Self { width, by_straight, by_diagonal } = self;
        let rows = by_straight[1..].chunks_exact_mut(*width).zip(by_diagonal[1..].chunks_exact_mut(*width));
        for (row, (straight, diagonal)) in rows.enumerate() {
            let start = (first + row * *width).checked_sub(*width).filter(|&start| start < costs.len());
            let Some(start) = start else {
                straight.fill(C::NONE);
                diagonal.fill(C::NONE);
                continue;
            };
            let costs = &costs[start..][..*width];
            // No path leads over a cell without a cost, as no legal step enters it: its sums may be anything.
            if context.is_weighted {
                let codes = &scratch.codes[start..][..*width];
                for (x, (&cost, &code)) in costs.iter().zip(codes).enumerate() {
                    let pair = context.step_costs[usize::from(code & !MIXED)];
                    straight[x] = cost.wrapping_add(C::of(pair[0]));
                    diagonal[x] = cost.wrapping_add(C::of(pair[1]));
                }
            } else {
                let pair = context.step_costs[0].map(C::of);
                for (x, &cost) in costs.iter().enumerate() {
                    straight[x] = cost.wrapping_add(pair[0]);
                    diagonal[x] = cost.wrapping_add(pair[1]);
                }
            }
        }
    }

    /// The first steps, among the first `COUNT` of [`SUCCESSORS`], of `N` cells from number `at` of the rows on.
    /// Without branches and with fixed lengths, so that the compiler takes several cells at once.
    #[inline(always)]
    fn choose<const COUNT: usize, const N: usize>(
        &self,
        at: usize,
        costs: &[C; N],
        allowed: &[u8; N],
    ) -> [u8; N] {
        let own = 1 + self.width + at;
        let by_step: [&[C; N]; COUNT] = std::array::from_fn(|step| {
            let (dx, dy) = SUCCESSORS[step].offset();
            let by = if step < 4 { &self.by_straight } else { &self.by_diagonal };
            let next = own.wrapping_add_signed(dy as isize * self.width as isize + dx as isize);
            by[next..].first_chunk().expect("it has cells beyond both ends")
        });
        std::array::from_fn(|cell| {
            let allowed = u32::from(allowed[cell]);
            let mut chosen = u32::from(UNREACHABLE);
            // From the last to the first: each that fits replaces the ones behind it.
            for step in (0..COUNT).rev() {
                let fits = (by_step[step][cell] == costs[cell]) & (allowed & 1 << step != 0);
                chosen = if fits { u32::from(DIRECTIONS[step]) } else { chosen };
            }
            chosen = if costs[cell] == C::of(0) { u32::from(GOAL) } else { chosen };
            if costs[cell] == C::NONE { UNREACHABLE } else { chosen as u8 }
        })
    }
}
