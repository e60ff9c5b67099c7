//! The search over a graph of grids.
//!
//! Its nodes are the start, the far end of each use of a link, and the goal. The cost of a leg between two of them is
//! found by a search on one grid, and these searches take most of the time. So each leg first enters the open list
//! with a lower bound, the cost that it would have without walls. Only when a leg comes to the front is it searched,
//! and put back with its true cost; when it comes to the front again it is part of a cheapest path (A* with edges
//! that are evaluated late: Dellin and Srinivasa, "A Unifying Formalism for Shortest Path Problems with Expensive
//! Edge Evaluations via Lazy Best-First Search", 2016).
//!
//! The estimate from a node to the goal is the least cost over all links with every leg at its lower bound, found by
//! one pass of Dijkstra's search backwards from the goal. It never exceeds the true cost, whatever the links are: a
//! teleporter that makes the straight line a bad estimate is allowed for. So most legs that are searched lie on the
//! path.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use super::bounds::{LinkBounds, Towards};
use super::usable::UsableLink;
use super::{GraphAnswer, GraphLeg, GraphQuery, GridId, LinkUse, NavGraph, Place};
use crate::grid::Grid;
use crate::search::{
    Algorithm, Answer, Goal, Heuristic, Limits, Metrics, Outcome, PartialReason, PathQuery, Progress, Search,
    SearchError, SearchScratch, solve,
};

/// The algorithm that confirms that every path exceeds a limit of cost.
const EXACT: (Algorithm, Heuristic) = (Algorithm::AStar, Heuristic::Auto);

/// A leg on the open list, in the order in which legs are taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OpenLeg {
    /// The cost of the whole path: so far, of the leg, and from the leg's end to the goal. Lower bounds stand for costs
    /// that are not known yet. As bits: numbers that are not negative have the order of their bits.
    key: u64,
    /// Of equal keys a leg that has been searched comes first, so that no other one is searched in vain.
    is_new: bool,
    towards: Towards,
    /// The node that it starts from: an index into [`GraphSearch::nodes`].
    from: u32,
    /// The path of the leg, once it has been searched: an index into [`GraphSearch::found`].
    found: Option<u32>,
}

/// A place whose least cost is known: the start, or the far end of a link.
#[derive(Copy, Clone, Debug)]
struct Reached {
    at: Place,
    cost: f64,
    /// The leg and the link that led here; `None` for the start.
    by: Option<LinkStep>,
}

#[derive(Copy, Clone, Debug)]
struct LinkStep {
    from: u32,
    /// Its path, an index into [`GraphSearch::found`].
    found: u32,
    used: LinkUse,
}

/// What the legs lead to.
#[derive(Copy, Clone, Debug, PartialEq)]
enum GraphAim {
    /// The goal of the search.
    Goal,
    /// Every place that links lead to: rules of edges, of which the bounds know nothing, close all ways to the goal.
    Everywhere,
    /// From all these places on the goal's grid, the cells that are nearest to the goal.
    Nearest,
}

#[derive(Copy, Clone, Debug)]
enum End {
    /// With the leg from this node to the goal, at an index into [`GraphSearch::found`].
    Goal(u32, u32),
    /// At this node, because of a limit.
    Limit(u32, PartialReason),
}

/// A search over a graph that runs in slices of a given number of expansions, and can be dropped between any two. The
/// answer is the same however the work is sliced.
#[derive(Debug)]
pub struct GraphSearch {
    graph: Arc<NavGraph>,
    query: GraphQuery,
    /// The memory for searches on grids, while none is running.
    scratch: SearchScratch,
    bounds: LinkBounds,
    aim: GraphAim,
    /// The goal that was asked for, and its grid.
    asked: (GridId, Goal),
    /// The least distance to that goal at the end of a path to a nearest cell, squared, with the bits of the cost, the
    /// node and the index in `found` of its last leg.
    nearest: Option<(u64, u64, u32, u32)>,
    /// Whether a leg was left out because of the limit of cost.
    is_cut: bool,
    nodes: Vec<Reached>,
    /// The links that lead to a node, by their numbers in the bounds.
    taken: HashSet<u32>,
    /// The paths of legs that have been searched.
    found: Vec<Answer>,
    /// Where in `found` the present attempt begins; see [`search_exactly`](Self::search_exactly).
    begun: usize,
    open: BinaryHeap<Reverse<OpenLeg>>,
    /// The search for the leg that was taken from the open list last.
    running: Option<(OpenLeg, Box<Search<Arc<Grid>>>)>,
    metrics: Metrics,
    /// Set once the search has ended, with the error of an invalid query.
    end: Option<Result<End, SearchError>>,
}

