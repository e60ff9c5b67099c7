//! The map: terrain, who may walk on it, which steps are legal, and what is connected.

mod access;
mod bitmap;
mod cell;
mod clearance;
mod copy_on_write_rows;
mod edit;
mod error;
mod footprint;
mod jump_stops;
mod kind;
mod layer;
mod moves;
mod nearest;
mod obstacle_layer;
mod regions;
mod successor_pruning;
mod terrain;
mod text;
mod travel;

use glam::{UVec2, Vec2};

pub(crate) use bitmap::Bitmap;
pub use cell::{Cell, CellRect, Direction};
pub use edit::GridEdit;
pub use error::GridError;
pub use footprint::Footprint;
pub(crate) use jump_stops::JumpStops;
pub use kind::{AgentKind, AgentSize, KindId};
pub(crate) use layer::CostSpan;
pub(crate) use moves::SUCCESSORS;
pub use moves::{CornerRule, DiagonalCost, Directions, Steps};
pub use obstacle_layer::ObstacleLayer;
pub(crate) use successor_pruning::SuccessorPruning;
pub use terrain::{CostTable, Terrain};
pub use text::{TextError, TextErrorKind};

use copy_on_write_rows::CopyOnWriteRows;
use layer::Layer;

/// A rectangle of cells, each of a terrain class, with what every kind of agent needs to move on it.
///
/// Everything derived from the terrain (walkable cells, connected regions) follows each edit at once.
/// A clone shares its memory with the original until one of them is edited, and then copies only
/// the bands of rows that the edit touches: give a clone to a search on another thread and go on editing.
#[derive(Clone, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    revision: u64,
    terrain: CopyOnWriteRows<u8>,
    /// How many cells there are of each class.
    terrain_counts: Box<[u32; 256]>,
    kinds: Vec<Layer>,
}

impl Grid {
    /// The longest side, in cells: indices and lengths stay exact in 32 bits up to here.
    pub const MAX_SIDE: u32 = 16_384;
    /// The number of kinds of agents that one grid can know.
    pub const MAX_KINDS: usize = 32;

    /// A grid of open ground, with the default kind of agent.
    ///
    /// # Errors
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Self::from_fn(width, height, |_| Terrain::GROUND)
    }

    /// A grid whose terrain is given cell by cell, row by row, with the default kind of agent.
    ///
    /// # Errors
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn from_fn(
        width: u32,
        height: u32,
        mut terrain_at: impl FnMut(Cell) -> Terrain,
    ) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        let mut terrain = CopyOnWriteRows::new(height as usize, width as usize, 0u8);
        let mut terrain_counts = Box::new([0; 256]);
        for y in 0..height {
            for (x, class) in terrain.row_mut(y as usize).iter_mut().enumerate() {
                *class = terrain_at(Cell::new(x as i32, y as i32)).0;
                terrain_counts[usize::from(*class)] += 1;
            }
        }
        let mut grid = Self { width, height, revision: 0, terrain, terrain_counts, kinds: Vec::new() };
        grid.kinds.push(Layer::new(AgentKind::default(), &grid.terrain, &grid.terrain_counts));
        Ok(grid)
    }

    pub(crate) fn check_size(width: u32, height: u32) -> Result<(), GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(GridError::TooLarge { width, height });
        }
        Ok(())
    }

    /// Columns, in cells.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows, in cells.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Columns and rows, in cells.
    #[must_use]
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.width, self.height)
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn bounds(&self) -> CellRect {
        CellRect::new(Cell::new(0, 0), Cell::new(self.width as i32 - 1, self.height as i32 - 1))
    }

    /// Whether a cell lies on the grid.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        // A negative coordinate becomes a huge one.
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// A number that grows with every edit that changed something.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The terrain of a cell, or `None` outside the grid.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.contains(cell).then(|| Terrain(self.terrain.get(cell.y as usize, cell.x as usize)))
    }

    /// Changes the terrain of a cell; says whether it was another before.
    ///
    /// # Errors
    /// [`GridError::Outside`].
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<bool, GridError> {
        if !self.contains(cell) {
            return Err(GridError::Outside(cell));
        }
        Ok(!self.edit(|edit| edit.fill(CellRect::new(cell, cell), terrain)).is_empty())
    }

    /// Changes the terrain of the part of a rectangle that lies on the grid; says of how many cells.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        let mut changed = 0;
        self.edit(|edit| changed = edit.fill(rect, terrain));
        changed
    }

    /// Changes the terrain of the cells whose centres lie in a disc; says of how many. Centre and radius
    /// in cells; see [`GridEdit::fill_disc`].
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        let mut changed = 0;
        self.edit(|edit| changed = edit.fill_disc(center, radius, terrain));
        changed
    }

    /// Makes many edits as one: what is derived from the terrain is repaired once, after the last of them, or when
    /// `edits` panics.
    /// The rectangles in which cells changed, at most one for each block of 64×64 cells; none if nothing
    /// did.
    ///
    /// ```
    /// # use pathfind_core::{Cell, Grid, Terrain};
    /// let mut grid = Grid::new(100, 100)?;
    /// let touched = grid.edit(|edit| {
    ///     for i in 0..10 {
    ///         edit.set(Cell::new(i, i), Terrain::WALL).expect("the cell lies on the grid");
    ///     }
    /// });
    /// assert_eq!((touched.len(), grid.revision()), (1, 1));
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> Vec<CellRect> {
        let mut edit = GridEdit::new(self, None);
        edits(&mut edit);
        edit.commit()
    }

    /// Makes edits below what lies on the grid.
    fn edit_below(
        &mut self,
        obstacle_layer: &mut ObstacleLayer,
        edits: impl FnOnce(&mut GridEdit),
    ) -> Vec<CellRect> {
        let mut edit = GridEdit::new(self, Some(obstacle_layer));
        edits(&mut edit);
        edit.commit()
    }

    /// Brings everything derived from the terrain up to date.
    fn commit(&mut self, touched: Vec<CellRect>) -> Vec<CellRect> {
        if !touched.is_empty() {
            self.revision += 1;
            for layer in &mut self.kinds {
                layer.refresh(&self.terrain, &self.terrain_counts, &touched);
            }
        }
        touched
    }

    /// The terrain class of a cell that is known to lie on the grid.
    #[inline]
    pub(crate) fn class(&self, x: i32, y: i32) -> u8 {
        self.terrain.get(y as usize, x as usize)
    }
}
