//! Searches over long distances: first over areas of the grid, then over the cells of a corridor along the way that was
//! found.
//!
//! The map of areas ([`Regions::areas_around`](crate::grid::Area)) is kept with the grid's connected regions, so that
//! nothing is built for it and every edit shows at once. A* over its nodes, at most a few for each block of 64×64
//! cells, gives a list of places to pass by. Round the lines between them lies the corridor, in tiles of 32×32 cells;
//! the path is the cheapest one in it, and bound to no place:
//!
//! ```text
//!   ┌───┬───┐                 tiles round the line from place to place
//!   │ S ╌╌╌╌│╌.┬───┐
//!   └───┴───┤  ╲╌╌╌│╌╌ ▶      where the way turns out longer than the line,
//!           └───┴───┘         the corridor becomes wider while it is searched
//! ```
//!
//! Where walls have so few corners, and the way is so straight, that jump point search is about as fast, the exact
//! search answers in place of the corridor; if it turns out to have more to do, it is given up for the corridor.
//!
//! The idea of searching a coarse map first is that of hierarchical A* (A. Botea, M. Müller and J. Schaeffer, "Near
//! Optimal Hierarchical Path-Finding", Journal of Game Development 1(1), 2004), which keeps exact distances between
//! the gates of blocks instead.

mod areas;
mod corridor;
mod effort;
mod tile;

use glam::Vec2;

use super::path::measure;
use super::run::{Run, check_start};
use super::{
    Algorithm, Answer, Goal, Heuristic, Limits, Metrics, Outcome, PathQuery, Progress, SearchError,
    SearchEvent, SearchEventKind, SearchObserver, SearchScratch,
};
use crate::grid::{Bitmap, Cell, CellRect, Grid};
pub(super) use areas::AreaScratch;
pub(super) use corridor::Corridor;
use corridor::{Walkable, Way};
use tile::{NONE, Rules};

/// The fewest places on the way, with start and goal, of a query that this search is for.
const LEAST_PLACES: usize = 8;
/// How far the corridor reaches beyond the lines between places. With 31 cells, that is whole blocks, paths on a
/// world of 16,384² cells with lakes and scattered walls took 1.4 times as long, and cost 0.07 % less.
const MARGIN: i32 = 10;
/// The corridor is wider where the way between places costs so many times the estimate; see [`WIDE`].
const STRETCH: f32 = 1.06;
/// How far a wider corridor reaches. Measured on 4096² cells of caves, rooms and city blocks, in five worlds of each,
/// without the exact search: paths cost up to 1.5, 4.7 and 3.2 % more than the cheapest; with 80 cells, and none
/// ahead, up to 2.2, 8.1 and 3.2 %.
const WIDE: i32 = 112;
/// Where the way costs so many times the estimate, as in a maze, it reaches [less far](LESS_WIDE): there also the
/// wider corridor seldom holds the cheapest path, and takes a fifth longer.
const WINDING: f32 = 1.2;
const LESS_WIDE: i32 = 80;
/// How many places ahead of the costs the corridor becomes wider too: where the way turned out longer than the
/// estimate, it often does so again, and a tile that is there when the costs arrive is swept less often.
const AHEAD: usize = 4;
/// Over how many places the way is compared with the estimate.
const SPAN: usize = 4;
/// How many places must have been reached since, so that its cost is nearly final.
const DELAY: usize = 2;
/// How many expansions of other searches take as long as the sweep of a tile.
const SWEEP: u32 = 4;

/// The state of a search.
#[derive(Debug)]
pub(super) struct Hierarchical {
    query: PathQuery,
    goal: Cell,
    metrics: Metrics,
    /// Places to pass by, from the start to the goal.
    places: Vec<Cell>,
    /// How far the corridor reaches round the line from each place to the next.
    reaches: Vec<i32>,
    /// The last place that was reached.
    reached: usize,
    /// The last place reached when the corridor did not lead on, and how often it did not since then.
    stall: (usize, u32),
    /// The turning points of the path, once the goal is reached.
    points: Vec<Vec2>,
    /// The exact search, where it is cheap, and where costs are too great for the numbers of a tile; and how many
    /// cells it may expand before it is given up.
    exact: Option<(Box<Run>, u64)>,
}