/// Answers a query in one call. It returns the memory for the next search.
///
/// # Errors
/// Those of [`GraphSearch::finish`].
pub fn solve_graph(
    graph: &Arc<NavGraph>,
    query: GraphQuery,
    scratch: SearchScratch,
) -> (Result<GraphAnswer, SearchError>, SearchScratch) {
    let mut search = GraphSearch::new(graph.clone(), query, scratch);
    while search.step(u32::MAX) == Progress::Running {}
    search.finish()
}

impl GraphSearch {
    /// Begins a search. An error in the query is returned by [`finish`](Self::finish).
    #[must_use]
    pub fn new(graph: Arc<NavGraph>, mut query: GraphQuery, scratch: SearchScratch) -> Self {
        let asked = (query.to, query.path.goal.clone());
        let bounds = LinkBounds::new(&graph, &mut query);
        let start = Reached { at: query.start(), cost: 0.0, by: None };
        let mut search = Self {
            graph,
            query,
            scratch,
            end: bounds.as_ref().err().copied().map(Err),
            bounds: bounds.unwrap_or_default(),
            aim: GraphAim::Goal,
            asked,
            nearest: None,
            is_cut: false,
            nodes: Vec::new(),
            taken: HashSet::new(),
            found: Vec::new(),
            begun: 0,
            open: BinaryHeap::new(),
            running: None,
            metrics: Metrics::default(),
        };
        if search.end.is_none() {
            search.reach(start);
        }
        search
    }

    /// Expands at most `expansions` nodes of the searches on grids.
    pub fn step(&mut self, expansions: u32) -> Progress {
        let mut budget = expansions;
        while self.end.is_none() {
            if budget == 0 {
                return Progress::Running;
            }
            match self.running.take() {
                Some((open, search)) => self.search_leg(open, search, &mut budget),
                None => self.take_first(),
            }
        }
        Progress::Done
    }

    /// Counts of what the searches on grids did so far.
    pub fn metrics(&self) -> Metrics {
        self.running.iter().fold(self.metrics, |sum, (_, search)| sum + search.metrics())
    }

    fn search_leg(&mut self, open: OpenLeg, mut search: Box<Search<Arc<Grid>>>, budget: &mut u32) {
        let before = search.metrics().expanded;
        let progress = search.step(*budget);
        // A search that expands nothing takes time too.
        let expanded = (search.metrics().expanded - before).max(1);
        *budget = budget.saturating_sub(u32::try_from(expanded).unwrap_or(u32::MAX));
        if progress == Progress::Running {
            self.running = Some((open, search));
            return;
        }
        self.metrics = self.metrics + search.metrics();
        let (answer, scratch) = search.finish();
        self.scratch = scratch;
        match answer {
            Ok(path) if self.aim == GraphAim::Nearest => {
                let away = self.asked.1.cells().iter().map(|goal| goal.distance_squared(path.end())).min();
                let cost = (self.nodes[open.from as usize].cost + path.cost).to_bits();
                let end = (away.unwrap_or(u64::MAX), cost, open.from, self.found.len() as u32);
                self.nearest = Some(self.nearest.map_or(end, |nearest| nearest.min(end)));
                self.found.push(path);
            }
            Ok(path) => {
                let rest = self.bounds.after(open.towards);
                let key = self.nodes[open.from as usize].cost + path.cost + rest;
                let (key, found) = (key.to_bits(), Some(self.found.len() as u32));
                self.open.push(Reverse(OpenLeg { key, is_new: false, found, ..open }));
                self.found.push(path);
            }
            // Rules of edges close the leg.
            Err(SearchError::Unreachable) => {}
            Err(SearchError::LimitReached) => self.stop(PartialReason::ExpansionLimit),
            Err(error) => self.end = Some(Err(error)),
        }
    }

