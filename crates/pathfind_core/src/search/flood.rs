//! Dijkstra's search backwards from several goals: over all cells that can reach one of them, or in slices.

use super::astar::{CellByCell, Order};
use super::nodes::Node;
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{Heuristic, Metrics, SearchError, SearchEvent, SearchEventKind, SearchObserver, SearchScratch};
use crate::grid::{Cell, Grid, KindId, Steps, SuccessorPruning};

/// Calls `visit` for every cell from which a goal can be reached, cheapest first: with the cell, the next cell on its
/// path (for a goal, the goal itself), and the cost of the path. Goals where the agent cannot stand are left out.
pub(crate) fn flood(
    grid: &Grid,
    kind: KindId,
    steps: Steps,
    goals: &[Cell],
    scratch: &mut SearchScratch,
    visit: impl FnMut(Cell, Cell, f64),
) -> Result<(), SearchError> {
    if grid.kind(kind).is_none() {
        return Err(SearchError::UnknownKind(kind));
    }
    let &first = goals.first().ok_or(SearchError::NoGoal)?;
    let steps = grid.steps_for(kind, steps);
    let standing = goals.iter().filter(|&&goal| grid.is_walkable(kind, goal));
    let starts: Vec<Node> = standing.map(|&goal| Node::from(goal)).collect();
    if starts.is_empty() {
        let inside = goals.iter().any(|&goal| grid.contains(goal));
        return Err(if inside { SearchError::GoalBlocked(first) } else { SearchError::GoalOutside(first) });
    }
    scratch.costs.set(grid, kind, steps, 1);
    begin(grid, scratch);
    // The budget of `u32::MAX` expansions exceeds the number of cells of the largest grid.
    expand(grid, (kind, steps), scratch, &starts, &mut Metrics::default(), u32::MAX, &mut Visits(visit));
    Ok(())
}

/// Empties the scratch memory for a search backwards. Its costs have been set.
pub(super) fn begin(grid: &Grid, scratch: &mut SearchScratch) {
    scratch.targets.clear();
    scratch.nodes.begin(grid.width(), grid.height());
    scratch.buckets.begin(0, scratch.costs.greatest + 1);
}

/// Runs one slice of a search backwards, for a kind of agent that the grid has. The goals are given in the first slice
/// only.
pub(super) fn expand<L: SearchObserver>(
    grid: &Grid,
    (kind, steps): (KindId, Steps),
    scratch: &mut SearchScratch,
    goals: &[Node],
    metrics: &mut Metrics,
    budget: u32,
    observer: &mut L,
) -> Stop {
    let rows = grid.rows(kind).expect("the kind was checked");
    let SearchScratch { nodes, buckets, costs, targets, .. } = scratch;
    let (costs, targets) = (&*costs, &*targets);
    let mut limits = UnitLimits::none();
    // Ordered by cost alone, so that the heuristic is not asked.
    let (order, heuristic) = (Order::Cost, Heuristic::Chebyshev);
    let mut kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits: &mut limits };
    let pruning = SuccessorPruning::new(steps, costs.weighted);
    if costs.weighted {
        let strategy = CellByCell::<true, true> { grid, rows, pruning, costs, order };
        kernel.run(goals, &strategy, buckets, budget, observer)
    } else {
        let strategy = CellByCell::<false, true> { grid, rows, pruning, costs, order };
        kernel.run(goals, &strategy, buckets, budget, observer)
    }
}

/// An observer that passes closed cells on to a function.
struct Visits<F>(F);

impl<F: FnMut(Cell, Cell, f64)> SearchObserver for Visits<F> {
    fn event(&mut self, event: SearchEvent) {
        if event.kind == SearchEventKind::Closed {
            (self.0)(event.cell, event.parent, event.g);
        }
    }
}
