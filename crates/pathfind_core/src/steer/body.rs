//! A moving body, as the rules of steering see it.

use glam::Vec3;

/// A body under way: a sphere (a disc, where everything lies in a plane) with a velocity.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

    /// Whether every number of it is one.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite() && self.radius.is_finite()
    }
}
