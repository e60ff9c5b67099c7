//! The map: a grid of terrain classes, fences between cells, the data derived from them for each kind of agent (walkable
//! cells, connected regions, and the cells where jump point search stops), and the rules for legal steps.
//!
//! Path searches are in [`search`](crate::search), lines of sight in [`sight`](crate::sight).

mod access;
mod bitmap;
mod borders;
mod canvas;
mod cell;
mod clearance;
mod cliffs;
mod compact;
mod copy_on_write_rows;
mod edge_rules;
mod edge_set;
mod edit;
mod elevation;
mod error;
mod extra_costs;
mod fenced_text;
mod fences;
mod footprint;
mod jump_stops;
mod kind;
mod layer;
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

pub(crate) use bitmap::{Bitmap, Line, LineCursor, Words, ones};
pub(crate) use borders::Borders;
pub(crate) use cell::floor;
pub use cell::{CellRect, Direction, GridCell};
pub(crate) use cliffs::Cliffs;
pub use edge_rules::EdgeRule;
pub(crate) use edge_rules::EdgeRules;
pub(crate) use edge_set::{Edge, EdgeSet};
pub use edit::GridEdit;
pub use error::GridError;
pub use footprint::Footprint;
pub(crate) use jump_stops::JumpStops;
pub use kind::{AgentKind, AgentShape, AgentSize, KindId};
pub(crate) use layer::{CostSpan, Layer};
pub use moves::{CornerRule, DiagonalCost, Directions, StepRules};
pub(crate) use moves::{SUCCESSORS, directions_of, steps_to};
pub use obstacle_layer::ObstacleLayer;
pub(crate) use regions::Area;
pub(crate) use successor_pruning::SuccessorPruning;
pub use terrain::{CostTable, Terrain};
pub use text::{TextError, TextErrorKind};
pub(crate) use travel::leg_parts;

use compact::Expanded;
use copy_on_write_rows::CopyOnWriteRows;
use elevation::Heights;
use layer::CellData;
use packed_terrain::PackedTerrain;

/// A rectangular map: cells, each with a terrain class and a height, fences and other rules on the edges between cells,
/// and the data derived from them for each kind of agent.
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
    /// `None` until the first fence.
    fences: Option<Box<EdgeSet>>,
    /// `None` while no edge has a rule other than a fence.
    edge_rules: Option<Box<EdgeRules>>,
    kinds: Vec<AgentKind>,
    /// The terrain as searches read it. Empty only on a [compact](Self::compact) grid, until a call needs it.
    expanded: OnceLock<Expanded>,
    /// The terrain of a compact grid. It stays when `expanded` is made of it, until the next edit.
    packed: Option<PackedTerrain>,
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
        mut terrain_at: impl FnMut(GridCell) -> Terrain,
    ) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        let kinds = vec![AgentKind::default()];
        let class_at = |x, y| terrain_at(GridCell::new(x as i32, y as i32)).0;
        let expanded = OnceLock::from(Expanded::from_fn(
            UVec2::new(width, height),
            (None, None, None),
            &kinds,
            class_at,
        ));
        Ok(Self {
            width,
            height,
            revision: 0,
            elevation: None,
            fences: None,
            edge_rules: None,
            kinds,
            expanded,
            packed: None,
        })
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
        CellRect::new(GridCell::new(0, 0), GridCell::new(self.width as i32 - 1, self.height as i32 - 1))
    }

    /// Whether a cell lies on the grid.
    #[must_use]
    pub fn contains(&self, cell: GridCell) -> bool {
        // As `u32`, a negative coordinate is larger than any side.
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// A counter that grows with each edit that changes a cell or an edge, with each kind of agent added or replaced,
    /// and on another [canvas](Self::on_canvas).
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The terrain of a cell, or `None` outside the grid.
    #[must_use]
    pub fn terrain(&self, cell: GridCell) -> Option<Terrain> {
        self.contains(cell).then(|| Terrain(self.class(cell.x, cell.y)))
    }

    /// Sets the terrain of a cell; returns whether that changed the cell.
    ///
    /// # Errors
    /// [`GridError::Outside`] if the cell does not lie on the grid.
    pub fn set(&mut self, cell: GridCell, terrain: Terrain) -> Result<bool, GridError> {
        self.edit(|edit| edit.set(cell, terrain))
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
    /// # use pathfind_core::{GridCell, Grid, Terrain};
    /// let mut grid = Grid::new(100, 100)?;
    /// let changed = grid.edit(|edit| {
    ///     (0..200).filter(|&i| edit.set(GridCell::new(i, i), Terrain::WALL).is_ok()).count()
    /// });
    /// assert_eq!((changed, grid.revision()), (100, 1), "the others lie outside the grid");
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> R {
        self.edit_touching(edits).0
    }

    /// As [`edit`](Self::edit); also returns the rectangles in which cells changed: at most one for each block of
    /// 64×64 cells, none if no cell changed. Where the rule of an edge changes, the cells at both sides count as
    /// changed.
    pub fn edit_touching<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> (R, Vec<CellRect>) {
        let mut edit = GridEdit::new(self, None);
        let value = edits(&mut edit);
        (value, edit.commit())
    }

    /// Updates the derived data and the revision after cells in `touched` changed. Returns `touched`.
    fn commit(&mut self, touched: Vec<CellRect>) -> Vec<CellRect> {
        if touched.is_empty() {
            return touched;
        }
        self.revision += 1;
        // The first and the last row, and the first and the last column.
        let sides = |rect: &CellRect| {
            [[rect.min.y, rect.max.y], [rect.min.x, rect.max.x]].map(|ends| ends.map(|end| end as usize))
        };
        if let Some(elevation) = &mut self.elevation {
            for [rows, columns] in touched.iter().map(sides) {
                elevation.release(rows, columns);
            }
        }
        if let Some(fences) = &mut self.fences {
            touched.iter().for_each(|&rect| fences.release(rect));
        }
        self.edge_rules.take_if(|rules| rules.is_empty());
        if let Some(rules) = &mut self.edge_rules {
            touched.iter().for_each(|&rect| rules.release(rect));
        }
        if let Some(Expanded { terrain, terrain_counts, layers }) = self.expanded.get_mut() {
            self.packed = None;
            for [rows, columns] in touched.iter().map(sides) {
                terrain.release(rows, columns);
            }
            let (elevation, fences) = (self.elevation.as_ref(), self.fences.as_deref());
            let edge_rules = self.edge_rules.as_deref();
            let data = CellData { terrain, terrain_counts, elevation, fences, edge_rules };
            for layer in layers {
                layer.refresh(data, &touched);
            }
        }
        touched
    }
}
