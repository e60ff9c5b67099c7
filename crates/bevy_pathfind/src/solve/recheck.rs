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

/// An agent looks for a way through cells that may have lost their extra costs only in every so manyth turn: what it
/// could gain is less urgent than what it could run into. Not measured.
const LONG_TURN: u64 = 4;

/// Queues a recheck for each agent that the map kept from its goal, or that may have a shorter path, once the map has
/// been edited.
///
/// A recheck sends no events unless it finds something better: the old answer stays until then.
pub(super) fn seek_shortcuts(
    mut requesters: Query<(Requester, Option<&NavPath>)>,
    grids: Grids,
    (positions, links): (Positions, Res<LinkGraph>),
    (settings, time): (Res<SolveSettings>, Res<Time>),
    mut counter: ResMut<TicketCounter>,
    mut tick: Local<u64>,
) {
    *tick += 1;
    let turns = turns(&settings, &time);
    let turn = *tick;
    // In most games no cell ever has an extra cost: then no agent has a turn.
    let have_changed = grids.all().usable().any(|grid| grid.nav.have_costs_changed());
    let is_turn_of = |ticket: &Ticket| have_changed && turn.wrapping_add(ticket.number).is_multiple_of(turns);
    let is_long_turn_of =
        |ticket: &Ticket| (turn.wrapping_add(ticket.number) / turns).is_multiple_of(LONG_TURN);
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
            let is_improved = settings.seek_shortcuts || is_turn_of(ticket);
            (is_improved && **status == PathStatus::Following || falls_short(summary, status))
                && ticket.is_closed()
                && ticket.recheck_after <= *tick
        })
        .filter_map(|(entity, _, ticket, _)| {
            let grid = grid_of(ticket).filter(|grid| grid.place.is_usable())?;
            let is_turn = is_turn_of(ticket);
            let is_due = |&it: &(u64, u64, u64)| {
                is_outdated(it, &grid, &links) || (is_turn && it.1 < grid.nav.revision())
            };
            Some((entity, grid, ticket.answered.filter(is_due)?, is_turn))
        })
        .collect();
    let mut due = Vec::new();
    for (entity, grid, answered, is_turn) in candidates {
        let Ok((mut requester, path)) = requesters.get_mut(entity) else { continue };
        let position = || positions.of(entity).map(|at| grid.place.to_grid(at));
        let may_gain = |position: Vec2, path: &NavPath| {
            // The kind that the path was planned for, which for a breacher is not that of its body.
            let kind = requester.breacher.map_or(path.kind(), |breacher| breacher.kind);
            let is_dearer = || grid.nav.cost_revision(kind) > answered.1;
            let may_shorten = || {
                may_shorten(path, &grid, position, answered)
                    || may_shorten_by_links(path, &grid, answered, &links)
            };
            (settings.seek_shortcuts && is_outdated(answered, &grid, &links) && may_shorten())
                || (is_turn && is_dearer() && {
                    let is_long_turn = is_long_turn_of(&requester.ticket);
                    may_avoid_costs((path, kind, position), &grid, (answered.1, is_long_turn), &settings)
                })
        };
        let fell_short = falls_short(&requester.summary, &requester.status);
        let is_due = (fell_short && is_outdated(answered, &grid, &links))
            || position().zip(path).is_some_and(|(position, path)| may_gain(position, path));
        if is_due {
            due.push((requester.rank(), entity, grid.entity, if is_turn { turns } else { 0 }));
        } else {
            // Changes of extra costs wait for the agent's turn.
            let revision = if is_turn { grid.nav.revision() } else { grid.nav.map_revision() };
            requester.ticket.answered = Some((grid.nav.map_id(), revision, links.version()));
        }
    }
    due.sort_unstable();
    for (_, entity, grid, wait) in due {
        if let Ok((mut requester, _)) = requesters.get_mut(entity) {
            requester.ticket.queue_recheck(&mut counter, grid, *tick + wait.max(RECHECK_TICKS));
        }
    }
}

/// How many ticks it takes until each agent has had a turn to look for a cheaper path.
fn turns(settings: &SolveSettings, time: &Time) -> u64 {
    // Infinite while time stands still; the cast then gives the greatest number.
    ((settings.reconsider_every / time.delta_secs()).ceil() as u64).clamp(1, u64::MAX >> 1)
}

/// Whether an answer is older than the map or the links; extra costs of cells do not matter.
fn is_outdated((map_id, revision, version): (u64, u64, u64), grid: &GridRef, links: &LinkGraph) -> bool {
    map_id != grid.nav.map_id() || revision < grid.nav.map_revision() || version != links.version()
}

/// Whether another path could gain enough after extra costs have changed since a revision: round cells ahead that have
/// such costs, or, in a long turn, through cells that may have lost them.
fn may_avoid_costs(
    (path, kind, position): (&NavPath, KindId, Vec2),
    grid: &GridRef,
    (revision, is_long_turn): (u64, bool),
    settings: &SolveSettings,
) -> bool {
    let rest: Vec<_> = core::iter::once(position).chain(path.remaining_points().iter().copied()).collect();
    let cells = grid.nav.grid();
    let Some((end, cost)) = path.end().zip(cells.travel_cost(kind, &rest)) else { return false };
    let extra = cells.extra_travel_cost(kind, &rest);
    let least = f64::from(position.distance(end) * cells.least_cost(kind));
    is_gain(cost, least.max(cost - extra), settings)
        || (is_long_turn
            && is_gain(cost, least, settings)
            && grid.nav.costs_may_shorten(revision, position, end, cost / f64::from(cells.least_cost(kind))))
}

/// Whether a path that costs `new` is so much cheaper that it replaces one that costs `old`.
fn is_gain(old: f64, new: f64, settings: &SolveSettings) -> bool {
    let share = 1.0 - f64::from(settings.min_gain.clamp(0.0, 1.0));
    new < old * share && new < old - f64::from(settings.min_saving.max(0.0))
}

/// Whether an edit since the latest answer lies where a path through it could be cheaper than the rest of the path.
fn may_shorten(
    path: &NavPath,
    grid: &GridRef,
    position: Vec2,
    (map_id, revision, _): (u64, u64, u64),
) -> bool {
    let rest: Vec<_> = core::iter::once(position).chain(path.remaining_points().iter().copied()).collect();
    let cost = || path.end().zip(grid.nav.grid().travel_cost(path.kind(), &rest));
    is_complete(path)
        && map_id == grid.nav.map_id()
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
                let world = (grid, grids, links);
                let left: Vec<_> =
                    found.points.first().into_iter().chain(path.remaining_points()).copied().collect();
                let kind = requester.breacher.map_or(path.kind(), |breacher| breacher.kind);
                let old = route_cost(&left, path.onward(), kind, world);
                let new = route_cost(&found.points, &found.onward, kind, world);
                let ends = [
                    route_end(path.grid(), &left, path.onward()),
                    route_end(grid.entity, &found.points, &found.onward),
                ];
                ends[0] == ends[1] && old.zip(new).is_some_and(|(old, new)| is_gain(old, new, settings))
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
