//! The interface of a search in the comparison, and the rule that it follows.

use std::rc::Rc;

use pathfind_core::{GridCell, CornerRule};

use crate::board::{Board, Point, Question};

/// A search that is prepared for one map.
pub(crate) trait Entrant {
    /// Searches, and keeps the result in its own form; returns whether there is a path. This is timed.
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool;

    /// The points of the last path, from start to goal. This is not timed.
    fn path(&self) -> Vec<Point>;
}

/// The segments that a path may consist of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Steps to one of the eight neighbours.
    Steps,
    /// Straight segments in any direction.
    AnyAngle,
}

/// Prepares an entrant for a map.
pub(crate) type Prepare = Box<dyn Fn(&Rc<Board>) -> Box<dyn Entrant>>;

/// An entrant's name, its rule, and its constructor.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) moves: Moves,
    /// When a path may pass the corner of a blocked cell.
    pub(crate) corners: CornerRule,
    /// Whether it belongs to this project, so that a wrong path is a failure of the run.
    pub(crate) is_own: bool,
    pub(crate) prepare: Prepare,
    /// The questions that it can answer.
    pub(crate) answers: &'static [Question],
}

impl Entry {
    /// An entry of another crate.
    pub(crate) fn peer<E: Entrant + 'static>(
        name: &'static str,
        moves: Moves,
        corners: CornerRule,
        prepare: impl Fn(&Rc<Board>) -> E + 'static,
    ) -> Self {
        let prepare = Box::new(move |board: &Rc<Board>| Box::new(prepare(board)) as Box<dyn Entrant>);
        let answers: &[Question] = match moves {
            Moves::Steps => &[Question::Plain, Question::Four, Question::Blocks],
            Moves::AnyAngle => &[Question::Plain],
        };
        Self { name, moves, corners, is_own: false, prepare, answers }
    }

    /// The same entry, if it can answer only these questions.
    pub(crate) fn answering(self, answers: &'static [Question]) -> Self {
        Self { answers, ..self }
    }

    /// An entry of this project.
    pub(crate) fn own<E: Entrant + 'static>(
        name: &'static str,
        moves: Moves,
        corners: CornerRule,
        prepare: impl Fn(&Rc<Board>) -> E + 'static,
    ) -> Self {
        Self { is_own: true, ..Self::peer(name, moves, corners, prepare) }
    }

    /// The rule as short text.
    pub(crate) fn rule(&self) -> &'static str {
        match (self.moves, self.corners) {
            (Moves::Steps, CornerRule::Never) => "steps, never",
            (Moves::Steps, CornerRule::OneFree) => "steps, one free",
            (Moves::Steps, CornerRule::Always) => "steps, always",
            (Moves::AnyAngle, CornerRule::Never) => "any angle, never",
            (Moves::AnyAngle, CornerRule::OneFree) => "any angle, one free",
            (Moves::AnyAngle, CornerRule::Always) => "any angle, always",
        }
    }
}
