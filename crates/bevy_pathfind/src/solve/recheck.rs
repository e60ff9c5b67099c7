//! Rechecks: after an edit, searches again for agents that the map kept from their goal and, if the settings say so,
//! for agents to which it may have opened a shorter path. Paths that an edit blocks are found in
//! [`replan`](super::replan).

use bevy::prelude::*;
use pathfind_core::KindId;

use super::{SolveSettings, Solved};
use crate::order::{
    NavPath, OnwardLeg, PathError, PathOutcome, PathStatus, RequestSummary, Requester, RequesterItem, Ticket,
    TicketCounter,
};
use crate::world::{GridRef, Grids, LinkGraph, Positions};

/// How many ticks an agent waits between two rechecks, so that a map that is edited every tick costs little.
const RECHECK_TICKS: u64 = 8;

/// Queues a recheck for each agent that the map kept from its goal, or that may have a shorter path, once the map has
/// been edited.
///
/// A recheck sends no events unless it finds something better: the old answer stays until then.
pub(super) fn seek_shortcuts(
    mut requesters: Query<(Requester, Option<&NavPath>)>,
    grids: Grids,
    (positions, links): (Positions, Res<LinkGraph>),
    settings: Res<SolveSettings>,
    mut counter: ResMut<TicketCounter>,
    mut tick: Local<u64>,
) {
    *tick += 1;
    // Nearly all agents are on one grid.
    let mut known = None::<GridRef>;
    let mut grid_of = |ticket: &Ticket| {
        let on = ticket.grid;
        known = known.filter(|grid| Some(grid.entity) == on).or_else(|| on.and_then(|on| grids.get(on)));
        known
    };
    // Few agents need a recheck: all others are skipped quickly.
    let mut all = requesters.transmute_lens::<(Entity, &RequestSummary, &Ticket, &PathStatus)>();
    let candidates: Vec<_> = all
        .query()
        .iter()
        .filter(|(_, summary, ticket, status)| {
            let is_improved = settings.seek_shortcuts && **status == PathStatus::Following;
            (is_improved || falls_short(summary, status))
                && ticket.is_closed()
                && ticket.recheck_after <= *tick
        })
        .filter_map(|(entity, _, ticket, _)| {
            let grid = grid_of(ticket).filter(|grid| grid.place.is_usable())?;
            let answered = ticket.answered.filter(|&answered| answered != current_versions(&grid, &links))?;
            Some((entity, grid, answered))
        })
        .collect();
    let mut due = Vec::new();
    for (entity, grid, answered) in candidates {
        let Ok((mut requester, path)) = requesters.get_mut(entity) else { continue };
        let position = || positions.of(entity).map(|at| grid.place.to_grid(at));
        let is_due = falls_short(&requester.summary, &requester.status)
            || position().zip(path).is_some_and(|(position, path)| {
                may_shorten(path, &grid, position, answered)
                    || may_shorten_by_links(path, &grid, answered, &links)
            });
        if is_due {
            due.push((requester.rank(), entity, grid.entity));
        } else {
            requester.ticket.answered = Some(current_versions(&grid, &links));
        }
    }
    due.sort_unstable();
    for (_, entity, grid) in due {
        if let Ok((mut requester, _)) = requesters.get_mut(entity) {
            requester.ticket.queue_recheck(&mut counter, grid, *tick + RECHECK_TICKS);
        }
    }
}

/// Lineage and revision of a grid, and the version of the links: an answer with other values is outdated.
fn current_versions(grid: &GridRef, links: &LinkGraph) -> (u64, u64, u64) {
    (grid.nav.lineage(), grid.nav.revision(), links.version())
}

/// Whether an edit since the latest answer lies where a path through it could be cheaper than the rest of the path.
fn may_shorten(
    path: &NavPath,
    grid: &GridRef,
    position: Vec2,
    (lineage, revision, _): (u64, u64, u64),
) -> bool {
    let rest: Vec<_> = core::iter::once(position).chain(path.remaining_points().iter().copied()).collect();
    let cost = || path.end().zip(grid.nav.grid().travel_cost(path.kind(), &rest));
    is_complete(path)
        && lineage == grid.nav.lineage()
        && cost().is_some_and(|(end, left)| grid.may_shorten(revision, path.kind(), position, end, left))
}

