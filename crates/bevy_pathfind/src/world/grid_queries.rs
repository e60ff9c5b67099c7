//! Questions that a game asks of a grid without a request: free cells near a place, and lines of sight.

use bevy::prelude::*;
use pathfind_core::{Cell, KindId, NearestCells, Steps, cast_ray};

use super::NavGrid;

impl NavGrid {
    /// The cells on which an agent of this kind may stand, nearest to `cell` first, each a step from one before it:
    /// for places round a goal, or to spawn a group round a building. They begin at `cell`, or the nearest walkable
    /// one if the agent may not stand there. Empty if `cell` lies outside the grid.
    ///
    /// ```
    /// # use bevy_pathfind::prelude::*;
    /// let nav = NavGrid::new(Grid::from_ascii("..#..\n..#..\n..#..").expect("the map is sound"));
    /// let near: Vec<Cell> = nav.free_cells_near(KindId::default(), Cell::new(1, 1)).collect();
    /// assert_eq!(near[0], Cell::new(1, 1));
    /// assert_eq!(near.len(), 6, "none lies beyond the wall");
    /// ```
    pub fn free_cells_near(&self, kind: KindId, cell: Cell) -> impl Iterator<Item = Cell> {
        let mut cells = NearestCells::new(kind, Steps::default(), cell);
        if let Some(start) = self.grid().nearest_walkable(kind, cell).filter(|_| self.grid().contains(cell)) {
            cells.begin_at(self.grid(), start);
        }
        (0..).map_while(move |index| cells.get(self.grid(), index))
    }

    /// Whether nothing blocks the view between two points of the world: no cell between them is blocked for the kind.
    /// For windows and low walls add a kind of agent for eyes, whose [`CostTable`](pathfind_core::CostTable) lets
    /// them pass. False for points off the grid or not finite. Whether an agent can *walk* straight is a stricter
    /// question: [`line_of_sight`](pathfind_core::line_of_sight).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_pathfind::prelude::*;
    /// let nav = NavGrid::new(Grid::from_ascii(".....\n..#..").expect("the map is sound"));
    /// let (place, kind) = (GlobalTransform::IDENTITY, KindId::default());
    /// assert!(nav.sees(&place, kind, Vec3::new(0.5, 0.5, 0.0), Vec3::new(4.5, 0.5, 0.0)));
    /// assert!(!nav.sees(&place, kind, Vec3::new(0.5, 1.5, 0.0), Vec3::new(4.5, 1.5, 0.0)), "the wall is between");
    /// ```
    #[must_use]
    pub fn sees(&self, global: &GlobalTransform, kind: KindId, from: Vec3, to: Vec3) -> bool {
        let [from, to] = [from, to].map(|point| self.world_to_point(global, point));
        let is_on = |point: Vec2| point.is_finite() && self.grid().contains(Cell::containing(point));
        is_on(from) && is_on(to) && cast_ray(self.grid(), kind, from, to).is_none()
    }
}
