//! One search from its plan to its answer: checks the query, runs the plan's strategy and open list in slices, and
//! assembles the answer. The loop itself is in [`strategy`](super::strategy).

use super::any_angle::AnyAngle;
use super::astar::{CellByCell, KeyOrder};
use super::jps::{Always, Ends, Four, InParts, JumpTables, Jumps, Never, OneFree, Rule};
use super::near_edges::NearEdges;
use super::nodes::{AdjacentParent, AnyParent, Node, ParentEncoding};
use super::open_list::{Buckets, Heap};
use super::path::{Leg, measure, waypoints};
use super::plan::Plan;
use super::strategy::{Kernel, Loop, Stop, Strategy, UnitLimits};
use super::theta::Theta;
use super::tighten::tighten;
use super::{
    Algorithm, Answer, Limits, Metrics, Outcome, PartialReason, PathQuery, Progress, SearchError,
    SearchObserver, SearchScratch,
};
use crate::grid::{CornerRule, Directions, Grid, GridCell, KindId, Layer, StepRules};
use crate::sight::Solid;

/// The grid, query and scratch memory of a search.
pub(super) struct SearchContext<'s> {
    pub(super) grid: &'s Grid,
    pub(super) query: &'s PathQuery,
    pub(super) scratch: &'s mut SearchScratch,
}

/// The state of a search, apart from its context.
#[derive(Debug)]
pub(super) struct SearchRun {
    plan: Plan,
    /// Whether the plan's search has opened the start.
    opened: bool,
    /// The greatest cost that a record with an [`AnyParent`] holds; less in a test only.
    max_far_cost: u64,
    /// Why the targets are not the query's goal; `None` if they are.
    partial_reason: Option<PartialReason>,
    limits: UnitLimits,
    /// The path of an earlier plan to the nearest cell, with that cell's squared distance to the goal and cost.
    earlier: Option<((u64, u64), Box<Answer>)>,
    pub(super) metrics: Metrics,
    /// Once the search has ended: the last node of the path and why it is short of the goal, or the error.
    end: Option<Result<(Node, Option<PartialReason>), SearchError>>,
}

impl SearchRun {
    pub(super) fn begin(context: &mut SearchContext<'_>) -> Self {
        let targets = Self::check(context);
        let SearchContext { grid, query, ref scratch } = *context;
        let plan = Plan::new(grid, query, &scratch.costs, &scratch.targets);
        let max_far_cost = AnyParent::MAX_COST;
        let limits = match targets {
            Ok(_) => prepare(&plan, max_far_cost, context),
            Err(_) => UnitLimits::none(),
        };
        Self {
            plan,
            opened: false,
            max_far_cost,
            partial_reason: targets.unwrap_or(None),
            limits,
            earlier: None,
            metrics: Metrics::default(),
            end: targets.err().map(Err),
        }
    }

    /// Checks the query, sets the costs and chooses the targets.
    fn check(context: &mut SearchContext<'_>) -> Result<Option<PartialReason>, SearchError> {
        let SearchContext { grid, query, scratch } = context;
        let &PathQuery { kind, steps, start, .. } = *query;
        check_start(grid, kind, start)?;
        if query.algorithm == Algorithm::WeightedAStar && !PathQuery::WEIGHTS.contains(&query.weight) {
            return Err(SearchError::BadWeight);
        }
        let finer = if query.algorithm.is_any_angle() { 10 } else { 1 };
        scratch.costs.set(grid, kind, steps, finer);
        scratch.targets.set(grid, query, &scratch.costs, &mut scratch.found_cells)
    }

