//! Elevation: the height of each cell above the plane of the grid, the surface that agents stand on.

use glam::Vec2;

use super::{CopyOnWriteRows, Direction, Grid, GridCell, GridError, KindId, Terrain};

pub(super) type Heights = CopyOnWriteRows<f32, 64>;

impl Grid {
    /// The greatest height of a cell above or below the plane of the grid, in cells.
    pub const MAX_ELEVATION: f32 = 65_536.0;

    /// The same grid with a height for each cell, given row by row by a function. Unit: cells, above the plane of the
    /// grid. Range: ±[`MAX_ELEVATION`](Self::MAX_ELEVATION). A grid without heights is flat, at height 0.
    ///
    /// An agent steps from cell to cell only if their heights differ by at most its [`climb`](super::AgentKind::climb).
    ///
    /// # Errors
    /// [`GridError::BadElevation`] if a height is NaN or out of range.
    ///
    /// ```
    /// use pathfind_core::{GridCell, Grid, KindId, StepRules};
    /// // A plateau, and a ramp that leads up to it at the bottom.
    /// let heights = ["0033", "0033", "0123"];
    /// let grid = Grid::new(4, 3)?
    ///     .with_elevation(|cell| f32::from(heights[cell.y as usize].as_bytes()[cell.x as usize] - b'0'))?;
    /// let steps = |x, y| grid.steps_from(KindId::default(), StepRules::FOUR, GridCell::new(x, y)).count();
    /// assert_eq!((steps(1, 0), steps(1, 2)), (2, 3), "no step leads up the cliff, one up the ramp");
    /// assert!(grid.connected(KindId::default(), StepRules::FOUR, GridCell::new(0, 0), GridCell::new(3, 0)));
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn with_elevation(
        mut self,
        mut elevation_of: impl FnMut(GridCell) -> f32,
    ) -> Result<Self, GridError> {
        self.edit(|edit| {
            edit.bounds()
                .cells()
                .try_for_each(|cell| edit.set_elevation(cell, elevation_of(cell)).map(|_| ()))
        })?;
        Ok(self)
    }

    /// Whether any cell may have a height other than 0.
    #[must_use]
    pub const fn has_elevation(&self) -> bool {
        self.elevation.is_some()
    }

    /// The height of a cell above the plane of the grid, in cells; 0 outside the grid.
    #[must_use]
    pub fn elevation(&self, cell: GridCell) -> f32 {
        match &self.elevation {
            Some(elevation) if self.contains(cell) => elevation.get(cell.y as usize, cell.x as usize),
            _ => 0.0,
        }
    }

    /// How steep the ground is at a cell: the greatest difference in height to one of the four cells beside it. A
    /// game whose slopes are to cost more gives steep cells a terrain of their own.
    ///
    /// ```
    /// # use pathfind_core::{Grid, Terrain};
    /// let mut hill = Grid::new(9, 9)?.with_elevation(|cell| 0.4 * cell.x as f32)?;
    /// let steep: Vec<_> = hill.bounds().cells().filter(|&cell| hill.steepness(cell) > 0.3).collect();
    /// hill.edit(|edit| steep.iter().try_for_each(|&cell| edit.set(cell, Terrain::weight(2)).map(|_| ())))?;
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    #[must_use]
    pub fn steepness(&self, cell: GridCell) -> f32 {
        let beside = [Direction::E, Direction::W, Direction::S, Direction::N].map(|to| cell.step(to));
        let inside = beside.into_iter().filter(|&cell| self.contains(cell));
        inside.map(|other| (self.elevation(other) - self.elevation(cell)).abs()).fold(0.0, f32::max)
    }

