//! The velocity of a hunter.

use glam::{DVec3, Vec3};

use super::{Aim, PursuitMode, PursuitSettings};
use crate::steer::follow::braking_speed;
use crate::steer::wide::{narrow, unit};
use crate::steer::{Body, Pace};

/// What a hunter does in this tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Pursuit {
    /// Where it aims.
    pub aim: Aim,
    /// The velocity that it wishes for, in units per second.
    pub desired: Vec3,
}

/// Where a hunter aims and which velocity takes it there, from what it can do and how the two move.
///
/// No faster than the top speed (but for [basic](PursuitMode::Basic) diagonals), and slower only as far as it
/// would else run past the prey within the tick, or past what its brakes can do if it
/// [arrives](PursuitSettings::arrives). It does not run from a prey that comes near. Stands if anything is
/// not finite, or if it is exactly where it wants to be.
#[must_use]
pub fn pursue(settings: &PursuitSettings, hunter: &Body, prey: &Body, pace: &Pace) -> Pursuit {
    let aim = settings.aim(hunter, prey, pace);
    let is_known = hunter.is_finite() && prey.is_finite() && pace.can_move();
    let desired = match settings.mode {
        _ if !is_known || aim.point == hunter.position => DVec3::ZERO,
        PursuitMode::Basic => along_axes(settings, hunter, prey, pace),
        _ => straight(settings, &aim, hunter, prey, pace),
    };
    Pursuit { aim, desired: narrow(desired) }
}

/// Each axis for itself, never past the prey.
fn along_axes(settings: &PursuitSettings, hunter: &Body, prey: &Body, pace: &Pace) -> DVec3 {
    let (speed, dt) = (f64::from(pace.speed), f64::from(pace.dt));
    let gap = prey.position.as_dvec3() - hunter.position.as_dvec3();
    let top = DVec3::splat(speed);
    let velocity = (gap / dt).clamp(-top, top);
    if settings.normalize_diagonal { velocity.clamp_length_max(speed) } else { velocity }
}

/// Straight at the aim, and at the prey no faster than it may be met.
fn straight(settings: &PursuitSettings, aim: &Aim, hunter: &Body, prey: &Body, pace: &Pace) -> DVec3 {
    let at = hunter.position.as_dvec3();
    let velocity = unit(aim.point.as_dvec3() - at) * f64::from(pace.speed);
    let gap = prey.position.as_dvec3() - at;
    let ahead = unit(gap);
    let brakes = if settings.arrives { pace.acceleration } else { f32::INFINITY };
    let closing = f64::from(braking_speed(gap.length() as f32, brakes, pace.dt, 0.0));
    let most = (prey.velocity.as_dvec3().dot(ahead) + closing).max(0.0);
    let excess = velocity.dot(ahead) - most;
    if excess > 0.0 { velocity - ahead * excess } else { velocity }
}
