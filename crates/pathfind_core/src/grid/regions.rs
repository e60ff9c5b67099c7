//! Connected regions of walkable cells, updated with every edit, so that an unreachable goal is recognized without
//! a search.
//!
//! The map is divided into blocks of 64×64 cells. Inside a block, runs of walkable cells along a row are
//! joined to areas; between blocks, links join areas across the border; and the areas of all blocks
//! are joined to regions ([`squares`]). An edit labels the areas of its blocks again. The regions have to be joined again
//! only if a block's number of areas or its links changed. Joining visits links, not cells, and is deferred to the next
//! query: so it runs once for many edits, and often on the thread of a search.
//!
//! Areas are found by sequential labelling of runs with recorded equivalences (after A. Rosenfeld and J. L. Pfaltz,
//! "Sequential Operations in Digital Picture Processing", JACM 13(4), 1966). The equivalences are kept by union-find
//! (R. E. Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", JACM 22(2), 1975), with two
//! differences: paths are halved instead of compressed (R. E. Tarjan and J. van Leeuwen, "Worst-Case Analysis of Set
//! Union Algorithms", JACM 31(2), 1984), and of two roots the smaller one remains, instead of that of the larger set:
//! so the number of a region does not depend on the order of linking.

mod areas;
mod block;
mod outline;
mod squares;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::{Bitmap, CellRect, Cliffs, GridCell, ones};
pub(crate) use areas::Area;
use block::{AreaBlock, lowest_run};
use outline::{Joints, Outline};
use squares::{Joined, Square, square_of};

/// Cells along the side of a block: one word of a bitmap.
const SIDE: i32 = 64;

/// Pairs of touching areas: index in [`NEIGHBORS`], area in this block, area in that neighbouring block.
type Links = Arc<[(u8, u16, u16)]>;

/// The blocks to the east, south-west, south and south-east, as offsets of column and row.
const NEIGHBORS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The connected regions of one bitmap.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// Whether areas that meet only at a corner are joined.
    corners: bool,
    columns: i32,
    rows: i32,
    /// A block without a walkable cell, shared by all such blocks of the grid.
    empty: Arc<AreaBlock>,
    /// One allocation for each row of blocks, so that clones share unchanged rows.
    blocks: Vec<Arc<[Arc<AreaBlock>]>>,
    links: Vec<Arc<[Links]>>,
    outlines: Vec<Arc<[Outline]>>,
    /// The areas, joined by the first query within squares of blocks; rows of squares.
    squares: Vec<Arc<[Arc<OnceLock<Square>>]>>,
    /// The regions, joined by the first query; shared with the clones that have the same links.
    joined: Arc<OnceLock<Joined>>,
}

/// The cells where an agent may stand: along rows and along columns, and the cliffs between them.
#[derive(Copy, Clone)]
pub(crate) struct WalkableCells<'g> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) cliffs: Option<&'g Cliffs>,
}

impl WalkableCells<'_> {
    /// The cells of a word of a row, and those of them from which a cliff leads to the next cell.
    #[inline]
    fn word(self, cell: GridCell) -> [u64; 2] {
        let cliffs = self.cliffs.map_or(0, |cliffs| cliffs.east_word(cell.y, cell.x));
        [self.rows.word(cell.y, cell.x), cliffs]
    }

    fn are_parted(self, a: GridCell, b: GridCell) -> bool {
        self.cliffs.is_some_and(|cliffs| cliffs.are_between(a, b))
    }
}

