//! Colliders of avian as sources.

use avian3d::prelude::Collider;
use bevy::prelude::*;
use pathfind_core::bake::BakeMesh;

use super::source::{DerivedSource, terrain_of};
use super::{BakeSource, BakeTerrain};
use crate::warnings::Warnings;

/// Makes a source of each collider at or below a [`BakeTerrain`], and again when its shape changes.
pub(super) fn read(
    colliders: Query<(Entity, &Collider, Option<&Name>)>,
    reshaped: Query<Entity, Changed<Collider>>,
    marked: Query<Entity, Added<BakeTerrain>>,
    (children, parents, terrains): (Query<&Children>, Query<&ChildOf>, Query<&BakeTerrain>),
    mut commands: Commands,
    mut warnings: Local<Warnings>,
) {
    let below = |entity| core::iter::once(entity).chain(children.iter_descendants(entity));
    let found = marked.iter().flat_map(below).chain(reshaped.iter());
    for (entity, collider, name) in found.filter_map(|entity| colliders.get(entity).ok()) {
        if terrain_of(entity, &terrains, &parents).is_none() {
            continue;
        }
        match triangles(collider) {
            Some(mesh) => _ = commands.entity(entity).try_insert((BakeSource::new(mesh), DerivedSource)),
            None => _ = warnings.warn(entity, name, "is not baked: its collider has no surface"),
        }
    }
}

fn triangles(collider: &Collider) -> Option<BakeMesh> {
    let trimesh = collider.trimesh_builder().build().ok()?;
    // The shape is scaled already; the transform of the entity scales it as well.
    let scale = collider.scale();
    let corners = trimesh.vertices.into_iter().map(|it| it / scale).collect();
    BakeMesh::new(corners, trimesh.indices).ok()
}
