//! A search from its question to its answer: planning, running in slices, and writing down the path.

use core::cell::RefCell;
use core::marker::PhantomData;
use core::ops::Deref;

use super::any_angle::{AnyAngle, Intervals};
use super::astar::{Neighbors, Order};
use super::costs::StepCosts;
use super::frontier::{Buckets, Heap};
use super::jps::{Always, Jumps, Never, OneFree};
use super::nodes::{Node, Nodes};
use super::path::{measure, waypoints};
use super::plan::Plan;
use super::strategy::{Kernel, Stop, UnitLimits};
use super::targets::Targets;
use super::theta::Theta;
use super::visible::{Views, Visible};
use super::{Algorithm, Answer, Limits, Listener, Metrics, Outcome, Query, SearchError, Why};
use crate::grid::{Cell, CornerRule, Grid};

/// Memory that searches work in. Lend the same one to search after search: after the first on a grid
/// of that size a search allocates nothing but its answer.
///
/// It takes 12 bytes a cell of the largest grid searched, and 8 for each cell on the open list. Shortest
/// paths at any angle keep about 60 bytes for everything in view that is still to be followed: little on
/// most maps, up to 40 bytes a cell on one full of pillars.
#[derive(Clone, Debug, Default)]
pub struct SearchSpace {
    pub(super) nodes: Nodes,
    pub(super) buckets: Buckets,
    pub(super) heap: Heap,
    pub(super) costs: StepCosts,
    pub(super) targets: Targets,
    intervals: Intervals,
    views: Views,
    cells: Vec<Cell>,
}

/// Whether a search goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress {
    /// There is more to do.
    Running,
    /// The answer is there.
    Done,
}

/// A search that runs a few expansions at a time and can be dropped at any moment.
///
/// `G` is a grid by reference or in an `Arc`. However the work is sliced, the answer is the same.
///
/// ```
/// use pathfind_core::{Cell, Grid, Progress, Query, Search, SearchSpace};
/// let grid = Grid::new(100, 100)?;
/// let query = Query::new(Cell::new(0, 0), Cell::new(99, 40));
/// let mut search = Search::new(&grid, query, SearchSpace::default());
/// while search.step(20) == Progress::Running { /* draw a frame */ }
/// let (answer, space) = search.finish();
/// assert_eq!(answer?.end(), Cell::new(99, 40));
/// # let _ = space;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<G> {
    grid: G,
    query: Query,
    space: SearchSpace,
    run: Run,
}

impl<G: Deref<Target = Grid>> Search<G> {
    /// Begins a search; what is wrong with the query is its answer.
    pub fn new(grid: G, query: Query, mut space: SearchSpace) -> Self {
        let run = Run::begin(&grid, &query, &mut space);
        Self { grid, query, space, run }
    }

    /// Expands at most so many nodes.
    pub fn step(&mut self, expansions: u32) -> Progress {
        self.step_with(expansions, &mut ())
    }

    /// Expands at most so many nodes, and tells a listener.
    pub fn step_with<L: Listener>(&mut self, expansions: u32, listener: &mut L) -> Progress {
        self.run.step(&self.grid, &self.query, &mut self.space, expansions, listener)
    }

    /// What the search did so far.
    pub fn metrics(&self) -> Metrics {
        self.run.metrics
    }

    /// The grid that is searched.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The question.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Takes the answer, and the memory back.
    ///
    /// # Errors
    /// A [`SearchError`] that says what was wrong with the query, that nothing leads to the goal, or
    /// that the search was not [done](Progress::Done).
    pub fn finish(self) -> (Result<Answer, SearchError>, SearchSpace) {
        (self.run.answer(&self.grid, &self.query, &self.space), self.space)
    }
}

/// Searches in one go.
///
/// # Errors
/// A [`SearchError`] that says what was wrong with the query, or that nothing leads to the goal.
pub fn solve(grid: &Grid, query: &Query, space: &mut SearchSpace) -> Result<Answer, SearchError> {
    let mut run = Run::begin(grid, query, space);
    while run.step(grid, query, space, u32::MAX, &mut ()) == Progress::Running {}
    run.answer(grid, query, space)
}

