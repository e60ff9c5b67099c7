//! The distances on uniform ground, by tiles of 8×8 cells, where the processor has AVX2.
//!
//! Each row of a tile is one register. A tile that is due takes over the costs at the edges of the tiles round it and
//! spreads costs among its own cells, row by row downwards and upwards, until nothing changes. Then the tiles round
//! it whose cells it can make cheaper are due, in the order of the least cost that becomes cheaper (buckets, as for
//! single cells; see the [parent module](super)). Costs need not be final when a tile's turn comes: what is cheaper
//! later is spread again. On open ground each tile has one turn, on most maps 1.1 to 1.8.
//!
//! Where walls are as dense as in a maze one cell wide, a tile has up to ten turns, and a search cell by cell is
//! faster. Time of a whole field as part of that cell by cell, with eight directions and with four, on maps of 256 to
//! 1024 cells a side: open ground 0.7 and 0.5, rooms 0.6 and 0.4, walls on 10 % of the cells 0.4 and 0.3, on 20 % 0.5
//! and 0.3, on 30 % 1 (cell by cell) and 0.4, twelve game maps of MovingAI 0.5 and 0.4. The same tiles as plain loops,
//! which the compiler turns into AVX2, take 2.3 times as long as with instructions chosen by hand.
//!
//! A [`TileReader`] takes what is found, and may end the search before it has reached all cells.

use super::super::costs::StepCosts;
use super::super::jps::{Always, Four, Never, OneFree, Rule};
use super::{Cost, DistanceJob, UNREACHABLE};
use crate::grid::{Bitmap, CornerRule, Directions, Grid, GridCell};
use crate::simd::{PassU32x8, prefetch, run_u32x8};

// The work on the rows of one tile.
mod rows;
#[cfg(test)]
mod tests;

use rows::{Edges, StepLanes, chosen_steps, improved, relaxed_tile};

/// The costs of the cells of a tile, row by row.
#[derive(Copy, Clone, Debug)]
#[repr(align(64))]
struct FieldTile([[u32; 8]; 8]);

/// The cost of a cell that has not been reached, and of a blocked one. A few steps more still fit into 32 bits.
pub(in crate::search) const INFINITE: u32 = 1 << 31;
/// The greatest cost for which a tile has a turn: no cell of it then exceeds 32 bits.
pub(in crate::search) const GREATEST: u32 = 1 << 30;
const RING: u32 = 64;
/// How many tiles before its turn a tile is prefetched.
const AHEAD: usize = 8;
/// The bucket of a tile that is not due.
const NEVER: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Tiles {
    /// Tiles in a row of tiles, with one more at both ends.
    across: usize,
    /// Which cells are walkable: a byte for each row of a tile, tile by tile. One row of tiles more above and below.
    free: Vec<[u8; 8]>,
    /// For each tile its own index, or 0 if it has not been reached.
    slots: Vec<u32>,
    /// The costs of each tile that has been reached; others hold anything. The first lies beyond the map, is never
    /// reached, and stands for all that are not.
    costs: Vec<FieldTile>,
    /// For each tile the number of the bucket in which it is due.
    due: Vec<u32>,
    buckets: Vec<Vec<u32>>,
    /// The number of the present bucket.
    now: u32,
    /// A bucket is 2^`width_bits` units of cost wide.
    width_bits: u32,
    turns: usize,
}

/// The costs and first steps of all cells, row by row, as in [`Distances`](super::Distances).
type Found = (Vec<u32>, Vec<u8>);

/// The costs and first steps of a tile's cells, row by row.
pub(in crate::search) type TileRows = [([u32; 8], [u8; 8]); 8];

pub(in crate::search) trait TileReader {
    /// Whether the search may end. Costs below `settled` are final, and all are if it is infinite.
    fn is_enough(&mut self, _: &Tiles, _settled: u32) -> bool {
        false
    }

    /// Takes a tile that has been reached; `corner` is its first cell. Cells beyond the grid have no cost.
    fn read(&mut self, corner: GridCell, rows: &TileRows);
}

/// Collects all cells, row by row.
struct WholeGrid {
    width: usize,
    height: usize,
    found: Found,
}

