//! Steps near edges with rules.

use super::astar::{CellByCell, KeyOrder};
use super::costs::StepCosts;
use super::nodes::AdjacentParent;
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{EdgeRules, Grid, KindId, StepRules};

/// [`CellByCell`] on a grid whose edges have rules: near such an edge a cell is expanded by every legal step, with its
/// surcharge.
pub(crate) struct NearEdges<'g, const BACK: bool> {
    elsewhere: CellByCell<'g, true, BACK>,
    grid: &'g Grid,
    rules: &'g EdgeRules,
    agent: (KindId, StepRules),
    costs: &'g StepCosts,
}

impl<'g, const BACK: bool> NearEdges<'g, BACK> {
    /// For a kind of agent that the grid has; `None` if no edge has a rule. See [`CellByCell::new`].
    pub(crate) fn new(
        grid: &'g Grid,
        agent: (KindId, StepRules),
        costs: &'g StepCosts,
        order: KeyOrder,
        monotone: bool,
    ) -> Option<Self> {
        let rules = grid.edge_rules()?;
        let elsewhere = CellByCell::new(grid, agent, costs, order, monotone);
        Some(Self { elsewhere, grid, rules, agent, costs })
    }
}

impl<const BACK: bool> Strategy for NearEdges<'_, BACK> {
    type ParentEncoding = AdjacentParent;

    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        self.elsewhere.key(g, h)
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        if !self.rules.are_near(from.node.x(), from.node.y()) {
            return self.elsewhere.expand(from, open);
        }
        for (_, next, cost) in self.costs.legal_steps::<BACK>(self.grid, self.agent, from.node.cell()) {
            open.relax(next.into(), from.node, from.g + cost);
        }
    }
}
