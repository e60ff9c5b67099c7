//! Settings checked and precomputed for ticks of one length, and the move at the end of a tick.

use std::f32::consts::TAU;

use glam::Vec3;

use super::limits::{Turn, limit};
use super::{FlockModel, FlockSettings};
use crate::simd::{OneLane, SimdF32, Vectors};
use crate::steer::{Body, MovementPlane};

/// [`FlockSettings`] for ticks of one length: illegal numbers replaced, constants precomputed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FlockRules {
    pub(super) model: FlockModel,
    pub(super) dt: f32,
    /// The speed to which a slower member is raised before a tick: in the tutorial's model the least speed, else 0.
    pub(in crate::steer) start_speed: f32,
    pub(super) min_speed: f32,
    pub(super) max_speed: f32,
    pub(super) turn: Turn,
    pub(in crate::steer) max_acceleration: f32,
    /// The part of the random push that remains after a tick; in the tutorial's model the probability that it
    /// stays.
    pub(in crate::steer) memory: f32,
    pub(in crate::steer) noise_force: f32,
    /// Pull towards the leader per unit of distance, in 1/s²: ω² of the spring.
    pub(in crate::steer) pull: f32,
    pub(in crate::steer) leader_distance: f32,
    /// Damping in 1/s, of the velocity relative to the leader; in the tutorial's model of the velocity.
    pub(in crate::steer) drag: f32,
    pub(in crate::steer) cohesion_force: f32,
    pub(in crate::steer) separation_force: f32,
    pub(in crate::steer) alignment_force: f32,
    pub(in crate::steer) separation: Zone,
    pub(in crate::steer) alignment: Zone,
    pub(in crate::steer) cohesion: Zone,
}

/// The mates that count for one rule: those within a radius and an angle.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(in crate::steer) struct Zone {
    pub(in crate::steer) radius: f32,
    pub(super) squared: f32,
    /// 1 / `radius`; infinity for a radius of 0.
    pub(super) inverse: f32,
    /// Cosine of half the angle; below -1 if the angle is all round.
    pub(in crate::steer) cosine: f32,
}

impl Zone {
    fn new(radius: f32, view: f32) -> Self {
        let radius = legal(radius);
        let view = if view >= 0.0 { view } else { 0.0 };
        let cosine = if view >= TAU - 1e-6 { -2.0 } else { libm::cosf(0.5 * view) };
        Self { radius, squared: radius * radius, inverse: 1.0 / radius, cosine }
    }

    pub(super) fn sees_all_round(self) -> bool {
        self.cosine < -1.0
    }
}

impl FlockSettings {
    /// These settings, checked and precomputed for ticks of `dt` seconds.
    #[must_use]
    pub fn rules(&self, dt: f32) -> FlockRules {
        let dt = legal(dt);
        let pull = if legal(self.leader_range) > 0.0 {
            legal(legal(self.leader_force) / self.leader_range)
        } else {
            0.0
        };
        let is_tutorial = self.model == FlockModel::Tutorial;
        // Its ratio to the least speed that can be measured, about 10⁻²³, is finite.
        let (damping, min_speed) = (legal(self.damping), legal(self.min_speed).min(1e15));
        FlockRules {
            model: self.model,
            dt,
            start_speed: if is_tutorial { min_speed } else { 0.0 },
            min_speed,
            max_speed: cap(self.max_speed).max(min_speed),
            turn: Turn::new(legal(self.turn_speed) * dt),
            max_acceleration: cap(self.max_acceleration),
            memory: libm::expf(-legal(self.noise_frequency) * dt),
            noise_force: legal(self.noise_force).min(1e15),
            pull,
            leader_distance: legal(self.leader_distance),
            drag: if is_tutorial { damping } else { legal(2.0 * damping * pull.sqrt()) },
            cohesion_force: legal(self.cohesion_force),
            separation_force: legal(self.separation_force),
            alignment_force: legal(self.alignment_force),
            separation: Zone::new(self.separation_radius, self.separation_angle),
            alignment: Zone::new(self.alignment_radius, self.alignment_angle),
            cohesion: Zone::new(self.cohesion_radius, self.cohesion_angle),
        }
    }
}

impl FlockRules {
    /// The largest distance at which a mate counts: the reach to build [`Neighbors`](crate::neighbors::Neighbors)
    /// for.
    #[must_use]
    pub fn reach(&self) -> f32 {
        match self.model {
            FlockModel::Robust => self.alignment.radius.max(self.separation.radius),
            FlockModel::Tutorial => self.alignment.radius,
            FlockModel::Reynolds => {
                self.alignment.radius.max(self.separation.radius).max(self.cohesion.radius)
            }
        }
    }

    /// Moves a body on by a tick, within the limits of turn and speed.
    #[inline]
    pub fn advance(&self, body: &mut Body, acceleration: Vec3, plane: Option<MovementPlane>) {
        body.velocity = self.velocity(body.velocity, acceleration, plane);
        body.position += body.velocity * self.dt;
    }

    /// The velocity after a tick with an acceleration, within the limits of turn and speed.
    #[must_use]
    #[inline]
    pub fn velocity(&self, velocity: Vec3, acceleration: Vec3, plane: Option<MovementPlane>) -> Vec3 {
        let now = Vectors::<OneLane>::splat(self.raised_to_start_speed(velocity));
        self.velocities(now, Vectors::splat(acceleration), plane).first()
    }

    /// [`velocity`](Self::velocity) of many members of the robust model at once.
    #[inline(always)]
    pub(super) fn velocities<L: SimdF32>(
        &self,
        now: Vectors<L>,
        acceleration: Vectors<L>,
        plane: Option<MovementPlane>,
    ) -> Vectors<L> {
        let wished = now.add(acceleration.scale(L::splat(self.dt)));
        limit(now, wished, (self.min_speed, self.max_speed), self.turn, plane)
    }

    /// A desired velocity, brought within the limits of turn and speed of a member that moves at `velocity`.
    #[must_use]
    #[inline]
    pub fn limited(&self, velocity: Vec3, wished: Vec3, plane: Option<MovementPlane>) -> Vec3 {
        let now = Vectors::<OneLane>::splat(self.raised_to_start_speed(velocity));
        limit(now, Vectors::splat(wished), (self.min_speed, self.max_speed), self.turn, plane).first()
    }

    /// The velocity at which the tick starts: that of a slow member is raised to `start_speed`.
    #[inline(always)]
    pub(in crate::steer) fn raised_to_start_speed(&self, velocity: Vec3) -> Vec3 {
        if self.start_speed == 0.0 {
            return velocity;
        }
        let speed = velocity.length();
        if 0.0 < speed && speed < self.start_speed { velocity * (self.start_speed / speed) } else { velocity }
    }
}

/// The value if it is finite and positive, else 0.
fn legal(value: f32) -> f32 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

/// As [`legal`], but infinity stays.
fn cap(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}
