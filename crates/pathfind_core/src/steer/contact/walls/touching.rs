//! The walls and fences that a disc touches, and the displacements that they leave it.
//!
//! Cells and fences are convex: a displacement `d` with `normal · d >= distance - gap` ends at least `distance` away, however
//! long `d` is. What a disc touches are half-planes for its displacement.

use glam::DVec2;

use crate::sight::{Barrier, NearBarrier, Solid};

/// The most walls and fences that constrain a displacement at once. A disc that touches more is stopped by the others when it
/// meets them.
const MAX_WALLS: usize = 16;
/// Tolerance of half-planes for rounding, in cells.
const ROUNDING: f64 = 1e-9;

/// The walls and fences near a disc's centre.
pub(super) struct Touching {
    walls: [NearBarrier; MAX_WALLS],
    count: usize,
}

impl Touching {
    /// The walls and fences within a distance of a point.
    pub(super) fn new(solid: Solid, at: DVec2, within: f64) -> Self {
        let mut touching = Self { walls: [NearBarrier::default(); MAX_WALLS], count: 0 };
        for near in solid.near(at, within).take(MAX_WALLS) {
            touching.walls[touching.count] = near;
            touching.count += 1;
        }
        touching
    }

    /// The walls, row by row, then the fences.
    fn walls(&self) -> &[NearBarrier] {
        &self.walls[..self.count]
    }

    pub(super) fn has(&self, barrier: Barrier) -> bool {
        self.walls().iter().any(|near| near.barrier == barrier)
    }

    /// The displacement nearest to `wish` that ends at least `distance` from every wall; if there is none, the
    /// nearest that goes deeper into no wall.
    pub(super) fn displacement(&self, wish: DVec2, distance: f64) -> DVec2 {
        let apart = self.nearest(wish, |near| distance - near.gap);
        apart.or_else(|| self.nearest(wish, |near| (distance - near.gap).min(0.0))).unwrap_or_default()
    }

    /// The displacement nearest to `wish` that goes at least `least(wall)` along the normal of every wall. The
    /// optimum is `wish` itself, a point on the border of one half-plane, or the corner of two.
    fn nearest(&self, wish: DVec2, least: impl Fn(&NearBarrier) -> f64) -> Option<DVec2> {
        let is_allowed =
            |shift: DVec2| self.walls().iter().all(|near| near.normal.dot(shift) >= least(near) - ROUNDING);
        if is_allowed(wish) {
            return Some(wish);
        }
        let mut best: Option<DVec2> = None;
        let mut consider = |shift: DVec2| {
            let is_nearer =
                best.is_none_or(|best| shift.distance_squared(wish) < best.distance_squared(wish));
            if is_nearer && is_allowed(shift) {
                best = Some(shift);
            }
        };
        for (i, a) in self.walls().iter().enumerate() {
            consider(wish + a.normal * (least(a) - wish.dot(a.normal)));
            for b in &self.walls()[..i] {
                let sine = a.normal.perp_dot(b.normal);
                if sine.abs() > ROUNDING {
                    consider((a.normal * least(b) - b.normal * least(a)).perp() / sine);
                }
            }
        }
        // Borders that are nearly parallel meet far away; such a corner is no solution.
        let longest = wish.length() + self.walls().iter().map(|near| least(near).max(0.0)).sum::<f64>() * 2.0;
        best.filter(|shift| shift.length() <= longest + ROUNDING)
    }
}
