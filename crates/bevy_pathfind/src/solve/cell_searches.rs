//! Answers requests for the best cells, one after another, in slices.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use pathfind_core::SearchScratch;

use super::cell_input::{CellAsker, CellRun, CellSurroundings};
use super::snapshot::Ground;
use super::{SolveMode, SolveSettings};
use crate::agent::{Agent, AgentId};
use crate::order::{CellRequest, CellRequestFailed, CellTicket, CellsFound};
use crate::world::Tie;

/// How many cells are expanded at once: the least that a request takes of the budget.
const SLICE: u32 = 512;

/// The components of an agent that asks for cells.
type Asking = (
    (Entity, Option<&'static AgentId>, Option<&'static Agent>),
    (Ref<'static, CellRequest>, &'static mut CellTicket),
    Tie,
);

/// The search under way, and memory for the next.
#[derive(Default)]
pub(super) struct CellSearches {
    /// The search that was begun and not finished: its agent, the change tick of its request, and the search.
    unfinished: Option<(Entity, Tick, CellRun)>,
    scratch: SearchScratch,
}

/// Answers requests in the order of the agents' ids, until the budget of the tick is spent.
pub(super) fn answer_cell_requests(
    mut asking: Query<Asking>,
    (ground, surroundings): (Ground, CellSurroundings),
    settings: Res<SolveSettings>,
    mut searches: Local<CellSearches>,
    mut commands: Commands,
) {
    let unfinished = searches.unfinished.take();
    let under_way = unfinished.as_ref().map(|(entity, ..)| *entity);
    let is_open =
        |request: &Ref<CellRequest>, ticket: &CellTicket| ticket.answered != Some(request.last_changed());
    let open = asking.iter().filter(|(_, (request, ticket), _)| is_open(request, ticket));
    let rank = |entity: Entity, id: Option<&AgentId>| {
        (Some(entity) != under_way, id.map_or(u64::MAX, |id| id.0), entity.index_u32())
    };
    let mut open: Vec<_> = open.map(|((entity, id, _), ..)| (rank(entity, id), entity)).collect();
    open.sort_unstable();
    let mut kept = unfinished.filter(|_| open.first().is_some_and(|&(_, first)| Some(first) == under_way));
    let is_inline = settings.available_mode() == SolveMode::Inline;
    let mut left = if is_inline { u32::MAX } else { settings.expansions_per_frame.max(1) };
    for (_, entity) in open {
        let Ok(((_, _, agent), (request, mut ticket), tie)) = asking.get_mut(entity) else { continue };
        let changed = request.last_changed();
        let asker = CellAsker {
            agent: Some(entity),
            kind: agent.map(|agent| agent.kind).unwrap_or_default(),
            from: ground.positions.of(entity).unwrap_or(Vec3::NAN),
            tie,
        };
        let kept = kept.take().filter(|&(_, asked, _)| asked == changed);
        let begin =
            || surroundings.begin(&ground, &asker, &request, || core::mem::take(&mut searches.scratch));
        let found = match kept.map_or_else(begin, |(.., run)| Ok(run)) {
            Err(error) => Err(error),
            Ok(mut run) => {
                let mut is_over = false;
                while !is_over && left > 0 {
                    let slice = left.min(SLICE);
                    is_over = run.step(slice);
                    left = if is_inline { left } else { left - slice };
                }
                if !is_over {
                    searches.unfinished = Some((entity, changed, run));
                    break;
                }
                let (found, scratch) = run.finish(&ground);
                searches.scratch = scratch;
                found
            }
        };
        ticket.answered = Some(changed);
        match found {
            Ok(cells) => commands.trigger(CellsFound { entity, cells }),
            Err(error) => commands.trigger(CellRequestFailed { entity, error }),
        }
    }
}
