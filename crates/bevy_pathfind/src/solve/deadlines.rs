//! Fails requests whose deadline has passed.

use bevy::prelude::*;

use super::stats::SolveStats;
use crate::order::{Failures, PathError, Requester, RequesterItem, TicketCounter};

/// Fails the requests whose deadline has passed, after the answers of this tick have been applied.
///
/// A replan, after an edit or because the goal has moved, has no deadline: the agent has a path meanwhile.
pub(super) fn fail_late(
    mut requesters: Query<Requester>,
    counter: Res<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut failures: Failures,
) {
    let mut late: Vec<_> = requesters
        .iter_mut()
        .filter(|requester| {
            !requester.ticket.has_answer() && !requester.ticket.replan && is_late(requester, counter.tick)
        })
        .collect();
    late.sort_by_key(|requester| requester.rank());
    for requester in &mut late {
        stats.late += 1;
        failures.fail(requester, PathError::DeadlineExceeded);
    }
}

fn is_late(requester: &RequesterItem, tick: u64) -> bool {
    let waited = tick.saturating_sub(requester.ticket.opened);
    requester.request.deadline.is_some_and(|ticks| waited >= u64::from(ticks.max(1)))
}
