//! The ground that a body sweeps, as rectangles that cover it.

use glam::DVec2;

use super::path::Travel;
use crate::sight::TurnedRectangle;

/// By how much the rectangles along an arc are wider than the body, at most, to each side, in cells.
const WIDER: f64 = 0.04;
/// The greatest length of a piece of an arc, and of a straight line.
const LONGEST: [f64; 2] = [0.3, 3.0];

/// Rectangles that cover all that a body sweeps, `half` its half length and width: along a straight line exactly,
/// along an arc with [some room](WIDER) to the sides. On an arc they end a little beyond its ends.
///
/// A point (a, b) of the body, driven on by u along an arc of curvature k, moves at most |u| (1 + k |b|) along the body
/// and k |u| (|a| + |u| / 2) across.
pub(super) fn swept(
    half: DVec2,
    from: DVec2,
    along: DVec2,
    travel: Travel,
) -> impl Iterator<Item = TurnedRectangle> {
    let Travel { curvature, distance } = travel;
    let bend = curvature.abs();
    let longest = if bend == 0.0 { LONGEST[1] } else { (2.0 * WIDER / (bend * half.x)).min(LONGEST[0]) };
    let pieces = libm::ceil(distance.abs() / longest).max(1.0);
    let reach = distance.abs() / pieces / 2.0;
    let half = half + reach * DVec2::new(1.0 + bend * half.y, bend * (half.x + reach / 2.0));
    (0..pieces as u32).map(move |piece| {
        let middle = Travel { curvature, distance: distance * (f64::from(piece) + 0.5) / pieces };
        let (moved, along) = middle.from(along);
        TurnedRectangle { center: from + moved, along, half }
    })
}
