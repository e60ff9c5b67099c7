//! Circles as line strips: cheap enough for thousands.

use core::f32::consts::TAU;

use bevy::prelude::*;

/// The corners of a closed polygon on the unit circle, computed once for all circles that are drawn.
pub(super) struct Ring(Vec<Vec2>);

impl Ring {
    /// A polygon of this many sides.
    pub(super) fn new(sides: u32) -> Self {
        let turn = TAU / sides as f32;
        Self((0..=sides).map(|side| Vec2::from_angle(turn * side as f32)).collect())
    }

    /// The circle round a point, in the plane whose normal is `up`.
    pub(super) fn around(&self, at: Vec3, up: Vec3, radius: f32) -> impl Iterator<Item = Vec3> {
        let turn = Quat::from_rotation_arc(Vec3::Z, up);
        let (x, y) = (turn * Vec3::X * radius, turn * Vec3::Y * radius);
        self.0.iter().map(move |corner| at + x * corner.x + y * corner.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lies_in_its_plane_as_far_away_as_its_radius_and_is_closed() {
        let (at, up) = (Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        let line: Vec<_> = Ring::new(6).around(at, up, 2.0).collect();
        assert_eq!(line.len(), 7, "six sides have seven ends");
        for &point in &line {
            assert!((point.distance(at) - 2.0).abs() < 1e-5, "{point} is on the circle");
            assert!((point - at).dot(up).abs() < 1e-5, "{point} is in the plane");
        }
        assert!(line[0].distance(line[6]) < 1e-5, "it ends where it begins");
    }
}
