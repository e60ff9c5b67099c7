//! Coarse outlines of paths and of edits: a fast test by which most edits are found not to touch a path.

use bevy::prelude::*;

/// The number of sections of an outline.
const SECTIONS: usize = 8;
/// The number of steps into which each side of a grid is divided: the resolution of boxes.
const STEPS: f32 = 256.0;
/// By how much legs are grown, in cells: a tolerance for rounding.
const ROUNDING: f32 = 0.02;

/// A coarse outline of a path on a grid: sections of the same number of consecutive legs. Each section lies in a box,
/// and there in two bands, one along each diagonal of the box.
///
/// ```text
/// +-----------+
/// |      /  */|    A section of stars, and the band along the rising diagonal. Where the legs are nearly in line, one
/// |    /*_*/  |    of the bands is much narrower than the box.
/// |  /*  /    |
/// |/*_*/      |
/// +-----------+
/// ```
///
/// To test thousands of paths, only outlines are read: the waypoints of a path are elsewhere in memory and may be many.
/// If an outline meets an edit, only the legs in the sections that meet it are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    /// First column, first row, last column and last row of each box, in steps.
    low: [[u8; SECTIONS]; 2],
    high: [[u8; SECTIONS]; 2],
    /// How far the bands reach to either side of the rising and of the falling diagonal, as a part of the box. The
    /// greatest number stands for a band without limit.
    widths: [[u8; SECTIONS]; 2],
    /// The number of legs in a section.
    legs: u32,
}

impl Default for Outline {
    /// The outline of no path: it meets no area.
    fn default() -> Self {
        let (low, high) = ([[u8::MAX; SECTIONS]; 2], [[0; SECTIONS]; 2]);
        Self { low, high, widths: [[0; SECTIONS]; 2], legs: 1 }
    }
}

impl Outline {
    /// The outline of a path, grown by `margin` cells, on a grid that is `size` cells wide and high. A path of one
    /// point has one leg of length 0.
    pub(crate) fn of_points(size: Vec2, points: &[Vec2], margin: f32) -> Self {
        let mut outline = Self::default();
        let legs = points.len().saturating_sub(1).max(1);
        outline.legs = legs.div_ceil(SECTIONS) as u32;
        let around = |&point: &Vec2| {
            Area::new(size, Rect::from_center_half_size(point, Vec2::splat(margin + ROUNDING)))
        };
        // A section ends with the first point of the next.
        let sections = (0..legs).step_by(outline.legs as usize);
        let points_of = |first: usize| {
            points.get(first..points.len().min(first + outline.legs as usize + 1)).unwrap_or_default()
        };
        for (section, first) in sections.enumerate() {
            for area in points_of(first).iter().map(around) {
                for axis in 0..2 {
                    outline.low[axis][section] = outline.low[axis][section].min(area.low[axis]);
                    outline.high[axis][section] = outline.high[axis][section].max(area.high[axis]);
                }
            }
            let mut widest = [0.0_f32; 2];
            for area in points_of(first).iter().map(around) {
                for (diagonal, widest) in widest.iter_mut().enumerate() {
                    let offset = outline.offset(section, diagonal, &area);
                    *widest = widest.max((offset.center + offset.reach) / offset.whole);
                }
            }
            // Rounded up in any case, a tolerance for the rounding of the numbers compared.
            let width = |widest: f32| ((widest * f32::from(u8::MAX)) as u8).saturating_add(1);
            (outline.widths[0][section], outline.widths[1][section]) = (width(widest[0]), width(widest[1]));
        }
        outline
    }

    fn section_of(&self, leg: usize) -> usize {
        (leg / self.legs as usize).min(SECTIONS - 1)
    }

    /// Whether the path may have a point in common with an area; no false negatives.
    pub(super) fn may_meet(&self, area: &Area) -> bool {
        // Without branches, so that the compiler compares all boxes at once.
        let meets_box = (0..SECTIONS).fold(false, |any, section| any | self.meets_box(area, section));
        meets_box && (0..SECTIONS).any(|section| self.meets(area, section))
    }

    /// Whether a leg of the path may have a point in common with an area; no false negatives.
    pub(super) fn may_leg_meet(&self, area: &Area, leg: usize) -> bool {
        self.meets(area, self.section_of(leg))
    }

    fn meets(&self, area: &Area, section: usize) -> bool {
        let meets_band = |diagonal: usize| {
            let (offset, width) = (self.offset(section, diagonal, area), self.widths[diagonal][section]);
            let part = f32::from(width) * f32::from(u8::MAX).recip();
            width == u8::MAX || offset.center - offset.reach <= part * offset.whole
        };
        self.meets_box(area, section) && meets_band(0) && meets_band(1)
    }

    /// Whether the box of a section meets an area.
    #[inline(always)]
    fn meets_box(&self, area: &Area, section: usize) -> bool {
        (self.low[0][section] <= area.high[0])
            & (self.low[1][section] <= area.high[1])
            & (self.high[0][section] >= area.low[0])
            & (self.high[1][section] >= area.low[1])
    }

    /// The offset of an area from a diagonal of the box of a section.
    fn offset(&self, section: usize, diagonal: usize, area: &Area) -> Offset {
        let corner = |from: &[[u8; SECTIONS]; 2]| Vec2::new(from[0][section].into(), from[1][section].into());
        let (low, high) = (corner(&self.low), corner(&self.high) + 1.0);
        let (size, from_middle) = (high - low, area.center - (low + high) / 2.0);
        let [x, y] = [from_middle.x * size.y, from_middle.y * size.x];
        Offset {
            center: if diagonal == 0 { x - y } else { x + y }.abs(),
            reach: area.half_size.x * size.y + area.half_size.y * size.x,
            whole: size.x * size.y,
        }
    }
}

/// How far an area is from a diagonal of a box, in a measure that needs no division: distances along the axes times the
/// size of the box along the other axis.
struct Offset {
    /// How far the centre of the area is from the diagonal.
    center: f32,
    /// How far the area reaches from its centre towards the diagonal.
    reach: f32,
    /// How far the corners of the box are from the diagonal.
    whole: f32,
}

/// A rectangle of a grid, in the steps of outlines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    center: Vec2,
    half_size: Vec2,
    /// The first and the last column and row that it touches. Those outside the grid count as the nearest in it.
    low: [u8; 2],
    high: [u8; 2],
}

impl Area {
    /// A rectangle on a grid that is `size` cells wide and high.
    pub(super) fn new(size: Vec2, rect: Rect) -> Self {
        let scale = STEPS / size;
        // The conversion to u8 saturates, so points outside count as the nearest inside.
        let steps = |point: Vec2| (point * scale).to_array().map(|step| step as u8);
        Self {
            center: rect.center() * scale,
            half_size: rect.half_size() * scale,
            low: steps(rect.min),
            high: steps(rect.max),
        }
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
    fn beside_a_straight_section_only_its_band_is_met() {
        let size = Vec2::splat(800.0);
        let (rising, falling) =
            ([Vec2::splat(5.0), Vec2::splat(795.0)], [Vec2::new(5.0, 795.0), Vec2::new(795.0, 5.0)]);
        for (diagonal, beside) in [(rising, Vec2::new(405.0, 395.0)), (falling, Vec2::new(405.0, 405.0))] {
            assert!(meets(size, &diagonal, Vec2::splat(400.0)));
            assert!(!meets(size, &diagonal, beside), "within the box, and seven cells from the path");
        }
        let steep = [Vec2::new(5.0, 5.0), Vec2::new(100.0, 795.0)];
        assert!(!meets(size, &steep, Vec2::new(20.0, 600.0)));
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