impl Regions {
    /// The regions of a bitmap on which every cell is blocked: none.
    pub(crate) fn new(width: u32, height: u32, corners: bool) -> Self {
        let (columns, rows) = (width.div_ceil(64) as usize, height.div_ceil(64) as usize);
        let empty = Arc::new(AreaBlock::label(&[0; SIDE as usize], None, corners));
        let (square_columns, square_rows) = square_of((columns as i32 - 1, rows as i32 - 1));
        let squares = || (0..=square_columns).map(|_| Arc::default()).collect();
        Self {
            corners,
            columns: columns as i32,
            rows: rows as i32,
            blocks: vec![std::iter::repeat_n(empty.clone(), columns).collect(); rows],
            empty,
            links: vec![std::iter::repeat_n(Links::default(), columns).collect(); rows],
            outlines: vec![std::iter::repeat_n(Outline::default(), columns).collect(); rows],
            squares: (0..=square_rows).map(|_| squares()).collect(),
            joined: Arc::default(),
        }
    }

    /// The same regions on a canvas of other size, so many blocks farther; the rest is blocked.
    pub(crate) fn moved(&self, width: u32, height: u32, by: [isize; 2]) -> Self {
        let mut moved = Self::new(width, height, self.corners);
        for (column, row) in self.all_blocks() {
            let (to_column, to_row) = (column as isize + by[0], row as isize + by[1]);
            let is_there = (0..moved.columns as isize).contains(&to_column)
                && (0..moved.rows as isize).contains(&to_row);
            // Most of a canvas may be empty, and empty blocks stay shared.
            if is_there && self.block(column, row).count > 0 {
                let (from, to) = (column as usize, to_column as usize);
                Arc::make_mut(&mut moved.blocks[to_row as usize])[to] =
                    self.blocks[row as usize][from].clone();
                Arc::make_mut(&mut moved.links[to_row as usize])[to] = self.links[row as usize][from].clone();
                Arc::make_mut(&mut moved.outlines[to_row as usize])[to] = self.outlines[row as usize][from];
            }
        }
        moved
    }

    /// The number of the region of a walkable cell.
    #[inline]
    pub(crate) fn region(&self, walkable: WalkableCells<'_>, cell: GridCell) -> u32 {
        let (column, row) = (cell.x >> 6, cell.y >> 6);
        let area = self.block(column, row).area(walkable, cell);
        self.region_of((column, row), area)
    }

    /// Finds the cells of a region whose distance to the nearest of the cells `to` is least, in order of rows.
    ///
    /// The search starts with the first of the cells `to`; the distance found bounds the search for the others, which
    /// skips blocks farther away.
    pub(crate) fn nearest(
        &self,
        walkable: WalkableCells<'_>,
        region: u32,
        to: &[GridCell],
        found: &mut Vec<GridCell>,
    ) {
        found.clear();
        let mut best = u64::MAX;
        let Some((&first, rest)) = to.split_first() else { return };
        let around =
            rest.iter().fold(CellRect::new(first, first), |rect, &to| rect.union(CellRect::new(to, to)));
        for to in [&[first][..], rest] {
            for (column, row) in self.all_blocks() {
                let corner = GridCell::new(column * SIDE, row * SIDE);
                let block = CellRect::square(corner, SIDE);
                if block.gap_squared(around) > best || !self.holds(column, row, region) {
                    continue;
                }
                for &to in to {
                    if block.nearest_to(to).distance_squared(to) <= best {
                        self.nearest_in_block(walkable, corner, region, to, &mut best, found);
                    }
                }
            }
        }
        found.sort_unstable_by_key(|cell| (cell.y, cell.x));
        found.dedup();
    }

    fn holds(&self, column: i32, row: i32, region: u32) -> bool {
        (0..self.block(column, row).count).any(|area| self.region_of((column, row), area) == region)
    }