    pub(super) fn step<L: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_>,
        budget: u32,
        observer: &mut L,
    ) -> Progress {
        if self.end.is_some() {
            return Progress::Done;
        }
        let stop = self.expand(context, budget, observer);
        let query = context.query;
        let limited = |limits: &UnitLimits, reason| match limits.nearest {
            Some((_, _, node)) if query.allow_partial => Ok((node, Some(reason))),
            _ => Err(SearchError::LimitReached),
        };
        self.end = match stop {
            Stop::Budget => return Progress::Running,
            Stop::Full => return self.start_again(self.plan.with_theta(), context),
            Stop::Found(node) => Some(Ok((node, self.partial_reason))),
            // A limit of 0 expansions: a start that is a target has not been expanded, but is the answer.
            Stop::Limit if context.scratch.targets.contains(query.start.into()) => {
                Some(Ok((query.start.into(), self.partial_reason)))
            }
            Stop::Limit => Some(limited(&self.limits, PartialReason::ExpansionLimit)),
            Stop::Exhausted if self.may_have_missed_a_path(query) => {
                self.keep_nearest(context);
                return self.start_again(Plan::exact_steps(query, &context.scratch.costs), context);
            }
            Stop::Exhausted if self.limits.cut => Some(limited(&self.limits, PartialReason::CostLimit)),
            // Rules of edges, which regions do not know, close the way to all targets. The nearest cell may be no jump
            // point.
            Stop::Exhausted if query.allow_partial && self.plan.links_far() => {
                return self.start_again(Plan::exact_steps(query, &context.scratch.costs), context);
            }
            Stop::Exhausted if query.allow_partial => {
                let reason = self.partial_reason.unwrap_or(PartialReason::Unreachable);
                Some(Ok((nearest_of_all(context), Some(reason))))
            }
            Stop::Exhausted => Some(Err(SearchError::Unreachable)),
        };
        // The path of an earlier plan counts only if this one was cut short before it came as near.
        let now = self.limits.nearest.map_or((u64::MAX, 0), |(away, g, _)| (away, g));
        self.earlier = self.earlier.take().filter(|(nearest, _)| stop == Stop::Limit && *nearest < now);
        Progress::Done
    }

    /// Whether A* may find a better end within the limit of cost although the open list is empty. Three searches can
    /// miss one: a search that is not optimal, as it closes nodes at the end of detours; one with far parents, whose
    /// records hold smaller costs than those of A*; and jump point search, as the cell within the limit that is
    /// nearest to the goal may be none of the jump points.
    fn may_have_missed_a_path(&self, query: &PathQuery) -> bool {
        let is_out_of_numbers = self.plan.links_far() && self.limits.cost == self.max_far_cost;
        let is_sparse = self.plan.algorithm == Algorithm::Jps && query.allow_partial;
        self.limits.cut && (self.plan.suboptimality_bound != Some(1.0) || is_out_of_numbers || is_sparse)
    }

    /// Keeps the path to the nearest cell, which the next plan may not reach within the limit of expansions.
    fn keep_nearest(&mut self, context: &mut SearchContext<'_>) {
        let nearest = self.limits.nearest.filter(|_| context.query.allow_partial);
        let Some((away, g, node)) = nearest else { return };
        self.end = Some(Ok((node, Some(PartialReason::ExpansionLimit))));
        self.earlier = self.answer(context).ok().map(|path| ((away, g), Box::new(path)));
        self.end = None;
    }

    /// Starts the search of another plan; its metrics are added to those so far.
    fn start_again(&mut self, plan: Plan, context: &mut SearchContext<'_>) -> Progress {
        (self.plan, self.opened) = (plan, false);
        self.limits = prepare(&plan, self.max_far_cost, context);
        Progress::Running
    }

    /// Runs the plan's strategy with its open list for one slice.
    fn expand<L: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_>,
        budget: u32,
        observer: &mut L,
    ) -> Stop {
        let SearchContext { grid, query, scratch } = context;
        let SearchScratch { nodes, buckets, heap, costs, targets, intervals, .. } = &mut **scratch;
        let &PathQuery { kind, steps, start, .. } = *query;
        let Layer { rows, columns, .. } = grid.known(kind);
        let (costs, targets, corners) = (&*costs, &*targets, steps.corners);
        let Self { plan, opened, limits, metrics, .. } = self;
        let is_opened = std::mem::replace(opened, true);
        if plan.crosses_intervals() {
            let goal = targets.single().expect("it was planned for one target");
            let (memory, corner_records) = (intervals, nodes);
            let mut search = AnyAngle { rows, corners, goal, memory, corner_records, metrics, observer };
            let found = if is_opened { None } else { search.open(start) };
            return found.unwrap_or_else(|| search.run_slice(budget));
        }
        let kernel = Kernel { nodes, costs, targets, heuristic: plan.heuristic, metrics, limits };
        let start = [Node::from(start)];
        let starts = if is_opened { &[] } else { start.as_slice() };
        let mut slice = Slice { kernel, starts, buckets, heap, budget, observer };
        let disc = || Solid::of_disc(grid, query.shape(), corners);
        match plan.algorithm {
            Algorithm::Jps => {
                let tables = JumpTables::new(grid, kind, steps, costs);
                match (targets.single(), costs.weighted) {
                    (Some(goal), false) => slice.jump::<false>(tables, steps, goal),
                    (Some(goal), true) => slice.jump::<true>(tables, steps, goal),
                    (None, false) => slice.jump::<false>(tables, steps, targets),
                    (None, true) => slice.jump::<true>(tables, steps, targets),
                }
            }
            Algorithm::Theta => {
                slice.on_buckets(&Theta::<false> { rows, columns, corners, costs, disc: disc() })
            }
            Algorithm::LazyTheta => {
                slice.on_buckets(&Theta::<true> { rows, columns, corners, costs, disc: disc() })
            }
            _ => slice.cell_by_cell::<false>(grid, (kind, steps), plan.order, plan.monotone),
        }
    }

    pub(super) fn answer(&self, context: &mut SearchContext<'_>) -> Result<Answer, SearchError> {
        let SearchContext { grid, query, scratch } = context;
        let (end, reason) = self.end.unwrap_or(Err(SearchError::Unfinished))?;
        if let Some((_, path)) = &self.earlier {
            return Ok(Answer { metrics: self.metrics, ..(**path).clone() });
        }
        let SearchScratch { nodes, found_cells: turns, intervals, costs, .. } = &mut **scratch;
        let mut waypoints = if self.plan.crosses_intervals() {
            intervals.waypoints(end.cell())
        } else if self.plan.links_far() {
            waypoints::<AnyParent>(nodes, end, self.plan.leg(query), turns)
        } else {
            waypoints::<AdjacentParent>(nodes, end, Leg::Line, turns)
        };
        if query.algorithm == Algorithm::AnyAngle && self.plan.algorithm == Algorithm::Theta {
            tighten(grid, query, &mut waypoints);
        }
        let (cost, length) = measure(grid, query, costs.weighted, &waypoints);
        Ok(Answer {
            outcome: match reason {
                None => Outcome::Complete,
                Some(reason) => Outcome::Partial { nearest: end.cell(), reason },
            },
            waypoints,
            cost,
            length,
            algorithm: self.plan.algorithm,
            suboptimality_bound: self.plan.suboptimality_bound.filter(|_| {
                !matches!(reason, Some(PartialReason::ExpansionLimit | PartialReason::CostLimit))
            }),
            metrics: self.metrics,
            revision: grid.revision(),
        })
    }
}

