//! Batches of edits of terrain, elevation and edges, after which the data derived from the terrain is updated once.

use std::collections::BTreeMap;

use glam::Vec2;

use super::{
    CellRect, Direction, Edge, EdgeRule, Grid, GridCell, GridError, Heights, ObstacleLayer, Terrain,
    elevation,
};

/// A batch of edits of a grid; see [`Grid::edit`].
///
/// Each edit changes terrain, elevation or the rule of an edge at once. Walkable cells and regions are updated at the
/// end of the batch, also if it ends by a panic.
#[derive(Debug)]
pub struct GridEdit<'g> {
    grid: &'g mut Grid,
    /// The obstacles on the grid, if edits change the terrain below them.
    obstacle_layer: Option<&'g mut ObstacleLayer>,
    /// For each block of 64×64 cells, by row and column: the rectangle in which cells changed.
    touched: BTreeMap<(i32, i32), CellRect>,
    /// The block of the latest change, not yet in `touched`: saves a look-up for each cell.
    latest: Option<((i32, i32), CellRect)>,
}

impl<'g> GridEdit<'g> {
    pub(super) const fn new(grid: &'g mut Grid, obstacle_layer: Option<&'g mut ObstacleLayer>) -> Self {
        Self { grid, obstacle_layer, touched: BTreeMap::new(), latest: None }
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn bounds(&self) -> CellRect {
        self.grid.bounds()
    }

    /// The terrain of a cell after the edits so far, or `None` outside the grid. With an [`ObstacleLayer`], the
    /// terrain below the obstacles.
    #[must_use]
    pub fn terrain(&self, cell: GridCell) -> Option<Terrain> {
        let ground = self.obstacle_layer.as_ref().and_then(|obstacle_layer| obstacle_layer.ground(cell));
        ground.or_else(|| self.grid.terrain(cell))
    }

    /// Sets the terrain of a cell; returns whether that changed the cell.
    ///
    /// # Errors
    /// [`GridError::Outside`].
    pub fn set(&mut self, cell: GridCell, terrain: Terrain) -> Result<bool, GridError> {
        if !self.grid.contains(cell) {
            return Err(GridError::Outside(cell));
        }
        Ok(self.put(cell, terrain))
    }

    /// Sets the terrain of the part of a rectangle that lies on the grid; returns how many cells changed.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        self.map(rect, |_, _| terrain)
    }

