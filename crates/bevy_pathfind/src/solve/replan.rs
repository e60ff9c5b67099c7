//! Replans the paths that an edit touches, and fails requests whose grid or agent has become unusable.

use core::cell::Cell;

use bevy::prelude::*;
use pathfind_core::KindId;
use serde::{Deserialize, Serialize};

use super::stats::SolveStats;
use crate::agent::{Agent, AgentVelocity};
use crate::order::{
    CrossingLink, Failures, NavPath, OnwardLeg, PathError, PathInvalidated, PathStatus, ReplanReason,
    Requester, RequesterItem, TicketCounter,
};
use crate::request::Returned;
use crate::world::{
    DisabledGrids, EditsSince, GridRef, GridTransform, Grids, LinkChanges, LinkGraph, OnGrid, PositionQuery,
    Positions, SeenLinks, SeenRevisions,
};

/// Which agents replan after an edit, apart from those on whose path something changed. Insert it before the plugin
/// to start with other values.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReplanSettings {
    /// Whether agents also replan for which the edit may have opened a shorter path. It costs a search for
    /// each of them, every eighth tick at most. Agents that the map kept from their goal replan in any case. Default:
    /// `false`.
    pub seek_shortcuts: bool,
    /// How much cheaper a new path must be to replace the old one, as a fraction of the cost left. Range: 0 to 1.
    /// Default: `0.02`.
    #[reflect(@0.0..=1.0_f32)]
    pub min_gain: f32,
}

impl Default for ReplanSettings {
    fn default() -> Self {
        Self { seek_shortcuts: false, min_gain: 0.02 }
    }
}

