//! What is baked, and why it could not be.

use glam::UVec2;
use thiserror::Error;

use super::floors::MAX_FLOORS;
use crate::grid::{CellRect, Grid, GridCell, GridError};

/// The box that is baked, and what an agent can walk on in it. All lengths are in cells.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct BakeSettings {
    /// Columns and rows of the box. Range: 1 to [`Grid::MAX_SIDE`] each, and at most 2^24 cells. Default: 32 by 32.
    pub size: UVec2,
    /// The lowest ground that is looked for. Range: ±[`Grid::MAX_ELEVATION`]. Default: `-1.0`.
    pub low: f32,
    /// The highest ground that is looked for; what stands above it is an obstacle up to the head room. Range: `low` to
    /// [`Grid::MAX_ELEVATION`]. Default: `32.0`.
    pub high: f32,
    /// The steepest ground. Unit: radians. Range: 0 to 1.5. Default: 40 degrees.
    pub max_slope: f32,
    /// The highest step between two cells, and the greatest height of what lies about in a cell without blocking it.
    /// Range: 0 and up. Default: `0.4`.
    pub step: f32,
    /// The height of an agent: how much room there has to be above ground. Range: more than twice the step. Default:
    /// `1.8`.
    pub head_room: f32,
    /// How far down agents jump from a ledge. Range: 0, for not at all, and up. Default: `0.0`.
    pub max_drop: f32,
    /// Over how many cells without ground agents jump. Range: 0, for none, to 16. Default: `0`.
    pub max_gap: u32,
}

impl Default for BakeSettings {
    fn default() -> Self {
        Self {
            size: UVec2::splat(32),
            low: -1.0,
            high: 32.0,
            max_slope: 40_f32.to_radians(),
            step: 0.4,
            head_room: 1.8,
            max_drop: 0.0,
            max_gap: 0,
        }
    }
}

/// The greatest number of cells of a box.
const MAX_CELLS: u64 = 1 << 24;
/// The greatest number of pairs of a triangle and a cell that it touches.
pub(super) const MAX_PIECES: usize = 1 << 25;

/// Why nothing was baked.
#[derive(Error, Copy, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BakeError {
    /// The box has no size, or one that no grid has.
    #[error(transparent)]
    Size(#[from] GridError),
    /// The box has more than 2^24 cells.
    #[error("a box of {0} cells is too large: at most {max} can be baked at once", max = MAX_CELLS)]
    TooManyCells(u64),
    /// A number of the settings is NaN or out of range.
    #[error("the {name} of a bake cannot be {value}")]
    BadSetting {
        /// The name of the setting.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// A vertex is not finite.
    #[error("vertex {0} of the mesh is not finite")]
    BadVertex(u32),
    /// A triangle names a vertex that the mesh does not have.
    #[error("triangle {0} of the mesh has a vertex that the mesh has not")]
    BadTriangle(u32),
    /// There are too many triangles for the cells.
    #[error("the triangles touch too many cells: more than {max} times. Use larger cells, or a smaller box",
        max = MAX_PIECES)]
    TooManyPieces,
    /// There are more floors over one another than fit into one bake.
    #[error("more than {max} floors lie over one another", max = MAX_FLOORS)]
    TooManyFloors,
}

impl BakeSettings {
    /// Whether something can be baked with these settings.
    ///
    /// # Errors
    /// [`BakeError::Size`], [`BakeError::TooManyCells`] and [`BakeError::BadSetting`].
    pub fn check(&self) -> Result<(), BakeError> {
        Grid::check_size(self.size.x, self.size.y)?;
        let cells = u64::from(self.size.x) * u64::from(self.size.y);
        if cells > MAX_CELLS {
            return Err(BakeError::TooManyCells(cells));
        }
        let max = Grid::MAX_ELEVATION;
        let checks = [
            ("lowest height", self.low, (-max..=max).contains(&self.low)),
            ("greatest height", self.high, (self.low..=max).contains(&self.high)),
            ("greatest slope", self.max_slope, (0.0..=1.5).contains(&self.max_slope)),
            ("step", self.step, (0.0..=max).contains(&self.step)),
            ("head room", self.head_room, self.head_room > 2.0 * self.step && self.head_room <= max),
            ("greatest drop", self.max_drop, (0.0..=max).contains(&self.max_drop)),
            ("greatest gap", self.max_gap as f32, self.max_gap <= 16),
        ];
        let bad = checks.into_iter().find(|(.., is_good)| !is_good);
        bad.map_or(Ok(()), |(name, value, _)| Err(BakeError::BadSetting { name, value }))
    }

    /// All cells of the box.
    pub(super) fn bounds(&self) -> CellRect {
        bounds(self.size)
    }

    /// The rise of the steepest ground, per cell.
    pub(super) fn max_rise(&self) -> f32 {
        libm::tanf(self.max_slope)
    }

    /// How far a jump reaches, in cells; 0 if agents do not jump.
    pub(super) const fn reach(&self) -> i32 {
        if self.max_drop > 0.0 || self.max_gap > 0 { self.max_gap as i32 + 1 } else { 0 }
    }
}

/// All cells of a box with so many columns and rows; no cell if one of them is 0.
pub(super) fn bounds(size: UVec2) -> CellRect {
    let last = |count: u32| count.min(Grid::MAX_SIDE) as i32 - 1;
    CellRect { min: GridCell::new(0, 0), max: GridCell::new(last(size.x), last(size.y)) }
}
