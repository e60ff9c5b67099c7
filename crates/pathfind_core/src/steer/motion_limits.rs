//! How fast a body may go.

/// What a body can do, and for how long it does it: its top speed, its brakes, and the tick.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionLimits {
    /// Top speed, in units per second. Range: 0 and up.
    pub speed: f32,
    /// Greatest change of velocity, in units per second². Range: above 0; infinity changes it at once.
    pub acceleration: f32,
    /// Length of the tick, in seconds. Range: above 0.
    pub dt: f32,
}

impl MotionLimits {
    /// A body that changes its velocity at once.
    #[must_use]
    pub const fn new(speed: f32, dt: f32) -> Self {
        Self { speed, acceleration: f32::INFINITY, dt }
    }

    /// The same pace with brakes that take their time.
    #[must_use]
    pub const fn with_acceleration(mut self, acceleration: f32) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Whether a body can move at this pace; nothing is wished for at another.
    #[must_use]
    pub fn can_move(&self) -> bool {
        self.speed > 0.0
            && self.speed.is_finite()
            && self.acceleration > 0.0
            && self.dt > 0.0
            && self.dt.is_finite()
    }
}