/// Recomputes the waypoints of paths whose grid has moved, or may have moved while their agents were disabled.
pub(super) fn carry_paths(
    mut paths: Query<(Entity, &mut NavPath)>,
    moved: Query<(), Changed<GridTransform>>,
    returned: Res<Returned>,
    grids: Grids,
) {
    if moved.is_empty() && returned.is_empty() {
        return;
    }
    for (entity, mut path) in &mut paths {
        if (moved.contains(path.grid()) || returned.contains(entity))
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

/// Fails each request whose grid is gone or cannot be placed any more. A request whose grid is disabled is queued
/// again, and continues when the grid is enabled. Both lose their paths; a request that had arrived keeps its status.
pub(super) fn leave_lost_grids(
    mut requesters: Query<(Requester, Option<&NavPath>)>,
    (grids, disabled, returned): (Grids, DisabledGrids, Res<Returned>),
    mut known: Local<SeenRevisions<(Entity, bool)>>,
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
    mut commands: Commands,
) {
    if !known.have_changed(&grids, |grid| (grid.entity, grid.place.is_usable())) && returned.is_empty() {
        return;
    }
    // Nearly all agents are on one grid.
    let sound = Cell::new(None::<Entity>);
    let why_lost = |grid: Entity| {
        if sound.get() == Some(grid) {
            return None;
        }
        let Some(found) = grids.get(grid) else {
            let is_disabled = disabled.contains(grid);
            return Some(if is_disabled { Loss::Disabled } else { Loss::Final(PathError::GridRemoved) });
        };
        if !found.place.is_usable() {
            return Some(Loss::Final(PathError::BadGrid));
        }
        sound.set(Some(grid));
        None
    };
    let waits_in_vain = |requester: &RequesterItem| {
        let grid = requester.ticket.grid.filter(|_| !requester.ticket.has_answer());
        grid.and_then(why_lost)
    };
    let mut lost: Vec<_> = requesters
        .iter_mut()
        .filter_map(|(requester, path)| {
            let walked = path.and_then(|path| why_lost(path.grid()).map(|loss| (path.grid(), loss)));
            let waited = waits_in_vain(&requester);
            let is_over = waited.is_none() && !requester.status.is_on_path();
            let loss = waited.or(walked.map(|(_, loss)| loss))?;
            Some((is_over, loss, walked.map(|(grid, _)| grid), requester))
        })
        .collect();
    lost.sort_by_key(|(.., requester)| requester.rank());
    for (had_arrived, loss, walked, requester) in &mut lost {
        if *had_arrived {
            // A request that waits for a path on another grid continues to wait.
            if requester.ticket.has_answer() {
                requester.ticket.close();
            }
            commands.entity(requester.entity).try_remove::<NavPath>();
            continue;
        }
        match (*loss, *walked) {
            (Loss::Disabled, Some(grid)) if requester.ticket.has_answer() => {
                requester.ticket.open(&mut counter, grid, true);
                *requester.status = PathStatus::Waiting;
                commands.entity(requester.entity).try_remove::<NavPath>();
            }
            (Loss::Disabled, _) => {
                requester.ticket.put_back();
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

/// Fails the requests of agents on a path that cannot move any more: their position or speed is not finite, or their
/// speed or acceleration is not above zero.
pub(super) fn leave_unfit(
    walkers: Query<(Entity, &NavPath, &Agent, PositionQuery)>,
    mut requesters: Query<Requester>,
    positions: Positions,
    mut failures: Failures,
) {
    let mut unfit: Vec<_> = walkers
        .iter()
        .filter_map(|(entity, path, agent, position_query)| {
            let is_lost = || !position_query.at(&positions).is_some_and(|at| at.is_finite());
            let error = agent
                .check()
                .err()
                .map(PathError::from)
                .or_else(|| is_lost().then_some(PathError::NotFinite))?;
            // Tested last, because it is a lookup and nearly all agents are fit.
            let requester = requesters.get(entity).ok().filter(|_| !path.is_finished())?;
            Some((requester.rank(), entity, error))
        })
        .collect();
    unfit.sort_by_key(|&(rank, ..)| rank);
    for (_, entity, error) in unfit {
        if let Ok(mut requester) = requesters.get_mut(entity) {
            failures.fail(&mut requester, error);
        }
    }
}

/// Requests a new path for each agent on whose remaining path something changed, and for no other.
///
/// The part of the old path before the change stays, so that the agent walks on meanwhile.
pub(super) fn replan_touched(
    mut paths: Query<(Entity, &mut NavPath)>,
    mut requesters: Query<Requester>,
    (grids, positions, returned): (Grids, Positions, Res<Returned>),
    mut seen: Local<SeenRevisions<(Entity, u64, u64)>>,
    mut counter: ResMut<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut commands: Commands,
) {
    let have_changed =
        seen.have_changed(&grids, |grid| (grid.entity, grid.nav.lineage(), grid.nav.revision()));
    if !have_changed && returned.is_empty() {
        return;
    }
    // Nearly all agents are on one grid, and few of their paths are touched: of all others one cache line is read.
    let (mut known, mut cache) = (None::<GridRef>, EditsCache::default());
    let mut touched: Vec<_> = paths
        .iter_mut()
        .filter_map(|(entity, mut path)| {
            let on = path.grid_to_check();
            known = known.filter(|grid| grid.entity == on).or_else(|| grids.get(on));
            let grid = known.filter(|grid| path.is_behind(grid))?;
            if !path.is_of(&grid) {
                if path.is_finished() {
                    path.convert_to_map(&grid);
                    return None;
                }
                return Some((entity, grid, 0));
            }
            let edits = cache.edits_since(&grid, path.revision(), path.kind());
            // The follower notices edits between an agent that has left its path and the next waypoint.
            let touched = path.may_be_touched(edits).then(|| {
                let here = || positions.of(entity).map(|at| grid.place.to_grid(at));
                path.first_touched(here, edits)
            });
            let Some(free) = touched.flatten() else {
                path.bypass_change_detection().mark_checked(&grid);
                return None;
            };
            Some((entity, grid, free))
        })
        .collect();
    touched.sort_by_key(|&(entity, ..)| requesters.get(entity).ok().map(|requester| requester.rank()));
    for (entity, grid, free) in touched {
        let (Ok(mut requester), Ok((_, mut path))) = (requesters.get_mut(entity), paths.get_mut(entity))
        else {
            continue;
        };
        let reason = if path.is_of(&grid) { ReplanReason::Touched } else { ReplanReason::NewMap };
        path.mark_checked(&grid);
        path.cut(free);
        if requester.ticket.has_answer() {
            // The ground may have left the grid with the agent on it: a ferry that casts off.
            let at = positions.of(entity).filter(|&at| !grid.has_ground(at));
            let under = at.and_then(|at| {
                grids.of((None, None, requester.offset, None), at).ok().filter(|under| under.has_ground(at))
            });
            let now = under.unwrap_or(grid);
            if now.entity != grid.entity && requester.on_grid.is_some() {
                commands.entity(entity).try_insert(OnGrid(now.entity));
            }
            requester.ticket.open(&mut counter, now.entity, true);
            *requester.status = PathStatus::Waiting;
            stats.replanned += 1;
            commands.trigger(PathInvalidated { entity: requester.entity, reason });
        }
    }
}

/// Requests a new path for each agent whose way behind the link at the end of its path has changed: a link that was
/// shut or despawned, a grid that is gone, an edit on one of the paths there. Agents that are crossing a link ask at
/// its end.
pub(super) fn replan_onward(
    mut paths: Query<(Entity, &mut NavPath)>,
    mut crossings: Query<&mut CrossingLink>,
    mut requesters: Query<Requester>,
    (grids, links, returned): (Grids, Res<LinkGraph>, Res<Returned>),
    mut seen: Local<SeenLinks>,
    (mut counter, mut stats): (ResMut<TicketCounter>, ResMut<SolveStats>),
    mut commands: Commands,
) {
    let changes = links.changes_since(&mut seen);
    let Some(changes) = (if returned.is_empty() { changes } else { Some(LinkChanges::ALL) }) else { return };
    let links = changes.links.then_some(&*links);
    let mut cache = EditsCache::default();
    for mut crossing in &mut crossings {
        // Its own link may be shut by now: only the path behind it is checked.
        let (first, rest) =
            crossing.bypass_change_detection().onward.split_at_mut_checked(1).unwrap_or_default();
        let is_open = first.iter_mut().all(|leg| is_path_free(leg, &grids, &mut cache));
        if !is_open || !rest.iter_mut().all(|leg| is_leg_free(leg, (&grids, links), &mut cache)) {
            crossing.onward.clear();
        }
    }
    let mut cut: Vec<_> = paths
        .iter_mut()
        .filter_map(|(entity, mut path)| {
            if !changes.links && !path.onward_grids().may_meet(changes.grids) {
                return None;
            }
            let legs = path.bypass_change_detection().onward_mut();
            let is_free = legs.iter_mut().all(|leg| is_leg_free(leg, (&grids, links), &mut cache));
            let rank = requesters.get(entity).ok().filter(|_| !is_free)?.rank();
            Some((rank, entity, path.grid()))
        })
        .collect();
    cut.sort_unstable();
    for (_, entity, grid) in cut {
        let Ok(mut requester) = requesters.get_mut(entity) else { continue };
        if requester.ticket.has_answer() {
            requester.ticket.open(&mut counter, grid, true);
            *requester.status = PathStatus::Waiting;
            stats.replanned += 1;
            commands.trigger(PathInvalidated { entity, reason: ReplanReason::Touched });
        }
    }
}

/// Whether all links on a way that was just found can still be taken, and the paths behind them are free.
pub(super) fn is_way_free(onward: &mut [OnwardLeg], grids: &Grids, links: &LinkGraph) -> bool {
    let mut cache = EditsCache::default();
    onward.iter_mut().all(|leg| is_leg_free(leg, (grids, Some(links)), &mut cache))
}

/// Whether a link can still be taken, and the path behind it is free. Without `links` no link has changed since the
/// last check.
fn is_leg_free(
    leg: &mut OnwardLeg,
    (grids, links): (&Grids, Option<&LinkGraph>),
    cache: &mut EditsCache,
) -> bool {
    links.is_none_or(|links| links.open_link(leg.link, leg.path.kind, leg.landing()).is_some())
        && is_path_free(leg, grids, cache)
}

/// Whether no edit since the last check touches the path behind a link.
fn is_path_free(leg: &mut OnwardLeg, grids: &Grids, cache: &mut EditsCache) -> bool {
    let Some(grid) = grids.get(leg.grid).filter(|grid| grid.nav.lineage() == leg.lineage) else {
        return false;
    };
    if leg.revision == grid.nav.revision() {
        return true;
    }
    let edits = cache.edits_since(&grid, leg.revision, leg.path.kind);
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
    /// The edits since a revision.
    fn edits_since(&mut self, grid: &GridRef, revision: u64, kind: KindId) -> &EditsSince {
        let sort = (grid.entity, revision, kind);
        let at = self.0.iter().position(|(known, _)| *known == sort).unwrap_or_else(|| {
            self.0.push((sort, grid.edits_since(revision, kind)));
            self.0.len() - 1
        });
        &self.0[at].1
    }
}
