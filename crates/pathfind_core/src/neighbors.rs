//! Neighbour search: an index of bodies by the cells of a uniform grid, built once a tick and used by all queries of
//! the tick. It does not move bodies, and does not know how they are related.
//!
//! Bodies are sorted by cell (a counting sort, linear in their number), x fastest, and stored as one array
//! for each coordinate. The candidates for a query are then a few contiguous ranges of slots, one for each row
//! of cells that the sphere touches:
//!
//! ```text
//!   . . . . . . . .
//!   . . ▒ ▒ ▒ ▒ . .      rows are as high as the reach; along a row the cells are
//!   . ▒ ▒ ▒ o ▒ ▒ .      finer, so that a range ends close to where the circle does
//!   . . ▒ ▒ ▒ ▒ . .
//! ```
//!
//! Bodies in one cell keep the order in which they were given, unless the cell is packed, so results depend on that
//! order only. In a planar world only two axes cost time: the axis of least extent varies slowest, and has one layer of
//! cells if its extent is less than the reach. Memory is bounded by the number of bodies: in a large and sparse world
//! the cells are larger or, if bodies are clustered, the grid wraps round, so that distant cells share an entry;
//! results are the same, but queries test more bodies. If only a few bodies are far away, the grid covers the others,
//! and the cells at its border hold the bodies outside. A build into a [`Neighbors`] that was as large before allocates
//! nothing.
//!
//! A cell of more than 256 bodies is packed: its bodies are in the order of a tree, and a search for the nearest bodies
//! skips the parts of the tree that are too far away. A part with more than 122 bodies in a box at most half as wide as
//! a pass's radius is a dense crowd: passes of flocks and of separation read 61 of its bodies, each of which stands for
//! its share of all. So the time for a crowd on one point grows with its size, not with the square of that.

use std::ops::Range;

use glam::Vec3;

use crate::body::Body;

// The index: its axes, its cells, and the bodies in the order of their slots.
mod axes;
mod cell_grid;
mod columns;
mod extent;
mod packed;
mod radius_levels;

// Queries: for one place, and for several bodies at consecutive slots.
mod block;
mod neighbor;
mod range_list;

use axes::Axes;
pub(crate) use block::{Block, Slots};
use cell_grid::CellGrid;
pub(crate) use columns::Columns;
use extent::{Extent, bounds_of_most};
pub use neighbor::Neighbor;
use packed::TreeNode;
use radius_levels::RadiusLevel;
pub(crate) use range_list::{RangeList, Span};

/// An index of bodies by position, for queries of the bodies near a place.
///
/// Each body of the index has a slot: its place in the order of the cells.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    /// The mapping between the world's axes and the grid's.
    pub(crate) axes: Axes,
    cell_grid: CellGrid,
    /// The cells of bodies by their radius, instead of `cell_grid`; empty in most indices.
    levels: Vec<RadiusLevel>,
    /// The trees of packed cells, one after the other, and the root of each.
    nodes: Vec<TreeNode>,
    roots: Vec<usize>,
    /// Whether positions and velocities differ only along the grid's first two axes, so that sums may omit the third.
    pub(crate) is_flat: bool,
    /// The first slot of each cell; after the last cell, the number of bodies.
    starts: Vec<u32>,
    /// The index, as given, of the body at each slot.
    order: Vec<u32>,
    /// Positions, velocities and groups of the bodies by slot, in the grid's axes.
    pub(crate) columns: Columns,
    /// The slot of each body by its index as given, and its cell during the sort; [`NOWHERE`] for a body left out.
    slots: Vec<u32>,
    /// The number of bodies in the fullest cell.
    fullest: u32,
}

/// The slot of a body that is left out of the index.
const NOWHERE: u32 = u32::MAX;

/// Mean number of other bodies in a body's cell above which wrapping the fine grid round is preferred to coarsening it.
const MEAN_OCCUPANCY_TO_HASH: u64 = 4;

/// The largest number of bodies in a cell that is not crowded. Measured at 2, 8 and 32: contact of 1,000 loose bodies
/// 0.99, 0.78, 0.78 ms, of as many in a cluster 6.6, 5.5, 5.5 ms.
const UNCROWDED: u32 = 8;

