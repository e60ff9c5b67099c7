//! Where a group is when it gets an order, and for which body its path is.

use bevy::prelude::*;

use super::{Formation, FormationMembers, FormationOf};
use crate::agent::{Agent, AgentBody};
use crate::order::{PathBody, PathRequest, Ticket};
use crate::world::{Grids, Positions, TieOf};

/// The components of a group with an order.
type Ordered =
    (Entity, &'static FormationMembers, Ref<'static, PathRequest>, &'static Ticket, &'static mut PathBody);

/// Puts groups that have a new order at the centre of their members, and notes the widest body among these.
pub(in crate::steer) fn locate(
    mut groups: Query<Ordered, With<Formation>>,
    members: Query<&Agent, With<FormationOf>>,
    (positions, grids): (Positions, Grids),
    mut commands: Commands,
) {
    for (group, team, request, ticket, mut body) in &mut groups {
        if ticket.checked == Some(request.last_changed()) {
            continue;
        }
        let (mut at, mut widest) = (Vec::new(), AgentBody::default());
        for member in team.iter() {
            let Ok(agent) = members.get(member) else { continue };
            if at.is_empty() || agent.valid_radius() > widest.radius {
                widest = agent.body();
            }
            at.extend(positions.of(member).filter(|at| at.is_finite()));
        }
        body.0 = widest;
        let center = at.iter().sum::<Vec3>() / at.len() as f32;
        // The member that is nearest to the centre stands on ground of the group.
        let Some(nearest) =
            at.into_iter().min_by(|a, b| a.distance_squared(center).total_cmp(&b.distance_squared(center)))
        else {
            continue;
        };
        let is_walkable = grids
            .of(TieOf::default(), center)
            .is_ok_and(|grid| grid.nav.grid().is_walkable(widest.kind, grid.cell(center)));
        put(&mut commands, group, if is_walkable { center } else { nearest });
    }
}

/// Puts a group at a point of the world.
pub(super) fn put(commands: &mut Commands, group: Entity, at: Vec3) {
    commands.entity(group).queue_silenced(move |mut group: EntityWorldMut| {
        if let Some(mut transform) = group.get_mut::<Transform>() {
            transform.translation = at;
        }
    });
}
