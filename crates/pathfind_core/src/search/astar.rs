//! Searches that go from cell to neighbouring cell: A*, weighted A*, Dijkstra and greedy best-first.
//!
//! They differ only in the order of their open list: A* takes the least cost so far plus estimate
//! (P. Hart, N. Nilsson and B. Raphael, 1968), Dijkstra's search the least cost so far (1959), greedy
//! best-first the least estimate; weighted A* counts the estimate more than once (I. Pohl, 1970). Where
//! they are taught, Dijkstra's is "distance first", greedy "goal distance first".

use super::costs::StepCosts;
use super::nodes::{AdjacentParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{Bitmap, Grid, SUCCESSORS, SuccessorPruning};

/// By what open nodes are ordered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Cost so far plus estimate.
    Total,
    /// Cost so far.
    Cost,
    /// Estimate of the cost left.
    Estimate,
    /// Cost so far plus the estimate so many 256ths too large.
    Weighted(u64),
}

/// Goes to every neighbour by a legal step, but where the parent leads as cheaply. `WEIGHTED` says whether
/// terrain costs differ; `BACK`, whether the search runs from the goals, so that a step costs what the cell
/// that it leaves costs.
pub(crate) struct CellByCell<'g, const WEIGHTED: bool, const BACK: bool = false> {
    pub(crate) grid: &'g Grid,
    pub(crate) rows: &'g Bitmap,
    pub(crate) pruning: SuccessorPruning,
    pub(crate) costs: &'g StepCosts,
    pub(crate) order: Order,
}

impl<const WEIGHTED: bool, const BACK: bool> Strategy for CellByCell<'_, WEIGHTED, BACK> {
    type ParentEncoding = AdjacentParent;

    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        match self.order {
            Order::Total => g + h,
            Order::Cost => g,
            Order::Estimate => h,
            Order::Weighted(weight) => g + h + ((h * weight) >> 8),
        }
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let (x, y) = (from.node.x(), from.node.y());
        let terrain = |x, y| self.costs.by_class[usize::from(self.grid.class(x, y))].map(u64::from);
        let uniform = [self.costs.straight, self.costs.diagonal];
        let leaving = if WEIGHTED && BACK { terrain(x, y) } else { uniform };
        let before = (from.parent.x() - x, from.parent.y() - y);
        let mut steps = self.pruning.steps(self.rows, (x, y), before);
        while steps != 0 {
            let direction = SUCCESSORS[steps.trailing_zeros() as usize];
            steps &= steps - 1;
            let (dx, dy) = direction.offset();
            let (x, y) = (x + dx, y + dy);
            let costs = if WEIGHTED && !BACK { terrain(x, y) } else { leaving };
            let step = costs[usize::from(direction.is_diagonal())];
            open.relax(Node::new(x, y), from.node, from.g + step);
        }
    }
}
