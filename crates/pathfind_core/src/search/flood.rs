//! Dijkstra's search over all cells, in slices: forwards from a start, or backwards from several goals.

use super::astar::{CellByCell, KeyOrder};
use super::nodes::Node;
use super::strategy::{Kernel, Stop, UnitLimits};
use super::weighted_pruning::WeightedPruning;
use super::{Heuristic, Metrics, SearchObserver, SearchScratch};
use crate::grid::{Grid, KindId, StepRules, SuccessorPruning};

/// Empties the scratch memory for a search. Its costs have been set.
pub(super) fn begin(grid: &Grid, scratch: &mut SearchScratch) {
    scratch.targets.clear();
    scratch.nodes.begin(grid.width(), grid.height());
    scratch.buckets.begin(0, scratch.costs.greatest + 1);
}

/// One slice of a search: where it begins (in the first slice only), and how far it may go.
pub(super) struct Slice<'s> {
    pub(super) starts: &'s [Node],
    pub(super) budget: u32,
    pub(super) limits: &'s mut UnitLimits,
    pub(super) metrics: &'s mut Metrics,
}

/// Runs one slice of a search, for a kind of agent that the grid has. `BACK`: backwards, from goals.
pub(super) fn expand<const BACK: bool, L: SearchObserver>(
    grid: &Grid,
    (kind, steps): (KindId, StepRules),
    scratch: &mut SearchScratch,
    slice: Slice<'_>,
    observer: &mut L,
) -> Stop {
    let rows = grid.rows(kind).expect("the kind was checked");
    let (terrain, cliffs) = (grid.all_classes(), grid.cliffs(kind));
    let SearchScratch { nodes, buckets, costs, targets, .. } = scratch;
    let (costs, targets) = (&*costs, &*targets);
    let Slice { starts, budget, limits, metrics } = slice;
    // The order is by cost alone. The heuristic, which has no effect on it, is one that is computed fast.
    let (order, heuristic) = (KeyOrder::Cost, Heuristic::Chebyshev);
    let mut kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits };
    let pruning = SuccessorPruning::new(steps, costs.weighted);
    let canonical = WeightedPruning::new(grid, kind, steps, costs);
    if costs.weighted {
        let strategy = CellByCell::<true, BACK> { terrain, rows, cliffs, pruning, canonical, costs, order };
        kernel.run(starts, &strategy, buckets, budget, observer)
    } else {
        let strategy = CellByCell::<false, BACK> { terrain, rows, cliffs, pruning, canonical, costs, order };
        kernel.run(starts, &strategy, buckets, budget, observer)
    }
}
