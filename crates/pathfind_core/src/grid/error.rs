//! Errors of making and editing a grid. Errors of reading and writing maps as text are in `text`.

use thiserror::Error;

use super::{AgentSize, CostTable, Direction, Grid, GridCell, KindId, Terrain};

/// Why a grid could not be made or edited.
#[derive(Error, Copy, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GridError {
    /// A side is zero.
    #[error("a grid of {width}×{height} cells has no cells")]
    Empty {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// A side is longer than [`Grid::MAX_SIDE`].
    #[error("a grid of {width}×{height} cells is larger than {max}×{max}", max = Grid::MAX_SIDE)]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// The cell lies outside the grid.
    #[error("cell {0} lies outside the grid")]
    Outside(GridCell),
    /// A terrain cost is NaN, or out of range, or it is for [`Terrain::VOID`].
    #[error("terrain class {} cannot cost {cost}: costs are between {min} and {max}, and VOID has none", terrain.0,
        min = CostTable::MIN_COST, max = CostTable::MAX_COST)]
    BadCost {
        /// The terrain class.
        terrain: Terrain,
        /// The refused cost.
        cost: f32,
    },
    /// An agent's size is outside the range of [`AgentSize`], or NaN.
    #[error("an agent of size {0:?} fits no grid")]
    BadSize(AgentSize),
    /// An agent's [`climb`](crate::AgentKind::climb) is negative or NaN.
    #[error("an agent cannot climb {0}: how steep it climbs is a number of cells, 0 or more")]
    BadClimb(f32),
    /// A height is NaN, or farther from 0 than [`Grid::MAX_ELEVATION`].
    #[error("cell {cell} cannot be {height} high: heights are at most {max} above or below the grid",
        max = Grid::MAX_ELEVATION)]
    BadElevation {
        /// The cell.
        cell: GridCell,
        /// The refused height.
        height: f32,
    },
    /// An edge in a diagonal direction: the two cells have no edge in common.
    #[error("a cell has no edge to the {0:?}: it has a corner in common with the cell there")]
    DiagonalEdge(Direction),
    /// The surcharge of an edge is NaN, or out of range.
    #[error("a step over an edge cannot cost {0} in addition: surcharges are between 0 and {max}",
        max = CostTable::MAX_COST)]
    BadSurcharge(f32),
    /// The grid already has [`Grid::MAX_KINDS`] kinds of agents.
    #[error("a grid knows at most {} kinds of agents", Grid::MAX_KINDS)]
    TooManyKinds,
    /// The grid has no kind of agent with this id.
    #[error("the grid knows no agents of kind {}", .0.0)]
    UnknownKind(KindId),
}
