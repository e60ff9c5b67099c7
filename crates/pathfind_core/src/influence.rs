//! Influence: values that a game keeps over the cells of a grid, such as danger, noise, scent or crowding, painted by
//! the game or stamped by sources that move.
//!
//! Influence maps are a usual tool of game AI (P. Tozour, "Influence Mapping", Game Programming Gems 2, 2001). Where a
//! layer is to cost agents something, [`Grid::set_extra_costs`] takes its values.

mod stamp;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{IVec2, UVec2, Vec2};

use crate::grid::{CellRect, Grid, GridCell, GridError};

pub use stamp::{Falloff, InfluenceStamp};

/// The side of a block, in cells. Only blocks with a value other than 0 are stored.
const SIDE: i32 = 16;
const CELLS: usize = (SIDE * SIDE) as usize;

type Values = [f32; CELLS];

/// One value for each cell of a grid: what was painted, plus the stamps of sources.
///
/// Values are read as they were at the last [`update`](Self::update). Memory: 2 KiB for each block of 16 by 16 cells
/// that holds a value other than 0, and 16 bytes for each other block. Clones share their blocks.
///
/// ```
/// # use glam::Vec2;
/// # use pathfind_core::{Falloff, GridCell, InfluenceLayer, InfluenceStamp};
/// let mut danger = InfluenceLayer::new(64, 64)?;
/// let tower = InfluenceStamp { center: Vec2::splat(20.5), radius: 8.0, strength: 4.0, falloff: Falloff::Linear };
/// danger.set_stamp(1, Some(tower));
/// danger.update();
/// assert_eq!(danger.value(GridCell::new(24, 20)), 2.0, "half-way to the rim");
/// assert!(danger.gradient(Vec2::new(24.5, 20.5)).x < 0.0, "it grows towards the tower");
/// # Ok::<(), pathfind_core::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct InfluenceLayer {
    size: UVec2,
    painted: Blocks,
    stamps: BTreeMap<u64, InfluenceStamp>,
    /// The stamps that reach each block.
    stamps_of: BTreeMap<u32, BTreeSet<u64>>,
    /// What was painted, plus the stamps; out of date for the blocks in `stale`.
    sums: Blocks,
    stale: BTreeSet<u32>,
}

/// The blocks of a layer, row by row; `None` if all values are 0.
type Blocks = Vec<Option<Arc<Values>>>;

impl InfluenceLayer {
    /// Painted values nearer to 0 than this become 0 when the layer fades, so that its blocks can be freed.
    pub const LEAST: f32 = 1e-3;

