//! Coarse outlines of paths and edits, with which most pairs are found not to meet.

use bevy::prelude::*;

/// The number of sectors along each side of a grid.
const SIDE: u32 = 16;
/// By how much a leg is grown before its sectors are found, in cells: a tolerance for rounding.
const MARGIN: f32 = 0.02;

/// A set of sectors: one bit for each; a word holds several rows.
type Sectors = [u64; (SIDE * SIDE / u64::BITS) as usize];

/// A coarse outline on a grid: a bounding rectangle, and the set of the grid's sectors that it touches.
///
/// It is stored beside other data of a path. The waypoints lie elsewhere in memory and may be many, so that testing
/// thousands of paths reads outlines only.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    bounds: Rect,
    sectors: Sectors,
}

impl Default for Outline {
    /// The outline of nothing: it meets no other.
    fn default() -> Self {
        Self { bounds: Rect::EMPTY, sectors: Sectors::default() }
    }
}

impl Outline {
    /// The outline of a rectangle on a grid that is `size` cells wide and high.
    pub(super) fn of_rect(size: Vec2, rect: Rect) -> Self {
        let mut sectors = Sectors::default();
        cover(&mut sectors, size, rect);
        Self { bounds: rect, sectors }
    }

    /// The outline of a path on such a grid.
    pub(super) fn of_points(size: Vec2, points: &[Vec2]) -> Self {
        let bounds = points.iter().fold(Rect::EMPTY, |bounds, &point| bounds.union_point(point));
        let mut sectors = Sectors::default();
        points.windows(2).for_each(|leg| cross(&mut sectors, size, leg[0], leg[1]));
        Self { bounds, sectors }
    }

    /// Whether the two outlines may have a point in common; no false negatives.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        self.sectors.iter().zip(&other.sectors).any(|(own, other)| own & other != 0)
            && self.bounds.min.cmple(other.bounds.max).all()
            && other.bounds.min.cmple(self.bounds.max).all()
    }
}

/// Adds the sectors that a leg crosses. The leg is cut into pieces no longer than a sector, and the bounding
/// rectangle of each piece is added.
fn cross(sectors: &mut Sectors, size: Vec2, from: Vec2, to: Vec2) {
    let along = to - from;
    let length = (along.abs() / size).max_element() * SIDE as f32;
    let pieces = (length.ceil() as u32).clamp(1, SIDE);
    let at = |i: u32| from + along * (i as f32 / pieces as f32);
    (0..pieces).for_each(|i| cover(sectors, size, Rect::from_corners(at(i), at(i + 1)).inflate(MARGIN)));
}

/// Adds the sectors that a rectangle touches; parts outside the grid belong to the nearest sector.
fn cover(sectors: &mut Sectors, size: Vec2, rect: Rect) {
    const ROWS: u32 = u64::BITS / SIDE;
    let last = Vec2::splat((SIDE - 1) as f32);
    let sector = |point: Vec2| (point / size * SIDE as f32).clamp(Vec2::ZERO, last).as_uvec2();
    let (low, high) = (sector(rect.min), sector(rect.max));
    let columns = (low.x..=high.x).fold(0_u64, |row, x| row | 1 << x);
    for y in low.y..=high.y {
        sectors[(y / ROWS) as usize] |= columns << (y % ROWS * SIDE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(size: Vec2, points: &[Vec2], point: Vec2) -> bool {
        let cell = Outline::of_rect(size, Rect::from_center_size(point, Vec2::ONE));
        Outline::of_points(size, points).may_meet(&cell)
    }

    #[test]
    fn what_lies_beside_the_bounds_of_a_way_does_not_meet_it() {
        let (size, points) = (Vec2::splat(8.0), [Vec2::splat(0.5), Vec2::splat(4.5)]);
        assert!(!meets(size, &points, Vec2::new(6.5, 2.5)));
        assert!(meets(size, &points, Vec2::splat(4.5)), "its end");
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
            let points = [end(i), end(i + 1)];
            for step in 0..=100 {
                let point = points[0].lerp(points[1], step as f32 / 100.0);
                assert!(meets(size, &points, point), "{point} lies on the way {points:?}");
            }
        }
    }

    #[test]
    fn no_way_meets_nothing() {
        assert!(!meets(Vec2::splat(8.0), &[], Vec2::ONE));
    }
}
