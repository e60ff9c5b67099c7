//! The placement of a grid in the world, computed once a tick.
//!
//! The placement of a joined grid is computed in [`seams`](super::seams).

use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::GridCell;

use super::{JoinedGrid, NavGrid};

/// Where a grid lies in the world. It is written each tick from the `Transform`s of the grid and its parents, so that
/// it is right in the tick in which a grid is spawned or moved.
///
/// Read it instead of `GlobalTransform`, which is only updated once a frame.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, PartialEq)]
pub struct GridTransform {
    /// Grid space (column, row, height, in cells) to world space.
    pub(super) to_world: Affine3A,
    /// World space to grid space.
    pub(super) to_grid: Affine3A,
    /// The normal of the grid, away from the ground, of length 1.
    up: Vec3,
    /// The shorter side of a cell, in world units.
    cell_size: f32,
    /// False for a scale of zero or a transform that is not finite.
    usable: bool,
}

impl Default for GridTransform {
    fn default() -> Self {
        Self {
            to_world: Affine3A::IDENTITY,
            to_grid: Affine3A::IDENTITY,
            up: Vec3::Z,
            cell_size: 1.0,
            usable: false,
        }
    }
}

impl GridTransform {
    /// The placement of a grid whose entity has the global transform `place`, as before it is spawned.
    #[must_use]
    pub fn new(grid: &NavGrid, place: impl Into<GlobalTransform>) -> Self {
        Self::of(place.into().affine() * grid.frame())
    }

    /// The placement of a grid, from the map of its space (column, row, height, in cells) to the world.
    pub(super) fn of(to_world: Affine3A) -> Self {
        let to_grid = to_world.inverse();
        if !(to_world.is_finite() && to_grid.is_finite()) {
            return Self::default();
        }
        let [column, row, away] =
            [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis].map(Vec3::from);
        let up = column.cross(row);
        Self {
            to_world,
            to_grid,
            up: (up * up.dot(away).signum()).normalize_or(Vec3::Z),
            cell_size: column.length().min(row.length()),
            usable: true,
        }
    }

    /// Whether points can be mapped in both directions: false for a scale of zero or a transform that is not finite.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        self.usable
    }

    /// Maps a point of grid space (in cells), `height` cells above the grid, to the world.
    #[must_use]
    pub fn to_world(&self, point: Vec2, height: f32) -> Vec3 {
        self.to_world.transform_point3(point.extend(height))
    }

    /// Maps a point of the world to grid space (in cells), projected onto the grid.
    #[must_use]
    pub fn to_grid(&self, point: Vec3) -> Vec2 {
        self.to_grid.transform_point3(point).truncate()
    }

    /// The cell under a point of the world; it may lie outside the grid.
    #[must_use]
    pub fn cell_at(&self, point: Vec3) -> GridCell {
        GridCell::containing(self.to_grid(point))
    }

    /// The centre of a cell in the world.
    #[must_use]
    pub fn cell_center(&self, cell: GridCell) -> Vec3 {
        self.to_world(cell.center(), 0.0)
    }

    /// The height of a point of the world above the grid, in cells.
    #[must_use]
    pub fn height(&self, point: Vec3) -> f32 {
        self.to_grid.transform_point3(point).z
    }

    /// The normal of the grid, away from the ground, of length 1.
    #[must_use]
    pub const fn up(&self) -> Vec3 {
        self.up
    }

    /// A vector of the world without its component along [`up`](Self::up).
    #[must_use]
    pub fn flatten(&self, vector: Vec3) -> Vec3 {
        vector - self.up * vector.dot(self.up)
    }

    /// The shorter side of a cell, in world units.
    #[must_use]
    pub const fn cell_size(&self) -> f32 {
        self.cell_size
    }
}

/// A hash of entities and their flags, which does not depend on their order.
pub(super) fn fingerprint(entities: impl Iterator<Item = (Entity, bool)>) -> u64 {
    // The mixing step of SplitMix64.
    let mixed = |(entity, flag): (Entity, bool)| {
        let bits = entity.to_bits() ^ u64::from(flag) << 63;
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
    };
    entities.fold(0, |sum, entity| sum.wrapping_add(mixed(entity)))
}

/// A grid whose placement is computed.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Placed {
    entity: Entity,
    grid: Ref<'static, NavGrid>,
    place: &'static mut GridTransform,
    transform: Ref<'static, Transform>,
    is_child: Has<ChildOf>,
}

