//! Shared searches: one search backwards from a goal serves all requests for this goal.
//!
//! Whether a request shares a search is decided once, in the tick in which it is made, from the requests made in the
//! same tick. The decision, and with it the path, therefore does not depend on threads.

use bevy::prelude::*;
use pathfind_core::{Algorithm, Cell, Goal, many_to_one_pays};

use super::assignment::Assignment;
use super::snapshot::Snapshots;
use crate::order::RequesterItem;

/// Marks the requests for which a search shared with others is cheaper.
///
/// Only requests with `Algorithm::Auto`, without limits, and with a single goal cell are
/// considered; [`many_to_one_pays`] decides from the number and the places of the starts.
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
        if many_to_one_pays(&first.snapshot, question.kind, goal, starts) {
            group.iter_mut().for_each(|(_, requester)| requester.ticket.shared = true);
        }
    }
}

impl Assignment {
    /// Whether this search may be shared at all.
    fn may_share(&self) -> bool {
        self.question.algorithm == Algorithm::Auto
            && self.question.limits == pathfind_core::Limits::default()
            && self.goal_cell().is_some()
            && !self.record
            && self.over_links.is_none()
    }

    /// Row and column of the goal, if it is one cell.
    fn goal_cell(&self) -> Option<(i32, i32)> {
        if let Goal::Cell(Cell { x, y }) = self.question.goal { Some((y, x)) } else { None }
    }

    /// Whether one search backwards from the goal serves both.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        let (own, its) = (&self.question, &other.question);
        self.grid == other.grid
            && other.over_links.is_none()
            && own.goal == its.goal
            && (own.kind, own.steps, own.allow_partial) == (its.kind, its.steps, its.allow_partial)
    }
}
