//! Cancels the work for requests that were removed.

use bevy::prelude::*;

use crate::order::{NavPath, PathRequest, PathStatus, PursuitRequest, Ticket};

/// Without a request, of the user or of a pursuit.
type WithoutRequest = (Without<PathRequest>, Without<PursuitRequest>);

/// Closes the tickets and removes the paths of entities that no longer have a request.
///
/// The system queries the present state instead of reading removal messages: Bevy drops these after two frames, and a
/// frame may have no fixed tick.
pub(super) fn cancel(
    mut withdrawn: Query<(&mut Ticket, &mut PathStatus), WithoutRequest>,
    leftover_paths: Query<Entity, (With<NavPath>, WithoutRequest)>,
    mut commands: Commands,
) {
    for (mut ticket, mut status) in &mut withdrawn {
        if ticket.has_request() {
            // Dropping the old ticket drops its `CancelToken`, which cancels the search.
            *ticket = Ticket::default();
            // The end of a crossing reads the status, and the request that there is then.
            if *status != PathStatus::Crossing {
                *status = PathStatus::Idle;
            }
        }
    }
    for entity in &leftover_paths {
        commands.entity(entity).try_remove::<NavPath>();
    }
}
