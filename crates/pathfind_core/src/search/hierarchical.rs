//! Searches over long distances: first over areas of the grid, then over the cells of a corridor along the path found
//! there.
//!
//! An area is a connected part of a block of 64×64 cells. The areas ([`Area`](crate::grid::Area)) are kept with the
//! grid's connected regions, so that this search builds nothing beforehand and every edit takes effect at once. A*
//! over the areas gives a list of places: one cell in each area that its path crosses. Round the lines between places
//! lies the corridor, in tiles of 32×32 cells. The path is the cheapest one in the corridor, whether or not it passes
//! through the places:
//!
//! ```text
//!   ┌───┬───┐                 tiles round the line from place to place
//!   │ S ╌╌╌╌│╌.┬───┐
//!   └───┴───┤  ╲╌╌╌│╌╌ ▶      where the path turns out longer than estimated,
//!           └───┴───┘         the corridor is widened while it is searched
//! ```
//!
//! Where walls have so few corners, and the path is so straight, that jump point search is about as fast, it answers
//! in place of the corridor, with an optimal path. If it expands more cells than was foreseen, it is given up for the
//! corridor. Jump point search also takes over where the path becomes much longer than estimated, as in a maze: the
//! cheapest path may then lie far outside the corridor.
//!
//! Searching a coarse map first is the idea of hierarchical A* (A. Botea, M. Müller and J. Schaeffer, "Near Optimal
//! Hierarchical Path-Finding", Journal of Game Development 1(1), 2004), which stores exact distances between the
//! entrances of blocks.

mod areas;
mod corridor;
mod effort;
mod tile;

use std::ops::Range;

use glam::Vec2;

use super::costs::StepCosts;
use super::path::measure;
use super::run::{SearchContext, SearchRun, check_start};
use super::{
    Algorithm, Answer, Goal, Heuristic, Limits, Metrics, Outcome, Progress, SearchError, SearchEvent,
    SearchEventKind, SearchObserver, SearchScratch,
};
use crate::grid::{CellRect, GridCell, Layer, StepRules};
pub(super) use areas::AreaScratch;
pub(super) use corridor::Corridor;
use corridor::SweepDirection;
use tile::{NONE, Rules};

/// This search is for queries with at least this many places, start and goal included.
const MIN_PLACES: usize = 16;
/// How far the corridor reaches to each side of the lines between places, in cells. With 31, paths on a world of
/// 16,384² cells with lakes and scattered walls took 1.4 times as long, and cost 0.07 % less.
const MARGIN: i32 = 10;
/// The corridor is widened where the path between places costs more than this times the estimate; see [`WIDE`].
const WIDEN_RATIO: f32 = 1.06;
/// How far a widened corridor reaches, in cells. Measured on 4096² cells of caves, rooms and city blocks, in five
/// worlds of each, without the exact search: paths cost up to 1.5, 4.7 and 3.2 % more than the cheapest; with 80 cells,
/// and nothing widened [`AHEAD`], up to 2.2, 8.1 and 3.2 %.
const WIDE: i32 = 112;
/// Where the path costs more than this times the estimate, as in a maze, the corridor is widened only to
/// [`LESS_WIDE`]: there even [`WIDE`] seldom holds the cheapest path, and takes a fifth longer.
const WINDING: f32 = 1.2;
/// How far a widened corridor reaches where the path is [`WINDING`], in cells.
const LESS_WIDE: i32 = 80;
/// The corridor is widened up to this many places beyond the last one reached: where the path was longer than
/// estimated, it often is so farther on too, and a tile that is in the corridor before costs arrive there is swept
/// fewer times.
const AHEAD: usize = 4;
/// Over how many legs, from place to place, the cost of the path is compared with the estimate.
const SPAN: usize = 4;
/// How many places beyond these legs must have been reached before, so that the cost is nearly final.
const DELAY: usize = 2;
/// Sweeps between two checks whether the corridor leads past the next place: they read memory out of the cache.
const SWEEPS_PER_LOOK: u64 = 16;
/// The exact search takes over once the path is longer than estimated by this share of the whole estimate. Measured
/// on 4096² cells without it: where paths were up to 1.18 times as long as estimated (lakes 1.01, caves 1.08,
/// lattices of rooms 1.12, walls scattered over 30 % of the cells mostly 1.15) nearly all cost up to 2 % more than
/// the cheapest; where they were longer, up to 7 % among rooms, 9 % in mazes, and 38 % across a maze on open ground.
const DETOUR: f64 = 0.18;
/// How many expansions of other searches take as long as one sweep of a tile.
const EXPANSIONS_PER_SWEEP: u32 = 4;

