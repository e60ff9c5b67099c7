//! A moving body, as the rules of steering see it.

use glam::Vec3;

use crate::simd::LANES;

/// A body under way: a sphere (a disc, where everything lies in a plane) with a velocity.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// In this order, so that its numbers are read together.
#[repr(C)]
pub struct Body {
    /// Where its centre is.
    pub position: Vec3,
    /// How it moves now, per second.
    pub velocity: Vec3,
    /// How far it reaches from its centre. Range: 0 and up.
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

    /// The largest coordinate, velocity and radius that rules for many bodies compute with: squares of distances are
    /// numbers up to there.
    pub(crate) const LARGEST: f32 = 1e18;

    /// Whether every number of it is one, and none so large that nothing can be computed with it.
    pub(crate) fn is_in_range(&self) -> bool {
        // Also false of what is no number.
        self.row().into_iter().all(|number| number.abs() <= Self::LARGEST)
    }

    /// Its numbers: place, velocity, radius, and a zero.
    #[inline(always)]
    pub(crate) const fn row(&self) -> [f32; LANES] {
        let Self { position, velocity, radius } = *self;
        [position.x, position.y, position.z, velocity.x, velocity.y, velocity.z, radius, 0.0]
    }

    /// Whether every number of it is one.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // Zero times anything finite is zero, and nothing needs a branch of its own.
        let zeros = self.position * 0.0 + self.velocity * 0.0;
        zeros.x + zeros.y + zeros.z + self.radius * 0.0 == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_odd_number_is_enough() {
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
