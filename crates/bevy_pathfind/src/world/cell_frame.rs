//! How the cells of one grid lie among the cells of another. Which grids are joined is decided in
//! [`seams`](super::seams).

use bevy::math::{Affine3A, Mat3A, Vec3A};
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell};

use super::GridTransform;

/// Corners of cells that are no farther apart than this, in cells, count as one point.
const TOLERANCE: f32 = 0.05;

/// The greatest distance between the origins of two grids that are compared, in cells: far more than any grid
/// reaches, and little enough that sums of cells do not overflow.
const MAX_DISTANCE: f32 = 1e6;

/// A map of the cells of one grid to those of another: quarter turns, possibly mirrored, and a shift by whole cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellFrame {
    /// The directions of columns and rows of the one grid on the other.
    column: IVec2,
    row: IVec2,
    /// Where cell (0, 0) lies.
    first: IVec2,
}

/// Why the cells of two grids do not lie on one lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// The cells are not of one size.
    Size,
    /// The grids are turned or tilted by other than quarter turns.
    Angle,
    /// The borders of the cells are not aligned, the grids lie at different heights, or they are too far apart.
    Offset,
}

impl CellFrame {
    /// Maps every cell to itself.
    pub(crate) const IDENTITY: Self = Self { column: IVec2::X, row: IVec2::Y, first: IVec2::ZERO };

    /// How the cells of a grid of `size` cells lie among those of `base`.
    ///
    /// # Errors
    /// Why the cells of both do not lie on one lattice.
    pub(super) fn between(base: &GridTransform, grid: &GridTransform, size: UVec2) -> Result<Self, Misfit> {
        // A grid of scale 0, or with a transform that is not finite, has no place.
        if !(base.is_usable() && grid.is_usable()) {
            return Err(Misfit::Size);
        }
        let to_base = base.to_grid * grid.to_world;
        let [column, row] = [to_base.matrix3.x_axis, to_base.matrix3.y_axis];
        // A comparison with NaN is false, so NaN is a misfit too.
        if ![column, row].iter().all(|axis| (axis.length() - 1.0).abs() < TOLERANCE) {
            return Err(Misfit::Size);
        }
        let [column, row] = [column, row].map(|axis| axis.truncate().round().as_ivec2());
        let corner = to_base.translation.truncate().round();
        if corner.abs().max_element() > MAX_DISTANCE {
            return Err(Misfit::Offset);
        }
        let is_unit = |axis: IVec2| axis.length_squared() == 1;
        let is_same_side_up = to_base.matrix3.z_axis.z > 0.0;
        if !(is_unit(column) && is_unit(row) && column.dot(row) == 0 && is_same_side_up) {
            return Err(Misfit::Angle);
        }
        let size = size.as_vec2();
        // How far a point lies from where quarter turns alone would bring it.
        let deviation = |point: Vec2| {
            let actual = to_base.transform_vector3a(Vec3A::from(point.extend(0.0)));
            let on_lattice = column.as_vec2() * point.x + row.as_vec2() * point.y;
            (actual - Vec3A::from(on_lattice.extend(0.0))).abs().max_element()
        };
        let corners = [Vec2::new(size.x, 0.0), Vec2::new(0.0, size.y), size];
        if !corners.into_iter().all(|corner| deviation(corner) < TOLERANCE) {
            return Err(Misfit::Angle);
        }
        let offset = (to_base.translation - Vec3A::from(corner.extend(0.0))).abs().max_element();
        let is_aligned = offset < TOLERANCE;
        if !is_aligned {
            return Err(Misfit::Offset);
        }
        // From the corner of the first cell to its centre it is half a cell along both axes.
        Ok(Self { column, row, first: corner.as_ivec2() + (column + row - 1) / 2 })
    }

    /// Where a cell lies on the other grid.
    pub(crate) fn cell(&self, cell: GridCell) -> GridCell {
        let at = self.first + self.column * cell.x + self.row * cell.y;
        GridCell::new(at.x, at.y)
    }

    /// The cell that lies on a cell of the other grid: the inverse of [`cell`](Self::cell).
    pub(crate) fn cell_on(&self, other: GridCell) -> GridCell {
        let away = IVec2::new(other.x, other.y) - self.first;
        GridCell::new(away.dot(self.column), away.dot(self.row))
    }

