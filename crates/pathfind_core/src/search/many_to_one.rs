//! Paths from many starts to one goal by one search, backwards from the goal until all starts are reached.
//!
//! Where terrain costs are the same everywhere and there are no cliffs and no rules of edges, the search jumps. Its
//! runs pass the starts without stopping, and note the path to each; a path is final once no open node can lead to a
//! cheaper one. Nodes are expanded in order of cost, so that no start has an effect on the search, nor on the path of
//! another one.

use core::ops::Deref;

use super::astar::KeyOrder;
use super::jps::{Arrivals, Ends, JumpTables};
use super::nodes::{AdjacentParent, AnyParent, Node, ParentEncoding};
use super::path::{Leg, measure, visit_turns};
use super::run::{Slice, check_start, prepare_flood};
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{
    Algorithm, Answer, Goal, Heuristic, Metrics, Outcome, PartialReason, PathQuery, Progress, SearchError,
    SearchScratch,
};
use crate::grid::{Directions, Grid, GridCell, KindId};

/// The least number of expansions between two checks whether all starts are reached, in a search cell by cell. A check
/// looks at each start that is left, so there are at least as many expansions between two checks as starts are left.
const CHECK_INTERVAL: usize = 1024;
/// Most jumps cost less than this, in units of the search: the window of the open list.
const JUMPING_WINDOW: u64 = 1 << 16;

/// Shortest paths from many starts to one goal: one search backwards from the goal, a few expansions at a time. Where
/// terrain costs are the same everywhere and there are no cliffs, no fences and no rules of edges, it goes from jump
/// point to jump point, else from cell to cell.
///
/// The search stops within 1,024 expansions after the last start is reached, or as many as there are starts if these
/// are more. Each path costs as much as that of a search for its start alone; of several cheapest paths it may be
/// another one. A path depends neither on how the work is sliced nor on the other starts. The query's algorithm,
/// heuristic and limits are ignored.
///
/// ```
/// use pathfind_core::{GridCell, Grid, ManyToOne, Progress, PathQuery, SearchScratch};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let starts = [GridCell::new(0, 0), GridCell::new(0, 2)];
/// let query = PathQuery::new(starts[0], GridCell::new(4, 0));
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
    /// Where the search begins.
    goals: Vec<Node>,
    /// Whether the goals have been opened.
    opened: bool,
    /// The starts whose paths were not known to be final when this was last checked.
    left: Vec<Node>,
    /// The number of expansions at which this is checked next.
    next_check: u64,
    /// The cheapest path to each start so far, if the search jumps; `None` if it goes from cell to cell.
    arrivals: Option<Arrivals>,
    /// The greatest cost that a record with an [`AnyParent`] holds; less in a test only.
    max_far_cost: u64,
    /// Why `goals` are not the query's goal; `None` if they are.
    partial_reason: Option<PartialReason>,
    metrics: Metrics,
    /// Set once the search has ended, with the error of an invalid query.
    end: Option<Result<(), SearchError>>,
}

impl<G: Deref<Target = Grid>> ManyToOne<G> {
    /// Begins a search for a query, for its own start and for the others in `starts`. An error in the query is the
    /// answer for every start.
    pub fn new(grid: G, query: PathQuery, starts: &[GridCell], scratch: SearchScratch) -> Self {
        let steps = grid.steps_for(query.kind, query.steps);
        let query = query.with_steps(steps);
        let mut search = Self {
            grid,
            query,
            scratch,
            goals: Vec::new(),
            opened: false,
            left: Vec::new(),
            next_check: 0,
            arrivals: None,
            max_far_cost: AnyParent::MAX_COST,
            partial_reason: None,
            metrics: Metrics::default(),
            end: None,
        };
        match search.prepare(starts) {
            Ok(reason) => search.partial_reason = reason,
            Err(error) => search.end = Some(Err(error)),
        }
        search
    }

    /// Checks the query, finds the goals and empties the scratch memory.
    fn prepare(&mut self, starts: &[GridCell]) -> Result<Option<PartialReason>, SearchError> {
        let Self { grid, query, scratch, .. } = self;
        let &mut PathQuery { start, kind, steps, .. } = query;
        check_start(grid, kind, start)?;
        let region = grid.region(kind, steps, start);
        scratch.costs.set(grid, kind, steps, 1);
        let partial_reason = scratch.targets.set(grid, query, &scratch.costs, &mut scratch.found_cells)?;
        let joined = |&cell: &GridCell| grid.region(kind, steps, cell) == region;
        self.goals = match query.goal {
            Goal::Within { center, radius } if partial_reason.is_none() => {
                grid.cells_within(center, radius).filter(joined).map(Node::from).collect()
            }
            _ => scratch.targets.nodes().to_vec(),
        };
        self.left =
            starts.iter().filter(|cell| joined(cell)).chain([&start]).map(|&cell| cell.into()).collect();
        self.left.sort_unstable();
        self.left.dedup();
        prepare_flood(grid, scratch);
        if !scratch.costs.weighted {
            scratch.buckets.begin(0, JUMPING_WINDOW);
            let paths = Arrivals::new(self.left.clone());
            for &goal in self.goals.iter().filter(|goal| (&paths).contains(goal.cell())) {
                (&paths).arrive(goal, goal, 0);
            }
            self.arrivals = Some(paths);
        }
        Ok(partial_reason)
    }

