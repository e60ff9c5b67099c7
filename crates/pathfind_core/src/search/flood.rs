//! Dijkstra's search backwards from several goals, over all cells that can reach one of them.

use super::astar::{CellByCell, Order};
use super::nodes::Node;
use super::strategy::{Kernel, UnitLimits};
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
    let Some(rows) = grid.rows(kind) else { return Err(SearchError::UnknownKind(kind)) };
    let &first = goals.first().ok_or(SearchError::NoGoal)?;
    let steps = grid.steps_for(kind, steps);
    let standing = goals.iter().filter(|&&goal| grid.is_walkable(kind, goal));
    let starts: Vec<Node> = standing.map(|&goal| Node::from(goal)).collect();
    if starts.is_empty() {
        let inside = goals.iter().any(|&goal| grid.contains(goal));
        return Err(if inside { SearchError::GoalBlocked(first) } else { SearchError::GoalOutside(first) });
    }
    scratch.costs.set(grid, kind, steps, 1);
    scratch.targets.clear();
    scratch.nodes.begin(grid.width(), grid.height());
    let window = scratch.costs.greatest + 1;
    let order = Order::Cost;
    let SearchScratch { nodes, buckets, costs, targets, .. } = scratch;
    let (costs, targets) = (&*costs, &*targets);
    let (mut metrics, mut limits) = (Metrics::default(), UnitLimits::none());
    let heuristic = Heuristic::Chebyshev;
    let mut kernel = Kernel { nodes, costs, targets, heuristic, metrics: &mut metrics, limits: &mut limits };
    let pruning = SuccessorPruning::new(steps, costs.weighted);
    let weighted = CellByCell::<true, true> { grid, rows, pruning, costs, order };
    let uniform = CellByCell::<false, true> { grid, rows, pruning, costs, order };
    buckets.begin(0, window);
    // The budget of `u32::MAX` expansions exceeds the number of cells of the largest grid.
    if costs.weighted {
        kernel.run(&starts, &weighted, buckets, u32::MAX, &mut Visits(visit));
    } else {
        kernel.run(&starts, &uniform, buckets, u32::MAX, &mut Visits(visit));
    }
    Ok(())
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