/// The state of a search.
#[derive(Debug)]
pub(super) struct Hierarchical {
    goal: GridCell,
    metrics: Metrics,
    /// The places, from the start to the goal.
    places: Vec<GridCell>,
    /// The estimated cost along all places.
    whole_estimate: u64,
    /// How far the corridor reaches to the sides of the line from each place to the next, in cells.
    reaches: Vec<i32>,
    /// The index of the last place that was reached.
    reached: usize,
    /// The estimated cost up to the place [`DELAY`] before it.
    estimate_so_far: u64,
    /// `reached` when no tile was left to sweep before the goal, and how many times in a row that was so.
    stall: (usize, u32),
    /// The turning points of the path, once the goal is reached.
    points: Vec<Vec2>,
    /// The exact search that answers instead, if it is cheap, if the path is much longer than estimated, or if costs
    /// overflow the integers of a tile; and how many cells it may expand before it is given up.
    exact: Option<(Box<SearchRun>, u64)>,
}

impl Hierarchical {
    /// Begins a search. `None` if the query asks for another one, or is not for one goal cell that can be reached, on
    /// uniform terrain without cliffs, without limits, and over at least [`MIN_PLACES`] places.
    pub(super) fn begin(context: &mut SearchContext<'_>) -> Option<Self> {
        let SearchContext { grid, query, ref mut scratch } = *context;
        let Goal::GridCell(goal) = query.goal else { return None };
        let is_suitable = query.algorithm == Algorithm::Hierarchical
            && query.limits == Limits::default()
            && check_start(grid, query.kind, query.start).is_ok()
            && grid.connected(query.kind, query.steps, query.start, goal)
            && grid.borders(query.kind).is_none();
        if !is_suitable {
            return None;
        }
        let (places, expanded) = areas::places(grid, query, goal, &mut scratch.areas);
        if places.len() < MIN_PLACES {
            return None;
        }
        scratch.costs.set(grid, query.kind, query.steps, 1);
        let costs = &scratch.costs;
        let whole_estimate = places.windows(2).map(|leg| estimate(query.steps, costs, leg[0], leg[1])).sum();
        let [least, expected] = [estimate(query.steps, costs, query.start, goal), whole_estimate]
            .map(|units| units as f64 / costs.straight as f64);
        let budget = effort::exact_budget(&grid.known(query.kind).rows, &places, least, expected);
        let mut search = Self {
            goal,
            metrics: Metrics { expanded, ..Metrics::default() },
            reaches: vec![0; places.len() - 1],
            places,
            whole_estimate,
            reached: 0,
            estimate_so_far: 0,
            stall: (0, 0),
            points: Vec::new(),
            exact: None,
        };
        match budget {
            Some(budget) => search.search_exactly(context, budget),
            None => search.open_corridor(context),
        }
        Some(search)
    }

    /// Begins the search of the corridor, from the start.
    fn open_corridor(&mut self, context: &mut SearchContext<'_>) {
        let SearchContext { grid, query, ref mut scratch } = *context;
        (self.reached, self.estimate_so_far, self.stall) = (0, 0, (0, 0));
        self.reaches.fill(0);
        scratch.costs.set(grid, query.kind, query.steps, 1);
        let rules = Rules::new(query.steps, scratch.costs.straight, scratch.costs.diagonal);
        scratch.corridor.begin(grid, rules);
        let last = self.places.len() - 1;
        self.add_along(context, 0..last, MARGIN, NONE);
        context.scratch.corridor.open(query.start, self.goal);
    }

    /// The metrics of the search so far.
    pub(super) fn metrics(&self) -> Metrics {
        self.exact.as_ref().map_or(self.metrics, |(exact, _)| self.metrics + exact.metrics)
    }