/// The state of a search, apart from what it works on.
#[derive(Debug)]
struct Run {
    plan: Plan,
    opened: bool,
    /// Why the targets are not the goal.
    short: Option<Why>,
    limits: UnitLimits,
    metrics: Metrics,
    end: Option<Result<(Node, Option<Why>), SearchError>>,
}

impl Run {
    fn begin(grid: &Grid, query: &Query, space: &mut SearchSpace) -> Self {
        let targets = Self::check(grid, query, space);
        let mut run = Self {
            plan: Plan::new(query, &space.costs, &space.targets),
            opened: false,
            short: None,
            limits: UnitLimits::default(),
            metrics: Metrics::default(),
            end: None,
        };
        match targets {
            Ok(short) => run.short = short,
            Err(error) => run.end = Some(Err(error)),
        }
        if run.end.is_none() {
            run.prepare(grid, query, space);
        }
        run
    }

    /// Checks the query and finds its targets.
    fn check(grid: &Grid, query: &Query, space: &mut SearchSpace) -> Result<Option<Why>, SearchError> {
        let &Query { start, kind, steps, .. } = query;
        if grid.kind(kind).is_none() {
            return Err(SearchError::UnknownKind(kind));
        }
        if !grid.contains(start) {
            return Err(SearchError::StartOutside(start));
        }
        if !grid.is_walkable(kind, start) {
            return Err(SearchError::StartBlocked(start));
        }
        if query.algorithm == Algorithm::WeightedAStar && !Query::WEIGHTS.contains(&query.weight) {
            return Err(SearchError::BadWeight);
        }
        let finer = match query.algorithm {
            Algorithm::Theta | Algorithm::LazyTheta => 10,
            Algorithm::AnyAngle => 100,
            _ => 1,
        };
        space.costs.set(grid, kind, steps, finer);
        space.targets.set(grid, query, &space.costs, &mut space.cells)
    }

    /// Readies the memory.
    fn prepare(&mut self, grid: &Grid, query: &Query, space: &mut SearchSpace) {
        let costs = &space.costs;
        // Any-angle search remembers the corners of cells: one more in each row and column.
        let more = u32::from(self.plan.crosses_intervals(query));
        space.nodes.begin(grid.width() + more, grid.height() + more);
        self.limits = UnitLimits {
            expansions: query.limits.expansions.unwrap_or(u64::MAX),
            cost: query.limits.cost.map_or(u64::MAX, |cost| costs.units(cost)).min(Nodes::MAX_COST),
            watch: query.limits != Limits::default(),
            ..UnitLimits::default()
        };
        if self.plan.monotone {
            let h = space.targets.estimate(self.plan.heuristic, costs, query.start.into());
            let first = if self.plan.order == Order::Cost { 0 } else { h };
            space.buckets.begin(first, self.plan.window);
        } else {
            space.heap.begin();
        }
    }

    fn step<L: Listener>(
        &mut self,
        grid: &Grid,
        query: &Query,
        space: &mut SearchSpace,
        budget: u32,
        listener: &mut L,
    ) -> Progress {
        if self.end.is_some() {
            return Progress::Done;
        }
        let stop = self.expand(grid, query, space, budget, listener);
        let limited = |limits: &UnitLimits, why| match limits.nearest {
            Some((_, _, node)) if query.allow_partial => Ok((node, Some(why))),
            _ => Err(SearchError::LimitReached),
        };
        self.end = match stop {
            Stop::Budget => return Progress::Running,
            Stop::Found(node) => Some(Ok((node, self.short))),
            Stop::Limit => Some(limited(&self.limits, Why::ExpansionLimit)),
            Stop::Exhausted if self.limits.cut => Some(limited(&self.limits, Why::CostLimit)),
            Stop::Exhausted => Some(Err(SearchError::Unreachable)),
        };
        Progress::Done
    }

