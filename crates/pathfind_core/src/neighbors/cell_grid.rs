//! The geometry of the cells: the cell of a place, and the runs of cells that a sphere touches. The bodies in the cells
//! are in [`Neighbors`](super::Neighbors).

use std::ops::Range;

use glam::{DVec3, I64Vec3, UVec3, Vec3};

/// How many times finer cells are along a row than a row is high. Measured at 1, 2, 4 and 8: a build of 100,000 bodies
/// 0.72, 0.84, 0.96, 0.97 ms; a pass over 10,000 members in a plane 0.286, 0.279, 0.278, 0.263 ms.
const FINER: f32 = 4.0;

/// Cells along each axis for each [side](CellGrid::side) of a grid that is wrapped round. Irrational numbers with
/// irrational ratios (3 + √5, 2 / √5, the root of the golden ratio), so that bodies in a regular pattern, such as
/// clusters at equal distances or a slanting line, do not all fall on a few entries.
const WRAPPED: DVec3 = DVec3::new(5.236_067_977_5, 0.894_427_191_0, 1.272_019_649_5);

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
    /// Cells per unit of length along each axis if the grid is wrapped. Its cells are counted from the origin, so that
    /// they are as exact as coordinates are, however far away other bodies are.
    wrapped_density: DVec3,
    /// A bound, along each axis, for how far rounding can put a body into the wrong cell; in units of length.
    slack: Vec3,
}

impl CellGrid {
    /// A grid whose rows are as high as the reach; wrapped round if it has too many cells.
    pub(super) fn new(low: Vec3, high: Vec3, reach: f32, bodies: usize) -> Self {
        let longest = (high - low).max_element();
        let side =
            if reach > 0.0 && reach.is_finite() { reach } else { longest / (bodies as f32).sqrt().max(1.0) };
        // Cells have numbers of 51 bits at most.
        let farthest = low.abs().max(high.abs()).max_element();
        let side = side.max(farthest * 2.4e-15).max(f32::MIN_POSITIVE * 8.0);
        let mut cell_grid = Self::of_side(low, high, side);
        cell_grid.wrap(allowed(bodies));
        cell_grid
    }

    /// The grid with rows enlarged until it has few enough cells without wrapping round.
    pub(super) fn without_sharing(mut self, high: Vec3, bodies: usize) -> Self {
        let longest = (high - self.low).max_element();
        while self.is_shared() || self.count() > allowed(bodies) {
            self = Self::of_side(self.low, high, self.side.max(longest / 1_048_576.0) * COARSER);
        }
        self
    }

    /// The grid, if it is wrapped round, with cells twice as large, in as many entries.
    pub(super) fn twice_as_large(self) -> Self {
        Self { side: 2.0 * self.side, wrapped_density: 0.5 * self.wrapped_density, ..self }
    }

    fn of_side(low: Vec3, high: Vec3, side: f32) -> Self {
        let density = Vec3::new(FINER / side, 1.0 / side, 1.0 / side);
        let last = ((high - low) * density).as_uvec3().min(UVec3::splat((1 << 30) - 1));
        let size = last + 1;
        let slack = side * 4.0 * f32::EPSILON * size.as_vec3();
        let wrapped_density = WRAPPED / f64::from(side);
        Self { low, side, density, last, size, mask: UVec3::MAX, wrapped_density, slack }
    }

