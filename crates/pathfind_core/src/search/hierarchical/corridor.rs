//! Least costs over a corridor of tiles.
//!
//! The tile whose cells can fall to the least cost is swept first, and wakes the neighbours whose cells it lowers, until the
//! goal's cost is the least of all. (Heap-cell methods: A. Chacon and A. Vladimirsky, "Fast Two-Scale Methods for Eikonal
//! Equations", SIAM Journal on Scientific Computing 34, 2012.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tile::{Costs, NO_COSTS, NONE, Rules, SIDE, Sweeps, Work, index, window};
use crate::grid::{Bitmap, Cell, CellRect, Direction, Grid, SUCCESSORS, Steps, SuccessorPruning};
use crate::simd::Simd;

/// The memory of a corridor, used again by the next search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corridor {
    /// The index of each tile of the grid, row by row; [`Self::OUTSIDE`] if it is not in the corridor.
    slots: Vec<u32>,
    /// Number of tiles in a row of tiles.
    across: i32,
    tiles: Vec<Tile>,
    costs: Vec<Costs>,
    /// Tiles whose cells can fall, by the least cost they fall to.
    open: BinaryHeap<Reverse<(i32, u32)>>,
    work: Box<Work>,
    simd: Simd,
    goal: Cell,
}

#[derive(Copy, Clone, Debug)]
struct Tile {
    column: i32,
    row: i32,
    way: Way,
    /// The least cost that its cells can fall to, [`NONE`] if they are final so far.
    due: i32,
}

/// How a tile is swept first: the direction of most of its paths.
#[derive(Copy, Clone, Debug)]
pub(super) struct Way {
    /// Whether its lines are columns.
    along_rows: bool,
    upward: bool,
}

impl Way {
    pub(super) fn between(from: Cell, to: Cell) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let along_rows = dx.abs() > dy.abs();
        Self { along_rows, upward: if along_rows { dx < 0 } else { dy < 0 } }
    }
}

/// What a corridor reads of a grid.
#[derive(Copy, Clone)]
pub(super) struct Walkable<'g> {
    pub(super) rows: &'g Bitmap,
    pub(super) columns: &'g Bitmap,
}

impl Corridor {
    const OUTSIDE: u32 = u32::MAX;

    /// Empties the corridor.
    pub(super) fn begin(&mut self, grid: &Grid, rules: Rules) {
        for tile in self.tiles.drain(..) {
            self.slots[(tile.row * self.across + tile.column) as usize] = Self::OUTSIDE;
        }
        self.costs.clear();
        self.open.clear();
        let [columns, rows] =
            [grid.width(), grid.height()].map(|side| (side + SIDE as u32 / 2).div_ceil(SIDE as u32));
        self.across = columns as i32;
        if self.slots.len() < (columns * rows) as usize {
            self.slots.resize((columns * rows) as usize, Self::OUTSIDE);
        }
        self.work.rules = rules;
    }

    /// Replaces the costs of steps, for a test.
    #[cfg(test)]
    pub(super) fn set_rules(&mut self, rules: Rules) {
        self.work.rules = rules;
    }

    /// Adds the tiles that a rectangle meets, unless they are there or do not count; `due` is a lower bound of the costs of
    /// their cells.
    pub(super) fn add(&mut self, rect: CellRect, way: Way, due: i32, counts: impl Fn(CellRect) -> bool) {
        let tile = |cell: Cell| Cell::new((cell.x + SIDE / 2) >> 5, (cell.y + SIDE / 2) >> 5);
        for at in CellRect::new(tile(rect.min), tile(rect.max)).cells() {
            let corner = Cell::new(at.x * SIDE - SIDE / 2, at.y * SIDE - SIDE / 2);
            let is_new = self.slots[(at.y * self.across + at.x) as usize] == Self::OUTSIDE;
            if is_new && counts(CellRect::new(corner, Cell::new(corner.x + SIDE - 1, corner.y + SIDE - 1))) {
                self.add_tile(at.x, at.y, way, due);
            }
        }
    }

    fn add_tile(&mut self, column: i32, row: i32, way: Way, due: i32) {
        self.slots[(row * self.across + column) as usize] = self.tiles.len() as u32;
        self.tiles.push(Tile { column, row, way, due: NONE });
        self.costs.push(NO_COSTS);
        self.wake(self.tiles.len() - 1, due);
    }

    /// The index of the tile at a place, if it is in the corridor.
    fn tile_at(&self, column: i32, row: i32) -> Option<usize> {
        if column < 0 || column >= self.across || row < 0 {
            return None;
        }
        let slot = *self.slots.get((row * self.across + column) as usize)?;
        (slot != Self::OUTSIDE).then_some(slot as usize)
    }

    fn cost_in(&self, tile: usize, cell: Cell) -> i32 {
        let (line, place) = self.place(tile, cell);
        self.costs[tile][index(line, place)]
    }

    /// Line and place of a cell in its tile.
    fn place(&self, tile: usize, cell: Cell) -> (i32, i32) {
        let (x, y) = ((cell.x + SIDE / 2) & (SIDE - 1), (cell.y + SIDE / 2) & (SIDE - 1));
        if self.tiles[tile].way.along_rows { (x, y) } else { (y, x) }
    }

    /// The tile of a cell, if it is in the corridor.
    fn tile_of(&self, cell: Cell) -> Option<usize> {
        self.tile_at((cell.x + SIDE / 2) >> 5, (cell.y + SIDE / 2) >> 5)
    }

