//! The coarse grids of a set. Usually there is one; shapes that are much larger than others have a grid of their own if
//! the others would be in few cells of a common one.

use std::ops::Range;

use glam::{DVec2, IVec2, Vec2};

use super::Obstacles;

/// Number of cells per shape: fewer cells hold more shapes that are not near; more cells have to be visited along
/// a path.
const CELLS_PER_SHAPE: f64 = 4.0;

/// Least number of cells.
const CELLS: f64 = 256.0;

/// The most cells along an axis, and the most that a shape touches along an axis.
const LONGEST: f64 = 1024.0;

/// How many shapes may overlap on average before cells get larger: each shape is listed in every cell that it
/// touches.
const LAYERS: f64 = 32.0;

/// A grid is crowded if a shape shares its cell with more others than this, on average.
const CROWDED: usize = 8;

/// The factor on the size of cells in each try to find smaller ones. Each try counts all shapes once; cells an eighth as
/// long hold 1/64 of the shapes, and the last ones are at most eight times shorter than they need to be.
const SMALLER: f64 = 0.125;

/// A rectangle seen from above.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct PlaneBounds {
    pub(super) low: Vec2,
    pub(super) high: Vec2,
}

impl PlaneBounds {
    pub(super) fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn extent(self) -> DVec2 {
        self.high.as_dvec2() - self.low.as_dvec2()
    }

    /// A number that is greater by 1 where the greater extent is 16 times as large: its exponent without two bits.
    fn size_class(self) -> u32 {
        (self.extent().max_element() as f32).max(1e-3).to_bits() >> 25
    }
}

/// A rectangle of the coarse grid's cells, both corners included.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct CellSpan {
    pub(super) min: IVec2,
    pub(super) max: IVec2,
}

impl CellSpan {
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The number of cells.
    pub(super) fn count(&self) -> i64 {
        let [x, y] = (self.max.as_i64vec2() - self.min.as_i64vec2() + 1).to_array();
        x.saturating_mul(y)
    }

    fn cells(self) -> impl Iterator<Item = IVec2> {
        (self.min.y..=self.max.y).flat_map(move |y| (self.min.x..=self.max.x).map(move |x| IVec2::new(x, y)))
    }
}

/// The coarse grid of some shapes.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The shapes, as a range of the set's order.
    pub(super) shapes: Range<usize>,
    /// Cells per unit of length, and the number of cells before the first.
    density: f32,
    offset: Vec2,
    /// The cells that shapes touch.
    whole: CellSpan,
    /// The grid is wrapped round: the mask of a cell's index along each axis.
    mask: IVec2,
    /// The entry of the first cell in the set's `starts`.
    first: usize,
}

impl Level {
    /// A grid with cells of this size, wrapped round so that it has at most so many cells.
    fn new(
        (shapes, bounds): (Range<usize>, PlaneBounds),
        origin: Vec2,
        side: f64,
        most: i64,
        first: usize,
    ) -> Self {
        let whole = CellSpan { min: IVec2::MIN, max: IVec2::MAX - 1 };
        let density = (1.0 / side) as f32;
        let mut level = Self { shapes, density, offset: origin * density, whole, mask: IVec2::ZERO, first };
        level.whole = level.span(bounds.low, bounds.high);
        let size = (bounds.extent() / side).to_array();
        let mut size = size.map(|cells| ((cells as i64).clamp(0, most) as u64 + 1).next_power_of_two());
        while size[0] * size[1] > most as u64 {
            let longest = usize::from(size[1] > size[0]);
            size[longest] /= 2;
        }
        level.mask = IVec2::new(size[0] as i32, size[1] as i32) - 1;
        level
    }

    /// The cells that a rectangle touches, of those that shapes touch.
    pub(super) fn span(&self, low: Vec2, high: Vec2) -> CellSpan {
        // `as_ivec2` rounds towards zero, so points just before the first cell fall into it.
        let cell = |point: Vec2| (point * self.density - self.offset).as_ivec2();
        let CellSpan { min, max } = self.whole;
        CellSpan { min: cell(low).max(min).min(max), max: cell(high).max(min).min(max) }
    }

    fn cell_count(&self) -> usize {
        ((self.mask.x + 1) * (self.mask.y + 1)) as usize
    }

    fn index(&self, cell: IVec2) -> usize {
        let cell = cell & self.mask;
        self.first + (cell.y * (self.mask.x + 1) + cell.x) as usize
    }
}