    /// Takes the first leg from the open list: begins its search or, if its path is known, goes on from its end.
    fn take_first(&mut self) {
        let Some(Reverse(open)) = self.open.pop() else {
            if !self.is_cut || self.aim != GraphAim::Goal {
                return self.aim_short();
            }
            let is_exact = (self.query.path.algorithm, self.query.path.heuristic) == EXACT;
            if is_exact || self.found.iter().all(Answer::is_optimal) {
                self.stop(PartialReason::CostLimit);
            } else {
                self.search_exactly();
            }
            return;
        };
        if self.exceeds_cost_limit(&open) {
            self.is_cut = true;
            return;
        }
        match (open.towards, open.found) {
            (Towards::Link(number), _) if self.taken.contains(&number) => {}
            (_, None) => self.begin_leg(open),
            (Towards::Goal, Some(found)) => self.end = Some(Ok(End::Goal(open.from, found))),
            (Towards::Link(number), Some(found)) => {
                self.taken.insert(number);
                let &UsableLink { used, to, cost, .. } = self.bounds.links.link(number);
                let cost = self.nodes[open.from as usize].cost + self.found[found as usize].cost + cost;
                self.reach(Reached { at: to, cost, by: Some(LinkStep { from: open.from, found, used }) });
            }
        }
    }

    /// Goes on to the cell nearest to the goal, once every way to the goal has proved closed.
    fn aim_short(&mut self) {
        if !self.query.path.allow_partial {
            self.end = Some(Err(SearchError::Unreachable));
            return;
        }
        match self.aim {
            GraphAim::Goal => {
                self.aim = GraphAim::Everywhere;
                self.bounds.forget_goal();
                self.taken.clear();
                self.nodes.truncate(1);
                self.open_legs(0);
            }
            GraphAim::Everywhere => {
                self.aim = GraphAim::Nearest;
                (self.query.to, self.query.path.goal) = self.asked.clone();
                let is_there = |node: &u32| self.nodes[*node as usize].at.grid == self.query.to;
                let mut from: Vec<u32> = (0..self.nodes.len() as u32).filter(is_there).collect();
                if from.is_empty() {
                    let start = self.query.start();
                    (self.query.to, self.query.path.goal) = (start.grid, Goal::GridCell(start.cell));
                    from.push(0);
                }
                self.open.extend(from.into_iter().map(|from| {
                    let key = self.nodes[from as usize].cost.to_bits();
                    Reverse(OpenLeg { key, is_new: true, towards: Towards::Goal, from, found: None })
                }));
            }
            GraphAim::Nearest => {
                let end = self.nearest.map(|(.., from, found)| Ok(End::Goal(from, found)));
                self.end = end.or(Some(Err(SearchError::Unreachable)));
            }
        }
    }

    /// Starts again, once, with an algorithm that finds the cheapest paths of the legs: these may be within the limit of
    /// cost. What was reached before is kept for the case that a limit of expansions ends the second attempt early.
    fn search_exactly(&mut self) {
        (self.query.path.algorithm, self.query.path.heuristic) = EXACT;
        self.taken.clear();
        self.begun = self.found.len();
        self.reach(self.nodes[0]);
    }

    /// Whether the path to the end of a leg, and over the link there, costs more than the limit.
    fn exceeds_cost_limit(&self, open: &OpenLeg) -> bool {
        let Some(most) = self.query.path.limits.cost else { return false };
        let crossing = open.towards.link().map_or(0.0, |number| self.bounds.links.link(number).cost);
        // Tolerance for the rounding of sums.
        f64::from_bits(open.key) - self.bounds.after(open.towards) + crossing > most * (1.0 + 1e-9)
    }

    fn leg_goal(&self, towards: Towards) -> Goal {
        match towards {
            Towards::Goal => self.query.path.goal.clone(),
            Towards::Link(number) => Goal::GridCell(self.bounds.links.link(number).from.cell),
        }
    }

    fn begin_leg(&mut self, open: OpenLeg) {
        let Place { grid, cell } = self.nodes[open.from as usize].at;
        let goal = self.leg_goal(open.towards);
        let is_short = self.aim == GraphAim::Nearest;
        let mut limits = self.limits_from(open.from);
        // A leg to the goal or to a link that costs too much is left out as a whole.
        limits.cost = limits.cost.filter(|_| is_short);
        let query = PathQuery { start: cell, goal, ..self.query.path.clone() }
            .with_limits(limits)
            .with_partial(is_short);
        let grid = self.graph.grids()[grid.0 as usize].clone();
        let scratch = core::mem::take(&mut self.scratch);
        self.running = Some((open, Box::new(Search::new(grid, query, scratch))));
    }

    /// What the query's limits leave for the path from a node on.
    fn limits_from(&self, node: u32) -> Limits {
        let Limits { expansions, cost } = self.query.path.limits;
        Limits {
            expansions: expansions.map(|most| most.saturating_sub(self.metrics.expanded)),
            cost: cost.map(|most| (most - self.nodes[node as usize].cost).max(0.0)),
        }
    }

