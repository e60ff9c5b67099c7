//! Linear programs on the edge of a half-plane, and from edge to edge.

use glam::Vec2;

use crate::steer::reciprocal::half_plane::HalfPlane;

/// The objective of the linear program.
#[derive(Copy, Clone)]
pub(super) enum Objective {
    /// Least distance to this velocity.
    Nearest(Vec2),
    /// Greatest speed in this direction.
    Fastest(Vec2),
}

/// The velocity in all half-planes that is fastest in a direction, no faster than `max_speed`; `None` if no velocity
/// is in all of them.
pub(super) fn fastest(planes: &[HalfPlane], direction: Vec2, max_speed: f32) -> Option<Vec2> {
    let mut velocity = direction * max_speed;
    for (index, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) > 0.0 {
            velocity = best_on_edge(plane, &planes[..index], Objective::Fastest(direction), max_speed)?;
        }
    }
    Some(velocity)
}

/// The best velocity on the edge of the half-plane `edge`, no faster than `max_speed` and in all of the `earlier`
/// half-planes; `None` if there is no such velocity.
#[inline]
pub(super) fn best_on_edge(
    edge: &HalfPlane,
    earlier: &[HalfPlane],
    objective: Objective,
    max_speed: f32,
) -> Option<Vec2> {
    // The velocities on the edge are `middle + along * t`. Allowed are those with `t` from `low` to `high`: at first
    // the chord of the disc of radius `max_speed`, of which `middle` is the midpoint.
    let (middle, along) = (edge.normal * edge.offset, edge.normal.perp());
    let half_chord_squared = max_speed * max_speed - edge.offset * edge.offset;
    if half_chord_squared < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-half_chord_squared.sqrt(), half_chord_squared.sqrt());
    for plane in earlier {
        let (slope, violation) = (plane.normal.dot(along), plane.violation(middle));
        if slope > 1e-6 {
            low = low.max(violation / slope);
        } else if slope < -1e-6 {
            high = high.min(violation / slope);
        } else if violation > 0.0 {
            // The edges are parallel, and all of `edge` is outside.
            return None;
        }
        if low > high {
            return None;
        }
    }
    let t = match objective {
        Objective::Nearest(preferred) => along.dot(preferred).max(low).min(high),
        Objective::Fastest(direction) if along.dot(direction) > 0.0 => high,
        Objective::Fastest(_) => low,
    };
    Some(middle + along * t)
}
