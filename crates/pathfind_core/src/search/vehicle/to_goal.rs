//! The connection with the goal: an arc, then a straight line. It is the shortest way to a point without walls, with
//! any heading at the end, for a car that drives in one gear to a point outside of its turning circles.

use core::f64::consts::TAU;

use glam::DVec2;

use super::path::Travel;

/// The drives to a point, relative to the vehicle: turning to either side, forwards (1) or backwards (-1).
pub(super) fn ways_to(
    point: DVec2,
    along: DVec2,
    radius: f64,
    gears: &'static [f64],
) -> impl Iterator<Item = [Travel; 2]> {
    let sides = gears.iter().flat_map(|&gear| [(gear, 1.0), (gear, -1.0)]);
    sides.filter_map(move |(gear, side)| {
        // Mirrored, so that the vehicle turns left and drives forwards; then seen from the middle of the circle.
        let seen = DVec2::new(gear * point.dot(along), side * along.perp_dot(point) - radius);
        let straight = seen.length_squared() - radius * radius;
        if straight < 0.0 {
            return None;
        }
        let straight = straight.sqrt();
        let angle = libm::atan2(seen.y, seen.x) + libm::atan2(radius, straight);
        let turn = Travel { curvature: side / radius, distance: gear * radius * turned(angle) };
        Some([turn, Travel { curvature: 0.0, distance: gear * straight }])
    })
}

/// An angle to the left as one from 0 to a full circle.
pub(super) fn turned(angle: f64) -> f64 {
    let angle = angle - TAU * libm::floor(angle / TAU);
    // Nearly a full circle is the rounding of none.
    if angle > TAU - 1e-9 { 0.0 } else { angle }
}
