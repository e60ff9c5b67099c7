//! Baking: grids from the geometry of a level, and again where something moves.
//!
//! A [`NavGridBake`] is a box. What stands in it are entities with a [`BakeSource`]: triangles in the frame of their
//! entity. Entities with a `Mesh3d` or a collider of avian get theirs by a [`BakeTerrain`]; any other source is a
//! system that inserts the component. What is ground is decided in [`pathfind_core::bake`]; this module knows no
//! triangles.

mod apply;
#[cfg(feature = "avian3d")]
mod colliders;
mod follow;
mod job;
#[cfg(feature = "meshes")]
mod meshes;
mod result;
mod settings;
mod source;

use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;

pub use pathfind_core::bake::{BakeError, BakeMesh};
pub use result::{BakeFailed, BakedGround, GridBaked};
pub use settings::NavGridBake;
pub use source::{BakeSource, BakeTerrain};

/// Registers what baking needs, without its systems.
pub(super) fn plug_in(app: &mut App) {
    app.register_type::<NavGridBake>()
        .register_type::<BakedGround>()
        .register_type::<BakeTerrain>()
        .register_type::<BakeSource>()
        .register_type::<GridBaked>()
        .register_type::<BakeFailed>()
        .init_resource::<follow::LostSources>()
        .add_observer(follow::note_lost)
        .add_observer(source::release)
        .add_observer(apply::cancel);
    #[cfg(feature = "meshes")]
    app.add_observer(source::release_shape::<Mesh3d>);
    #[cfg(feature = "avian3d")]
    app.add_observer(source::release_shape::<avian3d::prelude::Collider>);
}

/// The systems of baking, in their order; before grids are placed.
pub(super) fn systems() -> ScheduleConfigs<ScheduleSystem> {
    (
        #[cfg(feature = "meshes")]
        meshes::read.run_if(resource_exists::<Assets<Mesh>>),
        #[cfg(feature = "avian3d")]
        colliders::read,
        follow::follow,
        apply::apply,
    )
        .chain()
}