/// Whether a change of links, or of a grid on a route over links, may have made another route cheaper. Only a search
/// can tell whether it has.
fn may_shorten_by_links(
    path: &NavPath,
    grid: &GridRef,
    (.., version): (u64, u64, u64),
    links: &LinkGraph,
) -> bool {
    let leads_over_links = path.link().is_some() || links.needs_links(grid.entity, grid.entity);
    version != links.version() && leads_over_links && path.outcome() == PathOutcome::Complete
}

/// The cost of a route along these points of a grid, then over the links and grids of `onward`. `None` if the route
/// is blocked.
fn route_cost(
    points: &[Vec2],
    onward: &[OnwardLeg],
    kind: KindId,
    (grid, grids, links): (&GridRef, &Grids, &LinkGraph),
) -> Option<f64> {
    let on = |grid: &GridRef, points: &[Vec2]| grid.nav.grid().travel_cost(kind, points);
    let onward_costs = onward.iter().map(|leg| {
        let link = links.open_link(leg.link, kind, leg.landing())?;
        Some(f64::from(link.cost) + on(&grids.get(leg.grid)?, &leg.path.points)?)
    });
    Some(on(grid, points)? + onward_costs.sum::<Option<f64>>()?)
}

/// The grid and the point at which a route ends.
fn route_end(grid: Entity, points: &[Vec2], onward: &[OnwardLeg]) -> (Entity, Option<Vec2>) {
    let (grid, points) = onward.last().map_or((grid, points), |leg| (leg.grid, &leg.path.points));
    (grid, points.last().copied())
}

/// Whether the answer to a recheck improves on what the agent has.
pub(super) fn is_improvement(
    requester: &RequesterItem,
    path: Option<&NavPath>,
    grid: &GridRef,
    solved: &Solved,
    (settings, grids, links): (&SolveSettings, &Grids, &LinkGraph),
) -> bool {
    match (&solved.result, *requester.status) {
        (&Err(error), PathStatus::Failed(known)) => known != error.into(),
        (Err(_), _) => !path.is_some_and(is_complete),
        (Ok(found), _) => match path {
            Some(path) if is_complete(path) => {
                let gain = 1.0 - f64::from(settings.min_gain.clamp(0.0, 1.0));
                let world = (grid, grids, links);
                let left: Vec<_> =
                    found.points.first().into_iter().chain(path.remaining_points()).copied().collect();
                let old = route_cost(&left, path.onward(), path.kind(), world);
                let new = route_cost(&found.points, &found.onward, found.shape.kind, world);
                let ends = [
                    route_end(path.grid(), &left, path.onward()),
                    route_end(grid.entity, &found.points, &found.onward),
                ];
                ends[0] == ends[1] && old.zip(new).is_some_and(|(old, new)| new < old * gain)
            }
            Some(path) => {
                let ends = found.points.last().map(|end| (end, end.distance(path.aim)));
                let is_no_nearer = |(end, left): (&Vec2, f32)| {
                    // An agent in an arrival slot searches from another start than before: another end that is as far
                    // from the goal is no improvement.
                    let has_slot = requester.ticket.slot.is_some();
                    *end == path.found_end()
                        || (has_slot && left + 0.01 >= path.found_end().distance(path.aim))
                };
                path.outcome() != found.outcome.into() || !ends.is_some_and(is_no_nearer)
            }
            None => true,
        },
    }
}

/// Whether a path reaches its goal.
pub(super) fn is_complete(path: &NavPath) -> bool {
    path.outcome() == PathOutcome::Complete
}

/// Whether the map kept an agent from its goal. It does not read the path, because it is called for every agent.
fn falls_short(summary: &RequestSummary, status: &PathStatus) -> bool {
    match *status {
        PathStatus::Failed(error) => {
            matches!(error, PathError::StartBlocked(_) | PathError::GoalBlocked(_) | PathError::Unreachable)
        }
        PathStatus::Following | PathStatus::EndedShort(_) => summary.falls_short,
        _ => false,
    }
}
