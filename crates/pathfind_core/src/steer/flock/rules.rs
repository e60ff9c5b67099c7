//! Settings made ready for ticks of one length.

use std::f32::consts::TAU;

use glam::Vec3;

use super::limits::{Turn, limit, limit_all};
use super::{FlockModel, FlockSettings};
use crate::simd::{LANES, SimdF32, Vectors};
use crate::steer::Body;

/// What [`FlockSettings`] come to in ticks of one length: all numbers legal, all that can be computed once
/// computed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FlockRules {
    pub(super) model: FlockModel,
    pub(super) dt: f32,
    pub(super) min_speed: f32,
    pub(super) max_speed: f32,
    pub(super) turn: Turn,
    pub(super) max_acceleration: f32,
    /// Part of the random push that a tick leaves; for the tutorial's law the chance that it stays.
    pub(super) memory: f32,
    pub(super) noise_force: f32,
    /// Pull towards the leader for each unit of distance.
    pub(super) pull: f32,
    pub(super) scratch: f32,
    /// For each unit of difference in velocity to the leader; for the tutorial's law of velocity.
    pub(super) drag: f32,
    pub(super) cohesion_force: f32,
    pub(super) separation_force: f32,
    pub(super) alignment_force: f32,
    pub(super) avoidance: Zone,
    pub(super) follow: Zone,
    pub(super) cohesion: Zone,
}

/// Who counts for a rule.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Zone {
    pub(super) radius: f32,
    pub(super) squared: f32,
    /// One over the radius; infinity where that is 0.
    pub(super) inverse: f32,
    /// Cosine of half the angle seen; below -1 for all round.
    pub(super) cosine: f32,
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
    /// The settings made ready for ticks of `dt` seconds.
    #[must_use]
    pub fn rules(&self, dt: f32) -> FlockRules {
        let dt = legal(dt);
        let pull = if legal(self.leader_range) > 0.0 {
            legal(legal(self.leader_force) / self.leader_range)
        } else {
            0.0
        };
        let is_tutorial = self.model == FlockModel::Tutorial;
        let damping = legal(self.damping);
        FlockRules {
            model: self.model,
            dt,
            min_speed: legal(self.min_speed),
            max_speed: cap(self.max_speed).max(legal(self.min_speed)),
            turn: Turn::new(legal(self.turn_speed) * dt),
            max_acceleration: cap(self.max_acceleration),
            memory: libm::expf(-legal(self.noise_frequency) * dt),
            noise_force: legal(self.noise_force),
            pull,
            scratch: legal(self.leader_distance),
            drag: if is_tutorial { damping } else { legal(2.0 * damping * pull.sqrt()) },
            cohesion_force: legal(self.cohesion_force),
            separation_force: legal(self.separation_force),
            alignment_force: legal(self.alignment_force),
            avoidance: Zone::new(self.separation_radius, self.separation_angle),
            follow: Zone::new(self.alignment_radius, self.alignment_angle),
            cohesion: Zone::new(self.cohesion_radius, self.cohesion_angle),
        }
    }
}

impl FlockRules {
    /// How far away a mate can be and still count: what to build [`Neighbors`](crate::neighbors::Neighbors)
    /// for.
    #[must_use]
    pub fn reach(&self) -> f32 {
        match self.model {
            FlockModel::Robust => self.follow.radius.max(self.avoidance.radius),
            FlockModel::Tutorial => self.follow.radius,
            FlockModel::Reynolds => self.follow.radius.max(self.avoidance.radius).max(self.cohesion.radius),
        }
    }

    /// Moves a body on by a tick, within the limits of turn and speed. In a plane, `normal` is square to it.
    #[inline]
    pub fn advance(&self, body: &mut Body, acceleration: Vec3, normal: Option<Vec3>) {
        body.velocity = self.velocity(body.velocity, acceleration, normal);
        body.position += body.velocity * self.dt;
    }

    /// The velocity that an acceleration leads to in a tick, within the limits of turn and speed.
    #[must_use]
    #[inline]
    pub fn velocity(&self, velocity: Vec3, acceleration: Vec3, normal: Option<Vec3>) -> Vec3 {
        let velocity = self.lively(velocity);
        let wished = velocity + acceleration * self.dt;
        limit(velocity, wished, self.min_speed, self.max_speed, self.turn, normal)
    }

    /// [`velocity`](Self::velocity) of many members at once, in the lanes that bits name.
    #[inline(always)]
    pub(super) fn velocities<L: SimdF32>(
        &self,
        now: Vectors<L>,
        acceleration: Vectors<L>,
        lanes: u32,
        normal: Option<Vec3>,
    ) -> Vectors<L> {
        if self.model == FlockModel::Tutorial {
            return Vectors::of(&self.one_by_one(lanes, &now.to_vecs(), &acceleration.to_vecs(), normal));
        }
        let wished = now.add(acceleration.scale(L::splat(self.dt)));
        let (velocity, is_left) = limit_all(now, wished, (self.min_speed, self.max_speed), self.turn);
        if is_left.bits() & lanes == 0 {
            return velocity;
        }
        // Who is to turn to no side in particular.
        let left = self.one_by_one(is_left.bits() & lanes, &now.to_vecs(), &acceleration.to_vecs(), normal);
        Vectors::of(&left).or_else(is_left, velocity)
    }

    #[cold]
    fn one_by_one(
        &self,
        lanes: u32,
        now: &[Vec3; LANES],
        accelerations: &[Vec3; LANES],
        normal: Option<Vec3>,
    ) -> [Vec3; LANES] {
        let mut velocities = [Vec3::ZERO; LANES];
        for (lane, velocity) in velocities.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 != 0) {
            *velocity = self.velocity(now[lane], accelerations[lane], normal);
        }
        velocities
    }

    /// A wished velocity, brought within the limits of turn and speed of a member that moves at `velocity`.
    #[must_use]
    #[inline]
    pub fn limited(&self, velocity: Vec3, wished: Vec3, normal: Option<Vec3>) -> Vec3 {
        limit(self.lively(velocity), wished, self.min_speed, self.max_speed, self.turn, normal)
    }

    /// The tutorial speeds slow members up before all else.
    #[inline(always)]
    pub(super) fn lively(&self, velocity: Vec3) -> Vec3 {
        if self.model != FlockModel::Tutorial {
            return velocity;
        }
        let speed = velocity.length();
        if 0.0 < speed && speed < self.min_speed { velocity * (self.min_speed / speed) } else { velocity }
    }
}

/// A number from 0 up; others are 0.
fn legal(value: f32) -> f32 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

/// As [`legal`], infinity included.
fn cap(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}
