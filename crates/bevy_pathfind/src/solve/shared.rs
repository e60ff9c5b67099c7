//! Shared searches: one search backwards from a goal serves all requests for this goal.
//!
//! Whether a request shares a search is decided once, in the tick in which it is made, from the requests made in the
//! same tick. The decision, and with it the path, therefore does not depend on threads.

use bevy::prelude::*;
use pathfind_core::{Algorithm, Cell, Goal, many_to_one_pays};

use super::search_input::SearchInput;
use super::snapshot::Snapshots;
use crate::order::RequesterItem;

/// Marks the requests for which a search shared with others is cheaper.
///
/// Only requests with `Algorithm::Auto`, without limits, and with a single goal cell are considered. For the requests
/// with the same goal, [`many_to_one_pays`] decides from the number and the positions of their starts.
pub(super) fn mark_shared<'c, 'w: 'c, 's: 'c>(
    fresh: impl Iterator<Item = &'c mut RequesterItem<'w, 's>>,
    snapshots: &Snapshots,
) {
    let mut candidates: Vec<_> = fresh
        .filter_map(|requester| {
            let input = snapshots.input(requester).ok().filter(SearchInput::may_share)?;
            Some((input, requester))
        })
        .collect();
    if candidates.len() < 2 {
        return;
    }
    candidates.sort_by_key(|(input, requester)| {
        (input.grid.index_u32(), input.goal_cell(), requester.ticket.number)
    });
    for group in candidates.chunk_by_mut(|(a, _), (b, _)| a.can_share_with(b)) {
        let (first, _) = &group[0];
        let Some(goal) = first.goal_cell().map(|(y, x)| Cell::new(x, y)) else { continue };
        let query = &first.query;
        let starts = group.iter().map(|(input, _)| input.query.start);
        if many_to_one_pays(&first.snapshot, query.kind, goal, starts) {
            group.iter_mut().for_each(|(_, requester)| requester.ticket.shared = true);
        }
    }
}

impl SearchInput {
    /// Whether this search may be shared at all.
    fn may_share(&self) -> bool {
        self.query.algorithm == Algorithm::Auto
            && self.query.limits == pathfind_core::Limits::default()
            && self.goal_cell().is_some()
            && !self.record
            && self.over_links.is_none()
    }

    /// Row and column of the goal, which is the sort order of cells; `None` if the goal is not a single cell.
    fn goal_cell(&self) -> Option<(i32, i32)> {
        if let Goal::Cell(Cell { x, y }) = self.query.goal { Some((y, x)) } else { None }
    }

    /// Whether one search backwards from the goal serves both.
    pub(super) fn can_share_with(&self, other: &Self) -> bool {
        let (own, theirs) = (&self.query, &other.query);
        self.grid == other.grid
            && other.over_links.is_none()
            && own.goal == theirs.goal
            && (own.kind, own.steps, own.allow_partial) == (theirs.kind, theirs.steps, theirs.allow_partial)
    }
}
