//! Replans the paths that an edit touches, and fails requests whose grid or agent has become unusable.

use core::cell::Cell;
use core::hint::black_box;

use bevy::prelude::*;
use pathfind_core::KindId;

use super::stats::SolveStats;
use crate::agent::AgentVelocity;
use crate::order::{
    Failures, NavPath, OnLink, OnwardLeg, PathCause, PathCheck, PathError, PathInvalidated, PathStatus,
    Requester, RequesterItem, Returned, TicketCounter,
};
use crate::world::{
    DisabledGrids, EditsSince, GridRef, GridTransform, Grids, LinkChanges, LinkGraph, OnGrid, Positions,
};

/// Recomputes the waypoints of paths whose grid has moved, or may have moved while their agents were disabled.
pub(super) fn update_waypoints(
    mut paths: Query<(Entity, &mut NavPath)>,
    moved: Query<(), Changed<GridTransform>>,
    returned: Res<Returned>,
    grids: Grids,
) {
    if moved.is_empty() && returned.is_empty() {
        return;
    }
    for (entity, mut path) in &mut paths {
        if (moved.contains(path.grid()) || returned.contains(&entity))
            && let Some(grid) = grids.get(path.grid())
        {
            path.update_waypoints(&grid);
        }
    }
}

/// Why a request has lost its grid.
#[derive(Debug, Clone, Copy)]
enum Loss {
    /// The grid is disabled, and may come back.
    Disabled,
    /// The grid was removed, or cannot be placed in the world.
    Final(PathError),
}

/// Fails each request whose grid was removed or cannot be placed in the world any more. A request whose grid is
/// disabled is queued again, and continues when the grid is enabled. The agents lose their paths in both cases; an
/// agent that had arrived keeps its status.
pub(super) fn drop_lost_grids(
    mut requesters: Query<(Requester, Option<&NavPath>)>,
    (grids, disabled, returned): (Grids, DisabledGrids, Res<Returned>),
    mut known: Local<Vec<(Entity, bool)>>,
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
    mut commands: Commands,
) {
    if !grids.have_changed(&mut known, |grid| (grid.entity, grid.place.is_usable())) && returned.is_empty() {
        return;
    }
    // Nearly all agents are on one grid.
    let usable = Cell::new(None::<Entity>);
    let why_lost = |grid: Entity| {
        if usable.get() == Some(grid) {
            return None;
        }
        let Some(found) = grids.get(grid) else {
            let is_disabled = disabled.contains(grid);
            return Some(if is_disabled { Loss::Disabled } else { Loss::Final(PathError::GridRemoved) });
        };
        if !found.place.is_usable() {
            return Some(Loss::Final(PathError::BadGrid));
        }
        usable.set(Some(grid));
        None
    };
    let loss_of_search = |requester: &RequesterItem| {
        let grid = requester.ticket.grid.filter(|_| !requester.ticket.has_answer());
        grid.and_then(why_lost)
    };
    let mut lost: Vec<_> = requesters
        .iter_mut()
        .filter_map(|(requester, path)| {
            let path_loss = path.and_then(|path| why_lost(path.grid()).map(|loss| (path.grid(), loss)));
            let search_loss = loss_of_search(&requester);
            let had_arrived = search_loss.is_none() && !requester.status.is_on_path();
            let loss = search_loss.or(path_loss.map(|(_, loss)| loss))?;
            Some((had_arrived, loss, path_loss.map(|(grid, _)| grid), requester))
        })
        .collect();
    lost.sort_by_key(|(.., requester)| requester.rank());
    for (had_arrived, loss, path_grid, requester) in &mut lost {
        if *had_arrived {
            // A request that waits for a path on another grid continues to wait.
            if requester.ticket.has_answer() {
                requester.ticket.close();
            }
            commands.entity(requester.entity).try_remove::<NavPath>();
            continue;
        }
        match (*loss, *path_grid) {
            (Loss::Disabled, Some(grid)) if requester.ticket.has_answer() => {
                requester.ticket.open(&mut counter, grid, PathCause::NewMap);
                *requester.status = PathStatus::Waiting;
                commands.entity(requester.entity).try_remove::<NavPath>();
            }
            (Loss::Disabled, _) => {
                requester.ticket.put_back();
                requester.ticket.slot = None;
                *requester.status = PathStatus::Waiting;
                commands.entity(requester.entity).try_remove::<NavPath>();
            }
            (Loss::Final(error), _) => {
                failures.fail(requester, error);
                if error == PathError::BadGrid && requester.agent.is_some() {
                    // The positions of walls are unknown: the agent stops, so as not to enter one.
                    commands.entity(requester.entity).try_insert(AgentVelocity::default());
                }
            }
        }
    }
}

