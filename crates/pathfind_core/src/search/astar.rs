//! Searches that go from cell to neighbouring cell: A*, Dijkstra and greedy best-first.
//!
//! The three differ only in the order of their open list: A* takes the least cost so far plus estimate
//! (P. Hart, N. Nilsson and B. Raphael, 1968), Dijkstra's search the least cost so far (1959), greedy
//! best-first the least estimate. They are called "distance first" and "goal distance first" where
//! they are taught.

use super::costs::StepCosts;
use super::nodes::Node;
use super::strategy::Strategy;
use crate::grid::{Bits, Grid, SUCCESSORS, Steps};

/// By what open nodes are ordered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Cost so far plus estimate.
    Total,
    /// Cost so far.
    Cost,
    /// Estimate of the cost left.
    Estimate,
}

/// Goes to every neighbour by a legal step. `WEIGHTED` says whether terrain costs differ.
pub(crate) struct Neighbors<'g, const WEIGHTED: bool> {
    pub(crate) grid: &'g Grid,
    pub(crate) rows: &'g Bits,
    pub(crate) steps: Steps,
    pub(crate) costs: &'g StepCosts,
    pub(crate) order: Order,
}

impl<const WEIGHTED: bool> Strategy for Neighbors<'_, WEIGHTED> {
    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        match self.order {
            Order::Total => g + h,
            Order::Cost => g,
            Order::Estimate => h,
        }
    }

    #[inline]
    fn expand(&self, node: Node, _: Node, g: u64, mut successor: impl FnMut(Node, u64)) {
        let (x, y) = (node.x(), node.y());
        let uniform = [self.costs.straight, self.costs.diagonal];
        let mut legal = self.steps.legal(self.rows, x, y);
        while legal != 0 {
            let direction = SUCCESSORS[legal.trailing_zeros() as usize];
            legal &= legal - 1;
            let (dx, dy) = direction.offset();
            let (x, y) = (x + dx, y + dy);
            let diagonal = usize::from(direction.is_diagonal());
            let step = if WEIGHTED {
                u64::from(self.costs.by_class[usize::from(self.grid.class(x, y))][diagonal])
            } else {
                uniform[diagonal]
            };
            successor(Node::new(x, y), g + step);
        }
    }
}