impl Hierarchical {
    /// Begins a search, if the query is one for it: for one goal that can be reached, on uniform terrain, without
    /// limits, and several places away.
    pub(super) fn begin(grid: &Grid, query: &PathQuery, scratch: &mut SearchScratch) -> Option<Self> {
        let Goal::Cell(goal) = query.goal else { return None };
        let is_for_it = query.algorithm == Algorithm::Hierarchical
            && query.limits == Limits::default()
            && check_start(grid, query).is_ok()
            && grid.connected(query.kind, query.steps, query.start, goal)
            && grid.borders(query.kind).is_none();
        if !is_for_it {
            return None;
        }
        let (places, expanded) = areas::places(grid, query, goal, &mut scratch.areas);
        if places.len() < LEAST_PLACES {
            return None;
        }
        scratch.costs.set(grid, query.kind, query.steps, 1);
        let heuristic = Heuristic::Auto.resolved(query.steps);
        let costs = &scratch.costs;
        let estimate =
            |from: Cell, to: Cell| heuristic.estimate(costs, from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let way: u64 = places.windows(2).map(|leg| estimate(leg[0], leg[1])).sum();
        let [least, way] =
            [estimate(query.start, goal), way].map(|units| units as f64 / costs.straight as f64);
        let rows = grid.rows(query.kind).expect("the kind was checked");
        let budget = effort::exact_budget(rows, &places, least, way);
        let mut search = Self {
            query: query.clone(),
            goal,
            metrics: Metrics { expanded, ..Metrics::default() },
            reaches: vec![0; places.len() - 1],
            places,
            reached: 0,
            stall: (0, 0),
            points: Vec::new(),
            exact: None,
        };
        match budget {
            Some(budget) => search.search_exactly(grid, scratch, budget),
            None => search.open_corridor(grid, scratch),
        }
        Some(search)
    }

    /// Begins the search of the corridor.
    fn open_corridor(&mut self, grid: &Grid, scratch: &mut SearchScratch) {
        let query = &self.query;
        scratch.costs.set(grid, query.kind, query.steps, 1);
        let rules = Rules::new(query.steps, scratch.costs.straight, scratch.costs.diagonal);
        scratch.corridor.begin(grid, rules);
        let last = self.places.len() - 1;
        self.add_along(grid, &mut scratch.corridor, 0..last, MARGIN, NONE);
        scratch.corridor.open(self.query.start, self.goal);
    }

    /// Counts of what the search did so far.
    pub(super) fn metrics(&self) -> Metrics {
        self.exact.as_ref().map_or(self.metrics, |(exact, _)| self.metrics.and(exact.metrics))
    }

    pub(super) fn step<L: SearchObserver>(
        &mut self,
        grid: &Grid,
        scratch: &mut SearchScratch,
        budget: u32,
        observer: &mut L,
    ) -> Progress {
        let mut left = budget;
        while self.points.is_empty() {
            if let Some((exact, most)) = &mut self.exact {
                let expanded = exact.metrics.expanded;
                let slice = left.min(u32::try_from(*most - expanded).unwrap_or(u32::MAX));
                let progress = exact.step(grid, &self.query, scratch, slice, observer);
                if progress == Progress::Done || exact.metrics.expanded < *most {
                    return progress;
                }
                left = left.saturating_sub((exact.metrics.expanded - expanded) as u32);
                self.metrics = self.metrics();
                self.exact = None;
                self.open_corridor(grid, scratch);
            }
            if left == 0 {
                return Progress::Running;
            }
            left = left.saturating_sub(SWEEP);
            let [rows, columns]: [&Bitmap; 2] = [grid.rows(self.query.kind), grid.columns(self.query.kind)]
                .map(|it| it.expect("the kind was checked"));
            if scratch.corridor.sweep(Walkable { rows, columns }) {
                self.metrics.expanded += 1;
                self.pass_places(grid, scratch, observer);
            } else if let Some(path) = scratch.corridor.path(rows, self.query.steps) {
                self.points = path.iter().rev().map(|cell| cell.center()).collect();
            } else {
                self.lead_on(grid, scratch);
            }
        }
        Progress::Done
    }

    /// Notes the places that were reached, and makes the corridor wider where the way to them is longer than it looked.
    fn pass_places<L: SearchObserver>(&mut self, grid: &Grid, scratch: &mut SearchScratch, observer: &mut L) {
        let SearchScratch { corridor, costs, .. } = scratch;
        let heuristic = Heuristic::Auto.resolved(self.query.steps);
        let estimate =
            |from: Cell, to: Cell| heuristic.estimate(costs, from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        while let Some(&place) = self.places.get(self.reached + 1)
            && corridor.cost(place) < NONE
        {
            if L::ACTIVE {
                let g = costs.cost(corridor.cost(place) as u64);
                let (parent, h) = (self.places[self.reached], costs.cost(estimate(place, self.goal)));
                observer.event(SearchEvent { kind: SearchEventKind::Closed, cell: place, parent, g, h });
            }
            self.reached += 1;
            let Some(first) = self.reached.checked_sub(DELAY + SPAN) else { continue };
            let way = &self.places[first..=first + SPAN];
            let [before, after] = [way[0], way[SPAN]].map(|place| corridor.cost(place));
            let looks: u64 = way.windows(2).map(|leg| estimate(leg[0], leg[1])).sum();
            let stretch = (after - before) as f32 / looks as f32;
            if stretch > STRETCH {
                let last = self.places.len() - 1;
                let [near, far] = [2, AHEAD].map(|places| (self.reached + places).min(last));
                let reach = if stretch < WINDING { WIDE } else { LESS_WIDE };
                self.add_along(grid, corridor, first..near, reach, before.min(after));
                self.add_along(grid, corridor, near..far.max(near), reach, NONE);
            }
        }
    }

    /// Adds tiles round the lines between some places; `due` is a lower bound of the costs of their cells.
    fn add_along(
        &mut self,
        grid: &Grid,
        corridor: &mut Corridor,
        legs: std::ops::Range<usize>,
        reach: i32,
        due: i32,
    ) {
        for at in legs {
            if self.reaches[at] >= reach {
                continue;
            }
            self.reaches[at] = reach;
            let leg = [self.places[at], self.places[at + 1]];
            let (regions, _) = grid.regions(self.query.kind, self.query.steps).expect("the kind was checked");
            along(leg[0], leg[1], (reach / 4).max(8), |cell| {
                let around = CellRect::new(cell, cell).grown(reach).intersection(grid.bounds());
                let around = around.expect("a place lies on the grid");
                corridor.add(around, Way::between(leg[0], leg[1]), due, |tile| regions.any_in(tile));
            });
        }
    }

    /// Widens a corridor that does not reach the goal: to all blocks that the areas near the last place reached lie
    /// in, then to those of all areas. Areas that touch do so in their blocks, so that then only numbers can keep it
    /// from the goal.
    fn lead_on(&mut self, grid: &Grid, scratch: &mut SearchScratch) {
        let last = self.places.len() - 1;
        self.stall =
            if self.stall.0 == self.reached { (self.reached, self.stall.1 + 1) } else { (self.reached, 1) };
        let legs = match self.stall.1 {
            1 => self.reached.saturating_sub(3)..(self.reached + 2).min(last),
            2 => 0..last,
            _ => {
                self.search_exactly(grid, scratch, u64::MAX);
                return;
            }
        };
        let due = scratch.corridor.cost(self.places[legs.start]);
        for leg in self.places[legs.start..=legs.end].windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|place| {
                CellRect::new(Cell::new(place.x & !63, place.y & !63), Cell::new(place.x | 63, place.y | 63))
            });
            let blocks = from.union(to).intersection(grid.bounds()).expect("places lie on the grid");
            scratch.corridor.add(blocks, Way::between(leg[0], leg[1]), due, |_| true);
        }
    }

