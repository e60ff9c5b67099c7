//! Where an entity stands in the world, now.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Positions in the world as of this tick, whatever the hierarchy; `GlobalTransform` lags by a frame.
#[derive(SystemParam)]
pub(crate) struct Positions<'w, 's> {
    transforms: TransformHelper<'w, 's>,
}

impl Positions<'_, '_> {
    /// Where an entity stands; `None` if it is gone or has no `Transform`.
    pub(crate) fn of(&self, entity: Entity) -> Option<Vec3> {
        self.transforms.compute_global_transform(entity).ok().map(|global| global.translation())
    }
}
