//! The map in the form that every entrant gets.

use pathfind_core::{Cell, Grid, KindId};

/// A point of grid space: a cell is 1 wide, and its centre lies at halves.
pub(crate) type Point = (f64, f64);

/// Which cells are free, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) free: Vec<bool>,
}

impl Board {
    /// Reads a MovingAI map.
    pub(crate) fn from_map(text: &str) -> Result<Self, String> {
        Grid::from_map(text).map(|grid| Self::from_grid(&grid)).map_err(|error| error.to_string())
    }

    fn from_grid(grid: &Grid) -> Self {
        let free = grid.bounds().cells().map(|cell| grid.is_walkable(KindId::default(), cell)).collect();
        Self { width: grid.width() as i32, height: grid.height() as i32, free }
    }

    /// Whether a cell is on the map and free.
    #[inline]
    pub(crate) fn is_free(&self, x: i32, y: i32) -> bool {
        // A negative coordinate becomes a huge unsigned one.
        (x as u32) < self.width as u32
            && (y as u32) < self.height as u32
            && self.free[y as usize * self.width as usize + x as usize]
    }

    /// The index of a cell, row by row.
    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> u32 {
        (cell.y * self.width + cell.x) as u32
    }

    /// The cell with an index.
    #[inline]
    pub(crate) fn cell(&self, index: u32) -> Cell {
        let width = self.width as u32;
        Cell::new((index % width) as i32, (index / width) as i32)
    }
}

/// The centre of a cell.
pub(crate) fn center(cell: Cell) -> Point {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

#[cfg(test)]
impl Board {
    /// Reads a map of `.` and `#`.
    pub(crate) fn from_ascii(text: &str) -> Self {
        Self::from_grid(&Grid::from_ascii(text).expect("the test's map is well formed"))
    }
}