    /// A layer of zeros over a grid of this many columns and rows.
    ///
    /// # Errors
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Grid::check_size(width, height)?;
        let blocks = vec![None; (width.div_ceil(SIDE as u32) * height.div_ceil(SIDE as u32)) as usize];
        Ok(Self {
            size: UVec2::new(width, height),
            painted: blocks.clone(),
            stamps: BTreeMap::new(),
            stamps_of: BTreeMap::new(),
            sums: blocks,
            stale: BTreeSet::new(),
        })
    }

    /// The numbers of columns and rows.
    #[must_use]
    pub const fn size(&self) -> UVec2 {
        self.size
    }

    /// Whether the layer has no stamps, and nothing is painted on it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stamps.is_empty() && self.painted.iter().all(Option::is_none)
    }

    /// The value of a cell, as of the last [`update`](Self::update); 0 outside.
    #[must_use]
    pub fn value(&self, cell: GridCell) -> f32 {
        let Some((block, index)) = self.locate(cell) else { return 0.0 };
        self.sums[block].as_ref().map_or(0.0, |values| values[index])
    }

    /// The value at a point of grid space, interpolated between the centres of cells; 0 where it is not finite.
    #[must_use]
    pub fn value_at(&self, point: Vec2) -> f32 {
        if !point.is_finite() {
            return 0.0;
        }
        let corner = point - 0.5;
        let (GridCell { x, y }, part) = (GridCell::containing(corner), corner - corner.floor());
        let value = |dx: i32, dy: i32| self.value(GridCell::new(x.saturating_add(dx), y.saturating_add(dy)));
        let row = |dy| value(0, dy) + (value(1, dy) - value(0, dy)) * part.x;
        row(0) + (row(1) - row(0)) * part.y
    }

    /// In which direction the value grows most at a point of grid space, and by how much a cell; 0 where it is level or
    /// the point is not finite. It is measured over one cell each way.
    #[must_use]
    pub fn gradient(&self, point: Vec2) -> Vec2 {
        let slope = |axis: Vec2| self.value_at(point + axis) - self.value_at(point - axis);
        Vec2::new(slope(Vec2::X), slope(Vec2::Y)) / 2.0
    }

    /// Paints each cell of a rectangle by a function of the cell and the value painted there before. A number that is
    /// not finite leaves the value as it was.
    pub fn paint(&mut self, rect: CellRect, mut value: impl FnMut(GridCell, f32) -> f32) {
        for (block, rect) in self.blocks_in(rect) {
            let old = self.painted[block as usize].as_deref();
            let mut new = old.copied().unwrap_or([0.0; CELLS]);
            for cell in rect.cells() {
                let at = &mut new[index_in_block(cell)];
                *at = Some(value(cell, *at)).filter(|value| value.is_finite()).unwrap_or(*at);
            }
            self.put_painted(block, new);
        }
    }

    /// Adds values to what is painted on single cells. Cells outside and numbers that are not finite are left out.
    pub fn add(&mut self, values: impl IntoIterator<Item = (GridCell, f32)>) {
        let mut blocks = BTreeMap::<usize, Values>::new();
        for (cell, value) in values.into_iter().filter(|(_, value)| value.is_finite()) {
            if let Some((block, index)) = self.locate(cell) {
                blocks.entry(block).or_insert_with(|| self.painted_values(block as u32))[index] += value;
            }
        }
        blocks.into_iter().for_each(|(block, values)| self.put_painted(block as u32, values));
    }

    /// Adds a stamp to what is painted, once, unlike the stamp of a [source](Self::set_stamp). Returns whether it is
    /// [valid](InfluenceStamp::is_valid); nothing changes otherwise.
    pub fn paint_stamp(&mut self, stamp: InfluenceStamp) -> bool {
        if stamp.is_valid() {
            self.paint(stamp.rect(), |cell, old| old + stamp.value(cell));
        }
        stamp.is_valid()
    }

    /// Puts the stamp of a source in place of the one that it had before; `None` removes it. Sources are told apart by
    /// numbers of the caller's choice. Returns whether the stamp is [valid](InfluenceStamp::is_valid); an invalid one is
    /// not put, and the former one is removed.
    pub fn set_stamp(&mut self, source: u64, stamp: Option<InfluenceStamp>) -> bool {
        let valid = stamp.filter(InfluenceStamp::is_valid);
        let is_taken = valid.is_some() == stamp.is_some();
        if self.stamps.get(&source).copied() == valid {
            return is_taken;
        }
        if let Some(old) = self.stamps.remove(&source) {
            for (block, _) in self.blocks_in(old.rect()) {
                if let Some(sources) = self.stamps_of.get_mut(&block) {
                    sources.remove(&source);
                    if sources.is_empty() {
                        self.stamps_of.remove(&block);
                    }
                }
                self.stale.insert(block);
            }
        }
        if let Some(stamp) = valid {
            self.stamps.insert(source, stamp);
            for (block, _) in self.blocks_in(stamp.rect()) {
                self.stamps_of.entry(block).or_default().insert(source);
                self.stale.insert(block);
            }
        }
        is_taken
    }

    /// The sources whose stamps the layer has, in order.
    pub fn sources(&self) -> impl Iterator<Item = u64> {
        self.stamps.keys().copied()
    }

    /// Multiplies what is painted by a factor from 0 to 1. A factor that is not in range changes nothing. Values nearer
    /// to 0 than [`LEAST`](Self::LEAST) become 0.
    pub fn fade(&mut self, factor: f32) {
        if (0.0..1.0).contains(&factor) {
            for block in self.painted_blocks() {
                let new = self.painted_values(block).map(|value| least(value * factor));
                self.put_painted(block, new);
            }
        }
    }

    /// Spreads what is painted, as smoke and scent do: each cell gives `share` of its value to each of the cells
    /// beside it that are open, and takes as much of theirs. Range of `share`: 0 to 0.25; others are clamped, and NaN
    /// counts as 0. The sum of the values stays, less those that become smaller than [`LEAST`](Self::LEAST).
    pub fn spread(&mut self, share: f32, is_open: impl Fn(GridCell) -> bool) {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 0.25) };
        let before = self.painted.clone();
        let value = |cell: GridCell| {
            let at = self.locate(cell).filter(|_| is_open(cell));
            at.map(|(block, index)| before[block].as_ref().map_or(0.0, |values| values[index]))
        };
        let mut reached = BTreeSet::new();
        for block in self.painted_blocks() {
            reached.extend(self.blocks_in(self.rect_of(block).grown(1)).map(|(block, _)| block));
        }
        let new: Vec<_> = reached
            .into_iter()
            .map(|block| {
                let mut new = before[block as usize].as_deref().copied().unwrap_or([0.0; CELLS]);
                let Some(rect) = self.rect_of(block).intersection(self.bounds()) else { return (block, new) };
                for cell @ GridCell { x, y } in rect.cells() {
                    let Some(own) = value(cell) else { continue };
                    let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
                    let gain: f32 = beside
                        .into_iter()
                        .filter_map(|cell| value(cell.into()))
                        .map(|value| value - own)
                        .sum();
                    new[index_in_block(cell)] = least(own + share * gain);
                }
                (block, new)
            })
            .collect();
        new.into_iter().for_each(|(block, new)| self.put_painted(block, new));
    }

    /// Sets everything that is painted to 0; the stamps stay.
    pub fn clear(&mut self) {
        for block in self.painted_blocks() {
            self.put_painted(block, [0.0; CELLS]);
        }
    }

    /// Brings the values up to date with what was painted and stamped since. Returns the rectangles in which values
    /// may have changed, in order of rows and columns.
    pub fn update(&mut self) -> Vec<CellRect> {
        let stale = std::mem::take(&mut self.stale);
        let mut changed = Vec::new();
        for block in stale {
            let Some(rect) = self.rect_of(block).intersection(self.bounds()) else { continue };
            let mut sum = self.painted_values(block);
            for stamp in self.stamps_of.get(&block).into_iter().flatten().filter_map(|it| self.stamps.get(it))
            {
                for cell in rect.intersection(stamp.rect()).into_iter().flat_map(CellRect::cells) {
                    sum[index_in_block(cell)] += stamp.value(cell);
                }
            }
            let old = &mut self.sums[block as usize];
            if !is_same(old.as_deref(), &sum) {
                *old = boxed(sum);
                changed.push(rect);
            }
        }
        changed
    }

    /// The rectangles that hold all cells whose value is not 0, as of the last [`update`](Self::update).
    pub fn filled(&self) -> impl Iterator<Item = CellRect> {
        let filled = (0u32..).zip(&self.sums).filter(|(_, block)| block.is_some());
        filled.filter_map(|(block, _)| self.rect_of(block).intersection(self.bounds()))
    }

    /// The same layer for a canvas of other size, on which all cells lie so many blocks of 64 cells farther, as
    /// [`Grid::on_canvas`] moves them. The stamps are removed.
    ///
    /// # Errors
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn on_canvas(&self, size: UVec2, by: IVec2) -> Result<Self, GridError> {
        let mut moved = Self::new(size.x, size.y)?;
        let by = by.saturating_mul(IVec2::splat(Grid::BLOCK as i32));
        for block in self.painted_blocks() {
            let GridCell { x, y } = self.rect_of(block).min;
            let corner = GridCell::new(x.saturating_add(by.x), y.saturating_add(by.y));
            if let Some((to, _)) = moved.locate(corner) {
                moved.painted[to].clone_from(&self.painted[block as usize]);
                moved.stale.insert(to as u32);
            }
        }
        Ok(moved)
    }

    fn bounds(&self) -> CellRect {
        CellRect::new(GridCell::new(0, 0), (self.size.as_ivec2() - 1).into())
    }

    fn columns(&self) -> i32 {
        (self.size.x as i32 + SIDE - 1) / SIDE
    }

    /// The block of a cell, and its index there; `None` outside.
    #[inline]
    fn locate(&self, cell: GridCell) -> Option<(usize, usize)> {
        let is_inside = (cell.x as u32) < self.size.x && (cell.y as u32) < self.size.y;
        is_inside.then(|| ((cell.y / SIDE * self.columns() + cell.x / SIDE) as usize, index_in_block(cell)))
    }

    /// The cells of a block; those beyond the grid are among them.
    fn rect_of(&self, block: u32) -> CellRect {
        cells_of(GridCell::new(block as i32 % self.columns(), block as i32 / self.columns()))
    }

    /// The blocks that a rectangle meets, each with the part of the rectangle that lies in it and on the grid.
    fn blocks_in(&self, rect: CellRect) -> impl Iterator<Item = (u32, CellRect)> + use<> {
        let (columns, rect) = (self.columns(), rect.intersection(self.bounds()));
        rect.into_iter().flat_map(move |rect| {
            let block_of = |cell: GridCell| GridCell::new(cell.x / SIDE, cell.y / SIDE);
            let blocks = CellRect::new(block_of(rect.min), block_of(rect.max)).cells();
            blocks.filter_map(move |at| {
                Some(((at.y * columns + at.x) as u32, rect.intersection(cells_of(at))?))
            })
        })
    }

    fn painted_blocks(&self) -> Vec<u32> {
        (0..).zip(&self.painted).filter(|(_, block)| block.is_some()).map(|(block, _)| block).collect()
    }

    fn painted_values(&self, block: u32) -> Values {
        self.painted[block as usize].as_deref().copied().unwrap_or([0.0; CELLS])
    }

    fn put_painted(&mut self, block: u32, new: Values) {
        let old = &mut self.painted[block as usize];
        if !is_same(old.as_deref(), &new) {
            *old = boxed(new);
            self.stale.insert(block);
        }
    }
}

/// The cells of the block in a column and row of blocks.
fn cells_of(GridCell { x, y }: GridCell) -> CellRect {
    CellRect::square(GridCell::new(x * SIDE, y * SIDE), SIDE)
}

const fn index_in_block(cell: GridCell) -> usize {
    (cell.y % SIDE * SIDE + cell.x % SIDE) as usize
}

fn least(value: f32) -> f32 {
    if value.abs() < InfluenceLayer::LEAST { 0.0 } else { value }
}

/// A block of these values; `None` if all are 0.
fn boxed(values: Values) -> Option<Arc<Values>> {
    values.iter().any(|&value| value != 0.0).then(|| Arc::new(values))
}

fn is_same(old: Option<&Values>, new: &Values) -> bool {
    old.map_or_else(|| new.iter().all(|&value| value == 0.0), |old| old == new)
}

#[cfg(test)]
mod tests;
