//! Checks new and changed requests, and queues them; requests that failed are checked again if the cause may go away.

use bevy::prelude::*;
use pathfind_core::GridCell;

use super::{
    Failures, NavGoal, NavPath, OnLink, PathCause, PathError, PathRequest, PathStatus, Requester,
    RequesterItem, RequesterReadOnlyItem, Returned, SteeringRequest, TargetSlots, Ticket, TicketCounter,
    TicketState,
};
use crate::agent::{Agent, AgentBody};
use crate::world::{Airborne, DisabledGrids, GridRef, Grids, OnGrid, Positions};

/// A search for an old goal is still useful if the goal has moved by no more than this fraction of the distance to
/// it. Not measured.
pub(super) const MAX_GOAL_SHIFT: f32 = 0.25;
/// The same as an absolute distance in cells, for near goals: the greater of the two counts.
const MAX_NEAR_GOAL_SHIFT: f32 = 2.0;
/// How many searches in a row may be dropped for a newer request. The next search runs to its end; otherwise an agent
/// whose request changes faster than searches end would never get a path. Not measured.
const MAX_DROPS: u8 = 3;

/// Agents that neither fly nor cross a link.
type OnGround = (Without<Airborne>, Without<OnLink>);

/// The components by which requests that may be new, changed or to be checked again are selected. (To read which request
/// is served takes longer, and those of steering are few.)
type Selected = (
    Entity,
    Option<Ref<'static, PathRequest>>,
    Has<SteeringRequest>,
    &'static PathStatus,
    Option<&'static OnGrid>,
    Option<Ref<'static, Agent>>,
    &'static Ticket,
);

/// Opens a ticket for each request that is new or changed, or whose failure may have been fixed, and for each agent on
/// its way that is of another kind or size now. Requests of agents that cross a link wait for the end of the crossing.
pub(crate) fn accept(
    mut requesters: Query<Requester, OnGround>,
    (paths, targets, positions): (Query<&NavPath>, Query<&TargetSlots>, Positions),
    (grids, disabled, returned): (Grids, DisabledGrids, Res<Returned>),
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
) {
    // Nearly all requests are unchanged and have not failed: they are dropped after reading a few components.
    let mut all = requesters.transmute_lens_filtered::<Selected, OnGround>();
    let candidates: Vec<_> = all
        .query()
        .iter()
        .filter(|(entity, request, is_steered, status, on_grid, agent, ticket)| {
            let is_changed = request.as_ref().is_some_and(DetectChanges::is_changed);
            let may_need_check = is_changed || *is_steered || on_grid.is_some() || may_recover(status);
            let has_changed = agent.as_ref().filter(|agent| agent.is_changed());
            let has_another_body = has_changed.is_some_and(|agent| has_changed_body(agent, ticket, status));
            may_need_check || has_another_body || returned.appeared.contains(entity)
        })
        .map(|(entity, ..)| entity)
        .collect();
    let mut fresh: Vec<_> = candidates
        .into_iter()
        .filter_map(|entity| {
            let requester = requesters.get(entity).ok()?;
            let changed = Some(requester.request.last_changed());
            let is_new = changed != requester.ticket.checked
                || has_changed_grids(&requester, &grids)
                || requester
                    .agent
                    .is_some_and(|agent| has_changed_body(agent, requester.ticket, requester.status))
                || has_landed(&requester);
            (is_new || may_recover(requester.status)).then_some((
                requester.rank(),
                requester.entity,
                is_new,
                changed,
            ))
        })
        .collect();
    fresh.sort_unstable_by_key(|&(rank, ..)| rank);
    for (_, entity, is_new, changed) in fresh {
        let Ok(requester) = &mut requesters.get_mut(entity) else { continue };
        requester.summary.has_moving_goal = matches!(requester.request.goal, NavGoal::Entity(_));
        requester.summary.has_deadline = requester.request.deadline.is_some();
        requester.ticket.checked = changed;
        if let Some(grid) = disabled_grid(requester, &disabled) {
            // The request waits until the grid is enabled again.
            requester.ticket.open(&mut counter, grid, PathCause::Requested);
            *requester.status = PathStatus::Waiting;
            continue;
        }
        match check(requester, &positions, &grids, &targets) {
            Ok((grid, goal)) => {
                if !is_new && is_outside_still(requester, grid, goal) {
                    continue;
                }
                let asked = (&*requester.request, requester.body());
                if !try_keep_search(&mut requester.ticket, asked, grid.entity, goal) {
                    let drops = requester.ticket.drops;
                    let slot = settled_slot(requester, paths.get(entity).ok(), (grid.entity, goal));
                    requester.ticket.open(&mut counter, grid.entity, PathCause::Requested);
                    (requester.ticket.drops, requester.ticket.slot) = (drops, slot);
                    *requester.status = PathStatus::Waiting;
                }
            }
            Err(error) if !is_new && *requester.status == PathStatus::Failed(error) => (),
            Err(error) => {
                requester.ticket.take_number(&mut counter);
                failures.fail(requester, error);
            }
        }
    }
}

