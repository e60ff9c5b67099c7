//! Searches over long distances: first over areas of the grid, then over the cells along the way that was found.
//!
//! The map of areas ([`Regions::areas_around`](crate::grid::Area)) is kept with the grid's connected regions, so that nothing
//! is built for it and every edit shows at once. A* over its nodes, at most a few for each block of 64×64 cells, gives a
//! list of places to pass by. Jump point search then finds the exact path from where the path ends so far to the place
//! some blocks ahead; half of it is kept, and the next search begins there. So the path is bound to no place on the way:
//!
//! ```text
//!   S ───kept───┬╌╌╌╌▶ 6th place        each search looks twice as far as its path is kept
//!               └───kept───┬╌╌╌╌▶ 9th place
//! ```
//!
//! The idea of searching a coarse map first is that of hierarchical A* (A. Botea, M. Müller and J. Schaeffer, "Near Optimal
//! Hierarchical Path-Finding", Journal of Game Development 1(1), 2004), which keeps exact distances between the gates of
//! blocks instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec2;

use super::path::measure;
use super::run::{Run, check_start};
use super::{
    Algorithm, Answer, Goal, Heuristic, Limits, Metrics, Outcome, PathQuery, Progress, SearchError,
    SearchObserver, SearchScratch,
};
use crate::grid::{Area, Cell, Direction, Grid};

/// How many places ahead each search looks; its path is kept for half of its length. Measured over 16 paths of 6,000 to
/// 23,000 cells on a world of 16,384² cells with lakes and scattered walls: with 4, 5 and 6 paths cost 1.5, 1.6 and 1.1 %
/// more than the cheapest on average, 2.0, 2.3 and 2.0 % at most, and took 29, 29 and 40 ms at the median.
const AHEAD: usize = 6;

/// The state of a search.
#[derive(Debug)]
pub(super) struct Hierarchical {
    /// Places to pass by; the last is the goal.
    places: Vec<Cell>,
    /// The first of them that the path has not passed.
    next: usize,
    /// The turning points of the path so far.
    points: Vec<Vec2>,
    /// The search for the next part of the path.
    part: Run,
    query: PathQuery,
    metrics: Metrics,
    end: Option<Result<(), SearchError>>,
}