impl TileReader for WholeGrid {
    fn read(&mut self, corner: GridCell, rows: &TileRows) {
        let Self { width, height, found: (costs, steps) } = self;
        // Memory is taken once the search has ended: it may find nothing.
        if costs.is_empty() {
            costs.resize(*width * *height, u32::NONE);
            steps.resize(*width * *height, UNREACHABLE);
        }
        let (x, y) = (corner.x as usize, corner.y as usize);
        for (row, (own_costs, own_steps)) in rows.iter().enumerate().take(*height - y) {
            let from = (y + row) * *width + x;
            let len = (*width - x).min(8);
            if len == 8 {
                costs[from..from + 8].copy_from_slice(own_costs);
                steps[from..from + 8].copy_from_slice(own_steps);
            } else {
                costs[from..from + len].copy_from_slice(&own_costs[..len]);
                steps[from..from + len].copy_from_slice(&own_steps[..len]);
            }
        }
    }
}

impl Tiles {
    /// Searches backwards from the goals on ground of one cost without cliffs. `None` if single cells are faster, if
    /// a cost is above `greatest`, and without AVX2.
    pub(super) fn find(
        &mut self,
        (grid, rows): (&Grid, &Bitmap),
        job: DistanceJob<'_>,
        costs: &StepCosts,
        greatest: u32,
    ) -> Option<Found> {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut whole = WholeGrid { width, height, found: Found::default() };
        self.search((grid, rows), job, costs, greatest, &mut whole)?;
        Some(whole.found)
    }

    /// The same search, read by `reader`.
    pub(in crate::search) fn search(
        &mut self,
        (grid, rows): (&Grid, &Bitmap),
        job: DistanceJob<'_>,
        costs: &StepCosts,
        greatest: u32,
        reader: &mut dyn TileReader,
    ) -> Option<()> {
        if is_dense(rows, job.steps.directions) {
            return None;
        }
        run_u32x8(TileSearch { tiles: self, grid, rows, job, costs, greatest, reader })?
    }

    /// The cost of a cell so far, as the search has come to it.
    pub(in crate::search) fn cost(&self, cell: GridCell) -> u32 {
        let (at, y, x) = self.place(cell);
        self.tile(at).0[y][x]
    }

    pub(in crate::search) fn turns(&self) -> usize {
        self.turns
    }

    /// The tile of a cell, and the cell's row and column in it.
    fn place(&self, cell: GridCell) -> (usize, usize, usize) {
        let (x, y) = (cell.x as usize, cell.y as usize);
        ((y / 8 + 1) * self.across + x / 8 + 1, y % 8, x % 8)
    }

    /// Reads the walkable cells, and forgets the last search.
    fn begin(&mut self, rows: &Bitmap, straight: u32) {
        let words = (rows.len() as usize).div_ceil(64);
        self.across = words * 8 + 2;
        let count = self.across * ((rows.lines() as usize).div_ceil(8) + 2);
        self.free.clear();
        self.free.resize(count, [0; 8]);
        let mut buffer = Vec::new();
        for y in 0..rows.lines() {
            let first = (y as usize / 8 + 1) * self.across + 1;
            let bytes =
                rows.line(y).values(&mut buffer)[1..=words].iter().flat_map(|word| word.to_le_bytes());
            for (tile, byte) in self.free[first..].iter_mut().zip(bytes) {
                tile[y as usize % 8] = byte;
            }
        }
        if self.costs.len() < count {
            self.costs.resize(count, FieldTile([[INFINITE; 8]; 8]));
        }
        self.slots.clear();
        self.slots.resize(count, 0);
        self.due.clear();
        self.due.resize(count, NEVER);
        self.buckets.resize_with(RING as usize, Vec::new);
        self.buckets.iter_mut().for_each(Vec::clear);
        (self.now, self.turns) = (0, 0);
        self.width_bits = (4 * straight).ilog2();
    }

    #[inline(always)]
    fn tile(&self, at: usize) -> &FieldTile {
        &self.costs[self.slots[at] as usize]
    }

    fn set(&mut self, at: usize, tile: FieldTile) {
        self.slots[at] = at as u32;
        self.costs[at] = tile;
    }

    /// Makes a tile due for a cell that can get this cost.
    #[inline(always)]
    fn mark(&mut self, at: usize, cost: u32) {
        // Too early is of no harm.
        let bucket = (cost >> self.width_bits).clamp(self.now, self.now + RING - 1);
        if bucket < self.due[at] {
            self.due[at] = bucket;
            self.buckets[(bucket % RING) as usize].push(at as u32);
        }
    }

