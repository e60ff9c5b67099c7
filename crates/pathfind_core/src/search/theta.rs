//! Any-angle searches on cells: a node may be linked to any ancestor that it sees.
//!
//! Theta* looks for sight of the parent's parent whenever it opens a node (A. Nash, K. Daniel, S. Koenig
//! and A. Felner, "Theta*: Any-Angle Path Planning on Grids", AAAI 2007); Lazy Theta* assumes it, and
//! looks only when the node is expanded (A. Nash, S. Koenig and C. Tovey, AAAI 2010). Paths turn at
//! cells' centres and are near the shortest, without a promise.

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node, Nodes};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{Bitmap, Cell, CornerRule, Grid, SUCCESSORS, Steps};
use crate::sight::{Disc, cells_see};

/// Theta*, or Lazy Theta* if `LAZY`; on uniform terrain.
pub(crate) struct Theta<'g, const LAZY: bool> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) corners: CornerRule,
    pub(crate) costs: &'g StepCosts,
    /// The grid and the agent's body, if that is a disc.
    pub(crate) disc: Option<(&'g Grid, Disc<'g>)>,
}

impl<const LAZY: bool> Theta<'_, LAZY> {
    fn sees(&self, a: Node, b: Node) -> bool {
        let (a, b) = (a.cell(), b.cell());
        cells_see(self.rows, self.columns, self.corners, a, b)
            && self.disc.is_none_or(|(grid, disc)| disc.passes(grid, a.center(), b.center()))
    }

    /// Every neighbour by a legal step, with the cost of the step.
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

    /// Lazy: a node that does not see its parent takes the best of its closed neighbours instead.
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
        // The path of a node that was put right before may cost more than `most`.
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
            // Closed nodes are the most, and seen without working out a distance.
            let acceptance_limit = open.acceptance_limit(node);
            if parent_g >= acceptance_limit {
                continue;
            }
            let direct = parent_g + self.costs.distance(from.parent, node);
            // Sight is dear: it is tested only if it would help.
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