impl Hierarchical {
    /// Begins a search, if the query is one for it: for one goal that can be reached, on uniform terrain, without limits,
    /// and so far away that the goal lies beyond the first look ahead.
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
        let (places, expanded) = places(grid, query, goal);
        if places.len() <= AHEAD {
            return None;
        }
        let query = PathQuery {
            goal: Goal::Cell(places[AHEAD - 1]),
            algorithm: Algorithm::Jps,
            heuristic: Heuristic::Auto,
            ..query.clone()
        };
        let part = Run::begin(grid, &query, scratch);
        let metrics = Metrics { expanded, ..Metrics::default() };
        Some(Self { places, next: 0, points: vec![query.start.center()], part, query, metrics, end: None })
    }

    /// Counts of what the search did so far.
    pub(super) fn metrics(&self) -> Metrics {
        self.metrics.and(self.part.metrics)
    }

    pub(super) fn step<L: SearchObserver>(
        &mut self,
        grid: &Grid,
        scratch: &mut SearchScratch,
        budget: u32,
        observer: &mut L,
    ) -> Progress {
        let mut left = budget;
        while self.end.is_none() {
            if left == 0 {
                return Progress::Running;
            }
            let before = self.part.metrics.expanded;
            let progress = self.part.step(grid, &self.query, scratch, left, observer);
            // A search that expands nothing takes time too.
            let expanded = (self.part.metrics.expanded - before).max(1);
            left = left.saturating_sub(u32::try_from(expanded).unwrap_or(u32::MAX));
            if progress == Progress::Done {
                match self.part.answer(grid, &self.query, scratch) {
                    Ok(part) => self.take(grid, scratch, &part),
                    Err(error) => self.end = Some(Err(error)),
                }
            }
        }
        Progress::Done
    }

    /// Adds a part to the path, and begins the next search.
    fn take(&mut self, grid: &Grid, scratch: &mut SearchScratch, part: &Answer) {
        self.metrics = self.metrics.and(part.metrics);
        self.part.metrics = Metrics::default();
        if self.next + AHEAD >= self.places.len() {
            self.extend(&part.waypoints[1..]);
            self.end = Some(Ok(()));
            return;
        }
        let (kept, at) = first_half(part);
        self.extend(&kept);
        self.next += AHEAD / 2;
        let ahead = (self.next + AHEAD).min(self.places.len()) - 1;
        (self.query.start, self.query.goal) = (at, Goal::Cell(self.places[ahead]));
        self.part = Run::begin(grid, &self.query, scratch);
    }

    /// Adds points to the path; where it goes straight on, the point between is left out.
    fn extend(&mut self, points: &[Vec2]) {
        for &point in points {
            let heading =
                |from: Vec2, to: Vec2| Direction::between(Cell::containing(from), Cell::containing(to));
            if let [.., before, last] = self.points[..]
                && heading(before, last).is_some_and(|way| heading(last, point) == Some(way))
            {
                self.points.pop();
            }
            self.points.push(point);
        }
    }

    pub(super) fn answer(&self, grid: &Grid, scratch: &SearchScratch) -> Result<Answer, SearchError> {
        self.end.unwrap_or(Err(SearchError::Unfinished))?;
        let (cost, length) = measure(grid, &self.query, false, &self.points);
        // The estimate is a lower bound of the least cost.
        let [start, goal] = [self.points[0], self.points[self.points.len() - 1]].map(Cell::containing);
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

/// The first half of a path, without its start, and the cell at its end.
fn first_half(part: &Answer) -> (Vec<Vec2>, Cell) {
    let (mut kept, mut left) = (Vec::new(), part.length / 2.0);
    for leg in part.waypoints.windows(2) {
        let length = f64::from(leg[0].distance(leg[1]));
        if length < left {
            kept.push(leg[1]);
            left -= length;
            continue;
        }
        // A leg goes along a row, a column or a diagonal: its cells are so many equal steps apart.
        let steps = (leg[1] - leg[0]).abs().max_element();
        let step = ((left / length) as f32 * steps).round().max(1.0).min(steps);
        let at = Cell::containing(leg[0] + (leg[1] - leg[0]) * (step / steps));
        kept.push(at.center());
        return (kept, at);
    }
    (kept, part.end())
}

/// The record of an area that the search has reached: the cost so far, and the area before it.
#[derive(Copy, Clone)]
struct Reached {
    cost: f32,
    before: u32,
}

/// Places to pass by on the way to a goal that can be reached, the last of them the goal itself; and how many areas were
/// expanded to find them.
fn places(grid: &Grid, query: &PathQuery, goal: Cell) -> (Vec<Cell>, u64) {
    let (regions, walkable) = grid.regions(query.kind, query.steps).expect("the kind was checked");
    let (first, last) = (regions.area(walkable, query.start), regions.area(walkable, goal));
    let diagonal = query.steps.diagonal.value() as f32;
    let is_four = query.steps.directions == crate::grid::Directions::Four;
    let distance = |from: Cell, to: Cell| {
        let (dx, dy) = (from.x.abs_diff(to.x) as f32, from.y.abs_diff(to.y) as f32);
        if is_four { dx + dy } else { dx.max(dy) - dx.min(dy) + dx.min(dy) * diagonal }
    };
    let start = regions.area_index(first) as u32;
    let mut reached = vec![Reached { cost: f32::INFINITY, before: start }; regions.area_count()];
    let mut nodes: Vec<Option<Area>> = vec![None; regions.area_count()];
    // Costs are not negative, so that they have the order of their bits; of equal ones the area of least index is first.
    let mut open = BinaryHeap::new();
    reached[start as usize].cost = 0.0;
    open.push(Reverse((distance(query.start, goal).to_bits(), start)));
    nodes[start as usize] = Some(first);
    let (end, mut expanded) = (regions.area_index(last) as u32, 0);
    let place = |index: u32, area: Area| if index == start { query.start } else { regions.middle(area) };
    while let Some(Reverse((bits, index))) = open.pop() {
        let area = nodes[index as usize].expect("open areas are known");
        let (here, cost) = (place(index, area), reached[index as usize].cost);
        if f32::from_bits(bits) > (cost + distance(here, goal)) * (1.0 + 1e-6) {
            continue;
        }
        expanded += 1;
        if index == end {
            break;
        }
        regions.areas_around(area, |next| {
            let number = regions.area_index(next) as u32;
            let there = if number == end { goal } else { regions.middle(next) };
            let total = cost + distance(here, there);
            if total < reached[number as usize].cost {
                reached[number as usize] = Reached { cost: total, before: index };
                nodes[number as usize] = Some(next);
                open.push(Reverse(((total + distance(there, goal)).to_bits(), number)));
            }
        });
    }
    let mut places = vec![goal];
    let mut at = reached[end as usize].before;
    while at != start {
        places.push(place(at, nodes[at as usize].expect("the way leads over known areas")));
        at = reached[at as usize].before;
    }
    places.reverse();
    (places, expanded)
}
