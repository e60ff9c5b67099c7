//! The reference: textbook A*, made with care but without tricks.
//!
//! P. Hart, N. Nilsson and B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968. A binary heap, flat arrays, the octile heuristic, no cutting of corners; a cell that
//! becomes cheaper is pushed again, and the stale entry is skipped when it comes up.

use std::f32::consts::SQRT_2;
use std::rc::Rc;

use pathfind_core::GridCell;

use super::scratch::{OpenEntry, Scratch};
use crate::board::{Board, Point, Question};
use crate::entrant::Entrant;

pub(super) struct TextbookAStar {
    board: Rc<Board>,
    scratch: Scratch,
}

impl TextbookAStar {
    pub(super) fn new(board: &Rc<Board>) -> Self {
        Self { board: board.clone(), scratch: Scratch::new(board.free.len()) }
    }
}

impl Entrant for TextbookAStar {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let Self { board, scratch } = self;
        let (first, last) = (board.index(start), board.index(goal));
        let estimate = if board.question == Question::Four { manhattan } else { octile };
        scratch.begin(first, estimate(start, goal));
        while let Some(OpenEntry { g, cell, .. }) = scratch.open.pop() {
            if scratch.closed[cell as usize] {
                continue;
            }
            scratch.closed[cell as usize] = true;
            if cell == last {
                scratch.keep_path(board, last);
                return true;
            }
            for_neighbors(board, board.cell(cell), |next, step| {
                let index = board.index(next);
                let cost = g + step * board.cost(index) as f32;
                scratch.touch(index);
                if cost < scratch.g[index as usize] {
                    scratch.g[index as usize] = cost;
                    scratch.parent[index as usize] = cell;
                    scratch.open.push(OpenEntry { f: cost + estimate(next, goal), g: cost, cell: index });
                }
            });
        }
        false
    }

    fn path(&self) -> Vec<Point> {
        self.scratch.path()
    }
}

/// Calls `each` for every legal step out of a cell, with its length: a diagonal needs both adjacent cells free.
#[inline]
pub(super) fn for_neighbors(board: &Board, GridCell { x, y }: GridCell, mut each: impl FnMut(GridCell, f32)) {
    let [north, south] = [board.is_free(x, y - 1), board.is_free(x, y + 1)];
    let [west, east] = [board.is_free(x - 1, y), board.is_free(x + 1, y)];
    for (is_free, dx, dy) in [(north, 0, -1), (south, 0, 1), (west, -1, 0), (east, 1, 0)] {
        if is_free {
            each(GridCell::new(x + dx, y + dy), 1.0);
        }
    }
    if board.question == Question::Four {
        return;
    }
    for (beside, dx, dy) in
        [(north && west, -1, -1), (north && east, 1, -1), (south && west, -1, 1), (south && east, 1, 1)]
    {
        if beside && board.is_free(x + dx, y + dy) {
            each(GridCell::new(x + dx, y + dy), SQRT_2);
        }
    }
}

/// The length of the shortest path in four directions on a map without walls.
#[inline]
fn manhattan(a: GridCell, b: GridCell) -> f32 {
    ((a.x - b.x).abs() + (a.y - b.y).abs()) as f32
}

/// The length of the shortest path in eight directions on a map without walls.
#[inline]
fn octile(a: GridCell, b: GridCell) -> f32 {
    let (dx, dy) = ((a.x - b.x).abs() as f32, (a.y - b.y).abs() as f32);
    dx.max(dy) + (SQRT_2 - 1.0) * dx.min(dy)
}