/// Brings the checks of those paths up to date that are new or have changed.
pub(super) fn update_checks(
    mut paths: Query<(Entity, Ref<NavPath>, &mut PathCheck)>,
    (grids, returned): (Grids, Res<Returned>),
) {
    for (entity, path, mut check) in &mut paths {
        if path.is_changed() || returned.contains(&entity) {
            check.update(&path, &grids);
        }
    }
}

/// The checks of all paths; the check of a path stays on the entity when the path is removed.
type Checks<'w, 's> = Query<'w, 's, (Entity, &'static mut PathCheck), With<NavPath>>;

/// Requests a new path for each agent whose remaining path was touched by an edit, or whose grid was replaced.
///
/// The part of the old path before the edit stays, so that the agent walks on until the new path is found.
pub(super) fn replan_touched(
    (mut checks, mut paths): (Checks, Query<&mut NavPath>),
    mut requesters: Query<Requester>,
    (grids, positions, returned): (Grids, Positions, Res<Returned>),
    mut seen: Local<Vec<(Entity, u64, u64)>>,
    mut counter: ResMut<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut commands: Commands,
) {
    let have_changed =
        grids.have_changed(&mut seen, |grid| (grid.entity, grid.nav.map_id(), grid.nav.revision()));
    if !have_changed && returned.is_empty() {
        return;
    }
    // Nearly all agents are on one grid, and few paths are touched.
    let (mut known, mut cache) = (None::<GridRef>, EditsCache::default());
    let mut candidates = Vec::new();
    for (entity, mut check) in &mut checks {
        let check = check.bypass_change_detection();
        known = known.filter(|grid| grid.entity == check.grid).or_else(|| grids.get(check.grid));
        let Some(grid) = known.filter(|grid| check.is_behind(grid)) else { continue };
        let may_be_touched =
            !check.is_of(&grid) || check.may_be_touched(cache.edits_since(&grid, check.revision, check.kind));
        if may_be_touched {
            candidates.push((entity, grid));
        } else {
            check.mark_checked(&grid);
        }
    }
    // Paths lie apart in memory: read in a short loop, several arrive at once. Measured with 10,000 agents: checking the
    // candidates takes half the time.
    let next_waypoints = candidates.iter().filter_map(|&(entity, _)| paths.get(entity).ok()?.leg());
    black_box(next_waypoints.fold(Vec2::ZERO, |sum, (_, next)| sum + next));
    let mut touched = Vec::new();
    for (entity, grid) in candidates {
        let (Ok(mut path), Ok((_, mut check))) = (paths.get_mut(entity), checks.get_mut(entity)) else {
            continue;
        };
        // Edits between an agent that has left its path and its next waypoint are noticed by path following.
        let keep = if check.is_of(&grid) {
            let here = || positions.of(entity).map(|at| grid.place.to_grid(at));
            check.first_touched(&path, here, cache.edits_since(&grid, check.revision, check.kind))
        } else if path.is_finished() {
            path.convert_to_map(&grid);
            None
        } else {
            Some(0)
        };
        match keep {
            Some(keep) => touched.push((entity, grid, keep)),
            None => check.mark_checked(&grid),
        }
    }
    touched.sort_by_key(|&(entity, ..)| requesters.get(entity).ok().map(|requester| requester.rank()));
    for (entity, grid, keep) in touched {
        let (Ok(mut requester), Ok(mut path), Ok((_, mut check))) =
            (requesters.get_mut(entity), paths.get_mut(entity), checks.get_mut(entity))
        else {
            continue;
        };
        let cause = if check.is_of(&grid) { PathCause::Touched } else { PathCause::NewMap };
        check.mark_checked(&grid);
        path.attribute_to_map(&grid);
        path.cut(keep);
        if requester.ticket.has_answer() {
            // The part of a joined grid on which the agent stands may have separated from it, as a ferry does that
            // leaves its landing: the request then goes on from the grid that is under the agent now.
            let at = positions.of(entity).filter(|&at| !grid.has_ground(at));
            let under = at.and_then(|at| {
                grids.of((None, None, requester.offset, None), at).ok().filter(|under| under.has_ground(at))
            });
            let start_grid = under.unwrap_or(grid);
            if start_grid.entity != grid.entity && requester.on_grid.is_some() {
                commands.entity(entity).try_insert(OnGrid(start_grid.entity));
            }
            requester.ticket.open(&mut counter, start_grid.entity, cause);
            *requester.status = PathStatus::Waiting;
            stats.replanned += 1;
            commands.trigger(PathInvalidated { entity: requester.entity, cause });
        }
    }
}

/// Requests a new path for each agent whose route cannot be followed any more beyond the link at the end of its path:
/// a link was closed or despawned, a grid was removed, or an edit touches one of the paths there. The route of an
/// agent that is crossing a link is only cleared: the agent requests a path at the far end.
pub(super) fn replan_onward(
    mut paths: Query<(Entity, &mut NavPath)>,
    mut crossings: Query<&mut OnLink>,
    mut requesters: Query<Requester>,
    (grids, links, returned): (Grids, Res<LinkGraph>, Res<Returned>),
    mut seen: Local<u64>,
    (mut counter, mut stats): (ResMut<TicketCounter>, ResMut<SolveStats>),
    mut commands: Commands,
) {
    let changes = links.changes_since(&mut seen);
    let Some(changes) = (if returned.is_empty() { changes } else { Some(LinkChanges::ALL) }) else { return };
    let links = changes.links.then_some(&*links);
    let mut cache = EditsCache::default();
    for mut crossing in &mut crossings {
        // An agent that is on a link may finish crossing it after it was closed, so only the path behind that link is
        // checked.
        let (first, rest) =
            crossing.bypass_change_detection().onward.split_at_mut_checked(1).unwrap_or_default();
        let is_open = first.iter_mut().all(|leg| is_path_free(leg, &grids, &mut cache));
        if !is_open || !rest.iter_mut().all(|leg| is_leg_free(leg, (&grids, links), &mut cache)) {
            crossing.onward.clear();
        }
    }
    let mut blocked: Vec<_> = paths
        .iter_mut()
        .filter_map(|(entity, mut path)| {
            if !changes.links && !path.onward_grids.may_meet(changes.grids) {
                return None;
            }
            let legs = &mut path.bypass_change_detection().onward;
            let is_free = legs.iter_mut().all(|leg| is_leg_free(leg, (&grids, links), &mut cache));
            let rank = requesters.get(entity).ok().filter(|_| !is_free)?.rank();
            Some((rank, entity, path.grid()))
        })
        .collect();
    blocked.sort_unstable();
    for (_, entity, grid) in blocked {
        let Ok(mut requester) = requesters.get_mut(entity) else { continue };
        if requester.ticket.has_answer() {
            requester.ticket.open(&mut counter, grid, PathCause::Touched);
            *requester.status = PathStatus::Waiting;
            stats.replanned += 1;
            commands.trigger(PathInvalidated { entity, cause: PathCause::Touched });
        }
    }
}

/// Whether all links of a route that was just found are open, and no edit touches the paths behind them.
pub(super) fn is_route_free(onward: &mut [OnwardLeg], grids: &Grids, links: &LinkGraph) -> bool {
    let mut cache = EditsCache::default();
    onward.iter_mut().all(|leg| is_leg_free(leg, (grids, Some(links)), &mut cache))
}

/// Whether a link is open, and no edit touches the path behind it. `links` is `None` if no link has changed since the
/// last check; then the link is not checked.
fn is_leg_free(
    leg: &mut OnwardLeg,
    (grids, links): (&Grids, Option<&LinkGraph>),
    cache: &mut EditsCache,
) -> bool {
    links.is_none_or(|links| links.open_link(leg.link, leg.path.shape.kind, leg.landing()).is_some())
        && is_path_free(leg, grids, cache)
}

/// Whether no edit since the last check touches the path behind a link.
fn is_path_free(leg: &mut OnwardLeg, grids: &Grids, cache: &mut EditsCache) -> bool {
    let Some(grid) = grids.get(leg.grid).filter(|grid| grid.nav.map_id() == leg.map_id) else {
        return false;
    };
    if leg.revision == grid.nav.revision() {
        return true;
    }
    let edits = cache.edits_since(&grid, leg.revision, leg.path.shape.kind);
    let points = &leg.path.points;
    let first_touched = |edits: &EditsSince| edits.first_touched(*points.first()?, points);
    let is_free = !edits.may_touch(&leg.outline) || first_touched(edits).is_none();
    if is_free {
        leg.revision = grid.nav.revision();
    }
    is_free
}

/// Edits since a revision, computed once for all paths of the same grid, revision and kind: there are few
/// combinations.
#[derive(Default)]
struct EditsCache(Vec<((Entity, u64, KindId), EditsSince)>);

impl EditsCache {
    fn edits_since(&mut self, grid: &GridRef, revision: u64, kind: KindId) -> &EditsSince {
        let key = (grid.entity, revision, kind);
        let index = self.0.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            self.0.push((key, grid.edits_since(revision, kind)));
            self.0.len() - 1
        });
        &self.0[index].1
    }
}
