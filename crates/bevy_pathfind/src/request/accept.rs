//! Checks new and changed requests, and puts them in line.

use bevy::prelude::*;

use super::{NavGoal, PathRequest, TicketCounter};
use crate::motion::Agent;
use crate::solve::{Client, ClientItem, Failures, PathError, PathStatus};
use crate::world::{GridRef, Grids, NavGrid, Positions};

/// Opens a ticket for each request that is new, changed, or had failed for want of a grid before one came.
pub(super) fn accept(
    mut clients: Query<(Client, Ref<PathRequest>)>,
    positions: Positions,
    new_grids: Query<(), Added<NavGrid>>,
    grids: Grids,
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
) {
    let grid_came = !new_grids.is_empty();
    let mut fresh: Vec<_> = clients
        .iter_mut()
        .filter(|(client, request)| request.is_changed() || (grid_came && lacked_grid(&client.status)))
        .collect();
    fresh.sort_by_key(|(client, _)| client.entity.index_u32());
    for (client, request) in &mut fresh {
        match check(client, request.goal, &positions, &grids) {
            Ok(grid) => {
                client.ticket.open(&mut counter, grid.entity, false);
                *client.status = PathStatus::Waiting;
            }
            Err(error) => {
                client.ticket.take_number(&mut counter);
                failures.fail(client, error);
            }
        }
    }
}

/// Whether a request failed only because its grid was not there yet.
fn lacked_grid(status: &PathStatus) -> bool {
    matches!(status, PathStatus::Failed(PathError::NoGrid | PathError::OffGrid | PathError::BadGrid))
}

/// The grid that a request is for, or what is wrong with the request.
fn check<'a>(
    client: &ClientItem,
    goal: NavGoal,
    positions: &Positions,
    grids: &'a Grids,
) -> Result<GridRef<'a>, PathError> {
    client.agent.map_or(Ok(()), Agent::check)?;
    goal.point(positions)?;
    grids.of(client.on_grid, positions.of(client.entity).unwrap_or(Vec3::NAN))
}

impl NavGoal {
    /// The point of the world that the goal stands for now.
    pub(crate) fn point(self, positions: &Positions) -> Result<Vec3, PathError> {
        let point = match self {
            Self::Point(point) => point,
            Self::Entity(entity) => positions.of(entity).ok_or(PathError::TargetGone)?,
        };
        if point.is_finite() { Ok(point) } else { Err(PathError::NotFinite) }
    }
}
