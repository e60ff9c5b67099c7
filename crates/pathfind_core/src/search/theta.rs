//! Theta* and Lazy Theta*: any-angle searches over cells, in which a node's parent may be any cell that it sees.
//!
//! Theta* tests the line of sight to the parent's parent whenever it opens a node (A. Nash, K. Daniel, S. Koenig
//! and A. Felner, "Theta*: Any-Angle Path Planning on Grids", AAAI 2007). Lazy Theta* assumes the line of sight, and
//! tests it only when the node is expanded (A. Nash, S. Koenig and C. Tovey, "Lazy Theta*: Any-Angle Path Planning and
//! Path Length Analysis in 3D", AAAI 2010). Paths turn at cells' centres and are near the shortest, with no bound.

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node, Nodes};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{Bitmap, Cell, CornerRule, Grid, SUCCESSORS, Steps};
use crate::sight::{Disc, cells_see};

/// Theta*, or Lazy Theta* if `LAZY`. For uniform terrain.
pub(crate) struct Theta<'g, const LAZY: bool> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) corners: CornerRule,
    pub(crate) costs: &'g StepCosts,
    /// The grid and the agent's body, if the agent is a disc: the line of sight then has to leave room for the disc.
    pub(crate) disc: Option<(&'g Grid, Disc<'g>)>,
}

impl<const LAZY: bool> Theta<'_, LAZY> {
    fn sees(&self, a: Node, b: Node) -> bool {
        let (a, b) = (a.cell(), b.cell());
        cells_see(self.rows, self.columns, self.corners, a, b)
            && self.disc.is_none_or(|(grid, disc)| disc.passes(grid, a.center(), b.center()))
    }

    /// The neighbours of a cell by legal steps, with the cost of each step.
    #[inline]
    fn neighbors(&self, cell: Cell) -> impl Iterator<Item = (Node, u64)> {
        let mut legal = Steps::eight(self.corners).legal(self.rows, cell.x, cell.y);
        let costs = [self.costs.straight, self.costs.diagonal];
        std::iter::from_fn(move || {
            let direction = *SUCCESSORS.get(legal.trailing_zeros() as usize)?;
            legal &= legal - 1;
            Some((cell.step(direction).into(), costs[usize::from(direction.is_diagonal())]))
        })
    }
}

impl<const LAZY: bool> Strategy for Theta<'_, LAZY> {
    type ParentEncoding = AnyParent;

    /// Lazy Theta*: a node that does not see its parent gets the best of its closed neighbours as parent instead.
    #[inline]
    fn validate_parent(
        &self,
        node: Node,
        path: (u64, Node),
        nodes: &mut Nodes,
        most: u64,
    ) -> Option<(u64, Node)> {
        if !LAZY {
            return Some(path);
        }
        // A node whose parent was replaced here before may still be above the limit of cost.
        if self.sees(path.1, node) {
            return (path.0 <= most).then_some(path);
        }
        let closed = self.neighbors(node.cell()).filter(|&(neighbor, _)| nodes.is_closed(neighbor));
        let links = closed.map(|(neighbor, step)| (nodes.g::<AnyParent>(neighbor) + step, neighbor));
        let (g, parent) = links.min().expect("a node is opened by a neighbour that was closed");
        nodes.relink::<AnyParent>(node, g, parent);
        (g <= most).then_some((g, parent))
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let parent_g = open.g(from.parent);
        for (node, step) in self.neighbors(from.node.cell()) {
            // Most neighbours are closed (limit 0): skip them before a distance is computed.
            let acceptance_limit = open.acceptance_limit(node);
            if parent_g >= acceptance_limit {
                continue;
            }
            let direct = parent_g + self.costs.distance(from.parent, node);
            // The line-of-sight test is expensive: skip it where the path would be rejected anyway.
            if direct >= acceptance_limit {
                continue;
            }
            if LAZY || self.sees(from.parent, node) {
                open.relax(node, from.parent, direct);
            } else {
                open.relax(node, from.node, from.g + step);
            }
        }
    }
}
