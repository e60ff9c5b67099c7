//! Entities that were disabled and are enabled again.

use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

use crate::order::{PathStatus, Ticket};

/// The entities with a request that the stage did not see in its last run, but in an earlier one: they were disabled,
/// and changes of their grid and answers of their search in between were missed.
#[derive(Resource, Debug, Default)]
pub(super) struct Returned(EntityHashSet);

impl Returned {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, entity: Entity) -> bool {
        self.0.contains(&entity)
    }
}

/// Finds the entities that were disabled and are enabled again. A request whose answer came meanwhile, and was lost,
/// is queued again.
///
/// The system looks at every ticket: any component may disable an entity, and Bevy reports neither the beginning nor
/// the end.
pub(super) fn notice(
    mut tickets: Query<(Entity, &mut Ticket, &mut PathStatus)>,
    mut returned: ResMut<Returned>,
    mut run: Local<u64>,
) {
    *run += 1;
    returned.0.clear();
    for (entity, mut ticket, mut status) in &mut tickets {
        let ticket = ticket.bypass_change_detection();
        let seen = core::mem::replace(&mut ticket.seen, *run);
        if seen == 0 || seen + 1 == *run {
            continue;
        }
        returned.0.insert(entity);
        if ticket.has_missed_its_answer() {
            ticket.put_back();
            if !ticket.recheck {
                status.set_if_neq(PathStatus::Waiting);
            }
        }
    }
}
