//! The crate `grid_pathfinding`: jump point search, with precomputed components.
//!
//! Its diagonal steps may always pass corners, even between two blocked cells; its costs are 70 and 99. As in its
//! own benchmark runner, only jump points are requested, without its improved pruning, with which it is slower and
//! misses optima on these maps.

use grid_pathfinding::PathingGrid;
use grid_util::{BoolGrid, Point as Place, ValueGrid};
use pathfind_core::GridCell;

use crate::board::{Board, Point, Question, center};
use crate::entrant::Entrant;

pub(super) struct GridPathfinding {
    grid: PathingGrid,
    found: Vec<Place>,
}

impl GridPathfinding {
    pub(super) fn new(board: &std::rc::Rc<Board>) -> Self {
        let (width, height) = (board.width as usize, board.height as usize);
        let mut blocked = BoolGrid::new(width, height, false);
        for index in 0..board.free.len() as u32 {
            let GridCell { x, y } = board.cell(index);
            blocked.set(x, y, !board.is_free(x, y));
        }
        let mut grid = PathingGrid::new(width, height, true);
        grid.grid = blocked;
        grid.improved_pruning = false;
        grid.allow_diagonal_move = board.question != Question::Four;
        grid.initialize();
        grid.generate_components();
        Self { grid, found: Vec::new() }
    }
}

impl Entrant for GridPathfinding {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let place = |cell: GridCell| Place::new(cell.x, cell.y);
        let found = self.grid.get_waypoints_single_goal(place(start), place(goal), false);
        let is_found = found.is_some();
        self.found = found.unwrap_or_default();
        is_found
    }

    fn path(&self) -> Vec<Point> {
        self.found.iter().map(|place| center(GridCell::new(place.x, place.y))).collect()
    }
}
