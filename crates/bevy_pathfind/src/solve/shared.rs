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
    let mut asking: Vec<_> =
        fresh.filter_map(|requester| Some((snapshots.goal_cell(requester)?, requester))).collect();
    asking.sort_unstable_by_key(|((grid, Cell { x, y }), requester)| {
        (grid.index_u32(), *y, *x, requester.ticket.number)
    });
    // Most goals are asked for once: the input of a search is collected only for the others.
    for same_goal in asking.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|group| group.len() > 1) {
        let mut searches: Vec<_> = same_goal
            .iter_mut()
            .filter_map(|(_, requester)| {
                let assignment = snapshots.assignment(requester).ok().filter(Assignment::may_share)?;
                Some((assignment, requester))
            })
            .collect();
        for group in searches.chunk_by_mut(|(a, _), (b, _)| a.goes_with(b)).filter(|group| group.len() > 1) {
            let (first, _) = &group[0];
            let Some(goal) = first.goal_cell() else { continue };
            let starts = group.iter().map(|(assignment, _)| assignment.question.start);
            if many_to_one_pays(&first.snapshot, first.question.kind, goal, starts) {
                group.iter_mut().for_each(|(_, requester)| requester.ticket.shared = true);
            }
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

    /// The goal, if it is one cell.
    fn goal_cell(&self) -> Option<Cell> {
        if let Goal::Cell(cell) = self.question.goal { Some(cell) } else { None }
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
