//! Who is near whom: bodies sorted into the cells of a uniform grid, built once a tick and asked by
//! everyone.
//!
//! Bodies are sorted by cell (a counting sort, linear in their number), x fastest, and their numbers laid
//! out as one array for each coordinate. A neighbourhood is then a few contiguous ranges, one for each row
//! of cells that the sphere touches:
//!
//! ```text
//!   . . . . . . . .
//!   . . ▒ ▒ ▒ ▒ . .      rows are as high as the reach; along a row the cells are
//!   . ▒ ▒ ▒ o ▒ ▒ .      finer, so that a range ends close to where the circle does
//!   . . ▒ ▒ ▒ ▒ . .
//! ```
//!
//! Bodies in one cell keep the order in which they were given, so everything depends on that order and on
//! nothing else. A world in a plane costs a plane's work: the axis of least extent varies slowest, and has
//! one layer of cells where all lies within the reach. Memory is bounded by the number of bodies: in a large
//! and empty world the cells are larger or, where bodies lie in heaps, cells that lie far apart share their
//! place (the grid wraps round), which costs time at worst. A build into a warm [`Neighbors`] allocates nothing.
//!
//! It does not move bodies, nor know what they are to one another.

use std::ops::Range;

use glam::Vec3;

use crate::steer::Body;

// Which axis is which, the cells, and the bodies in their order.
mod axes;
mod cell_grid;
mod columns;
mod extent;

// Questions: of one, and of those who lie side by side.
mod block;
mod neighbor;
mod range_list;

use axes::Axes;
pub(crate) use block::{Block, Slots};
use cell_grid::CellGrid;
pub(crate) use columns::Columns;
use extent::Extent;
pub use neighbor::Neighbor;
pub(crate) use range_list::RangeList;

/// Bodies sorted by where they are.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    axes: Axes,
    cell_grid: CellGrid,
    is_flat: bool,
    /// Where each cell's bodies begin, and where those of the last end.
    starts: Vec<u32>,
    /// The body at each slot, by the index it was given with.
    order: Vec<u32>,
    columns: Columns,
    /// The slot of each body as given, and its cell while they are sorted; [`NOWHERE`] for those left out.
    slots: Vec<u32>,
    /// How many bodies the fullest cell holds.
    fullest: u32,
}

const NOWHERE: u32 = u32::MAX;

/// How many others in each cell are taken for the sake of cells that share their place with none.
const MEAN_OCCUPANCY_TO_HASH: u64 = 4;

/// How many bodies a cell holds that is not crowded.
const UNCROWDED: u32 = 8;

impl Neighbors {
    /// Sorts bodies in; what was in is forgotten.
    ///
    /// `reach` is the radius that most questions will ask for: others get the same answers, more slowly.
    /// Zero, NaN and infinity choose one from how the bodies lie. `groups` holds a number for each body
    /// that batched passes compare; those beyond its end are in group 0. Bodies with a number that is not
    /// finite, or beyond ±10¹⁸, are left out: they have no slot, and are found by no question.
    ///
    /// # Panics
    ///
    /// With more than `u32::MAX - 1` bodies.
    pub fn build(&mut self, reach: f32, bodies: &[Body], groups: &[u32]) {
        self.build_by(reach, bodies, groups, None);
    }

    /// The same, with an id for each body by its index: where a cell [is crowded](Self::is_crowded), bodies in one
    /// cell are in the order of their ids, so that their slots do not depend on the order in which they were given.
    pub(crate) fn build_by(
        &mut self,
        reach: f32,
        bodies: &[Body],
        groups: &[u32],
        id: Option<&dyn Fn(usize) -> u64>,
    ) {
        assert!(bodies.len() < NOWHERE as usize, "a slot is a u32");
        let Extent { low, high, slow, count } = Extent::of(bodies);
        self.axes = Axes::by_extent(high - low);
        let (low, high) = (self.axes.grid(low), self.axes.grid(high));
        self.is_flat = low.z == high.z && self.axes.grid(slow).z == 0.0;
        let is_any_odd = count < bodies.len();
        let cell_grid = CellGrid::new(low, high, reach, count);
        // Where far cells share their place, who lies side by side is not always near each other: in larger
        // cells they are, unless they lie in heaps.
        self.cell_grid =
            if cell_grid.is_shared() { cell_grid.without_sharing(high, count) } else { cell_grid };
        self.count(bodies, is_any_odd);
        if cell_grid.is_shared() && self.is_clustered(count) {
            self.cell_grid = cell_grid;
            self.count(bodies, is_any_odd);
        }
        self.sort(count);
        if let Some(id) = id
            && self.is_crowded()
        {
            self.sort_cells(id);
        }
        self.columns.fill(self.axes, &self.order, bodies, groups);
    }