impl Obstacles {
    /// Sorts the shapes by the cells that they touch.
    pub(super) fn sort(&mut self) {
        let count = self.solids.len();
        self.levels.clear();
        self.starts.clear();
        self.sorted.clear();
        self.ranges.clear();
        self.ranges.resize(count, CellSpan::default());
        self.order.clear();
        self.order.extend(0..count as u32);
        let mut rest = 0..count;
        while !rest.is_empty() {
            let level = self.level(rest.clone(), false);
            let mut largest = rest.clone();
            if self.is_crowded(&level) {
                // The largest shapes get a grid of their own.
                let order = &mut self.order[rest.clone()];
                let class = |shape: u32| self.bounds[shape as usize].size_class();
                order.sort_unstable_by_key(|&shape| (class(shape), shape));
                let greatest = class(order[order.len() - 1]);
                largest.start += order.partition_point(|&shape| class(shape) < greatest);
                self.starts.truncate(level.first);
                let level = self.level(largest.clone(), true);
                self.list(level);
            } else {
                self.list(level);
            }
            rest.end = largest.start;
        }
    }

    /// A grid for some of the shapes, with the number of shapes in each cell; if it `may_be_finer`, with cells so small
    /// that it is not crowded, as far as no shape touches too many.
    fn level(&mut self, shapes: Range<usize>, may_be_finer: bool) -> Level {
        let bounds = self.order[shapes.clone()].iter().map(|&shape| self.bounds[shape as usize]);
        let all = bounds.clone().reduce(PlaneBounds::union).unwrap_or_default();
        let extents = || bounds.clone().map(PlaneBounds::extent);
        let cells = (CELLS_PER_SHAPE * shapes.len() as f64).max(CELLS);
        let covered: f64 = extents().map(DVec2::element_product).sum();
        let widest = extents().map(DVec2::max_element).fold(0.0, f64::max);
        let least = (covered / LAYERS / cells).sqrt().max(widest / LONGEST).max(1e-3);
        let extent = all.extent();
        let spread = (extent.element_product() / cells).sqrt();
        let (mut side, mut origin) = (spread.max(extent.max_element() / LONGEST).max(least), all.low);
        loop {
            let first = self.starts.len();
            let level = Level::new((shapes.clone(), all), origin, side, 8 * cells as i64, first);
            self.count(&level);
            if !may_be_finer || side <= least || !self.is_crowded(&level) {
                return level;
            }
            self.starts.truncate(first);
            // From the origin, cells are as exact as coordinates are, however far away other shapes are.
            (side, origin) = ((side * SMALLER).max(least), Vec2::ZERO);
        }
    }

    /// Notes the cells that the shapes of a level touch; counts the shapes of each cell, two entries beyond the cell.
    fn count(&mut self, level: &Level) {
        self.starts.resize(level.first + level.cell_count() + 2, 0);
        for &shape in &self.order[level.shapes.clone()] {
            let PlaneBounds { low, high } = self.bounds[shape as usize];
            let span = level.span(low, high);
            span.cells().for_each(|cell| self.starts[level.index(cell) + 2] += 1);
            self.ranges[shape as usize] = span;
        }
    }

    /// Whether shapes share their cells with too many others, after the shapes of each cell were counted.
    fn is_crowded(&self, level: &Level) -> bool {
        let shared = self.order[level.shapes.clone()].iter().map(|&shape| {
            let CellSpan { min, max } = self.ranges[shape as usize];
            self.starts[level.index(min + (max - min) / 2) + 2] as usize
        });
        shared.sum::<usize>() > (CROWDED + 1) * level.shapes.len()
    }

    /// Lists the shapes of a level by their cells, by counting sort.
    fn list(&mut self, level: Level) {
        let mut sum = self.sorted.len() as u32;
        for start in &mut self.starts[level.first..] {
            sum += *start;
            *start = sum;
        }
        self.sorted.resize(sum as usize, 0);
        for &shape in &self.order[level.shapes.clone()] {
            for cell in self.ranges[shape as usize].cells() {
                // One entry beyond the cell is its next free slot; in the end it is the start of the next cell.
                let slot = &mut self.starts[level.index(cell) + 1];
                self.sorted[*slot as usize] = shape;
                *slot += 1;
            }
        }
        self.levels.push(level);
    }

    /// The shapes that touch a cell of a level, as indices of `solids`.
    #[inline]
    pub(super) fn held(&self, level: &Level, cell: IVec2) -> &[u32] {
        let at = level.index(cell);
        &self.sorted[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