    /// The next tile that is due; `None` if there is none.
    fn next(&mut self) -> Option<usize> {
        let mut empty = 0;
        while empty < RING {
            match self.buckets[(self.now % RING) as usize].pop() {
                // An entry of a tile that has had its turn since, or gets it in another bucket, is stale.
                Some(at) if self.due[at as usize] == self.now => {
                    self.due[at as usize] = NEVER;
                    self.turns += 1;
                    return Some(at as usize);
                }
                Some(_) => {}
                None => {
                    empty += 1;
                    self.now += 1;
                }
            }
        }
        None
    }

    /// The edges of the tiles round a tile, which is `OPEN` if all cells of it and of these edges are walkable.
    #[inline(always)]
    fn edges<R: Rule, const OPEN: bool>(&self, at: usize) -> Edges {
        let across = self.across;
        let [above, below, left, right] = [at - across, at + across, at - 1, at + 1].map(|at| self.tile(at));
        let mut edges = Edges { above: above.0[7], below: below.0[0], ..Edges::default() };
        for y in 0..8 {
            (edges.left[y], edges.right[y]) = (left.0[y][7], right.0[y][0]);
        }
        if !R::FOUR {
            let corner = |at: usize, y: usize, x: usize| self.tile(at).0[y][x];
            edges.corners = [
                corner(at - across - 1, 7, 7),
                corner(at - across + 1, 7, 0),
                corner(at + across - 1, 0, 7),
                corner(at + across + 1, 0, 0),
            ];
        }
        edges.free = self.free[at];
        if !OPEN {
            edges.free_round = [
                self.free[at - across][7],
                self.free[at + across][0],
                column(self.free[at - 1], 7),
                column(self.free[at + 1], 0),
            ];
            if !R::FOUR {
                edges.set_diagonals::<R>(self.corners_free(at));
            }
        }
        edges
    }

    /// Whether the cells beyond the corners of a tile are walkable, in the order of [`Edges::corners`].
    #[inline(always)]
    fn corners_free(&self, at: usize) -> [bool; 4] {
        let is_free = |at: usize, y: usize, bit: u8| self.free[at][y] & bit != 0;
        let (above, below) = (at - self.across, at + self.across);
        [
            is_free(above - 1, 7, 128),
            is_free(above + 1, 7, 1),
            is_free(below - 1, 0, 128),
            is_free(below + 1, 0, 1),
        ]
    }

    /// Whether all cells of a tile and round it are walkable.
    #[inline(always)]
    fn is_open(&self, at: usize) -> bool {
        self.free[at] == [u8::MAX; 8]
            && self.free[at - self.across][7] & self.free[at + self.across][0] == u8::MAX
            && column(self.free[at - 1], 7) & column(self.free[at + 1], 0) == u8::MAX
            && self.corners_free(at) == [true; 4]
    }

    /// Spreads costs within a tile, and makes the tiles round it due whose cells it can make cheaper.
    #[inline(always)]
    fn spread<R: Rule, const OPEN: bool>(&mut self, lanes: &StepLanes, at: usize, is_goal: bool) {
        let edges = self.edges::<R, OPEN>(at);
        let Some(tile) = relaxed_tile::<R, OPEN>(lanes, self.tile(at), &edges, is_goal) else { return };
        let round = improved::<R, OPEN>(lanes, &tile, &edges);
        self.set(at, tile);
        let beside = [at - self.across, at + self.across, at - 1, at + 1];
        for (at, cost) in beside.into_iter().zip(round) {
            if cost < INFINITE {
                self.mark(at, cost);
            }
        }
        if !R::FOUR {
            let [above, below, ..] = beside;
            let cells = [
                (above - 1, tile.0[0][0]),
                (above + 1, tile.0[0][7]),
                (below - 1, tile.0[7][0]),
                (below + 1, tile.0[7][7]),
            ];
            let is_free = if OPEN { [true; 4] } else { self.corners_free(at) };
            for (corner, (at, cost)) in cells.into_iter().enumerate() {
                let cost = cost + lanes.diagonal_units;
                if cost < edges.corners[corner] && is_free[corner] {
                    self.mark(at, cost);
                }
            }
        }
    }