/// Keeps the queued or running search of a ticket for the changed request, if it serves that request too. A queued
/// request always keeps its place; a running search continues if its answer will still be useful, and the request is
/// queued again after it. Returns whether the search is kept.
fn try_keep_search(
    ticket: &mut Ticket,
    (request, body): (&PathRequest, AgentBody),
    grid: Entity,
    goal: Vec2,
) -> bool {
    if ticket.is_recheck() || ticket.grid != Some(grid) {
        return false;
    }
    if matches!(&ticket.state, TicketState::Running { token, .. } if token.try_withdraw()) {
        ticket.put_back();
    }
    match &mut ticket.state {
        // The agent's arrival slot belongs to the old goal.
        TicketState::Waiting => (ticket.cause, ticket.slot) = (PathCause::Requested, None),
        TicketState::Running { searched, is_outdated, .. } => {
            let has_same_options = searched.request.options == request.options && searched.body == body;
            let is_same = has_same_options && searched.request.goal == request.goal;
            let max_shift = MAX_NEAR_GOAL_SHIFT.max(searched.from.distance(searched.to) * MAX_GOAL_SHIFT);
            let is_useful = has_same_options && searched.to.distance(goal) <= max_shift;
            if !is_same && !is_useful && ticket.drops < MAX_DROPS {
                ticket.drops += 1;
                return false;
            }
            *is_outdated = !is_same;
        }
        _ => return false,
    }
    true
}

/// The arrival slot of an agent that has arrived, if it is sent to the same cell again: a crowd that has settled stays as
/// it stands.
fn settled_slot(
    requester: &RequesterItem,
    path: Option<&NavPath>,
    (grid, goal): (Entity, Vec2),
) -> Option<GridCell> {
    let has_settled = *requester.status == PathStatus::Arrived
        && requester.request.spread_at_goal
        && requester.ticket.searched_body == Some(requester.body());
    let is_same =
        |path: &NavPath| path.grid() == grid && GridCell::containing(path.aim) == GridCell::containing(goal);
    requester.ticket.slot.filter(|_| has_settled && path.is_some_and(is_same))
}

/// The grid that an agent is tied to, if that grid is disabled.
fn disabled_grid(requester: &RequesterItem, disabled: &DisabledGrids) -> Option<Entity> {
    requester.on_grid.map(|on| on.0).filter(|&grid| disabled.contains(grid))
}

/// Whether an agent that has not arrived is tied to another grid than its request was accepted for.
fn has_changed_grids(requester: &RequesterReadOnlyItem, grids: &Grids) -> bool {
    let is_another =
        |on: Entity| requester.ticket.grid.is_some_and(|grid| grid != on && grid != grids.place_of(on).0);
    requester.on_grid.is_some_and(|on| is_another(on.0)) && *requester.status != PathStatus::Arrived
}

/// Whether the latest search of an agent that has not arrived was for another body than it has now.
fn has_changed_body(agent: &Agent, ticket: &Ticket, status: &PathStatus) -> bool {
    ticket.searched_body.is_some_and(|body| body != agent.body())
        && !matches!(status, PathStatus::Waiting | PathStatus::Arrived)
}

/// Whether the agent was airborne when its request was accepted. An airborne agent follows its request without a
/// grid; the query holds no airborne agents.
fn has_landed(requester: &RequesterReadOnlyItem) -> bool {
    *requester.status == PathStatus::Following && requester.ticket.grid.is_none()
}

/// Whether a request failed for a cause that may go away without a change of the request.
fn may_recover(status: &PathStatus) -> bool {
    use PathError::{BadGrid, BadSpeed, GoalOutside, NoGrid, NotFinite, OffGrid};
    matches!(status, PathStatus::Failed(NoGrid | OffGrid | BadGrid | NotFinite | BadSpeed | GoalOutside(_)))
}

/// Whether a goal that lay outside of the grid still does: the grid has not grown to it, nor been joined with others.
fn is_outside_still(requester: &RequesterItem, grid: GridRef, goal: Vec2) -> bool {
    matches!(requester.status.as_ref(), PathStatus::Failed(PathError::GoalOutside(_)))
        && requester.ticket.grid == Some(grid.entity)
        && !grid.nav.contains(GridCell::containing(goal))
}

/// The grid of a request, and the goal in grid space.
///
/// # Errors
/// The fault of the agent, the goal or the grid.
fn check<'a>(
    requester: &RequesterItem,
    positions: &Positions,
    grids: &'a Grids,
    targets: &Query<&TargetSlots>,
) -> Result<(GridRef<'a>, Vec2), PathError> {
    requester.agent.map_or(Ok(()), Agent::check)?;
    let at = positions.of(requester.entity).unwrap_or(Vec3::NAN);
    let goal = requester.request.goal.nearest_point(at, positions)?;
    let grid = grids.of((requester.on_grid, None, requester.offset, None), at)?;
    // For an agent with a slot, steering has made another request.
    if let NavGoal::SlotOf(target) = requester.request.goal {
        return Err(targets
            .get(target)
            .ok()
            .and_then(|slots| slots.check().err())
            .unwrap_or(PathError::NoSlot));
    }
    let (from, to) = (grid.place.to_grid(at), grid.place.to_grid(goal));
    if from.is_finite() && to.is_finite() { Ok((grid, to)) } else { Err(PathError::NotFinite) }
}
