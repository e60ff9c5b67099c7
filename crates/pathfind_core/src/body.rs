//! A moving body, the input of all steering rules.

use glam::Vec3;

/// A moving body: a sphere (a disc, where everything lies in a plane) with a velocity.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// In this order, so that the numbers can be loaded together.
#[repr(C)]
pub struct Body {
    /// Position of its centre.
    pub position: Vec3,
    /// Present velocity, in units of length per second.
    pub velocity: Vec3,
    /// Radius. Range: 0 and up.
    pub radius: f32,
}

impl Body {
    /// A body of no extent.
    #[must_use]
    pub const fn new(position: Vec3, velocity: Vec3) -> Self {
        Self { position, velocity, radius: 0.0 }
    }

    /// The same body with another radius.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// The largest coordinate, velocity component and radius for rules for many bodies: squares stay finite.
    pub(crate) const LARGEST: f32 = 1e18;

    /// Whether every number is finite and at most [`LARGEST`](Self::LARGEST) in size.
    pub(crate) fn is_in_range(&self) -> bool {
        // False for NaN, too.
        self.row().into_iter().all(|number| number.abs() <= Self::LARGEST)
    }

    /// The numbers of the body: position, velocity, radius, and a zero.
    #[inline(always)]
    pub(crate) const fn row(&self) -> [f32; 8] {
        let Self { position, velocity, radius } = *self;
        [position.x, position.y, position.z, velocity.x, velocity.y, velocity.z, radius, 0.0]
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // Zero times a finite number is zero; branchless.
        let zeros = self.position * 0.0 + self.velocity * 0.0;
        zeros.x + zeros.y + zeros.z + self.radius * 0.0 == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_not_finite_is_enough() {
        let body = Body::new(Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)).with_radius(f32::MAX);
        assert!(body.is_finite(), "large numbers are numbers");
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for axis in 0..3 {
                let (mut there, mut moving) = (body, body);
                there.position[axis] = odd;
                moving.velocity[axis] = odd;
                assert!(!there.is_finite() && !moving.is_finite(), "{odd} along axis {axis}");
            }
            assert!(!body.with_radius(odd).is_finite(), "a radius of {odd}");
        }
    }
}
