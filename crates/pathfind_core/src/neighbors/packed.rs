//! Cells that hold so many bodies that looking at all of them for each of them would take too long.

use std::ops::Range;

use glam::Vec3;

use super::{NOWHERE, Neighbors, RangeList};
use crate::body::Body;

/// The largest number of bodies in a cell that is not packed. A cell is a quarter of the reach long, and as high as the
/// reach: bodies side by side are so many if the reach is 45 times their distance, in space 12 times.
const PACKED: usize = 512;

/// About how many bodies of a packed cell stand for all of them.
const SAMPLE: usize = 128;

/// The reach of a finer index, as a part of that of the coarser one.
const FINER: f32 = 0.25;

/// The bodies of a cell: all of them or, of a packed cell, every few of them.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The slots of the cell.
    pub(crate) cell: Range<usize>,
    step: usize,
}

impl Sample {
    pub(super) fn new(cell: Range<usize>) -> Self {
        let step = if cell.len() > PACKED { cell.len() / SAMPLE } else { 1 };
        Self { cell, step }
    }

    /// The slots of the sample. They depend on the cell only, so that all bodies see the same sample.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> + use<> {
        self.cell.clone().step_by(self.step)
    }

    /// A number of bodies or a sum over bodies of the sample, as of the whole cell.
    pub(crate) fn whole(&self, of_sample: i64) -> i64 {
        if self.step == 1 { of_sample } else { of_sample * self.cell.len() as i64 / self.count() as i64 }
    }

    const fn count(&self) -> usize {
        (self.cell.end - self.cell.start).div_ceil(self.step)
    }

    /// The number of bodies that each of the sample stands for.
    pub(crate) fn weight(&self) -> f32 {
        if self.step == 1 { 1.0 } else { self.cell.len() as f32 / self.count() as f32 }
    }
}

impl Neighbors {
    /// Whether any cell is packed.
    #[inline]
    pub(crate) const fn is_packed(&self) -> bool {
        self.fullest as usize > PACKED
    }

    /// Visits the cells that together hold every body within `radius` of a box (in the grid's axes), and some farther
    /// bodies; each cell once, in the order of the slots.
    pub(crate) fn for_each_cell(&self, low: Vec3, high: Vec3, radius: f32, mut visit: impl FnMut(Sample)) {
        self.cell_grid.for_each_run(low, high, radius, |cells| {
            for cell in self.starts[cells.start..=cells.end].windows(2).filter(|cell| cell[0] < cell[1]) {
                visit(Sample::new(cell[0] as usize..cell[1] as usize));
            }
        });
    }

    /// The cells that together hold every body within `radius` of a box (in the grid's axes), and some farther bodies:
    /// ranges of slots, and a sample of each packed cell.
    pub(crate) fn split_cells(
        &self,
        (low, high): (Vec3, Vec3),
        radius: f32,
        ranges: &mut RangeList,
        packed: &mut Vec<Sample>,
    ) {
        ranges.clear();
        packed.clear();
        self.for_each_cell(low, high, radius, |sample| {
            if sample.step > 1 { packed.push(sample) } else { ranges.push(sample.cell) }
        });
    }

    /// The same bodies in smaller cells, if any cell is packed with bodies at different positions.
    fn finer(&self) -> Option<&Self> {
        if !self.is_packed() {
            return None;
        }
        self.finer.get_or_init(|| self.build_finer().map(Box::new)).as_deref()
    }

    #[cold]
    fn build_finer(&self) -> Option<Self> {
        let at = |slot: u32| self.columns.position(slot as usize);
        let packed = self.starts.windows(2).filter(|cell| (cell[1] - cell[0]) as usize > PACKED);
        let mut cells = packed.map(|cell| cell[0]..cell[1]);
        if cells.all(|mut cell| cell.next().is_none_or(|first| cell.all(|slot| at(slot) == at(first)))) {
            return None;
        }
        let left_out = Body::new(Vec3::NAN, Vec3::ZERO);
        let body = |&slot: &u32| if slot == NOWHERE { left_out } else { self.body(slot as usize) };
        let bodies: Vec<Body> = self.slots.iter().map(body).collect();
        let mut finer = Self::default();
        finer.build(self.reach() * FINER, &bodies, &[]);
        (finer.reach() < self.reach()).then_some(finer)
    }

    /// Calls `is_found` with growing radii up to `radius`, until it returns true: with this index, and with finer ones
    /// for the radii below its reach.
    pub(crate) fn search(&self, radius: f32, is_found: &mut dyn FnMut(&Self, f32) -> bool) -> bool {
        let Some(finer) = self.finer() else { return is_found(self, radius) };
        let near = finer.reach();
        if radius <= near {
            return finer.search(radius, is_found);
        }
        finer.search(near, is_found)
            || 2.0 * near < radius && is_found(finer, 2.0 * near)
            || is_found(self, radius)
    }
}
