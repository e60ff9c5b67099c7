//! One obstacle: a ball or a box, at rest or moving, and the tests against it.

use glam::{DMat3, DVec3, Quat, Vec3};

use super::LayerMask;
use crate::rounded::{outward, passes_by, touch};

/// The kind of an obstacle, with its size.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ShapeKind {
    /// A ball; in a plane, a circle.
    Sphere {
        /// Its radius. Unit: lengths. Range: 0 and up, finite.
        radius: f32,
    },
    /// A box; in a plane, a rectangle.
    Cuboid {
        /// Half of its sides. Unit: lengths. Range: 0 and up, finite.
        half: Vec3,
    },
}

/// An obstacle: kind, pose, velocity and layers.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its kind and size.
    pub kind: ShapeKind,
    /// Position of its centre. Unit: lengths. Range: finite.
    pub position: Vec3,
    /// Its rotation.
    pub rotation: Quat,
    /// Velocity. Unit: lengths/s. Range: finite. Default: at rest.
    pub velocity: Vec3,
    /// The layers that it lies on. Default: all.
    pub layers: LayerMask,
    /// A number that identifies it in [`Hit::who`](super::Hit::who). Range: any. Default: `0`.
    pub who: u64,
}

impl Shape {
    /// A ball at rest.
    #[must_use]
    pub const fn sphere(position: Vec3, radius: f32) -> Self {
        Self::new(ShapeKind::Sphere { radius }, position)
    }

    /// A box at rest, along the axes, with half of the lengths of its sides.
    #[must_use]
    pub const fn cuboid(position: Vec3, half: Vec3) -> Self {
        Self::new(ShapeKind::Cuboid { half }, position)
    }

    const fn new(kind: ShapeKind, position: Vec3) -> Self {
        let (rotation, velocity) = (Quat::IDENTITY, Vec3::ZERO);
        Self { kind, position, rotation, velocity, layers: LayerMask::ALL, who: 0 }
    }

    /// The same, with this rotation.
    #[must_use]
    pub const fn with_rotation(mut self, rotation: Quat) -> Self {
        self.rotation = rotation;
        self
    }

    /// The same, with this velocity.
    #[must_use]
    pub const fn with_velocity(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// The same, on these layers.
    #[must_use]
    pub const fn with_layers(mut self, layers: LayerMask) -> Self {
        self.layers = layers;
        self
    }

    /// The same, with this number.
    #[must_use]
    pub const fn with_who(mut self, who: u64) -> Self {
        self.who = who;
        self
    }

    /// Whether all numbers are finite, no size is negative, and the rotation is normalised.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let has_size = match self.kind {
            ShapeKind::Sphere { radius } => radius.is_finite() && radius >= 0.0,
            ShapeKind::Cuboid { half } => half.is_finite() && half.min_element() >= 0.0,
        };
        has_size
            && self.position.is_finite()
            && self.velocity.is_finite()
            && self.rotation.is_finite()
            && self.rotation.is_normalized()
    }

    /// Radius of its bounding sphere.
    #[must_use]
    pub fn bounding_radius(&self) -> f32 {
        match self.kind {
            ShapeKind::Sphere { radius } => radius,
            ShapeKind::Cuboid { half } => half.length(),
        }
    }
}

/// Least half side of a box, in units of length, so that even a sheet of no thickness stops a ray.
const THINNEST: f64 = 1e-6;

/// A shape with precomputed axes, for queries. In a plane it is an infinite column with the cross-section at its
/// centre.
#[derive(Clone, Debug)]
pub(crate) struct PreparedShape {
    /// The shape that it was made of.
    pub(crate) shape: Shape,
    half: DVec3,
    round: f64,
    /// The rotation from the world's axes to its own; `None` if they are the same.
    turn: Option<DMat3>,
    up: Option<DVec3>,
    /// Bounding radius; in a plane, that of the cross-section.
    pub(crate) reach: f32,
    /// For a leaning box in a plane: how much farther away, within the plane, a point can be than its distance
    /// from the box, as a factor from 1 to √3.
    pub(crate) lean: f32,
}

impl PreparedShape {
    pub(crate) fn new(shape: Shape, up: Option<Vec3>) -> Self {
        let up = up.map(Vec3::as_dvec3);
        let (half, round, reach, lean, turn) = match shape.kind {
            ShapeKind::Sphere { radius } => (DVec3::ZERO, f64::from(radius), radius, 1.0, None),
            ShapeKind::Cuboid { half } => {
                // Axis by axis: rotating a whole matrix would leave rounding errors at quarter turns.
                let back = shape.rotation.as_dquat().normalize().inverse();
                let turn = DMat3::from_cols(back * DVec3::X, back * DVec3::Y, back * DVec3::Z);
                let (mut reach, mut lean) = (half.length(), 1.0);
                let mut half = half.as_dvec3().max(DVec3::splat(THINNEST));
                if let Some(up) = up {
                    let upright = (turn * up).abs();
                    let axis = upright.max_position();
                    half[axis] = 0.0;
                    // A leaning column has a larger cross-section in the plane.
                    lean = upright[axis].recip() as f32;
                    reach = half.length() as f32 * lean;
                    half[axis] = f64::INFINITY;
                }
                (half, 0.0, reach, lean, (shape.rotation != Quat::IDENTITY).then_some(turn))
            }
        };
        Self { shape, half, round, turn, up, reach, lean }
    }

