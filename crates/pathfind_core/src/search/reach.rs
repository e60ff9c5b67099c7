//! The cells within reach of a start: all within a cost, or until the nearest of many targets are reached.
//!
//! Dijkstra's search begins cell by cell. Where it has to go far on uniform ground, it begins again by tiles of 8×8
//! cells, as for distance fields (`distance_search`): preparing this takes a time in proportion to the grid's size, and
//! then it takes a fraction of the time for each cell. What is found is the same.

use super::astar::KeyOrder;
#[cfg(target_arch = "x86_64")]
use super::distance_search::tiles::{GREATEST, INFINITE, TileReader, TileRows, Tiles};
use super::distance_search::{DistanceJob, GOAL, UNREACHABLE};
use super::nodes::{AdjacentParent, Node};
use super::run::{Slice, check_start, prepare_flood};
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{Heuristic, Metrics, SearchError, SearchScratch};
use crate::grid::{Direction, Grid, GridCell, KindId, StepRules};

/// The least number of expansions between two checks whether enough targets are reached.
const CHECK_INTERVAL: usize = 256;
/// The search goes by tiles once one in so many cells is expanded: that takes as long as preparing the tiles.
const CELLS_AN_EXPANSION: u64 = 1024;
/// Looking at so many targets takes less time than a turn of a tile.
#[cfg(target_arch = "x86_64")]
const TARGETS_A_TURN: usize = 16;

/// The cells that an agent reaches from its start, with the cost of the cheapest path to each and the path itself: the
/// movement range of a turn-based game, or the nearest of many targets by path. By Dijkstra's search; costs are those
/// of [`solve`](crate::solve).
///
/// ```
/// use pathfind_core::{GridCell, Grid, KindId, Reach, SearchScratch, StepRules};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let (kind, start, scratch) = (KindId::default(), GridCell::new(0, 0), &mut SearchScratch::default());
/// let range = Reach::within_cost(&grid, kind, StepRules::FOUR, start, 2.0, scratch)?;
/// assert_eq!(range.cells().count(), 5);
/// assert_eq!(range.cost(GridCell::new(0, 2)), Some(2.0));
///
/// let targets = [GridCell::new(4, 1), GridCell::new(2, 2), GridCell::new(4, 2)];
/// let nearest = Reach::nearest(&grid, kind, StepRules::FOUR, start, &targets, 2, scratch)?;
/// assert_eq!(nearest.targets(), [(GridCell::new(2, 2), 4.0), (GridCell::new(4, 1), 5.0)]);
/// assert_eq!(nearest.path(GridCell::new(2, 2)).len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// Sorted by their places.
    blocks: Vec<ReachBlock>,
    targets: Vec<(GridCell, f64)>,
}

/// The cells of a block of 8×8, row by row.
#[derive(Clone, Debug, PartialEq)]
struct ReachBlock {
    /// Row and column of the block.
    place: (i32, i32),
    /// The costs of the paths; infinite for a cell that is not within reach.
    costs: [f64; 64],
    /// The directions of the steps back towards the start, as in a distance field.
    steps: [u8; 64],
}

impl ReachBlock {
    fn new(place: (i32, i32)) -> Self {
        Self { place, costs: [f64::INFINITY; 64], steps: [UNREACHABLE; 64] }
    }

    /// The place of the block of a cell, and the index of the cell in it.
    fn of(GridCell { x, y }: GridCell) -> ((i32, i32), usize) {
        ((y >> 3, x >> 3), ((y & 7) << 3 | x & 7) as usize)
    }

    fn cell(&self, index: usize) -> GridCell {
        GridCell::new(self.place.1 << 3 | index as i32 & 7, self.place.0 << 3 | index as i32 >> 3)
    }
}

