//! Least costs over a corridor of tiles.
//!
//! The tile whose cells can fall to the least cost is swept first, and wakes the neighbours whose cells it lowers,
//! until the goal's cost is the least of all. (Heap-cell methods: A. Chacon and A. Vladimirsky, "Fast Two-Scale
//! Methods for Eikonal Equations", SIAM Journal on Scientific Computing 34, 2012.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tile::{NO_COSTS, NONE, Rules, SIDE, Sweeps, TileCosts, TileScratch, TileWalls, index};
use crate::grid::{Bitmap, CellRect, Grid, GridCell, SUCCESSORS, StepRules};
use crate::simd::Simd;

/// The memory of a corridor, used again by the next search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corridor {
    /// The index of each tile of the grid, row by row; [`Self::OUTSIDE`] if it is not in the corridor.
    slots: Vec<u32>,
    across: i32,
    tiles: Vec<Tile>,
    /// The costs of each tile that is not [fresh](Tile::stage), and of more.
    costs: Vec<TileCosts>,
    /// The walkable cells of each tile that was [swept](Stage::Swept), and of more.
    walls: Vec<TileWalls>,
    /// Tiles whose cells can fall, by the least cost they fall to.
    open: BinaryHeap<Reverse<(i32, u32)>>,
    pub(super) scratch: Box<TileScratch>,
    simd: Simd,
    goal: GridCell,
}

#[derive(Copy, Clone, Debug)]
struct Tile {
    column: i32,
    row: i32,
    sweep: SweepDirection,
    /// The least cost that its cells can fall to, [`NONE`] if they are final so far.
    due: i32,
    stage: Stage,
}

/// How far the costs of a tile are known.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Stage {
    /// Not at all: the memory holds costs of an earlier search.
    Fresh,
    /// The cost of the start only.
    Opened,
    /// All that followed from the costs around the tile when it was last swept.
    Swept,
}

/// How a tile is swept first: the direction of most of its paths.
#[derive(Copy, Clone, Debug)]
pub(super) struct SweepDirection {
    /// Whether its lines are columns.
    along_rows: bool,
    upward: bool,
}

impl SweepDirection {
    pub(super) fn between(from: GridCell, to: GridCell) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let along_rows = dx.abs() > dy.abs();
        Self { along_rows, upward: if along_rows { dx < 0 } else { dy < 0 } }
    }
}

impl Corridor {
    const OUTSIDE: u32 = u32::MAX;

    pub(super) fn begin(&mut self, grid: &Grid, rules: Rules) {
        for tile in self.tiles.drain(..) {
            self.slots[(tile.row * self.across + tile.column) as usize] = Self::OUTSIDE;
        }
        self.open.clear();
        let [columns, rows] =
            [grid.width(), grid.height()].map(|side| (side + SIDE as u32 / 2).div_ceil(SIDE as u32));
        self.across = columns as i32;
        if self.slots.len() < (columns * rows) as usize {
            self.slots.resize((columns * rows) as usize, Self::OUTSIDE);
        }
        self.scratch.rules = rules;
    }

    /// Adds the tiles that a rectangle meets and that are not there yet; tiles for which `counts` is false, as they
    /// have no walkable cell, are left out. `due` is a lower bound of the costs of their cells.
    pub(super) fn add(
        &mut self,
        rect: CellRect,
        sweep: SweepDirection,
        due: i32,
        counts: impl Fn(CellRect) -> bool,
    ) {
        for at in CellRect::new(tile_of(rect.min), tile_of(rect.max)).cells() {
            let corner = GridCell::new(at.x * SIDE - SIDE / 2, at.y * SIDE - SIDE / 2);
            let slot = (at.y * self.across + at.x) as usize;
            if self.slots[slot] != Self::OUTSIDE || !counts(CellRect::square(corner, SIDE)) {
                continue;
            }
            self.slots[slot] = self.tiles.len() as u32;
            self.tiles.push(Tile { column: at.x, row: at.y, sweep, due: NONE, stage: Stage::Fresh });
            if self.costs.len() < self.tiles.len() {
                self.costs.push(NO_COSTS);
                self.walls.push(TileWalls::default());
            }
            self.wake(self.tiles.len() - 1, due);
        }
    }

    /// The index of the tile at a place, if it is in the corridor.
    fn tile_at(&self, GridCell { x, y }: GridCell) -> Option<usize> {
        if x < 0 || x >= self.across || y < 0 {
            return None;
        }
        let slot = *self.slots.get((y * self.across + x) as usize)?;
        (slot != Self::OUTSIDE).then_some(slot as usize)
    }

    /// Line and place of a cell in its tile.
    fn place(&self, tile: usize, cell: GridCell) -> (i32, i32) {
        let (x, y) = ((cell.x + SIDE / 2) & (SIDE - 1), (cell.y + SIDE / 2) & (SIDE - 1));
        if self.tiles[tile].sweep.along_rows { (x, y) } else { (y, x) }
    }

    /// The least known cost to a cell.
    pub(super) fn cost(&self, cell: GridCell) -> i32 {
        let tile = self.tile_at(tile_of(cell)).filter(|&tile| self.tiles[tile].stage != Stage::Fresh);
        tile.map_or(NONE, |tile| {
            let (line, place) = self.place(tile, cell);
            self.costs[tile][index(line, place)]
        })
    }

    pub(super) fn open(&mut self, start: GridCell, goal: GridCell) {
        self.goal = goal;
        let tile = self.tile_at(tile_of(start)).expect("the start lies in the corridor");
        let (line, place) = self.place(tile, start);
        self.costs[tile] = NO_COSTS;
        self.costs[tile][index(line, place)] = 0;
        self.tiles[tile].stage = Stage::Opened;
        self.wake(tile, 0);
    }

