//! Walls that go away: who was held up by the map asks again when it has changed.

use bevy::prelude::*;

use super::{Client, ClientItem, PartialWhy, Path, PathError, PathOutcome, PathStatus};
use crate::request::TicketCounter;
use crate::world::Grids;

/// How many ticks an agent rests between two such questions, so that a map that never rests costs little.
const REST: u64 = 8;

/// Asks again for each agent that fell short of its goal because of the map, once that map is edited.
///
/// Nobody hears of the question: the old answer holds until a better one has come.
pub(super) fn look_again(
    mut clients: Query<(Client, Option<&Path>)>,
    grids: Grids,
    mut counter: ResMut<TicketCounter>,
    mut tick: Local<u64>,
) {
    *tick += 1;
    let mut due: Vec<_> = clients
        .iter_mut()
        .filter(|(client, path)| {
            client.ticket.is_closed() && client.ticket.rests_until <= *tick && falls_short(client, *path)
        })
        .filter_map(|(client, _)| {
            let grid = grids.get(client.ticket.grid?)?;
            let answered = client.ticket.answered?;
            let is_edited = answered != (grid.nav.lineage(), grid.nav.revision());
            (is_edited && grid.place.is_usable()).then_some(client)
        })
        .collect();
    due.sort_by_key(|client| client.entity.index_u32());
    for client in &mut due {
        if let Some(grid) = client.ticket.grid {
            client.ticket.look_again(&mut counter, grid, *tick + REST);
        }
    }
}

/// Whether the map kept an agent from its goal.
fn falls_short(client: &ClientItem, path: Option<&Path>) -> bool {
    match *client.status {
        PathStatus::Failed(error) => {
            matches!(error, PathError::StartBlocked(_) | PathError::GoalBlocked(_) | PathError::Unreachable)
        }
        PathStatus::Following | PathStatus::Arrived => path.is_some_and(|path| {
            matches!(path.outcome(), PathOutcome::Partial(PartialWhy::GoalBlocked | PartialWhy::Unreachable))
        }),
        _ => false,
    }
}