    /// Sweeps tiles until about `budget` expansions are spent or the path is found.
    pub(super) fn step<L: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_>,
        budget: u32,
        observer: &mut L,
    ) -> Progress {
        let mut left = budget;
        while self.points.is_empty() {
            if let Some((exact, most)) = &mut self.exact {
                let expanded = exact.metrics.expanded;
                let slice = left.min(u32::try_from(*most - expanded).unwrap_or(u32::MAX));
                let progress = exact.step(context, slice, observer);
                if progress == Progress::Done || exact.metrics.expanded < *most {
                    return progress;
                }
                left = left.saturating_sub((exact.metrics.expanded - expanded) as u32);
                self.metrics = self.metrics();
                self.exact = None;
                self.open_corridor(context);
            }
            if left == 0 {
                return Progress::Running;
            }
            left = left.saturating_sub(EXPANSIONS_PER_SWEEP);
            let Layer { rows, columns, .. } = context.grid.known(context.query.kind);
            let corridor = &mut context.scratch.corridor;
            if corridor.sweep([rows, columns]) {
                self.metrics.expanded += u64::from(EXPANSIONS_PER_SWEEP);
                self.pass_places(context, observer);
            } else if let Some(path) = corridor.path(rows, context.query.steps) {
                self.points = path.iter().rev().map(|cell| cell.center()).collect();
            } else {
                self.extend_corridor(context);
            }
        }
        Progress::Done
    }

    /// Notes the places that were reached, and widens the corridor where the path to them is longer than estimated.
    /// Where it is much longer, the exact search takes over.
    fn pass_places<L: SearchObserver>(&mut self, context: &mut SearchContext<'_>, observer: &mut L) {
        while let Some(&place) = self.places.get(self.reached + 1) {
            let SearchScratch { corridor, costs, .. } = &*context.scratch;
            let estimate = |from: GridCell, to: GridCell| estimate(context.query.steps, costs, from, to);
            if corridor.cost(place) >= NONE {
                let sweeps = self.metrics.expanded / u64::from(EXPANSIONS_PER_SWEEP);
                let later = self.places.get(self.reached + 1 + DELAY);
                let later = later.filter(|_| sweeps.is_multiple_of(SWEEPS_PER_LOOK));
                if later.is_some_and(|&later| corridor.cost(later) < NONE) {
                    // The corridor does not lead to this place, but past it.
                    self.places.remove(self.reached + 1);
                    let after = self.reaches.remove(self.reached + 1);
                    self.reaches[self.reached] = self.reaches[self.reached].min(after);
                    continue;
                }
                break;
            }
            if L::ACTIVE {
                let g = costs.cost(corridor.cost(place) as u64);
                let (parent, h) = (self.places[self.reached], costs.cost(estimate(place, self.goal)));
                observer.event(SearchEvent { kind: SearchEventKind::Closed, cell: place, parent, g, h });
            }
            self.reached += 1;
            let Some(end @ 1..) = self.reached.checked_sub(DELAY) else { continue };
            self.estimate_so_far += estimate(self.places[end - 1], self.places[end]);
            let detour = corridor.cost(self.places[end]) as f64 - self.estimate_so_far as f64;
            if detour > DETOUR * self.whole_estimate as f64 {
                return self.search_exactly(context, u64::MAX);
            }
            let Some(first) = end.checked_sub(SPAN) else { continue };
            let span = &self.places[first..=end];
            let [before, after] = [span[0], span[SPAN]].map(|place| corridor.cost(place));
            let estimated: u64 = span.windows(2).map(|leg| estimate(leg[0], leg[1])).sum();
            let stretch = (after - before) as f32 / estimated as f32;
            if stretch > WIDEN_RATIO {
                let last = self.places.len() - 1;
                let [near, far] = [2, AHEAD].map(|places| (self.reached + places).min(last));
                let reach = if stretch < WINDING { WIDE } else { LESS_WIDE };
                self.add_along(context, first..near, reach, before.min(after));
                self.add_along(context, near..far.max(near), reach, NONE);
            }
        }
    }

    /// Adds the tiles within `reach` cells of some legs, each given by the index of its first place. `due` is a lower
    /// bound of the costs of their cells; with [`NONE`] they wait until a tile beside them is swept.
    fn add_along(&mut self, context: &mut SearchContext<'_>, legs: Range<usize>, reach: i32, due: i32) {
        let SearchContext { grid, query, ref mut scratch } = *context;
        let (regions, _) = grid.regions(query.kind, query.steps);
        for at in legs {
            if self.reaches[at] >= reach {
                continue;
            }
            self.reaches[at] = reach;
            let leg = [self.places[at], self.places[at + 1]];
            along(leg[0], leg[1], (reach / 4).max(8), |cell| {
                let around = CellRect::new(cell, cell).grown(reach).intersection(grid.bounds());
                let around = around.expect("a place lies on the grid");
                let direction = SweepDirection::between(leg[0], leg[1]);
                scratch.corridor.add(around, direction, due, |tile| regions.any_in(tile));
            });
        }
    }

    /// Extends a corridor that does not lead to the goal: by the blocks of the areas near the last place reached, and
    /// the next time by the blocks of the areas of all places. Areas that touch do so in their blocks, so these
    /// blocks hold a path. If it is not found, costs have overflowed, and the exact search takes over.
    fn extend_corridor(&mut self, context: &mut SearchContext<'_>) {
        let last = self.places.len() - 1;
        self.stall =
            if self.stall.0 == self.reached { (self.reached, self.stall.1 + 1) } else { (self.reached, 1) };
        let legs = match self.stall.1 {
            1 => self.reached.saturating_sub(3)..(self.reached + 2).min(last),
            2 => 0..last,
            _ => return self.search_exactly(context, u64::MAX),
        };
        let corridor = &mut context.scratch.corridor;
        let due = corridor.cost(self.places[legs.start]);
        for leg in self.places[legs.start..=legs.end].windows(2) {
            let block = |cell: GridCell| CellRect::square(GridCell::new(cell.x & !63, cell.y & !63), 64);
            let blocks = block(leg[0]).union(block(leg[1])).intersection(context.grid.bounds());
            let blocks = blocks.expect("places lie on the grid");
            corridor.add(blocks, SweepDirection::between(leg[0], leg[1]), due, |_| true);
        }
    }

    /// Begins jump point search in place of the corridor; it may expand at most so many cells.
    fn search_exactly(&mut self, context: &mut SearchContext<'_>, most: u64) {
        self.exact = Some((Box::new(SearchRun::begin(context)), most));
    }

    /// The path found; [`SearchError::Unfinished`] if the search has not ended.
    pub(super) fn answer(&self, context: &mut SearchContext<'_>) -> Result<Answer, SearchError> {
        if let Some((exact, _)) = &self.exact {
            return Ok(Answer { metrics: self.metrics(), ..exact.answer(context)? });
        }
        let SearchContext { grid, query, ref scratch } = *context;
        if self.points.is_empty() {
            return Err(SearchError::Unfinished);
        }
        let (cost, length) = measure(grid, query, false, &self.points);
        // The estimate is a lower bound of the least cost.
        let costs = &scratch.costs;
        let least = costs.cost(estimate(query.steps, costs, query.start, self.goal));
        Ok(Answer {
            outcome: Outcome::Complete,
            waypoints: self.points.clone(),
            cost,
            length,
            algorithm: Algorithm::Hierarchical,
            suboptimality_bound: Some((cost / least).max(1.0)),
            metrics: self.metrics,
            revision: grid.revision(),
        })
    }
}