impl Reach {
    /// The cells to which a path costs at most `cost`, up to the rounding of costs (see
    /// [`Answer::suboptimality_bound`](crate::Answer::suboptimality_bound)). The start is always among them. A cost
    /// that is not a positive number counts as 0; an infinite one is no limit.
    ///
    /// # Errors
    /// [`SearchError::UnknownKind`], [`SearchError::StartOutside`] and [`SearchError::StartBlocked`].
    pub fn within_cost(
        grid: &Grid,
        kind: KindId,
        steps: StepRules,
        start: GridCell,
        cost: f64,
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        let cost = if cost > 0.0 { cost } else { 0.0 };
        Collector::default().search(grid, (kind, steps), start, cost, scratch)
    }

    /// The `count` targets to which paths are cheapest, or all if there are fewer, and the cells to which paths cost
    /// less than to the last of them. Targets that cannot be reached are left out; if there are then too few, all
    /// cells that can be reached are among the cells.
    ///
    /// # Errors
    /// As [`within_cost`](Self::within_cost); and [`SearchError::NoGoal`] if there are no targets.
    pub fn nearest(
        grid: &Grid,
        kind: KindId,
        steps: StepRules,
        start: GridCell,
        targets: &[GridCell],
        count: usize,
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        if targets.is_empty() {
            return Err(SearchError::NoGoal);
        }
        let mut left = targets.to_vec();
        left.sort_unstable_by_key(|cell| (cell.y, cell.x));
        left.dedup();
        let count = Some(count.min(left.len()));
        left.retain(|&cell| grid.contains(cell));
        let collector = Collector { left, count, ..Collector::default() };
        collector.search(grid, (kind, steps), start, f64::INFINITY, scratch)
    }

    /// The cells with their costs, cheapest first; the start is the first.
    pub fn cells(&self) -> impl Iterator<Item = (GridCell, f64)> {
        let cells = self.blocks.iter().flat_map(|block| {
            let reached = block.costs.iter().enumerate().filter(|(_, cost)| cost.is_finite());
            reached.map(|(index, &cost)| (block.cell(index), cost))
        });
        let mut cells: Vec<(GridCell, f64)> = cells.collect();
        cells.sort_by(|a, b| a.1.total_cmp(&b.1));
        cells.into_iter()
    }

    /// The targets of [`nearest`](Self::nearest) with their costs, cheapest first.
    #[must_use]
    pub fn targets(&self) -> &[(GridCell, f64)] {
        &self.targets
    }

    /// The cost of the cheapest path to a cell; `None` if the cell is not within reach.
    #[must_use]
    pub fn cost(&self, cell: GridCell) -> Option<f64> {
        self.entry(cell).map(|(cost, _)| cost)
    }

    /// The cells of the cheapest path to a cell, from the start on, both included; empty if the cell is not within
    /// reach.
    #[must_use]
    pub fn path(&self, cell: GridCell) -> Vec<GridCell> {
        let before = |&at: &GridCell| {
            let (_, step) = self.entry(at)?;
            (step < GOAL).then(|| at.step(Direction::from_index(step)))
        };
        let end = self.entry(cell).map(|_| cell);
        let mut path: Vec<GridCell> = std::iter::successors(end, before).collect();
        path.reverse();
        path
    }

    /// The cost of the path to a cell, and the direction of the step back.
    fn entry(&self, cell: GridCell) -> Option<(f64, u8)> {
        let (place, index) = ReachBlock::of(cell);
        let block = &self.blocks[self.blocks.binary_search_by_key(&place, |block| block.place).ok()?];
        Some((block.costs[index], block.steps[index])).filter(|(cost, _)| cost.is_finite())
    }
}

/// Collects the cells within reach and the nearest targets. Costs are in units of the search.
#[derive(Default)]
struct Collector {
    /// The greatest cost of a cell within reach.
    most: u64,
    unit: f64,
    /// The targets that were not reached when this was last checked.
    left: Vec<GridCell>,
    found: Vec<(u64, GridCell)>,
    /// How many targets are enough; `None` if there is no end but `most`.
    count: Option<usize>,
    blocks: Vec<ReachBlock>,
    /// How many turns the tiles had had when the targets were last looked at.
    #[cfg(target_arch = "x86_64")]
    turns: usize,
}

