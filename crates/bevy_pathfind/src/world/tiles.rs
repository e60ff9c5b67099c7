//! Builds a grid from a tilemap, and updates it after changes.

use bevy::prelude::*;
use pathfind_core::{Cell, CellRect, Grid, GridError, Terrain};

use super::NavGrid;

/// A tilemap as a source of terrain: a size, and a terrain for each tile. Implement it for your tilemap type.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// struct Level {
///     rows: Vec<&'static str>,
/// }
///
/// impl Tiles for Level {
///     fn size(&self) -> UVec2 {
///         UVec2::new(self.rows[0].len() as u32, self.rows.len() as u32)
///     }
///
///     fn terrain(&self, cell: Cell) -> Terrain {
///         match self.rows[cell.y as usize].as_bytes()[cell.x as usize] {
///             b'~' => Terrain::WATER,
///             b'#' => Terrain::WALL,
///             _ => Terrain::GROUND,
///         }
///     }
/// }
///
/// let mut level = Level { rows: vec!["..~..", "..~..", "....."] };
/// let mut nav = NavGrid::from_tiles(&level)?;
/// level.rows[0] = ".....";
/// assert_eq!(nav.update_tiles(&level, CellRect::new(Cell::new(0, 0), Cell::new(4, 0))), 1);
/// # Ok::<(), GridError>(())
/// ```
pub trait Tiles {
    /// Columns and rows, in tiles.
    fn size(&self) -> UVec2;

    /// The terrain of a tile; called only for tiles within [`size`](Self::size).
    fn terrain(&self, cell: Cell) -> Terrain;
}

impl NavGrid {
    /// A grid with the terrain of a tilemap.
    ///
    /// # Errors
    /// The errors of [`Grid::from_fn`], such as one for a map without tiles.
    pub fn from_tiles(tiles: &impl Tiles) -> Result<Self, GridError> {
        let UVec2 { x, y } = tiles.size();
        Ok(Self::new(Grid::from_fn(x, y, |cell| tiles.terrain(cell))?))
    }

    /// Copies the tiles of a rectangle to the grid after they have changed, as one edit. Returns the number of cells
    /// whose terrain changed. Tiles beyond the grid or the tilemap are ignored.
    pub fn update_tiles(&mut self, tiles: &impl Tiles, rect: CellRect) -> u64 {
        let UVec2 { x, y } = tiles.size().min(UVec2::splat(Grid::MAX_SIDE));
        let map = CellRect { min: Cell::new(0, 0), max: Cell::new(x as i32 - 1, y as i32 - 1) };
        rect.intersection(map)
            .map_or(0, |rect| self.edit(|edit| edit.map(rect, |cell, _| tiles.terrain(cell))))
    }
}
