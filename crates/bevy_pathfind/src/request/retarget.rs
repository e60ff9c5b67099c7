//! Goals that walk: asks anew when the entity that is the goal has left the end of the path.

use bevy::prelude::*;

use super::{NavGoal, TicketCounter, accept};
use crate::solve::{Client, Failures, Path, PathError, PathStatus};
use crate::world::{Grids, Positions};

/// Puts those in line again whose goal has moved by more than a little since their path was made.
///
/// Who walks on meanwhile walks the old path. Who is on the way to an entity that is gone fails; who has
/// arrived stays.
pub(super) fn retarget(
    mut clients: Query<(Client, &Path)>,
    positions: Positions,
    grids: Grids,
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
) {
    let mut moved: Vec<_> = clients
        .iter_mut()
        .filter(|(client, _)| {
            matches!(client.request.goal, NavGoal::Entity(_))
                && client.ticket.is_settled()
                && matches!(*client.status, PathStatus::Following | PathStatus::Arrived)
        })
        .filter_map(|(client, path)| {
            let NavGoal::Entity(target) = client.request.goal else { return None };
            let Some(goal) = positions.of(target).filter(|goal| goal.is_finite()) else {
                return (*client.status == PathStatus::Following).then_some((client, None));
            };
            let grid = grids.get(path.grid()).filter(|grid| grid.place.is_usable())?;
            let (here, goal) = (grid.place.to_grid(positions.of(client.entity)?), grid.place.to_grid(goal));
            let little = (here.distance(goal) * accept::LITTLE).max(1.0);
            (path.aim().distance(goal) > little).then_some((client, Some(grid.entity)))
        })
        .collect();
    moved.sort_by_key(|(client, _)| client.rank());
    for (client, grid) in &mut moved {
        match grid {
            Some(grid) => {
                client.ticket.open(&mut counter, *grid, true);
                *client.status = PathStatus::Waiting;
            }
            None => failures.fail(client, PathError::TargetGone),
        }
    }
}
