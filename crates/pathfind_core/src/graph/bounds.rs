//! What a search over a graph knows before it searches on any grid: which links lead to the goal, and lower bounds of
//! the cost.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::reachable::Reachable;
use super::{GraphQuery, GridId, LinkUse, NavGraph, Place};
use crate::grid::{Cell, DiagonalCost, Directions, Grid};
use crate::search::{Goal, PartialReason, PathQuery, SearchError};

/// How much of a cost without walls counts as a lower bound: searches round costs, by up to 4 parts in 100,000.
const ROUNDING: f64 = 1.0 - 5e-5;

/// What a leg leads to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Towards {
    Goal,
    Link(LinkUse),
}

impl Towards {
    /// The link, if it leads to one.
    pub(super) const fn link(self) -> Option<LinkUse> {
        match self {
            Self::Goal => None,
            Self::Link(used) => Some(used),
        }
    }
}

/// A connected region of a grid.
type Region = (GridId, u32);

/// The links that lead to the goal, and lower bounds of what is left of a path behind each.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    /// Why the goal of the search is not that of the query.
    pub(super) short: Option<PartialReason>,
    /// The regions from which the goal is reached without a link.
    goal_regions: Vec<Region>,
    /// The links that begin in each region and lead to the goal.
    exits: HashMap<Region, Vec<LinkUse>>,
    /// For each of these links the bound from its far end to the goal.
    beyond: HashMap<LinkUse, f64>,
}

impl Bounds {
    /// Checks a query, and follows the links from its start and from its goal. If the goal cannot be reached, the query is
    /// changed to the nearest cell that can.
    pub(super) fn new(graph: &NavGraph, query: &mut GraphQuery) -> Result<Self, SearchError> {
        check(graph, query)?;
        let reachable = Reachable::from(graph, query.start(), query.path.kind, query.path.steps);
        let mut bounds = Self { goal_regions: goal_regions(graph, query, &reachable), ..Self::default() };
        if bounds.goal_regions.is_empty() {
            bounds.short = Some(aim_nearest(graph, query, &reachable)?);
            bounds.goal_regions = goal_regions(graph, query, &reachable);
        }
        bounds.follow_back(graph, query, &reachable);
        Ok(bounds)
    }

    /// Dijkstra's search from the goal over the links that can be reached, backwards.
    fn follow_back(&mut self, graph: &NavGraph, query: &GraphQuery, reachable: &Reachable) {
        let PathQuery { kind, steps, .. } = query.path;
        let region = |place: Place| {
            let number = graph.grid(place.grid)?.region(kind, steps, place.cell)?;
            Some((place.grid, number))
        };
        let mut leading_to: HashMap<Region, Vec<LinkUse>> = HashMap::new();
        // Non-negative numbers have the order of their bits.
        let mut open: BinaryHeap<Reverse<(u64, LinkUse)>> = BinaryHeap::new();
        for &used in reachable.exits() {
            let to = graph.ends(used)[1];
            let Some(there) = region(to) else { continue };
            leading_to.entry(there).or_default().push(used);
            if self.goal_regions.contains(&there) {
                open.push(Reverse((goal_bound(graph, query, to).to_bits(), used)));
            }
        }
        while let Some(Reverse((bits, used))) = open.pop() {
            if self.beyond.contains_key(&used) {
                continue;
            }
            let bound = f64::from_bits(bits);
            self.beyond.insert(used, bound);
            let from = graph.ends(used)[0];
            let Some(here) = region(from) else { continue };
            self.exits.entry(here).or_default().push(used);
            let rest = bound + graph.cost(used);
            for &before in leading_to.get(&here).into_iter().flatten() {
                if !self.beyond.contains_key(&before) {
                    let leg = leg_bound(graph, query, graph.ends(before)[1], from.cell);
                    open.push(Reverse(((leg + rest).to_bits(), before)));
                }
            }
        }
    }

    /// A lower bound of the cost of the path from the end of a leg that leads to this link, or to the goal.
    pub(super) fn after(&self, graph: &NavGraph, towards: Towards) -> f64 {
        towards.link().map_or(0.0, |used| graph.cost(used) + self.beyond[&used])
    }

    /// The legs from a place, each with a lower bound of the cost of the whole rest of the path.
    pub(super) fn legs(
        &self,
        graph: &NavGraph,
        query: &GraphQuery,
        at: Place,
    ) -> impl Iterator<Item = (Towards, f64)> {
        let PathQuery { kind, steps, .. } = query.path;
        let here =
            graph.grids()[at.grid.0 as usize].region(kind, steps, at.cell).map(|region| (at.grid, region));
        let exits = here.and_then(|here| self.exits.get(&here)).into_iter().flatten();
        let links = exits.map(move |&used| {
            let towards = Towards::Link(used);
            (towards, leg_bound(graph, query, at, graph.ends(used)[0].cell) + self.after(graph, towards))
        });
        let is_last = here.is_some_and(|here| self.goal_regions.contains(&here));
        is_last.then(|| (Towards::Goal, goal_bound(graph, query, at))).into_iter().chain(links)
    }
}

