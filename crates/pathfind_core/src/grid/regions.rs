//! Connected areas, kept up to date under edits, so that an unreachable goal is known at once.
//!
//! The map is cut into blocks of 64×64 cells. Inside a block, runs of walkable cells along a row are
//! joined to areas; between blocks, links join areas across the border; and the areas of all blocks
//! are joined to regions. An edit labels its block anew and compares: only when the block's areas or
//! links changed in kind are the regions joined again, and that walks links, not cells.

use std::sync::Arc;

use super::bits::Bits;
use super::cell::{Cell, CellRect};

const SIDE: i32 = 64;

/// The areas of one block. A run is found by its row and by counting the run starts before a cell.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    first_run: [u16; SIDE as usize + 1],
    /// The area of each run, numbered in order of their first runs.
    areas: Areas,
    count: u16,
}

/// Numbers of areas: few blocks have so many that a byte does not hold them.
#[derive(Clone, Debug, PartialEq)]
enum Areas {
    Few(Box<[u8]>),
    Many(Box<[u16]>),
}

/// Pairs of areas that touch: one of this block, one of the neighbour to the east, south-west,
/// south or south-east.
type Links = Arc<[(u8, u16, u16)]>;

const NEIGHBORS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The connected regions of one bitmap.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// Whether areas that meet at a corner are joined.
    corners: bool,
    columns: i32,
    rows: i32,
    blocks: Vec<Arc<Block>>,
    links: Vec<Links>,
    /// Where each block's areas begin in `regions`.
    first_area: Arc<[u32]>,
    regions: Arc<[u32]>,
}

impl Regions {
    pub(crate) fn new(bits: &Bits, width: u32, height: u32, corners: bool) -> Self {
        let (columns, rows) = (width.div_ceil(64) as i32, height.div_ceil(64) as i32);
        let mut regions = Self {
            corners,
            columns,
            rows,
            blocks: Vec::new(),
            links: Vec::new(),
            first_area: Arc::default(),
            regions: Arc::default(),
        };
        for (column, row) in regions.all_blocks() {
            let block = Block::label(&bits.block(row * SIDE, column * SIDE), corners);
            regions.blocks.push(Arc::new(block));
        }
        for (column, row) in regions.all_blocks() {
            let links = regions.link(bits, column, row);
            regions.links.push(links);
        }
        regions.join();
        regions
    }

    /// The region of a walkable cell inside the map.
    pub(crate) fn region(&self, bits: &Bits, cell: Cell) -> u32 {
        let block = self.index(cell.x >> 6, cell.y >> 6);
        let area = self.blocks[block].area(bits.word(cell.y, cell.x), cell.y & 63, cell.x & 63);
        self.regions[self.first_area[block] as usize + usize::from(area)]
    }

    /// The cells of a region that are nearest to another cell, in order of rows.
    pub(crate) fn nearest(&self, bits: &Bits, region: u32, to: Cell, found: &mut Vec<Cell>) {
        found.clear();
        let mut best = u64::MAX;
        for (column, row) in self.all_blocks() {
            let block = CellRect::new(
                Cell::new(column * SIDE, row * SIDE),
                Cell::new(column * SIDE + SIDE - 1, row * SIDE + SIDE - 1),
            );
            if block.nearest_to(to).distance_squared(to) <= best && self.holds(column, row, region) {
                self.nearest_in_block(bits, block.min, region, to, &mut best, found);
            }
        }
        found.sort_unstable_by_key(|cell| (cell.y, cell.x));
    }

    fn holds(&self, column: i32, row: i32, region: u32) -> bool {
        let block = self.index(column, row);
        let first = self.first_area[block] as usize;
        self.regions[first..first + usize::from(self.blocks[block].count)].contains(&region)
    }

