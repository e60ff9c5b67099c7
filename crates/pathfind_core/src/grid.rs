//! The map: a grid of terrain classes, the data derived from it for each kind of agent (walkable cells, connected
//! regions, and the cells where jump point search stops), and the rules for legal steps.
//!
//! Path searches are in [`search`](crate::search), lines of sight in [`sight`](crate::sight).

mod access;
mod bitmap;
mod borders;
mod canvas;
mod cell;
mod clearance;
mod cliffs;
mod copy_on_write_rows;
mod edit;
mod elevation;
mod error;
mod footprint;
mod jump_stops;
mod kind;
mod layer;
mod lines;
mod moves;
mod nearest;
mod obstacle_layer;
mod packed_terrain;
mod regions;
mod successor_pruning;
mod terrain;
mod text;
mod travel;
mod what_if;

use std::sync::OnceLock;

use glam::{UVec2, Vec2};

pub(crate) use bitmap::Bitmap;
pub(crate) use borders::Borders;
pub use cell::{Cell, CellRect, Direction};
pub(crate) use cliffs::Cliffs;
pub use edit::GridEdit;
pub use error::GridError;
pub use footprint::Footprint;
pub(crate) use jump_stops::{JumpStops, first_bit, next_stop};
pub use kind::{AgentKind, AgentSize, KindId};
pub(crate) use layer::CostSpan;
pub(crate) use lines::{Line, Words};
pub(crate) use moves::SUCCESSORS;
pub use moves::{CornerRule, DiagonalCost, Directions, Steps};
pub use obstacle_layer::ObstacleLayer;
pub(crate) use regions::Area;
pub(crate) use successor_pruning::SuccessorPruning;
pub use terrain::{CostTable, Terrain};
pub use text::{TextError, TextErrorKind};

use copy_on_write_rows::{CopyOnWriteRows, Row};
use elevation::Heights;
use layer::{CellData, Layer};
pub(crate) use lines::LineCursor;
use packed_terrain::PackedTerrain;

/// A rectangular map of cells, each with a terrain class and a height, and the data derived from it for each kind of
/// agent.
///
/// The derived data (walkable cells, connected regions) is up to date after each edit. A clone shares its memory with
/// the original; an edit of either copies only the bands of 16 rows that it changes. So a search on another thread
/// can hold a clone at low cost while the original is edited.
#[derive(Clone, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    revision: u64,
    /// The height of each cell above the plane of the grid, in cells; `None` until a height other than 0 is set.
    elevation: Option<Heights>,
    kinds: Vec<AgentKind>,
    /// The terrain in the form that searches read. Empty only on a [compact](Self::compact) grid, until a call needs it.
    expanded: OnceLock<Expanded>,
    /// The terrain of a compact grid. It stays when `expanded` is made of it, until the next edit.
    packed: Option<PackedTerrain>,
}

/// The terrain of a grid, one byte for each cell, and all that is derived from it.
#[derive(Clone, Debug)]
struct Expanded {
    terrain: Classes,
    /// How many cells have each terrain class.
    terrain_counts: Box<[u32; 256]>,
    /// The data derived for each kind of agent.
    layers: Vec<Layer>,
}

/// The terrain class of each cell.
pub(crate) type Classes = CopyOnWriteRows<u8, 64>;

impl Grid {
    /// The largest width and height, in cells. Up to this size, cell indices and lengths are exact in 32 bits.
    pub const MAX_SIDE: u32 = 16_384;
    /// The largest number of agent kinds on one grid.
    pub const MAX_KINDS: usize = 32;