    /// Begins the exact search, which may expand so many cells.
    fn search_exactly(&mut self, grid: &Grid, scratch: &mut SearchScratch, most: u64) {
        self.query.algorithm = Algorithm::Jps;
        self.exact = Some((Box::new(Run::begin(grid, &self.query, scratch)), most));
    }

    pub(super) fn answer(&self, grid: &Grid, scratch: &SearchScratch) -> Result<Answer, SearchError> {
        if let Some((exact, _)) = &self.exact {
            let answer = exact.answer(grid, &self.query, scratch)?;
            return Ok(Answer { metrics: self.metrics(), ..answer });
        }
        if self.points.is_empty() {
            return Err(SearchError::Unfinished);
        }
        let (cost, length) = measure(grid, &self.query, false, &self.points);
        // The estimate is a lower bound of the least cost.
        let [start, goal] = [self.query.start, self.goal];
        let heuristic = Heuristic::Auto.resolved(self.query.steps);
        let costs = &scratch.costs;
        let least = costs.cost(heuristic.estimate(costs, start.x.abs_diff(goal.x), start.y.abs_diff(goal.y)));
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

/// Visits cells of a straight line, at most some steps apart.
fn along(from: Cell, to: Cell, apart: i32, mut visit: impl FnMut(Cell)) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let parts = dx.abs().max(dy.abs()) / apart + 1;
    for part in 0..=parts {
        visit(Cell::new(from.x + dx * part / parts, from.y + dy * part / parts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Terrain;

    #[test]
    fn an_exact_search_that_has_too_much_to_do_is_given_up_for_the_corridor() {
        let pillar = |Cell { x, y }| if x % 5 == 0 && y % 3 == 0 { Terrain::WALL } else { Terrain::GROUND };
        let grid = Grid::from_fn(2000, 300, pillar).unwrap();
        let query =
            PathQuery::new((3, 50).into(), Cell::new(1991, 242)).with_algorithm(Algorithm::Hierarchical);
        let mut scratch = SearchScratch::default();
        let answers = [7, u32::MAX].map(|slice| {
            let mut search = Hierarchical::begin(&grid, &query, &mut scratch).expect("it is far");
            search.reaches.fill(0);
            search.search_exactly(&grid, &mut scratch, 100);
            while search.step(&grid, &mut scratch, slice, &mut ()) == Progress::Running {}
            assert!(search.exact.is_none());
            search.answer(&grid, &scratch).unwrap()
        });
        assert_eq!((answers[0].algorithm, answers[0].outcome), (Algorithm::Hierarchical, Outcome::Complete));
        assert!(answers[0].metrics.expanded > 100, "what the exact search expanded counts");
        assert_eq!(answers[0], answers[1], "slices change nothing");
    }

    /// The test makes steps so dear that the numbers end after 100 of them, in place of a path of 2.6 million steps.
    #[test]
    fn where_numbers_end_the_exact_search_answers() {
        let grid = Grid::new(2000, 100).unwrap();
        let query =
            PathQuery::new((3, 50).into(), Cell::new(1990, 40)).with_algorithm(Algorithm::Hierarchical);
        let mut scratch = SearchScratch::default();
        let mut search = Hierarchical::begin(&grid, &query, &mut scratch).expect("it is far");
        scratch.corridor.set_rules(Rules::new(query.steps, NONE as u64 / 100, NONE as u64 / 70));
        while search.step(&grid, &mut scratch, 7, &mut ()) == Progress::Running {}
        let answer = search.answer(&grid, &scratch).unwrap();
        assert_eq!((answer.algorithm, answer.outcome), (Algorithm::Jps, Outcome::Complete));
        assert!(answer.is_optimal());
    }
}
