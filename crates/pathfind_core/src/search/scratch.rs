//! The memory that searches reuse.

use super::any_angle::Intervals;
use super::costs::StepCosts;
use super::nodes::Nodes;
use super::open_list::{Buckets, Heap};
use super::spread::Spread;
use super::targets::Targets;
use super::visible::VisibleSectors;
use crate::grid::Cell;

/// The memory that searches work in. Pass the same one to search after search: once it has grown to the size
/// that a search needs, the search allocates nothing but its answer.
///
/// It takes 8 bytes for each cell of the blocks of 8×4 cells that the largest search so far touched, about a third
/// of a byte for each cell of the largest grid, and for the open list 8 or 16 bytes an entry and at most 1 MiB. Exact
/// any-angle searches that turn at the corners of walls keep some 60 bytes for each corner and each interval that
/// they reach; at most one of these for each cell of the grid, but 65,536 on a small grid. A search that needs more
/// is continued as Theta*. A distance field takes 6 bytes for each cell of the grid, 8 where
/// terrain costs differ, and 8 more where its costs do not fit into 32 bits.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Nodes,
    pub(super) buckets: Buckets,
    pub(super) heap: Heap,
    pub(super) costs: StepCosts,
    pub(super) targets: Targets,
    pub(super) intervals: Intervals,
    pub(super) sectors: VisibleSectors,
    pub(super) spread: Spread,
    pub(super) cells: Vec<Cell>,
}
