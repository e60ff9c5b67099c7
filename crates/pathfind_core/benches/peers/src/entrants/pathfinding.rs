//! The crate `pathfinding`: A* over any graph, with a hash map.
//!
//! Nodes are cell indices, costs integers with 577/408 for √2, and successors come from an iterator that does not
//! allocate. There is nothing to prepare, and it allocates memory anew for each query.

use std::rc::Rc;

use pathfind_core::GridCell;
use pathfinding::directed::astar::astar;

use crate::board::{Board, Point, Question, center};
use crate::entrant::Entrant;

const STRAIGHT: u32 = 408;
const DIAGONAL: u32 = 577;
const STEPS: [(i32, i32); 8] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];

pub(super) struct Pathfinding {
    board: Rc<Board>,
    found: Vec<u32>,
}

impl Pathfinding {
    pub(super) fn new(board: &Rc<Board>) -> Self {
        Self { board: board.clone(), found: Vec::new() }
    }
}

impl Entrant for Pathfinding {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let board = &*self.board;
        let directions = if board.question == Question::Four { 4 } else { 8 };
        let successors = |&cell: &u32| {
            let GridCell { x, y } = board.cell(cell);
            STEPS[..directions].iter().filter_map(move |&(dx, dy)| {
                let is_legal = board.is_free(x + dx, y + dy)
                    && (dx == 0 || dy == 0 || board.is_free(x + dx, y) && board.is_free(x, y + dy));
                let cost = if dx == 0 || dy == 0 { STRAIGHT } else { DIAGONAL };
                is_legal.then(|| {
                    let index = board.index(GridCell::new(x + dx, y + dy));
                    (index, cost * board.cost(index))
                })
            })
        };
        let estimate = |&cell: &u32| {
            let GridCell { x, y } = board.cell(cell);
            let (dx, dy) = (x.abs_diff(goal.x), y.abs_diff(goal.y));
            match directions {
                4 => STRAIGHT * (dx + dy),
                _ => STRAIGHT * dx.abs_diff(dy) + DIAGONAL * dx.min(dy),
            }
        };
        let last = board.index(goal);
        let found = astar(&board.index(start), successors, estimate, |&cell| cell == last);
        let is_found = found.is_some();
        self.found = found.map_or_else(Vec::new, |(cells, _)| cells);
        is_found
    }

    fn path(&self) -> Vec<Point> {
        self.found.iter().map(|&cell| center(self.board.cell(cell))).collect()
    }
}