/// The cost from one cell to another without walls: a lower bound of the cost.
fn estimate(steps: StepRules, costs: &StepCosts, from: GridCell, to: GridCell) -> u64 {
    Heuristic::Auto.resolved(steps).estimate(costs, from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// Visits cells of a straight line, both ends included, at most `apart` cells apart.
fn along(from: GridCell, to: GridCell, apart: i32, mut visit: impl FnMut(GridCell)) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let parts = dx.abs().max(dy.abs()) / apart + 1;
    for part in 0..=parts {
        visit(GridCell::new(from.x + dx * part / parts, from.y + dy * part / parts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathQuery;
    use crate::grid::{Grid, Terrain};

    #[test]
    fn an_exact_search_that_has_too_much_to_do_is_given_up_for_the_corridor() {
        let pillar =
            |GridCell { x, y }| if x % 5 == 0 && y % 3 == 0 { Terrain::WALL } else { Terrain::GROUND };
        let grid = Grid::from_fn(2000, 300, pillar).unwrap();
        let query =
            PathQuery::new((3, 50).into(), GridCell::new(1991, 242)).with_algorithm(Algorithm::Hierarchical);
        let mut scratch = SearchScratch::default();
        let answers = [7, u32::MAX].map(|slice| {
            let context = &mut SearchContext { grid: &grid, query: &query, scratch: &mut scratch };
            let mut search = Hierarchical::begin(context).expect("it is far");
            search.search_exactly(context, 100);
            while search.step(context, slice, &mut ()) == Progress::Running {}
            assert!(search.exact.is_none());
            search.answer(context).unwrap()
        });
        assert_eq!((answers[0].algorithm, answers[0].outcome), (Algorithm::Hierarchical, Outcome::Complete));
        assert!(answers[0].metrics.expanded > 100, "what the exact search expanded counts");
        assert_eq!(answers[0], answers[1], "slices change nothing");
    }

    /// Steps are made so expensive that costs overflow after 100 of them; with the real costs only a path of 2.6
    /// million steps would overflow.
    #[test]
    fn where_costs_overflow_the_exact_search_answers() {
        let grid = Grid::new(2000, 100).unwrap();
        let query =
            PathQuery::new((3, 50).into(), GridCell::new(1990, 40)).with_algorithm(Algorithm::Hierarchical);
        let scratch = &mut SearchScratch::default();
        let context = &mut SearchContext { grid: &grid, query: &query, scratch };
        let mut search = Hierarchical::begin(context).expect("the goal is far away");
        let rules = Rules::new(query.steps, NONE as u64 / 100, NONE as u64 / 70);
        context.scratch.corridor.scratch.rules = rules;
        while search.step(context, 7, &mut ()) == Progress::Running {}
        let answer = search.answer(context).unwrap();
        assert_eq!((answer.algorithm, answer.outcome), (Algorithm::Jps, Outcome::Complete));
        assert!(answer.is_optimal());
    }
}
