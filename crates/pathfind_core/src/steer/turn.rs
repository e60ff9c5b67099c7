//! Turning a direction by a limited angle.

use glam::{DVec3, Vec3};

use super::wide::{narrow, unit};

/// `direction`, turned towards `wanted` by at most `most` radians, the short way round; of length 1.
///
/// It turns in the plane of the two. If they are opposite, it turns about `axis`, to the left as seen from the tip
/// of the axis, so that directions in the plane across `axis` stay in it; if `axis` is zero, to any side. A zero
/// `direction` becomes `wanted` at once, a zero `wanted` changes nothing, and vectors that are not finite count as
/// zero.
#[must_use]
pub fn turned(direction: Vec3, wanted: Vec3, most: f32, axis: Vec3) -> Vec3 {
    let (now, wanted) = (wide_unit(direction), wide_unit(wanted));
    if now == DVec3::ZERO || wanted == DVec3::ZERO {
        return narrow(now + wanted);
    }
    let most = if most > 0.0 { f64::from(most) } else { 0.0 };
    let angle = libm::atan2(now.cross(wanted).length(), now.dot(wanted));
    if angle <= most {
        return narrow(wanted);
    }
    let across = wanted - now * now.dot(wanted);
    // Even for opposite directions rounding leaves a rest across, of random direction.
    let across = if across.length() > 1e-6 { unit(across) } else { left_of(now, wide_unit(axis)) };
    narrow(unit(now * libm::cos(most) + across * libm::sin(most)))
}

/// The velocity with the speed of `wanted` and the direction of `velocity`, [turned] towards `wanted` by at most
/// `most` radians.
#[must_use]
pub fn turned_velocity(velocity: Vec3, wanted: Vec3, most: f32, axis: Vec3) -> Vec3 {
    if !wanted.is_finite() {
        return Vec3::ZERO;
    }
    let direction = turned(velocity, wanted, most, axis).as_dvec3();
    narrow(direction * wanted.as_dvec3().length())
}

/// A direction square to another, to its left about `axis`, if that is defined; otherwise any.
pub(super) fn left_of(direction: DVec3, axis: DVec3) -> DVec3 {
    let left = axis.cross(direction);
    if left.length() > 1e-6 {
        return unit(left);
    }
    let mut other = DVec3::ZERO;
    other[direction.abs().min_position()] = 1.0;
    unit(other.cross(direction))
}

fn wide_unit(vector: Vec3) -> DVec3 {
    if vector.is_finite() { unit(vector.as_dvec3()) } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_the_short_way_by_no_more_than_it_may() {
        let quarter = core::f32::consts::FRAC_PI_2;
        let half_way = turned(Vec3::X, Vec3::Y, quarter / 2.0, Vec3::Z);
        assert!(half_way.distance(Vec3::new(1.0, 1.0, 0.0).normalize()) < 1e-6, "half way: {half_way}");
        assert_eq!(turned(Vec3::X, Vec3::Y * 7.0, 2.0, Vec3::Z), Vec3::Y, "and there it stops");
        assert_eq!(turned(Vec3::X * 3.0, Vec3::Y, 0.0, Vec3::Z), Vec3::X, "no time, no turn");
        assert_eq!(turned(Vec3::X, Vec3::Y, f32::INFINITY, Vec3::Z), Vec3::Y, "or at once");
    }

    #[test]
    fn turning_right_round_stays_in_the_plane() {
        for (axis, left) in [(Vec3::Z, Vec3::Y), (Vec3::Y, Vec3::NEG_Z)] {
            let turning = turned(Vec3::X, Vec3::NEG_X, core::f32::consts::FRAC_PI_2, axis);
            assert!(turning.distance(left) < 1e-6, "about {axis} by way of {turning}");
        }
        let any = turned(Vec3::X, Vec3::NEG_X, 1.0, Vec3::ZERO);
        assert!((any.length() - 1.0).abs() < 1e-6, "without an axis, some way: {any}");
        assert!((any.x - libm::cosf(1.0)).abs() < 1e-6, "by as much as it may");
    }

    #[test]
    fn what_has_no_direction_is_no_trouble() {
        assert_eq!(turned(Vec3::ZERO, Vec3::Y * 2.0, 0.1, Vec3::Z), Vec3::Y, "a standing body looks at once");
        assert_eq!(turned(Vec3::Y, Vec3::ZERO, 0.1, Vec3::Z), Vec3::Y, "nothing wanted, nothing changed");
        assert_eq!(turned(Vec3::ZERO, Vec3::NAN, 0.1, Vec3::Z), Vec3::ZERO, "nothing at all");
        assert_eq!(turned(Vec3::X, Vec3::Y, f32::NAN, Vec3::Z), Vec3::X, "no number of radians is none");
        assert_eq!(turned_velocity(Vec3::X, Vec3::NAN, 1.0, Vec3::Z), Vec3::ZERO, "no speed either");
    }

    #[test]
    fn a_velocity_keeps_the_wanted_speed() {
        let velocity = turned_velocity(Vec3::X * 5.0, Vec3::Y * 2.0, 0.3, Vec3::Z);
        assert!((velocity.length() - 2.0).abs() < 1e-6 && velocity.x > 1.8, "turned a little: {velocity}");
    }
}
