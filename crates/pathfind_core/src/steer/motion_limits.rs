//! The limits of a body's motion.

/// The limits of a body's motion in a tick: top speed, acceleration, and the tick's length.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionLimits {
    /// Top speed. Unit: lengths/s. Range: 0 and up, finite.
    pub speed: f32,
    /// Greatest change of velocity. Unit: lengths/s². Range: above 0; infinity changes it at once.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub acceleration: f32,
    /// Length of the tick. Unit: seconds. Range: above 0, finite.
    pub dt: f32,
}

impl MotionLimits {
    /// A body that changes its velocity at once.
    #[must_use]
    pub const fn new(speed: f32, dt: f32) -> Self {
        Self { speed, acceleration: f32::INFINITY, dt }
    }

    /// The same, with a limited acceleration.
    #[must_use]
    pub const fn with_acceleration(mut self, acceleration: f32) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Whether a body can move within these limits: all are above 0, speed and dt finite. If not, behaviours
    /// return zero.
    #[must_use]
    pub fn can_move(&self) -> bool {
        self.speed > 0.0
            && self.speed.is_finite()
            && self.acceleration > 0.0
            && self.dt > 0.0
            && self.dt.is_finite()
    }
}
