//! Positions of entities in the world, as of this tick.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Positions in the world as of this tick, parents included. (`GlobalTransform` is updated only once a frame.)
#[derive(SystemParam)]
pub(crate) struct Positions<'w, 's> {
    roots: Query<'w, 's, &'static Transform, Without<ChildOf>>,
    transforms: TransformHelper<'w, 's>,
}

impl Positions<'_, '_> {
    /// The position of an entity; `None` if it is gone or has no `Transform`.
    pub(crate) fn of(&self, entity: Entity) -> Option<Vec3> {
        // Nearly every agent has no parent, so that its own transform is its position in the world.
        if let Ok(root) = self.roots.get(entity) {
            return Some(root.translation);
        }
        self.transform_of(entity).map(|global| global.translation())
    }

    /// The transform of an entity in the world; `None` if it is gone or has no `Transform`.
    pub(crate) fn transform_of(&self, entity: Entity) -> Option<GlobalTransform> {
        self.transforms.compute_global_transform(entity).ok()
    }
}