    /// Expands at most `expansions` cells.
    pub fn step(&mut self, expansions: u32) -> Progress {
        let mut budget = expansions;
        while self.end.is_none() && budget > 0 {
            let before = self.metrics.expanded;
            let count = (self.next_check - before).min(u64::from(budget)) as u32;
            let stop = self.expand(count);
            budget -= (self.metrics.expanded - before) as u32;
            let is_exhausted = stop == Stop::Exhausted;
            if is_exhausted || self.metrics.expanded >= self.next_check && self.has_reached_all() {
                let most = self.max_far_cost;
                match self.arrivals.take_if(|paths| paths.greatest_cost() > most) {
                    None => self.end = Some(Ok(())),
                    // The path to a start costs more than a record with a far parent holds: again, cell by cell.
                    Some(paths) => {
                        (self.left, self.opened) = (paths.into_nodes(), false);
                        prepare_flood(&self.grid, &mut self.scratch);
                    }
                }
            }
        }
        if self.end.is_some() { Progress::Done } else { Progress::Running }
    }

    /// Whether the paths to all starts are known, and none can be cheaper.
    fn has_reached_all(&mut self) -> bool {
        #[cfg(test)]
        crate::testing::count(self.left.len());
        let SearchScratch { nodes, buckets, .. } = &self.scratch;
        // Paths over nodes of the same cost or more cost more.
        let most = buckets.last_key();
        self.left.retain(|&start| match &self.arrivals {
            None => !nodes.is_closed(start),
            Some(paths) => paths.path(start).is_none_or(|(cost, _)| cost > most),
        });
        let least = if self.arrivals.is_none() { CHECK_INTERVAL } else { 1 };
        self.next_check = self.metrics.expanded + self.left.len().max(least) as u64;
        self.left.is_empty()
    }

    fn expand(&mut self, budget: u32) -> Stop {
        let Self { grid, query, scratch, goals, opened, metrics, arrivals, max_far_cost, .. } = self;
        let starts = if std::mem::replace(opened, true) { &[] } else { goals.as_slice() };
        let &mut PathQuery { kind, steps, .. } = query;
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = scratch;
        let (costs, targets) = (&*costs, &*targets);
        let cost = if arrivals.is_some() { *max_far_cost } else { u64::MAX };
        let limits = &mut UnitLimits { cost, ..UnitLimits::none() };
        // The order is by cost alone. The heuristic, which has no effect on it, is one that is computed fast.
        let kernel = Kernel { nodes, costs, targets, heuristic: Heuristic::Chebyshev, metrics, limits };
        let mut slice = Slice { kernel, starts, buckets, heap, budget, observer: &mut () };
        let Some(paths) = arrivals else {
            return slice.cell_by_cell::<true>(grid, (kind, steps), KeyOrder::Cost, true);
        };
        let tables = JumpTables::new(grid, kind, steps, costs);
        slice.jump::<false>(tables, steps, &*paths)
    }