    /// Sets the terrain of the cells whose centres lie in a disc; returns how many cells changed. Centre and
    /// radius are in cells. A disc of infinite radius holds every cell. A disc whose radius is negative or NaN, or
    /// whose centre is not finite, holds no cell.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        if !(center.is_finite() && radius >= 0.0) {
            return 0;
        }
        let square =
            CellRect::new(GridCell::containing(center - radius), GridCell::containing(center + radius));
        // Squares of f32 overflow; those of f64 do not.
        let (center, radius) = (center.as_dvec2(), f64::from(radius));
        let holds = |cell: GridCell| cell.center().as_dvec2().distance_squared(center) <= radius * radius;
        self.map(square, |cell, old| if holds(cell) { terrain } else { old })
    }

    /// Sets the terrain of each cell of the part of a rectangle that lies on the grid by a function of the cell and
    /// its old terrain; returns how many cells changed.
    pub fn map(&mut self, rect: CellRect, mut terrain_for: impl FnMut(GridCell, Terrain) -> Terrain) -> u64 {
        let Some(rect) = rect.intersection(self.bounds()) else { return 0 };
        let mut changed = 0;
        for cell in rect.cells() {
            let terrain = terrain_for(cell, self.terrain(cell).expect("the rectangle was cut to the grid"));
            changed += u64::from(self.put(cell, terrain));
        }
        changed
    }

    /// The height of a cell after the edits so far, in cells; 0 outside the grid.
    #[must_use]
    pub fn elevation(&self, cell: GridCell) -> f32 {
        self.grid.elevation(cell)
    }

    /// Sets the height of a cell above the plane of the grid, in cells; returns whether that changed the cell. See
    /// [`Grid::with_elevation`].
    ///
    /// # Errors
    /// [`GridError::Outside`] and [`GridError::BadElevation`].
    pub fn set_elevation(&mut self, cell: GridCell, height: f32) -> Result<bool, GridError> {
        if !self.grid.contains(cell) {
            return Err(GridError::Outside(cell));
        }
        elevation::check(cell, height)?;
        if self.grid.elevation(cell) == height {
            return Ok(false);
        }
        let Grid { width, height: rows, elevation, .. } = &mut *self.grid;
        let all = elevation.get_or_insert_with(|| Heights::new(*rows as usize, *width as usize, 0.0));
        all.set(cell.y as usize, cell.x as usize, height);
        self.note(cell);
        Ok(true)
    }

    /// Puts a fence on the edge between a cell and the next one in a straight direction, or takes it away; returns
    /// whether that changed the grid. Both cells count as changed then. See [`Grid::set_fence`].
    ///
    /// # Errors
    /// [`GridError::DiagonalEdge`] and [`GridError::Outside`].
    pub fn set_fence(
        &mut self,
        cell: GridCell,
        direction: Direction,
        is_fenced: bool,
    ) -> Result<bool, GridError> {
        let rule = match self.grid.edge(cell, direction) {
            _ if is_fenced => EdgeRule::Fence,
            EdgeRule::Fence => EdgeRule::Open,
            other => other,
        };
        self.set_edge(cell, direction, rule)
    }

    /// Sets what stands on the edge between a cell and the next one in a straight direction; returns whether that
    /// changed the grid. Both cells count as changed then. See [`Grid::set_edge`].
    ///
    /// # Errors
    /// [`GridError::DiagonalEdge`], [`GridError::Outside`] and [`GridError::BadSurcharge`].
    pub fn set_edge(
        &mut self,
        cell: GridCell,
        direction: Direction,
        rule: EdgeRule,
    ) -> Result<bool, GridError> {
        let edge = Edge::beside(cell, direction).ok_or(GridError::DiagonalEdge(direction))?;
        // Far outside a step ends where it begins.
        let outside = [cell, cell.step(direction)].into_iter().find(|&cell| !self.grid.contains(cell));
        let rule = if edge.direction() == direction { rule } else { rule.turned() };
        outside.map_or_else(|| self.put_edge(edge, rule), |cell| Err(GridError::Outside(cell)))
    }

    /// The same for an edge between two cells of the grid, seen from its own cell.
    pub(super) fn put_edge(&mut self, edge: Edge, rule: EdgeRule) -> Result<bool, GridError> {
        let is_changed = self.grid.put_edge(edge, rule)?;
        if is_changed {
            edge.cells().into_iter().for_each(|cell| self.note(cell));
        }
        Ok(is_changed)
    }

    /// Sets the terrain of a cell that lies on the grid; returns whether that changed the cell.
    fn put(&mut self, cell: GridCell, terrain: Terrain) -> bool {
        if let Some(changed) =
            self.obstacle_layer.as_mut().and_then(|obstacle_layer| obstacle_layer.set_ground(cell, terrain))
        {
            return changed;
        }
        let changed = self.grid.replace_class(cell, terrain.0);
        if changed {
            self.note(cell);
        }
        changed
    }

    fn note(&mut self, cell: GridCell) {
        let (block, rect) = ((cell.y >> 6, cell.x >> 6), CellRect { min: cell, max: cell });
        match &mut self.latest {
            Some((latest, touched)) if *latest == block => *touched = touched.union(rect),
            _ => {
                self.note_latest();
                self.latest = Some((block, rect));
            }
        }
    }

    fn note_latest(&mut self) {
        if let Some((block, rect)) = self.latest.take() {
            self.touched.entry(block).and_modify(|touched| *touched = touched.union(rect)).or_insert(rect);
        }
    }

    /// Updates the data derived from the terrain. Returns the rectangles in which cells changed since the last
    /// commit, block by block in order of rows.
    pub(super) fn commit(&mut self) -> Vec<CellRect> {
        self.note_latest();
        let touched = std::mem::take(&mut self.touched).into_values().collect();
        self.grid.commit(touched)
    }
}

