//! What a search over a graph knows before it searches on any grid: which links lead to the goal, and lower bounds of
//! the cost.

use core::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::usable::{LinkGroup, Region, UsableLinks};
use super::{GraphQuery, GridId, NavGraph, Place};
use crate::grid::{DiagonalCost, Directions, Grid, GridCell};
use crate::search::{CellTree, Goal, PartialReason, PathQuery, SearchError, check_start};

/// How much of a cost without walls counts as a lower bound: searches round costs, by up to 4 parts in 100,000.
const ROUNDING: f64 = 1.0 - 5e-5;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Towards {
    Goal,
    /// A link, by its number in [`UsableLinks`].
    Link(u32),
}

impl Towards {
    pub(super) const fn link(self) -> Option<u32> {
        match self {
            Self::Goal => None,
            Self::Link(number) => Some(number),
        }
    }
}

/// How far the search from the goal goes on beyond the path of least bound, as a multiple of that bound: walls make
/// the true path longer. With 200 links on 8 floors of 512² factors from 1 to 1.3 took the same time.
const BEYOND: f64 = 1.1;

/// The links that lead to the goal, and lower bounds of what is left of a path behind each.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkBounds {
    /// Why the goal of the search is not that of the query.
    pub(super) short: Option<PartialReason>,
    pub(super) links: Arc<UsableLinks>,
    /// The regions from which the goal is reached without a link.
    goal_regions: Vec<Region>,
    costs: LegCosts,
    /// For each link the bound from its far end to the goal; infinite if it does not lead there.
    beyond: Vec<f64>,
}

impl LinkBounds {
    /// Checks a query, and follows the links from its start and from its goal. If the goal cannot be reached, the
    /// query is changed to the nearest cell that can.
    pub(super) fn new(graph: &NavGraph, query: &mut GraphQuery) -> Result<Self, SearchError> {
        check(graph, query)?;
        let PathQuery { kind, steps, .. } = query.path;
        let links = graph.usable(kind, steps);
        let start = graph.region(kind, steps, query.start()).expect("an agent may stand on the start");
        let reachable = links.connected::<false>(&[start]);
        let mut bounds =
            Self { goal_regions: goal_regions(graph, query, &reachable), links, ..Self::default() };
        if bounds.goal_regions.is_empty() {
            bounds.short = Some(aim_nearest(graph, query, &reachable)?);
            bounds.goal_regions = goal_regions(graph, query, &reachable);
        }
        bounds.costs = LegCosts::new(graph, query);
        bounds.follow_back(query, start);
        Ok(bounds)
    }

    /// Lets all links count as leading to the goal, and no region as one of its own.
    pub(super) fn forget_goal(&mut self) {
        self.goal_regions.clear();
        self.beyond.fill(0.0);
    }

    /// Dijkstra's search over the links from the goal backwards, with every leg at its lower bound. It ends when it has
    /// gone farther than the start is; for the links that it has not come to, that distance is a lower bound too.
    fn follow_back(&mut self, query: &GraphQuery, start: Region) {
        let Self { links, goal_regions, costs, beyond, .. } = self;
        beyond.resize(links.len(), f64::INFINITY);
        let mut is_settled = vec![false; links.len()];
        let greatest = vec![f64::INFINITY; links.parts.len()];
        let mut pass =
            BackwardPass { links, costs, beyond, greatest, legs: Vec::new(), open: BinaryHeap::new() };
        for number in goal_regions.iter().flat_map(|&region| links.entrances(region)) {
            let bound = costs.to_goal(query, links.link(number).to);
            pass.beyond[number as usize] = bound;
            pass.open.push(Reverse((bound.to_bits(), number)));
        }
        let is_last = goal_regions.contains(&start);
        let mut best = if is_last { costs.to_goal(query, query.start()) } else { f64::INFINITY };
        while let Some(Reverse((bits, number))) = pass.open.pop() {
            let bound = f64::from_bits(bits);
            if bound > best * BEYOND {
                break;
            }
            if core::mem::replace(&mut is_settled[number as usize], true) {
                continue;
            }
            let link = links.link(number);
            let rest = bound + link.cost;
            if links.regions(number)[0] == start {
                best = best.min(costs.leg(query.start(), link.from.cell) + rest);
            }
            if let Some(part) = links.before(number) {
                pass.lower(part, link.from, rest, best * BEYOND);
            }
        }
        if best < f64::INFINITY {
            let open_bound = best * BEYOND;
            let leads = links.connected::<true>(goal_regions);
            for number in (0..links.len() as u32).filter(|&number| !is_settled[number as usize]) {
                let link_leads = leads.binary_search(&links.regions(number)[1]).is_ok();
                beyond[number as usize] = if link_leads { open_bound } else { f64::INFINITY };
            }
        }
    }

