//! Fences of a [`NavGrid`]: walls without width, on the edges between cells.

use pathfind_core::{CellRect, Direction, Grid, GridCell, GridEdit, GridError};

use super::NavGrid;

impl NavGrid {
    /// Puts a fence on the edge between a cell and the next one in a straight direction, or takes it away; `Ok(true)` if
    /// that changed the grid. No agent of any kind steps over a fence, and no body, line of sight or ray passes it; the
    /// cells on both sides stay free. It is an edit as a change of terrain is: agents whose path it crosses replan. A
    /// fence cannot stand on the border of a grid, nor so on the seam of two that are joined.
    ///
    /// ```
    /// # use bevy_pathfind::{prelude::*, world::Direction};
    /// let mut yard = NavGrid::from_ascii("....\n....")?;
    /// for y in 0..2 {
    ///     yard.set_fence((1, y), Direction::E, true)?;
    /// }
    /// assert!(yard.has_fence((2, 1).into(), Direction::W));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Grid::set_fence`]: a diagonal direction, or a cell outside.
    pub fn set_fence(
        &mut self,
        cell: impl Into<GridCell>,
        direction: Direction,
        is_fenced: bool,
    ) -> Result<bool, GridError> {
        let cell = cell.into();
        let is_known = !direction.is_diagonal() && self.grid.has_fence(cell, direction) == is_fenced;
        if is_known && self.grid.contains(cell) && self.grid.contains(cell.step(direction)) {
            return Ok(false);
        }
        self.edit(|edit| edit.set_fence(cell, direction, is_fenced))
    }
}

/// Copies the fences round the cells of a rectangle, as a function tells of the edge between two cells; `None` for an edge
/// that stays as it is.
pub(in crate::world) fn copy_fences(
    edit: &mut GridEdit,
    rect: CellRect,
    is_fenced: impl Fn(GridCell, GridCell) -> Option<bool>,
) {
    for cell in rect.intersection(edit.bounds()).into_iter().flat_map(CellRect::cells) {
        for direction in [Direction::E, Direction::S, Direction::W, Direction::N] {
            let next = cell.step(direction);
            if let Some(is_fenced) = is_fenced(cell, next).filter(|_| edit.bounds().contains(next)) {
                edit.set_fence(cell, direction, is_fenced).expect("both cells lie on the grid");
            }
        }
    }
}

/// Whether a fence stands between two cells beside one another.
pub(in crate::world) fn are_fenced(grid: &Grid, a: GridCell, b: GridCell) -> bool {
    Direction::between(a, b).is_some_and(|direction| grid.has_fence(a, direction))
}

/// Fences as files keep them: a cell, and the direction over the fence.
pub(in crate::world) type SavedFences = Vec<((i32, i32), Direction)>;

pub(in crate::world) fn saved_fences(grid: &Grid) -> SavedFences {
    grid.fences().map(|(cell, direction)| ((cell.x, cell.y), direction)).collect()
}

/// Puts saved fences on a grid.
///
/// # Errors
/// Those of [`Grid::set_fence`].
pub(in crate::world) fn load_fences(grid: &mut Grid, fences: SavedFences) -> Result<(), GridError> {
    grid.edit(|edit| {
        let mut fences = fences.into_iter();
        fences.try_for_each(|(cell, direction)| edit.set_fence(cell.into(), direction, true).map(|_| ()))
    })
}