impl Collector {
    fn search(
        mut self,
        grid: &Grid,
        (kind, steps): (KindId, StepRules),
        start: GridCell,
        most: f64,
        scratch: &mut SearchScratch,
    ) -> Result<Reach, SearchError> {
        let steps = grid.steps_for(kind, steps);
        check_start(grid, kind, start)?;
        scratch.costs.set(grid, kind, steps, 1);
        prepare_flood(grid, scratch);
        self.unit = scratch.costs.unit;
        // An infinite cost becomes the greatest number.
        self.most = scratch.costs.units(most);
        let mut limits = UnitLimits { cost: self.most, ..UnitLimits::none() };
        let mut metrics = Metrics::default();
        let first = [Node::from(start)];
        let mut starts = first.as_slice();
        let few = u64::from(grid.width()) * u64::from(grid.height()) / CELLS_AN_EXPANSION;
        let mut budget = (few as usize).max(CHECK_INTERVAL);
        loop {
            let SearchScratch { nodes, buckets, heap, costs, targets, .. } = &mut *scratch;
            let (heuristic, metrics, limits) = (Heuristic::Chebyshev, &mut metrics, &mut limits);
            let kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits };
            let mut slice = Slice { kernel, starts, buckets, heap, budget: budget as u32, observer: &mut () };
            let stop = slice.cell_by_cell::<false>(grid, (kind, steps), KeyOrder::Cost, true);
            let nodes = &scratch.nodes;
            let cost =
                |cell: GridCell| nodes.is_closed(cell.into()).then(|| nodes.g::<AdjacentParent>(cell.into()));
            if self.has_enough(cost) || stop != Stop::Budget {
                self.set_most();
                self.collect(grid, (kind, steps), scratch);
                break;
            }
            let job = DistanceJob { kind, steps, goals: &[start] };
            if !starts.is_empty() && self.search_by_tiles(grid, job, scratch) {
                break;
            }
            starts = &[];
            budget = self.left.len().max(CHECK_INTERVAL);
        }
        #[cfg(test)]
        crate::testing::count(metrics.expanded as usize);
        Ok(self.into_reach())
    }

    /// Whether enough targets are reached; `cost` is that of a cell if it is final.
    fn has_enough(&mut self, cost: impl Fn(GridCell) -> Option<u64>) -> bool {
        let Self { left, found, .. } = self;
        left.retain(|&cell| {
            let cost = cost(cell);
            found.extend(cost.map(|cost| (cost, cell)));
            cost.is_none()
        });
        self.count.is_some_and(|count| self.found.len() >= count)
    }

    /// Limits the cells within reach by the last target, once the search has ended.
    fn set_most(&mut self) {
        let Some(count) = self.count else { return };
        self.found.sort_unstable_by_key(|&(cost, cell)| (cost, cell.y, cell.x));
        self.found.truncate(count);
        if self.found.len() == count {
            self.most = self.found.last().map_or(0, |&(cost, _)| cost);
        }
    }

    fn collect(&mut self, grid: &Grid, (kind, steps): (KindId, StepRules), scratch: &SearchScratch) {
        let SearchScratch { nodes, costs, .. } = scratch;
        let g = |cell: GridCell| nodes.g::<AdjacentParent>(cell.into());
        for cell in nodes.closed().map(Node::cell) {
            let cost = g(cell);
            if cost > self.most {
                continue;
            }
            // The first that the costs allow, as in a distance field.
            let mut steps_back = costs.legal_steps::<true>(grid, (kind, steps), cell);
            let step = steps_back
                .find(|&(_, before, step)| nodes.is_closed(before.into()) && g(before) + step == cost);
            let (place, index) = ReachBlock::of(cell);
            if self.blocks.last().is_none_or(|block| block.place != place) {
                self.blocks.push(ReachBlock::new(place));
            }
            if let Some(block) = self.blocks.last_mut() {
                block.costs[index] = costs.cost(cost);
                block.steps[index] = step.map_or(GOAL, |(direction, ..)| direction as u8);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn search_by_tiles(&mut self, grid: &Grid, job: DistanceJob<'_>, scratch: &mut SearchScratch) -> bool {
        let SearchScratch { costs, distances, .. } = scratch;
        let rows = &grid.known(job.kind).rows;
        !costs.weighted && distances.tiles.search((grid, rows), job, costs, GREATEST, self).is_some()
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn search_by_tiles(&mut self, _: &Grid, _: DistanceJob<'_>, _: &mut SearchScratch) -> bool {
        false
    }

    fn into_reach(self) -> Reach {
        let Self { unit, most, found, mut blocks, count, .. } = self;
        let targets: Vec<(GridCell, f64)> =
            found.into_iter().map(|(cost, cell)| (cell, cost as f64 / unit)).collect();
        if count == Some(targets.len()) {
            // Of the cells that cost as much as the last target, only targets are within reach.
            let last = most as f64 / unit;
            let ties = &targets[targets.partition_point(|&(_, cost)| cost < last)..];
            for block in &mut blocks {
                for index in 0..64 {
                    if block.costs[index] == last && !ties.contains(&(block.cell(index), last)) {
                        (block.costs[index], block.steps[index]) = (f64::INFINITY, UNREACHABLE);
                    }
                }
            }
        }
        blocks.retain(|block| block.costs.iter().any(|cost| cost.is_finite()));
        Reach { blocks, targets }
    }
}

#[cfg(target_arch = "x86_64")]
impl TileReader for Collector {
    fn is_enough(&mut self, tiles: &Tiles, settled: u32) -> bool {
        let is_last = settled == INFINITE || u64::from(settled) > self.most;
        if !is_last && (tiles.turns() - self.turns) * TARGETS_A_TURN < self.left.len() {
            return false;
        }
        self.turns = tiles.turns();
        let cost = |cell| Some(tiles.cost(cell)).filter(|&cost| cost < settled).map(u64::from);
        let is_enough = self.has_enough(cost) || is_last;
        if is_enough {
            self.set_most();
        }
        is_enough
    }

    fn read(&mut self, corner: GridCell, rows: &TileRows) {
        let most = u32::try_from(self.most).unwrap_or(u32::MAX).min(INFINITE - 1);
        let mut block = ReachBlock::new(ReachBlock::of(corner).0);
        let mut least = u32::MAX;
        for (row, (costs, steps)) in rows.iter().enumerate() {
            for x in 0..8 {
                let is_reached = costs[x] <= most;
                let cost = f64::from(costs[x]) / self.unit;
                block.costs[8 * row + x] = if is_reached { cost } else { f64::INFINITY };
                block.steps[8 * row + x] = if is_reached { steps[x] } else { UNREACHABLE };
                least = least.min(costs[x]);
            }
        }
        if least <= most {
            self.blocks.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{walled, work_of};

    /// The work is the number of cells that were expanded one by one.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_is_far_on_uniform_ground_is_found_by_tiles() {
        let grid = walled(512, 512, |GridCell { x, y }| x % 9 == 0 && y % 5 == 0);
        let scratch = &mut SearchScratch::default();
        let (start, targets) = (GridCell::new(256, 256), [GridCell::new(351, 256), GridCell::new(10, 3)]);
        let mut found = None;
        let work = work_of(|| {
            let kind = KindId::default();
            found = Reach::nearest(&grid, kind, StepRules::default(), start, &targets, 1, scratch).ok();
        });
        let found = found.expect("there is a path");
        assert_eq!(found.targets()[0].0, targets[0]);
        assert!(found.cells().count() > 20_000);
        if std::is_x86_feature_detected!("avx2") {
            assert!(work <= 512 * 512 / 256, "{work} cells were expanded");
        }
    }
}