/// Commits also after a panic, so that the derived data always agrees with the terrain.
impl Drop for GridEdit<'_> {
    fn drop(&mut self) {
        self.commit();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AgentKind, AgentSize, KindId, StepRules};
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::assert_same_grid;

    #[test]
    fn edits_made_together_leave_the_grid_as_edits_made_one_by_one() {
        let mut together = Grid::new(200, 150).unwrap();
        together.add_kind(AgentKind { size: AgentSize::Disc(0.8), ..AgentKind::default() }).unwrap();
        let mut apart = together.clone();
        let mut rng = CounterRng::new(1, 0, 0);
        for _ in 0..20 {
            let mut cell = || GridCell::new(rng.below(200) as i32, rng.below(150) as i32);
            let walls: Vec<GridCell> = (0..400).map(|_| cell()).collect();
            let terrain = if rng.below(3) == 0 { Terrain::GROUND } else { Terrain::WALL };
            let before = together.revision();
            let (_, touched) =
                together.edit_touching(|edit| walls.iter().for_each(|&cell| _ = edit.set(cell, terrain)));
            assert_eq!(together.revision() - before, 1, "one edit, one revision");
            for &cell in &walls {
                let is_named = touched.iter().any(|rect| rect.contains(cell));
                assert!(!apart.set(cell, terrain).unwrap() || is_named, "{cell} is named as touched");
            }
            assert_same_grid(&together, &apart, "edits agree");
        }
    }

    #[test]
    fn edits_before_a_panic_are_taken_in() {
        let mut grid = Grid::new(8, 1).unwrap();
        let end = grid.bounds().max;
        let edits = std::panic::AssertUnwindSafe(|| {
            grid.edit(|edit| {
                edit.set(GridCell::new(3, 0), Terrain::WALL).unwrap();
                panic!("the second edit fails");
            })
        });
        std::panic::catch_unwind(edits).expect_err("the edits panic");
        let wall = GridCell::new(3, 0);
        assert_eq!(grid.terrain(wall), Some(Terrain::WALL));
        assert!(!grid.is_walkable(KindId(0), wall), "the wall blocks its cell");
        assert!(
            !grid.connected(KindId(0), StepRules::default(), GridCell::new(0, 0), end),
            "it parts the grid"
        );
        assert_eq!(grid.revision(), 1, "the edit changes the revision");
    }

    #[test]
    fn a_disc_of_any_size_holds_the_cells_whose_centres_it_holds() {
        let far = [0.0f32, 3.0, -7.5, 4e4, -7e4, 1e6, -3e9, 1e30, -3e38];
        for (x, y) in far.iter().flat_map(|&x| far.iter().map(move |&y| (x, y))) {
            let center = Vec2::new(x, y);
            for radius in [0.0, 1.5, 6e4, 8e4, 1e6, 1.5e6, 3e9, 5e9, 1e30, 2e30, 3.4e38, f32::INFINITY] {
                let mut grid = Grid::new(9, 7).unwrap();
                let away = |cell: GridCell| cell.center().as_dvec2().distance(center.as_dvec2());
                let inside = grid.bounds().cells().filter(|&cell| away(cell) <= f64::from(radius)).count();
                let filled = grid.fill_disc(center, radius, Terrain::WALL);
                assert_eq!(filled, inside as u64, "a disc of {radius} round {center}");
            }
        }
        let mut grid = Grid::new(9, 7).unwrap();
        for (center, radius) in [(Vec2::NAN, 1.0), (Vec2::ZERO, f32::NAN), (Vec2::ZERO, -1.0)] {
            assert_eq!(grid.fill_disc(center, radius, Terrain::WALL), 0, "{radius} round {center}");
        }
        let (_, touched) = grid.edit_touching(|edit| edit.set(GridCell::new(9, 9), Terrain::WALL));
        assert!(touched.is_empty(), "outside is no edit");
    }
}
