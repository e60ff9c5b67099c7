//! The algorithms of `pathfind_core`, all that it has.

use pathfind_core::{Algorithm, Answer, GridCell, CornerRule, Grid, PathQuery, SearchScratch, StepRules, solve};

use crate::board::{Board, Point};
use crate::entrant::{Entrant, Entry, Moves};

/// One algorithm with its own grid, so that what one algorithm precomputes does not help another.
pub(super) struct Own {
    grid: Grid,
    space: SearchScratch,
    algorithm: Algorithm,
    steps: StepRules,
    answer: Option<Answer>,
}

/// The entry of an algorithm, under the corner rule that its optimum is published for.
pub(super) fn entry(algorithm: Algorithm) -> Entry {
    let (moves, corners) = match algorithm.name() {
        "any_angle" => (Moves::AnyAngle, CornerRule::OneFree),
        "theta" | "lazy_theta" => (Moves::AnyAngle, CornerRule::Never),
        _ => (Moves::Steps, CornerRule::Never),
    };
    Entry::own(algorithm.name(), moves, corners, move |board| Own::new(board, algorithm, corners))
}

impl Own {
    fn new(board: &Board, algorithm: Algorithm, corners: CornerRule) -> Self {
        Self {
            grid: board.grid(),
            space: SearchScratch::default(),
            algorithm,
            steps: board.steps(corners),
            answer: None,
        }
    }
}

impl Entrant for Own {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let query = PathQuery::new(start, goal)
            .with_steps(self.steps)
            .with_algorithm(self.algorithm)
            .with_partial(false);
        self.answer = solve(&self.grid, &query, &mut self.space).ok();
        self.answer.is_some()
    }

    fn path(&self) -> Vec<Point> {
        let points = self.answer.iter().flat_map(|answer| &answer.waypoints);
        points.map(|point| (f64::from(point.x), f64::from(point.y))).collect()
    }
}
