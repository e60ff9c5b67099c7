//! The plane of movement.

use glam::{Vec2, Vec3};

/// The plane in which bodies move, on flat terrain or in a 2D game: spanned by two unit axes that are square to
/// one another.
///
/// ```text
///   Xy: right +X, ahead +Y, up +Z        Xz: right +X, ahead -Z, up +Y
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "SavedAxes"))]
pub struct MovementPlane {
    right: Vec3,
    ahead: Vec3,
}

/// The axes of a saved plane, not yet checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SavedAxes {
    right: Vec3,
    ahead: Vec3,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedAxes> for MovementPlane {
    type Error = &'static str;

    fn try_from(SavedAxes { right, ahead }: SavedAxes) -> Result<Self, Self::Error> {
        // Not made anew: what was saved comes back bit by bit.
        let is_sound = right.is_normalized() && ahead.is_normalized() && right.dot(ahead).abs() < 1e-4;
        is_sound
            .then_some(Self { right, ahead })
            .ok_or("the axes of a plane have length 1 and are square to one another")
    }
}

impl Default for MovementPlane {
    /// [`MovementPlane::XY`].
    fn default() -> Self {
        Self::XY
    }
}

impl MovementPlane {
    /// The plane of 2D games.
    pub const XY: Self = Self { right: Vec3::X, ahead: Vec3::Y };
    /// Flat ground in 3D.
    pub const XZ: Self = Self { right: Vec3::X, ahead: Vec3::NEG_Z };

    /// The plane that two directions span: `right` keeps its direction, `ahead` is made square to it. `None` if
    /// the two are parallel, zero or not finite.
    #[must_use]
    pub fn new(right: Vec3, ahead: Vec3) -> Option<Self> {
        let right = right.try_normalize()?;
        let ahead = ahead.try_normalize()?.reject_from_normalized(right);
        (ahead.length_squared() > 1e-8).then_some(Self { right, ahead: ahead.try_normalize()? })
    }

    /// The plane square to `up`. `None` if `up` has no direction.
    #[must_use]
    pub fn from_up(up: Vec3) -> Option<Self> {
        let (right, ahead) = up.try_normalize()?.any_orthonormal_pair();
        Some(Self { right, ahead })
    }

    /// The plane's normal: seen from its tip, `ahead` is a left turn from `right`.
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.right.cross(self.ahead)
    }

    /// The part of a vector along the plane.
    #[inline]
    #[must_use]
    pub fn flat(&self, vector: Vec3) -> Vec3 {
        let up = self.up();
        vector - up * vector.dot(up)
    }

    /// The coordinates of a point or a vector along both axes.
    #[inline]
    #[must_use]
    pub fn project(&self, vector: Vec3) -> Vec2 {
        Vec2::new(self.right.dot(vector), self.ahead.dot(vector))
    }

    /// The vector in the world, from coordinates along both axes.
    #[inline]
    #[must_use]
    pub fn lift(&self, vector: Vec2) -> Vec3 {
        self.right * vector.x + self.ahead * vector.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_square_to_one_another_and_to_up() {
        let planes = [
            MovementPlane::XY,
            MovementPlane::XZ,
            MovementPlane::new(Vec3::new(1.0, 2.0, 3.0), Vec3::Y).unwrap(),
            MovementPlane::from_up(Vec3::new(-1.0, 0.5, 2.0)).unwrap(),
            MovementPlane::from_up(Vec3::NEG_Z).unwrap(),
        ];
        for plane in planes {
            let there = Vec2::new(0.25, -3.0);
            let back = plane.project(plane.lift(there));
            assert!((back - there).length() < 1e-5, "{plane:?}: to the world and back is nowhere: {back}");
            assert!(plane.project(plane.up()).length() < 1e-6, "{plane:?}: up leaves the plane");
        }
        assert_eq!((MovementPlane::XY.up(), MovementPlane::XZ.up()), (Vec3::Z, Vec3::Y));
        let up = Vec3::new(-1.0, 0.5, 2.0).normalize();
        assert!((MovementPlane::from_up(up).unwrap().up() - up).length() < 1e-6, "up is the side asked for");
    }

    #[test]
    fn directions_that_span_no_plane_give_none() {
        for (right, ahead) in [(Vec3::X, Vec3::X), (Vec3::X, Vec3::ZERO), (Vec3::NAN, Vec3::Y)] {
            assert_eq!(MovementPlane::new(right, ahead), None, "{right} and {ahead} span no plane");
        }
        for up in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(MovementPlane::from_up(up), None, "{up} is no direction");
        }
    }
}
