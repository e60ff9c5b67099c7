//! Dijkstra's search backwards from several goals, in slices.

use super::astar::{CellByCell, Order};
use super::nodes::Node;
use super::strategy::{Kernel, Stop, UnitLimits};
use super::{Heuristic, Metrics, SearchObserver, SearchScratch};
use crate::grid::{Grid, KindId, Steps, SuccessorPruning};

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
