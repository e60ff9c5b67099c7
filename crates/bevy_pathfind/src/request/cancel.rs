//! Cancels the work for requests that were removed.

use bevy::prelude::*;

use crate::order::{NavPath, PathRequest, PathStatus, Ticket};

/// Closes the tickets and removes the paths of entities that no longer have a request.
///
/// It queries the present state instead of reading removal messages, which fixed ticks can miss.
pub(super) fn cancel(
    mut withdrawn: Query<(&mut Ticket, &mut PathStatus), Without<PathRequest>>,
    walking: Query<Entity, (With<NavPath>, Without<PathRequest>)>,
    mut commands: Commands,
) {
    for (mut ticket, mut status) in &mut withdrawn {
        if ticket.is_taken() {
            *ticket = Ticket::default();
            *status = PathStatus::Idle;
        }
    }
    for entity in &walking {
        commands.entity(entity).try_remove::<NavPath>();
    }
}
