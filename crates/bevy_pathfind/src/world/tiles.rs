//! From a tilemap to a grid.

use bevy::prelude::*;
use pathfind_core::{Cell, CellRect, Grid, GridError, Terrain};

use super::NavGrid;

/// A tilemap as a grid sees it: so many tiles, each of some terrain. Implement it for whatever draws your map.
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

    /// The terrain of a tile; asked for tiles of the map only.
    fn terrain(&self, cell: Cell) -> Terrain;
}

impl NavGrid {
    /// A grid with the terrain of a tilemap.
    ///
    /// # Errors
    /// Whatever [`Grid::from_fn`] refuses, such as a map without tiles.
    pub fn from_tiles(tiles: &impl Tiles) -> Result<Self, GridError> {
        let UVec2 { x, y } = tiles.size();
        Ok(Self::new(Grid::from_fn(x, y, |cell| tiles.terrain(cell))?))
    }

    /// Takes over the tiles of a rectangle after they have changed, as one edit; the number of cells that
    /// were another before. What lies beyond the grid or the tilemap is left out.
    pub fn update_tiles(&mut self, tiles: &impl Tiles, rect: CellRect) -> u64 {
        let UVec2 { x, y } = tiles.size().min(UVec2::splat(Grid::MAX_SIDE));
        let map = CellRect { min: Cell::new(0, 0), max: Cell::new(x as i32 - 1, y as i32 - 1) };
        let mut changed = 0;
        if let Some(rect) = rect.intersection(map) {
            self.edit(|edit| changed = edit.map(rect, |cell, _| tiles.terrain(cell)));
        }
        changed
    }
}