    /// The answer for a start, or the error of the query. `None` if the search did not reach the start: it lies in
    /// another connected region than the start of the query, rules of edges close its way to the goal, or it was not
    /// among the starts. It needs its own query.
    pub fn answer(&self, start: GridCell) -> Option<Result<Answer, SearchError>> {
        match self.end {
            None => return Some(Err(SearchError::Unfinished)),
            Some(Err(error)) => return Some(Err(error)),
            Some(Ok(())) => (),
        }
        if !self.grid.contains(start) {
            return None;
        }
        let (nodes, node) = (&self.scratch.nodes, Node::from(start));
        // The search went from the goals to the start, so the walk back over the parents follows the path.
        let mut waypoints = Vec::new();
        let visit = |cell: GridCell| waypoints.push(cell.center());
        let algorithm = match &self.arrivals {
            None => {
                let parent = nodes.is_closed(node).then(|| nodes.parent::<AdjacentParent>(node))?;
                visit_turns::<AdjacentParent>(nodes, [node, parent], Leg::Line, visit);
                Algorithm::Dijkstra
            }
            Some(paths) => {
                let leg = match self.query.steps.directions {
                    Directions::Four => Leg::ColumnFirst,
                    Directions::Eight => Leg::DiagonalFirst,
                };
                // Not the parent that the start has as a node, if it is one: a goal that sees all starts ends the
                // search before they become nodes.
                let (_, parent) = paths.path(node)?;
                visit_turns::<AnyParent>(nodes, [node, parent], leg, visit);
                Algorithm::Jps
            }
        };
        let (cost, length) = measure(&self.grid, &self.query, self.scratch.costs.weighted, &waypoints);
        let end = GridCell::containing(*waypoints.last().expect("a path has at least its start"));
        Some(Ok(Answer {
            outcome: self
                .partial_reason
                .map_or(Outcome::Complete, |reason| Outcome::Partial { nearest: end, reason }),
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

/// Whether one [`ManyToOne`] to a goal is likely cheaper than a search for each of the starts: a rule of
/// thumb.
///
/// A search is taken to last as long as the straight distance from its start to the goal, and a [`ManyToOne`] as long
/// as so many searches for the farthest start: 8 where terrain costs are the same everywhere and there are no cliffs,
/// 12 where jump point search runs through areas of one cost, and 3 where A* has to go from cell to cell.
///
/// Measured on 17 MovingAI maps and on random walls, pillars and mazes made in code, with eight directions and four,
/// a [`ManyToOne`] for one start takes 5.9 times as long as its search as the geometric mean (mazes 1.1 to 1.7, game
/// maps 1.4 to 9, cities 9 to 20, walls scattered over a tenth of the cells 35 to 84); with blocks of 8×8 cells of
/// another cost 10.6 times (2 to 157), and with costs that differ from cell to cell 1.6 times (0.9 to 2.5).
pub fn many_to_one_pays(
    grid: &Grid,
    kind: KindId,
    goal: GridCell,
    starts: impl Iterator<Item = GridCell>,
) -> bool {
    let searches = match (grid.borders(kind).is_none(), grid.has_wide_areas(kind)) {
        (true, _) => 8.0,
        (false, true) => 12.0,
        (false, false) => 3.0,
    };
    let distances = starts.map(|start| (start.distance_squared(goal) as f64).sqrt());
    let (all, farthest) = distances.fold((0.0, 0.0_f64), |(all, farthest), d| (all + d, farthest.max(d)));
    all > searches * farthest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Terrain;
    use crate::testing::{walled, winding, work_of};

    /// The work is the number of looks at a start that is left.
    #[test]
    fn looking_for_starts_that_are_left_takes_less_than_the_search() {
        let mut grid = walled(200, 200, |GridCell { x, y }| x % 4 == 1 && y % 3 == 1);
        let starts: Vec<GridCell> =
            grid.bounds().cells().filter(|cell| cell.x > 60 && cell.x % 4 == 0).collect();
        for is_weighted in [false, true] {
            if is_weighted {
                grid.set(GridCell::new(3, 3), Terrain::weight(2)).expect("it is on the grid");
            }
            let query = PathQuery::new(starts[0], GridCell::new(0, 0));
            let mut search = ManyToOne::new(&grid, query, &starts, SearchScratch::default());
            let work = work_of(|| while search.step(1000) == Progress::Running {});
            assert!(work <= search.metrics().expanded + starts.len() as u64, "{work}");
        }
    }

    /// The test lowers the greatest cost of a record, in place of a map of 100 million cells.
    #[test]
    fn where_a_record_does_not_hold_the_cost_the_search_goes_cell_by_cell() {
        let grid = winding();
        let starts = [GridCell::new(0, 20), GridCell::new(9, 2)];
        let query = PathQuery::new(starts[0], GridCell::new(0, 0));
        let exact = starts.map(|start| {
            let query = PathQuery { start, ..query.clone() }.with_algorithm(Algorithm::Dijkstra);
            crate::solve(&grid, &query, &mut SearchScratch::default()).unwrap().cost
        });
        for slice in [7, u32::MAX] {
            let mut search = ManyToOne::new(&grid, query.clone(), &starts, SearchScratch::default());
            search.max_far_cost = search.scratch.costs.units(50.0);
            while search.step(slice) == Progress::Running {}
            let answers = starts.iter().map(|&start| search.answer(start).unwrap().unwrap());
            for (answer, exact) in answers.zip(exact) {
                assert_eq!(answer.algorithm, Algorithm::Dijkstra);
                assert!((answer.cost - exact).abs() < 1e-9, "{} is not {exact}", answer.cost);
            }
        }
    }
}
