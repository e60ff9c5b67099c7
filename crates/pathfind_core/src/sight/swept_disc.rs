//! The cells that a disc may touch while it moves along a segment, row by row.

use glam::DVec2;

use crate::grid::{CellRect, Grid, GridCell, floor};

/// A segment along which a disc moves, on the grid and the cells next to its border.
#[derive(Copy, Clone)]
pub(super) struct SweptDisc {
    /// The centre at the start, in grid space.
    start: DVec2,
    /// The vector from the start to the end.
    along: DVec2,
    reach: f64,
    /// The cells of the grid, and one more on each side.
    within: CellRect,
}

impl SweptDisc {
    pub(super) fn new(grid: &Grid, start: DVec2, along: DVec2, reach: f64) -> Self {
        Self { start, along, reach, within: grid.bounds().grown(1) }
    }

    /// The rows that the disc may touch, in the order in which it reaches them.
    pub(super) fn rows(self) -> impl Iterator<Item = i32> {
        let (from, to) = (self.start.y, self.start.y + self.along.y);
        let first = floor(from.min(to) - self.reach).max(self.within.min.y);
        let last = floor(from.max(to) + self.reach).min(self.within.max.y);
        let goes_up = self.along.y < 0.0;
        (first..=last).map(move |y| if goes_up { first + last - y } else { y })
    }

    /// The cells that the disc may touch in a row while it moves up to the fraction `far` of the segment; of none, the
    /// last column is less than the first.
    pub(super) fn row(self, y: i32, far: f64) -> CellRect {
        let Self { start, along, reach, within } = self;
        let (low, high) = (f64::from(y) - reach, f64::from(y + 1) + reach);
        let (mut enter, mut leave) = (0.0, far);
        if along.y != 0.0 {
            let (a, b) = ((low - start.y) / along.y, (high - start.y) / along.y);
            enter = a.min(b).max(enter);
            leave = a.max(b).min(leave);
        }
        if enter > leave {
            return CellRect { min: GridCell::new(1, y), max: GridCell::new(0, y) };
        }
        let (a, b) = (start.x + along.x * enter, start.x + along.x * leave);
        let first = floor(a.min(b) - reach).max(within.min.x);
        let last = floor(a.max(b) + reach).min(within.max.x);
        CellRect { min: GridCell::new(first, y), max: GridCell::new(last, y) }
    }
}
