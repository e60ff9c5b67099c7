//! Roughly where something lies on a grid: enough to say of most edits that they touch no way.

use bevy::prelude::*;

/// How many sectors a grid is wide and high: one bit each of a word.
const SIDE: u32 = 8;
/// How far from its sectors a way may seem to lie for the rounding of sums, in cells.
const MARGIN: f32 = 0.02;

/// Roughly where something lies on a grid: a rectangle that holds it, and which sectors of the grid it is in.
///
/// A way itself lies elsewhere in memory and may be long, so that thousands are asked only for this.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    bounds: Rect,
    sectors: u64,
}

impl Default for Outline {
    /// That of nothing.
    fn default() -> Self {
        Self { bounds: Rect::EMPTY, sectors: 0 }
    }
}

impl Outline {
    /// That of a rectangle of a grid, which is `size` cells wide and high.
    pub(super) fn of_rect(size: Vec2, rect: Rect) -> Self {
        Self { bounds: rect, sectors: covered(size, rect) }
    }

    /// That of a way through such a grid.
    pub(super) fn of_way(size: Vec2, way: &[Vec2]) -> Self {
        let bounds = way.iter().fold(Rect::EMPTY, |bounds, &point| bounds.union_point(point));
        let sectors = way.windows(2).fold(0, |sectors, leg| sectors | crossed(size, leg[0], leg[1]));
        Self { bounds, sectors }
    }

    /// Whether the two may have a point in common.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        self.sectors & other.sectors != 0
            && self.bounds.min.cmple(other.bounds.max).all()
            && other.bounds.min.cmple(self.bounds.max).all()
    }
}

/// The sectors that a leg crosses: those of the rectangles round pieces that are no longer than a sector.
fn crossed(size: Vec2, from: Vec2, to: Vec2) -> u64 {
    let along = to - from;
    let sectors = (along.abs() / size).max_element() * SIDE as f32;
    let pieces = (sectors.ceil() as u32).clamp(1, SIDE);
    let at = |i: u32| from + along * (i as f32 / pieces as f32);
    let piece = |i| Rect::from_corners(at(i), at(i + 1)).inflate(MARGIN);
    (0..pieces).fold(0, |all, i| all | covered(size, piece(i)))
}

/// The sectors that a rectangle lies in; what is outside of the grid belongs to the nearest.
fn covered(size: Vec2, rect: Rect) -> u64 {
    let last = Vec2::splat((SIDE - 1) as f32);
    let sector = |point: Vec2| (point / size * SIDE as f32).clamp(Vec2::ZERO, last).as_uvec2();
    let (low, high) = (sector(rect.min), sector(rect.max));
    let columns = (low.x..=high.x).fold(0_u64, |row, x| row | 1 << x);
    (low.y..=high.y).fold(0, |all, y| all | columns << (y * SIDE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(size: Vec2, way: &[Vec2], point: Vec2) -> bool {
        let cell = Outline::of_rect(size, Rect::from_center_size(point, Vec2::ONE));
        Outline::of_way(size, way).may_meet(&cell)
    }

    #[test]
    fn what_lies_beside_the_bounds_of_a_way_does_not_meet_it() {
        let (size, way) = (Vec2::splat(8.0), [Vec2::splat(0.5), Vec2::splat(4.5)]);
        assert!(!meets(size, &way, Vec2::new(6.5, 2.5)));
        assert!(meets(size, &way, Vec2::splat(4.5)), "its end");
    }

    #[test]
    fn within_the_bounds_only_what_is_near_the_way_meets_it() {
        let size = Vec2::splat(800.0);
        let corner = [Vec2::new(5.0, 5.0), Vec2::new(795.0, 5.0), Vec2::new(795.0, 795.0)];
        assert!(!meets(size, &corner, Vec2::new(100.0, 700.0)), "the way goes round by the other side");
        let diagonal = [Vec2::splat(5.0), Vec2::splat(795.0)];
        assert!(!meets(size, &diagonal, Vec2::new(100.0, 700.0)), "a long leg is looked at in pieces");
    }

    #[test]
    fn nothing_on_the_way_is_missed() {
        let size = Vec2::new(700.0, 90.0);
        // Ends all over the grid, and some outside.
        let end = |i: u32| Vec2::new((i * 389 % 701) as f32, (i * 57 % 92) as f32);
        for i in 0..500 {
            let way = [end(i), end(i + 1)];
            for step in 0..=100 {
                let point = way[0].lerp(way[1], step as f32 / 100.0);
                assert!(meets(size, &way, point), "{point} lies on the way {way:?}");
            }
        }
    }

    #[test]
    fn no_way_meets_nothing() {
        assert!(!meets(Vec2::splat(8.0), &[], Vec2::ONE));
    }
}