/// The nearest to a goal of all cells that can be reached, once no node of a search cell by cell is open.
fn nearest_of_all(SearchContext { grid, query, scratch }: &mut SearchContext<'_>) -> Node {
    scratch.targets.measure_from_all(grid, query);
    let (mut limits, SearchScratch { nodes, targets, .. }) = (UnitLimits::none(), &**scratch);
    for node in nodes.closed() {
        limits.update_nearest(targets, node, nodes.g::<AdjacentParent>(node));
    }
    limits.nearest.map_or_else(|| query.start.into(), |(_, _, node)| node)
}

/// Empties the scratch memory for the plan's search. Returns the limits of the search.
fn prepare(plan: &Plan, max_far_cost: u64, context: &mut SearchContext<'_>) -> UnitLimits {
    let SearchContext { grid, query, scratch } = context;
    let costs = &scratch.costs;
    let crosses_intervals = plan.crosses_intervals();
    if crosses_intervals {
        scratch.intervals.begin(grid);
    }
    // The search over intervals has records of corners of cells: one more in each row and column.
    let more = u32::from(crosses_intervals);
    scratch.nodes.begin(grid.width() + more, grid.height() + more);
    let start = Node::from(query.start);
    if plan.monotone {
        let h = scratch.targets.estimate(plan.heuristic, costs, start);
        let first = if plan.order == KeyOrder::Cost { 0 } else { h };
        let shift = plan.key_shift();
        scratch.buckets.begin(first >> shift, plan.window >> shift);
    } else {
        scratch.heap.begin();
    }
    let most = if plan.links_far() { max_far_cost } else { AdjacentParent::MAX_COST };
    UnitLimits {
        expansions: query.limits.expansions.unwrap_or(u64::MAX),
        cost: query.limits.cost.map_or(u64::MAX, |cost| costs.units(cost)).min(most),
        is_limited: query.limits != Limits::default(),
        // The start, until the search has closed it.
        nearest: Some((u64::MAX, 0, start)),
        cut: false,
    }
}

