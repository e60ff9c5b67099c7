//! Evasion of a hunter.

use glam::Vec3;

use super::point::{away, gap};
use crate::steer::wide::narrow;
use crate::steer::{Body, MotionLimits};

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

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: MotionLimits = MotionLimits::new(5.0, 0.1);

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
