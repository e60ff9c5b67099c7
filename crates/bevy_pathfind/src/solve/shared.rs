//! Shared searches: one search backwards from a goal serves all requests for this goal.
//!
//! Whether a request shares a search is decided once, in the tick in which it is made, from the requests made in the
//! same tick. The decision, and with it the path, therefore does not depend on threads.

use bevy::prelude::*;
use pathfind_core::{Algorithm, Goal, GridCell, many_to_one_pays};

use super::search_input::SearchInput;
use super::snapshot::Ground;
use crate::order::Requester;

/// Marks those of the `changed` requests that were made in this run (`round`) of the request stage and for which a
/// search shared with others is cheaper.
///
/// Only requests with `Algorithm::Auto`, without limits, and with a single goal cell are considered. For the requests
/// with the same goal, [`many_to_one_pays`] decides from the number and the positions of their starts.
pub(super) fn mark_shared(
    changed: &[Entity],
    requesters: &mut Query<Requester>,
    round: u64,
    ground: &Ground,
) {
    let mut requests = Vec::new();
    for &entity in changed {
        if let Ok(requester) = requesters.get_mut(entity)
            && requester.ticket.round == round
            && let Some((grid, GridCell { x, y })) = ground.goal_cell(&requester)
        {
            requests.push(((grid.index_u32(), y, x), requester.ticket.number, requester.entity));
        }
    }
    requests.sort_unstable();
    // Most goals have a single request. The input of a search is expensive, so it is collected only for goals with
    // several requests.
    for same_goal in requests.chunk_by(|(a, ..), (b, ..)| a == b).filter(|group| group.len() > 1) {
        // A group has one kind of agent and the same options.
        let mut groups: Vec<Vec<(SearchInput, Entity)>> = Vec::new();
        for &(.., entity) in same_goal {
            let Ok(requester) = requesters.get_mut(entity) else { continue };
            let Some(input) = ground.input_for(&requester).ok().filter(SearchInput::may_share) else {
                continue;
            };
            match groups.iter_mut().find(|group| group[0].0.can_share_with(&input)) {
                Some(group) => group.push((input, requester.entity)),
                None => groups.push(vec![(input, requester.entity)]),
            }
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            let (first, _) = &group[0];
            let Some(goal) = first.goal_cell() else { continue };
            let starts = group.iter().map(|(input, _)| input.query.start);
            if many_to_one_pays(&first.snapshot, first.query.kind, goal, starts) {
                for &(_, entity) in group {
                    if let Ok(mut requester) = requesters.get_mut(entity) {
                        requester.ticket.shared = true;
                    }
                }
            }
        }
    }
}

impl SearchInput {
    /// Whether this search may be shared at all. Tested again when the search is queued: the request may have changed
    /// since it was marked.
    pub(super) fn may_share(&self) -> bool {
        self.query.algorithm == Algorithm::Auto
            && self.query.limits == pathfind_core::Limits::default()
            && self.goal_cell().is_some()
            && !self.record
            && self.over_links.is_none()
            && self.vehicle.is_none()
            && self.known.is_none()
    }

    fn goal_cell(&self) -> Option<GridCell> {
        if let Goal::GridCell(cell) = self.query.goal { Some(cell) } else { None }
    }

    /// Whether one search backwards from the goal serves both searches, each of which may be shared.
    pub(super) fn can_share_with(&self, other: &Self) -> bool {
        let (own, theirs) = (&self.query, &other.query);
        self.grid == other.grid
            && own.goal == theirs.goal
            && (own.kind, own.steps, own.allow_partial) == (theirs.kind, theirs.steps, theirs.allow_partial)
    }
}