/// Empties the scratch memory for Dijkstra's search to all cells. Its costs have been set.
pub(super) fn prepare_flood(grid: &Grid, scratch: &mut SearchScratch) {
    scratch.targets.clear();
    scratch.nodes.begin(grid.width(), grid.height());
    scratch.buckets.begin(0, scratch.costs.greatest + 1);
}

/// Checks that the grid has the kind of agent, and that such an agent can stand at the start.
pub(crate) fn check_start(grid: &Grid, kind: KindId, start: GridCell) -> Result<(), SearchError> {
    if grid.kind(kind).is_none() {
        return Err(SearchError::UnknownKind(kind));
    }
    if !grid.contains(start) {
        return Err(SearchError::StartOutside(start));
    }
    if grid.is_walkable(kind, start) { Ok(()) } else { Err(SearchError::StartBlocked(start)) }
}

/// The arguments of one slice of a search, apart from its strategy.
pub(super) struct Slice<'s, L> {
    pub(super) kernel: Kernel<'s>,
    pub(super) starts: &'s [Node],
    pub(super) buckets: &'s mut Buckets,
    pub(super) heap: &'s mut Heap,
    pub(super) budget: u32,
    pub(super) observer: &'s mut L,
}

impl<L: SearchObserver> Slice<'_, L> {
    pub(super) fn on_buckets(&mut self, strategy: &impl Strategy) -> Stop {
        let Self { kernel, starts, buckets, budget, observer, .. } = self;
        Loop { kernel, strategy, queue: &mut **buckets, observer: &mut **observer }.run(starts, *budget)
    }

    pub(super) fn jump<const WEIGHTED: bool>(
        &mut self,
        tables: JumpTables<'_>,
        steps: StepRules,
        ends: impl Ends,
    ) -> Stop {
        match (steps.directions, steps.corners) {
            (Directions::Four, _) => self.jump_by::<Four, WEIGHTED>(tables, ends),
            (_, CornerRule::Never) => self.jump_by::<Never, WEIGHTED>(tables, ends),
            (_, CornerRule::OneFree) => self.jump_by::<OneFree, WEIGHTED>(tables, ends),
            (_, CornerRule::Always) => self.jump_by::<Always, WEIGHTED>(tables, ends),
        }
    }

    fn jump_by<R: Rule, const WEIGHTED: bool>(&mut self, tables: JumpTables<'_>, ends: impl Ends) -> Stop {
        if tables.are_whole() {
            return self.on_buckets(&Jumps::<R, _, WEIGHTED>::new(tables, ends));
        }
        self.on_buckets(&Jumps::<InParts<R>, _, WEIGHTED>::new(tables, ends))
    }

    pub(super) fn cell_by_cell<const BACK: bool>(
        &mut self,
        grid: &Grid,
        agent: (KindId, StepRules),
        order: KeyOrder,
        monotone: bool,
    ) -> Stop {
        let costs = self.kernel.costs;
        if let Some(strategy) = NearEdges::<BACK>::new(grid, agent, costs, order, monotone) {
            return self.on_either(monotone, &strategy);
        }
        if costs.weighted {
            let strategy = CellByCell::<true, BACK>::new(grid, agent, costs, order, monotone);
            return self.on_either(monotone, &strategy);
        }
        let strategy = CellByCell::<false, BACK>::new(grid, agent, costs, order, monotone);
        self.on_either(monotone, &strategy)
    }

    fn on_either(&mut self, monotone: bool, strategy: &impl Strategy) -> Stop {
        if monotone {
            return self.on_buckets(strategy);
        }
        let Self { kernel, starts, heap, budget, observer, .. } = self;
        Loop { kernel, strategy, queue: &mut **heap, observer: &mut **observer }.run(starts, *budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{walled, winding};

    /// Where a path costs more than a record with a far parent holds, A* answers. The test lowers the greatest cost
    /// of a record, in place of a map of 100 million cells.
    #[test]
    fn where_a_record_does_not_hold_the_cost_astar_answers() {
        let grid = winding();
        let mut scratch = SearchScratch::default();
        for (algorithm, corners) in [
            (Algorithm::Auto, CornerRule::OneFree),
            (Algorithm::Jps, CornerRule::Never),
            (Algorithm::Theta, CornerRule::Never),
            (Algorithm::LazyTheta, CornerRule::Always),
            (Algorithm::AnyAngle, CornerRule::Never),
        ] {
            let query = PathQuery::new((0, 0).into(), GridCell::new(0, 20))
                .with_algorithm(algorithm)
                .with_steps(StepRules::eight(corners));
            let context = &mut SearchContext { grid: &grid, query: &query, scratch: &mut scratch };
            let mut run = SearchRun::begin(context);
            run.max_far_cost = context.scratch.costs.units(50.0);
            run.limits = prepare(&run.plan, run.max_far_cost, context);
            while run.step(context, 7, &mut ()) == Progress::Running {}
            let answer = run.answer(context).expect("A* finds the path");
            let exact = query.with_algorithm(Algorithm::Dijkstra);
            let exact = crate::solve(&grid, &exact, &mut scratch).unwrap();
            assert_eq!((answer.algorithm, answer.outcome), (Algorithm::AStar, Outcome::Complete));
            assert!((answer.cost - exact.cost).abs() < 1e-9 && answer.is_optimal(), "{algorithm}");
        }
    }

    #[test]
    fn without_room_for_the_shortest_path_theta_answers() {
        let grid = walled(60, 60, |cell| cell.x % 3 == 1 && cell.y % 3 == 1);
        let mut scratch = SearchScratch::default();
        let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(59, 50))
            .with_algorithm(Algorithm::AnyAngle)
            .with_steps(StepRules::eight(CornerRule::OneFree));
        let mut answers = [(usize::MAX, 1_000), (40, 1_000), (40, 7)].map(|(most, budget)| {
            let context = &mut SearchContext { grid: &grid, query: &query, scratch: &mut scratch };
            let mut run = SearchRun::begin(context);
            assert_eq!(context.scratch.intervals.most, 65_536, "on a small map; else one for each cell");
            context.scratch.intervals.most = most;
            while run.step(context, budget, &mut ()) == Progress::Running {}
            run.answer(context).unwrap()
        });
        let [exact, short, sliced] = &mut answers;
        assert_eq!((exact.algorithm, exact.suboptimality_bound), (Algorithm::AnyAngle, Some(1.0)));
        assert_eq!((short.algorithm, short.suboptimality_bound), (Algorithm::Theta, None), "no promise");
        assert_eq!((short.outcome, short.end()), (Outcome::Complete, GridCell::new(59, 50)));
        assert!(short.length >= exact.length && short.length < exact.length * 1.1, "{short:?}");
        assert_eq!(short, sliced, "slices do not show");
    }
}
