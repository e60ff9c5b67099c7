//! Dijkstra's search backwards from several goals over the whole grid, for distance fields.
//!
//! On uniform ground the search goes by tiles of 8×8 cells (`tiles`), where the processor has AVX2 and walls are not as
//! dense as in a maze one cell wide. Everywhere else it goes by single cells, as follows; both find the same.
//!
//! The open list is a ring of buckets, each for costs of a certain width, and the order in a bucket is arbitrary
//! (E. V. Denardo and B. L. Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets", Operations Research 27,
//! 1979). The width is at most the least cost of a step, so that no cell of a bucket lowers the cost of another one:
//! when a bucket's turn comes, the costs of its cells are final. Nothing is ever sorted. If that took too many buckets,
//! because terrain costs differ by a factor of some 1,500 or more, buckets are wider, and a cell whose cost falls after
//! all is expanded again.
//!
//! Where a cell and its neighbours cost the same, only the successors of the canonical ordering are generated, so that
//! on open ground each cell is reached once. A cell that can only be left straight on needs no bucket: a run goes
//! through all such cells at once. It may reach a cell before a shorter path does; then the cell is expanded again.
//! Where terrain costs differ, detours that one step replaces are left out.
//!
//! The neighbours of all cells are read from the bitmaps beforehand, 64 cells at a time.

use super::astar::KeyOrder;
use super::costs::StepCosts;
use super::nodes::{AdjacentParent, Node};
use super::run::{Slice, prepare_flood};
use super::strategy::{Kernel, UnitLimits};
use super::{Heuristic, Metrics, SearchError, SearchScratch};
use crate::grid::{Bitmap, Direction, Grid, GridCell, KindId, SUCCESSORS, StepRules, SuccessorPruning};

// What the search is given: the cells, and costs of the width that suffices.
mod cells;
mod cost;

// What is computed of the costs, and how they are kept up to date.
mod first_steps;
mod repair;
#[cfg(target_arch = "x86_64")]
pub(super) mod tiles;

use cost::Cost;
pub(super) use repair::RepairScratch;
pub(crate) use repair::repair;

/// The direction of a cell that reaches no goal; 0 to 7 are those of [`Direction`](crate::Direction).
pub(crate) const UNREACHABLE: u8 = 9;
/// The direction of a goal.
pub(crate) const GOAL: u8 = 8;

/// The working memory; all but the buckets has one item for each cell, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct DistanceScratch {
    /// Which neighbours are walkable (see [`Bitmap::neighbor_mask`]), and not beyond a cliff.
    masks: Vec<u8>,
    /// The least known cost, in units of the search; the greatest number if there is none.
    costs: Vec<u32>,
    /// The same where costs are greater than 32 bits hold.
    wide_costs: Vec<u64>,
    /// The step of [`SUCCESSORS`] with which the cheapest known path arrives, or [`NO_STEP`]; with [`CLOSED`].
    arrivals: Vec<u8>,
    /// For each cell the index in `step_costs`, with the [`MIXED`] bit; filled only if terrain costs differ.
    codes: Vec<u16>,
    /// The indices of open cells.
    buckets: Vec<Vec<u32>>,
    /// What the search by tiles needs; the rest is for the search by single cells.
    #[cfg(target_arch = "x86_64")]
    pub(super) tiles: tiles::Tiles,
}

/// The arrival at a goal.
const NO_STEP: u8 = 8;
/// The bit of an arrival that says that the cell has been expanded.
const CLOSED: u8 = 1 << 7;
/// The bit of a code: a neighbour of the cell has another cost, or the cell lies at a cliff.
const MIXED: u16 = 1 << 15;
/// The most buckets of the ring.
const MOST_BUCKETS: u64 = 1 << 12;
/// How far a straight run goes at once, in cheapest steps. Measured from 16 to 256 on 1024² cells, open, with blocks
/// and with scattered walls: with runs a field takes 0.3, 0.4 and 0.7 of the time without, whatever this number is.
const RUN: u64 = 32;
const _: () = assert!(Grid::MAX_SIDE as u64 * Grid::MAX_SIDE as u64 <= u32::MAX as u64, "indices fit");

/// What a field is made for.
#[derive(Copy, Clone)]
pub(crate) struct DistanceJob<'f> {
    pub(crate) kind: KindId,
    pub(crate) steps: StepRules,
    /// Goals where the agent cannot stand are left out.
    pub(crate) goals: &'f [GridCell],
}

