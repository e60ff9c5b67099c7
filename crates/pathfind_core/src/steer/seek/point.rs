//! Towards a point, away from it, and away from a hunter.

use glam::{DVec3, Vec3};

use crate::steer::wide::{narrow, unit};
use crate::steer::{Body, MotionLimits};

/// Straight to a point at top speed, but not past it within the tick.
#[must_use]
pub fn seek(body: &Body, point: Vec3, limits: &MotionLimits) -> Vec3 {
    let Some(gap) = gap(body, point, limits) else { return Vec3::ZERO };
    narrow((gap / f64::from(limits.dt)).clamp_length_max(f64::from(limits.speed)))
}

/// Straight away from a point at top speed; from exactly on it, along the body's velocity.
#[must_use]
pub fn flee(body: &Body, point: Vec3, limits: &MotionLimits) -> Vec3 {
    let Some(gap) = gap(body, point, limits) else { return Vec3::ZERO };
    narrow(away(gap, body) * f64::from(limits.speed))
}

/// Away from where the hunter will be at the earliest time at which the two could meet, as if both moved towards
/// each other; at most `horizon` seconds from now.
///
/// At that time the hunter is never predicted to have passed the body, so the body never runs towards the hunter.
#[must_use]
pub fn evade(body: &Body, hunter: &Body, horizon: f32, limits: &MotionLimits) -> Vec3 {
    let (Some(gap), true) = (gap(body, hunter.position, limits), hunter.is_finite()) else {
        return Vec3::ZERO;
    };
    let velocity = hunter.velocity.as_dvec3();
    let fast = velocity.length();
    // Against an extremely fast hunter the body's own speed would be lost in rounding.
    let soonest = gap.length() / (f64::from(limits.speed).max(fast * 1e-6) + fast);
    let horizon = if horizon > 0.0 { f64::from(horizon) } else { 0.0 };
    narrow(away(gap + velocity * soonest.min(horizon), body) * f64::from(limits.speed))
}

/// The offset from a body to a point; `None` if input is not finite or the body cannot move.
pub(super) fn gap(body: &Body, point: Vec3, limits: &MotionLimits) -> Option<DVec3> {
    let is_known = body.is_finite() && point.is_finite() && limits.can_move();
    is_known.then(|| point.as_dvec3() - body.position.as_dvec3())
}

/// The direction opposite to `gap`; if that is zero, the direction of the body's velocity.
pub(super) fn away(gap: DVec3, body: &Body) -> DVec3 {
    if gap == DVec3::ZERO { unit(body.velocity.as_dvec3()) } else { -unit(gap) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: MotionLimits = MotionLimits::new(5.0, 0.1);

    #[test]
    fn to_a_point_and_not_past_it() {
        let body = Body::new(Vec3::ONE, Vec3::ZERO);
        assert_eq!(seek(&body, Vec3::new(9.0, 1.0, 1.0), &PACE), Vec3::X * 5.0, "at full speed");
        let near = seek(&body, Vec3::new(1.25, 1.0, 1.0), &PACE);
        assert!(near.distance(Vec3::X * 2.5) < 1e-6, "there in a tick: {near}");
        assert_eq!(seek(&body, Vec3::ONE, &PACE), Vec3::ZERO, "there");
        assert_eq!(seek(&body, Vec3::X, &MotionLimits::new(1.0, 0.0)), Vec3::ZERO, "no time");
    }

    #[test]
    fn away_from_a_point_even_from_right_on_it() {
        let body = Body::new(Vec3::ONE, Vec3::Y * 0.1);
        assert_eq!(flee(&body, Vec3::new(9.0, 1.0, 1.0), &PACE), Vec3::X * -5.0);
        assert_eq!(flee(&body, Vec3::ONE, &PACE), Vec3::Y * 5.0, "the way it goes");
        assert_eq!(flee(&Body::default(), Vec3::ZERO, &PACE), Vec3::ZERO, "no way is better than another");
    }

    #[test]
    fn it_runs_aside_of_where_the_hunter_goes() {
        let hunter = Body::new(Vec3::new(-4.0, 1.0, 0.0), Vec3::X * 6.0);
        let evading = evade(&Body::default(), &hunter, 10.0, &PACE);
        assert!(evading.x > 0.0 && evading.y < 0.0, "on, and out of its way: {evading}");
        let straight = evade(&Body::default(), &hunter, 0.0, &PACE);
        assert!(evading.y < straight.y, "more so than without looking ahead: {evading}, {straight}");
        assert!((evading.length() - 5.0).abs() < 1e-5, "at full speed");
    }

    #[test]
    fn however_fast_the_hunter_it_is_not_run_towards() {
        for speed in [0.0, 1.0, 100.0, 1e30] {
            let hunter = Body::new(Vec3::X * -4.0, Vec3::X * speed);
            let evading = evade(&Body::default(), &hunter, 10.0, &PACE);
            assert!(evading.x > 4.999, "straight on from a hunter at {speed}: {evading}");
        }
    }

    #[test]
    fn what_is_not_finite_is_not_evaded() {
        assert_eq!(evade(&Body::default(), &Body::new(Vec3::X, Vec3::NAN), 1.0, &PACE), Vec3::ZERO);
    }
}
