//! The cells within reach of a start: all within a cost, or until the nearest of many targets are reached.

use super::flood;
use super::nodes::Node;
use super::run::check_start;
use super::strategy::{Stop, UnitLimits};
use super::{Metrics, SearchError, SearchEvent, SearchEventKind, SearchObserver, SearchScratch};
use crate::grid::{Cell, Grid, KindId, Steps};

/// The number of expansions between two checks whether enough targets are reached.
const STRETCH: u32 = 256;

/// The cells that an agent reaches from its start, with the cost of the cheapest path to each and the path itself: the
/// movement range of a turn-based game, or the nearest of many targets by path. By Dijkstra's search; costs are those
/// of [`solve`](crate::solve).
///
/// ```
/// use pathfind_core::{Cell, Grid, KindId, Reach, SearchScratch, Steps};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let (kind, start, scratch) = (KindId::default(), Cell::new(0, 0), &mut SearchScratch::default());
/// let range = Reach::within_cost(&grid, kind, Steps::FOUR, start, 2.0, scratch)?;
/// assert_eq!(range.cells().count(), 5);
/// assert_eq!(range.cost(Cell::new(0, 2)), Some(2.0));
///
/// let targets = [Cell::new(4, 1), Cell::new(2, 2), Cell::new(4, 2)];
/// let nearest = Reach::nearest(&grid, kind, Steps::FOUR, start, &targets, 2, scratch)?;
/// assert_eq!(nearest.targets(), [(Cell::new(2, 2), 4.0), (Cell::new(4, 1), 5.0)]);
/// assert_eq!(nearest.path(Cell::new(2, 2)).len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The cells, cheapest first.
    reached: Vec<Reached>,
    /// For each cell, as row and column, its index in `reached`; sorted.
    by_place: Vec<(i32, i32, u32)>,
    targets: Vec<(Cell, f64)>,
}

/// A cell, the cell before it on the path (for the start the start itself), and the cost of the path.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Reached {
    cell: Cell,
    before: Cell,
    cost: f64,
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
        steps: Steps,
        start: Cell,
        cost: f64,
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        let cost = if cost > 0.0 { cost } else { 0.0 };
        let reached = spread(grid, (kind, steps), start, cost, scratch, |_| false)?;
        Ok(Self::new(reached, Vec::new()))
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
        steps: Steps,
        start: Cell,
        targets: &[Cell],
        count: usize,
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        if targets.is_empty() {
            return Err(SearchError::NoGoal);
        }
        let mut wanted: Vec<(i32, i32)> = targets.iter().map(|cell| (cell.y, cell.x)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let count = count.min(wanted.len());
        let is_target = |cell: Cell| wanted.binary_search(&(cell.y, cell.x)).is_ok();
        let (mut seen, mut found) = (0, Vec::new());
        let mut enough = |reached: &[Reached]| {
            let news = reached[seen..].iter().filter(|it| is_target(it.cell));
            found.extend(news.map(|it| (it.cell, it.cost)));
            seen = reached.len();
            found.len() >= count
        };
        let mut reached = spread(grid, (kind, steps), start, f64::INFINITY, scratch, &mut enough)?;
        // Where the search has ended before there were enough, its last cells have not been looked at.
        enough(&reached);
        found.truncate(count);
        if found.len() == count {
            let last = found.last().map_or(0.0, |target| target.1);
            reached.retain(|it| it.cost < last || found.iter().any(|target| target.0 == it.cell));
        }
        Ok(Self::new(reached, found))
    }

    fn new(reached: Vec<Reached>, targets: Vec<(Cell, f64)>) -> Self {
        let mut by_place: Vec<(i32, i32, u32)> =
            reached.iter().zip(0..).map(|(it, index)| (it.cell.y, it.cell.x, index)).collect();
        by_place.sort_unstable();
        Self { reached, by_place, targets }
    }

    /// The cells with their costs, cheapest first; the start is the first.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, f64)> {
        self.reached.iter().map(|it| (it.cell, it.cost))
    }

    /// The targets of [`nearest`](Self::nearest) with their costs, cheapest first.
    #[must_use]
    pub fn targets(&self) -> &[(Cell, f64)] {
        &self.targets
    }

    /// The cost of the cheapest path to a cell; `None` if the cell is not within reach.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<f64> {
        self.entry(cell).map(|it| it.cost)
    }

    /// The cells of the cheapest path to a cell, from the start on, both included; empty if the cell is not within
    /// reach.
    #[must_use]
    pub fn path(&self, cell: Cell) -> Vec<Cell> {
        let before = |at: &Cell| self.entry(*at).map(|it| it.before).filter(|before| before != at);
        let end = self.entry(cell).map(|_| cell);
        let mut path: Vec<Cell> = std::iter::successors(end, before).collect();
        path.reverse();
        path
    }

    fn entry(&self, cell: Cell) -> Option<&Reached> {
        let place = self.by_place.binary_search_by_key(&(cell.y, cell.x), |&(y, x, _)| (y, x)).ok()?;
        self.reached.get(self.by_place[place].2 as usize)
    }
}

/// The cells to which a path costs at most `most`, cheapest first, until there are enough of them.
fn spread(
    grid: &Grid,
    (kind, steps): (KindId, Steps),
    start: Cell,
    most: f64,
    scratch: &mut SearchScratch,
    mut is_enough: impl FnMut(&[Reached]) -> bool,
) -> Result<Vec<Reached>, SearchError> {
    let steps = grid.steps_for(kind, steps);
    check_start(grid, kind, start)?;
    scratch.costs.set(grid, kind, steps, 1);
    flood::begin(grid, scratch);
    let mut limits = UnitLimits::none();
    if most < f64::INFINITY {
        limits.cost = scratch.costs.units(most);
    }
    let (mut metrics, mut closed) = (Metrics::default(), ClosedCells(Vec::new()));
    let first = [Node::from(start)];
    let mut starts = first.as_slice();
    loop {
        let run = flood::Slice { starts, budget: STRETCH, limits: &mut limits, metrics: &mut metrics };
        let stop = flood::expand::<false, _>(grid, (kind, steps), scratch, run, &mut closed);
        starts = &[];
        if stop != Stop::Budget || is_enough(&closed.0) {
            return Ok(closed.0);
        }
    }
}

/// An observer that collects closed cells.
struct ClosedCells(Vec<Reached>);

impl SearchObserver for ClosedCells {
    fn event(&mut self, event: SearchEvent) {
        if event.kind == SearchEventKind::Closed {
            self.0.push(Reached { cell: event.cell, before: event.parent, cost: event.g });
        }
    }
}
