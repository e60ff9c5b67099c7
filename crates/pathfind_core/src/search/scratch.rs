//! The memory that searches work in.

use super::any_angle::Intervals;
use super::costs::StepCosts;
use super::nodes::Nodes;
use super::open_list::{Buckets, Heap};
use super::targets::Targets;
use super::visible::VisibleSectors;
use crate::grid::Cell;

/// Memory that searches work in. Lend the same one to search after search: after the first on a grid
/// of that size a search allocates nothing but its answer.
///
/// It takes 8 bytes for each cell that the widest search so far came near, in blocks of 8×4 cells; about a
/// third of a byte for each cell of the largest grid; and 8 bytes for each cell on the open list. Shortest
/// paths at any angle keep some 60 bytes for each corner of a wall and each view through a gap that they come
/// past, and no more than one corner or view for each cell of the grid (on a small grid 65,536); a search that
/// needs more goes on as Theta*.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Nodes,
    pub(super) buckets: Buckets,
    pub(super) heap: Heap,
    pub(super) costs: StepCosts,
    pub(super) targets: Targets,
    pub(super) intervals: Intervals,
    pub(super) sectors: VisibleSectors,
    pub(super) cells: Vec<Cell>,
}
