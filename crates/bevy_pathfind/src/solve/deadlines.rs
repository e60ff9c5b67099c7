//! Deadlines: who gets no answer in time is told so.

use bevy::prelude::*;

use super::stats::SolveStats;
use crate::order::{Failures, PathError, Requester, RequesterItem, TicketCounter};

/// Fails the orders whose deadline has passed, after the answers of this tick have been applied.
///
/// What an edit or a goal that moves asks for again has no deadline: there is a path to walk meanwhile.
pub(super) fn fail_late(
    mut clients: Query<Requester>,
    counter: Res<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut failures: Failures,
) {
    let mut late: Vec<_> = clients
        .iter_mut()
        .filter(|client| {
            !client.ticket.is_settled() && !client.ticket.replan && is_late(client, counter.tick)
        })
        .collect();
    late.sort_by_key(|client| client.rank());
    for client in &mut late {
        stats.late += 1;
        failures.fail(client, PathError::DeadlineExceeded);
    }
}

fn is_late(client: &RequesterItem, tick: u64) -> bool {
    let waited = tick.saturating_sub(client.ticket.opened);
    client.request.deadline.is_some_and(|ticks| waited >= u64::from(ticks.max(1)))
}