    /// A grid of [`Terrain::GROUND`], with the default kind of agent.
    ///
    /// # Errors
    /// [`GridError::Empty`] if a side is 0, [`GridError::TooLarge`] if one is above [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Self::from_fn(width, height, |_| Terrain::GROUND)
    }

    /// A grid whose terrain comes from a function, which is called for each cell, row by row; with the default kind
    /// of agent.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn from_fn(
        width: u32,
        height: u32,
        mut terrain_at: impl FnMut(Cell) -> Terrain,
    ) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        let kinds = vec![AgentKind::default()];
        let class_at = |x, y| terrain_at(Cell::new(x as i32, y as i32)).0;
        let expanded = OnceLock::from(Expanded::from_fn(UVec2::new(width, height), None, &kinds, class_at));
        Ok(Self { width, height, revision: 0, elevation: None, kinds, expanded, packed: None })
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

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The numbers of columns and rows.
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
        // As `u32`, a negative coordinate is larger than any side.
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// A counter that grows with each edit that changes a cell, with each kind of agent added or replaced, and on
    /// another [canvas](Self::on_canvas).
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The terrain of a cell, or `None` outside the grid.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.contains(cell).then(|| Terrain(self.class(cell.x, cell.y)))
    }

    /// Sets the terrain of a cell; returns whether that changed the cell.
    ///
    /// # Errors
    /// [`GridError::Outside`] if the cell does not lie on the grid.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<bool, GridError> {
        if !self.contains(cell) {
            return Err(GridError::Outside(cell));
        }
        Ok(self.edit(|edit| edit.fill(CellRect::new(cell, cell), terrain)) > 0)
    }

    /// Sets the terrain of the part of a rectangle that lies on the grid; returns how many cells changed.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        self.edit(|edit| edit.fill(rect, terrain))
    }

    /// Sets the terrain of the cells whose centres lie in a disc; returns how many cells changed. Centre and
    /// radius are in cells; [`GridEdit::fill_disc`] tells what NaN and infinity do.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        self.edit(|edit| edit.fill_disc(center, radius, terrain))
    }

    /// Makes many edits as one: the data derived from the cells is updated once, after the last edit, even if `edits`
    /// panics. Returns what `edits` returns.
    ///
    /// ```
    /// # use pathfind_core::{Cell, Grid, Terrain};
    /// let mut grid = Grid::new(100, 100)?;
    /// let changed = grid.edit(|edit| {
    ///     (0..200).filter(|&i| edit.set(Cell::new(i, i), Terrain::WALL).is_ok()).count()
    /// });
    /// assert_eq!((changed, grid.revision()), (100, 1), "the others lie outside the grid");
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> R {
        self.edit_touching(edits).0
    }

    /// As [`edit`](Self::edit); also returns the rectangles in which cells changed: at most one for each block of
    /// 64×64 cells, none if no cell changed.
    pub fn edit_touching<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> (R, Vec<CellRect>) {
        let mut edit = GridEdit::new(self, None);
        let value = edits(&mut edit);
        (value, edit.commit())
    }

    /// [`edit_touching`](Self::edit_touching) for a grid with obstacles: on a cell that an obstacle covers, an edit
    /// changes the terrain below the obstacle.
    fn edit_below<R>(
        &mut self,
        obstacle_layer: &mut ObstacleLayer,
        edits: impl FnOnce(&mut GridEdit) -> R,
    ) -> (R, Vec<CellRect>) {
        let mut edit = GridEdit::new(self, Some(obstacle_layer));
        let value = edits(&mut edit);
        (value, edit.commit())
    }

    /// After edits that changed cells in the rectangles `touched`, updates the derived data and the revision. Returns
    /// `touched`.
    fn commit(&mut self, touched: Vec<CellRect>) -> Vec<CellRect> {
        if touched.is_empty() {
            return touched;
        }
        self.revision += 1;
        let slots = |rect: CellRect| {
            [[rect.min.y, rect.max.y], [rect.min.x, rect.max.x]].map(|it| it.map(|at| at as usize))
        };
        if let Some(elevation) = &mut self.elevation {
            for [rows, columns] in touched.iter().copied().map(slots) {
                elevation.release(rows, columns);
            }
        }
        if let Some(Expanded { terrain, terrain_counts, layers }) = self.expanded.get_mut() {
            self.packed = None;
            for [rows, columns] in touched.iter().copied().map(slots) {
                terrain.release(rows, columns);
            }
            let data = CellData { terrain, terrain_counts, elevation: self.elevation.as_ref() };
            for layer in layers {
                layer.refresh(data, &touched);
            }
        }
        touched
    }

    /// Frees most of the memory of the grid: of what searches need, only the terrain is kept, in at most half a byte for
    /// each cell where there are up to 16 classes, and an eighth where there are two.
    ///
    /// Meant for grids that are kept but hardly ever searched, such as the chunks of a larger grid that holds a copy of
    /// their cells. Everything works as before; edits and [`terrain`](Self::terrain) leave the grid compact. The first
    /// call that needs more, such as [`is_walkable`](Self::is_walkable) or a search, expands the grid, which takes as
    /// long as making it; a clone made before that call expands by itself.
    pub fn compact(&mut self) {
        if let Some(Expanded { terrain, .. }) = self.expanded.take() {
            self.packed.get_or_insert_with(|| PackedTerrain::of(&terrain));
        }
    }

    /// Whether the grid is compact. True only after [`compact`](Self::compact), until the first call that needs more
    /// than the terrain.
    #[must_use]
    pub fn is_compact(&self) -> bool {
        self.expanded.get().is_none()
    }

    /// The terrain in the form that searches read; expands a compact grid.
    #[inline]
    fn expanded(&self) -> &Expanded {
        self.expanded.get_or_init(|| {
            let packed = self.packed();
            let class_at = |x, y| packed.get(self.place(x as i32, y as i32));
            Expanded::from_fn(self.size(), self.elevation.as_ref(), &self.kinds, class_at)
        })
    }

    /// The terrain of a compact grid.
    fn packed(&self) -> &PackedTerrain {
        self.packed.as_ref().expect("a grid that is not expanded is compact")
    }

    /// The place of a cell in the order of rows.
    const fn place(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Replaces the terrain class of a cell that lies on the grid; [`commit`](Self::commit) has to follow. Returns
    /// whether that changed the cell.
    fn replace_class(&mut self, Cell { x, y }: Cell, new: u8) -> bool {
        let (old, place) = (self.class(x, y), self.place(x, y));
        if old == new {
            return false;
        }
        if let Some(Expanded { terrain, terrain_counts, .. }) = self.expanded.get_mut() {
            terrain.set(y as usize, x as usize, new);
            terrain_counts[usize::from(old)] -= 1;
            terrain_counts[usize::from(new)] += 1;
        } else if let Some(packed) = &mut self.packed {
            packed.set(place, new);
        }
        true
    }

    /// The data derived for each kind.
    #[inline]
    fn layers(&self) -> &[Layer] {
        &self.expanded().layers
    }

    /// The data of the cells, from which that of each kind of agent is derived.
    fn data(&self) -> CellData<'_> {
        let Expanded { terrain, terrain_counts, .. } = self.expanded();
        CellData { terrain, terrain_counts, elevation: self.elevation.as_ref() }
    }

    /// The terrain classes of all cells.
    pub(crate) fn all_classes(&self) -> &Classes {
        &self.expanded().terrain
    }

    /// The terrain classes of a row.
    pub(crate) fn classes(&self, y: i32) -> Row<'_, u8, 64> {
        self.all_classes().row(y as usize)
    }

    /// The terrain classes of a row as one slice; `None` if its band is stored in parts.
    #[inline]
    pub(crate) fn classes_if_whole(&self, y: i32) -> Option<&[u8]> {
        self.expanded().terrain.row_if_whole(y as usize)
    }

    /// The terrain class of a cell that lies on the grid.
    #[inline]
    pub(crate) fn class(&self, x: i32, y: i32) -> u8 {
        match self.expanded.get() {
            Some(expanded) => expanded.terrain.get(y as usize, x as usize),
            None => self.packed().get(self.place(x, y)),
        }
    }
}

