//! Bevy's meshes as sources.

use bevy::prelude::*;
use pathfind_core::bake::BakeMesh;

use super::source::{DerivedSource, terrain_of};
use super::{BakeSource, BakeTerrain};
use crate::warnings::Warnings;

type Reshaped = Or<(Changed<Mesh3d>, AssetChanged<Mesh3d>)>;

/// Makes a source of each mesh at or below a [`BakeTerrain`], and again when its asset is loaded or changes.
pub(super) fn read(
    meshes: Query<(Entity, &Mesh3d, Option<&Name>)>,
    reshaped: Query<Entity, (With<Mesh3d>, Reshaped)>,
    marked: Query<Entity, Added<BakeTerrain>>,
    (children, parents, terrains): (Query<&Children>, Query<&ChildOf>, Query<&BakeTerrain>),
    (derived, assets): (Query<(), With<DerivedSource>>, Res<Assets<Mesh>>),
    mut commands: Commands,
    mut warnings: Local<Warnings>,
) {
    let below = |entity| core::iter::once(entity).chain(children.iter_descendants(entity));
    let is_new = |entity: &Entity| !derived.contains(*entity);
    let found = marked.iter().flat_map(below).filter(is_new).chain(reshaped.iter());
    for (entity, mesh, name) in found.filter_map(|entity| meshes.get(entity).ok()) {
        let is_ours = terrain_of(entity, &terrains, &parents).is_some();
        let Some(mesh) = assets.get(&mesh.0).filter(|_| is_ours) else { continue };
        match triangles(mesh) {
            Some(mesh) => _ = commands.entity(entity).try_insert((BakeSource::new(mesh), DerivedSource)),
            None => {
                let what = "is not baked: its mesh has no triangles, or only the renderer has them \
                    (RenderAssetUsages), or they are not finite";
                warnings.warn(entity, name, what);
            }
        }
    }
}

fn triangles(mesh: &Mesh) -> Option<BakeMesh> {
    let corners: Vec<Vec3> = mesh.triangles().ok()?.flat_map(|triangle| triangle.vertices).collect();
    let triangles = (0..corners.len() as u32).step_by(3).map(|at| [at, at + 1, at + 2]).collect();
    BakeMesh::new(corners, triangles).ok()
}