    /// The height of the ground at a point, in cells: that of the cell at its centre, and between the centres of
    /// cells interpolated. At a cliff, a void and the border the ground of each cell goes on level to the edge; where
    /// a cliff ends, the ground may have a step. A fence does not change the ground. A point that is outside the grid or not finite has the height 0.
    #[must_use]
    pub fn elevation_at(&self, kind: KindId, point: Vec2) -> f32 {
        let own = GridCell::containing(point);
        if !(self.has_elevation() && point.is_finite() && self.contains(own)) {
            return 0.0;
        }
        let off = point - own.center();
        let (dx, dy) = (if off.x < 0.0 { -1 } else { 1 }, if off.y < 0.0 { -1 } else { 1 });
        let kind = self.kind(kind);
        let climb = kind.map_or(f32::INFINITY, |kind| kind.climb);
        let cells = [(0, 0), (dx, 0), (0, dy), (dx, dy)].map(|(x, y)| GridCell::new(own.x + x, own.y + y));
        let heights = cells.map(|cell| self.elevation(cell));
        let is_steep = |a: usize, b: usize| (heights[a] - heights[b]).abs() > climb;
        let is_passable = |at: usize| {
            self.terrain(cells[at]).zip(kind).is_some_and(|(terrain, kind)| kind.costs.is_passable(terrain))
        };
        let goes_on = |at: usize| {
            let is_ground = self.terrain(cells[at]).is_some_and(|terrain| terrain != Terrain::VOID);
            is_ground && !is_steep(0, at)
        };
        // Not those of the grid, which has fences among them.
        let is_cliff = |&(a, b): &(usize, usize)| is_steep(a, b) && is_passable(a) && is_passable(b);
        let ends_cliff = [(0, 1), (0, 2), (1, 3), (2, 3)].iter().any(is_cliff);
        let height = heights[0];
        let [across, down] = [1, 2].map(|at| if goes_on(at) { heights[at] } else { height });
        let corner = if goes_on(3) && !ends_cliff { heights[3] } else { across + down - height };
        let part = off.abs();
        let near = height + (across - height) * part.x;
        let far = down + (corner - down) * part.x;
        near + (far - near) * part.y
    }
}

pub(super) fn check(cell: GridCell, height: f32) -> Result<(), GridError> {
    if height.abs() <= Grid::MAX_ELEVATION { Ok(()) } else { Err(GridError::BadElevation { cell, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_smooth_and_ends_at_cliffs() {
        let grid =
            Grid::new(4, 2).unwrap().with_elevation(|cell| [0.0, 1.0, 2.0, 9.0][cell.x as usize]).unwrap();
        let height = |x: f32| grid.elevation_at(KindId::default(), Vec2::new(x, 1.0));
        assert_eq!([0.5, 1.0, 1.5, 2.25].map(height), [0.0, 0.5, 1.0, 1.75], "up the slope");
        assert_eq!([2.75, 2.99, 3.0, 3.5].map(height), [2.0, 2.0, 9.0, 9.0], "level to the cliff");
        assert_eq!([0.1, -1.0, 9.0, f32::NAN].map(height), [0.0; 4], "and outside");
        assert_eq!([0, 1, 2, 3].map(|x| grid.steepness(GridCell::new(x, 0))), [1.0, 1.0, 7.0, 7.0]);
        for far in [i32::MIN, i32::MAX] {
            assert_eq!(grid.steepness(GridCell::new(far, far)), 0.0, "far outside");
        }
    }

    #[test]
    fn a_plateau_is_as_high_at_its_rim() {
        let plateau = Grid::new(3, 3).unwrap().with_elevation(|_| 5.0).unwrap();
        let larger = plateau.on_canvas(glam::UVec2::new(192, 192), glam::IVec2::splat(1)).unwrap();
        for (grid, corner) in [(&plateau, 0.0), (&larger, 64.0)] {
            for point in [0.0, 0.1, 1.5, 2.99].map(|at| Vec2::new(corner + at, corner + 0.2)) {
                assert_eq!(grid.elevation_at(KindId::default(), point), 5.0, "at {point}");
            }
        }
    }

    #[test]
    fn a_fence_does_not_change_the_ground() {
        let height = |cell: GridCell| (cell.x * 3 + cell.y * 7) as f32 % 5.0 * 0.6;
        let open = Grid::from_ascii("....\n..#.\n....\n#...").unwrap().with_elevation(height).unwrap();
        let mut fenced = open.clone();
        open.bounds().cells().for_each(|cell| _ = fenced.set_fence(cell, Direction::E, true));
        open.bounds().cells().for_each(|cell| _ = fenced.set_fence(cell, Direction::S, true));
        for at in (0..1600).map(|i| Vec2::new((i % 40) as f32, (i / 40) as f32) * 0.1 + 0.03) {
            let [a, b] = [&open, &fenced].map(|grid| grid.elevation_at(KindId::default(), at));
            assert_eq!(a, b, "at {at}");
        }
    }

    #[test]
    fn heights_out_of_range_are_refused() {
        for bad in [f32::NAN, f32::INFINITY, -1e9] {
            assert!(Grid::new(2, 2).unwrap().with_elevation(|_| bad).is_err(), "{bad}");
        }
    }
}
