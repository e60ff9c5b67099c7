//! Fences and other rules of a [`NavGrid`] on the edges between cells.

use pathfind_core::{CellRect, Direction, EdgeRule, Grid, GridCell, GridEdit, GridError};

use super::NavGrid;

impl NavGrid {
    /// Puts a fence on the edge between a cell and the next one in a straight direction, or takes it away; `Ok(true)`
    /// if that changed the grid. No agent of any kind steps over a fence, and no body, line of sight or ray passes it;
    /// the cells on both sides stay free. It is an edit as a change of terrain is: agents whose path it crosses replan.
    /// A fence cannot stand on the border of a grid, nor so on the seam of two that are joined.
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

    /// Sets what stands on the edge between a cell and the next one in a straight direction: nothing, a fence, or a
    /// rule for plans, by which steps over the edge cost more, or lead only one way; `Ok(true)` if that changed the
    /// grid. For ledges to drop down, turnstiles, conveyors and slopes.
    ///
    /// Paths, fields and chases obey the rule. Bodies, sight and rays pass all but fences: an agent that is pushed over
    /// a one-way edge finds another way back. It is an edit as [`set_fence`](Self::set_fence) is.
    ///
    /// ```
    /// # use bevy_pathfind::{prelude::*, world::{Direction, EdgeRule}};
    /// let mut hall = NavGrid::from_ascii("....\n....")?;
    /// hall.set_edge((1, 0), Direction::E, EdgeRule::ONE_WAY)?;
    /// // Against the belt a step costs 3 more.
    /// hall.set_edge((1, 1), Direction::E, EdgeRule::surcharge(0.0, 3.0))?;
    /// assert_eq!(hall.edge((2, 0).into(), Direction::W), EdgeRule::ONE_WAY.turned());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Grid::set_edge`]: a diagonal direction, a cell outside, or a surcharge out of range.
    pub fn set_edge(
        &mut self,
        cell: impl Into<GridCell>,
        direction: Direction,
        rule: EdgeRule,
    ) -> Result<bool, GridError> {
        let cell = cell.into();
        // Open is what edges outside are, too.
        if rule != EdgeRule::Open && self.grid.edge(cell, direction) == rule {
            return Ok(false);
        }
        self.edit(|edit| edit.set_edge(cell, direction, rule))
    }
}

/// Copies what stands on the edges round the cells of a rectangle, as a function tells of the edge from one cell to
/// another; `None` for an edge that stays as it is.
pub(in crate::world) fn copy_edges(
    edit: &mut GridEdit,
    rect: CellRect,
    rule: impl Fn(GridCell, GridCell) -> Option<EdgeRule>,
) {
    for cell in rect.intersection(edit.bounds()).into_iter().flat_map(CellRect::cells) {
        for direction in [Direction::E, Direction::S, Direction::W, Direction::N] {
            let next = cell.step(direction);
            if let Some(rule) = rule(cell, next).filter(|_| edit.bounds().contains(next)) {
                edit.set_edge(cell, direction, rule)
                    .expect("both cells lie on the grid, and the rule is that of one");
            }
        }
    }
}

/// What stands on the edge from one cell to another beside it.
pub(in crate::world) fn edge_between(grid: &Grid, a: GridCell, b: GridCell) -> EdgeRule {
    Direction::between(a, b).map_or(EdgeRule::Open, |direction| grid.edge(a, direction))
}

/// Fences as files keep them: a cell, and the direction over the fence.
pub(in crate::world) type SavedFences = Vec<((i32, i32), Direction)>;

/// The other rules of edges as files keep them: a cell, and the direction over the edge.
pub(in crate::world) type SavedEdges = Vec<((i32, i32), Direction, EdgeRule)>;

pub(in crate::world) fn saved_edges(grid: &Grid) -> (SavedFences, SavedEdges) {
    let fences = grid.fences().map(|(cell, direction)| ((cell.x, cell.y), direction));
    let rules = grid.directed_edges().map(|(cell, direction, rule)| ((cell.x, cell.y), direction, rule));
    (fences.collect(), rules.collect())
}

/// Puts saved fences and rules on a grid.
///
/// # Errors
/// Those of [`Grid::set_edge`].
pub(in crate::world) fn load_edges(
    grid: &mut Grid,
    fences: SavedFences,
    rules: SavedEdges,
) -> Result<(), GridError> {
    let fences = fences.into_iter().map(|(cell, direction)| (cell, direction, EdgeRule::Fence));
    grid.edit(|edit| {
        let mut all = fences.chain(rules);
        all.try_for_each(|(cell, direction, rule)| edit.set_edge(cell.into(), direction, rule).map(|_| ()))
    })
}