impl Neighbors {
    /// Builds the index of some bodies, in place of the bodies it held before.
    ///
    /// `reach` is the radius of most queries; queries with other radii get the same results, more slowly. If it is
    /// not positive and finite, a reach is chosen from the extent and the number of the bodies. `groups` holds a
    /// number for each body, which batched passes compare; bodies beyond its end are in group 0. A body with a field
    /// that is not finite, or beyond ±10¹⁸, is left out: it has no slot, and queries do not find it.
    ///
    /// Slots have 32 bits: bodies after the first `u32::MAX - 1` are left out, too.
    pub fn build(&mut self, reach: f32, bodies: &[Body], groups: &[u32]) {
        self.build_by(reach, bodies, groups, None);
    }

    /// [`build`](Self::build) with an id for each body by its index. If any cell [is crowded](Self::is_crowded), the
    /// bodies in each cell are in the order of their ids, so that slots do not depend on the order of `bodies`.
    pub(crate) fn build_by(
        &mut self,
        reach: f32,
        bodies: &[Body],
        groups: &[u32],
        id: Option<&dyn Fn(usize) -> u64>,
    ) {
        let bodies = &bodies[..bodies.len().min(NOWHERE as usize - 1)];
        let Extent { low, high, speed, count } = Extent::of(bodies);
        self.axes = Axes::by_extent(high - low);
        let (low, high) = (self.axes.grid(low), self.axes.grid(high));
        self.is_flat = low.z == high.z && self.axes.grid(speed).z == 0.0;
        self.choose_cells([low, high], reach, bodies, count);
        if self.cell_grid.is_shared() {
            self.choose_cells_of_most([low, high], reach, bodies, count);
        }
        // The reach of contact is short: queries would visit many more cells than bodies.
        while id.is_some() && self.cell_grid.is_shared() && self.pairs() <= 2 * count as u64 {
            self.cell_grid = self.cell_grid.twice_as_large();
            self.count(bodies, count);
        }
        self.levels.clear();
        if id.is_some() && self.is_clustered(count) {
            self.count_by_radius(bodies);
        }
        self.sort(count);
        self.nodes.clear();
        self.roots.clear();
        match id {
            Some(id) if self.is_crowded() => self.sort_cells(id),
            None if self.has_packed_cells() => self.plant(bodies, groups),
            _ => {}
        }
        self.columns.fill(self.axes, &self.order, bodies, groups);
    }

    /// The number of bodies in the index: those given, less those left out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the index holds no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The index, as given to [`build`](Self::build), of the body at each slot. Slots are in the order of the cells,
    /// so bodies at neighbouring slots are mostly near each other.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of a body by its index as given; `None` if the body was left out, or not given.
    #[must_use]
    #[inline]
    pub fn slot(&self, index: usize) -> Option<usize> {
        self.slots.get(index).filter(|&&slot| slot != NOWHERE).map(|&slot| slot as usize)
    }

    /// The normal of the plane in which all bodies lie and move, if it is an axis: all bodies have the same position
    /// and no velocity along it. `None` if there is no such axis.
    #[must_use]
    pub fn flat_axis(&self) -> Option<Vec3> {
        self.is_flat.then(|| self.axes.world(Vec3::Z))
    }

    /// The radius for which the index is built, in world units: the reach given, or a larger one if bodies are far
    /// apart.
    #[must_use]
    pub fn reach(&self) -> f32 {
        self.cell_grid.side()
    }

    /// Whether any cell holds more than [`UNCROWDED`] bodies. If bodies are about as wide as the reach, many of them
    /// then overlap.
    pub(crate) fn is_crowded(&self) -> bool {
        self.fullest > UNCROWDED
    }

    /// The number of bodies in the fullest cell.
    pub(crate) const fn most_in_a_cell(&self) -> usize {
        self.fullest as usize
    }

    /// Position and velocity of the body at a slot, in the world's axes; its radius is not kept.
    pub(crate) fn body(&self, slot: usize) -> Body {
        let world = |first: usize| self.axes.world(self.columns.vector(first, slot));
        Body::new(world(Columns::POSITION), world(Columns::VELOCITY))
    }

    /// Visits ranges of slots that together hold every body within `radius` of a place (in the grid's axes), and some
    /// farther bodies; each slot once, in the order of the slots.
    #[inline(always)]
    pub(crate) fn for_each_range(&self, center: Vec3, radius: f32, mut visit: impl FnMut(Range<usize>)) {
        self.cell_grid.for_each_run(center, center, radius, |cells| self.visit(&cells, &mut visit));
    }

