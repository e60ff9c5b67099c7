//! The geometry of the cells: the cell of a place, and the runs of cells that a sphere touches. The bodies in the cells
//! are in [`Neighbors`](super::Neighbors).

use std::ops::Range;

use glam::{UVec3, Vec3};

/// How many times finer cells are along a row than a row is high. Measured at 1, 2, 4 and 8: a build of 100,000 bodies
/// 0.72, 0.84, 0.96, 0.97 ms; a pass over 10,000 members in a plane 0.286, 0.279, 0.278, 0.263 ms.
const FINER: f32 = 4.0;

/// The largest number of cells for each body; a grid with more is coarsened or wrapped round.
const CELLS_PER_BODY: usize = 4;

/// The factor by which the height of rows grows in each try to coarsen the grid. Measured at 1.1, 1.25 and 2: a build
/// and all queries of 2,000 bodies in a sparse world 43.2, 42.1, 41.0 µs.
const COARSER: f32 = 1.25;

/// The largest number of cells for a number of bodies.
fn allowed(bodies: usize) -> u64 {
    (bodies * CELLS_PER_BODY).clamp(64, 1 << 30) as u64
}

/// A grid of cells over the bounding box of all bodies, as rows along x and layers along z.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct CellGrid {
    /// The corner of the box with the least coordinates.
    low: Vec3,
    /// The height of a row, and of a layer.
    side: f32,
    /// Cells per unit of length along each axis.
    density: Vec3,
    /// The last cell along each axis, before wrapping round.
    last: UVec3,
    /// The number of cells along each axis, after wrapping round.
    size: UVec3,
    /// The mask that wraps the index of a cell along each axis: all ones if the grid is not wrapped.
    mask: UVec3,
    /// A bound, along each axis, for how far rounding can put a body into the wrong cell; in units of length.
    slack: Vec3,
}

impl CellGrid {
    /// A grid whose rows are as high as the reach; wrapped round if it has too many cells.
    pub(super) fn new(low: Vec3, high: Vec3, reach: f32, bodies: usize) -> Self {
        let longest = (high - low).max_element();
        let side =
            if reach > 0.0 && reach.is_finite() { reach } else { longest / (bodies as f32).sqrt().max(1.0) };
        // Rows must not be finer than the precision of the coordinates.
        let side = side.max(longest / 1_048_576.0).max(f32::MIN_POSITIVE * 8.0);
        let mut cell_grid = Self::of_side(low, high, side);
        cell_grid.wrap(allowed(bodies));
        cell_grid
    }

    /// The grid with rows enlarged until it has few enough cells without wrapping round.
    pub(super) fn without_sharing(mut self, high: Vec3, bodies: usize) -> Self {
        while self.is_shared() || self.count() > allowed(bodies) {
            self = Self::of_side(self.low, high, self.side * COARSER);
        }
        self
    }

    fn of_side(low: Vec3, high: Vec3, side: f32) -> Self {
        let density = Vec3::new(FINER / side, 1.0 / side, 1.0 / side);
        let last = ((high - low) * density).as_uvec3().min(UVec3::splat(u32::MAX - 1));
        let size = last + 1;
        let slack = side * 4.0 * f32::EPSILON * size.as_vec3();
        Self { low, side, density, last, size, mask: UVec3::MAX, slack }
    }

    /// Wraps the grid round: halves the axis with the most cells until no more than `allowed` cells are left.
    fn wrap(&mut self, allowed: u64) {
        if self.count() <= allowed {
            return;
        }
        self.size = self.size.map(u32::next_power_of_two);
        while self.count() > allowed {
            let longest = self.size.max_position();
            self.size[longest] /= 2;
        }
        self.mask = self.size - 1;
    }

    /// The grid for bodies of which some are outside of the box: the cells at its borders hold these too, so their
    /// distance from a place says nothing.
    pub(super) const fn with_bodies_outside(self) -> Self {
        Self { slack: Vec3::INFINITY, ..self }
    }

    /// Whether the grid is wrapped round, so that distant cells share an entry.
    pub(super) fn is_shared(&self) -> bool {
        self.mask != UVec3::MAX
    }

    fn count(&self) -> u64 {
        let [x, y, z] = self.size.to_array().map(u64::from);
        x.saturating_mul(y).saturating_mul(z)
    }

    pub(super) fn side(&self) -> f32 {
        self.side
    }

    pub(super) fn len(&self) -> usize {
        self.size.x as usize * self.size.y as usize * self.size.z as usize
    }

    /// The index of the cell of a place; outside of the box, of a cell at its border.
    #[inline(always)]
    pub(super) fn cell(&self, place: Vec3) -> usize {
        let at = |axis: usize| {
            let at = ((place[axis] - self.low[axis]) * self.density[axis]) as u32;
            at.min(self.last[axis]) & self.mask[axis]
        };
        // With one layer, z need not be computed.
        let layer = if self.size.z == 1 { 0 } else { at(2) };
        self.index(at(0), at(1), layer)
    }

