//! The cells of the grid: which one a place is in, and which runs of them a sphere touches.

use std::ops::Range;

use glam::{UVec3, Vec3};

/// How many cells lie side by side in a square as high as a row.
const FINER: f32 = 4.0;

/// Cells for each body beyond which far cells share their place.
const CELLS_PER_BODY: usize = 4;

/// By how much rows grow until cells are few enough.
const COARSER: f32 = 1.25;

/// How many cells there may be for so many bodies.
fn allowed(bodies: usize) -> u64 {
    (bodies * CELLS_PER_BODY).clamp(64, 1 << 30) as u64
}

/// Rows and layers of cells over the box that holds all bodies.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct CellGrid {
    low: Vec3,
    /// Height of a row.
    side: f32,
    /// Cells for each unit of length, axis by axis.
    density: Vec3,
    /// The last cell along each axis, had each its own place.
    last: UVec3,
    /// How many cells there are along each axis.
    size: UVec3,
    /// What wraps a cell that has no place of its own; all ones where each has one.
    mask: UVec3,
    /// By how much a body may seem to lie beyond its row through rounding, in lengths.
    slack: Vec3,
}

impl CellGrid {
    /// Rows as high as the reach.
    pub(super) fn new(low: Vec3, high: Vec3, reach: f32, bodies: usize) -> Self {
        let longest = (high - low).max_element();
        let side =
            if reach > 0.0 && reach.is_finite() { reach } else { longest / (bodies as f32).sqrt().max(1.0) };
        // Rows no finer than the numbers can tell apart.
        let side = side.max(longest / 1_048_576.0).max(f32::MIN_POSITIVE * 8.0);
        let mut cell_grid = Self::of_side(low, high, side);
        cell_grid.wrap(allowed(bodies));
        cell_grid
    }

    /// The same with rows so much higher that each cell has its own place.
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

    /// Halves the longest axis until no more cells than allowed are left.
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

    /// Whether far cells share their place.
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

    /// The cell that a place within the box is in.
    #[inline(always)]
    pub(super) fn cell(&self, place: Vec3) -> usize {
        let at = |axis: usize| {
            let at = ((place[axis] - self.low[axis]) * self.density[axis]) as u32;
            at.min(self.last[axis]) & self.mask[axis]
        };
        // In one layer there is nothing to tell.
        let layer = if self.size.z == 1 { 0 } else { at(2) };
        self.index(at(0), at(1), layer)
    }

    /// Visits runs of cells along rows that cover all places within a radius of a box, none twice, in the
    /// order of the cells.
    ///
    /// Every step that leads from a place to its cell keeps the order of numbers, so a sphere's ends bound
    /// what is in it.
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
                        // An infinite radius leaves NaN or infinity, and with either the whole row.
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

    /// The same without looking at how far from the box each row is: sooner, and with few more where the box
    /// is about as high as a row.
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

    /// The same where far cells share their place.
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

    /// How far the places from `from` to `to` are from a row, at least.
    #[inline(always)]
    fn gap(&self, from: f32, to: f32, low: f32, row: u32, slack: f32) -> f32 {
        let begin = row as f32 * self.side;
        let (below, above) = (begin - (to - low), (from - low) - (begin + self.side));
        (below.max(above) - slack).max(0.0)
    }

    #[inline(always)]
    fn place(&self, place: Vec3) -> UVec3 {
        ((place - self.low) * self.density).as_uvec3().min(self.last)
    }

    #[inline(always)]
    fn along(&self, x: f32) -> u32 {
        (((x - self.low.x) * self.density.x) as u32).min(self.last.x)
    }

    #[inline(always)]
    fn index(&self, x: u32, y: u32, z: u32) -> usize {
        ((z * self.size.y + y) * self.size.x + x) as usize
    }
}

/// A radius, a little larger: distances are rounded.
#[inline(always)]
fn grown(radius: f32) -> f32 {
    radius * 1.000_001 + 1e-18
}

/// The rows of one axis between two, each once; whether that is every row that there is. Those that share
/// their place with others come in the order of the places, wherever the rows begin.
#[inline(always)]
fn rows(low: u32, high: u32, size: u32, mask: u32) -> ([Range<u32>; 2], bool) {
    if high - low >= size {
        return ([0..size, 0..0], true);
    }
    let (first, last) = (low & mask, high & mask);
    let rows = if first <= last { [low..high + 1, 0..0] } else { [high - last..high + 1, low..high - last] };
    (rows, false)
}
