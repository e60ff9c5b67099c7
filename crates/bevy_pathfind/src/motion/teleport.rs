//! Puts an entity elsewhere without moving it there.

use bevy::prelude::*;

use crate::agent::{AdjustedVelocity, AgentVelocity, DesiredVelocity, TeleportCount};
use crate::numbers::is_finite;
use crate::order::{CrossingLink, NavPath, PathRequest};

/// A command that puts an entity at a point of the world at once.
///
/// Writing its `Transform` moves an entity too. But then an agent keeps its velocity and walks back to its old path,
/// pursuers take the move for speed and aim ahead of it, and
/// [`InterpolateTransform`](crate::show::InterpolateTransform) draws it at points between. After a `Teleport` it
/// stands, has no path, and asks for one from its new place if it has a [`PathRequest`]. The point is not checked: an
/// agent that is put into a wall walks out of it. An entity that is no agent, such as a player's character that
/// others pursue, can be teleported as well.
///
/// A point that is not finite is ignored with a warning, and so is an entity without a `Transform`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn back_to_start(caught: On<CaughtBy>, mut commands: Commands) {
///     commands.entity(caught.entity).queue(Teleport::to(Vec3::new(1.5, 1.5, 0.0)));
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Teleport {
    to: Vec3,
}

impl Teleport {
    /// To this point of the world, whatever the entity's parent.
    #[must_use]
    pub const fn to(point: Vec3) -> Self {
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
        entity.remove::<(NavPath, CrossingLink)>();
        if let Some(mut request) = entity.get_mut::<PathRequest>() {
            request.set_changed();
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