    /// How many bodies are in: those given, less those left out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no body is in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The index, as given to [`build`](Self::build), of the body at each slot. Slots follow the cells, so
    /// that bodies at neighbouring slots are mostly near each other.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of a body by its index; `None` where it has been left out, or was not given.
    #[must_use]
    #[inline]
    pub fn slot(&self, index: usize) -> Option<usize> {
        self.slots.get(index).filter(|&&slot| slot != NOWHERE).map(|&slot| slot as usize)
    }

    /// The axis along which nothing is apart and nothing moves, where there is one: the normal of a world
    /// in a plane that is square to an axis.
    #[must_use]
    pub fn flat_axis(&self) -> Option<Vec3> {
        self.is_flat.then(|| self.axes.world(Vec3::Z))
    }

    /// The radius that the bodies are sorted for: that asked for or, where they lie far apart, a larger one.
    #[must_use]
    pub fn reach(&self) -> f32 {
        self.cell_grid.side()
    }

    /// Whether any cell holds many bodies: where they are about as wide as the reach, many overlap.
    pub(crate) fn is_crowded(&self) -> bool {
        self.fullest > UNCROWDED
    }

    /// How the world's axes lie in the grid.
    pub(crate) fn axes(&self) -> Axes {
        self.axes
    }

    /// Whether the grid's last axis can be left out of sums.
    pub(crate) fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// The bodies' numbers, slot by slot, in the grid's axes.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Visits ranges of slots that hold every body within `radius` of a place (in the grid's axes), each
    /// slot once, in the order of the slots.
    #[inline(always)]
    pub(crate) fn for_each_range(&self, center: Vec3, radius: f32, mut visit: impl FnMut(Range<usize>)) {
        self.cell_grid.for_each_run(center, center, radius, |cells| self.visit(&cells, &mut visit));
    }

    /// The same for all places in a box about as high as a row.
    #[inline(always)]
    pub(crate) fn for_each_range_around(
        &self,
        low: Vec3,
        high: Vec3,
        radius: f32,
        mut visit: impl FnMut(Range<usize>),
    ) {
        self.cell_grid.for_each_run_around(low, high, radius, |cells| self.visit(&cells, &mut visit));
    }

    /// Visits the slots of cells that hold any body.
    #[inline(always)]
    fn visit(&self, cells: &Range<usize>, visit: &mut impl FnMut(Range<usize>)) {
        let range = self.starts[cells.start] as usize..self.starts[cells.end] as usize;
        if !range.is_empty() {
            visit(range);
        }
    }

    /// Counts how many bodies each cell holds, two places beyond it.
    fn count(&mut self, bodies: &[Body], is_any_odd: bool) {
        self.starts.clear();
        self.starts.resize(self.cell_grid.len() + 2, 0);
        self.slots.clear();
        // Apart from what is written, so that they stay in registers.
        let (cell_grid, axes, starts) = (self.cell_grid, self.axes, &mut self.starts[2..]);
        let mut fullest = 0;
        self.slots.extend(bodies.iter().map(|body| {
            if is_any_odd && !body.is_in_range() {
                return NOWHERE;
            }
            let cell = cell_grid.cell(axes.grid(body.position));
            starts[cell] += 1;
            fullest = fullest.max(starts[cell]);
            cell as u32
        }));
        self.fullest = fullest;
    }

    /// Whether in the mean more than a few others are in a body's cell.
    fn is_clustered(&self, count: usize) -> bool {
        let pairs: u64 = self.starts.iter().map(|&held| u64::from(held).pow(2)).sum();
        pairs > (1 + MEAN_OCCUPANCY_TO_HASH) * count as u64
    }

    /// Turns counts into beginnings and gives each body its slot.
    fn sort(&mut self, count: usize) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Each is written anew.
        self.order.resize(count, 0);
        for (index, own) in self.slots.iter_mut().enumerate() {
            if *own != NOWHERE {
                // One place beyond the cell lies its next free slot; in the end, where the next cell begins.
                let next = &mut self.starts[*own as usize + 1];
                *own = *next;
                self.order[*own as usize] = index as u32;
                *next += 1;
            }
        }
    }

    /// Puts the bodies of each cell in the order of their ids.
    #[cold]
    fn sort_cells(&mut self, id: &dyn Fn(usize) -> u64) {
        let Self { starts, order, slots, .. } = self;
        for cell in starts.windows(2).filter(|cell| cell[1] - cell[0] > 1) {
            let bodies = &mut order[cell[0] as usize..cell[1] as usize];
            bodies.sort_unstable_by_key(|&index| (id(index as usize), index));
            for (slot, &index) in (cell[0]..).zip(&*bodies) {
                slots[index as usize] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests;
