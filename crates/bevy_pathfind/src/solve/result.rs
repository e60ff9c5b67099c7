//! Decides on each answer: it is applied, dropped, or its request is queued again.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::Outcome;

use super::latency::Latencies;
use super::recheck::{is_complete, is_news};
use super::stats::SolveStats;
use super::worker::CompletedSearches;
use super::{ReplanSettings, Solved};
use crate::order::{
    Failures, FoundPath, NavPath, PathError, PathFound, PathInvalidated, PathStatus, ReplanReason, Requester,
    RequesterItem, TicketCounter, TicketState,
};
use crate::world::{DisabledGrids, GridRef, Grids};

/// After so many stale answers, one that falls short of the goal is accepted although the map has changed: on a map
/// that is edited all the time there would be no answer otherwise.
const MAX_STALE_RETRIES: u8 = 4;

/// The statistics that each answer updates.
#[derive(SystemParam)]
pub(super) struct Ledger<'w> {
    stats: ResMut<'w, SolveStats>,
    latencies: ResMut<'w, Latencies>,
}

/// Applies the answers of this tick in the order of their requests.
///
/// An answer for an older request is dropped. An answer for an older revision of the map is dropped too, and its
/// request is queued again with its old place, unless no edit since then touches the path. An answer to a request
/// that has changed meanwhile is applied, and the changed request is queued behind it.
pub(super) fn apply(
    mut completed: ResMut<CompletedSearches>,
    mut requesters: Query<(Requester, Option<&mut NavPath>)>,
    (grids, disabled, repair): (Grids, DisabledGrids, Res<ReplanSettings>),
    mut counter: ResMut<TicketCounter>,
    mut ledger: Ledger,
    mut failures: Failures,
    mut commands: Commands,
) {
    completed.0.sort_by_key(|(_, solved)| solved.number);
    for (entity, mut solved) in completed.0.drain(..) {
        ledger.stats.count(entity, &mut solved);
        let Ok((mut requester, mut path)) = requesters.get_mut(entity) else { continue };
        if requester.ticket.number != solved.number
            || !matches!(requester.ticket.state, TicketState::Answered)
        {
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
        if is_stale(&grid, &solved, requester.ticket.stale_retries) {
            ledger.stats.stale += 1;
            requester.ticket.stale_retries = requester.ticket.stale_retries.saturating_add(1);
            requester.ticket.put_back();
            requester.show_waiting();
            continue;
        }
        requester.ticket.answered = Some((solved.lineage, solved.revision));
        let is_outdated = requester.ticket.outdated;
        if requester.ticket.recheck && !is_outdated {
            if !is_news(&requester, path.as_deref(), &grid, &solved, &repair) {
                requester.ticket.close();
                continue;
            }
            if path.as_deref().is_some_and(is_complete) {
                commands.trigger(PathInvalidated { entity, reason: ReplanReason::ShorterWay });
            }
        }
        if !requester.ticket.recheck {
            ledger.latencies.note(counter.tick.saturating_sub(requester.ticket.opened));
        }
        match solved.result {
            Ok(found) => hand_over(&mut requester, path.as_deref_mut(), &grid, found, &mut commands),
            Err(_) if is_outdated => (),
            // The place beside the goal cannot be reached: the agent keeps its present path, which ends near enough.
            Err(_) if requester.ticket.place.is_some() && path.is_some() => {
                requester.ticket.close();
                *requester.status = PathStatus::Following;
            }
            Err(error) => failures.fail(&mut requester, error.into()),
        }
        if is_outdated {
            requester.ticket.open(&mut counter, grid.entity, false);
            requester.show_waiting();
        }
    }
}

/// Whether the map has changed so that the answer may be wrong.
fn is_stale(grid: &GridRef, solved: &Solved, stale_retries: u8) -> bool {
    if solved.lineage != grid.nav.lineage() {
        return true;
    }
    if solved.revision == grid.nav.revision() {
        return false;
    }
    let patience_is_over = stale_retries >= MAX_STALE_RETRIES;
    match &solved.result {
        Ok(found) if found.outcome == Outcome::Complete || patience_is_over => {
            let news = grid.news(solved.revision, found.kind);
            found.points.first().is_some_and(|&start| news.first_touched(start, &found.points).is_some())
        }
        _ => !patience_is_over,
    }
}

/// Puts a path in place.
fn hand_over(
    requester: &mut RequesterItem,
    old: Option<&mut NavPath>,
    grid: &GridRef,
    found: FoundPath,
    commands: &mut Commands,
) {
    let (entity, replan) = (requester.entity, requester.ticket.replan);
    let mut path = NavPath::new(grid, found);
    if requester.ticket.recheck {
        // A better path was found: the place beside the goal of the old path is given up.
        requester.ticket.place = None;
    } else if let Some(old) = old.as_deref().filter(|_| requester.ticket.place.is_some()) {
        path.stand_for(old);
    }
    let outcome = path.outcome();
    requester.ticket.falls_short = outcome.is_for_the_map();
    requester.ticket.close();
    *requester.status = PathStatus::Following;
    match old {
        Some(old) => *old = path,
        None => {
            commands.entity(entity).try_insert(path);
        }
    }
    commands.trigger(PathFound { entity, outcome, replan });
}
