//! Towards a point and away from it.

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
}
