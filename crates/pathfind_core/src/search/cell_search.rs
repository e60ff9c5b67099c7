//! The search for the best cells of a [`CellQuery`]: cells within reach, then what is cheap to know of each, then lines
//! of sight for those that can still be among the best.
//!
//! Lines of sight are tested in the order of a bound of the score, in which every cell has the best cover that its
//! weight allows. The search ends when the cell of the next bound comes after all that are the best so far (R. Fagin,
//! A. Lotem and M. Naor, "Optimal Aggregation Algorithms for Middleware", 2003).

use core::cmp::{Ordering, Reverse};
use core::ops::Deref;
use std::collections::BinaryHeap;

use glam::Vec2;

use super::astar::KeyOrder;
use super::cell_query::distance;
use super::run::{Slice, prepare_flood};
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{
    CellFilter, CellQuery, CellScore, Heuristic, Metrics, Progress, SearchError, SearchEvent,
    SearchEventKind, SearchObserver, SearchScratch,
};
use crate::grid::{Grid, GridCell};

/// A cell with its score.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScoredCell {
    /// The cell.
    pub cell: GridCell,
    /// The sum of the weighted scores; the greatest is the best.
    pub score: f64,
    /// The cost of the cheapest path from the start.
    pub cost: f64,
}

/// Better cells are greater: by score, then by cost, row and column.
#[derive(Copy, Clone, Debug)]
struct RankedCell(ScoredCell);

impl Ord for RankedCell {
    fn cmp(&self, Self(other): &Self) -> Ordering {
        let Self(this) = self;
        let by_cost = || other.cost.total_cmp(&this.cost);
        let by_position = || (other.cell.y, other.cell.x).cmp(&(this.cell.y, this.cell.x));
        this.score.total_cmp(&other.score).then_with(by_cost).then_with(by_position)
    }
}

impl PartialOrd for RankedCell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedCell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for RankedCell {}

/// A layer: the value of each cell.
type CellLayer<'l> = &'l dyn Fn(GridCell) -> f32;

/// A search for the best cells that runs in slices, and can be dropped between any two.
///
/// `G` is a reference to a grid, or an `Arc`. The answer is the same however the work is sliced.
///
/// ```
/// use glam::Vec2;
/// use pathfind_core::{CellFilter, CellQuery, CellScore, CellSearch, Grid, GridCell, Progress, SearchScratch};
/// let grid = Grid::from_ascii(".......\n...#...\n.......")?;
/// let enemy = GridCell::new(6, 1).center();
/// let query = CellQuery::new(GridCell::new(0, 0), 10.0)
///     .with_filter(CellFilter::HiddenFrom(enemy))
///     .with_score(CellScore::Cover(enemy), 1.0)
///     .with_score(CellScore::Layer(0), -1.0);
/// let danger = |cell: GridCell| if cell.y == 0 { 2.0 } else { 0.0 };
/// let mut search = CellSearch::new(&grid, query, SearchScratch::default());
/// while search.step(5, &[&danger]) == Progress::Running { /* draw a frame */ }
/// let (best, _scratch) = search.finish();
/// assert_eq!(best?[0].cell, GridCell::new(2, 1), "behind the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CellSearch<G> {
    grid: G,
    query: CellQuery,
    scratch: SearchScratch,
    state: CellSearchState,
    /// The cells within reach whose cheap values have not been looked at, with their costs.
    reached: ReachedCells,
    /// Cells with bounds of their scores, that pass all filters but those of sight.
    candidates: BinaryHeap<RankedCell>,
    /// The best cells so far, the worst of them on top.
    best: BinaryHeap<Reverse<RankedCell>>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum CellSearchState {
    /// The start has not been opened.
    New,
    /// Cells within reach are searched for.
    Reaching,
    /// Cells are rated, and then candidates are tested.
    Rating,
    Done(Result<(), SearchError>),
}

/// Collects the cells that a search closes, with their costs.
#[derive(Debug, Default)]
struct ReachedCells(Vec<(GridCell, f64)>);

