//! The crate `mkpath`: jump point search with block-based scanning, as in its own example.

use mkpath::grid::{BitGrid, GridPool, octile_distance};
use mkpath::jps::{JpsExpander, transpose};
use mkpath::traits::NodePool;
use mkpath::{AStarSearcher, NodeBuilder, NodeMemberPointer, PriorityQueueFactory};
use pathfind_core::GridCell;

use crate::board::{Board, Point, center};
use crate::entrant::Entrant;

pub(super) struct MkPath {
    map: BitGrid,
    transposed: BitGrid,
    pool: GridPool,
    state: NodeMemberPointer<(i32, i32)>,
    searcher: AStarSearcher,
    queues: PriorityQueueFactory,
    found: Vec<(i32, i32)>,
}

impl MkPath {
    pub(super) fn new(board: &std::rc::Rc<Board>) -> Self {
        let mut map = BitGrid::new(board.width, board.height);
        for index in 0..board.free.len() as u32 {
            let GridCell { x, y } = board.cell(index);
            map.set(x, y, board.is_free(x, y));
        }
        let mut builder = NodeBuilder::new();
        let state = builder.add_field((-1, -1));
        let searcher = AStarSearcher::new(&mut builder);
        let queues = PriorityQueueFactory::new(&mut builder);
        let pool = GridPool::new(builder.build(), state, board.width, board.height);
        Self { transposed: transpose(&map), map, pool, state, searcher, queues, found: Vec::new() }
    }
}

impl Entrant for MkPath {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        self.pool.reset();
        let (state, goal) = (self.state, (goal.x, goal.y));
        let queue = self.queues.new_queue(self.searcher.ordering());
        let expander = JpsExpander::new(&self.map, &self.transposed, &self.pool, state, goal);
        let path = self.searcher.search(
            expander,
            queue,
            |node| octile_distance(node.get(state), goal),
            |node| node.get(state) == goal,
            self.pool.generate((start.x, start.y)),
        );
        let is_found = path.is_some();
        self.found = path.unwrap_or_default().into_iter().map(|node| node.get(state)).collect();
        is_found
    }

    fn path(&self) -> Vec<Point> {
        // Between two of its nodes lie diagonal steps, and then straight ones.
        let turns = self.found.windows(2).flat_map(|leg| {
            let ((x, y), (to_x, to_y)) = (leg[0], leg[1]);
            let diagonals = (to_x - x).abs().min((to_y - y).abs());
            [(x + diagonals * (to_x - x).signum(), y + diagonals * (to_y - y).signum()), (to_x, to_y)]
        });
        self.found.iter().take(1).copied().chain(turns).map(|(x, y)| center(GridCell::new(x, y))).collect()
    }
}