    /// Adds a node, and opens the legs from it with their lower bounds.
    fn reach(&mut self, reached: Reached) {
        self.nodes.push(reached);
        self.open_legs(self.nodes.len() as u32 - 1);
    }

    fn open_legs(&mut self, from: u32) {
        let reached = self.nodes[from as usize];
        let legs = self.bounds.legs(&self.graph, &self.query, reached.at);
        let legs =
            legs.filter(|(towards, _)| towards.link().is_none_or(|number| !self.taken.contains(&number)));
        self.open.extend(legs.map(|(towards, bound)| {
            let key = (reached.cost + bound).to_bits();
            Reverse(OpenLeg { key, is_new: true, towards, from, found: None })
        }));
    }

    /// Ends the search at the node that seems nearest to the goal.
    fn stop(&mut self, reason: PartialReason) {
        if !self.query.path.allow_partial {
            self.end = Some(Err(SearchError::LimitReached));
            return;
        }
        let key = |&node: &u32| (self.rest(node).1.to_bits(), self.nodes[node as usize].cost.to_bits());
        let nearest = (0..self.nodes.len() as u32).min_by_key(key);
        self.end = Some(Ok(End::Limit(nearest.unwrap_or_default(), reason)));
    }

    /// The best leg from a node, as far as lower bounds tell, and the bound of the cost of the rest of the path.
    fn rest(&self, node: u32) -> (Towards, f64) {
        let legs = self.bounds.legs(&self.graph, &self.query, self.nodes[node as usize].at);
        legs.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Towards::Goal, f64::INFINITY))
    }

    /// The path from a node as far towards the goal as the limits let it; at the least the node alone.
    fn last_leg(&mut self, node: u32) -> Result<Answer, SearchError> {
        let (Place { grid, cell }, limits) = (self.nodes[node as usize].at, self.limits_from(node));
        let goal = self.leg_goal(self.rest(node).0);
        let query = PathQuery { start: cell, goal, limits, ..self.query.path.clone() };
        let path = solve(&self.graph.grids()[grid.0 as usize], &query, &mut self.scratch)?;
        self.metrics = self.metrics + path.metrics;
        Ok(path)
    }

    /// Ends the search, and returns its answer and its memory.
    ///
    /// # Errors
    /// A [`SearchError`] if the query is invalid, if no path leads to the goal (or within the limits) and the query
    /// allows no partial path, or if the search was not [done](Progress::Done).
    pub fn finish(mut self) -> (Result<GraphAnswer, SearchError>, SearchScratch) {
        let answer = match self.end {
            Some(Ok(end)) => self.answer(end),
            Some(Err(error)) => Err(error),
            None => Err(SearchError::Unfinished),
        };
        let scratch = self.running.map_or(self.scratch, |(_, search)| search.finish().1);
        (answer, scratch)
    }

    fn answer(&mut self, end: End) -> Result<GraphAnswer, SearchError> {
        let (last, path, short) = match end {
            End::Goal(from, found) => {
                let closed = (self.aim != GraphAim::Goal).then_some(PartialReason::Unreachable);
                (from, self.found[found as usize].clone(), self.bounds.short.or(closed))
            }
            End::Limit(node, reason) => (node, self.last_leg(node)?, Some(reason)),
        };
        let nearest = path.end();
        let node = |index: u32| &self.nodes[index as usize];
        let cost = node(last).cost + path.cost;
        let mut legs = vec![GraphLeg { grid: node(last).at.grid, path, link: None }];
        let mut by = node(last).by;
        while let Some(LinkStep { from, found, used }) = by {
            let path = self.found[found as usize].clone();
            legs.push(GraphLeg { grid: node(from).at.grid, path, link: Some(used) });
            by = node(from).by;
        }
        legs.reverse();
        // Also of legs that are not taken: one may have been left out because its path was not its cheapest.
        let bounds = self.found[self.begun..].iter().map(|path| path.suboptimality_bound);
        let bound = bounds.reduce(|a, b| Some(a?.max(b?))).flatten();
        Ok(GraphAnswer {
            outcome: short.map_or(Outcome::Complete, |reason| Outcome::Partial { nearest, reason }),
            cost,
            suboptimality_bound: bound.filter(|_| matches!(end, End::Goal(..))),
            metrics: self.metrics,
            legs,
        })
    }
}
