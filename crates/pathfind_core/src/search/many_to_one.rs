//! Paths from many starts to one goal by one search, backwards from the goal until all starts are reached.
//!
//! Where terrain costs are the same everywhere and there are no cliffs, the search jumps. Its runs pass the starts
//! without stopping, and note the path to each; a path is final once no open node can lead to a cheaper one. Without
//! guidance nodes are expanded in order of cost, so that no start has an effect on the search, nor on the path of
//! another one. A guided search is led to one group of starts after another, by the estimate to the rectangle round
//! the group. Once the paths to a group are final, the open list is ordered again, by the estimates to the next. What
//! is closed stays closed, because all these estimates are consistent.

use core::ops::Deref;

use super::flood;
use super::jps::{Arrivals, Ends, JumpTables};
use super::nodes::{AdjacentParent, AnyParent, Node, ParentEncoding};
use super::open_list::OpenList;
use super::path::{Leg, measure, visit_turns};
use super::run::{self, check_start};
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{
    Algorithm, Answer, Goal, Heuristic, Metrics, Outcome, PartialReason, PathQuery, Progress, SearchError,
    SearchScratch,
};
use crate::grid::{Cell, CellRect, Directions, Grid, KindId};

/// The number of expansions between two checks whether all starts are reached, in a search cell by cell.
const STRETCH: u64 = 1024;
/// The number in a search that jumps, or the size of the group of starts that it is led to, if that is less.
const JUMPING_STRETCH: usize = 64;
/// The search is led to at most so many groups of starts; the last is all the rest. Measured with 1, 3, 6, 10 and 16,
/// on six maps with starts all over them, as parts of the time of a search in order of cost: 4 starts take 1.20,
/// 0.45, 0.34, 0.34 and 0.35, 16 take 1.13, 1.01, 0.84, 0.76 and 0.75, and 60 take 1.17, 1.02, 1.00, 1.00 and 1.01.
const GROUPS: usize = 10;
/// Most jumps cost less than this, in units of the search: the window of the open list.
const JUMPING_WINDOW: u64 = 1 << 16;

/// Shortest paths from many starts to one goal, or from a few ([`guided`](Self::guided)): one search backwards from
/// the goal, a few expansions at a time. Where terrain costs are the same everywhere and there are no cliffs, it goes
/// from jump point to jump point, else from cell to cell.
///
/// The search stops within 1,024 expansions after the last start is reached. Each path costs as much as that of a
/// search for its start alone; of several cheapest paths it may be another one. A path does not depend on how the
/// work is sliced, and, if the search is not guided, not on the other starts. The query's algorithm, heuristic and
/// limits are ignored.
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
    /// Where the search begins.
    goals: Vec<Node>,
    /// Whether the goals have been opened.
    opened: bool,
    method: Method,
    /// The greatest cost that a record with an [`AnyParent`] holds; less in a test only.
    max_far_cost: u64,
    /// Why `goals` are not the query's goal; `None` if they are.
    partial_reason: Option<PartialReason>,
    metrics: Metrics,
    /// Set once the search has ended, with the error of an invalid query.
    end: Option<Result<(), SearchError>>,
}

/// How the search goes on from a node, and what it knows of the starts.
#[derive(Debug)]
enum Method {
    /// Cell by cell: the starts that were not reached when this was last checked.
    CellByCell(Vec<Node>),
    /// From jump point to jump point.
    Jumps(Jumping),
}

/// The starts of a search that jumps, whose runs pass them without stopping, and how the search is led to them.
#[derive(Debug)]
struct Jumping {
    /// The cheapest path to each start so far.
    paths: Arrivals,
    /// The group that the search is led to: those of its starts whose paths are not known to be final.
    group: Vec<Cell>,
    ungrouped: UngroupedStarts,
    is_guided: bool,
    heuristic: Heuristic,
}

/// The starts in no group yet, which are taken group by group.
#[derive(Debug)]
struct UngroupedStarts {
    /// Those far from the goal last.
    starts: Vec<Cell>,
    goal: Cell,
    /// How many groups have been taken.
    groups: usize,
}

