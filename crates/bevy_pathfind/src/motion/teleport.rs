//! Puts an entity elsewhere without moving it there.

use bevy::prelude::*;

use crate::agent::{AdjustedVelocity, AgentVelocity, DesiredVelocity, TeleportCount};
use crate::numbers::is_finite;
use crate::order::{NavPath, OnLink, Requests};

/// A command that puts an entity at a point of the world at once; see
/// [`AgentCommands::teleport_to`](crate::AgentCommands::teleport_to).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Teleport {
    to: Vec3,
}

impl Teleport {
    /// To this point of the world, whatever the entity's parent.
    #[must_use]
    pub(crate) const fn to(point: Vec3) -> Self {
        Self { to: point }
    }
}

impl EntityCommand for Teleport {
    type Out = ();

    fn apply(self, mut entity: EntityWorldMut) {
        if !is_finite(self.to) {
            warn!("{} was not teleported: {} is no place", entity.id(), self.to);
            return;
        }
        if !place(&mut entity, self.to) {
            warn!("{} was not teleported: it has no Transform", entity.id());
            return;
        }
        if let Ok((mut actual, mut desired, mut adjusted)) =
            entity.get_components_mut::<(&mut AgentVelocity, &mut DesiredVelocity, &mut AdjustedVelocity)>()
        {
            (actual.0, desired.0, adjusted.0) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        }
        entity.remove::<(NavPath, OnLink)>();
        if let Ok(mut requests) = entity.get_components_mut::<Requests>() {
            requests.serve_anew();
        }
    }
}

/// A command that puts an entity at a point of the world, and leaves its request alone.
pub(super) fn put_at(point: Vec3) -> impl EntityCommand {
    move |mut entity: EntityWorldMut| {
        place(&mut entity, point);
    }
}

/// Puts an entity at a point of the world; false if it has no `Transform`.
fn place(entity: &mut EntityWorldMut, point: Vec3) -> bool {
    let parent = entity.get::<ChildOf>().map(ChildOf::parent);
    let frame = entity.world_scope(|world| world_frame(world, parent));
    let Some(mut transform) = entity.get_mut::<Transform>() else { return false };
    let own = frame.affine().inverse().transform_point3(point);
    if is_finite(own) {
        transform.translation = own;
    }
    let count = TeleportCount::of(entity.get()).wrapping_add(1);
    entity.insert(TeleportCount(count));
    true
}

/// From the space of an entity's children to the world, as the transforms are now.
fn world_frame(world: &World, mut entity: Option<Entity>) -> GlobalTransform {
    let mut frame = GlobalTransform::IDENTITY;
    while let Some(parent) = entity {
        frame = world.get::<Transform>(parent).copied().unwrap_or_default() * frame;
        entity = world.get::<ChildOf>(parent).map(ChildOf::parent);
    }
    frame
}