    /// Puts together strategy and open list, and runs them.
    fn expand<L: Listener>(
        &mut self,
        grid: &Grid,
        query: &Query,
        space: &mut SearchSpace,
        budget: u32,
        listener: &mut L,
    ) -> Stop {
        let SearchSpace { nodes, buckets, heap, costs, targets, intervals, views, .. } = space;
        let rows = grid.rows(query.kind).expect("the kind was checked");
        let columns = grid.columns(query.kind).expect("the kind was checked");
        let stops = grid.stops(query.kind).expect("the kind was checked");
        let (costs, targets) = (&*costs, &*targets);
        let single = || targets.single().expect("it was planned for one target");
        if self.plan.crosses_intervals(query) {
            let (goal, corners, metrics) = (single(), query.steps.corners, &mut self.metrics);
            let (memory, queue, best) = (intervals, heap, nodes);
            let mut search = AnyAngle { rows, corners, goal, memory, queue, best, metrics, listener };
            let open = !std::mem::replace(&mut self.opened, true);
            let found = if open { search.open(query.start) } else { None };
            return found.unwrap_or_else(|| search.run_slice(budget));
        }
        let Self { plan, opened, limits, metrics, .. } = self;
        let kernel = Kernel { nodes, costs, targets, heuristic: plan.heuristic, metrics, limits };
        let start = [Node::from(query.start)];
        let start = if std::mem::replace(opened, true) { &[] } else { start.as_slice() };
        let (steps, corners, order) = (query.steps, query.steps.corners, plan.order);
        match (plan.algorithm, costs.weighted, plan.monotone) {
            (Algorithm::Jps, ..) => match corners {
                CornerRule::Never => {
                    let jumps =
                        Jumps::<Never> { rows, columns, stops, costs, goal: single(), rule: PhantomData };
                    kernel.run(start, &jumps, buckets, budget, listener)
                }
                CornerRule::OneFree => {
                    let jumps =
                        Jumps::<OneFree> { rows, columns, stops, costs, goal: single(), rule: PhantomData };
                    kernel.run(start, &jumps, buckets, budget, listener)
                }
                CornerRule::Always => {
                    let jumps =
                        Jumps::<Always> { rows, columns, stops, costs, goal: single(), rule: PhantomData };
                    kernel.run(start, &jumps, buckets, budget, listener)
                }
            },
            (Algorithm::AnyAngle, ..) => {
                let lent = RefCell::new(std::mem::take(views));
                let visible = Visible { rows, columns, costs, views: &lent };
                let stop = kernel.run(start, &visible, buckets, budget, listener);
                *views = lent.into_inner();
                stop
            }
            (Algorithm::Theta, ..) => {
                let theta = Theta::<false> { rows, columns, corners, costs };
                kernel.run(start, &theta, buckets, budget, listener)
            }
            (Algorithm::LazyTheta, ..) => {
                let theta = Theta::<true> { rows, columns, corners, costs };
                kernel.run(start, &theta, buckets, budget, listener)
            }
            (_, false, true) => {
                let neighbors = Neighbors::<false> { grid, rows, steps, costs, order };
                kernel.run(start, &neighbors, buckets, budget, listener)
            }
            (_, false, false) => {
                let neighbors = Neighbors::<false> { grid, rows, steps, costs, order };
                kernel.run(start, &neighbors, heap, budget, listener)
            }
            (_, true, true) => {
                let neighbors = Neighbors::<true> { grid, rows, steps, costs, order };
                kernel.run(start, &neighbors, buckets, budget, listener)
            }
            (_, true, false) => {
                let neighbors = Neighbors::<true> { grid, rows, steps, costs, order };
                kernel.run(start, &neighbors, heap, budget, listener)
            }
        }
    }

    fn answer(&self, grid: &Grid, query: &Query, space: &SearchSpace) -> Result<Answer, SearchError> {
        let (end, why) = self.end.unwrap_or(Err(SearchError::Unfinished))?;
        let waypoints = if self.plan.crosses_intervals(query) {
            space.intervals.waypoints(end.cell())
        } else {
            waypoints(&space.nodes, end, self.plan.algorithm.is_any_angle())
        };
        let (cost, length) = measure(grid, query, space.costs.weighted, &waypoints);
        Ok(Answer {
            outcome: match why {
                None => Outcome::Complete,
                Some(why) => Outcome::Partial { nearest: end.cell(), why },
            },
            waypoints,
            cost,
            length,
            algorithm: self.plan.algorithm,
            bound: self.plan.bound.filter(|_| !matches!(why, Some(Why::ExpansionLimit | Why::CostLimit))),
            metrics: self.metrics,
            revision: grid.revision(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn searches_and_their_memory_go_to_other_threads() {
        fn goes<T: Send + Sync>() {}
        goes::<SearchSpace>();
        goes::<Search<Arc<Grid>>>();
    }
}
