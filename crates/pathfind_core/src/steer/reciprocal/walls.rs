//! Walls, as reciprocal avoidance queries them.

use glam::{Vec2, Vec3};

use crate::steer::MovementPlane;

/// The most walls that a body avoids, the nearest. It bounds the time. Measured on random grids: at most 8 cells show a
/// point within 1.6 cells of a body, and 14 within 2.8.
pub(super) const MAX_WALLS: usize = 16;

/// A straight wall of no thickness; a post if both ends are the same.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wall {
    /// One end. Unit: lengths.
    pub from: Vec3,
    /// The other end. Unit: lengths.
    pub to: Vec3,
}

impl Wall {
    /// A wall between two points.
    #[must_use]
    pub const fn new(from: Vec3, to: Vec3) -> Self {
        Self { from, to }
    }

    /// The wall's point nearest to `at`, in the plane.
    pub(super) fn nearest(&self, plane: &MovementPlane, at: Vec2) -> Vec2 {
        let (from, to) = (plane.project(self.from), plane.project(self.to));
        let along = to - from;
        let length_squared = along.length_squared();
        let part = if length_squared > 0.0 { (at - from).dot(along) / length_squared } else { 0.0 };
        from + along * part.clamp(0.0, 1.0)
    }
}

/// A source of the walls near a position. A slice of walls visits all of them: keep it short, or implement the
/// trait on a spatial index.
pub trait Walls: Sync {
    /// Visits at least every wall within `reach` of `center`. For a convex obstacle visit either its point nearest
    /// to `center` or all of its sides; the nearest few walls count.
    fn near(&self, center: Vec3, reach: f32, visit: &mut dyn FnMut(Wall));
}

impl Walls for [Wall] {
    fn near(&self, _: Vec3, _: f32, visit: &mut dyn FnMut(Wall)) {
        self.iter().copied().for_each(visit);
    }
}

impl<const N: usize> Walls for [Wall; N] {
    fn near(&self, center: Vec3, reach: f32, visit: &mut dyn FnMut(Wall)) {
        self.as_slice().near(center, reach, visit);
    }
}

impl Walls for Vec<Wall> {
    fn near(&self, center: Vec3, reach: f32, visit: &mut dyn FnMut(Wall)) {
        self.as_slice().near(center, reach, visit);
    }
}

/// No walls.
impl Walls for () {
    fn near(&self, _: Vec3, _: f32, _: &mut dyn FnMut(Wall)) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_on_the_wall() {
        let wall = Wall::new(Vec3::new(0.0, 7.0, 2.0), Vec3::new(4.0, -7.0, 2.0));
        for (at, nearest) in
            [((1.0, 0.0), (1.0, -2.0)), ((-3.0, -5.0), (0.0, -2.0)), ((9.0, 9.0), (4.0, -2.0))]
        {
            assert_eq!(wall.nearest(&MovementPlane::XZ, at.into()), nearest.into(), "seen from {at:?}");
        }
        let post = Wall::new(Vec3::ONE, Vec3::ONE);
        assert_eq!(post.nearest(&MovementPlane::XY, Vec2::ZERO), Vec2::ONE);
    }
}
