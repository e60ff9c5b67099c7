//! The referee: compares every answer with the map and with the known optimum.

use std::rc::Rc;

use pathfind_core::{Algorithm, GridCell, CornerRule, Grid, PathQuery, SearchScratch, solve};

use crate::board::{Board, Point, Question, center};
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
    Path(Option<(f64, bool)>),
    /// The entrant found no path, and there is none.
    NoPath,
    /// The answer is wrong.
    Wrong(String),
}

/// The minimal length under an entrant's rule.
enum Optimum {
    /// A length, and its rounding error.
    Length(f64, f64),
    NoPath,
    Unknown,
}

impl Referee {
    pub(crate) fn new(board: &Rc<Board>) -> Self {
        Self { board: board.clone(), grid: board.grid(), space: SearchScratch::default() }
    }

    /// Judges an entrant's path; `None` if it found none.
    pub(crate) fn judge(&mut self, problem: &Problem, entry: &Entry, path: Option<&[Point]>) -> Verdict {
        let optimum = self.optimum(problem, entry);
        let Some(path) = path else {
            return match optimum {
                Optimum::NoPath => Verdict::NoPath,
                _ => Verdict::Wrong("found no path".into()),
            };
        };
        if path.first() != Some(&center(problem.start)) || path.last() != Some(&center(problem.goal)) {
            return Verdict::Wrong("the path does not lead from start to goal".into());
        }
        if entry.moves == Moves::Steps && !path.windows(2).all(|leg| self.is_straight(leg[0], leg[1])) {
            return Verdict::Wrong("the path has a leg in none of the directions".into());
        }
        if !is_legal(&self.board, entry.corners, path) {
            return Verdict::Wrong("the path is not legal".into());
        }
        let length: f64 = path.windows(2).map(|leg| self.cost(leg[0], leg[1])).sum();
        match optimum {
            Optimum::NoPath => Verdict::Wrong("found a path where there is none".into()),
            Optimum::Unknown => Verdict::Path(None),
            Optimum::Length(optimum, rounding) => {
                let slack = 1e-4 * optimum + rounding;
                if length < optimum - slack {
                    return Verdict::Wrong(format!(
                        "a path of length {length} is below the least, {optimum}"
                    ));
                }
                let ratio = if optimum > 0.0 { length / optimum } else { 1.0 };
                Verdict::Path(Some((ratio, length <= optimum + slack)))
            }
        }
    }

    /// The published optimum; for steps under another corner rule, and for the other questions, the cost found by this
    /// project's A*.
    fn optimum(&mut self, problem: &Problem, entry: &Entry) -> Optimum {
        match (entry.moves, entry.corners) {
            (Moves::Steps, CornerRule::Never) if self.board.question != Question::Plain => {
                self.own_optimum(problem, entry.corners)
            }
            // Lengths in scenario files are rounded by up to 0.005.
            (Moves::Steps, CornerRule::Never) => {
                problem.by_steps.map_or(Optimum::NoPath, |length| Optimum::Length(length, 0.005))
            }
            (Moves::Steps, corners) => self.own_optimum(problem, corners),
            // Without a path of steps there is no any-angle path, unless that squeezes through corners.
            (Moves::AnyAngle, CornerRule::Never | CornerRule::OneFree) if problem.by_steps.is_none() => {
                Optimum::NoPath
            }
            // A path that turns at corners may be shorter than one that turns at centres: where corners are never
            // passed, this is a lower bound.
            (Moves::AnyAngle, _) => {
                problem.any_angle.map_or(Optimum::Unknown, |length| Optimum::Length(length, 1e-6))
            }
        }
    }

    fn own_optimum(&mut self, problem: &Problem, corners: CornerRule) -> Optimum {
        let query = PathQuery::new(problem.start, problem.goal)
            .with_steps(self.board.steps(corners))
            .with_algorithm(Algorithm::AStar)
            .with_partial(false);
        let answer = solve(&self.grid, &query, &mut self.space);
        answer.map_or(Optimum::NoPath, |answer| Optimum::Length(answer.cost, 1e-6))
    }

    /// Whether a leg leads in one of the directions of the question.
    fn is_straight(&self, a: Point, b: Point) -> bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let is_diagonal = dx.abs() == dy.abs() && self.board.question != Question::Four;
        dx == 0.0 || dy == 0.0 || is_diagonal
    }

    /// The cost of a leg: its length, where cells cost more the sum over its steps.
    fn cost(&self, a: Point, b: Point) -> f64 {
        let length = distance(a, b);
        if self.board.question != Question::Blocks {
            return length;
        }
        let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs());
        let cost = |step: i32| {
            let part = f64::from(step) / steps;
            let at = |a: f64, b: f64| (a + (b - a) * part).floor() as i32;
            f64::from(self.board.cost(self.board.index(GridCell::new(at(a.0, b.0), at(a.1, b.1)))))
        };
        (1..=steps as i32).map(cost).sum::<f64>() * length / steps.max(1.0)
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (b.0 - a.0).hypot(b.1 - a.1)
}
