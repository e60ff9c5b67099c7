//! What a bake tells: how far it is, where its grids are, and how it ended.

use bevy::prelude::*;
use pathfind_core::CellRect;
use pathfind_core::bake::BakeError;

/// How far the bake of a [`NavGridBake`](super::NavGridBake) is, and its grids. Written by the plugin.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[non_exhaustive]
pub struct BakedGround {
    /// The entities of the floors, each with a [`NavGrid`](super::super::NavGrid) and a
    /// [`Standalone`](super::super::Standalone). None before the first bake has ended.
    #[entities]
    pub floors: Vec<Entity>,
    /// Which part of a bake is done, 0 to 1; 1 if none is under way. A rebake of a part stays at 0 until it is done.
    pub progress: f32,
}

/// The grids of a [`NavGridBake`](super::NavGridBake) are in place, or have changed after a rebake.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GridBaked {
    /// The entity with the bake.
    pub entity: Entity,
    /// The number of floors; their entities are in [`BakedGround::floors`].
    pub floors: usize,
    /// The cells that were baked again; `None` if all were baked, and every grid is a new map.
    pub cells: Option<CellRect>,
}

/// A bake failed: the grids are as they were, and not even there after the first. It is also logged, once for each
/// entity. It is tried again when the settings or the sources change.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(opaque)]
#[reflect(Event, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BakeFailed {
    /// The entity with the bake.
    pub entity: Entity,
    /// What is wrong.
    pub error: BakeError,
}
