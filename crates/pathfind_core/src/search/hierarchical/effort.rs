//! An estimate of how many cells the exact search will expand.

use super::tile::{SIDE, window};
use crate::grid::{Bitmap, GridCell};

/// How many cells jump point search may be expected to expand for each cell of the path, so that it takes no longer
/// than sweeps of a corridor: for a straight path, and for one that [winds](WINDING), where the corridor becomes
/// wide. Measured on 4096² cells of city blocks, rooms, caves, lakes and a maze: up to these figures the two take
/// about the same time on average (jump point search half as long to twice as long), and twice as long where twice as
/// many are expected.
const WORTH: [f64; 2] = [5.0, 12.0];
/// A path that costs more than this times its lower bound is winding.
const WINDING: f64 = 1.01;

/// How many cells jump point search may expand along some places, so that it takes about as long as the search of a
/// corridor; `None` if it is expected to expand more. `least` is a lower bound of the path's cost in cells, `cost`
/// about the cost itself. Where no corner is seen nothing is known, and the answer is `None`.
pub(super) fn exact_budget(rows: &Bitmap, places: &[GridCell], least: f64, cost: f64) -> Option<u64> {
    // The cells that lie on paths of this cost fill an ellipse, and jump points lie at the corners of walls.
    let ellipse = std::f64::consts::FRAC_PI_4 * cost * (cost * cost - least * least).max(0.0).sqrt();
    let expanded = ellipse * corners(rows, places) / f64::from(SIDE * SIDE);
    let budget = WORTH[usize::from(cost > WINDING * least)] * cost;
    (expanded > 0.0 && expanded < budget).then_some(budget as u64)
}

/// The mean number of corners of walls in the square of 32×32 cells round a place.
fn corners(rows: &Bitmap, places: &[GridCell]) -> f64 {
    /// The most places to look at.
    const LOOKS: usize = 16;
    let (mut corners, mut looks) = (0, 0);
    for place in places.iter().step_by(places.len().div_ceil(LOOKS)) {
        let [x, y] = [place.x, place.y].map(|at| (at - SIDE / 2).max(0));
        let lines = (y..=y + SIDE).map(|line| window(rows, line, x));
        for (above, below) in lines.clone().zip(lines.skip(1)) {
            // Of four cells in a square the number of free ones is odd where a wall has a corner.
            let both = above ^ below;
            corners += ((both ^ both >> 1) & u64::from(u32::MAX)).count_ones();
        }
        looks += 1;
    }
    f64::from(corners) / f64::from(looks)
}