    /// The least known cost to a cell.
    pub(super) fn cost(&self, cell: Cell) -> i32 {
        self.tile_of(cell).map_or(NONE, |tile| self.cost_in(tile, cell))
    }

    /// Opens the start.
    pub(super) fn open(&mut self, start: Cell, goal: Cell) {
        self.goal = goal;
        let tile = self.tile_of(start).expect("the start lies in the corridor");
        let (line, place) = self.place(tile, start);
        self.costs[tile][index(line, place)] = 0;
        self.wake(tile, 0);
    }

    fn wake(&mut self, tile: usize, cost: i32) {
        if cost < self.tiles[tile].due {
            self.tiles[tile].due = cost;
            self.open.push(Reverse((cost, tile as u32)));
        }
    }

    /// Sweeps the next tile. Returns whether one was left to sweep.
    pub(super) fn sweep(&mut self, walkable: Walkable<'_>) -> bool {
        let tile = loop {
            let Some(Reverse((due, tile))) = self.open.pop() else { return false };
            if due >= self.cost(self.goal) {
                return false;
            }
            if due == self.tiles[tile as usize].due {
                break tile as usize;
            }
        };
        self.tiles[tile].due = NONE;
        let around = self.gather(tile, walkable);
        if self.work.walkable[1..=SIDE as usize].iter().all(|&line| line & !(1 | 1 << (SIDE + 1)) == 0) {
            return true;
        }
        let lowered = self.simd.run(Sweeps(&mut self.work));
        self.work.take(&mut self.costs[tile]);
        for (neighbor, cost) in around.into_iter().zip(lowered) {
            if let Some(neighbor) = neighbor
                && cost < NONE
            {
                self.wake(neighbor, cost);
            }
        }
        true
    }

    /// Brings a tile and the cells around it to the work bench. Returns the tiles around it in the order of its lines.
    fn gather(&mut self, tile: usize, walkable: Walkable<'_>) -> [Option<usize>; 9] {
        let Tile { column, row, way, .. } = self.tiles[tile];
        let around: [Option<usize>; 9] = std::array::from_fn(|at| {
            let (along, across) = (at as i32 / 3 - 1, at as i32 % 3 - 1);
            let (dx, dy) = if way.along_rows { (along, across) } else { (across, along) };
            self.tile_at(column + dx, row + dy).filter(|&found| found != tile)
        });
        let (lines, across) = if way.along_rows {
            (walkable.columns, walkable.rows)
        } else {
            (walkable.rows, walkable.columns)
        };
        let (first, start) = if way.along_rows { (column, row) } else { (row, column) };
        let [first, start] = [first, start].map(|at| at * SIDE - SIDE / 2);
        let Self { work, costs, tiles, .. } = self;
        work.upward = way.upward;
        work.put(&costs[tile]);
        for (line, bits) in (first - 1..).zip(&mut work.walkable) {
            *bits = window(lines, line, start);
        }
        work.sides = [[start, start - 1], [start + SIDE - 1, start + SIDE]]
            .map(|pair| pair.map(|line| window(across, line, first)));
        // A cell of a neighbour by line and place of this tile, both from 0 to SIDE - 1.
        let cost = |neighbor: Option<usize>, line: i32, place: i32| match neighbor {
            None => NONE,
            Some(other) if tiles[other].way.along_rows == way.along_rows => costs[other][index(line, place)],
            Some(other) => costs[other][index(place, line)],
        };
        let last = SIDE - 1;
        for (line, beyond, other) in [(-1, last, 0), (SIDE, 0, 6)] {
            *work.cost_mut(line, -1) = cost(around[other], beyond, last);
            for place in 0..SIDE {
                *work.cost_mut(line, place) = cost(around[other + 1], beyond, place);
            }
            *work.cost_mut(line, SIDE) = cost(around[other + 2], beyond, 0);
        }
        for line in 0..SIDE {
            *work.cost_mut(line, -1) = cost(around[3], line, last);
            *work.cost_mut(line, SIDE) = cost(around[5], line, 0);
        }
        around
    }

    /// The turning points of the cheapest path, from the goal back to the start; both are among them.
    pub(super) fn path(&self, rows: &Bitmap, steps: Steps) -> Option<Vec<Cell>> {
        let Rules { straight, diagonal, .. } = self.work.rules;
        let legal = SuccessorPruning::new(steps, false);
        let mut cell = self.goal;
        let mut cost = self.cost(cell);
        if cost >= NONE {
            return None;
        }
        let (mut points, mut heading) = (vec![cell], None::<Direction>);
        while cost > 0 {
            let ways = legal.steps_around((0, 0), rows.neighbor_mask(cell.y, cell.x) as u8);
            let price = |way: Direction| if way.is_diagonal() { diagonal } else { straight };
            let on = heading.filter(|way| {
                let at = SUCCESSORS.iter().position(|it| it == way).expect("one of them");
                ways >> at & 1 != 0 && self.cost(cell.step(*way)) == cost - price(*way)
            });
            let way = on.unwrap_or_else(|| {
                (0..8)
                    .filter(|at| ways >> at & 1 != 0)
                    .map(|at| SUCCESSORS[at])
                    .min_by_key(|&way| self.cost(cell.step(way)) + price(way))
                    .expect("a reached cell has a neighbour")
            });
            if heading.is_some_and(|before| before != way) {
                points.push(cell);
            }
            heading = Some(way);
            cell = cell.step(way);
            cost = self.cost(cell);
        }
        points.push(cell);
        Some(points)
    }
}