    fn nearest_in_block(
        &self,
        walkable: WalkableCells<'_>,
        corner: GridCell,
        region: u32,
        to: GridCell,
        best: &mut u64,
        found: &mut Vec<GridCell>,
    ) {
        #[cfg(test)]
        crate::testing::count(1);
        let rows = walkable.rows.block(corner.y, corner.x);
        let cliffs = walkable.cliffs.map_or([0; SIDE as usize], |cliffs| cliffs.block(corner.y, corner.x)[0]);
        for ((y, mut left), cliffs) in (corner.y..).zip(rows).zip(cliffs) {
            // The distance to the row is a lower bound for all cells of the row.
            let rows_away = u64::from(y.abs_diff(to.y));
            if rows_away * rows_away > *best {
                continue;
            }
            while left != 0 {
                let run = lowest_run(left, cliffs);
                left &= !run;
                let start = GridCell::new(corner.x + run.trailing_zeros() as i32, y);
                // Only one cell of a run can be the nearest: the one whose column is closest to that of `to`.
                let end = start.x + run.count_ones() as i32 - 1;
                let near = GridCell::new(to.x.clamp(start.x, end), y);
                let distance = near.distance_squared(to);
                if distance <= *best && self.region(walkable, start) == region {
                    if distance < *best {
                        found.clear();
                        *best = distance;
                    }
                    found.push(near);
                }
            }
        }
    }

    /// Updates blocks and links after cells changed in some rectangles; bitmaps and cliffs must already be up to date.
    pub(crate) fn update(&mut self, walkable: WalkableCells<'_>, changed: &[CellRect]) {
        let blocks_of = |rect: CellRect| {
            let corner = |cell: GridCell| GridCell::new(cell.x >> 6, cell.y >> 6);
            CellRect::new(corner(rect.min), corner(rect.max))
        };
        let touched: BTreeSet<(i32, i32)> = changed
            .iter()
            .flat_map(|&rect| blocks_of(rect).cells())
            .map(|block| (block.y, block.x))
            .collect();
        // The squares of blocks whose areas have to be joined again.
        let mut outdated = BTreeSet::new();
        for &(row, column) in &touched {
            let [y, x] = [row, column].map(|block| block * SIDE);
            let cliffs = walkable.cliffs.map(|cliffs| cliffs.block(y, x));
            let block = AreaBlock::label(&walkable.rows.block(y, x), cliffs.as_ref(), self.corners);
            if block.count != self.block(column, row).count {
                outdated.insert(square_of((column, row)));
            }
            self.set_outline(column, row, |outline| {
                (outline.is_walkable, outline.first_middle) = (block.count > 0, block.first_middle);
            });
            let block = if block.count == 0 { self.empty.clone() } else { Arc::new(block) };
            Arc::make_mut(&mut self.blocks[row as usize])[column as usize] = block;
        }
        let beside = |&(row, column): &(i32, i32)| {
            self.blocks_in(CellRect::new((column - 1, row - 1).into(), (column + 1, row).into()))
        };
        let around: BTreeSet<(i32, i32)> =
            touched.iter().flat_map(beside).map(|(column, row)| (row, column)).collect();
        for (row, column) in around {
            let old = &self.links[row as usize][column as usize];
            let is_new = |c: i32, r: i32| touched.contains(&(r, c));
            let mut links = Vec::with_capacity(old.len());
            for (side, (dx, dy)) in (0u8..).zip(NEIGHBORS) {
                if is_new(column, row) || is_new(column + dx, row + dy) {
                    self.link(walkable, (column, row), side, &mut links);
                } else {
                    links.extend(old.iter().filter(|link| link.0 == side));
                }
            }
            if links[..] != old[..] {
                let joints = Joints::of(&links);
                self.set_outline(column, row, |outline| outline.joints = joints);
                Arc::make_mut(&mut self.links[row as usize])[column as usize] = links.into();
                let ends = CellRect::new((column - 1, row).into(), (column + 1, row + 1).into());
                outdated.extend(self.blocks_in(ends).map(square_of));
            }
        }
        for &(x, y) in &outdated {
            Arc::make_mut(&mut self.squares[y as usize])[x as usize] = Arc::default();
            self.joined = Arc::default();
        }
    }

