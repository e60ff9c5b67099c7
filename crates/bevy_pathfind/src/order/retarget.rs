//! Moving goals: requests a new path when the entity that is the goal has moved away from the end of the path.

use bevy::prelude::*;

use super::accept::MAX_GOAL_SHIFT;
use super::{
    Failures, NavGoal, NavPath, PathCause, PathError, PathStatus, RequestSummary, Requester, TicketCounter,
};
use crate::world::{Grids, Positions};

/// Queues requests again whose goal has moved too far from the end of their path: by more than a quarter of the
/// distance from the agent to it, and by more than a cell.
///
/// Agents meanwhile move along the old path. If the goal entity is gone, the request of an agent on its path fails;
/// an agent that has arrived stays.
pub(super) fn retarget(
    mut requesters: Query<(Requester, &NavPath)>,
    positions: Positions,
    grids: Grids,
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
) {
    // Few requests have an entity as goal: of all others only the summary is read.
    let mut all = requesters.transmute_lens::<(Entity, &RequestSummary)>();
    let may_move: Vec<_> =
        all.query().iter().filter(|(_, summary)| summary.has_moving_goal).map(|(entity, _)| entity).collect();
    let mut moved: Vec<_> = may_move
        .into_iter()
        .filter_map(|entity| {
            let (requester, path) = requesters.get(entity).ok()?;
            let NavGoal::Entity(target) = requester.request.goal else { return None };
            let has_path = requester.status.is_on_path()
                || matches!(*requester.status, PathStatus::Arrived | PathStatus::EndedShort(_));
            if !has_path || !requester.ticket.has_answer() {
                return None;
            }
            let Some(target_at) = positions.of(target).filter(|at| at.is_finite()) else {
                return requester.status.is_on_path().then_some((requester.rank(), entity, None));
            };
            let grid = grids.get(path.grid()).filter(|grid| grid.place.is_usable())?;
            let (here, goal) = (grid.place.to_grid(positions.of(entity)?), grid.place.to_grid(target_at));
            let max_shift = (here.distance(goal) * MAX_GOAL_SHIFT).max(1.0);
            let moved_by = match path.requested {
                Some(requested) => requested.distance(target_at) / grid.place.cell_size(),
                None => path.aim.distance(goal),
            };
            (moved_by > max_shift).then_some((requester.rank(), entity, Some(grid.entity)))
        })
        .collect();
    moved.sort_by_key(|&(rank, ..)| rank);
    for (_, entity, grid) in moved {
        let Ok((mut requester, _)) = requesters.get_mut(entity) else { continue };
        match grid {
            Some(grid) => {
                requester.ticket.open(&mut counter, grid, PathCause::GoalMoved);
                *requester.status = PathStatus::Waiting;
            }
            None => failures.fail(&mut requester, PathError::TargetGone),
        }
    }
}
