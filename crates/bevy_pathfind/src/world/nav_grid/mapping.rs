//! Maps points and cells from grid space to the world, and back, with the `GlobalTransform` of the grid.

use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::{Cell, KindId};

use super::NavGrid;

impl NavGrid {
    /// Maps a point of grid space (in cells) to the world, on the plane of the grid; see also
    /// [`ground_to_world`](Self::ground_to_world).
    #[must_use]
    pub fn point_to_world(&self, global: &GlobalTransform, point: Vec2) -> Vec3 {
        (global.affine() * self.frame()).transform_point3(point.extend(0.0))
    }

    /// Maps a point of the world to grid space (in cells), projected onto the grid. Not finite if the grid
    /// cannot be placed (zero scale or cell size).
    #[must_use]
    pub fn world_to_point(&self, global: &GlobalTransform, point: Vec3) -> Vec2 {
        (global.affine() * self.frame()).inverse().transform_point3(point).truncate()
    }

    /// The centre of a cell in the world, on the ground.
    #[must_use]
    pub fn cell_to_world(&self, global: &GlobalTransform, cell: Cell) -> Vec3 {
        self.ground_to_world(global, cell.center())
    }

    /// The point of the ground at a point of grid space, in the world.
    #[must_use]
    pub fn ground_to_world(&self, global: &GlobalTransform, point: Vec2) -> Vec3 {
        let height = self.grid.elevation_at(KindId::default(), point);
        (global.affine() * self.frame()).transform_point3(point.extend(height))
    }

    /// The cell under a point of the world; it may lie outside the grid.
    #[must_use]
    pub fn world_to_cell(&self, global: &GlobalTransform, point: Vec3) -> Cell {
        Cell::containing(self.world_to_point(global, point))
    }

    /// The map from grid space to the frame of the entity.
    pub(crate) fn frame(&self) -> Affine3A {
        let axes = self.plane.axes() * self.cell_size;
        let middle = self.grid.size().as_vec2() / 2.0;
        let origin = if self.is_centered { -(axes * middle.extend(0.0)) } else { Vec3::ZERO };
        Affine3A::from_mat3_translation(axes, origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::GridPlane;

    #[test]
    fn the_corner_of_the_first_cell_is_the_origin() {
        let grid = NavGrid::default().with_cell_size(16.0).with_plane(GridPlane::Xz);
        let at = GlobalTransform::from_xyz(100.0, 5.0, -50.0);
        assert_eq!(grid.point_to_world(&at, Vec2::ZERO), Vec3::new(100.0, 5.0, -50.0));
        assert_eq!(grid.cell_to_world(&at, Cell::new(1, 2)), Vec3::new(124.0, 5.0, -10.0));
        assert_eq!(grid.world_to_cell(&at, Vec3::new(124.0, 9.0, -10.0)), Cell::new(1, 2));
    }

    #[test]
    fn a_picture_lies_as_it_is_seen_round_the_origin() {
        let grid = NavGrid::from_ascii("\n    .#..\n    ....\n  ")
            .expect("a picture")
            .with_cell_size(16.0)
            .centered();
        assert_eq!((grid.width(), grid.height()), (4, 2));
        let at = GlobalTransform::from_xyz(100.0, 0.0, 0.0);
        assert_eq!(grid.cell_to_world(&at, Cell::new(1, 0)), Vec3::new(92.0, 8.0, 0.0), "the wall is above");
        assert_eq!(grid.world_to_cell(&at, Vec3::new(131.0, -15.0, 0.0)), Cell::new(3, 1));
        assert!(NavGrid::from_ascii(" \n ").is_err() && NavGrid::from_ascii("..\n.").is_err());
    }
}