impl UngroupedStarts {
    fn new(mut starts: Vec<Cell>, goal: Cell, groups: usize) -> Self {
        starts.sort_unstable_by_key(|start| (start.distance_squared(goal), start.y, start.x));
        starts.dedup();
        Self { starts, goal, groups }
    }

    /// Takes the farthest start, and those that are at most a quarter as far from it as it is from the goal. The
    /// farthest come first because the paths to many of the nearer ones are then known. Empty if no start is left.
    fn take_group(&mut self) -> Vec<Cell> {
        let Some(&farthest) = self.starts.last() else { return Vec::new() };
        self.groups += 1;
        let radius_squared = farthest.distance_squared(self.goal) / 16;
        let is_near = |start: &mut Cell| start.distance_squared(farthest) <= radius_squared;
        let is_last = self.groups == GROUPS;
        self.starts.extract_if(.., |start| is_last || is_near(start)).collect()
    }
}

impl<G: Deref<Target = Grid>> ManyToOne<G> {
    /// Begins a search for a query, for its own start and for the others in `starts`. An error in the query is the
    /// answer for every start.
    pub fn new(grid: G, query: PathQuery, starts: &[Cell], scratch: SearchScratch) -> Self {
        Self::begin(grid, query, (starts, false), scratch)
    }

    /// Begins a search that, where terrain costs are the same everywhere, is led to the starts: for one start it
    /// takes about as long as a search for it alone, and hardly longer for several that are near one another. Which
    /// of several cheapest paths a start gets then depends on the other starts.
    pub fn guided(grid: G, query: PathQuery, starts: &[Cell], scratch: SearchScratch) -> Self {
        Self::begin(grid, query, (starts, true), scratch)
    }

    fn begin(
        grid: G,
        query: PathQuery,
        (starts, is_guided): (&[Cell], bool),
        scratch: SearchScratch,
    ) -> Self {
        let steps = grid.steps_for(query.kind, query.steps);
        let query = query.with_steps(steps);
        let mut search = Self {
            grid,
            query,
            scratch,
            goals: Vec::new(),
            opened: false,
            method: Method::CellByCell(Vec::new()),
            max_far_cost: AnyParent::MAX_COST,
            partial_reason: None,
            metrics: Metrics::default(),
            end: None,
        };
        match search.prepare(starts, is_guided) {
            Ok(reason) => search.partial_reason = reason,
            Err(error) => search.end = Some(Err(error)),
        }
        search
    }

    /// Checks the query, finds the goals and empties the scratch memory.
    fn prepare(&mut self, starts: &[Cell], is_guided: bool) -> Result<Option<PartialReason>, SearchError> {
        let Self { grid, query, scratch, .. } = self;
        let &mut PathQuery { start, kind, steps, .. } = query;
        check_start(grid, kind, start)?;
        let region = grid.region(kind, steps, start);
        scratch.costs.set(grid, kind, steps, 1);
        let partial_reason = scratch.targets.set(grid, query, &scratch.costs, &mut scratch.found_cells)?;
        let joined = |&cell: &Cell| grid.region(kind, steps, cell) == region;
        self.goals = match query.goal {
            Goal::Within { center, radius } if partial_reason.is_none() => {
                grid.cells_within(center, radius).filter(joined).map(Node::from).collect()
            }
            _ => scratch.targets.nodes().to_vec(),
        };
        let starts: Vec<Cell> = starts.iter().filter(|cell| joined(cell)).copied().chain([start]).collect();
        flood::begin(grid, scratch);
        if scratch.costs.weighted {
            self.method = Method::CellByCell(starts.into_iter().map(Node::from).collect());
        } else {
            let paths = Arrivals::new(starts.iter().map(|&start| start.into()).collect());
            for &goal in self.goals.iter().filter(|goal| (&paths).contains(goal.cell())) {
                (&paths).arrive(goal, goal, 0);
            }
            // In order of cost all starts are the last group, and the rectangle round it is the whole grid.
            let groups = if is_guided { 0 } else { GROUPS - 1 };
            let ungrouped = UngroupedStarts::new(starts, self.goals[0].cell(), groups);
            let heuristic = Heuristic::Auto.resolved(steps);
            self.method =
                Method::Jumps(Jumping { paths, group: Vec::new(), ungrouped, is_guided, heuristic });
            self.lead_on();
        }
        Ok(partial_reason)
    }