/// What the search has found for each cell, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distances {
    /// The costs of steps, and so the units of `costs`.
    step_costs: StepCosts,
    costs: FieldCosts,
    /// The [`Direction`](crate::Direction) of the first step towards the goal, or [`GOAL`] or [`UNREACHABLE`].
    steps: Vec<u8>,
}

/// The cost of the cheapest path to a goal for each cell, in units of the search; the greatest number if there is none.
/// With 64 bits only where 32 do not suffice: they take longer.
#[derive(Clone, Debug, PartialEq)]
enum FieldCosts {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Distances {
    /// The cost from the cell with this index; infinite if no path leads to a goal.
    #[inline]
    pub(crate) fn distance(&self, index: usize) -> f32 {
        let cost = match &self.costs {
            FieldCosts::Narrow(costs) if costs[index] != u32::NONE => f64::from(costs[index]),
            FieldCosts::Wide(costs) if costs[index] != u64::NONE => costs[index] as f64,
            _ => return f32::INFINITY,
        };
        (cost / self.step_costs.unit) as f32
    }

    /// The direction of the first step from the cell with this index, or [`GOAL`] or [`UNREACHABLE`].
    #[inline]
    pub(crate) fn step(&self, index: usize) -> u8 {
        self.steps[index]
    }
}

/// Searches backwards from the goals.
pub(crate) fn find_distances(
    grid: &Grid,
    mut job: DistanceJob<'_>,
    scratch: &mut SearchScratch,
) -> Result<Distances, SearchError> {
    job.check(grid)?;
    let DistanceJob { kind, steps, .. } = job;
    job.steps = grid.steps_for(kind, steps);
    if grid.edge_rules().is_some() {
        return Ok(past_edge_rules(grid, job, scratch));
    }
    let SearchScratch { costs: step_costs, distances: memory, .. } = scratch;
    step_costs.set(grid, kind, job.steps, 1);
    let rows = &grid.known(kind).rows;
    #[cfg(target_arch = "x86_64")]
    if !step_costs.weighted
        && let Some((costs, steps)) = memory.tiles.find((grid, rows), job, step_costs, tiles::GREATEST)
    {
        return Ok(Distances { step_costs: step_costs.clone(), costs: FieldCosts::Narrow(costs), steps });
    }
    Ok(find_by_cells((grid, rows), job, step_costs, memory))
}

/// The search by single cells.
fn find_by_cells(
    (grid, rows): (&Grid, &Bitmap),
    job: DistanceJob<'_>,
    step_costs: &StepCosts,
    memory: &mut DistanceScratch,
) -> Distances {
    memory.begin(grid, rows, grid.cliffs(job.kind));
    let by_code = match grid.borders(job.kind) {
        Some(borders) => memory.read_codes((grid, job.kind), &borders.rows, step_costs),
        None => vec![[step_costs.straight, step_costs.diagonal]],
    };
    let context = RunContext { job, step_costs: &by_code, is_weighted: step_costs.weighted, grid };
    // The search goes through memory that is used again and again, and the field gets a copy: new memory, which the
    // search would touch here and there, made a field of 1024² open cells take 1.3 times as long.
    let (mut narrow, mut wide) = (std::mem::take(&mut memory.costs), std::mem::take(&mut memory.wide_costs));
    let (costs, steps) = if memory.run(&context, &mut narrow) {
        (FieldCosts::Narrow(narrow.clone()), memory.first_steps(&context, &narrow))
    } else {
        memory.run(&context, &mut wide);
        (FieldCosts::Wide(wide.clone()), memory.first_steps(&context, &wide))
    };
    (memory.costs, memory.wide_costs) = (narrow, wide);
    Distances { step_costs: step_costs.clone(), costs, steps }
}

/// The search on a grid whose edges have rules: that of paths, which knows them.
fn past_edge_rules(grid: &Grid, job: DistanceJob<'_>, scratch: &mut SearchScratch) -> Distances {
    let agent @ (kind, _) = (job.kind, job.steps);
    scratch.costs.set(grid, kind, job.steps, 1);
    prepare_flood(grid, scratch);
    let SearchScratch { nodes, buckets, heap, costs: step_costs, targets, .. } = scratch;
    let goals = job.goals.iter().filter(|&&goal| grid.is_walkable(kind, goal));
    let (goals, step_costs): (Vec<Node>, _) = (goals.map(|&goal| goal.into()).collect(), &*step_costs);
    let (metrics, limits) = (&mut Metrics::default(), &mut UnitLimits::none());
    let kernel =
        Kernel { nodes, costs: step_costs, targets, heuristic: Heuristic::Chebyshev, metrics, limits };
    let mut slice = Slice { kernel, starts: &goals, buckets, heap, budget: u32::MAX, observer: &mut () };
    // No grid has more cells than the budget.
    _ = slice.cell_by_cell::<true>(grid, agent, KeyOrder::Cost, true);
    let cost = |cell: GridCell| nodes.is_closed(cell.into()).then(|| nodes.g::<AdjacentParent>(cell.into()));
    let first_step = |cell| match cost(cell) {
        None => UNREACHABLE,
        Some(0) => GOAL,
        Some(_) => cheapest_step(step_costs.legal_steps::<false>(grid, agent, cell), cost)
            .map_or(UNREACHABLE, |(_, direction)| direction),
    };
    let costs: Vec<u64> = grid.bounds().cells().map(|cell| cost(cell).unwrap_or(u64::NONE)).collect();
    let is_narrow = costs.iter().all(|&cost| cost == u64::NONE || cost < u32::NONE.into());
    let narrow = || costs.iter().map(|&cost| u32::of(cost)).collect();
    Distances {
        steps: grid.bounds().cells().map(first_step).collect(),
        costs: if is_narrow { FieldCosts::Narrow(narrow()) } else { FieldCosts::Wide(costs) },
        step_costs: step_costs.clone(),
    }
}

/// The cheapest cost over some steps, given the costs of the cells that they lead to, and the direction of the first of
/// the steps that cost so much.
fn cheapest_step(
    steps: impl Iterator<Item = (Direction, GridCell, u64)>,
    cost: impl Fn(GridCell) -> Option<u64>,
) -> Option<(u64, u8)> {
    let paths = steps.filter_map(|(direction, next, step)| Some((cost(next)? + step, direction as u8)));
    // `min_by_key` keeps the first of equal ones.
    paths.min_by_key(|path| path.0)
}

impl DistanceJob<'_> {
    /// Whether the grid has the kind, and the kind can stand on one of the goals.
    fn check(&self, grid: &Grid) -> Result<(), SearchError> {
        let &Self { kind, goals, .. } = self;
        if grid.kind(kind).is_none() {
            return Err(SearchError::UnknownKind(kind));
        }
        let &first = goals.first().ok_or(SearchError::NoGoal)?;
        if goals.iter().any(|&goal| grid.is_walkable(kind, goal)) {
            return Ok(());
        }
        let is_inside = goals.iter().any(|&goal| grid.contains(goal));
        Err(if is_inside { SearchError::GoalBlocked(first) } else { SearchError::GoalOutside(first) })
    }
}

