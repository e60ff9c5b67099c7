//! Applies the answers of finished searches: an answer becomes the agent's `NavPath` or `PathFailed`, or is dropped,
//! or its request is queued again.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::Outcome;

use super::job_run::CompletedSearches;
use super::latency::Latencies;
use super::recheck::{is_complete, is_improvement};
use super::replan::is_route_free;
use super::stats::SolveStats;
use super::{SolveSettings, Solved};
use crate::order::{
    Failures, FoundPath, NavPath, PathCause, PathError, PathFound, PathInvalidated, PathStatus, Requester,
    RequesterItem, TicketCounter, TicketState,
};
use crate::world::{DisabledGrids, GridRef, Grids, LinkGraph};

/// After this many stale answers to a request, the next answer is accepted although the map has changed: an error, a
/// partial path that no edit touches, and a route over links without a check of the links. Otherwise a request on a
/// map that is edited all the time might never be answered. A path that an edit touches is never accepted.
const MAX_STALE_RETRIES: u8 = 4;

/// The statistics that each answer updates.
#[derive(SystemParam)]
pub(super) struct AnswerStats<'w> {
    stats: ResMut<'w, SolveStats>,
    latencies: ResMut<'w, Latencies>,
}

/// Applies the answers of this tick in the order of their requests.
///
/// - An answer is dropped if its entity has a newer request, or none.
/// - If the grid was removed, the request fails. If the grid is disabled, the request is queued again in its old
///   place.
/// - A [stale](is_stale) answer is dropped, and the request is queued again in its old place.
/// - An answer to a recheck is dropped if it does not improve on what the agent has. A recheck is a search for a
///   better path after an edit.
/// - All other answers are applied. If the request was changed during the search (`is_outdated`), a path is used
///   all the same, an error is not reported, and a search for the changed request is queued.
pub(super) fn apply(
    mut completed: ResMut<CompletedSearches>,
    mut requesters: Query<(Requester, Option<&mut NavPath>)>,
    (grids, disabled, replan_settings, links): (Grids, DisabledGrids, Res<SolveSettings>, Res<LinkGraph>),
    mut counter: ResMut<TicketCounter>,
    mut answer_stats: AnswerStats,
    mut failures: Failures,
    mut commands: Commands,
) {
    completed.0.sort_by_key(|(_, solved)| solved.number);
    for (entity, mut solved) in completed.0.drain(..) {
        answer_stats.stats.count(entity, &mut solved);
        let Ok((mut requester, mut path)) = requesters.get_mut(entity) else { continue };
        let TicketState::Answered { is_outdated } = requester.ticket.state else { continue };
        if requester.ticket.number != solved.number {
            continue;
        }
        let Some(grid) = grids.get(solved.grid) else {
            if disabled.contains(solved.grid) {
                requester.ticket.put_back();
                requester.show_waiting();
                continue;
            }
            failures.fail(&mut requester, PathError::GridRemoved);
            continue;
        };
        let is_route_usable = solved.links_version == links.version()
            || solved.result.as_mut().is_ok_and(|found| is_route_free(&mut found.onward, &grids, &links))
            || requester.ticket.stale_retries >= MAX_STALE_RETRIES;
        if !is_route_usable || is_stale(&grid, &solved, requester.ticket.stale_retries) {
            answer_stats.stats.stale += 1;
            requester.ticket.stale_retries = requester.ticket.stale_retries.saturating_add(1);
            requester.ticket.put_back();
            requester.show_waiting();
            continue;
        }
        if requester.ticket.slot.is_none() || requester.ticket.is_recheck() {
            requester.ticket.answered = Some((solved.map_id, solved.revision, solved.links_version));
        }
        if requester.ticket.is_recheck() && !is_outdated {
            let world = (&*replan_settings, &grids, &*links);
            if !is_improvement(&requester, path.as_deref(), &grid, &solved, world) {
                requester.ticket.close();
                continue;
            }
            if path.as_deref().is_some_and(is_complete) {
                commands.trigger(PathInvalidated { entity, cause: PathCause::ShorterWay });
            }
        }
        if !requester.ticket.is_recheck() {
            answer_stats.latencies.note(counter.tick.saturating_sub(requester.ticket.opened));
        }
        match solved.result {
            Ok(found) => apply_path(&mut requester, path.as_deref_mut(), &grid, found, &mut commands),
            Err(_) if is_outdated => (),
            // The agent's arrival slot, a cell near its goal, cannot be reached: the agent keeps its present path,
            // whose end is near the goal too.
            Err(_) if requester.ticket.slot.is_some() && path.is_some() => {
                requester.ticket.close();
                *requester.status = PathStatus::Following;
            }
            Err(error) => failures.fail(&mut requester, error.into()),
        }
        if is_outdated {
            requester.ticket.open(&mut counter, grid.entity, PathCause::Requested);
            requester.show_waiting();
        }
    }
}

/// Whether the map has changed since the search began so that the answer may be wrong: the grid was replaced (another
/// map id), an edit touches the path found, or an edit may have opened a path to a goal that was not reached. After
/// [`MAX_STALE_RETRIES`] the last reason no longer counts.
fn is_stale(grid: &GridRef, solved: &Solved, stale_retries: u8) -> bool {
    if solved.map_id != grid.nav.map_id() {
        return true;
    }
    if solved.revision == grid.nav.revision() {
        return false;
    }
    let retries_are_used_up = stale_retries >= MAX_STALE_RETRIES;
    match &solved.result {
        Ok(found) if found.outcome == Outcome::Complete || retries_are_used_up => {
            let edits = grid.edits_since(solved.revision, found.shape.kind);
            found.points.first().is_some_and(|&start| edits.first_touched(start, &found.points).is_some())
        }
        _ => !retries_are_used_up,
    }
}

/// Gives the agent a path that was found, in place of its old one, and sends [`PathFound`].
fn apply_path(
    requester: &mut RequesterItem,
    old: Option<&mut NavPath>,
    grid: &GridRef,
    found: FoundPath,
    commands: &mut Commands,
) {
    let (entity, cause) = (requester.entity, requester.ticket.cause);
    let mut path = NavPath::new(grid, found);
    if requester.ticket.is_recheck() {
        // The new path leads to the goal itself, so the arrival slot of the old path is given up.
        requester.ticket.slot = None;
    } else if let Some(old) = old.as_deref().filter(|_| requester.ticket.slot.is_some()) {
        // The new path leads to the arrival slot: outcome and goal stay those of the path to the goal.
        path.copy_goal(old);
    }
    let outcome = path.outcome();
    requester.summary.falls_short = outcome.is_blocked_by_map();
    requester.ticket.close();
    *requester.status = PathStatus::Following;
    match old {
        Some(old) => *old = path,
        None => {
            commands.entity(entity).try_insert(path);
        }
    }
    commands.trigger(PathFound { entity, outcome, cause });
}