    /// Visits runs of cells along rows that cover all places within a radius of the box from `low` to `high`: no cell
    /// twice, in the order of the cells.
    ///
    /// The mapping from a coordinate to a cell is monotonic even with rounding, so the cells of the sphere's ends bound
    /// the cells of all places in the sphere.
    #[inline(always)]
    pub(super) fn for_each_run(
        &self,
        low: Vec3,
        high: Vec3,
        radius: f32,
        mut visit: impl FnMut(Range<usize>),
    ) {
        if !(radius >= 0.0 && low.is_finite() && high.is_finite()) {
            return;
        }
        let radius = grown(radius);
        let squared = radius * radius;
        let (first, last) = (self.place(low - radius), self.place(high + radius));
        if !self.is_shared() {
            for z in first.z..=last.z {
                let off_z = self.gap(low.z, high.z, self.low.z, z, self.slack.z);
                for y in first.y..=last.y {
                    let off_y = self.gap(low.y, high.y, self.low.y, y, self.slack.y);
                    let left = squared - (off_y * off_y + off_z * off_z);
                    if left < 0.0 {
                        continue;
                    }
                    let [from, to] = if left == squared {
                        [first.x, last.x]
                    } else {
                        // With an infinite radius, `left` is NaN or infinite: visit the whole row.
                        let half = if left.is_finite() { left.sqrt() } else { f32::INFINITY };
                        [self.along(low.x - half), self.along(high.x + half)]
                    };
                    let row = self.index(0, y, z);
                    visit(row + from as usize..row + to as usize + 1);
                }
            }
        } else {
            self.for_each_wrapped_run((low, high), squared, (first, last), visit);
        }
    }

    /// [`for_each_run`](Self::for_each_run) without shortening rows by their distance from the box: faster, with few
    /// more cells if the box is about as high as a row.
    #[inline(always)]
    pub(super) fn for_each_run_around(
        &self,
        low: Vec3,
        high: Vec3,
        radius: f32,
        mut visit: impl FnMut(Range<usize>),
    ) {
        if self.is_shared() {
            return self.for_each_run(low, high, radius, visit);
        }
        if !(radius >= 0.0 && low.is_finite() && high.is_finite()) {
            return;
        }
        let radius = grown(radius);
        let (first, last) = (self.place(low - radius), self.place(high + radius));
        for z in first.z..=last.z {
            for y in first.y..=last.y {
                visit(self.index(first.x, y, z)..self.index(last.x, y, z) + 1);
            }
        }
    }

    /// [`for_each_run`](Self::for_each_run) on a grid that is wrapped round.
    fn for_each_wrapped_run(
        &self,
        (low, high): (Vec3, Vec3),
        squared: f32,
        (first, last): (UVec3, UVec3),
        mut visit: impl FnMut(Range<usize>),
    ) {
        let (ys, is_every_y) = rows(first.y, last.y, self.size.y, self.mask.y);
        let (zs, is_every_z) = rows(first.z, last.z, self.size.z, self.mask.z);
        for z in zs.into_iter().flatten() {
            let off_z = if is_every_z { 0.0 } else { self.gap(low.z, high.z, self.low.z, z, self.slack.z) };
            for y in ys.clone().into_iter().flatten() {
                let off_y =
                    if is_every_y { 0.0 } else { self.gap(low.y, high.y, self.low.y, y, self.slack.y) };
                let left = squared - (off_y * off_y + off_z * off_z);
                if left < 0.0 {
                    continue;
                }
                let half = if left.is_finite() { left.sqrt() } else { f32::INFINITY };
                let first = self.along(low.x - half);
                let last = self.along(high.x + half);
                let row = self.index(0, y & self.mask.y, z & self.mask.z);
                if last - first >= self.size.x - 1 {
                    visit(row..row + self.size.x as usize);
                    continue;
                }
                let (first, last) = ((first & self.mask.x) as usize, (last & self.mask.x) as usize);
                if first <= last {
                    visit(row + first..row + last + 1);
                } else {
                    visit(row..row + last + 1);
                    visit(row + first..row + self.size.x as usize);
                }
            }
        }
    }

    /// A lower bound, along one axis, for the distance between a row and the interval from `from` to `to`.
    #[inline(always)]
    fn gap(&self, from: f32, to: f32, low: f32, row: u32, slack: f32) -> f32 {
        let begin = row as f32 * self.side;
        let (below, above) = (begin - (to - low), (from - low) - (begin + self.side));
        (below.max(above) - slack).max(0.0)
    }

    /// The cell of a place along each axis, before wrapping round.
    #[inline(always)]
    fn place(&self, place: Vec3) -> UVec3 {
        ((place - self.low) * self.density).as_uvec3().min(self.last)
    }

    /// The cell of a coordinate along the row, before wrapping round.
    #[inline(always)]
    fn along(&self, x: f32) -> u32 {
        (((x - self.low.x) * self.density.x) as u32).min(self.last.x)
    }

    #[inline(always)]
    fn index(&self, x: u32, y: u32, z: u32) -> usize {
        ((z * self.size.y + y) * self.size.x + x) as usize
    }
}

/// A radius enlarged by more than the rounding error of distances.
#[inline(always)]
pub(super) fn grown(radius: f32) -> f32 {
    radius * 1.000_001 + 1e-18
}

/// The rows from `low` to `high` of one axis, each entry once and in the order of the entries after wrapping round; and
/// whether these are all rows of the axis.
#[inline(always)]
fn rows(low: u32, high: u32, size: u32, mask: u32) -> ([Range<u32>; 2], bool) {
    if high - low >= size {
        return ([0..size, 0..0], true);
    }
    let (first, last) = (low & mask, high & mask);
    let rows = if first <= last { [low..high + 1, 0..0] } else { [high - last..high + 1, low..high - last] };
    (rows, false)
}
