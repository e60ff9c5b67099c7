//! Limits of turn and speed in a tick, for flocks, of as many velocities as there are lanes.
//!
//! [`turn`](crate::steer::turn) has the limit of turn for everything else. It computes in `f64`, so that the largest
//! velocities do not overflow, and takes an arc tangent; lanes of `f32` cannot do either.

use glam::Vec3;

use crate::simd::{LANES, SimdF32, Vectors};
use crate::steer::MovementPlane;

/// The largest angle by which a heading may turn in a tick, as cosine and sine.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Turn {
    cosine: f32,
    sine: f32,
}

impl Turn {
    /// From an angle in radians. From half a turn on, any heading is allowed. NaN and negative angles count as 0.
    pub(super) fn new(angle: f32) -> Self {
        if angle >= std::f32::consts::PI {
            Self { cosine: -2.0, sine: 0.0 }
        } else if angle > 0.0 {
            Self { cosine: libm::cosf(angle), sine: libm::sinf(angle) }
        } else {
            Self { cosine: 1.0, sine: 0.0 }
        }
    }
}

/// `wished`, with its heading turned from that of `velocity` by no more than `turn`, and its speed clamped to the two
/// speeds. Zero if `wished` is zero or not finite.
#[inline(always)]
pub(super) fn limit<L: SimdF32>(
    velocity: Vectors<L>,
    wished: Vectors<L>,
    (min_speed, max_speed): (f32, f32),
    turn: Turn,
    plane: Option<MovementPlane>,
) -> Vectors<L> {
    let turned = rotate_towards(velocity, wished, turn, plane);
    // `rotate_towards` keeps the length of `wished`.
    let length = wished.length();
    let is_moving = length.is_more(L::splat(0.0)).and(L::splat(f32::INFINITY).is_more(length));
    let speed = length.min(L::splat(max_speed)).max(L::splat(min_speed));
    turned.scale(speed.div(length)).and(is_moving)
}

/// `to`, turned back until its angle to `from` is no more than `turn`; its length stays. If the two are opposite,
/// the turn is to the left in the plane; without a plane it is to some side square to `from`,
/// always the same. If `from` or `to` is zero, `to` itself.
#[inline(always)]
pub(super) fn rotate_towards<L: SimdF32>(
    from: Vectors<L>,
    to: Vectors<L>,
    turn: Turn,
    plane: Option<MovementPlane>,
) -> Vectors<L> {
    let (zero, one, infinity) = (L::splat(0.0), L::splat(1.0), L::splat(f32::INFINITY));
    let (from_length, length) = (from.length(), to.length());
    let along = from.dot(to);
    let lengths = from_length.mul(length);
    let turns = L::splat(turn.cosine).mul(lengths).is_more(along);
    // False also if either is zero, or if the lengths overflow.
    let turns = turns.and(lengths.is_more(zero)).and(infinity.is_more(lengths));
    // Branchless: computed also for lanes that need no turn, as which do is unpredictable.
    let inverse = one.div(from_length);
    let ahead = from.scale(inverse);
    let across = to.sub(ahead.scale(along.mul(inverse)));
    let across_length = across.length();
    let mut side = across.scale(one.div(across_length));
    let is_opposite = turns.and_not(across_length.is_more(L::splat(1e-6).mul(length)));
    if is_opposite.is_any() {
        let mut left = ahead.to_vecs();
        turn_left(&mut left, is_opposite.bits(), plane);
        side = Vectors::of(&left).or_else(is_opposite, side);
    }
    let turned = ahead.scale(L::splat(turn.cosine)).add(side.scale(L::splat(turn.sine))).scale(length);
    turned.or_else(turns, to)
}

/// Turns the directions of the lanes set in `lanes` to their left in the plane, or to some side in space.
#[cold]
fn turn_left(directions: &mut [Vec3; LANES], lanes: u32, plane: Option<MovementPlane>) {
    for (_, ahead) in directions.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 != 0) {
        let left = plane.map(|plane| plane.up().cross(*ahead)).and_then(Vec3::try_normalize);
        *ahead = left.unwrap_or_else(|| ahead.any_orthonormal_vector());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::OneLane;

    fn turned(from: Vec3, to: Vec3, angle: f32, plane: Option<MovementPlane>) -> Vec3 {
        rotate_towards::<OneLane>(Vectors::splat(from), Vectors::splat(to), Turn::new(angle), plane).first()
    }

    fn limited(velocity: Vec3, wished: Vec3, speeds: (f32, f32), angle: f32) -> Vec3 {
        let (velocity, wished) = (Vectors::<OneLane>::splat(velocity), Vectors::splat(wished));
        limit(velocity, wished, speeds, Turn::new(angle), None).first()
    }

    #[test]
    fn headings_that_have_no_angle_between_them_are_safe() {
        assert_eq!(turned(Vec3::ZERO, Vec3::X, 0.1, None), Vec3::X);
        assert_eq!(turned(Vec3::X, Vec3::ZERO, 0.1, None), Vec3::ZERO);
        let back = turned(Vec3::X, Vec3::NEG_X * 3.0, 0.1, Some(MovementPlane::XY));
        assert!((back.length() - 3.0).abs() < 1e-5, "the length stays: {back}");
        assert!(back.y > 0.0 && back.z == 0.0, "left, and in the plane: {back}");
        assert!(turned(Vec3::X, Vec3::NEG_X, 0.1, None).x > 0.9, "in space too");
        assert_eq!(turned(Vec3::X, Vec3::NEG_X, 9.0, None), Vec3::NEG_X);
        for odd in [f32::NAN, -1.0, 0.0] {
            assert_eq!(turned(Vec3::X, Vec3::Y, odd, None), Vec3::X, "no turn at {odd}");
        }
    }

    #[test]
    fn a_velocity_that_is_zero_or_not_finite_comes_to_rest() {
        for wished in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(limited(Vec3::ZERO, wished, (1.0, 2.0), 1.0), Vec3::ZERO, "for {wished}");
        }
    }
}