    /// Has the tiles that were reached read.
    #[inline(always)]
    fn read<R: Rule>(&self, lanes: &StepLanes, grid: &Grid, reader: &mut dyn TileReader) {
        for y in (0..grid.height() as usize).step_by(8) {
            let first = (y / 8 + 1) * self.across + 1;
            for x in (0..grid.width() as usize).step_by(8) {
                let at = first + x / 8;
                // Its first row will be the edge below.
                prefetch(&self.costs, at + self.across + AHEAD);
                if self.slots[at] == 0 {
                    continue;
                }
                let rows = if self.is_open(at) {
                    chosen_steps::<R, true>(lanes, self.tile(at), &self.edges::<R, true>(at))
                } else {
                    chosen_steps::<R, false>(lanes, self.tile(at), &self.edges::<R, false>(at))
                };
                reader.read(GridCell::new(x as i32, y as i32), &rows);
            }
        }
    }
}

struct TileSearch<'s> {
    tiles: &'s mut Tiles,
    grid: &'s Grid,
    rows: &'s Bitmap,
    job: DistanceJob<'s>,
    costs: &'s StepCosts,
    greatest: u32,
    reader: &'s mut dyn TileReader,
}

impl PassU32x8 for TileSearch<'_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        match (self.job.steps.directions, self.job.steps.corners) {
            (Directions::Four, _) => self.run_by::<Four>(),
            (_, CornerRule::Never) => self.run_by::<Never>(),
            (_, CornerRule::OneFree) => self.run_by::<OneFree>(),
            (_, CornerRule::Always) => self.run_by::<Always>(),
        }
    }
}

impl TileSearch<'_> {
    /// `None` if costs are too great.
    #[inline(always)]
    fn run_by<R: Rule>(self) -> Option<()> {
        let Self { tiles, grid, rows, job, costs, greatest, reader } = self;
        let lanes = StepLanes::new(costs.straight as u32, costs.diagonal as u32);
        tiles.begin(rows, lanes.straight_units);
        let is_walkable = |goal: &&GridCell| grid.is_walkable(job.kind, **goal);
        let goals: Vec<_> = job.goals.iter().filter(is_walkable).map(|&goal| tiles.place(goal)).collect();
        for &(at, y, x) in &goals {
            let mut tile = *tiles.tile(at);
            tile.0[y][x] = 0;
            tiles.set(at, tile);
        }
        for &(at, ..) in &goals {
            tiles.spread::<R, false>(&lanes, at, true);
        }
        let mut now = 0;
        loop {
            let next = tiles.next();
            // The costs below those of the present bucket are final.
            if tiles.now != now || next.is_none() {
                now = tiles.now;
                if next.is_some() && now > greatest >> tiles.width_bits {
                    return None;
                }
                let settled = next.map_or(INFINITE, |_| now << tiles.width_bits);
                if reader.is_enough(tiles, settled) {
                    break;
                }
            }
            let Some(at) = next else { break };
            if tiles.is_open(at) {
                tiles.spread::<R, true>(&lanes, at, false);
            } else {
                tiles.spread::<R, false>(&lanes, at, false);
            }
        }
        tiles.read::<R>(&lanes, grid, reader);
        Some(())
    }
}

/// The column of bits of a tile's rows: one bit for each row.
#[inline(always)]
fn column(rows: [u8; 8], x: u32) -> u8 {
    let bits = u64::from_le_bytes(rows) >> x & 0x0101_0101_0101_0101;
    // Moves bit 8·y to bit 56 + y.
    (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Whether walls are so dense that single cells are faster than tiles.
fn is_dense(rows: &Bitmap, directions: Directions) -> bool {
    let (mut free, mut edges, mut buffers) = (0, 0, [Vec::new(), Vec::new()]);
    for y in 0..rows.lines() {
        let mut before = 0;
        let [own, above] = &mut buffers;
        let (own, above) = (rows.line(y).values(own), rows.line(y - 1).values(above));
        for (&own, &above) in own[1..].iter().zip(&above[1..]) {
            free += own.count_ones() as usize;
            edges += ((own ^ above).count_ones() + (own ^ (own << 1 | before >> 63)).count_ones()) as usize;
            before = own;
        }
    }
    let most = if directions == Directions::Four { MOST_EDGES_FOUR } else { MOST_EDGES_EIGHT };
    edges * 4 > free * most
}

/// The most edges between walkable and blocked cells for four walkable cells. Measured with one goal: at 4 edges
/// (scattered walls on 35 % of the cells, corridors two cells wide) both searches take about the same time; tiles
/// take a quarter of it with walls on 10 %.
const MOST_EDGES_EIGHT: usize = 4;
/// The same with four directions: tiles take 1.1 of the time in a maze one cell wide (8 edges), half of it with walls
/// on 35 % (6 edges).
const MOST_EDGES_FOUR: usize = 7;