impl Expanded {
    /// The terrain whose classes come from a function of column and row, called row by row.
    fn from_fn(
        size: UVec2,
        elevation: Option<&Heights>,
        kinds: &[AgentKind],
        mut class_at: impl FnMut(u32, u32) -> u8,
    ) -> Self {
        let UVec2 { x: width, y: height } = size;
        let mut terrain = Classes::new(height as usize, width as usize, Terrain::VOID.0);
        let mut terrain_counts = Box::new([0; 256]);
        for y in 0..height {
            for (x, class) in terrain.row_mut(y as usize).iter_mut().enumerate() {
                *class = class_at(x as u32, y);
                terrain_counts[usize::from(*class)] += 1;
            }
            // Block by block, so that a world that is mostly void never takes its full memory.
            if (y + 1) % Grid::BLOCK == 0 || y + 1 == height {
                let first = y / Grid::BLOCK * Grid::BLOCK;
                terrain.release([first, y].map(|y| y as usize), [0, width as usize - 1]);
            }
        }
        let data = CellData { terrain: &terrain, terrain_counts: &terrain_counts, elevation };
        let layers = kinds.iter().map(|kind| Layer::new(kind.clone(), data)).collect();
        Self { terrain, terrain_counts, layers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    /// Whether it is compact or not before each edit, a grid gives the same answers.
    #[test]
    fn a_compact_grid_answers_as_before() {
        let mut rng = CounterRng::new(17, 0, 0);
        for round in 0..40 {
            let mut kept = Grid::new(1 + rng.below(90), 1 + rng.below(90)).unwrap();
            let mut compact = kept.clone();
            for _ in 0..8 {
                compact.compact();
                let (center, radius) = (Vec2::new(rng.unit(), rng.unit()) * 90.0, rng.unit() * 12.0);
                let terrain = Terrain(rng.below(5) as u8);
                let cell = Cell::new(rng.below(90) as i32, rng.below(90) as i32);
                let size = AgentSize::Square(1 + rng.below(3) as u8);
                let canvas = UVec2::new(1 + rng.below(90), 1 + rng.below(90));
                let what = rng.below(6);
                for grid in [&mut kept, &mut compact] {
                    match what {
                        0 => _ = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap(),
                        1 => {
                            _ = grid.set_kind(KindId(0), AgentKind { size, ..AgentKind::default() }).unwrap()
                        }
                        2 => *grid = grid.on_canvas(canvas, glam::IVec2::ZERO).unwrap(),
                        3 => _ = grid.edit(|edit| edit.set_elevation(cell, 1.5)).is_ok(),
                        _ => _ = grid.fill_disc(center, radius, terrain),
                    }
                }
                assert!(!kept.is_compact());
                assert_eq!(compact.is_compact(), what != 2, "an edit leaves it compact");
                assert_eq!(kept.revision(), compact.revision(), "round {round}");
                for kind in (0..kept.kind_count()).map(|id| KindId(id as u8)) {
                    assert_eq!(kept.kind(kind), compact.kind(kind));
                    let steps = Steps::default();
                    for cell in kept.bounds().cells() {
                        let seen = |grid: &Grid| {
                            let out: Vec<_> = grid.steps_from(kind, steps, cell).collect();
                            (grid.cost(kind, cell), grid.region(kind, steps, cell), out)
                        };
                        assert_eq!(seen(&kept), seen(&compact), "round {round}, {kind:?}, {cell}");
                    }
                }
            }
        }
    }
}
