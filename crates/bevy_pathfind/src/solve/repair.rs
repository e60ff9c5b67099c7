//! After an edit: who has to plan again, and who has not.

use bevy::prelude::*;

use super::stats::SolveStats;
use super::{Client, ClientItem, Failures, Path, PathError, PathReplanned, PathStatus};
use crate::request::TicketCounter;
use crate::world::{GridPlace, GridRef, Grids, Positions};

/// Moves the waypoints of paths whose grid has moved.
pub(super) fn carry_paths(mut paths: Query<&mut Path>, moved: Query<(), Changed<GridPlace>>, grids: Grids) {
    if moved.is_empty() {
        return;
    }
    for mut path in &mut paths {
        if moved.contains(path.grid())
            && let Some(grid) = grids.get(path.grid())
        {
            path.carry(&grid);
        }
    }
}

/// Fails the requests of those whose grid is gone. Who had arrived only loses the path.
pub(super) fn leave_lost_grids(
    mut clients: Query<(Client, Option<&Path>)>,
    grids: Grids,
    mut failures: Failures,
    mut commands: Commands,
) {
    let is_lost = |grid: Entity| grids.get(grid).is_none();
    let waits_in_vain =
        |client: &ClientItem| !client.ticket.is_closed() && client.ticket.grid.is_some_and(is_lost);
    let mut lost: Vec<_> = clients
        .iter_mut()
        .map(|(client, path)| (client, path.is_some_and(|path| is_lost(path.grid()))))
        .filter(|(client, path_is_lost)| *path_is_lost || waits_in_vain(client))
        .collect();
    lost.sort_by_key(|(client, _)| client.entity.index_u32());
    for (client, path_is_lost) in &mut lost {
        if waits_in_vain(client) || *client.status == PathStatus::Following {
            failures.fail(client, PathError::GridRemoved);
        } else if *path_is_lost {
            commands.entity(client.entity).try_remove::<Path>();
        }
    }
}

/// Asks for a new path for each agent on whose remaining way something changed, and for no other.
///
/// What is left of the old path before the change stays, so that the agent walks on meanwhile.
pub(super) fn replan_touched(
    mut clients: Query<(Client, &mut Path)>,
    grids: Grids,
    positions: Positions,
    mut counter: ResMut<TicketCounter>,
    mut stats: ResMut<SolveStats>,
    mut commands: Commands,
) {
    let mut behind: Vec<_> = clients
        .iter_mut()
        .filter_map(|(client, path)| {
            let grid = grids.get(path.grid()).filter(|grid| path.is_behind(grid))?;
            Some((client, path, grid))
        })
        .collect();
    behind.sort_by_key(|(client, ..)| client.entity.index_u32());
    for (client, path, grid) in &mut behind {
        let touched = first_touched(path, grid, positions.of(client.entity));
        path.mark_checked(grid);
        let Some(free) = touched else { continue };
        path.cut(free);
        if client.ticket.is_closed() {
            client.ticket.open(&mut counter, grid.entity, true);
            *client.status = PathStatus::Waiting;
            stats.replanned += 1;
            commands.trigger(PathReplanned { entity: client.entity });
        }
    }
}

/// How many of the remaining waypoints can be reached before the first change, if there is one.
fn first_touched(path: &Path, grid: &GridRef, position: Option<Vec3>) -> Option<usize> {
    if path.is_finished() {
        return None;
    }
    if !path.is_of(grid) {
        return Some(0);
    }
    let here = grid.place.to_grid(position?);
    let way: Vec<_> = core::iter::once(here).chain(path.remaining_points().iter().copied()).collect();
    grid.first_touched(path.revision(), path.kind(), &way)
}
