//! Repair: brings the distances up to date after edits, at a cost that follows the number of cells that change.
//!
//! An edit can make paths dearer, cheaper, or both, so there are two phases (G. Ramalingam and T. Reps, "An Incremental
//! Algorithm for a Generalization of the Shortest-Path Problem", Journal of Algorithms 21, 1996):
//!
//! 1. Cells that have lost their path. In the order of their old costs, edited cells are tested for a step that is
//!    still legal and leads on at the same cost. Without one, a cell loses its cost, and the neighbours whose paths may
//!    lead over it are tested in turn. A cell with another equally cheap step keeps its cost, and all beyond it too.
//! 2. New costs: Dijkstra's search from the edited cells that have a path, and from the neighbours of those that have
//!    lost theirs.
//!
//! Steps are chosen last, for cells whose cost or surroundings have changed and their neighbours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{
    Cost, DistanceJob, Distances, FieldCosts, GOAL, SearchError, StepCosts, UNREACHABLE, cheapest_step,
};
use crate::grid::{CellRect, Direction, Grid, GridCell};
use crate::search::SearchScratch;

#[derive(Clone, Debug, Default)]
pub(crate) struct RepairScratch {
    /// What has happened to each cell; all zero between repairs.
    marks: Vec<u8>,
    /// Cells to be tested, or to be expanded, least cost first.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    marked: Vec<u32>,
}

/// The mark of a cell that has lost its path.
const LOST: u8 = 1;
/// The mark of a cell in the area of an edit.
const EDITED: u8 = 2;
/// The mark of a cell whose cost is lower than before, or that had lost its path.
const LOWERED: u8 = 4;
/// The mark of a cell whose step has been chosen again.
const CHOSEN: u8 = 8;

/// A repair takes at most one cell out of the open list for so many cells of the grid, and looks at no more edited
/// cells; beyond that a new search is faster. Measured on 1024² cells, open, with blocks and with scattered walls,
/// for squares of walls that are put down and taken away: a cell of a repair takes 0.2 to 0.4 µs, of a new search 7
/// to 22 ns; with one cell in 50 changed both took about the same time.
const WORTHWHILE: usize = 64;
/// The cells that a repair may always take: a new search of so few takes no time.
const FEW: usize = 4096;

/// Repairs the distances after edits that lie in some rectangles. Returns the number of cells whose cost has changed;
/// `None` if a new search is needed instead: the distances are then of no use.
///
/// # Errors
/// As [`find_distances`](super::find_distances); the distances are then unchanged.
pub(crate) fn repair(
    distances: &mut Distances,
    grid: &Grid,
    mut job: DistanceJob<'_>,
    edited: &[CellRect],
    scratch: &mut SearchScratch,
) -> Result<Option<usize>, SearchError> {
    job.check(grid)?;
    job.steps = grid.steps_for(job.kind, job.steps);
    let SearchScratch { costs: step_costs, repair: memory, .. } = scratch;
    step_costs.set(grid, job.kind, job.steps, 1);
    // With other units, or other costs of any terrain, the cost of every cell may be another.
    let FieldCosts::Narrow(costs) = &mut distances.costs else { return Ok(None) };
    if *step_costs != distances.step_costs {
        return Ok(None);
    }
    let size = grid.known(job.kind).kind.size;
    let reach = size.footprint().into_iter().map(|cell| cell.x.abs().max(cell.y.abs())).max().unwrap_or(0);
    // One cell more: the steps of the neighbours depend on whether a cell is walkable.
    let areas = || edited.iter().filter_map(|rect| rect.grown(reach + 1).intersection(grid.bounds()));
    let count =
        |area: CellRect| (area.max.x - area.min.x + 1) as usize * (area.max.y - area.min.y + 1) as usize;
    let budget = FEW.max(costs.len() / WORTHWHILE);
    if areas().map(count).sum::<usize>() > budget {
        return Ok(None);
    }
    memory.marks.resize(costs.len(), 0);
    let max_expandable = u64::from(u32::NONE).saturating_sub(step_costs.greatest + 1);
    let mut run = RepairRun { grid, job, step_costs, costs, memory, max_expandable, budget, changed: 0 };
    let is_done = run.drop_lost(areas()).is_some_and(|lost| run.spread(&lost, areas()));
    let changed = run.changed;
    if is_done {
        run.choose_steps(&mut distances.steps);
    }
    memory.clear();
    Ok(is_done.then_some(changed))
}