/// What one run needs to know.
struct RunContext<'w> {
    grid: &'w Grid,
    job: DistanceJob<'w>,
    /// For each code of a cell the costs of a straight and of a diagonal step.
    step_costs: &'w [[u64; 2]],
    /// Whether terrain costs differ, or there are cliffs.
    is_weighted: bool,
}

impl DistanceScratch {
    /// Sets the costs and arrivals of all cells. Returns whether all costs fit.
    fn run<C: Cost>(&mut self, context: &RunContext<'_>, costs: &mut Vec<C>) -> bool {
        if context.is_weighted {
            self.run_by::<C, true>(context, costs)
        } else {
            self.run_by::<C, false>(context, costs)
        }
    }

    fn run_by<C: Cost, const WEIGHTED: bool>(
        &mut self,
        context: &RunContext<'_>,
        costs: &mut Vec<C>,
    ) -> bool {
        let &RunContext { grid, job, step_costs, .. } = context;
        let canonical = successors(SuccessorPruning::canonical(job.steps), true);
        // At a cliff no step can be left out as a detour; such cells count as mixed too.
        let has_cliffs = grid.cliffs(job.kind).is_some();
        let detours = successors(SuccessorPruning::new(job.steps, true), !has_cliffs);
        let width = grid.width() as usize;
        let offsets = SUCCESSORS.map(|step| {
            let (dx, dy) = step.offset();
            dy as isize * width as isize + dx as isize
        });
        let all = || step_costs.iter().flatten().copied();
        let (least, greatest) = (all().min().unwrap_or(1), all().max().unwrap_or(1));
        let step_costs: Vec<[C; 2]> = step_costs.iter().map(|pair| pair.map(C::of)).collect();
        // No step from a cell of at most this cost overflows.
        let Some(max_expandable) = C::NONE.units().checked_sub(greatest + 1).map(C::of) else { return false };
        let mut width_bits = least.max(1).ilog2();
        while (greatest >> width_bits) + 2 > MOST_BUCKETS {
            width_bits += 1;
        }
        let span = RUN * least;
        // A run and a step lead at most so many buckets ahead, and the present one counts too.
        let ring = (((span + greatest) >> width_bits) + 2).next_power_of_two() as usize;
        let Self { masks, arrivals, codes, buckets, .. } = self;
        costs.clear();
        costs.resize(masks.len(), C::NONE);
        arrivals.clear();
        arrivals.resize(masks.len(), UNREACHABLE);
        buckets.resize_with(ring.max(buckets.len()), Vec::new);
        buckets.iter_mut().for_each(Vec::clear);
        for goal in job.goals.iter().filter(|&&goal| grid.is_walkable(job.kind, goal)) {
            let index = goal.y as usize * width + goal.x as usize;
            (costs[index], arrivals[index]) = (C::of(0), NO_STEP);
            buckets[0].push(index as u32);
        }
        let (mut bucket, mut empty, mut taken) = (0, 0, Vec::new());
        while empty < ring {
            std::mem::swap(&mut taken, &mut buckets[bucket]);
            if taken.is_empty() {
                bucket = (bucket + 1) & (ring - 1);
                empty += 1;
                continue;
            }
            empty = 0;
            for index in taken.drain(..) {
                let index = index as usize;
                let arrival = arrivals[index];
                // Stale: another entry of the cell was expanded at this cost.
                if arrival & CLOSED != 0 {
                    continue;
                }
                arrivals[index] = arrival | CLOSED;
                let so_far = costs[index];
                if so_far > max_expandable {
                    return false;
                }
                let code = if WEIGHTED { codes[index] } else { 0 };
                let table = if WEIGHTED && code & MIXED != 0 { &detours } else { &canonical };
                // The search runs backwards: the path steps from `next` onto `index`, so the step costs as the terrain
                // of `index`. Corner rules are symmetric: the steps out of a cell are also those into it.
                let [straight, diagonal] = step_costs[usize::from(code & !MIXED)];
                let mut left = table[usize::from(arrival & 15) << 8 | usize::from(masks[index])];
                // Straight on and nowhere else: a run.
                if left.is_power_of_two() && left < 1 << 4 && !(WEIGHTED && code & MIXED != 0) {
                    let step = left.trailing_zeros() as usize;
                    let farthest = C::of((so_far.units() + span).min(max_expandable.units()));
                    let (mut at, mut cost) = (index, so_far);
                    loop {
                        at = at.wrapping_add_signed(offsets[step]);
                        cost = cost + straight;
                        if cost >= costs[at] {
                            break;
                        }
                        costs[at] = cost;
                        let on = canonical[step << 8 | usize::from(masks[at])];
                        let is_mixed = WEIGHTED && codes[at] & MIXED != 0;
                        if on != left || is_mixed || cost > farthest {
                            arrivals[at] = step as u8;
                            buckets[cost.bucket(width_bits) & (ring - 1)].push(at as u32);
                            break;
                        }
                        arrivals[at] = step as u8 | CLOSED;
                    }
                    continue;
                }
                while left != 0 {
                    let step = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let next = index.wrapping_add_signed(offsets[step]);
                    // The first four of `SUCCESSORS` are the straight steps.
                    let cost = so_far + if step < 4 { straight } else { diagonal };
                    if cost < costs[next] {
                        // Without `CLOSED`: the cell is open again, even if it was expanded.
                        (costs[next], arrivals[next]) = (cost, step as u8);
                        buckets[cost.bucket(width_bits) & (ring - 1)].push(next as u32);
                    }
                }
            }
        }
        true
    }
}

/// The successors of a cell, one bit for each of [`SUCCESSORS`]: by the arrival at the cell in the upper 4 bits of the
/// index, and by the mask of its walkable neighbours. If not `is_pruned`, all legal steps.
fn successors(pruning: SuccessorPruning, is_pruned: bool) -> [u8; 1 << 12] {
    std::array::from_fn(|index| {
        let arrival = SUCCESSORS.get(index >> 8).filter(|_| is_pruned);
        let (dx, dy) = arrival.map_or((0, 0), |step| step.offset());
        pruning.steps_around((-dx, -dy), index as u8)
    })
}
