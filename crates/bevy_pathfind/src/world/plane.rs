//! How a grid lies in its entity's frame.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The plane that a grid's columns and rows span, in the frame of its entity.
///
/// ```text
///   Xy: columns +X, rows +Y, up +Z        Xz: columns +X, rows +Z, up +Y
///   XyDown: columns +X, rows -Y, up +Z
/// ```
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GridPlane {
    /// Columns run along +X, rows along +Y: 2D games.
    #[default]
    Xy,
    /// Columns run along +X, rows along -Y: 2D games whose first row is at the top of the screen, as maps are
    /// written.
    XyDown,
    /// Columns run along +X, rows along +Z: 3D games with a horizontal map.
    Xz,
    /// [`GridPlane::Xy`] turned by a rotation: walls, ramps, the inside of a ring.
    Tilted(Quat),
}

impl GridPlane {
    /// The direction of columns.
    #[must_use]
    pub fn column(self) -> Vec3 {
        self.axes().x_axis
    }

    /// The direction of rows.
    #[must_use]
    pub fn row(self) -> Vec3 {
        self.axes().y_axis
    }

    /// The normal of the plane, away from the ground.
    #[must_use]
    pub fn up(self) -> Vec3 {
        self.axes().z_axis
    }

    /// Column direction, row direction and normal as the columns of a matrix.
    pub(crate) fn axes(self) -> Mat3 {
        let [column, row, up] = match self {
            Self::Xy => [Vec3::X, Vec3::Y, Vec3::Z],
            Self::XyDown => [Vec3::X, Vec3::NEG_Y, Vec3::Z],
            Self::Xz => [Vec3::X, Vec3::Z, Vec3::Y],
            Self::Tilted(turn) => [turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z],
        };
        Mat3::from_cols(column, row, up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_every_plane_are_orthogonal() {
        for plane in
            [GridPlane::Xy, GridPlane::XyDown, GridPlane::Xz, GridPlane::Tilted(Quat::from_rotation_x(0.7))]
        {
            assert!(plane.column().dot(plane.row()).abs() < 1e-6, "{plane:?}: columns and rows");
            assert!(plane.column().dot(plane.up()).abs() < 1e-6, "{plane:?}: columns and normal");
            assert!(plane.row().dot(plane.up()).abs() < 1e-6, "{plane:?}: rows and normal");
        }
    }
}