impl RepairScratch {
    fn clear(&mut self) {
        self.marked.drain(..).for_each(|index| self.marks[index as usize] = 0);
        self.open.clear();
    }

    /// Adds a mark. Returns whether the cell had none of this kind.
    fn mark(&mut self, index: usize, mark: u8) -> bool {
        let old = self.marks[index];
        if old == 0 {
            self.marked.push(index as u32);
        }
        self.marks[index] = old | mark;
        old & mark == 0
    }
}

struct RepairRun<'r> {
    grid: &'r Grid,
    job: DistanceJob<'r>,
    step_costs: &'r StepCosts,
    costs: &'r mut Vec<u32>,
    memory: &'r mut RepairScratch,
    /// No step from a cell of at most this cost overflows.
    max_expandable: u64,
    /// How many more cells may be taken out of the open list.
    budget: usize,
    changed: usize,
}

impl RepairRun<'_> {
    fn index(&self, cell: GridCell) -> usize {
        cell.y as usize * self.grid.width() as usize + cell.x as usize
    }

    fn cell(&self, index: u32) -> GridCell {
        let width = self.grid.width();
        GridCell::new((index % width) as i32, (index / width) as i32)
    }

    /// See [`StepCosts::legal_steps`].
    fn steps<const BACK: bool>(&self, cell: GridCell) -> impl Iterator<Item = (Direction, GridCell, u64)> {
        self.step_costs.legal_steps::<BACK>(self.grid, (self.job.kind, self.job.steps), cell)
    }

    /// The cheapest cost from a cell to a goal, and the direction of the first step; of several steps the first.
    /// `None` if the cell is blocked, and if no neighbour has a path.
    fn cheapest_step(&self, cell: GridCell) -> Option<(u64, u8)> {
        if !self.grid.is_walkable(self.job.kind, cell) {
            return None;
        }
        cheapest_step(self.steps::<false>(cell), |next| {
            let index = self.index(next);
            Some(self.costs[index]).filter(|&cost| cost != u32::NONE && !self.is_lost(index)).map(u64::from)
        })
    }

    fn is_walkable(&self, cell: GridCell) -> bool {
        self.grid.is_walkable(self.job.kind, cell)
    }

    fn is_lost(&self, index: usize) -> bool {
        self.memory.marks[index] & LOST != 0
    }

    /// The next cell of the open list, and its cost there; `None` if there is none, and when the budget is used up.
    fn take(&mut self) -> Option<(u32, u32)> {
        self.budget = self.budget.checked_sub(1)?;
        self.memory.open.pop().map(|Reverse(first)| first)
    }

    /// Marks the cells that have lost their path, and returns them; `None` if the budget is used up.
    fn drop_lost(&mut self, areas: impl Iterator<Item = CellRect>) -> Option<Vec<u32>> {
        let mut lost = Vec::new();
        for cell in areas.flat_map(CellRect::cells) {
            let index = self.index(cell);
            if self.memory.mark(index, EDITED) && self.costs[index] != u32::NONE {
                self.memory.open.push(Reverse((self.costs[index], index as u32)));
            }
        }
        while let Some((cost, index)) = self.take() {
            let cell = self.cell(index);
            let is_goal = cost == 0 && self.is_walkable(cell);
            // A cell with a cheaper path than before keeps one too; its cost is lowered later.
            let is_kept = is_goal || self.cheapest_step(cell).is_some_and(|step| step.0 <= u64::from(cost));
            if is_kept || !self.memory.mark(index as usize, LOST) {
                continue;
            }
            lost.push(index);
            // All neighbours, not only those by legal steps: the edit may have made a neighbour's own step illegal.
            for next in Direction::ALL.map(|direction| cell.step(direction)) {
                if self.grid.contains(next) {
                    let other = self.index(next);
                    if self.costs[other] > cost && self.costs[other] != u32::NONE && !self.is_lost(other) {
                        self.memory.open.push(Reverse((self.costs[other], other as u32)));
                    }
                }
            }
        }
        self.memory.open.is_empty().then_some(lost)
    }

    /// Lowers costs where that is possible, and gives new ones to the cells that have lost theirs. Returns whether all
    /// costs fit and the budget was enough.
    fn spread(&mut self, lost: &[u32], areas: impl Iterator<Item = CellRect>) -> bool {
        // Before any cost is replaced: the cells' next steps must not lead onto other lost cells.
        let new: Vec<Option<u64>> =
            lost.iter().map(|&index| Some(self.cheapest_step(self.cell(index))?.0)).collect();
        let replace = |cost: &mut u32| std::mem::replace(cost, u32::NONE);
        let old: Vec<u32> = lost.iter().map(|&index| replace(&mut self.costs[index as usize])).collect();
        for &index in lost {
            self.memory.marks[index as usize] ^= LOST | LOWERED;
        }
        let mut fits = true;
        for (&index, cost) in lost.iter().zip(new) {
            fits &= cost.is_none_or(|cost| self.lower(index as usize, cost));
        }
        for &goal in self.job.goals {
            if self.grid.contains(goal) && self.is_walkable(goal) {
                self.lower(self.index(goal), 0);
            }
        }
        for cell in areas.flat_map(CellRect::cells) {
            let index = self.index(cell);
            if self.costs[index] != u32::NONE {
                self.memory.open.push(Reverse((self.costs[index], index as u32)));
            }
        }
        while let Some((cost, index)) = self.take() {
            let cell = self.cell(index);
            if cost > self.costs[index as usize] {
                continue;
            }
            // The steps borrow the run, whose costs change.
            let steps: [_; 8] = {
                let mut steps = self.steps::<true>(cell);
                std::array::from_fn(|_| steps.next())
            };
            for (_, next, step) in steps.into_iter().flatten() {
                fits &= self.lower(self.index(next), u64::from(cost) + step);
            }
        }
        let is_other = |&(&index, old): &(&u32, u32)| self.costs[index as usize] != old;
        self.changed += lost.iter().zip(old).filter(is_other).count();
        fits && self.memory.open.is_empty()
    }

    /// Lowers the cost of a cell, if it is higher, and opens the cell. Returns whether the cost fits.
    fn lower(&mut self, index: usize, cost: u64) -> bool {
        if cost >= self.costs[index].into() {
            return self.costs[index] != u32::NONE;
        }
        self.costs[index] = cost as u32;
        self.changed += usize::from(self.memory.mark(index, LOWERED));
        self.memory.open.push(Reverse((cost as u32, index as u32)));
        cost <= self.max_expandable
    }

    /// Chooses the steps of all cells in the area of an edit or of changed cost, and their neighbours.
    fn choose_steps(&mut self, steps: &mut [u8]) {
        for place in 0..self.memory.marked.len() {
            let index = self.memory.marked[place];
            if self.memory.marks[index as usize] & (EDITED | LOWERED) == 0 {
                continue;
            }
            let cell = self.cell(index);
            let near = CellRect::new(cell, cell).grown(1).intersection(self.grid.bounds());
            for near in near.into_iter().flat_map(CellRect::cells) {
                let index = self.index(near);
                if self.memory.mark(index, CHOSEN) {
                    let cost = self.costs[index];
                    steps[index] = match cost {
                        0 => GOAL,
                        u32::NONE => UNREACHABLE,
                        _ => self.cheapest_step(near).map_or(UNREACHABLE, |step| step.1),
                    };
                }
            }
        }
    }
}
