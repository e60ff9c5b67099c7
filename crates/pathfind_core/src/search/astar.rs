//! Searches whose successors are neighbouring cells: A*, weighted A*, Dijkstra and greedy best-first.
//!
//! They differ only in the order of their open list: A* expands the least cost so far plus estimate first
//! (P. Hart, N. Nilsson and B. Raphael, 1968), Dijkstra's search the least cost so far (1959), greedy
//! best-first the least estimate; weighted A* multiplies the estimate (I. Pohl, 1970). Some tutorials call
//! Dijkstra's search "distance first", and greedy best-first "goal distance first".
//!
//! A successor is pruned if one step from the parent reaches it at no greater cost than the path through the node.
//! This is canonical A* (N. R. Sturtevant and S. Rabin, "Canonical Orderings on Grids", IJCAI 2016) cut down to
//! detours that one step replaces: a canonical ordering also prunes successors that the parent reaches as cheaply in
//! two steps. Pruning by one step needs only the node's eight neighbours, and with straight steps it holds where
//! terrain costs differ too. The table of steps is [`SuccessorPruning`]. Where terrain costs differ, and cells are
//! closed at their least cost, two steps that cost less or as much prune a successor as well: [`WeightedPruning`].

use super::costs::StepCosts;
use super::nodes::{AdjacentParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use super::weighted_pruning::WeightedPruning;
use crate::grid::{Bitmap, Classes, Cliffs, Grid, KindId, StepRules, SuccessorPruning, directions_of};

/// The key by which open nodes are ordered, least first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyOrder {
    /// Cost so far plus estimate.
    Total,
    Cost,
    /// Estimate of the cost to the goal.
    Estimate,
    /// Cost so far plus the estimate plus this many 256ths of the estimate.
    Weighted(u64),
}

/// Expands a node to its neighbours by legal steps, less the pruned ones. `WEIGHTED`: terrain costs differ, or there
/// are cliffs. `BACK`: the search runs backwards from the goals, so that a step has the terrain cost of the cell that
/// it leaves.
pub(crate) struct CellByCell<'g, const WEIGHTED: bool, const BACK: bool = false> {
    terrain: &'g Classes,
    rows: &'g Bitmap,
    cliffs: Option<&'g Cliffs>,
    pruning: SuccessorPruning,
    /// The pruning where terrain costs differ, for searches that expand every cell at its least cost.
    canonical: Option<WeightedPruning<'g>>,
    costs: &'g StepCosts,
    order: KeyOrder,
}

impl<'g, const WEIGHTED: bool, const BACK: bool> CellByCell<'g, WEIGHTED, BACK> {
    /// For a kind of agent that the grid has. `monotone`: the search expands every cell at its least cost.
    pub(crate) fn new(
        grid: &'g Grid,
        (kind, steps): (KindId, StepRules),
        costs: &'g StepCosts,
        order: KeyOrder,
        monotone: bool,
    ) -> Self {
        let (rows, cliffs) = (&grid.known(kind).rows, grid.cliffs(kind));
        let pruning = SuccessorPruning::new(steps, costs.weighted);
        let canonical = WeightedPruning::new(grid, kind, steps, costs).filter(|_| monotone);
        Self { terrain: grid.cost_classes(kind), rows, cliffs, pruning, canonical, costs, order }
    }
}

impl<const WEIGHTED: bool, const BACK: bool> Strategy for CellByCell<'_, WEIGHTED, BACK> {
    type ParentEncoding = AdjacentParent;

    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        match self.order {
            KeyOrder::Total => g + h,
            KeyOrder::Cost => g,
            KeyOrder::Estimate => h,
            KeyOrder::Weighted(weight) => g + h + ((h * weight) >> 8),
        }
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let (x, y) = (from.node.x(), from.node.y());
        let terrain =
            |x, y| self.costs.by_class[usize::from(self.terrain.get(y as usize, x as usize))].map(u64::from);
        let uniform = [self.costs.straight, self.costs.diagonal];
        let leaving = if WEIGHTED && BACK { terrain(x, y) } else { uniform };
        let before = (from.parent.x() - x, from.parent.y() - y);
        let steps = match &self.canonical {
            Some(canonical) if WEIGHTED => canonical.steps::<BACK>((x, y), (-before.0, -before.1)),
            _ => {
                let cliffs = if WEIGHTED { self.cliffs } else { None };
                self.pruning.steps((self.rows, cliffs), (x, y), before)
            }
        };
        for direction in directions_of(steps) {
            let (dx, dy) = direction.offset();
            let (x, y) = (x + dx, y + dy);
            let costs = if WEIGHTED && !BACK { terrain(x, y) } else { leaving };
            let step = costs[usize::from(direction.is_diagonal())];
            open.relax(Node::new(x, y), from.node, from.g + step);
        }
    }
}