/// Checks what a search on one grid checks, for both ends of the query.
fn check(graph: &NavGraph, query: &GraphQuery) -> Result<(), SearchError> {
    let PathQuery { kind, start, ref goal, .. } = query.path;
    let grid = graph.grid(query.from).ok_or(SearchError::UnknownGrid(query.from.0))?;
    let goal_grid = graph.grid(query.to).ok_or(SearchError::UnknownGrid(query.to.0))?;
    if grid.kind(kind).is_none() || goal_grid.kind(kind).is_none() {
        return Err(SearchError::UnknownKind(kind));
    }
    if !grid.contains(start) {
        return Err(SearchError::StartOutside(start));
    }
    if !grid.is_walkable(kind, start) {
        return Err(SearchError::StartBlocked(start));
    }
    if let &Goal::Within { radius, .. } = goal
        && (radius.is_nan() || radius < 0.0)
    {
        return Err(SearchError::BadRadius);
    }
    let cells = cells(goal);
    let &first = cells.first().ok_or(SearchError::NoGoal)?;
    if cells.iter().any(|&cell| goal_grid.contains(cell)) {
        Ok(())
    } else {
        Err(SearchError::GoalOutside(first))
    }
}

/// The cells that a goal names.
fn cells(goal: &Goal) -> &[Cell] {
    match goal {
        Goal::Cell(cell) | Goal::Within { center: cell, .. } => core::slice::from_ref(cell),
        Goal::AnyOf(cells) => cells,
    }
}

/// The reachable regions of the goal's grid that hold a goal.
fn goal_regions(graph: &NavGraph, query: &GraphQuery, reachable: &Reachable) -> Vec<Region> {
    let PathQuery { kind, steps, ref goal, .. } = query.path;
    let grid = &graph.grids()[query.to.0 as usize];
    let mut regions: Vec<u32> = match *goal {
        // The nearest cell of each region decides: no list of all cells within the radius is made.
        Goal::Within { center, radius } => {
            let is_near = |&region: &u32| {
                let cells = Reachable::nearest_in(graph, (query.to, region), center, kind, steps);
                let gap = cells.first().map(|cell| cell.distance_squared(center) as f64);
                gap.is_some_and(|gap| gap <= f64::from(radius).powi(2))
            };
            reachable.regions_of(query.to).filter(is_near).collect()
        }
        _ => cells(goal).iter().filter_map(|&cell| grid.region(kind, steps, cell)).collect(),
    };
    regions.sort_unstable();
    regions.dedup();
    regions.into_iter().map(|region| (query.to, region)).filter(|region| reachable.contains(region)).collect()
}

/// Changes the goal of a query to the nearest cell that can be reached. Returns why.
fn aim_nearest(
    graph: &NavGraph,
    query: &mut GraphQuery,
    reachable: &Reachable,
) -> Result<PartialReason, SearchError> {
    let PathQuery { kind, steps, start, ref goal, allow_partial, .. } = query.path;
    let grid = &graph.grids()[query.to.0 as usize];
    let is_blocked = match *goal {
        Goal::Within { center, radius } => !grid
            .nearest_walkable(kind, center)
            .is_some_and(|cell| cell.distance_squared(center) as f64 <= f64::from(radius).powi(2)),
        _ => cells(goal).iter().all(|&cell| !grid.is_walkable(kind, cell)),
    };
    if !allow_partial {
        return Err(if is_blocked {
            SearchError::GoalBlocked(cells(goal)[0])
        } else {
            SearchError::Unreachable
        });
    }
    let mut near = Vec::new();
    for &to in cells(goal).iter().filter(|&&cell| grid.contains(cell)) {
        for region in reachable.regions_of(query.to) {
            let cells = Reachable::nearest_in(graph, (query.to, region), to, kind, steps);
            near.extend(cells.into_iter().map(|cell| (cell.distance_squared(to), cell)));
        }
    }
    match near.iter().map(|&(distance, _)| distance).min() {
        Some(least) => {
            near.retain(|&(distance, _)| distance == least);
            let mut cells = Vec::from_iter(near.into_iter().map(|(_, cell)| cell));
            cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
            query.path.goal = Goal::AnyOf(cells);
        }
        None => (query.to, query.path.goal) = (query.from, Goal::Cell(start)),
    }
    Ok(if is_blocked { PartialReason::GoalBlocked } else { PartialReason::Unreachable })
}

/// A lower bound of the cost from a place to a cell of the same grid.
fn leg_bound(graph: &NavGraph, query: &GraphQuery, from: Place, to: Cell) -> f64 {
    bound(&graph.grids()[from.grid.0 as usize], &query.path, from.cell, to, 0.0)
}

/// A lower bound of the cost from a place on the goal's grid to the goal.
fn goal_bound(graph: &NavGraph, query: &GraphQuery, from: Place) -> f64 {
    let radius = if let Goal::Within { radius, .. } = query.path.goal { f64::from(radius) } else { 0.0 };
    let grid = &graph.grids()[from.grid.0 as usize];
    let to_each = cells(&query.path.goal).iter().map(|&to| bound(grid, &query.path, from.cell, to, radius));
    to_each.fold(f64::INFINITY, f64::min)
}

/// The cost between two cells, less a radius, as if there were no walls and all terrain were the cheapest.
fn bound(grid: &Grid, query: &PathQuery, from: Cell, to: Cell, radius: f64) -> f64 {
    let (dx, dy) = (f64::from(from.x.abs_diff(to.x)), f64::from(from.y.abs_diff(to.y)));
    let (long, short) = (dx.max(dy), dx.min(dy));
    let length = match query.steps.directions {
        _ if query.algorithm.is_any_angle() || radius > 0.0 => {
            let length = (dx.hypot(dy) - radius).max(0.0);
            // A diagonal step may cost less than its length.
            if query.steps.diagonal == DiagonalCost::Sqrt2 {
                length
            } else {
                length / core::f64::consts::SQRT_2
            }
        }
        Directions::Four => dx + dy,
        Directions::Eight => long - short + short * query.steps.diagonal.value(),
    };
    length * f64::from(grid.least_cost(query.kind)) * ROUNDING
}
