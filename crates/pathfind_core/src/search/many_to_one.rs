//! Paths from many starts to one goal by one search, backwards from the goal until all starts are reached.
//!
//! Where terrain costs are the same everywhere, the search jumps. Its runs pass the starts without stopping, and note the
//! path to each: so a start has no effect on the search, nor on the path of another one.

use core::ops::Deref;

use super::flood;
use super::jps::{Arrivals, Ends, JumpTables};
use super::nodes::{AdjacentParent, AnyParent, Node, ParentEncoding};
use super::path::{Leg, measure, waypoints};
use super::run::{self, check_start};
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{
    Algorithm, Answer, Goal, Heuristic, Metrics, Outcome, PartialReason, PathQuery, Progress, SearchError,
    SearchScratch,
};
use crate::grid::{Cell, Directions, Grid, KindId};

/// The number of expansions between two checks whether all starts are reached, in a search cell by cell.
const STRETCH: u64 = 1024;
/// The same in a search that jumps.
const JUMPING_STRETCH: u64 = 64;
/// Most jumps cost less than this, in units of the search: the window of the open list.
const JUMPING_WINDOW: u64 = 1 << 16;

/// Shortest paths from many starts to one goal: Dijkstra's search backwards from the goal, a few expansions at a
/// time. Where terrain costs are the same everywhere it goes from jump point to jump point, else from cell to cell.
///
/// The search stops within 1,024 expansions after the last start is reached. Each path costs as much as that of a
/// search for its start alone; of several cheapest paths it may be another one. A path depends neither on the other
/// starts nor on how the work is sliced. The query's algorithm, heuristic and limits are ignored.
///
/// ```
/// use pathfind_core::{Cell, Grid, ManyToOne, Progress, PathQuery, SearchScratch};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let starts = [Cell::new(0, 0), Cell::new(0, 2)];
/// let query = PathQuery::new(starts[0], Cell::new(4, 0));
/// let mut search = ManyToOne::new(&grid, query, &starts, SearchScratch::default());
/// while search.step(20) == Progress::Running { /* draw a frame */ }
/// let costs = starts.map(|start| search.answer(start).expect("all are joined").map(|answer| answer.cost));
/// assert_eq!(costs, [Ok(4.0), Ok(6.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ManyToOne<G> {
    grid: G,
    query: PathQuery,
    scratch: SearchScratch,
    /// Where the search begins; empty after the first expansion.
    goals: Vec<Node>,
    /// What is known of the starts.
    reached: ReachedStarts,
    /// Why `goals` are not the query's goal; `None` if they are.
    short: Option<PartialReason>,
    metrics: Metrics,
    /// Set once the search has ended, with the error of an invalid query.
    end: Option<Result<(), SearchError>>,
}

/// How the search finds the starts.
#[derive(Debug)]
enum ReachedStarts {
    /// Cell by cell: the starts that are not reached yet, as far as checked.
    Left(Vec<Node>),
    /// By jumps: the paths to the starts that runs pass.
    Passed(Arrivals),
}

impl<G: Deref<Target = Grid>> ManyToOne<G> {
    /// Begins a search for a query, for its own start and for the others in `starts`. An error in the query is the
    /// answer for every start.
    pub fn new(grid: G, query: PathQuery, starts: &[Cell], scratch: SearchScratch) -> Self {
        let steps = grid.steps_for(query.kind, query.steps);
        let query = query.with_steps(steps);
        let mut search = Self {
            grid,
            query,
            scratch,
            goals: Vec::new(),
            reached: ReachedStarts::Left(Vec::new()),
            short: None,
            metrics: Metrics::default(),
            end: None,
        };
        match search.prepare(starts) {
            Ok(short) => search.short = short,
            Err(error) => search.end = Some(Err(error)),
        }
        search
    }