    /// The part of its path that a ball has covered at the first contact, and the normal there. The ball moves
    /// from `from` by `along`, relative to the shape's centre.
    pub(crate) fn meets(&self, from: Vec3, along: Vec3, radius: f32) -> Option<(f64, Vec3)> {
        let reach = f64::from(radius) + self.round;
        let hit = touch(self.half, reach, self.to_local(from.into()), self.to_local(along.into()))?;
        Some((hit.at, self.to_world(hit.normal)))
    }

    /// Whether a moving ball certainly stays out of the shape; arguments as in [`meets`](Self::meets).
    pub(crate) fn is_missed(&self, from: Vec3, along: Vec3, radius: f32) -> bool {
        let reach = f64::from(radius) + self.round;
        passes_by(self.half + reach, self.to_local(from.into()), self.to_local(along.into()))
    }

    /// Whether a point, relative to the shape's centre, is certainly farther from the shape than `within`.
    pub(crate) fn is_beyond(&self, point: Vec3, within: f32) -> bool {
        let point = self.to_local(point.into());
        let away = point - point.clamp(-self.half, self.half);
        let reach = f64::from(within) + self.round;
        away.length_squared() > reach * reach
    }

    /// A position relative to the shape's centre.
    pub(crate) fn offset_of(&self, at: Vec3) -> DVec3 {
        let offset = at - self.shape.position;
        if offset.is_finite() { offset.into() } else { at.as_dvec3() - self.shape.position.as_dvec3() }
    }

    /// Distance of a point, relative to the shape's centre, from its surface (negative inside), and the direction
    /// out; `None` if it is farther than `within`.
    pub(crate) fn gap(&self, point: DVec3, within: f32) -> Option<(f32, Vec3)> {
        let point = self.to_local(point);
        let (beyond, most) = (point.abs() - self.half, f64::from(within) + self.round);
        if beyond.cmpgt(DVec3::splat(most)).any() {
            return None;
        }
        let (gap, normal) = outward(self.half, point);
        let gap = (gap - self.round) as f32;
        (gap <= within).then(|| (gap, self.to_world(normal)))
    }

    /// A vector in the shape's own axes, projected on the plane if there is one.
    #[inline(always)]
    fn to_local(&self, vector: DVec3) -> DVec3 {
        let flat = self.up.map_or(vector, |up| vector - up * vector.dot(up));
        self.turn.map_or(flat, |turn| turn * flat)
    }

    /// A normal in the world's axes, in the plane if there is one.
    fn to_world(&self, normal: DVec3) -> Vec3 {
        let normal = self.turn.map_or(normal, |turn| turn.transpose() * normal);
        let Some(up) = self.up else { return normal.as_vec3() };
        let flat = (normal - up * normal.dot(up)).try_normalize();
        flat.unwrap_or_else(|| up.any_orthonormal_vector()).as_vec3()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_box_is_met_at_its_side() {
        let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_4);
        let shape = Shape::cuboid(Vec3::ZERO, Vec3::ONE).with_rotation(quarter);
        let (at, _) = PreparedShape::new(shape, None).meets(Vec3::X * -5.0, Vec3::X * 10.0, 0.5).unwrap();
        let edge = core::f64::consts::SQRT_2;
        assert!((at * 10.0 - (5.0 - edge - 0.5)).abs() < 1e-6, "its edge points at the ball: {at}");
    }

    #[test]
    fn a_sheet_of_no_thickness_stops_a_ray() {
        for turn in [0.0, 0.3, 1.1] {
            let turned = Quat::from_rotation_z(turn);
            let sheet = Shape::cuboid(Vec3::ZERO, Vec3::new(0.0, 3.0, 3.0)).with_rotation(turned);
            for from in [Vec3::X * -2.0, Vec3::new(-1.0, 1.2, 0.4)] {
                let met = PreparedShape::new(sheet, None).meets(from, from * -2.0, 0.0);
                let (at, normal) = met.expect("it goes through the middle");
                assert!((at - 0.5).abs() < 1e-5 && normal.dot(from) > 0.0, "turned by {turn}: {at} {normal}");
                assert!(normal.dot(turned * Vec3::X).abs() > 0.999, "out of the sheet: {normal}");
            }
        }
    }

    #[test]
    fn along_a_side_turned_by_a_quarter_the_way_is_free() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        for angle in [core::f32::consts::FRAC_PI_2, -core::f32::consts::FRAC_PI_2] {
            let wall = Shape::cuboid(Vec3::ZERO, half).with_rotation(Quat::from_rotation_y(angle));
            for along in [Vec3::X, Vec3::NEG_X] {
                let met = PreparedShape::new(wall, Some(Vec3::Y)).meets(Vec3::Z * 1.2, along, 0.5);
                assert_eq!(met, None, "it overlaps a side, and goes along it: {angle} {along}");
            }
        }
    }

    #[test]
    fn in_a_plane_height_does_not_count() {
        for shape in [Shape::sphere(Vec3::ZERO, 1.0), Shape::cuboid(Vec3::ZERO, Vec3::ONE)] {
            let high = Vec3::new(-5.0, 0.0, 40.0);
            let meets = |up| PreparedShape::new(shape, up).meets(high, Vec3::X * 10.0, 0.5);
            assert_eq!(meets(None), None, "it flies over");
            let (at, normal) = meets(Some(Vec3::Z)).unwrap();
            assert!((at - 0.35).abs() < 1e-6 && normal == Vec3::NEG_X, "{at} {normal}");
        }
    }
}
