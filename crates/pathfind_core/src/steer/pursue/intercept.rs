//! Closed forms for the time at which a hunter meets its prey.

use glam::{DVec3, Vec3};

use crate::steer::wide::narrow_number;

/// Seconds until a body that moves straight at `speed` can first be within `radius` of another, which is now `gap`
/// away and keeps its `velocity`; `None` if it never can.
///
/// The least t ≥ 0 with |gap + velocity·t| = speed·t + radius, in closed form and without a tolerance:
///
/// ```text
///   a = (|V| − s)(|V| + s)      h = P·V − R·s      c = P² − R²      q = √(h² − a·c)
///
///   c ≤ 0        0               already there
///   h < 0        c / (q − h)     closing; right also where the speeds are equal
///   a < 0        (q + h) / −a    opening, but faster than it
///   else, or no q                never
/// ```
///
/// Computed in `f64`, so that no finite input overflows. A negative speed or radius counts as 0; `None` also if
/// anything is not finite.
#[must_use]
pub fn intercept_time(gap: Vec3, velocity: Vec3, speed: f32, radius: f32) -> Option<f32> {
    let is_finite = gap.is_finite() && velocity.is_finite() && speed.is_finite() && radius.is_finite();
    let (speed, radius) = (f64::from(speed.max(0.0)), f64::from(radius.max(0.0)));
    let time = is_finite.then(|| meeting(gap.as_dvec3(), velocity.as_dvec3(), speed, radius))??;
    Some(narrow_number(time))
}

/// [`intercept_time`] of valid input.
pub(super) fn meeting(gap: DVec3, velocity: DVec3, speed: f64, radius: f64) -> Option<f64> {
    let c = gap.length_squared() - radius * radius;
    if c <= 0.0 {
        return Some(0.0);
    }
    let fast = velocity.length();
    let a = (fast - speed) * (fast + speed);
    let h = gap.dot(velocity) - radius * speed;
    let discriminant = h * h - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let q = discriminant.sqrt();
    if h < 0.0 {
        Some(c / (q - h))
    } else if a < 0.0 {
        Some((q + h) / -a)
    } else {
        None
    }
}

/// For a prey that cannot be caught, the time at which it is nearest: the t ≥ 0 that makes |P + V·t| − s·t
/// smallest, at most `horizon`.
///
/// With the parts of P along and across V it is (s·across/√(V² − s²) − along)/|V|.
pub(super) fn least_miss(gap: DVec3, velocity: DVec3, speed: f64, horizon: f64) -> f64 {
    let fast = velocity.length();
    if fast <= 0.0 {
        return 0.0;
    }
    let heading = velocity / fast;
    let (along, across) = (gap.dot(heading), gap.cross(heading).length());
    let excess = ((fast - speed).max(0.0) * (fast + speed)).sqrt();
    if excess > 0.0 { ((speed * across / excess - along) / fast).clamp(0.0, horizon) } else { horizon }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nowhere_is_not_met() {
        assert_eq!(intercept_time(Vec3::NAN, Vec3::ZERO, 1.0, 0.0), None);
    }
}
