//! The memory that searches reuse.

use super::any_angle::Intervals;
use super::costs::StepCosts;
use super::distance_search::{DistanceScratch, RepairScratch};
use super::hierarchical::{AreaScratch, Corridor};
use super::nodes::Nodes;
use super::open_list::{Buckets, Heap};
use super::targets::Targets;
use super::vehicle::{Motions, OpenCosts};
use crate::grid::GridCell;

/// The memory that searches work in. Pass the same one to search after search: once it has grown to the size that a
/// search needs, the search allocates nothing but its answer. (A hierarchical search over a long distance keeps 4
/// bytes for each cell of its corridor, some 10 for each 32×32 cells of the grid, and some 40 for each area of 64×64
/// cells that it comes to; it allocates the list of places to pass by.)
/// A [`VehicleSearch`](super::VehicleSearch) keeps its drives and their estimates, some 110 KiB; its poses are not kept.
///
/// It takes 8 bytes for each cell of the blocks of 8×4 cells that the largest search so far touched, about a third of
/// a byte for each cell of the largest grid, and for the open list 8 or 16 bytes an entry, plus up to 1 MiB for the
/// heads of its buckets. Exact any-angle searches that turn at the corners of walls keep up to some 60 bytes for each
/// root, interval and crossing; together at most one for each cell of the grid, or 65,536 if the grid has fewer
/// cells. A search that needs more is started again as Theta*. A distance field takes, while it is made, 4 bytes for
/// each entry of its open list, and up to 10 bytes for each cell of the grid (5 if all grids are uniform ground
/// without dense walls), 12 where terrain costs differ, and 8 more where its costs do not fit into 32 bits; repairing
/// one takes 1 byte for each cell, and some 20 for each that changes.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Nodes,
    pub(super) buckets: Buckets,
    pub(super) heap: Heap,
    pub(super) costs: StepCosts,
    pub(super) targets: Targets,
    pub(super) intervals: Intervals,
    pub(super) distances: DistanceScratch,
    pub(super) repair: RepairScratch,
    pub(super) areas: AreaScratch,
    pub(super) corridor: Corridor,
    /// The drives of the last vehicle.
    pub(super) motions: Motions,
    /// What drives of the last vehicle cost without walls.
    pub(super) open_costs: OpenCosts,
    /// Cells found while the targets are chosen, and the turning points of the path found.
    pub(super) found_cells: Vec<GridCell>,
}