    fn nearest_in_block(
        &self,
        bits: &Bits,
        corner: Cell,
        region: u32,
        to: Cell,
        best: &mut u64,
        found: &mut Vec<Cell>,
    ) {
        for (y, mut left) in (corner.y..).zip(bits.block(corner.y, corner.x)) {
            while left != 0 {
                let (first, run) = lowest_run(left);
                left &= !run;
                let start = Cell::new(corner.x + first, y);
                // Of one run only the cells nearest to the column count: one.
                let end = start.x + run.count_ones() as i32 - 1;
                let near = Cell::new(to.x.clamp(start.x, end), y);
                let distance = near.distance_squared(to);
                if distance <= *best && self.region(bits, start) == region {
                    if distance < *best {
                        found.clear();
                        *best = distance;
                    }
                    found.push(near);
                }
            }
        }
    }

    /// Takes in changed cells.
    pub(crate) fn update(&mut self, bits: &Bits, changed: CellRect) {
        let blocks = CellRect::new(
            Cell::new(changed.min.x >> 6, changed.min.y >> 6),
            Cell::new(changed.max.x >> 6, changed.max.y >> 6),
        );
        let mut changed_in_kind = false;
        for Cell { x, y } in blocks.cells() {
            let block = Block::label(&bits.block(y * SIDE, x * SIDE), self.corners);
            let index = self.index(x, y);
            changed_in_kind |= block.count != self.blocks[index].count;
            self.blocks[index] = Arc::new(block);
        }
        let map = CellRect::new(Cell::new(0, 0), Cell::new(self.columns - 1, self.rows - 1));
        let around = blocks.grown(1).intersection(map).expect("changed cells lie in the map");
        for Cell { x, y } in around.cells() {
            let links = self.link(bits, x, y);
            let index = self.index(x, y);
            if links != self.links[index] {
                self.links[index] = links;
                changed_in_kind = true;
            }
        }
        if changed_in_kind {
            self.join();
        }
    }

    fn all_blocks(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    fn index(&self, column: i32, row: i32) -> usize {
        (row * self.columns + column) as usize
    }

    /// The links of one block, each once, in order.
    fn link(&self, bits: &Bits, column: i32, row: i32) -> Links {
        let here = &self.blocks[self.index(column, row)];
        let (left, top) = (column * SIDE, row * SIDE);
        let mut links = Vec::new();
        for (side, (dx, dy)) in (0u8..).zip(NEIGHBORS) {
            let (c, r) = (column + dx, row + dy);
            if c < 0 || c >= self.columns || r >= self.rows || (dx != 0 && dy != 0 && !self.corners) {
                continue;
            }
            let there = &self.blocks[self.index(c, r)];
            let mut touch = |from: Cell, to: Cell| {
                if bits.get(from.y, from.x) && bits.get(to.y, to.x) {
                    let a = here.area(bits.word(from.y, from.x), from.y & 63, from.x & 63);
                    let b = there.area(bits.word(to.y, to.x), to.y & 63, to.x & 63);
                    if links.last() != Some(&(side, a, b)) {
                        links.push((side, a, b));
                    }
                }
            };
            // Cells beyond the map read as blocked, so short blocks need no limits of their own.
            let reach = if self.corners { -1..=1 } else { 0..=0 };
            match (dx, dy) {
                (1, 0) => {
                    let bottom = (top + SIDE).min(bits.lines());
                    for y in top..bottom {
                        for other in reach.clone().map(|d| y + d).filter(|o| (top..bottom).contains(o)) {
                            touch(Cell::new(left + 63, y), Cell::new(left + 64, other));
                        }
                    }
                }
                (0, 1) => {
                    let (above, below) = (bits.word(top + 63, left), bits.word(top + 64, left));
                    let near = if self.corners { below | below << 1 | below >> 1 } else { below };
                    let mut candidates = above & near;
                    while candidates != 0 {
                        let x = left + candidates.trailing_zeros() as i32;
                        candidates &= candidates - 1;
                        for other in reach.clone().map(|d| x + d).filter(|o| o >> 6 == column) {
                            touch(Cell::new(x, top + 63), Cell::new(other, top + 64));
                        }
                    }
                }
                (1, 1) => touch(Cell::new(left + 63, top + 63), Cell::new(left + 64, top + 64)),
                _ => touch(Cell::new(left, top + 63), Cell::new(left - 1, top + 64)),
            }
        }
        links.sort_unstable();
        links.dedup();
        links.into()
    }

    /// Joins areas to regions over all links.
    fn join(&mut self) {
        let mut first_area = Vec::with_capacity(self.blocks.len() + 1);
        let mut areas = 0u32;
        for block in &self.blocks {
            first_area.push(areas);
            areas += u32::from(block.count);
        }
        let mut forest = Forest::new(areas);
        for (column, row) in self.all_blocks() {
            let here = self.index(column, row);
            for &(side, a, b) in self.links[here].iter() {
                let (dx, dy) = NEIGHBORS[usize::from(side)];
                let there = self.index(column + dx, row + dy);
                forest.join(first_area[here] + u32::from(a), first_area[there] + u32::from(b));
            }
        }
        self.regions = (0..areas).map(|area| forest.root(area)).collect();
        self.first_area = first_area.into();
    }
}

impl Block {
    fn area(&self, row_bits: u64, y: i32, x: i32) -> u16 {
        let starts = row_bits & !(row_bits << 1);
        let runs_before = (starts << (63 - x)).count_ones() - 1;
        let run = usize::from(self.first_run[y as usize]) + runs_before as usize;
        match &self.areas {
            Areas::Few(areas) => u16::from(areas[run]),
            Areas::Many(areas) => areas[run],
        }
    }

