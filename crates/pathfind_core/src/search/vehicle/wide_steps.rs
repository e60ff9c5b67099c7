//! Steps that a disc as wide as the body can take. Where none lead to the goal, no drive does.

use crate::grid::{GridCell, KindId, StepRules};
use crate::search::costs::StepCosts;
use crate::search::nodes::AdjacentParent;
use crate::search::strategy::{Expansion, Strategy, SuccessorSink};
use crate::sight::Solid;

/// The legal steps backwards across edges of cells on which the middle of a disc finds room. A drive crosses no others,
/// as the disc is a part of the body.
pub(super) struct WideSteps<'s> {
    pub(super) solid: Solid<'s>,
    pub(super) agent: (KindId, StepRules),
    pub(super) costs: &'s StepCosts,
    pub(super) radius: f64,
}

impl WideSteps<'_> {
    /// Whether the disc finds room on the edge between two cells.
    fn crosses(&self, from: GridCell, to: GridCell) -> bool {
        let corner = GridCell::new(from.x.max(to.x), from.y.max(to.y));
        let axis = usize::from(from.y == to.y);
        self.solid.has_room_on_edge(corner, axis, self.radius)
    }
}

impl Strategy for WideSteps<'_> {
    type ParentEncoding = AdjacentParent;

    fn key(&self, g: u64, _: u64) -> u64 {
        g
    }

    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let cell = from.node.cell();
        for (direction, next, cost) in self.costs.legal_steps::<true>(self.solid.grid(), self.agent, cell) {
            let fits = match direction.is_diagonal() {
                false => self.crosses(cell, next),
                // By way of a cell beside it.
                true => [GridCell::new(next.x, cell.y), GridCell::new(cell.x, next.y)]
                    .into_iter()
                    .any(|beside| self.crosses(cell, beside) && self.crosses(beside, next)),
            };
            if fits {
                open.relax(next.into(), from.node, from.g + cost);
            }
        }
    }
}
