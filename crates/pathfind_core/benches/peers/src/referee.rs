//! The referee: compares every answer with the map and with the known optimum.

use std::rc::Rc;

use pathfind_core::{Algorithm, Cell, CornerRule, Grid, PathQuery, SearchScratch, Steps, Terrain, solve};

use crate::board::{Board, Point, center};
use crate::entrant::{Entry, Moves};
use crate::legal::is_legal;
use crate::scenario::Problem;

/// Judges the paths on one map.
pub(crate) struct Referee {
    board: Rc<Board>,
    grid: Grid,
    space: SearchScratch,
}

/// The verdict on an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// A legal path: its length relative to the optimum, if that is known, and whether it is optimal.
    Way(Option<(f64, bool)>),
    /// The entrant found no path, and there is none.
    NoWay,
    /// The answer is wrong.
    Wrong(String),
}

/// The minimal length under an entrant's rule.
enum Optimum {
    /// A length, and its rounding error.
    Length(f64, f64),
    NoWay,
    Unknown,
}

impl Referee {
    pub(crate) fn new(board: &Rc<Board>) -> Self {
        let terrain =
            |cell: Cell| if board.is_free(cell.x, cell.y) { Terrain::GROUND } else { Terrain::WALL };
        let grid = Grid::from_fn(board.width as u32, board.height as u32, terrain);
        Self {
            board: board.clone(),
            grid: grid.expect("the board was read from a map"),
            space: SearchScratch::default(),
        }
    }

    /// Judges an entrant's path; `None` if it found none.
    pub(crate) fn judge(&mut self, problem: &Problem, entry: &Entry, path: Option<&[Point]>) -> Verdict {
        let optimum = self.optimum(problem, entry);
        let Some(path) = path else {
            return match optimum {
                Optimum::NoWay => Verdict::NoWay,
                _ => Verdict::Wrong("found no way".into()),
            };
        };
        if path.first() != Some(&center(problem.start)) || path.last() != Some(&center(problem.goal)) {
            return Verdict::Wrong("the path does not lead from start to goal".into());
        }
        if entry.moves == Moves::Steps && !path.windows(2).all(|leg| is_straight(leg[0], leg[1])) {
            return Verdict::Wrong("the path has a leg in none of the eight directions".into());
        }
        if !is_legal(&self.board, entry.corners, path) {
            return Verdict::Wrong("the path is not legal".into());
        }
        let length: f64 = path.windows(2).map(|leg| distance(leg[0], leg[1])).sum();
        match optimum {
            Optimum::NoWay => Verdict::Wrong("found a way where there is none".into()),
            Optimum::Unknown => Verdict::Way(None),
            Optimum::Length(optimum, rounding) => {
                let slack = 1e-4 * optimum + rounding;
                if length < optimum - slack {
                    return Verdict::Wrong(format!(
                        "a path of length {length} is below the least, {optimum}"
                    ));
                }
                let ratio = if optimum > 0.0 { length / optimum } else { 1.0 };
                Verdict::Way(Some((ratio, length <= optimum + slack)))
            }
        }
    }

    /// The published optimum; for steps under another corner rule, the length found by this project's A*.
    fn optimum(&mut self, problem: &Problem, entry: &Entry) -> Optimum {
        match (entry.moves, entry.corners) {
            // Lengths in scenario files are rounded by up to 0.005.
            (Moves::Steps, CornerRule::Never) => {
                problem.by_steps.map_or(Optimum::NoWay, |length| Optimum::Length(length, 0.005))
            }
            (Moves::Steps, corners) => {
                let query = PathQuery::new(problem.start, problem.goal)
                    .with_steps(Steps::eight(corners))
                    .with_algorithm(Algorithm::AStar)
                    .with_partial(false);
                let answer = solve(&self.grid, &query, &mut self.space);
                answer.map_or(Optimum::NoWay, |answer| Optimum::Length(answer.length, 1e-6))
            }
            // Without a path of steps there is no any-angle path, unless that squeezes through corners.
            (Moves::AnyAngle, CornerRule::Never | CornerRule::OneFree) if problem.by_steps.is_none() => {
                Optimum::NoWay
            }
            // A path that turns at corners may be shorter than one that turns at centres: where corners are never
            // passed, this is a lower bound.
            (Moves::AnyAngle, _) => {
                problem.any_angle.map_or(Optimum::Unknown, |length| Optimum::Length(length, 1e-6))
            }
        }
    }
}

fn is_straight(a: Point, b: Point) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    dx == 0.0 || dy == 0.0 || dx.abs() == dy.abs()
}

fn distance(a: Point, b: Point) -> f64 {
    (b.0 - a.0).hypot(b.1 - a.1)
}
