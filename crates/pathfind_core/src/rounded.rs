//! The first contact of a moving point with a rounded box: the computation behind every sweep.
//!
//! A ball that touches a box is a point within the ball's radius of the box. The squared distance from a box to a
//! point on a straight path is convex, and quadratic between the positions where the point crosses the planes of
//! the box's sides; so the first contact is the root of one of at most seven quadratics. A sphere is a box of size
//! 0; an infinite side leaves its axis out.

use glam::DVec3;

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Part of the displacement covered by then. Range: 0 to 1.
    pub(crate) at: f64,
    /// Normal of the box, towards the point. Length 1.
    pub(crate) normal: DVec3,
}

/// Where a point that moves from `from` by `along` comes within `reach` of a box about the origin, of half size
/// `half`.
///
/// A point already within reach touches at once if it moves closer, else never; to graze is not to touch.
#[inline]
pub(crate) fn touch(half: DVec3, reach: f64, from: DVec3, along: DVec3) -> Option<Touch> {
    // Fast path: most paths miss.
    if passes_by(half + reach, from, along) { None } else { touch_near(half, reach, from, along) }
}

fn touch_near(half: DVec3, reach: f64, from: DVec3, along: DVec3) -> Option<Touch> {
    let (gap, normal) = outward(half, from);
    if gap <= reach {
        return (along.dot(normal) < 0.0).then_some(Touch { at: 0.0, normal });
    }
    let crossings = crossings(half, from, along);
    for (&start, &end) in crossings.iter().zip(&crossings[1..]) {
        if start < end
            && let Some(at) = first_root(half, reach, from, along, start, end)
        {
            return Some(Touch { at, normal: outward(half, from + along * at).1 });
        }
    }
    None
}

/// Whether a moving point certainly stays out of a box about the origin: a plane across an axis, or across both an
/// axis and the path, separates them (the separating axis test, Gottschalk et al. 1996).
#[inline]
pub(super) fn passes_by(half: DVec3, from: DVec3, along: DVec3) -> bool {
    let arm = along * 0.5;
    let (middle, arm, across) = (from + arm, arm.abs(), (from + arm).cross(arm));
    // More than rounding errors.
    let half = half * (1.0 + 1e-9);
    let span = DVec3::new(
        half.y * arm.z + half.z * arm.y + 1e-12 * arm.y * arm.z,
        half.z * arm.x + half.x * arm.z + 1e-12 * arm.z * arm.x,
        half.x * arm.y + half.y * arm.x + 1e-12 * arm.x * arm.y,
    );
    // For an infinite box a term can be NaN; comparisons with NaN are false, so no separation is found.
    middle.abs().cmpgt(half + arm).any() || across.abs().cmpgt(span).any()
}

/// Distance of a point from a box about the origin (negative inside), and the direction out.
pub(crate) fn outward(half: DVec3, point: DVec3) -> (f64, DVec3) {
    let away = point - point.clamp(-half, half);
    let length = away.length();
    if length > 0.0 {
        return (length, away / length);
    }
    let depth = point.abs() - half;
    let axis = depth.max_position();
    let mut normal = DVec3::ZERO;
    normal[axis] = if point[axis] < 0.0 { -1.0 } else { 1.0 };
    (depth[axis], normal)
}

/// The parts of the path, sorted, at which the point crosses the plane of a side, with 0 and 1.
fn crossings(half: DVec3, from: DVec3, along: DVec3) -> [f64; 8] {
    let at = |axis: usize, plane: f64| {
        let at = (plane - from[axis]) / along[axis];
        if at > 0.0 && at < 1.0 { at } else { 1.0 }
    };
    let mut crossings = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    for axis in 0..3 {
        crossings[1 + axis * 2] = at(axis, -half[axis]);
        crossings[2 + axis * 2] = at(axis, half[axis]);
    }
    crossings.sort_unstable_by(f64::total_cmp);
    crossings
}

/// The first part of the path between `start` and `end` from which on the distance is less than `reach`.
fn first_root(half: DVec3, reach: f64, from: DVec3, along: DVec3, start: f64, end: f64) -> Option<f64> {
    let middle = from + along * (0.5 * (start + end));
    let (mut a, mut b, mut c) = (0.0, 0.0, -reach * reach);
    for axis in 0..3 {
        if middle[axis].abs() > half[axis] {
            let beyond = from[axis] - half[axis].copysign(middle[axis]);
            a += along[axis] * along[axis];
            b += along[axis] * beyond;
            c += beyond * beyond;
        }
    }
    if a == 0.0 {
        return (c < 0.0 || reach == 0.0 && c == 0.0).then_some(start);
    }
    let square = b * b - a * c;
    if square <= 0.0 {
        return None;
    }
    let (enter, leave) = ((-b - square.sqrt()) / a, (-b + square.sqrt()) / a);
    (enter < end && leave > start).then_some(enter.max(start))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(range: f64) -> impl Strategy<Value = DVec3> {
        [-range..range, -range..range, -range..range].prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn the_first_touch_is_that_of_small_steps(
            half in vector(2.0), reach in 0.0..1.5, from in vector(5.0), along in vector(10.0),
            flat in any::<bool>(),
        ) {
            let mut half = half.abs();
            if flat {
                half.z = f64::INFINITY;
            }
            prop_assume!(outward(half, from).0 > reach);
            let gap = |at: f64| outward(half, from + along * at).0 - reach;
            let steps = 2000;
            let stepped = (0..=steps).map(|i| f64::from(i) / f64::from(steps)).find(|&at| gap(at) < -1e-9);
            match touch(half, reach, from, along) {
                Some(hit) => {
                    prop_assert!(gap(hit.at).abs() < 1e-9, "it touches where it says: {}", gap(hit.at));
                    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-9);
                    prop_assert!(hit.normal.dot(along) <= 1e-9, "it goes nearer there");
                    prop_assert!(stepped.is_none_or(|at| hit.at <= at + 1e-9), "nothing touches before");
                }
                None => prop_assert_eq!(stepped, None, "no step touches"),
            }
        }
    }

    #[test]
    fn from_inside_one_may_leave_and_not_go_deeper() {
        let half = DVec3::new(1.0, 2.0, f64::INFINITY);
        let from = DVec3::new(0.9, 0.0, 0.0);
        assert_eq!(touch(half, 0.5, from, DVec3::X), None, "the way out is free");
        let deeper = touch(half, 0.5, from, DVec3::NEG_X).unwrap();
        assert_eq!((deeper.at, deeper.normal), (0.0, DVec3::X), "the way in is not");
        assert_eq!(touch(half, 0.5, DVec3::ZERO, DVec3::ZERO), None, "no displacement hits nothing");
    }

    #[test]
    fn a_ray_of_no_width_stops_at_the_side() {
        let hit = touch(DVec3::ONE, 0.0, DVec3::new(-3.0, 0.3, 0.1), DVec3::X * 4.0).unwrap();
        assert_eq!((hit.at, hit.normal), (0.5, DVec3::NEG_X));
    }
}