    fn wake(&mut self, tile: usize, cost: i32) {
        if cost < self.tiles[tile].due {
            self.tiles[tile].due = cost;
            self.open.push(Reverse((cost, tile as u32)));
        }
    }

    /// Sweeps the next tile, given the walkable cells by rows and by columns. Returns whether one was left to sweep.
    pub(super) fn sweep(&mut self, [rows, columns]: [&Bitmap; 2]) -> bool {
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
        if self.tiles[tile].stage == Stage::Swept {
            self.scratch.walls = self.walls[tile];
        } else {
            let Tile { column, row, sweep, .. } = self.tiles[tile];
            let [column, row] = [column, row].map(|at| at * SIDE - SIDE / 2);
            self.scratch.walls = if sweep.along_rows {
                TileWalls::read(columns, rows, column, row)
            } else {
                TileWalls::read(rows, columns, row, column)
            };
            if self.scratch.walls.is_full() {
                return true;
            }
            self.walls[tile] = self.scratch.walls;
        }
        let around = self.gather(tile);
        let lowered = self.simd.run(Sweeps(&mut self.scratch));
        self.scratch.store(&mut self.costs[tile]);
        self.tiles[tile].stage = Stage::Swept;
        for (neighbor, cost) in around.into_iter().zip(lowered) {
            if let Some(neighbor) = neighbor
                && cost < NONE
            {
                self.wake(neighbor, cost);
            }
        }
        true
    }

    /// Copies the costs of a tile and round it into `scratch`. Returns the tiles round it, line by line.
    fn gather(&mut self, tile: usize) -> [Option<usize>; 9] {
        let Tile { column, row, sweep, stage, .. } = self.tiles[tile];
        let around: [Option<usize>; 9] = std::array::from_fn(|at| {
            let (along, across) = (at as i32 / 3 - 1, at as i32 % 3 - 1);
            let (dx, dy) = if sweep.along_rows { (along, across) } else { (across, along) };
            self.tile_at(GridCell::new(column + dx, row + dy))
        });
        let Self { scratch, costs, tiles, .. } = self;
        (scratch.upward, scratch.is_new) = (sweep.upward, stage == Stage::Opened);
        match stage {
            Stage::Fresh => scratch.clear(),
            _ => scratch.load(&costs[tile]),
        }
        // The costs of cells of a neighbour by line and place of this tile, both from 0 to SIDE - 1.
        let known = around.map(|at| {
            let other = at.filter(|&at| tiles[at].stage != Stage::Fresh)?;
            let strides = if tiles[other].sweep.along_rows == sweep.along_rows {
                [SIDE as usize, 1]
            } else {
                [1, SIDE as usize]
            };
            Some((&costs[other], strides))
        });
        let cost = |other: usize, line: i32, place: i32| {
            known[other].map_or(NONE, |(costs, [by_line, by_place])| {
                costs[line as usize * by_line + place as usize * by_place]
            })
        };
        let last = SIDE - 1;
        for (line, beyond, other) in [(-1, last, 0), (SIDE, 0, 6)] {
            *scratch.cost_mut(line, -1) = cost(other, beyond, last);
            *scratch.cost_mut(line, SIDE) = cost(other + 2, beyond, 0);
            let line = scratch.line_mut(line);
            match known[other + 1] {
                Some((costs, [by_line, by_place])) => {
                    let costs = costs[beyond as usize * by_line..].iter().step_by(by_place);
                    line.iter_mut().zip(costs).for_each(|(to, &cost)| *to = cost);
                }
                None => line.fill(NONE),
            }
        }
        for (place, beyond, other) in [(-1, last, 3), (SIDE, 0, 5)] {
            match known[other] {
                Some((costs, [by_line, by_place])) => {
                    let costs = costs[beyond as usize * by_place..].iter().step_by(by_line);
                    (0..SIDE).zip(costs).for_each(|(line, &cost)| *scratch.cost_mut(line, place) = cost);
                }
                None => (0..SIDE).for_each(|line| *scratch.cost_mut(line, place) = NONE),
            }
        }
        around
    }

    /// The turning points of the cheapest path, from the goal back to the start; both are among them.
    pub(super) fn path(&self, rows: &Bitmap, steps: StepRules) -> Option<Vec<GridCell>> {
        let Rules { straight, diagonal, .. } = self.scratch.rules;
        let step_costs = SUCCESSORS.map(|step| if step.is_diagonal() { diagonal } else { straight });
        let mut cell = self.goal;
        let mut cost = self.cost(cell);
        if cost >= NONE {
            return None;
        }
        // `heading` is the step back from the last cell, as an index of `SUCCESSORS`.
        let (mut points, mut heading) = (vec![cell], None::<usize>);
        while cost > 0 {
            let legal_steps = || steps.legal(rows, cell.x, cell.y);
            let leads_on = |at: usize| {
                let step = SUCCESSORS[at];
                // Where the search ended before all costs were passed on, the neighbour can cost less than needed. A
                // straight step to a cell that has a cost is legal.
                self.cost(cell.step(step)) + step_costs[at] <= cost
                    && (!step.is_diagonal() || legal_steps() >> at & 1 != 0)
            };
            if !heading.is_some_and(leads_on) {
                if heading.is_some() {
                    points.push(cell);
                }
                heading = (0..8).find(|&at| leads_on(at));
            }
            let step = heading.expect("a reached cell has a neighbour that leads to it");
            cell = cell.step(SUCCESSORS[step]);
            cost = self.cost(cell);
        }
        points.push(cell);
        Some(points)
    }
}

/// The column and the row of tiles in which a cell lies.
const fn tile_of(cell: GridCell) -> GridCell {
    GridCell::new((cell.x + SIDE / 2) >> 5, (cell.y + SIDE / 2) >> 5)
}