    /// Expands at most `expansions` cells.
    pub fn step(&mut self, expansions: u32) -> Progress {
        let mut budget = expansions;
        while self.end.is_none() && budget > 0 {
            let before = self.metrics.expanded;
            let stretch = match &self.method {
                Method::CellByCell(_) => STRETCH,
                Method::Jumps(jumping) => jumping.group.len().clamp(1, JUMPING_STRETCH) as u64,
            };
            let count = (stretch - before % stretch).min(u64::from(budget)) as u32;
            let stop = self.expand(count);
            budget -= (self.metrics.expanded - before) as u32;
            let is_exhausted = stop == Stop::Exhausted;
            if is_exhausted || self.metrics.expanded.is_multiple_of(stretch) && self.has_reached_all() {
                if self.fits_into_records() {
                    self.end = Some(Ok(()));
                } else {
                    self.start_again_cell_by_cell();
                }
            }
        }
        if self.end.is_some() { Progress::Done } else { Progress::Running }
    }

    /// Whether the paths to all starts are known, and none can be cheaper. Leads the search on when those of a group
    /// are.
    fn has_reached_all(&mut self) -> bool {
        loop {
            let SearchScratch { nodes, buckets, .. } = &self.scratch;
            let jumping = match &mut self.method {
                Method::CellByCell(left) => {
                    left.retain(|&start| !nodes.is_closed(start));
                    return left.is_empty();
                }
                Method::Jumps(jumping) => jumping,
            };
            // Paths over nodes of the same cost or more cost more.
            let most = buckets.last_key();
            jumping.group.retain(|&start| jumping.paths.cost(start.into()) > most);
            if !jumping.group.is_empty() {
                return false;
            }
            if !self.lead_on() {
                return true;
            }
        }
    }

    /// Leads the search to the next group of starts: orders the open list by the estimate to it. Returns whether
    /// there is one.
    fn lead_on(&mut self) -> bool {
        let Self { grid, scratch, method: Method::Jumps(jumping), goals, opened, .. } = self else {
            return false;
        };
        let SearchScratch { nodes, buckets, costs, targets, .. } = scratch;
        jumping.group = jumping.ungrouped.take_group();
        let cells = jumping.group.iter().map(|&start| CellRect::new(start, start));
        let Some(rect) = cells.reduce(CellRect::union) else { return false };
        targets.lead_to(if jumping.is_guided { rect } else { grid.bounds() });
        let estimate = |node: Node| targets.estimate(jumping.heuristic, costs, node);
        let open = std::iter::from_fn(|| buckets.pop());
        let open =
            open.filter_map(|(_, node)| Some((nodes.open::<AnyParent>(node)?.0 + estimate(node), node)));
        let open: Vec<(u64, Node)> = open.collect();
        let to_open = if *opened { &[] } else { goals.as_slice() };
        let keys = open.iter().map(|&(key, _)| key).chain(to_open.iter().map(|&goal| estimate(goal)));
        buckets.begin(keys.min().unwrap_or(u64::MAX), JUMPING_WINDOW);
        // Of equal keys the newest comes first, and goes in last.
        open.into_iter().rev().for_each(|(key, node)| buckets.push(key, node));
        true
    }

    /// Whether the costs of all paths fit into records.
    fn fits_into_records(&self) -> bool {
        match &self.method {
            Method::Jumps(jumping) => jumping.paths.greatest_cost() <= self.max_far_cost,
            Method::CellByCell(_) => true,
        }
    }

    /// Starts again cell by cell, as the path to a start costs more than a record with a far parent holds.
    fn start_again_cell_by_cell(&mut self) {
        if let Method::Jumps(jumping) = &self.method {
            self.method = Method::CellByCell(jumping.paths.nodes().to_vec());
        }
        self.opened = false;
        flood::begin(&self.grid, &mut self.scratch);
    }