    /// Where a rectangle of cells lies on the other grid.
    pub(crate) fn rect(&self, rect: CellRect) -> CellRect {
        let (a, b) = (self.cell(rect.min), self.cell(rect.max));
        CellRect::new(GridCell::new(a.x.min(b.x), a.y.min(b.y)), GridCell::new(a.x.max(b.x), a.y.max(b.y)))
    }

    /// The same map to a grid whose cell (0, 0) is the cell `origin` of the other grid.
    pub(crate) fn relative_to(self, origin: IVec2) -> Self {
        Self { first: self.first - origin, ..self }
    }

    /// The map from the other grid's space back to the space of this grid.
    pub(super) fn inverse(&self) -> Affine3A {
        let axis = |axis: IVec2| Vec3A::from(axis.as_vec2().extend(0.0));
        let corner = self.first - (self.column + self.row - 1) / 2;
        let turn = Mat3A::from_cols(axis(self.column), axis(self.row), Vec3A::Z);
        Affine3A { matrix3: turn, translation: axis(corner) }.inverse()
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::{FRAC_PI_2, PI};

    use pathfind_core::Grid;

    use super::super::{GridPlane, NavGrid};
    use super::*;

    fn place(plane: GridPlane, cell_size: f32, at: Transform) -> GridTransform {
        let nav = NavGrid::new(Grid::new(6, 4).unwrap()).with_plane(plane).with_cell_size(cell_size);
        GridTransform::new(&nav, at)
    }

    #[test]
    fn cells_are_mapped_as_their_centres_are() {
        let base = place(GridPlane::Xy, 2.0, Transform::from_xyz(10.0, -4.0, 1.0));
        let turned =
            |angle: f32| Transform::from_xyz(16.0, 8.0, 1.0).with_rotation(Quat::from_rotation_z(angle));
        for plane in [GridPlane::Xy, GridPlane::XyDown] {
            for angle in [0.0, FRAC_PI_2, PI, -FRAC_PI_2] {
                let grid = place(plane, 2.0, turned(angle));
                let frame = CellFrame::between(&base, &grid, UVec2::new(6, 4)).unwrap();
                for cell in CellRect::new(GridCell::new(0, 0), GridCell::new(5, 3)).cells() {
                    let there = base.cell_at(grid.cell_center(cell));
                    assert_eq!((frame.cell(cell), frame.cell_on(there)), (there, cell), "{plane:?} {angle}");
                }
                let point = Vec3::new(1.25, 3.5, 0.7);
                let there = base.to_grid * grid.to_world;
                let back = frame.inverse().transform_point3(there.transform_point3(point));
                assert!(back.distance(point) < 1e-4, "{plane:?} {angle}: {back}");
            }
        }
    }

    #[test]
    fn each_misfit_is_reported_by_its_cause() {
        let base = place(GridPlane::Xy, 1.0, Transform::IDENTITY);
        let fit = |plane, cell_size, at| {
            CellFrame::between(&base, &place(plane, cell_size, at), UVec2::new(6, 4)).err()
        };
        let at = Transform::from_xyz(6.0, 0.0, 0.0);
        assert_eq!(fit(GridPlane::Xy, 1.0, at), None);
        assert_eq!(fit(GridPlane::Xy, 0.5, at), Some(Misfit::Size));
        assert_eq!(fit(GridPlane::Xy, 1.0, at.with_scale(Vec3::ZERO)), Some(Misfit::Size));
        assert_eq!(fit(GridPlane::Xy, 1.0, at.with_scale(Vec3::NAN)), Some(Misfit::Size));
        assert_eq!(fit(GridPlane::Xy, 1.0, Transform::from_xyz(6.3, 0.0, 0.0)), Some(Misfit::Offset));
        assert_eq!(
            fit(GridPlane::Xy, 1.0, at.with_rotation(Quat::from_rotation_z(0.2))),
            Some(Misfit::Angle)
        );
        assert_eq!(
            fit(GridPlane::Xy, 1.0, at.with_rotation(Quat::from_rotation_y(0.2))),
            Some(Misfit::Angle)
        );
        assert_eq!(
            fit(GridPlane::Xy, 1.0, Transform::from_xyz(6.0, 0.0, 3.0)),
            Some(Misfit::Offset),
            "above"
        );
        assert_eq!(fit(GridPlane::Xz, 1.0, at), Some(Misfit::Angle), "a wall");
        for far in [3e9, -3e9, f32::MAX] {
            assert_eq!(
                fit(GridPlane::Xy, 1.0, Transform::from_xyz(far, 0.0, 0.0)),
                Some(Misfit::Offset),
                "far away"
            );
        }
    }
}