/// Writes [`GridTransform`] of every grid; a grid that did not move is not marked as changed. That of a joined grid
/// follows from its parts.
pub(super) fn place_grids(
    mut grids: Query<Placed, Without<JoinedGrid>>,
    transforms: TransformHelper,
    mut seen: Local<u64>,
) {
    // Grids that have lost their parent, or were disabled while they changed, are not marked as changed.
    let now = fingerprint(grids.iter().map(|grid| (grid.entity, grid.is_child)));
    let is_any_suspect = core::mem::replace(&mut *seen, now) != now;
    for PlacedItem { entity, grid, mut place, transform, is_child } in &mut grids {
        // There may be thousands, of which few move.
        let is_suspect = is_any_suspect || is_child || transform.is_changed() || grid.is_changed();
        if !is_suspect {
            continue;
        }
        let now = transforms
            .compute_global_transform(entity)
            .map_or_else(|_| GridTransform::default(), |global| GridTransform::new(&grid, global));
        place.set_if_neq(now);
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::Grid;

    use super::super::GridPlane;
    use super::*;

    #[test]
    fn world_to_grid_undoes_grid_to_world() {
        let turned = Transform::from_xyz(-300.0, 20.0, 7.0)
            .with_rotation(Quat::from_rotation_y(0.6))
            .with_scale(Vec3::splat(2.0));
        for plane in
            [GridPlane::Xy, GridPlane::XyDown, GridPlane::Xz, GridPlane::Tilted(Quat::from_rotation_x(0.3))]
        {
            for size in [0.25, 1.0, 64.0] {
                let grid = NavGrid::new(Grid::new(8, 8).unwrap()).with_cell_size(size).with_plane(plane);
                let place = GridTransform::new(&grid, turned);
                let point = Vec2::new(3.5, 6.25);
                let back = place.to_grid(place.to_world(point, 2.0));
                assert!(back.distance(point) < 1e-3, "{plane:?}, cells of {size}: {back} should be {point}");
                assert!((place.height(place.to_world(point, 2.0)) - 2.0).abs() < 1e-3, "heights survive");
                assert!((place.cell_size() - 2.0 * size).abs() < 1e-3 * size, "scale makes cells larger");
            }
        }
    }

    #[test]
    fn a_scale_of_zero_is_not_usable() {
        let grid = NavGrid::new(Grid::new(4, 4).unwrap());
        for scale in [0.0, f32::NAN] {
            let flat = Transform::from_scale(Vec3::splat(scale));
            assert!(!GridTransform::new(&grid, flat).is_usable(), "scale {scale} cannot be undone");
        }
    }

    #[test]
    fn up_points_away_from_the_ground() {
        for (plane, up) in [(GridPlane::Xy, Vec3::Z), (GridPlane::XyDown, Vec3::Z), (GridPlane::Xz, Vec3::Y)]
        {
            let grid = NavGrid::new(Grid::new(4, 4).unwrap()).with_plane(plane);
            assert_eq!(GridTransform::new(&grid, GlobalTransform::IDENTITY).up(), up, "{plane:?}");
        }
    }

    #[test]
    fn the_corner_of_the_first_cell_is_the_origin() {
        let grid = NavGrid::default().with_cell_size(16.0).with_plane(GridPlane::Xz);
        let place = GridTransform::new(&grid, Transform::from_xyz(100.0, 5.0, -50.0));
        assert_eq!(place.to_world(Vec2::ZERO, 0.0), Vec3::new(100.0, 5.0, -50.0));
        assert_eq!(place.cell_center(GridCell::new(1, 2)), Vec3::new(124.0, 5.0, -10.0));
        assert_eq!(place.cell_at(Vec3::new(124.0, 9.0, -10.0)), GridCell::new(1, 2));
    }

    #[test]
    fn a_picture_lies_as_it_is_seen_round_the_origin() {
        let grid = NavGrid::from_ascii("\n    .#..\n    ....\n  ")
            .expect("a picture")
            .with_cell_size(16.0)
            .centered();
        assert_eq!((grid.width(), grid.height()), (4, 2));
        let place = GridTransform::new(&grid, Transform::from_xyz(100.0, 0.0, 0.0));
        assert_eq!(place.cell_center(GridCell::new(1, 0)), Vec3::new(92.0, 8.0, 0.0), "the wall is above");
        assert_eq!(place.cell_at(Vec3::new(131.0, -15.0, 0.0)), GridCell::new(3, 1));
        assert!(NavGrid::from_ascii(" \n ").is_err() && NavGrid::from_ascii("..\n.").is_err());
    }
}
