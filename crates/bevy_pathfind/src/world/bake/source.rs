//! What is baked: triangles on entities.

use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::Terrain;
use pathfind_core::bake::BakeMesh;
use serde::{Deserialize, Serialize};

use crate::bevy_version::OnRemove;

/// Triangles that stand in the world where their entity is, for each [`NavGridBake`](super::NavGridBake) whose box they
/// touch: ground and walls at once. Its terrain is that of the [`BakeTerrain`] of its entity, or of the nearest entity
/// above it that has one.
///
/// Insert one with the triangles in the frame of the entity, and any shape is a source. Insert another when the shape
/// changes; move the entity as you like. The cells of the old and of the new place are baked again.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::world::{BakeMesh, BakeSource};
/// fn raise(mut commands: Commands) {
///     let slab = BakeMesh::cuboid(Vec3::new(-2.0, -0.1, -2.0), Vec3::new(2.0, 0.1, 2.0));
///     commands.spawn((BakeSource::new(slab), Transform::from_xyz(3.0, 2.5, 0.0)));
///     // Heights of a square of 33 by 33 points, 1 unit apart, with its first corner at the entity.
///     commands.spawn(BakeSource::heightmap(UVec2::splat(33), 1.0, |x, z| ((x + z) % 3) as f32 * 0.1));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone)]
#[type_path = "bevy_pathfind"]
#[reflect(opaque)]
#[reflect(Component, Debug, Clone)]
#[require(Transform)]
pub struct BakeSource(pub(super) Arc<BakeMesh>);

impl BakeSource {
    /// These triangles, in the frame of the entity.
    #[must_use]
    pub fn new(mesh: BakeMesh) -> Self {
        Self(Arc::new(mesh))
    }

    /// A field of heights by columns along X and rows along Z, `spacing` units apart, from the entity's origin on.
    /// Points whose height is not finite are holes.
    #[must_use]
    pub fn heightmap(points: UVec2, spacing: f32, height: impl FnMut(u32, u32) -> f32) -> Self {
        let mesh = BakeMesh::heightmap(points, height);
        // The core's z axis is up.
        let axes = Mat3::from_cols(Vec3::X * spacing, Vec3::Z * spacing, Vec3::Y);
        let turned = mesh.transformed(&bevy::math::Affine3A::from_mat3(axes));
        // A spacing that is not finite leaves nothing that is.
        Self::new(turned.unwrap_or_else(|_| BakeMesh::heightmap(UVec2::ZERO, |_, _| 0.0)))
    }

    /// The triangles.
    #[must_use]
    pub fn mesh(&self) -> &BakeMesh {
        &self.0
    }
}

/// The terrain of the [`BakeSource`]s of an entity and of all entities below it.
///
/// With the feature `meshes` each `Mesh3d` at or below it is a source, such as those of a scene of glTF; with `avian3d`
/// each collider is, in place of the mesh of its entity. Remove it, and they are none.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct BakeTerrain(pub Terrain);

impl Default for BakeTerrain {
    fn default() -> Self {
        Self(Terrain::GROUND)
    }
}

/// On a source that was made of a mesh or a collider of its entity, and goes with it.
#[derive(Component, Debug, Default)]
pub(super) struct DerivedSource;

/// Takes away the derived sources below an entity that has lost its terrain.
pub(super) fn release(
    on: OnRemove<BakeTerrain>,
    children: Query<&Children>,
    derived: Query<(), With<DerivedSource>>,
    mut commands: Commands,
) {
    for entity in core::iter::once(on.entity).chain(children.iter_descendants(on.entity)) {
        if derived.contains(entity) {
            commands.entity(entity).try_remove::<(BakeSource, DerivedSource)>();
        }
    }
}

/// Takes away the derived source of an entity that has lost its mesh or collider.
#[cfg(any(feature = "meshes", feature = "avian3d"))]
pub(super) fn release_shape<C: Component>(
    on: OnRemove<C>,
    derived: Query<(), With<DerivedSource>>,
    mut commands: Commands,
) {
    if derived.contains(on.entity) {
        commands.entity(on.entity).try_remove::<(BakeSource, DerivedSource)>();
    }
}

/// The nearest terrain at or above an entity.
pub(super) fn terrain_of(
    entity: Entity,
    terrains: &Query<&BakeTerrain>,
    parents: &Query<&ChildOf>,
) -> Option<Terrain> {
    let own = core::iter::once(entity).chain(parents.iter_ancestors(entity));
    own.filter_map(|it| terrains.get(it).ok()).map(|terrain| terrain.0).next()
}
