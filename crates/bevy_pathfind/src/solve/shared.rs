//! Equal goals: when one search backwards from the goal serves all who want to go there.
//!
//! Whether a request is served alone or together is decided once, in the tick in which it comes, from
//! who comes in that same tick. So it depends on no thread, and neither does the path.

use bevy::prelude::*;
use pathfind_core::{Algorithm, Cell, Goal, many_to_one_pays};

use super::assignment::Assignment;
use super::snapshot::Snapshots;
use crate::order::RequesterItem;

/// Marks those of the requests that are cheaper served together with others of them.
///
/// Only requests that leave the algorithm to the planner, set no limits and name one cell are
/// considered; [`many_to_one_pays`] says from how many on it is cheaper.
pub(super) fn mark_shared<'c, 'w: 'c, 's: 'c>(
    fresh: impl Iterator<Item = &'c mut RequesterItem<'w, 's>>,
    snapshots: &Snapshots,
) {
    let mut asking: Vec<_> = fresh
        .filter_map(|requester| {
            let assignment = snapshots.assignment(requester).ok().filter(Assignment::may_share)?;
            Some((assignment, requester))
        })
        .collect();
    if asking.len() < 2 {
        return;
    }
    asking.sort_by_key(|(assignment, requester)| {
        (assignment.grid.index_u32(), assignment.goal_cell(), requester.ticket.number)
    });
    for group in asking.chunk_by_mut(|(a, _), (b, _)| a.goes_with(b)) {
        let (first, _) = &group[0];
        let Some(goal) = first.goal_cell().map(|(y, x)| Cell::new(x, y)) else { continue };
        let question = &first.question;
        let starts = group.iter().map(|(assignment, _)| assignment.question.start);
        if many_to_one_pays(&first.snapshot, question.kind, question.steps, goal, starts) {
            group.iter_mut().for_each(|(_, requester)| requester.ticket.shared = true);
        }
    }
}

impl Assignment {
    /// Whether it may be served together with others at all.
    fn may_share(&self) -> bool {
        self.question.algorithm == Algorithm::Auto
            && self.question.limits == pathfind_core::Limits::default()
            && self.goal_cell().is_some()
            && !self.record
    }

    /// Row and column of the goal, if it is one cell.
    fn goal_cell(&self) -> Option<(i32, i32)> {
        if let Goal::Cell(Cell { x, y }) = self.question.goal { Some((y, x)) } else { None }
    }

    /// Whether one search backwards from the goal serves both.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        let (own, its) = (&self.question, &other.question);
        self.grid == other.grid
            && own.goal == its.goal
            && (own.kind, own.steps, own.allow_partial) == (its.kind, its.steps, its.allow_partial)
    }
}
