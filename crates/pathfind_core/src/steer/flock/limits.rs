//! Limits of turn and speed in a tick, for flocks: for one velocity, and for as many as there are lanes, with the same
//! result bit by bit.
//!
//! [`turn`](crate::steer::turn) has the limit of turn for everything else. It computes in `f64`, so that the largest
//! velocities do not overflow, and takes an arc tangent; lanes of `f32` cannot do either.

use glam::Vec3;

use crate::simd::{SimdF32, Vectors};
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

/// `wished`, with its heading turned from that of `velocity` by no more than `turn`, and its speed clamped to
/// `min_speed` and `max_speed`. Zero if `wished` is zero or not finite.
#[inline]
pub(super) fn limit(
    velocity: Vec3,
    wished: Vec3,
    min_speed: f32,
    max_speed: f32,
    turn: Turn,
    plane: Option<MovementPlane>,
) -> Vec3 {
    let turned = rotate_towards(velocity, wished, turn, plane);
    // `rotate_towards` keeps the length of `wished`.
    let speed = wished.length();
    if !(speed > 0.0 && speed.is_finite()) {
        return Vec3::ZERO;
    }
    let limited = if speed < min_speed { min_speed } else { speed.min(max_speed) };
    turned * (limited / speed)
}

/// `to`, turned back until its angle to `from` is no more than `turn`; its length stays. If the two are opposite,
/// the turn is to the left in the plane; without a plane it is to some side square to `from`,
/// always the same. If `from` or `to` is zero, `to` itself.
#[inline]
pub(super) fn rotate_towards(from: Vec3, to: Vec3, turn: Turn, plane: Option<MovementPlane>) -> Vec3 {
    let (from_length, length) = (from.length(), to.length());
    let along = from.dot(to);
    let lengths = from_length * length;
    // True also if either is zero, or if the lengths overflow.
    if along >= turn.cosine * lengths || !(lengths > 0.0 && lengths.is_finite()) {
        return to;
    }
    let inverse = 1.0 / from_length;
    let ahead = from * inverse;
    let across = to - ahead * (along * inverse);
    let across_length = across.length();
    let side =
        if across_length > 1e-6 * length { across * (1.0 / across_length) } else { left_of(ahead, plane) };
    (ahead * turn.cosine + side * turn.sine) * length
}

/// [`limit`] of many velocities at once. The mask names the lanes that are left to [`limit`] itself: those with
/// opposite headings, where the side of the turn is undefined.
#[inline(always)]
pub(super) fn limit_all<L: SimdF32>(
    velocity: Vectors<L>,
    wished: Vectors<L>,
    (min_speed, max_speed): (f32, f32),
    turn: Turn,
) -> (Vectors<L>, L) {
    let (zero, one, infinity) = (L::splat(0.0), L::splat(1.0), L::splat(f32::INFINITY));
    let (from_length, length) = (velocity.length(), wished.length());
    let along = velocity.dot(wished);
    let lengths = from_length.mul(length);
    let turns = L::splat(turn.cosine).mul(lengths).is_more(along);
    let turns = turns.and(lengths.is_more(zero)).and(infinity.is_more(lengths));
    // Branchless: computed also for lanes that need no turn, as which do is unpredictable.
    let inverse = one.div(from_length);
    let ahead = velocity.scale(inverse);
    let across = wished.sub(ahead.scale(along.mul(inverse)));
    let across_length = across.length();
    let is_left = turns.and_not(across_length.is_more(L::splat(1e-6).mul(length)));
    let side = across.scale(one.div(across_length));
    let bent = ahead.scale(L::splat(turn.cosine)).add(side.scale(L::splat(turn.sine))).scale(length);
    let turned = bent.or_else(turns, wished);
    let is_moving = length.is_more(zero).and(infinity.is_more(length));
    let speed = length.min(L::splat(max_speed)).max(L::splat(min_speed));
    (turned.scale(speed.div(length)).and(is_moving), is_left)
}

