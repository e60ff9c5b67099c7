//! Moves requests for the best cells into the search queue, and answers out of it.

use bevy::prelude::*;

use super::cell_input::{CellAsker, CellSurroundings};
use super::pool::Pool;
use super::resources::SearchResources;
use super::search_queue::CellJob;
use super::snapshot::Ground;
use super::{SolveMode, SolveSettings};
use crate::agent::{Agent, AgentId};
use crate::order::{CellRequest, CellRequestFailed, CellTicket, CellsFound, SearchHandle};
use crate::world::Tie;

/// How many requests may wait in the queue, each with a copy of its input. Not measured.
const MAX_QUEUED: usize = 64;

/// The components of an agent that asks for cells.
type Asking = (
    (Entity, Option<&'static AgentId>, Option<&'static Agent>),
    (Ref<'static, CellRequest>, &'static mut CellTicket),
    Tie,
);

/// Queues requests in the order of the agents' ids, and cancels the searches for those that were removed.
pub(super) fn queue_cell_requests(
    mut asking: Query<Asking>,
    mut withdrawn: Query<&mut CellTicket, Without<CellRequest>>,
    (ground, surroundings): (Ground, CellSurroundings),
    settings: Res<SolveSettings>,
    pool: Res<Pool>,
    mut commands: Commands,
) {
    for mut ticket in withdrawn.iter_mut().filter(|ticket| ticket.search.is_some()) {
        *ticket = CellTicket::default();
    }
    let open = asking.iter().filter(|(_, (request, ticket), _)| ticket.is_open(request.last_changed()));
    let rank = |entity: Entity, id: Option<&AgentId>| (id.map_or(u64::MAX, |id| id.0), entity.index_u32());
    let mut open: Vec<_> = open.map(|((entity, id, _), ..)| (rank(entity, id), entity)).collect();
    open.sort_unstable();
    let most = if settings.available_mode() == SolveMode::Inline { usize::MAX } else { MAX_QUEUED };
    let mut state = pool.queue.lock();
    for (_, entity) in open {
        if state.cells.len() >= most {
            break;
        }
        let Ok(((_, _, agent), (request, mut ticket), tie)) = asking.get_mut(entity) else { continue };
        let asker = CellAsker {
            agent: Some(entity),
            kind: agent.map(|agent| agent.kind).unwrap_or_default(),
            from: ground.positions.of(entity).unwrap_or(Vec3::NAN),
            tie,
        };
        let asked = request.last_changed();
        *ticket = CellTicket { asked: Some(asked), search: None };
        match surroundings.input(&ground, &asker, &request) {
            Ok(input) => {
                let (handle, token) = SearchHandle::new();
                ticket.search = Some(token);
                state.cells.push_back(CellJob { entity, asked, input, handle });
            }
            Err(error) => commands.trigger(CellRequestFailed { entity, error }),
        }
    }
}

/// Tells agents what was found, in the order of their ids.
pub(super) fn answer_cell_requests(
    mut asking: Query<(Option<&AgentId>, &mut CellTicket), With<CellRequest>>,
    ground: Ground,
    (pool, resources): (Res<Pool>, Res<SearchResources>),
    mut commands: Commands,
) {
    let mut answers = pool.queue.take_cell_answers();
    let id = |entity: Entity| asking.get(entity).ok().and_then(|(id, _)| Some(id?.0));
    answers.sort_by_key(|answer| (id(answer.entity).unwrap_or(u64::MAX), answer.entity.index_u32()));
    for answer in answers {
        let (found, scratch) = answer.run.finish(&ground);
        resources.give_back(scratch);
        let entity = answer.entity;
        let Ok((_, mut ticket)) = asking.get_mut(entity) else { continue };
        if ticket.asked != Some(answer.asked) || ticket.search.take().is_none() {
            continue;
        }
        match found {
            Ok(cells) => commands.trigger(CellsFound { entity, cells }),
            Err(error) => commands.trigger(CellRequestFailed { entity, error }),
        }
    }
}