    /// A lower bound of the cost of the path from the end of a leg that leads to this link, or to the goal.
    pub(super) fn after(&self, towards: Towards) -> f64 {
        towards.link().map_or(0.0, |number| self.links.link(number).cost + self.beyond[number as usize])
    }

    /// The legs from a place, each with a lower bound of the cost of the whole rest of the path.
    pub(super) fn legs(
        &self,
        graph: &NavGraph,
        query: &GraphQuery,
        at: Place,
    ) -> impl Iterator<Item = (Towards, f64)> {
        let costs = &self.costs;
        let here = graph.region(query.path.kind, query.path.steps, at);
        let is_last = here.is_some_and(|here| self.goal_regions.binary_search(&here).is_ok());
        let goal = is_last.then(|| (Towards::Goal, costs.to_goal(query, at)));
        let exits = here.map_or(&[][..], |here| self.links.exits(here)).iter();
        let links =
            exits.filter(|&&number| self.beyond[number as usize] < f64::INFINITY).map(move |&number| {
                let towards = Towards::Link(number);
                (towards, costs.leg(at, self.links.link(number).from.cell) + self.after(towards))
            });
        goal.into_iter().chain(links)
    }
}

/// The search over the links from the goal backwards.
struct BackwardPass<'l> {
    links: &'l UsableLinks,
    costs: &'l LegCosts,
    beyond: &'l mut [f64],
    /// For each part no less than the bounds of all its links.
    greatest: Vec<f64>,
    legs: Vec<f64>,
    /// Links with their bounds as bits: numbers that are not negative have the order of their bits.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl BackwardPass<'_> {
    /// Lowers the bounds of a part's links to those of paths by `to`, `rest` from there on; not to above `most`.
    fn lower(&mut self, part: u32, to: Place, rest: f64, most: f64) {
        let LinkGroup { links, rect, halves } = &self.links.parts[part as usize];
        #[cfg(test)]
        crate::testing::count(1);
        let least = rest + self.costs.leg(to, rect.nearest_to(to.cell));
        if least > most || least >= self.greatest[part as usize] {
            return;
        }
        if let &Some(halves) = halves {
            halves.into_iter().for_each(|half| self.lower(half, to, rest, most));
            let [a, b] = halves.map(|half| self.greatest[half as usize]);
            self.greatest[part as usize] = a.max(b);
            return;
        }
        #[cfg(test)]
        crate::testing::count(links.len());
        // All at once, which takes a fraction of the time of as many single ones.
        self.costs.legs(self.links.far_ends(links), to, &mut self.legs);
        let mut greatest = 0.0f64;
        for (number, &leg) in links.clone().zip(&self.legs) {
            let (known, bound) = (&mut self.beyond[number as usize], leg + rest);
            if bound < *known {
                *known = bound;
                self.open.push(Reverse((bound.to_bits(), number)));
            }
            greatest = greatest.max(*known);
        }
        self.greatest[part as usize] = greatest;
    }
}

/// Checks what a search on one grid checks, for both ends of the query.
fn check(graph: &NavGraph, query: &GraphQuery) -> Result<(), SearchError> {
    let PathQuery { kind, start, ref goal, .. } = query.path;
    let grid = graph.grid(query.from).ok_or(SearchError::UnknownGrid(query.from.0))?;
    let goal_grid = graph.grid(query.to).ok_or(SearchError::UnknownGrid(query.to.0))?;
    if goal_grid.kind(kind).is_none() {
        return Err(SearchError::UnknownKind(kind));
    }
    check_start(grid, kind, start)?;
    goal.check(goal_grid)?;
    Ok(())
}

/// The reachable regions of the goal's grid that hold a goal.
fn goal_regions(graph: &NavGraph, query: &GraphQuery, reachable: &[Region]) -> Vec<Region> {
    let PathQuery { kind, steps, ref goal, .. } = query.path;
    let grid = &graph.grids()[query.to.0 as usize];
    let mut regions: Vec<u32> = match *goal {
        // The nearest cell of each region decides: no list of all cells within the radius is made.
        Goal::Within { center, radius } => {
            let is_near = |&region: &u32| {
                let cells = nearest_in(grid, query, region, &[center]);
                let gap = cells.first().map(|cell| cell.distance_squared(center) as f64);
                gap.is_some_and(|gap| gap <= f64::from(radius).powi(2))
            };
            regions_of(reachable, query.to).filter(is_near).collect()
        }
        _ => goal.cells().iter().filter_map(|&cell| grid.region(kind, steps, cell)).collect(),
    };
    regions.sort_unstable();
    regions.dedup();
    let regions = regions.into_iter().map(|region| (query.to, region));
    regions.filter(|region| reachable.binary_search(region).is_ok()).collect()
}

