//! The velocity of a hunter.

use glam::{DVec3, Vec3};

use super::{Aim, InterceptForecast, PursuitMode, PursuitSettings};
use crate::steer::follow::braking_speed;
use crate::steer::wide::{narrow, narrow_number, unit};
use crate::steer::{Body, MotionLimits};

/// The result of pursuit in one tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Pursuit {
    /// Where it aims.
    pub aim: Aim,
    /// The desired velocity, in units per second.
    pub desired: Vec3,
}

/// Where a hunter aims, and the velocity that takes it there within its limits.
///
/// The velocity has the top speed (more on [basic](PursuitMode::Basic) diagonals), and is slower only so as not to
/// pass the prey within the tick, or, if the hunter [arrives](PursuitSettings::arrives), so as to be able to
/// brake: in the end it then moves along with the prey. It does not retreat from a prey that comes near. Zero if
/// anything is not finite, or if the hunter is exactly where it wants to be.
#[must_use]
pub fn pursue(settings: &PursuitSettings, hunter: &Body, prey: &Body, limits: &MotionLimits) -> Pursuit {
    let aim = settings.aim(hunter, prey, limits);
    let is_known = hunter.is_finite() && prey.is_finite() && limits.can_move();
    let stands = aim.point == hunter.position && aim.forecast != InterceptForecast::Caught;
    let desired = match settings.mode {
        _ if !is_known || stands => DVec3::ZERO,
        PursuitMode::Basic => along_axes(settings, hunter, prey, limits),
        _ => straight(settings, &aim, hunter, prey, limits),
    };
    Pursuit { aim, desired: narrow(desired) }
}

/// Each axis on its own, never past the prey.
fn along_axes(settings: &PursuitSettings, hunter: &Body, prey: &Body, limits: &MotionLimits) -> DVec3 {
    let (speed, dt) = (f64::from(limits.speed), f64::from(limits.dt));
    let gap = prey.position.as_dvec3() - hunter.position.as_dvec3();
    let top = DVec3::splat(speed);
    let velocity = (gap / dt).clamp(-top, top);
    if settings.normalize_diagonal { velocity.clamp_length_max(speed) } else { velocity }
}

/// Straight at the aim; the speed of approach to the prey is limited.
fn straight(
    settings: &PursuitSettings,
    aim: &Aim,
    hunter: &Body,
    prey: &Body,
    limits: &MotionLimits,
) -> DVec3 {
    let (at, speed) = (hunter.position.as_dvec3(), f64::from(limits.speed));
    let velocity = unit(aim.point.as_dvec3() - at) * speed;
    let gap = prey.position.as_dvec3() - at;
    let ahead = unit(gap);
    let brakes = if settings.arrives { limits.acceleration } else { f32::INFINITY };
    let closing = f64::from(braking_speed(narrow_number(gap.length()), brakes, limits.dt, 0.0));
    let along = prey.velocity.as_dvec3().dot(ahead);
    let most = (along + closing).max(0.0);
    let excess = velocity.dot(ahead) - most;
    if excess < 0.0 {
        velocity
    } else if settings.arrives {
        (prey.velocity.as_dvec3() + ahead * (most - along)).clamp_length_max(speed)
    } else {
        velocity - ahead * excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::pursue::Uncatchable;

    const PACE: MotionLimits = MotionLimits::new(5.0, 0.1);

    fn desired(settings: &PursuitSettings, gap: Vec3, velocity: Vec3) -> Vec3 {
        pursue(settings, &Body::default(), &Body::new(gap, velocity), &PACE).desired
    }

    #[test]
    fn basic_pursuit_takes_each_axis_for_itself() {
        let arcade =
            PursuitSettings { normalize_diagonal: false, ..PursuitSettings::new(PursuitMode::Basic) };
        assert_eq!(desired(&arcade, Vec3::new(9.0, -3.0, 0.0), Vec3::ZERO), Vec3::new(5.0, -5.0, 0.0));
        assert_eq!(desired(&arcade, Vec3::new(9.0, -0.25, 0.0), Vec3::ZERO), Vec3::new(5.0, -2.5, 0.0));
        let fair = PursuitSettings::new(PursuitMode::Basic);
        let diagonal = desired(&fair, Vec3::new(9.0, -3.0, 0.0), Vec3::ZERO);
        assert!((diagonal.length() - 5.0).abs() < 1e-6 && diagonal.x == -diagonal.y, "{diagonal}");
    }

    #[test]
    fn the_other_modes_run_straight_at_their_aim() {
        let of = |mode| desired(&PursuitSettings::new(mode), Vec3::X * 8.0, Vec3::Y * 3.0);
        assert_eq!(of(PursuitMode::LineOfSight), Vec3::X * 5.0, "at the prey");
        let lead = of(PursuitMode::Intercept);
        assert!(lead.y > 2.5 && (lead.length() - 5.0).abs() < 1e-6, "ahead of it: {lead}");
        let guess = of(PursuitMode::ClosingTime);
        assert!(guess.y > 0.0 && (guess.length() - 5.0).abs() < 1e-6, "ahead of it: {guess}");
    }

    #[test]
    fn no_hunter_runs_past_the_prey_or_away_from_it() {
        let settings = PursuitSettings::new(PursuitMode::LineOfSight).with_catch_radius(0.0);
        let near = desired(&settings, Vec3::X * 0.2, Vec3::ZERO);
        assert!(near.distance(Vec3::X * 2.0) < 1e-5, "there in a tick: {near}");
        assert_eq!(desired(&settings, Vec3::X * 0.2, Vec3::X * -9.0), Vec3::ZERO, "it comes by itself");
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::X), Vec3::ZERO, "no way to run");
    }

    #[test]
    fn a_hunter_that_arrives_goes_along_with_the_prey() {
        let settings = PursuitSettings { arrives: true, ..PursuitSettings::default() };
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::Y * 3.0), Vec3::Y * 3.0);
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::Y * 30.0), Vec3::Y * 5.0, "as far as it can");
    }

    #[test]
    fn a_waiting_hunter_stands() {
        for policy in [Uncatchable::Hold, Uncatchable::GiveUp] {
            let settings = PursuitSettings::default().with_uncatchable(policy);
            assert_eq!(desired(&settings, Vec3::X * 9.0, Vec3::X * 6.0), Vec3::ZERO, "{policy:?}");
        }
    }
}