impl SearchObserver for ReachedCells {
    fn event(&mut self, event: SearchEvent) {
        if event.kind == SearchEventKind::Closed {
            self.0.push((event.cell, event.g));
        }
    }
}

impl<G: Deref<Target = Grid>> CellSearch<G> {
    /// Begins a search. An error in the query is returned by [`finish`](Self::finish).
    pub fn new(grid: G, mut query: CellQuery, mut scratch: SearchScratch) -> Self {
        let checked = query.check(&grid);
        if checked.is_ok() {
            query.steps = grid.steps_for(query.kind, query.steps);
            scratch.costs.set(&grid, query.kind, query.steps, 1);
            prepare_flood(&grid, &mut scratch);
        }
        for filter in &mut query.filters {
            if let CellFilter::NotIn(cells) = filter {
                cells.sort_unstable();
            }
        }
        // From cheap to dear. How dear the caller's layers are is unknown.
        query.filters.sort_by_key(|filter| match filter {
            CellFilter::Distance { .. } => 0,
            CellFilter::NotIn(_) => 1,
            CellFilter::LayerBelow { .. } => 2,
            CellFilter::Sees(_) | CellFilter::HiddenFrom(_) => 3,
        });
        let state = checked.map_or_else(|error| CellSearchState::Done(Err(error)), |()| CellSearchState::New);
        let (candidates, best) = Default::default();
        Self { grid, query, scratch, state, reached: ReachedCells::default(), candidates, best }
    }

    /// Works on the search for about `budget` units: a unit is an expansion of the search for cells within reach, a look
    /// at the cheap values of a cell, or the tests of sight of a cell. `layers` are those that filters and scores name by
    /// their indices; they must be the same in every call, and have the same values.
    pub fn step(&mut self, budget: u32, layers: &[&dyn Fn(GridCell) -> f32]) -> Progress {
        if let Some(layer) = self.query.last_layer().filter(|&layer| layer >= layers.len())
            && !matches!(self.state, CellSearchState::Done(_))
        {
            self.state = CellSearchState::Done(Err(SearchError::UnknownLayer(layer)));
        }
        let mut left = budget;
        if matches!(self.state, CellSearchState::New | CellSearchState::Reaching) && left > 0 {
            left = self.reach(left);
        }
        while left > 0 && self.state == CellSearchState::Rating {
            left -= 1;
            if let Some((cell, cost)) = self.reached.0.pop() {
                self.rate(cell, cost, layers);
            } else if !self.test_next(layers) {
                self.state = CellSearchState::Done(Ok(()));
            }
        }
        if matches!(self.state, CellSearchState::Done(_)) { Progress::Done } else { Progress::Running }
    }

    /// Ends the search, and returns the best cells, the best first, and its memory. Of equal scores the cell of less cost
    /// comes first, then that of the lesser row, then of the lesser column. Fewer cells than the query's count are
    /// returned if no others pass the filters.
    ///
    /// # Errors
    /// [`SearchError::UnknownKind`], [`SearchError::StartOutside`], [`SearchError::StartBlocked`]; the error of a number
    /// of the query that is out of its range; [`SearchError::UnknownLayer`]; [`SearchError::Unfinished`] if the search
    /// was not [done](Progress::Done).
    pub fn finish(self) -> (Result<Vec<ScoredCell>, SearchError>, SearchScratch) {
        let best = match self.state {
            CellSearchState::Done(Ok(())) => {
                Ok(self.best.into_sorted_vec().into_iter().map(|best| best.0.0).collect())
            }
            CellSearchState::Done(Err(error)) => Err(error),
            _ => Err(SearchError::Unfinished),
        };
        (best, self.scratch)
    }