    /// [`for_each_range`](Self::for_each_range) for all places of a box; fast if the box is about as high as a row.
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

    /// Visits the slots of a run of cells, unless the cells are empty.
    #[inline(always)]
    fn visit(&self, cells: &Range<usize>, visit: &mut impl FnMut(Range<usize>)) {
        let range = self.starts[cells.start] as usize..self.starts[cells.end] as usize;
        if !range.is_empty() {
            visit(range);
        }
    }

    /// Counts the bodies of each cell in `starts[cell + 2]`, which [`sort`](Self::sort) turns into first slots.
    fn count(&mut self, bodies: &[Body], count: usize) {
        let cell_grid = self.cell_grid;
        if cell_grid.is_shared() {
            self.count_by(bodies, count, |place| cell_grid.wrapped_cell(place));
        } else {
            self.count_by(bodies, count, |place| cell_grid.plain_cell(place));
        }
    }

    /// [`count`](Self::count) with the cell of a place.
    #[inline(always)]
    fn count_by(&mut self, bodies: &[Body], count: usize, cell: impl Fn(Vec3) -> usize) {
        let is_any_left_out = count < bodies.len();
        self.starts.clear();
        self.starts.resize(self.cell_grid.len() + 2, 0);
        self.slots.clear();
        // Copies, which the compiler keeps in registers while `self.slots` is written.
        let (axes, starts) = (self.axes, &mut self.starts[2..]);
        let mut fullest = 0;
        self.slots.extend(bodies.iter().map(|body| {
            if is_any_left_out && !body.is_in_range() {
                return NOWHERE;
            }
            let cell = cell(axes.grid(body.position));
            starts[cell] += 1;
            fullest = fullest.max(starts[cell]);
            cell as u32
        }));
        self.fullest = fullest;
    }

    /// Chooses a grid over a box and counts the bodies in its cells.
    fn choose_cells(&mut self, [low, high]: [Vec3; 2], reach: f32, bodies: &[Body], count: usize) {
        let cell_grid = CellGrid::new(low, high, reach, count);
        // If distant cells share an entry, bodies at consecutive slots may be far apart. A grid of larger cells
        // avoids that, but puts too many bodies in one cell if they are clustered.
        self.cell_grid =
            if cell_grid.is_shared() { cell_grid.without_sharing(high, count) } else { cell_grid };
        self.count(bodies, count);
        if cell_grid.is_shared() && self.is_clustered(count) {
            self.cell_grid = cell_grid;
            self.count(bodies, count);
        }
    }

    /// [`choose_cells`](Self::choose_cells) over the box of most bodies, without those far away, unless more of them
    /// then share a cell.
    #[cold]
    fn choose_cells_of_most(&mut self, all: [Vec3; 2], reach: f32, bodies: &[Body], count: usize) {
        let (axes, before, pairs) = (self.axes, self.cell_grid, self.pairs());
        let places = bodies.iter().filter(|body| body.is_in_range()).map(|body| axes.grid(body.position));
        let most = bounds_of_most(places, count, reach, all);
        if most == all {
            return;
        }
        self.choose_cells(most, reach, bodies, count);
        let is_better = self.pairs() < pairs || !self.cell_grid.is_shared() && !self.is_clustered(count);
        self.cell_grid = if is_better { self.cell_grid.with_bodies_outside() } else { before };
        if !is_better {
            self.count(bodies, count);
        }
    }

    /// The number of pairs of bodies that share a cell, in each order, and of each body with itself.
    fn pairs(&self) -> u64 {
        self.starts.iter().map(|&held| u64::from(held).pow(2)).sum()
    }

    /// Whether a body shares its cell with more than [`MEAN_OCCUPANCY_TO_HASH`] others on average.
    fn is_clustered(&self, count: usize) -> bool {
        self.pairs() > (1 + MEAN_OCCUPANCY_TO_HASH) * count as u64
    }

    /// Turns the counts into first slots and assigns a slot to each body.
    fn sort(&mut self, count: usize) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Entries left from an earlier build are all overwritten below.
        self.order.resize(count, 0);
        for (index, own) in self.slots.iter_mut().enumerate() {
            if *own != NOWHERE {
                // `starts[cell + 1]` is the next free slot of the cell; in the end, the first slot of the next cell.
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