    fn label(rows: &[u64; SIDE as usize], corners: bool) -> Self {
        let mut first_run = [0u16; SIDE as usize + 1];
        let mut runs: Vec<u64> = Vec::new();
        for (y, &row) in rows.iter().enumerate() {
            let mut left = row;
            while left != 0 {
                let (_, run) = lowest_run(left);
                runs.push(run);
                left &= !run;
            }
            first_run[y + 1] = runs.len() as u16;
        }
        let mut forest = Forest::new(runs.len() as u32);
        for y in 1..SIDE as usize {
            let mut above = usize::from(first_run[y - 1]);
            let above_end = usize::from(first_run[y]);
            for run in above_end..usize::from(first_run[y + 1]) {
                let reach = if corners { runs[run] | runs[run] << 1 | runs[run] >> 1 } else { runs[run] };
                // Both rows are in order, so a run above that ends before this one begins is done.
                while above < above_end && runs[above] & reach == 0 && runs[above] < reach {
                    above += 1;
                }
                let mut touching = above;
                while touching < above_end && runs[touching] & reach != 0 {
                    forest.join(touching as u32, run as u32);
                    touching += 1;
                }
            }
        }
        let mut number = vec![u16::MAX; runs.len()];
        let mut count = 0;
        let areas: Vec<u16> = (0..runs.len())
            .map(|run| {
                let area = &mut number[forest.root(run as u32) as usize];
                if *area == u16::MAX {
                    *area = count;
                    count += 1;
                }
                *area
            })
            .collect();
        let areas = if count <= 256 {
            Areas::Few(areas.into_iter().map(|area| area as u8).collect())
        } else {
            Areas::Many(areas.into())
        };
        Self { first_run, areas, count }
    }
}

/// The lowest run of ones: where it starts, and the run. There must be one.
fn lowest_run(bits: u64) -> (i32, u64) {
    let start = bits & bits.wrapping_neg();
    // Adding the lowest bit carries through its run; what changed is the run.
    (bits.trailing_zeros() as i32, bits & !bits.wrapping_add(start))
}

/// Disjoint sets; the root of a set is its least member.
struct Forest(Vec<u32>);

impl Forest {
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