    /// Searches for cells within reach. Returns the rest of the budget.
    fn reach(&mut self, budget: u32) -> u32 {
        let CellQuery { start, limit, kind, steps, .. } = self.query;
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = &mut self.scratch;
        let (start, is_new) = ([start.into()], self.state == CellSearchState::New);
        let starts = if is_new { start.as_slice() } else { &[] };
        let (heuristic, metrics) = (Heuristic::Chebyshev, &mut Metrics::default());
        let limits = &mut UnitLimits { cost: costs.units(limit.into()), ..UnitLimits::none() };
        let kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits };
        let mut slice = Slice { kernel, starts, buckets, heap, budget, observer: &mut self.reached };
        let stop = slice.cell_by_cell::<false>(&self.grid, (kind, steps), KeyOrder::Cost, true);
        self.state = if stop == Stop::Budget { CellSearchState::Reaching } else { CellSearchState::Rating };
        budget - metrics.expanded as u32
    }

    /// Makes a cell a candidate if it passes all filters but those of sight.
    fn rate(&mut self, cell: GridCell, cost: f64, layers: &[CellLayer<'_>]) {
        let passes = |filter: &CellFilter| match filter {
            &CellFilter::Distance { to, min, max } => {
                (f64::from(min)..=f64::from(max)).contains(&distance(cell, to))
            }
            CellFilter::NotIn(cells) => cells.binary_search(&cell).is_err(),
            &CellFilter::LayerBelow { layer, bound } => layers[layer](cell) < bound,
            CellFilter::Sees(_) | CellFilter::HiddenFrom(_) => true,
        };
        if self.query.filters.iter().all(passes) {
            let bound = self.score(cell, cost, layers, |_, weight| f64::from(weight > 0.0));
            if bound.is_finite() {
                self.candidates.push(RankedCell(ScoredCell { cell, score: bound, cost }));
            }
        }
    }

    /// Tests the candidate with the greatest bound. Returns whether others may still be among the best.
    fn test_next(&mut self, layers: &[CellLayer<'_>]) -> bool {
        let is_full = self.best.len() >= self.query.count;
        let is_better = |next: &RankedCell| !is_full || self.best.peek().is_some_and(|worst| *next > worst.0);
        let Some(RankedCell(next)) = self.candidates.pop().filter(is_better) else { return false };
        let Self { grid, query, .. } = &*self;
        let passes = |filter: &CellFilter| match *filter {
            CellFilter::Sees(point) => query.sees(grid, next.cell, point),
            CellFilter::HiddenFrom(point) => !query.sees(grid, next.cell, point),
            _ => true,
        };
        if query.filters.iter().all(passes) {
            let cover = |point, _| query.cover(grid, next.cell, point);
            let score = self.score(next.cell, next.cost, layers, cover);
            self.best.push(Reverse(RankedCell(ScoredCell { score, ..next })));
            if is_full {
                self.best.pop();
            }
        }
        true
    }

    /// The score of a cell; `cover` gives the value of cover from a point, by its weight. Of greater values the sum is
    /// not less, as rounding keeps the order.
    fn score(
        &self,
        cell: GridCell,
        cost: f64,
        layers: &[CellLayer<'_>],
        cover: impl Fn(Vec2, f32) -> f64,
    ) -> f64 {
        let terms = self.query.scores.iter().map(|&(score, weight)| {
            let value = match score {
                CellScore::PathCost => cost,
                CellScore::Distance(point) => distance(cell, point),
                CellScore::Layer(layer) => layers[layer](cell).into(),
                CellScore::Cover(point) => cover(point, weight),
            };
            f64::from(weight) * value
        });
        // Adding to 0, not to -0, which an empty sum of floating-point numbers is.
        terms.fold(0.0, |sum, term| sum + term)
    }
}

/// Finds the best cells of a query in one call; see [`CellSearch`] for the `layers`.
///
/// # Errors
/// As [`CellSearch::finish`].
pub fn best_cells(
    grid: &Grid,
    query: CellQuery,
    layers: &[&dyn Fn(GridCell) -> f32],
    scratch: &mut SearchScratch,
) -> Result<Vec<ScoredCell>, SearchError> {
    let mut search = CellSearch::new(grid, query, core::mem::take(scratch));
    while search.step(u32::MAX, layers) == Progress::Running {}
    let (best, lent) = search.finish();
    *scratch = lent;
    best
}
