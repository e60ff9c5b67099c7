//! The desired velocity of a hunter in pursuit.

use glam::{DVec3, Vec3};

use super::{Aim, InterceptForecast, PursuitMode, PursuitSettings};
use crate::steer::{
    Body, MotionLimits,
    follow::braking_speed,
    wide::{narrow, narrow_number, unit},
};

/// The result of pursuit in one tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Pursuit {
    /// Where the hunter aims.
    pub aim: Aim,
    /// The hunter's desired velocity. Unit: lengths/s.
    pub desired: Vec3,
}

/// Where a hunter aims, and its desired velocity towards that point.
///
/// The hunter moves at its top speed; in [`PursuitMode::Basic`] without
/// [`normalize_diagonal`](PursuitSettings::normalize_diagonal), faster on diagonals. It slows down only so that it
/// does not pass the prey within the tick, and, if it [arrives](PursuitSettings::arrives), so that it can brake and
/// in the end moves along with the prey. It does not retreat from a prey that approaches. The velocity is zero if a
/// body is not finite, if [`MotionLimits::can_move`] is false, if the hunter waits, or if it is exactly at its aim;
/// but one that arrives and has caught its prey still moves along with it.
#[must_use]
pub fn pursue(settings: &PursuitSettings, hunter: &Body, prey: &Body, limits: &MotionLimits) -> Pursuit {
    let aim = settings.aim(hunter, prey, limits);
    let is_known = hunter.is_finite() && prey.is_finite() && limits.can_move();
    let is_there = aim.point == hunter.position && aim.forecast != InterceptForecast::Caught;
    let desired = match settings.mode {
        _ if !is_known || is_there => DVec3::ZERO,
        PursuitMode::Basic => along_axes(settings, hunter, prey, limits),
        _ => straight(settings, &aim, hunter, prey, limits),
    };
    Pursuit { aim, desired: narrow(desired) }
}

/// Towards the prey at top speed on each axis on its own, but not past it within the tick.
fn along_axes(settings: &PursuitSettings, hunter: &Body, prey: &Body, limits: &MotionLimits) -> DVec3 {
    let (speed, dt) = (f64::from(limits.speed), f64::from(limits.dt));
    let gap = prey.position.as_dvec3() - hunter.position.as_dvec3();
    let top = DVec3::splat(speed);
    let velocity = (gap / dt).clamp(-top, top);
    if settings.normalize_diagonal { velocity.clamp_length_max(speed) } else { velocity }
}

/// Straight at the aim at top speed; the speed at which the hunter closes in on the prey is limited, so that it does
/// not pass the prey or, if it arrives, can brake.
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
    // One that arrives stops where the two bodies touch.
    let (brakes, touch) = match settings.arrives {
        true => (limits.acceleration, f64::from(hunter.radius.max(0.0)) + f64::from(prey.radius.max(0.0))),
        false => (f32::INFINITY, 0.0),
    };
    let closing = f64::from(braking_speed(narrow_number(gap.length() - touch), brakes, limits.dt, 0.0));
    let prey_speed = prey.velocity.as_dvec3().dot(ahead);
    let max_speed = (prey_speed + closing).max(0.0);
    let excess = velocity.dot(ahead) - max_speed;
    if excess < 0.0 {
        velocity
    } else if settings.arrives {
        (prey.velocity.as_dvec3() + ahead * (max_speed - prey_speed)).clamp_length_max(speed)
    } else {
        velocity - ahead * excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::pursue::UncatchablePolicy;

    const LIMITS: MotionLimits = MotionLimits::new(5.0, 0.1);

    fn desired(settings: &PursuitSettings, gap: Vec3, velocity: Vec3) -> Vec3 {
        pursue(settings, &Body::default(), &Body::new(gap, velocity), &LIMITS).desired
    }

    #[test]
    fn basic_pursuit_limits_each_axis_on_its_own() {
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
        assert!(near.distance(Vec3::X * 2.0) < 1e-5, "reaches the prey within the tick: {near}");
        assert_eq!(desired(&settings, Vec3::X * 0.2, Vec3::X * -9.0), Vec3::ZERO, "it waits for the prey");
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::X), Vec3::ZERO, "no direction to move in");
    }

    #[test]
    fn a_hunter_that_arrives_goes_along_with_the_prey() {
        let settings = PursuitSettings { arrives: true, ..PursuitSettings::default() };
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::Y * 3.0), Vec3::Y * 3.0);
        assert_eq!(desired(&settings, Vec3::ZERO, Vec3::Y * 30.0), Vec3::Y * 5.0, "at most at its top speed");
    }

    #[test]
    fn a_hunter_that_arrives_stops_where_the_bodies_touch() {
        let settings = PursuitSettings { arrives: true, ..PursuitSettings::default() }.with_catch_radius(0.0);
        let limits = LIMITS.with_acceleration(10.0);
        let body = |x: f32| Body::new(Vec3::X * x, Vec3::ZERO).with_radius(0.5);
        let speed = |gap: f32| pursue(&settings, &body(0.0), &body(gap), &limits).desired.x;
        assert_eq!(speed(1.0), 0.0, "they touch");
        assert!(speed(1.2) > 0.5 && speed(1.2) < 2.0, "it brakes before: {}", speed(1.2));
        assert_eq!(speed(4.0), 5.0, "from farther away it runs");
    }

    #[test]
    fn a_waiting_hunter_stands() {
        for policy in [UncatchablePolicy::Hold, UncatchablePolicy::GiveUp] {
            let settings = PursuitSettings::default().with_uncatchable(policy);
            assert_eq!(desired(&settings, Vec3::X * 9.0, Vec3::X * 6.0), Vec3::ZERO, "{policy:?}");
        }
    }
}
