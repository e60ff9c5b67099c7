//! Finds entities with a request that the stage did not see in its last run: new ones, and ones that were disabled or
//! airborne.

use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

use super::{PathStatus, RequestSummary, Ticket};
use crate::world::Airborne;

/// The entities with a request that have returned: the stage has seen them before, and did not in its last run. They
/// were disabled or airborne meanwhile, and missed changes of their grid and answers of their search.
#[derive(Resource, Debug, Default, Deref)]
pub(crate) struct Returned {
    #[deref]
    entities: EntityHashSet,
    /// These and the new ones. Their requests may have changed meanwhile, which Bevy's change detection no
    /// longer reports.
    pub(super) appeared: EntityHashSet,
}

/// Entities with a request that may need a path.
type GroundRequester = (With<Ticket>, Without<Airborne>);

/// Fills [`Returned`]. A request whose answer was lost, because it came while the entity was disabled, is queued
/// again.
///
/// The system visits every entity with a request: any component may disable an entity, and Bevy reports neither when
/// an entity is disabled nor when it is enabled.
pub(super) fn find_returned(
    mut requesters: Query<(Entity, &mut RequestSummary), GroundRequester>,
    mut tickets: Query<(&mut Ticket, &mut PathStatus)>,
    mut returned: ResMut<Returned>,
    mut run: Local<u64>,
) {
    *run += 1;
    returned.entities.clear();
    returned.appeared.clear();
    for (entity, mut summary) in &mut requesters {
        let last_seen = core::mem::replace(&mut summary.bypass_change_detection().last_seen, *run);
        if last_seen + 1 == *run && last_seen != 0 {
            continue;
        }
        returned.appeared.insert(entity);
        if last_seen == 0 {
            continue;
        }
        returned.entities.insert(entity);
        if let Ok((mut ticket, mut status)) = tickets.get_mut(entity)
            && ticket.has_missed_its_answer()
        {
            ticket.put_back();
            if !ticket.is_recheck() {
                status.set_if_neq(PathStatus::Waiting);
            }
        }
    }
}
