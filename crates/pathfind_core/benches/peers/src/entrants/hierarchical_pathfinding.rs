//! The crate `hierarchical_pathfinding`: A* over the entrances of chunks, then along cached parts.
//!
//! It trades length for time (HPA*: A. Botea, M. Müller and J. Schaeffer, 2004). Its Moore neighbourhood always
//! passes corners, and a diagonal step costs as much as a straight one; its paths are measured with √2 here, like
//! all others. It runs with its own settings for speed.

use std::rc::Rc;

use hierarchical_pathfinding::PathCacheConfig;
use hierarchical_pathfinding::neighbors::Neighborhood;
use hierarchical_pathfinding::prelude::PathCache;
use pathfind_core::GridCell;

use crate::board::{Board, Point, center};
use crate::entrant::Entrant;

pub(super) struct Hierarchical<N: Neighborhood> {
    board: Rc<Board>,
    cache: PathCache<N>,
    start: GridCell,
    found: Vec<(usize, usize)>,
}

fn cost(board: &Board, (x, y): (usize, usize)) -> isize {
    let cell = GridCell::new(x as i32, y as i32);
    if board.is_free(cell.x, cell.y) { board.cost(board.index(cell)) as isize } else { -1 }
}

impl<N: Neighborhood + Sync> Hierarchical<N> {
    pub(super) fn new(board: &Rc<Board>, neighborhood: fn(usize, usize) -> N) -> Self {
        let (width, height) = (board.width as usize, board.height as usize);
        let map = &**board;
        let cache = PathCache::new(
            (width, height),
            |place| cost(map, place),
            neighborhood(width, height),
            PathCacheConfig::HIGH_PERFORMANCE,
        );
        Self { board: board.clone(), cache, start: GridCell::new(0, 0), found: Vec::new() }
    }
}

impl<N: Neighborhood + Sync> Entrant for Hierarchical<N> {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let place = |cell: GridCell| (cell.x as usize, cell.y as usize);
        let costs = |at| cost(&self.board, at);
        let found = self.cache.find_path(place(start), place(goal), costs);
        let is_found = found.is_some();
        self.start = start;
        self.found = found.map_or_else(Vec::new, |path| path.resolve(costs));
        is_found
    }

    fn path(&self) -> Vec<Point> {
        // Its path does not contain the start.
        let rest = self.found.iter().map(|&(x, y)| GridCell::new(x as i32, y as i32));
        std::iter::once(self.start).chain(rest).map(center).collect()
    }
}