/// A direction to the left of `ahead` in the plane, or to some side in space.
#[cold]
fn left_of(ahead: Vec3, plane: Option<MovementPlane>) -> Vec3 {
    plane
        .map(|plane| plane.up().cross(ahead))
        .and_then(Vec3::try_normalize)
        .unwrap_or_else(|| ahead.any_orthonormal_vector())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::{Batch, LANES, Simd};

    #[test]
    fn headings_that_have_no_angle_between_them_are_safe() {
        let turn = Turn::new(0.1);
        assert_eq!(rotate_towards(Vec3::ZERO, Vec3::X, turn, None), Vec3::X);
        assert_eq!(rotate_towards(Vec3::X, Vec3::ZERO, turn, None), Vec3::ZERO);
        let back = rotate_towards(Vec3::X, Vec3::NEG_X * 3.0, turn, Some(MovementPlane::XY));
        assert!((back.length() - 3.0).abs() < 1e-5, "the length stays: {back}");
        assert!(back.y > 0.0 && back.z == 0.0, "left, and in the plane: {back}");
        assert!(rotate_towards(Vec3::X, Vec3::NEG_X, turn, None).x > 0.9, "in space too");
        assert_eq!(rotate_towards(Vec3::X, Vec3::NEG_X, Turn::new(9.0), None), Vec3::NEG_X);
        for odd in [f32::NAN, -1.0, 0.0] {
            let kept = rotate_towards(Vec3::X, Vec3::Y, Turn::new(odd), None);
            assert_eq!(kept, Vec3::X, "no turn at {odd}");
        }
    }

    #[test]
    fn a_velocity_that_is_zero_or_not_finite_comes_to_rest() {
        let turn = Turn::new(1.0);
        for wished in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(limit(Vec3::ZERO, wished, 1.0, 2.0, turn, None), Vec3::ZERO, "for {wished}");
        }
    }

    /// Test pass: [`limit_all`] of as many velocities as there are lanes.
    struct LimitAll<'a>(&'a [[f32; LANES]; 3], &'a [[f32; LANES]; 3], Turn);

    impl Batch for LimitAll<'_> {
        type Output = (usize, [Vec3; LANES], u32);

        #[inline(always)]
        fn run<L: SimdF32>(self) -> Self::Output {
            let Self(velocity, wished, turn) = self;
            let (velocity, wished) = (Vectors::<L>::load(velocity), Vectors::load(wished));
            let (limited, is_left) = limit_all(velocity, wished, (2.0, 5.0), turn);
            (L::WIDTH, limited.to_vecs(), is_left.bits())
        }
    }

    #[test]
    fn many_are_limited_as_each_would_be() {
        let directions = [Vec3::X, Vec3::NEG_X * 2.0, Vec3::new(-3.0, 0.0, 1e-7), Vec3::Y * 9.0, Vec3::ZERO];
        let odd =
            [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30), Vec3::splat(1e-30), Vec3::new(0.1, -4.0, 7.0)];
        let directions: Vec<Vec3> = directions.into_iter().chain(odd).collect();
        let mut left = 0;
        for (angle, now) in
            [0.0, 0.1, 2.0, 9.0].into_iter().flat_map(|angle| directions.iter().map(move |now| (angle, *now)))
        {
            for wished in directions.chunks(LANES).flat_map(|directions| directions.chunks(4)) {
                let mut lanes = [[[0.0; LANES]; 3]; 2];
                for (lane, wished) in wished.iter().enumerate() {
                    for axis in 0..3 {
                        (lanes[0][axis][lane], lanes[1][axis][lane]) = (now[axis], wished[axis]);
                    }
                }
                for simd in Simd::ALL {
                    let turn = Turn::new(angle);
                    let (width, limited, is_left) = simd.batch(LimitAll(&lanes[0], &lanes[1], turn));
                    for (lane, &wished) in wished.iter().enumerate().take(width) {
                        if is_left >> lane & 1 != 0 {
                            left += 1;
                            continue;
                        }
                        let expected = limit(now, wished, 2.0, 5.0, turn, None);
                        let is_same =
                            limited[lane] == expected || expected.is_nan() && limited[lane].is_nan();
                        assert!(is_same, "{simd:?}: {now} to {wished}: {}, not {expected}", limited[lane]);
                    }
                }
            }
        }
        assert!((1..120).contains(&left), "few are left to be looked at one by one, not {left}");
    }

    proptest! {
        #[test]
        fn limits_hold(
            from in prop::array::uniform3(-20.0..20.0_f32),
            to in prop::array::uniform3(-20.0..20.0_f32),
            angle in 0.0..4.0_f32,
            speeds in (0.0..5.0_f32, 5.0..9.0_f32),
        ) {
            let (from, to) = (Vec3::from_array(from), Vec3::from_array(to));
            let limited = limit(from, to, speeds.0, speeds.1, Turn::new(angle), None);
            let speed = limited.length();
            prop_assert!(speed >= speeds.0 * 0.9999 && speed <= speeds.1 * 1.0001, "a speed of {}", speed);
            prop_assert!(from.angle_between(limited) <= angle + 2e-3, "turned by {}", from.angle_between(limited));
        }
    }
}