    /// Changes a block's outline, and copies the row only if it becomes another.
    fn set_outline(&mut self, column: i32, row: i32, change: impl FnOnce(&mut Outline)) {
        let mut outline = self.outlines[row as usize][column as usize];
        change(&mut outline);
        if outline != self.outlines[row as usize][column as usize] {
            Arc::make_mut(&mut self.outlines[row as usize])[column as usize] = outline;
        }
    }

    fn all_blocks(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    fn index(&self, column: i32, row: i32) -> usize {
        (row * self.columns + column) as usize
    }

    fn block(&self, column: i32, row: i32) -> &AreaBlock {
        &self.blocks[row as usize][column as usize]
    }

    /// Appends the links from one block to its neighbour `side` of [`NEIGHBORS`], sorted and without duplicates.
    fn link(
        &self,
        walkable: WalkableCells<'_>,
        (column, row): (i32, i32),
        side: u8,
        links: &mut Vec<(u8, u16, u16)>,
    ) {
        let (dx, dy) = NEIGHBORS[usize::from(side)];
        let (c, r) = (column + dx, row + dy);
        if c < 0 || c >= self.columns || r >= self.rows || (dx != 0 && dy != 0 && !self.corners) {
            return;
        }
        let (here, there) = (self.block(column, row), self.block(c, r));
        let (left, top) = (column * SIDE, row * SIDE);
        let (bits, transposed) = (walkable.rows, walkable.columns);
        let area = |block: &AreaBlock, cell: GridCell| block.area(walkable, cell);
        let mut found = Vec::new();
        let mut touch = |from: GridCell, to: GridCell| {
            if walkable.are_parted(from, to) {
                return;
            }
            let link = (side, area(here, from), area(there, to));
            if found.last() != Some(&link) {
                found.push(link);
            }
        };
        if dx != 0 && dy != 0 {
            let (from, to) = if dx == 1 { (left + 63, left + 64) } else { (left, left - 1) };
            if bits.get(top + 63, from) && bits.get(top + 64, to) {
                touch(GridCell::new(from, top + 63), GridCell::new(to, top + 64));
            }
            links.extend(found);
            return;
        }
        // The lines on both sides of the border, as words. Cells beyond the map read as blocked, so incomplete
        // blocks need no special case.
        let is_east = dx == 1;
        let (near, far) = if is_east {
            (transposed.word(left + 63, top), transposed.word(left + 64, top))
        } else {
            (bits.word(top + 63, left), bits.word(top + 64, left))
        };
        let cell = |beyond: i32, along: i32| match is_east {
            true => GridCell::new(left + 63 + beyond, top + along),
            false => GridCell::new(left + along, top + 63 + beyond),
        };
        let reach = if self.corners { far | far << 1 | far >> 1 } else { far };
        let candidates = near & reach;
        if candidates != 0 && here.count == 1 && there.count == 1 && walkable.cliffs.is_none() {
            links.push((side, 0, 0));
            return;
        }
        for at in ones(candidates).map(|at| at as i32) {
            let others = if self.corners { at - 1..=at + 1 } else { at..=at };
            for other in others.filter(|&o| (0..SIDE).contains(&o) && far >> o & 1 != 0) {
                touch(cell(0, at), cell(1, other));
            }
        }
        found.sort_unstable();
        found.dedup();
        links.extend(found);
    }

    pub(crate) fn any(&self) -> bool {
        self.blocks.iter().flat_map(|row| row.iter()).any(|block| block.count > 0)
    }

    /// The region of each area; joins the areas if no query has done so since the last change.
    fn joined(&self) -> &Joined {
        self.joined.get_or_init(|| self.join())
    }
}

/// A union-find structure; the root of each set is its least member.
struct DisjointSet(Vec<u32>);

impl DisjointSet {
    fn new(len: u32) -> Self {
        Self((0..len).collect())
    }

    fn root(&mut self, mut a: u32) -> u32 {
        while self.0[a as usize] != a {
            self.0[a as usize] = self.0[self.0[a as usize] as usize];
            a = self.0[a as usize];
        }
        a
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