    /// Wraps the grid round: halves the longest axis until no more than `allowed` cells are left.
    fn wrap(&mut self, allowed: u64) {
        if self.count() <= allowed {
            return;
        }
        self.size = self.size.map(u32::next_power_of_two);
        while self.count() > allowed {
            let longest = (self.size.as_dvec3() / WRAPPED).max_position();
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
        if self.is_shared() { self.wrapped_cell(place) } else { self.plain_cell(place) }
    }

    /// [`cell`](Self::cell) on a grid that is wrapped round.
    #[inline(always)]
    pub(super) fn wrapped_cell(&self, place: Vec3) -> usize {
        let [x, y, z] = (self.unwrapped(place) & self.mask.as_i64vec3()).as_uvec3().to_array();
        self.index(x, y, z)
    }

    /// [`cell`](Self::cell) on a grid that is not wrapped round.
    #[inline(always)]
    pub(super) fn plain_cell(&self, place: Vec3) -> usize {
        let at = |axis: usize| {
            let at = ((place[axis] - self.low[axis]) * self.density[axis]) as u32;
            at.min(self.last[axis])
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
        if !self.is_shared() {
            let (first, last) = (self.place(low - radius), self.place(high + radius));
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
            self.for_each_wrapped_run((low, high), squared, visit);
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
        mut visit: impl FnMut(Range<usize>),
    ) {
        let radius = squared.sqrt();
        let (first, last) = (self.unwrapped(low - radius), self.unwrapped(high + radius));
        let (ys, is_every_y) = rows(first.y, last.y, self.mask.y);
        let (zs, is_every_z) = rows(first.z, last.z, self.mask.z);
        for z in zs.into_iter().flatten() {
            let off_z = if is_every_z { 0.0 } else { self.wrapped_gap(2, (low.z, high.z), z) };
            for y in ys.clone().into_iter().flatten() {
                let off_y = if is_every_y { 0.0 } else { self.wrapped_gap(1, (low.y, high.y), y) };
                let left = squared - (off_y * off_y + off_z * off_z);
                if left < 0.0 {
                    continue;
                }
                let half = if left.is_finite() { left.sqrt() } else { f32::INFINITY };
                let x = |x: f32| number(f64::from(x) * self.wrapped_density.x);
                let (xs, _) = rows(x(low.x - half), x(high.x + half), self.mask.x);
                let row = self.index(0, y as u32 & self.mask.y, z as u32 & self.mask.z);
                for xs in xs.into_iter().filter(|xs| !xs.is_empty()) {
                    let first = row + (xs.start as u32 & self.mask.x) as usize;
                    visit(first..first + (xs.end - xs.start) as usize);
                }
            }
        }
    }

    /// The cell of a place along each axis of a wrapped grid, before wrapping round.
    #[inline(always)]
    fn unwrapped(&self, place: Vec3) -> I64Vec3 {
        let [x, y, z] = (place.as_dvec3() * self.wrapped_density).to_array().map(number);
        I64Vec3::new(x, y, z)
    }

    /// [`gap`](Self::gap) on a grid that is wrapped round.
    #[inline(always)]
    fn wrapped_gap(&self, axis: usize, (from, to): (f32, f32), row: i64) -> f32 {
        let height = 1.0 / self.wrapped_density[axis];
        let begin = ((row - BIAS) as f64 - 0.5) * height;
        let gap = (begin - f64::from(to)).max(f64::from(from) - (begin + height));
        (gap - begin.abs() * 1e-15).max(0.0) as f32
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

/// The nearest whole number of at most 51 bits, plus [`BIAS`]: adding that rounds, as the sum has no bits left for a
/// fraction, and the bits of such numbers are in their order.
#[inline(always)]
fn number(cells: f64) -> i64 {
    let most = f64::from_bits(0x4320 << 48);
    (cells.clamp(-most, most) + f64::from_bits(BIAS as u64)).to_bits() as i64
}

/// The bits of 3·2⁵¹, of which the lower 51 are 0.
const BIAS: i64 = 0x4338 << 48;

/// The rows from `low` to `high` of one axis, each entry once and in the order of the entries after wrapping round; and
/// whether these are all rows of the axis.
#[inline(always)]
fn rows(low: i64, high: i64, mask: u32) -> ([Range<i64>; 2], bool) {
    let mask = i64::from(mask);
    if high - low >= mask {
        return ([0..mask + 1, 0..0], true);
    }
    let (first, last) = (low & mask, high & mask);
    let rows = if first <= last { [low..high + 1, 0..0] } else { [high - last..high + 1, low..high - last] };
    (rows, false)
}