    /// Checks the query, finds the goals and empties the scratch memory.
    fn prepare(&mut self, starts: &[Cell]) -> Result<Option<PartialReason>, SearchError> {
        let Self { grid, query, scratch, .. } = self;
        check_start(grid, query)?;
        let &mut PathQuery { start, kind, steps, .. } = query;
        let region = grid.region(kind, steps, start);
        scratch.costs.set(grid, kind, steps, 1);
        let short = scratch.targets.set(grid, query, &scratch.costs, &mut scratch.found_cells)?;
        let joined = |&cell: &Cell| grid.region(kind, steps, cell) == region;
        self.goals = match query.goal {
            Goal::Within { center, radius } if short.is_none() => {
                grid.cells_within(center, radius).filter(joined).map(Node::from).collect()
            }
            _ => scratch.targets.nodes().to_vec(),
        };
        let mut starts: Vec<Node> =
            starts.iter().filter(|cell| joined(cell)).map(|&cell| cell.into()).collect();
        starts.push(start.into());
        flood::begin(grid, scratch);
        // No path is longer than there are cells: its cost fits into a record.
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        if !scratch.costs.weighted && cells * scratch.costs.greatest <= AnyParent::MAX_COST {
            scratch.buckets.begin(0, JUMPING_WINDOW);
            let arrivals = Arrivals::new(starts);
            for &goal in self.goals.iter().filter(|goal| (&arrivals).contains(goal.cell())) {
                (&arrivals).arrive(goal, goal, 0);
            }
            self.reached = ReachedStarts::Passed(arrivals);
        } else {
            self.reached = ReachedStarts::Left(starts);
        }
        Ok(short)
    }

    /// Expands at most `expansions` cells.
    pub fn step(&mut self, expansions: u32) -> Progress {
        let mut budget = expansions;
        while self.end.is_none() && budget > 0 {
            let before = self.metrics.expanded;
            let stretch = if let ReachedStarts::Left(_) = self.reached { STRETCH } else { JUMPING_STRETCH };
            let count = (stretch - before % stretch).min(u64::from(budget)) as u32;
            let stop = self.expand(count);
            budget -= (self.metrics.expanded - before) as u32;
            let is_exhausted = stop == Stop::Exhausted;
            if is_exhausted || self.metrics.expanded.is_multiple_of(stretch) && self.has_reached_all() {
                self.end = Some(Ok(()));
                self.link_passed_starts();
            }
        }
        if self.end.is_some() { Progress::Done } else { Progress::Running }
    }

    /// Whether the paths to all starts are known, and no other one is as cheap as the dearest of them.
    fn has_reached_all(&mut self) -> bool {
        let SearchScratch { nodes, buckets, .. } = &self.scratch;
        match &mut self.reached {
            ReachedStarts::Left(left) => {
                left.retain(|&start| !nodes.is_closed(start));
                left.is_empty()
            }
            ReachedStarts::Passed(arrivals) => {
                arrivals.greatest_cost().is_some_and(|greatest| greatest < buckets.last_key())
            }
        }
    }

    /// Makes nodes of the starts that runs have passed.
    fn link_passed_starts(&mut self) {
        let ReachedStarts::Passed(arrivals) = &self.reached else { return };
        let nodes = &mut self.scratch.nodes;
        arrivals.each_found(|start, g, parent| {
            // A node of the same cost keeps its own path. One that costs more lies on no other start's path.
            if g < nodes.g::<AnyParent>(start) {
                nodes.relink::<AnyParent>(start, g, parent);
            }
        });
    }

    fn expand(&mut self, budget: u32) -> Stop {
        let Self { grid, query, scratch, goals, metrics, reached, .. } = self;
        let starts = &*std::mem::take(goals);
        let limits = &mut UnitLimits::none();
        let &mut PathQuery { kind, steps, .. } = query;
        let ReachedStarts::Passed(arrivals) = reached else {
            let slice = flood::Slice { starts, budget, limits, metrics };
            return flood::expand::<true, _>(grid, (kind, steps), scratch, slice, &mut ());
        };
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = scratch;
        let (costs, targets) = (&*costs, &*targets);
        let tables = JumpTables {
            rows: grid.rows(kind).expect("the kind was checked"),
            columns: grid.columns(kind).expect("the kind was checked"),
            stops: grid.stops(kind).expect("the kind was checked"),
            costs,
            areas: None,
        };
        let kernel = Kernel { nodes, costs, targets, heuristic: Heuristic::Chebyshev, metrics, limits };
        let mut slice = run::Slice { kernel, starts, buckets, heap, budget, observer: &mut () };
        slice.jump::<false>(tables, steps, &*arrivals)
    }

