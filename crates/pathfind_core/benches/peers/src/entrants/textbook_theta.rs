//! The reference of any-angle searches: Theta* as published, with a line of sight cell by cell.
//!
//! A. Nash, K. Daniel, S. Koenig and A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2007.
//! Made like the textbook A*; a cell's parent is the last turning point in sight.

use std::rc::Rc;

use pathfind_core::GridCell;

use super::scratch::{OpenEntry, Scratch};
use super::textbook_astar::for_neighbors;
use crate::board::{Board, Point};
use crate::entrant::Entrant;

pub(super) struct TextbookTheta {
    board: Rc<Board>,
    scratch: Scratch,
}

impl TextbookTheta {
    pub(super) fn new(board: &Rc<Board>) -> Self {
        Self { board: board.clone(), scratch: Scratch::new(board.free.len()) }
    }
}

impl Entrant for TextbookTheta {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let Self { board, scratch } = self;
        let (first, last) = (board.index(start), board.index(goal));
        scratch.begin(first, distance(start, goal));
        while let Some(OpenEntry { cell, .. }) = scratch.open.pop() {
            if scratch.closed[cell as usize] {
                continue;
            }
            scratch.closed[cell as usize] = true;
            if cell == last {
                scratch.keep_path(board, last);
                return true;
            }
            let parent = scratch.parent[cell as usize];
            let turn = board.cell(parent);
            for_neighbors(board, board.cell(cell), |next, step| {
                let index = board.index(next);
                scratch.touch(index);
                if scratch.closed[index as usize] {
                    return;
                }
                let (from, cost) = if is_in_sight(board, turn, next) {
                    (parent, scratch.g[parent as usize] + distance(turn, next))
                } else {
                    (cell, scratch.g[cell as usize] + step)
                };
                if cost < scratch.g[index as usize] {
                    scratch.g[index as usize] = cost;
                    scratch.parent[index as usize] = from;
                    scratch.open.push(OpenEntry { f: cost + distance(next, goal), g: cost, cell: index });
                }
            });
        }
        false
    }

    fn path(&self) -> Vec<Point> {
        self.scratch.path()
    }
}

/// The Euclidean distance.
#[inline]
fn distance(a: GridCell, b: GridCell) -> f32 {
    let (dx, dy) = ((a.x - b.x) as f32, (a.y - b.y) as f32);
    (dx * dx + dy * dy).sqrt()
}

/// Whether every cell that the segment between two centres touches is free.
fn is_in_sight(board: &Board, from: GridCell, to: GridCell) -> bool {
    let (across, down) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    let (right, below) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let GridCell { mut x, mut y } = from;
    let (mut columns, mut rows) = (0, 0);
    while columns < across || rows < down {
        // Which border of the cell does the segment meet first?
        let order = ((2 * columns + 1) * down).cmp(&((2 * rows + 1) * across));
        if order.is_eq() && !(board.is_free(x + right, y) && board.is_free(x, y + below)) {
            return false;
        }
        if order.is_le() {
            x += right;
            columns += 1;
        }
        if order.is_ge() {
            y += below;
            rows += 1;
        }
        if !board.is_free(x, y) {
            return false;
        }
    }
    true
}
