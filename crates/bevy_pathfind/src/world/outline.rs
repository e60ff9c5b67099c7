//! Coarse outlines of paths and of edits: a fast test by which most edits are found not to touch a path.

use bevy::prelude::*;

/// The number of boxes of an outline.
const BOXES: usize = 8;
/// The number of steps into which each side of a grid is divided: the resolution of boxes.
const STEPS: f32 = 256.0;
/// By how much boxes of legs are grown, in cells: a tolerance for rounding.
const ROUNDING: f32 = 0.02;

/// A coarse outline of a path on a grid: a row of boxes, each of which bounds the same number of consecutive legs.
///
/// It is stored in the path itself, whose waypoints are elsewhere in memory and may be many: to test thousands of
/// paths, only outlines are read. If an outline meets an edit, only the legs in the boxes that meet it are read.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    /// First column, first row, last column and last row of each box, in steps.
    low: [[u8; BOXES]; 2],
    high: [[u8; BOXES]; 2],
    /// The number of legs in a box.
    legs: u32,
}

impl Default for Outline {
    /// The outline of no path: it meets no area.
    fn default() -> Self {
        Self { low: [[u8::MAX; BOXES]; 2], high: [[0; BOXES]; 2], legs: 1 }
    }
}

impl Outline {
    /// The outline of a path, grown by `margin` cells, on a grid that is `size` cells wide and high. A path of one
    /// point has one leg of length 0.
    pub(crate) fn of_points(size: Vec2, points: &[Vec2], margin: f32) -> Self {
        let mut outline = Self::default();
        let legs = points.len().saturating_sub(1).max(1);
        outline.legs = legs.div_ceil(BOXES) as u32;
        for leg in 0..legs.min(points.len()) {
            let (from, to) = (points[leg], points[(leg + 1).min(points.len() - 1)]);
            let around = Area::new(size, Rect::from_corners(from, to).inflate(margin + ROUNDING));
            let index = outline.index_of(leg);
            for axis in 0..2 {
                outline.low[axis][index] = outline.low[axis][index].min(around.low[axis]);
                outline.high[axis][index] = outline.high[axis][index].max(around.high[axis]);
            }
        }
        outline
    }

    /// The box of a leg.
    fn index_of(&self, leg: usize) -> usize {
        (leg / self.legs as usize).min(BOXES - 1)
    }

    /// Whether the path may have a point in common with an area; no false negatives.
    pub(super) fn may_meet(&self, area: &Area) -> bool {
        // Without branches, so that the compiler compares all boxes at once.
        (0..BOXES).fold(false, |any, index| any | self.meets(area, index))
    }

    /// Whether a leg of the path may have a point in common with an area; no false negatives.
    pub(super) fn may_leg_meet(&self, area: &Area, leg: usize) -> bool {
        self.meets(area, self.index_of(leg))
    }

    /// Whether a box meets an area.
    #[inline(always)]
    fn meets(&self, area: &Area, index: usize) -> bool {
        (self.low[0][index] <= area.high[0])
            & (self.low[1][index] <= area.high[1])
            & (self.high[0][index] >= area.low[0])
            & (self.high[1][index] >= area.low[1])
    }
}

/// A rectangle of a grid, in the steps of outlines. Points outside the grid count as the nearest in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    low: [u8; 2],
    high: [u8; 2],
}

impl Area {
    /// A rectangle on a grid that is `size` cells wide and high.
    pub(super) fn new(size: Vec2, rect: Rect) -> Self {
        // The conversion to u8 saturates, so points outside count as the nearest inside.
        let steps = |point: Vec2| (point / size * STEPS).to_array().map(|step| step as u8);
        Self { low: steps(rect.min), high: steps(rect.max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(size: Vec2, points: &[Vec2], point: Vec2) -> bool {
        let cell = Area::new(size, Rect::from_center_size(point, Vec2::ONE));
        Outline::of_points(size, points, 0.0).may_meet(&cell)
    }

    #[test]
    fn an_area_outside_the_bounds_of_a_path_does_not_meet_it() {
        let (size, points) = (Vec2::splat(8.0), [Vec2::splat(0.5), Vec2::splat(4.5)]);
        assert!(!meets(size, &points, Vec2::new(6.5, 2.5)));
        assert!(meets(size, &points, Vec2::splat(4.5)), "its end");
    }

    #[test]
    fn within_the_bounds_only_areas_near_the_path_meet_it() {
        let size = Vec2::splat(800.0);
        let corner = [Vec2::new(5.0, 5.0), Vec2::new(795.0, 5.0), Vec2::new(795.0, 795.0)];
        assert!(!meets(size, &corner, Vec2::new(100.0, 700.0)), "the path leads round the other side");
        let stairs: Vec<_> = (0..100).map(|i| Vec2::splat(5.0 + 7.9 * i as f32)).collect();
        assert!(!meets(size, &stairs, Vec2::new(100.0, 700.0)), "a box holds only some of many legs");
    }

    #[test]
    fn legs_near_an_area_are_found() {
        let size = Vec2::splat(800.0);
        let row: Vec<_> = (0..=40).map(|i| Vec2::new(20.0 * i as f32, 400.0)).collect();
        let outline = Outline::of_points(size, &row, 0.0);
        let area = Area::new(size, Rect::from_center_size(Vec2::new(205.0, 400.0), Vec2::ONE));
        let near: Vec<_> = (0..40).filter(|&leg| outline.may_leg_meet(&area, leg)).collect();
        assert_eq!(near, (10..15).collect::<Vec<_>>(), "leg 10, and those in the same box");
    }

    #[test]
    fn every_area_on_the_path_is_found() {
        let size = Vec2::new(700.0, 90.0);
        // Ends all over the grid, and some outside.
        let end = |i: u32| Vec2::new((i * 389 % 701) as f32, (i * 57 % 92) as f32);
        for i in 0..500 {
            let points: Vec<_> = (i..i + 2 + i % 20).map(end).collect();
            let outline = Outline::of_points(size, &points, 0.0);
            for (leg, ends) in points.windows(2).enumerate() {
                for step in 0..=100 {
                    let point = ends[0].lerp(ends[1], step as f32 / 100.0);
                    let area = Area::new(size, Rect::from_center_size(point, Vec2::ONE));
                    assert!(outline.may_meet(&area), "{point} lies on the path {points:?}");
                    assert!(outline.may_leg_meet(&area, leg), "{point} lies on leg {leg} of {points:?}");
                }
            }
        }
    }

    #[test]
    fn an_empty_path_meets_nothing() {
        assert!(!meets(Vec2::splat(8.0), &[], Vec2::ONE));
        assert!(meets(Vec2::splat(8.0), &[Vec2::ONE], Vec2::ONE), "a path that ends where it starts");
    }
}