/// Changes the goal of a query to the nearest cell that can be reached. Returns why.
fn aim_nearest(
    graph: &NavGraph,
    query: &mut GraphQuery,
    reachable: &[Region],
) -> Result<PartialReason, SearchError> {
    let PathQuery { kind, start, ref goal, allow_partial, .. } = query.path;
    let grid = &graph.grids()[query.to.0 as usize];
    let is_blocked = goal.is_blocked(grid, kind);
    if !allow_partial {
        return Err(if is_blocked {
            SearchError::GoalBlocked(goal.cells()[0])
        } else {
            SearchError::Unreachable
        });
    }
    let goals: Vec<GridCell> = goal.cells().iter().filter(|&&cell| grid.contains(cell)).copied().collect();
    let mut tree = CellTree::default();
    tree.set(goals.iter().copied());
    let near = regions_of(reachable, query.to).flat_map(|region| nearest_in(grid, query, region, &goals));
    let near = near.map(|cell| (tree.least_squared(cell, u64::MAX), cell));
    let near: Vec<(u64, GridCell)> = near.collect();
    match near.iter().map(|&(distance, _)| distance).min() {
        Some(least) => {
            let mut cells: Vec<GridCell> =
                near.into_iter().filter(|&(distance, _)| distance == least).map(|(_, cell)| cell).collect();
            cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
            query.path.goal = Goal::AnyOf(cells);
        }
        None => (query.to, query.path.goal) = (query.from, Goal::GridCell(start)),
    }
    Ok(if is_blocked { PartialReason::GoalBlocked } else { PartialReason::Unreachable })
}

/// The numbers of the regions of a grid, of sorted ones.
fn regions_of(regions: &[Region], grid: GridId) -> impl Iterator<Item = u32> {
    let first = regions.partition_point(|&(of, _)| of < grid);
    regions[first..].iter().take_while(move |&&(of, _)| of == grid).map(|&(_, number)| number)
}

/// The cells of a region that are nearest to any of the cells `to`, all at the same distance.
fn nearest_in(grid: &Grid, query: &GraphQuery, region: u32, to: &[GridCell]) -> Vec<GridCell> {
    let mut nearest = Vec::new();
    grid.nearest_in_region(query.path.kind, query.path.steps, region, to, &mut nearest);
    nearest
}

/// The cost of the cheapest path without walls between two cells, where a straight step costs 1.
fn octile(dx: f64, dy: f64, diagonal: f64) -> f64 {
    let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
    long - short * (1.0 - diagonal)
}

/// Lower bounds of the cost of legs: as if there were no walls, and all terrain of a grid were its cheapest.
#[derive(Clone, Debug, Default)]
struct LegCosts {
    /// The query's goals, if they are a list of cells.
    goals: CellTree,
    straight: Vec<f64>,
    /// The cost of a diagonal step, where a straight one costs 1; `None` for paths at any angle.
    diagonal: Option<f64>,
    /// The least cost of a unit of length at any angle.
    length: f64,
    has_four: bool,
}

impl LegCosts {
    fn new(graph: &NavGraph, query: &GraphQuery) -> Self {
        let PathQuery { kind, steps, algorithm, .. } = query.path;
        #[cfg(test)]
        crate::testing::count(graph.grids().len());
        let least = |grid: &Arc<Grid>| f64::from(grid.least_cost(kind)) * ROUNDING;
        let mut goals = CellTree::default();
        goals.set(query.path.goal.cells().iter().copied());
        Self {
            goals,
            straight: graph.grids().iter().map(least).collect(),
            diagonal: (!algorithm.is_any_angle()).then(|| steps.diagonal.value()),
            // A diagonal step may cost less than its length.
            length: if steps.diagonal == DiagonalCost::Sqrt2 {
                1.0
            } else {
                core::f64::consts::FRAC_1_SQRT_2
            },
            has_four: steps.directions == Directions::Four,
        }
    }

    /// The bound from a place to a cell of the same grid.
    fn leg(&self, from: Place, to: GridCell) -> f64 {
        self.across(from.grid, from.cell.x.abs_diff(to.x), from.cell.y.abs_diff(to.y))
    }