    /// The answer for a start, or the error of the query. `None` if the search did not reach the start: it lies in
    /// another connected region than the start of the query, or was not among the starts. It needs its own query.
    pub fn answer(&self, start: Cell) -> Option<Result<Answer, SearchError>> {
        match self.end {
            None => return Some(Err(SearchError::Unfinished)),
            Some(Err(error)) => return Some(Err(error)),
            Some(Ok(())) => (),
        }
        let nodes = &self.scratch.nodes;
        let node = Node::from(start);
        let (is_reached, algorithm) = match &self.reached {
            _ if !self.grid.contains(start) => return None,
            ReachedStarts::Left(_) => (nodes.is_closed(node), Algorithm::Dijkstra),
            ReachedStarts::Passed(arrivals) => (arrivals.is_found(node), Algorithm::Jps),
        };
        if !is_reached {
            return None;
        }
        let mut waypoints = match self.query.steps.directions {
            _ if algorithm == Algorithm::Dijkstra => waypoints::<AdjacentParent>(nodes, node, Leg::Line),
            Directions::Four => waypoints::<AnyParent>(nodes, node, Leg::ColumnFirst),
            Directions::Eight => waypoints::<AnyParent>(nodes, node, Leg::DiagonalFirst),
        };
        waypoints.reverse();
        let (cost, length) = measure(&self.grid, &self.query, self.scratch.costs.weighted, &waypoints);
        let end = Cell::containing(*waypoints.last().expect("a path has at least its start"));
        Some(Ok(Answer {
            outcome: self.short.map_or(Outcome::Complete, |reason| Outcome::Partial { nearest: end, reason }),
            waypoints,
            cost,
            length,
            algorithm,
            suboptimality_bound: Some(1.0),
            metrics: self.metrics,
            revision: self.grid.revision(),
        }))
    }

    /// Counts of what the search did so far, for all starts together.
    pub fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Ends the search, and returns its memory.
    pub fn finish(self) -> SearchScratch {
        self.scratch
    }
}

/// Time of a jump point search for each cell of distance, in expansions of a [`ManyToOne`], on ordinary maps.
const CELLS_A_JUMP: f64 = 2.0;
/// Fixed time of a search for one start, in expansions of a [`ManyToOne`].
const CELLS_A_SEARCH: f64 = 60.0;

/// Whether one [`ManyToOne`] to a goal is likely cheaper than a search for each of the starts.
///
/// A rule of thumb from the straight distances d of the starts to the goal, in cells. A [`ManyToOne`] is taken to
/// expand, cell by cell, a square of half side 1.5·d + 1 for the farthest start, and at most the whole grid. A search for one start
/// is taken to last as long as 60 + 2·d of those expansions where jump point search can run, else (terrain costs that
/// differ) 60 + d²/8 for A*. `false` for fewer than four starts.
pub fn many_to_one_pays(grid: &Grid, kind: KindId, goal: Cell, starts: impl Iterator<Item = Cell>) -> bool {
    let cells = f64::from(grid.width()) * f64::from(grid.height());
    let jumps = grid.cost_span(kind).is_none_or(|span| span.min == span.max);
    let (mut count, mut each, mut farthest) = (0, 0.0, 0.0_f64);
    for start in starts {
        let distance = (start.distance_squared(goal) as f64).sqrt();
        let path_cells = if jumps { distance * CELLS_A_JUMP } else { (distance * distance / 8.0).min(cells) };
        each += CELLS_A_SEARCH + path_cells;
        count += 1;
        farthest = farthest.max(distance);
    }
    let side = 1.5 * farthest + 1.0;
    count >= 4 && each > (4.0 * side * side).min(cells)
}
