//! The map: terrain, who may walk on it, which steps are legal, and what is connected.

mod bands;
mod bits;
mod cell;
mod edit;
mod kind;
mod layer;
mod moves;
mod nearest;
mod overlay;
mod regions;
mod shadow;
mod stops;
mod terrain;
mod text;
mod travel;

use glam::{UVec2, Vec2};
use thiserror::Error;

pub(crate) use bits::Bits;
pub use cell::{Cell, CellRect, Direction};
pub use edit::GridEdit;
pub use kind::{AgentKind, AgentSize, KindId};
pub(crate) use layer::CostSpan;
pub(crate) use moves::SUCCESSORS;
pub use moves::{CornerRule, DiagonalCost, Directions, Steps};
pub use overlay::Overlay;
pub use shadow::Shadow;
pub(crate) use stops::Stops;
pub use terrain::{CostTable, Terrain};
pub use text::{TextError, TextErrorKind};

use bands::Bands;
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
    terrain: Bands<u8>,
    /// How many cells there are of each class.
    census: Box<[u32; 256]>,
    kinds: Vec<Layer>,
}

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
    Outside(Cell),
    /// A terrain cost is not a number, or out of range.
    #[error("cost {cost} of terrain class {} is not between {min} and {max}", terrain.0,
        min = CostTable::MIN_COST, max = CostTable::MAX_COST)]
    BadCost {
        /// The class.
        terrain: Terrain,
        /// Its cost.
        cost: f32,
    },
    /// An agent's size is zero, too large or not a number.
    #[error("an agent of size {0:?} fits no grid")]
    BadSize(AgentSize),
    /// A grid knows at most [`Grid::MAX_KINDS`] kinds of agents.
    #[error("a grid knows at most {} kinds of agents", Grid::MAX_KINDS)]
    TooManyKinds,
    /// The grid does not know the kind of agent.
    #[error("the grid knows no agents of kind {}", .0.0)]
    UnknownKind(KindId),
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
        let mut terrain = Bands::new(height as usize, width as usize, 0u8);
        let mut census = Box::new([0; 256]);
        for y in 0..height {
            for (x, class) in terrain.row_mut(y as usize).iter_mut().enumerate() {
                *class = terrain_at(Cell::new(x as i32, y as i32)).0;
                census[usize::from(*class)] += 1;
            }
        }
        let mut grid = Self { width, height, revision: 0, terrain, census, kinds: Vec::new() };
        grid.kinds.push(Layer::new(AgentKind::default(), &grid.terrain, &grid.census));
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
    /// in cells.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        let mut changed = 0;
        self.edit(|edit| changed = edit.fill_disc(center, radius, terrain));
        changed
    }

    /// Makes many edits as one: what is derived from the terrain is repaired once, after the last of them.
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
        let touched = edit.touched();
        self.take_in(touched)
    }

    /// Makes edits below what lies on the grid.
    fn edit_below(&mut self, overlay: &mut Overlay, edits: impl FnOnce(&mut GridEdit)) -> Vec<CellRect> {
        let mut edit = GridEdit::new(self, Some(overlay));
        edits(&mut edit);
        let touched = edit.touched();
        self.take_in(touched)
    }

    /// Brings everything derived from the terrain up to date.
    fn take_in(&mut self, touched: Vec<CellRect>) -> Vec<CellRect> {
        if !touched.is_empty() {
            self.revision += 1;
            for layer in &mut self.kinds {
                layer.refresh(&self.terrain, &self.census, &touched);
            }
        }
        touched
    }

    /// Makes a new kind of agent known; its walkable cells and regions follow all later edits.
    ///
    /// # Errors
    /// [`GridError::BadSize`] and [`GridError::TooManyKinds`].
    pub fn add_kind(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        kind.size.check()?;
        if self.kinds.len() == Self::MAX_KINDS {
            return Err(GridError::TooManyKinds);
        }
        self.kinds.push(Layer::new(kind, &self.terrain, &self.census));
        self.revision += 1;
        Ok(KindId(self.kinds.len() as u8 - 1))
    }

    /// Puts a kind of agent in the place of another: a gate that opens for its owners, a tank that learns to
    /// swim. `Ok(true)` if it was another before.
    ///
    /// # Errors
    /// [`GridError::UnknownKind`] and [`GridError::BadSize`].
    pub fn set_kind(&mut self, id: KindId, kind: AgentKind) -> Result<bool, GridError> {
        kind.size.check()?;
        let layer = self.kinds.get_mut(usize::from(id.0)).ok_or(GridError::UnknownKind(id))?;
        if layer.kind == kind {
            return Ok(false);
        }
        *layer = Layer::new(kind, &self.terrain, &self.census);
        self.revision += 1;
        Ok(true)
    }

    /// How many kinds of agents the grid knows.
    #[must_use]
    pub fn kind_count(&self) -> usize {
        self.kinds.len()
    }

    /// A kind of agent, or `None` if the grid does not know it.
    #[must_use]
    pub fn kind(&self, id: KindId) -> Option<&AgentKind> {
        self.kinds.get(usize::from(id.0)).map(|layer| &layer.kind)
    }

    /// Whether an agent may stand on a cell; `false` outside the grid and for an unknown kind.
    #[must_use]
    pub fn is_walkable(&self, kind: KindId, cell: Cell) -> bool {
        self.contains(cell)
            && self.kinds.get(usize::from(kind.0)).is_some_and(|layer| layer.rows.get(cell.y, cell.x))
    }

    /// What a cell costs an agent per length, or `None` where it may not stand.
    #[must_use]
    pub fn cost(&self, kind: KindId, cell: Cell) -> Option<f32> {
        if !self.is_walkable(kind, cell) {
            return None;
        }
        self.kinds[usize::from(kind.0)].kind.costs.cost(self.terrain(cell)?)
    }

    /// The steps that a kind of agent takes if asked to take these: a disc cuts no corner, whatever the
    /// rule, for its body would.
    pub(crate) fn steps_for(&self, kind: KindId, steps: Steps) -> Steps {
        match self.kind(kind).map(|kind| kind.size) {
            Some(AgentSize::Disc(radius)) if radius > 0.0 => Steps { corners: CornerRule::Never, ..steps },
            _ => steps,
        }
    }

    /// The legal steps out of a cell, straight ones first; none from where the agent may not stand.
    pub fn steps_from(
        &self,
        kind: KindId,
        steps: Steps,
        cell: Cell,
    ) -> impl Iterator<Item = Direction> + use<> {
        let steps = self.steps_for(kind, steps);
        let mut legal = match self.rows(kind) {
            Some(rows) if self.is_walkable(kind, cell) => steps.legal(rows, cell.x, cell.y),
            _ => 0,
        };
        std::iter::from_fn(move || {
            let next = (legal != 0).then(|| moves::SUCCESSORS[legal.trailing_zeros() as usize]);
            legal &= legal.wrapping_sub(1);
            next
        })
    }

    /// Whether some path of legal steps joins two cells; `false` if either is not walkable.
    #[must_use]
    pub fn connected(&self, kind: KindId, steps: Steps, a: Cell, b: Cell) -> bool {
        match (self.region(kind, steps, a), self.region(kind, steps, b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// The connected region of a walkable cell; two cells are joined by a path exactly if theirs are
    /// equal. Numbers hold until the next edit.
    #[must_use]
    pub fn region(&self, kind: KindId, steps: Steps, cell: Cell) -> Option<u32> {
        if !self.is_walkable(kind, cell) {
            return None;
        }
        let steps = self.steps_for(kind, steps);
        Some(self.kinds[usize::from(kind.0)].region(steps.joins_corners(), cell))
    }

    /// The walkable cells of a kind along rows.
    pub(crate) fn rows(&self, kind: KindId) -> Option<&Bits> {
        self.kinds.get(usize::from(kind.0)).map(|layer| &layer.rows)
    }

    /// The walkable cells of a kind along columns.
    pub(crate) fn columns(&self, kind: KindId) -> Option<&Bits> {
        self.kinds.get(usize::from(kind.0)).map(|layer| &layer.columns)
    }

    /// Where straight runs along rows and along columns stop.
    pub(crate) fn stops(&self, kind: KindId) -> Option<[&Stops; 2]> {
        self.kinds.get(usize::from(kind.0)).map(|layer| [&layer.row_stops, &layer.column_stops])
    }

    /// The nearest cells to another one in a connected region, in order of rows; several if equally near.
    pub(crate) fn nearest_in_region(
        &self,
        kind: KindId,
        steps: Steps,
        region: u32,
        to: Cell,
        found: &mut Vec<Cell>,
    ) {
        let steps = self.steps_for(kind, steps);
        self.kinds[usize::from(kind.0)].nearest_in_region(steps.joins_corners(), region, to, found);
    }

    /// The costs of the passable classes that occur, as often as classes have them.
    pub(crate) fn present_costs(&self, kind: KindId) -> impl Iterator<Item = f32> {
        let costs = self.kind(kind).map(|kind| &kind.costs);
        (0..=255u8)
            .filter(|&class| self.census[usize::from(class)] > 0)
            .filter_map(move |class| costs?.cost(Terrain(class)))
    }

    /// The span of the costs that occur for a kind.
    pub(crate) fn cost_span(&self, kind: KindId) -> Option<CostSpan> {
        self.kinds.get(usize::from(kind.0)).map(|layer| layer.costs)
    }

    /// The terrain class of a cell that is known to lie on the grid.
    #[inline]
    pub(crate) fn class(&self, x: i32, y: i32) -> u8 {
        self.terrain.get(y as usize, x as usize)
    }
}
