//! Where an entity stands in the world, now.

use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Positions in the world as of this tick, whatever the hierarchy; `GlobalTransform` lags by a frame.
#[derive(SystemParam)]
pub(crate) struct Positions<'w, 's> {
    roots: Query<'w, 's, &'static Transform, Without<ChildOf>>,
    transforms: TransformHelper<'w, 's>,
}

/// Where an entity stands, read along with the rest of it: cheaper than looking each up.
#[derive(QueryData)]
pub(crate) struct PositionQuery {
    entity: Entity,
    transform: Option<&'static Transform>,
    is_child: Has<ChildOf>,
}

impl PositionQueryItem<'_, '_> {
    /// As [`Positions::of`] the entity.
    pub(crate) fn at(&self, positions: &Positions) -> Option<Vec3> {
        match self.transform {
            Some(own) if !self.is_child => Some(own.translation),
            _ => positions.of(self.entity),
        }
    }
}

impl Positions<'_, '_> {
    /// Where an entity stands; `None` if it is gone or has no `Transform`.
    pub(crate) fn of(&self, entity: Entity) -> Option<Vec3> {
        // Nearly every agent is a root, and then its own transform says it all.
        if let Ok(root) = self.roots.get(entity) {
            return Some(root.translation);
        }
        self.transforms.compute_global_transform(entity).ok().map(|global| global.translation())
    }
}