    /// The bound across so many columns and rows of a grid.
    fn across(&self, grid: GridId, dx: u32, dy: u32) -> f64 {
        let (dx, dy) = (f64::from(dx), f64::from(dy));
        let length = match self.diagonal {
            None => (dx * dx + dy * dy).sqrt() * self.length,
            Some(_) if self.has_four => dx + dy,
            Some(diagonal) => octile(dx, dy, diagonal),
        };
        length * self.straight[grid.0 as usize]
    }

    /// The bounds from several cells, each by column and row, to a place on the same grid.
    fn legs(&self, from: impl Iterator<Item = [f64; 2]>, to: Place, bounds: &mut Vec<f64>) {
        let unit = self.straight[to.grid.0 as usize];
        let (x, y) = (f64::from(to.cell.x), f64::from(to.cell.y));
        let gaps = from.map(|[from_x, from_y]| ((from_x - x).abs(), (from_y - y).abs()));
        bounds.clear();
        match self.diagonal {
            None => bounds.extend(gaps.map(|(dx, dy)| (dx * dx + dy * dy).sqrt() * self.length * unit)),
            Some(_) if self.has_four => bounds.extend(gaps.map(|(dx, dy)| (dx + dy) * unit)),
            Some(diagonal) => bounds.extend(gaps.map(|(dx, dy)| octile(dx, dy, diagonal) * unit)),
        }
    }

    /// The bound from a place on the goal's grid to the goal.
    fn to_goal(&self, query: &GraphQuery, from: Place) -> f64 {
        if let Goal::Within { center, radius } = query.path.goal {
            let (dx, dy) = (from.cell.x.abs_diff(center.x), from.cell.y.abs_diff(center.y));
            let length = (f64::from(dx).hypot(f64::from(dy)) - f64::from(radius)).max(0.0);
            return length * self.length * self.straight[from.grid.0 as usize];
        }
        self.goals.least(from.cell, f64::INFINITY, &|dx, dy| self.across(from.grid, dx, dy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Link, solve_graph};
    use crate::rng::CounterRng;
    use crate::testing::work_of;

    /// The work of a search from the first cell of grid 0 to a cell of the last grid, over some links: grids whose costs are
    /// read, and links and parts of them that are looked at for bounds.
    fn work(grids: usize, side: u32, links: Vec<Link>) -> u64 {
        let grid = Arc::new(Grid::new(side, side).expect("the size is valid"));
        let grids: Vec<_> = std::iter::repeat_n(grid, grids).collect();
        let last = GridId(grids.len() as u32 - 1);
        let graph = Arc::new(NavGraph::new(grids, links).expect("every link names a grid"));
        let query = GraphQuery::new(Place::default(), last, GridCell::new(2, 2));
        work_of(|| _ = solve_graph(&graph, query, Default::default()).0.expect("there is a path"))
    }

    fn at(grid: u32, x: u32, y: u32) -> Place {
        Place::new(GridId(grid), GridCell::new(x as i32, y as i32))
    }

    #[test]
    fn a_chain_of_grids_takes_work_in_proportion_to_its_length() {
        let [one, four] = [200, 800].map(|count| {
            let links = (0..count).map(|i| Link::new(at(i, 3, 3), at(i + 1, 0, 0), 1.0)).collect();
            work(count as usize + 1, 4, links)
        });
        assert!(four <= 5 * one, "{one}, and {four} for four times as many");
    }

    /// Links between two grids, of various costs, one-way and both ways; with and without a detour by a third grid that
    /// keeps the search from ending early.
    #[test]
    fn many_links_between_two_grids_take_little_more_work_than_their_number() {
        for (cost, is_one_way, first) in [(50.0, false, 0), (0.0, false, 1), (1.0, true, 1), (9.0, false, 1)]
        {
            let [one, four] = [2_000, 8_000].map(|count| {
                let mut rng = CounterRng::new(4, 0, 0);
                let links = (0..count).map(|_| {
                    let mut cell = |grid| at(grid, rng.below(128), rng.below(128));
                    Link { both_ways: !is_one_way, ..Link::new(cell(first), cell(first + 1), cost) }
                });
                let far = Link::new(at(0, 127, 127), at(1, 60, 60), 300.0);
                work(first as usize + 2, 128, links.chain([far]).collect())
            });
            assert!(four <= 6 * one, "cost {cost}: {one}, and {four} for four times as many");
        }
    }
}
