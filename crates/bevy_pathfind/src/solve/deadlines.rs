//! Fails requests whose deadline has passed.

use bevy::prelude::*;

use super::stats::SolveStats;
use crate::order::{Failures, PathError, RequestSummary, Requester, RequesterReadOnlyItem, TicketCounter};

/// Fails the requests whose deadline has passed, after the answers of this tick have been applied.
///
/// A replan, after an edit or because the goal has moved, has no deadline: the agent has a path meanwhile.
pub(super) fn fail_late(
    mut requesters: Query<Requester>,
    counter: Res<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut failures: Failures,
) {
    let mut all = requesters.transmute_lens::<(Entity, &RequestSummary)>();
    let may_be_late: Vec<_> =
        all.query().iter().filter(|(_, summary)| summary.has_deadline).map(|(entity, _)| entity).collect();
    let mut late: Vec<_> = may_be_late
        .into_iter()
        .filter_map(|entity| requesters.get(entity).ok())
        .filter(|requester| is_late(requester, counter.tick))
        .map(|requester| (requester.rank(), requester.entity))
        .collect();
    late.sort_unstable();
    for (_, entity) in late {
        let Ok(requester) = &mut requesters.get_mut(entity) else { continue };
        stats.late += 1;
        failures.fail(requester, PathError::DeadlineExceeded);
    }
}

fn is_late(requester: &RequesterReadOnlyItem, tick: u64) -> bool {
    let Some(ticks) = requester.request.deadline else { return false };
    let ticket = requester.ticket;
    !ticket.has_answer()
        && !ticket.is_replan()
        && tick.saturating_sub(ticket.opened) >= u64::from(ticks.max(1))
}