    fn expand(&mut self, budget: u32) -> Stop {
        let Self { grid, query, scratch, goals, opened, metrics, method, max_far_cost, .. } = self;
        let starts = if std::mem::replace(opened, true) { &[] } else { goals.as_slice() };
        let limits = &mut UnitLimits::none();
        let &mut PathQuery { kind, steps, .. } = query;
        let Method::Jumps(Jumping { paths, heuristic, .. }) = method else {
            let slice = flood::Slice { starts, budget, limits, metrics };
            return flood::expand::<true, _>(grid, (kind, steps), scratch, slice, &mut ());
        };
        limits.cost = *max_far_cost;
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = scratch;
        let (costs, targets) = (&*costs, &*targets);
        let tables = JumpTables {
            rows: grid.rows(kind).expect("the kind was checked"),
            columns: grid.columns(kind).expect("the kind was checked"),
            stops: grid.stops(kind).expect("the kind was checked"),
            costs,
            areas: None,
        };
        let kernel = Kernel { nodes, costs, targets, heuristic: *heuristic, metrics, limits };
        let mut slice = run::Slice { kernel, starts, buckets, heap, budget, observer: &mut () };
        slice.jump::<false>(tables, steps, &*paths)
    }

    /// The answer for a start, or the error of the query. `None` if the search did not reach the start: it lies in
    /// another connected region than the start of the query, or was not among the starts. It needs its own query.
    pub fn answer(&self, start: Cell) -> Option<Result<Answer, SearchError>> {
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
        let visit = |cell: Cell| waypoints.push(cell.center());
        let algorithm = match &self.method {
            Method::CellByCell(_) => {
                let parent = nodes.is_closed(node).then(|| nodes.parent::<AdjacentParent>(node))?;
                visit_turns::<AdjacentParent>(nodes, [node, parent], Leg::Line, visit);
                Algorithm::Dijkstra
            }
            Method::Jumps(jumping) => {
                let leg = match self.query.steps.directions {
                    Directions::Four => Leg::ColumnFirst,
                    Directions::Eight => Leg::DiagonalFirst,
                };
                // Not the parent that the start has as a node, if it is one: a goal that sees all starts ends the
                // search before they become nodes.
                let (_, parent) = jumping.paths.path(node)?;
                visit_turns::<AnyParent>(nodes, [node, parent], leg, visit);
                Algorithm::Jps
            }
        };
        let (cost, length) = measure(&self.grid, &self.query, self.scratch.costs.weighted, &waypoints);
        let end = Cell::containing(*waypoints.last().expect("a path has at least its start"));
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

/// Whether one [`ManyToOne`] (not guided) to a goal is likely cheaper than a search for each of the starts: a rule of
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
pub fn many_to_one_pays(grid: &Grid, kind: KindId, goal: Cell, starts: impl Iterator<Item = Cell>) -> bool {
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
    use crate::testing::winding;

    /// The test lowers the greatest cost of a record, in place of a map of 100 million cells.
    #[test]
    fn where_a_record_does_not_hold_the_cost_the_search_goes_cell_by_cell() {
        let grid = winding();
        let starts = [Cell::new(0, 20), Cell::new(9, 2)];
        let query = PathQuery::new(starts[0], Cell::new(0, 0));
        let exact = starts.map(|start| {
            let query = PathQuery { start, ..query.clone() }.with_algorithm(Algorithm::Dijkstra);
            crate::solve(&grid, &query, &mut SearchScratch::default()).unwrap().cost
        });
        for (is_guided, slice) in [(false, 7), (false, u32::MAX), (true, 7), (true, u32::MAX)] {
            let starts = (starts.as_slice(), is_guided);
            let mut search = ManyToOne::begin(&grid, query.clone(), starts, SearchScratch::default());
            search.max_far_cost = search.scratch.costs.units(50.0);
            while search.step(slice) == Progress::Running {}
            let answers = starts.0.iter().map(|&start| search.answer(start).unwrap().unwrap());
            for (answer, exact) in answers.zip(exact) {
                assert_eq!(answer.algorithm, Algorithm::Dijkstra);
                assert!((answer.cost - exact).abs() < 1e-9, "{} is not {exact}", answer.cost);
            }
        }
    }
}
