//! Movement to a point, or to a distance from it, with a stop there.

use core::ops::RangeInclusive;

use glam::{DVec3, Vec3};

use super::point::{away, gap};
use crate::steer::follow::braking_speed;
use crate::steer::wide::{narrow, narrow_number, unit};
use crate::steer::{Body, MotionLimits};

/// Straight to a point, no faster than the brakes can still stop there: a body that starts from rest, or slowly
/// enough, never passes it.
///
/// Reynolds slows down in proportion to the distance within a radius; here the braking distance decides.
#[must_use]
pub fn arrive(body: &Body, point: Vec3, limits: &MotionLimits) -> Vec3 {
    gap(body, point, limits).map_or(Vec3::ZERO, |gap| narrow(brought(gap, gap.length(), limits)))
}

/// To the nearest distance from a point that lies in `band`, with a stop there; zero within the band. A body
/// exactly on the point leaves it along its velocity. If `band` is empty or NaN, the velocity is zero.
#[must_use]
pub fn keep_distance(body: &Body, point: Vec3, band: RangeInclusive<f32>, limits: &MotionLimits) -> Vec3 {
    let Some(gap) = gap(body, point, limits) else { return Vec3::ZERO };
    let distance = gap.length();
    let (nearest, farthest) = (f64::from(*band.start()), f64::from(*band.end()));
    let wish = if nearest <= farthest && distance > farthest {
        brought(gap, distance - farthest.max(0.0), limits)
    } else if nearest <= farthest && distance < nearest {
        brought(away(gap, body), nearest - distance, limits)
    } else {
        DVec3::ZERO
    };
    narrow(wish)
}

/// Along a direction, as fast as still lets a body stop within a distance.
fn brought(direction: DVec3, distance: f64, limits: &MotionLimits) -> DVec3 {
    let allowed = braking_speed(narrow_number(distance), limits.acceleration, limits.dt, 0.0);
    unit(direction) * f64::from(allowed.min(limits.speed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: MotionLimits = MotionLimits::new(5.0, 0.05).with_acceleration(8.0);

    #[test]
    fn distance_is_kept_from_both_sides() {
        for start in [Vec3::X * 9.0, Vec3::X * 0.5] {
            let mut body = Body::new(start, Vec3::ZERO);
            for _ in 0..200 {
                let wish = keep_distance(&body, Vec3::ZERO, 2.0..=4.0, &PACE);
                body.velocity = body.velocity.move_towards(wish, 8.0 * PACE.dt);
                body.position += body.velocity * PACE.dt;
            }
            let kept = body.position.length();
            assert!((1.999..=4.001).contains(&kept), "from {start} it comes to {kept}");
            assert!(body.velocity.length() < 1e-2, "and stays");
        }
        let content = keep_distance(&Body::new(Vec3::X * 3.0, Vec3::Y), Vec3::ZERO, 2.0..=4.0, &PACE);
        assert_eq!(content, Vec3::ZERO, "in the band there is nothing to do");
    }

    #[test]
    fn bands_that_are_none_keep_nobody() {
        let body = Body::new(Vec3::X * 3.0, Vec3::ZERO);
        for band in [4.0..=2.0, f32::NAN..=2.0, 4.0..=f32::NAN] {
            assert_eq!(keep_distance(&body, Vec3::ZERO, band.clone(), &PACE), Vec3::ZERO, "{band:?}");
        }
        let open = keep_distance(&body, Vec3::ZERO, 8.0..=f32::INFINITY, &PACE);
        assert!(open.x > 4.9, "one without an end is one: {open}");
    }
}
