//! Movable obstacles that change the terrain of the cells under them.

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::prelude::*;
use pathfind_core::{Footprint, Terrain};
use serde::{Deserialize, Serialize};

use super::covered_cells::{Change, Stamp};
use super::{GridRef, Grids, NavGrid, ObstacleShape, OnGrid};
use crate::warnings::Warnings;

/// A thing that covers cells of the grid while it stands on them: a cart, a door, a fallen tree.
///
/// The cells under it get the obstacle's terrain, whatever terrain they have: a raft may open water, and a cart block
/// a street. When the obstacle moves on, is changed, or is despawned, the terrain of the cells shows again, with the
/// edits made to it meanwhile. Where several obstacles cover one cell, one that is blocked for the default kind of
/// agent wins, else the one that costs this kind most. The obstacle stands on the grid that an agent in its place
/// would walk on (see [`OnGrid`]), at any height above it. The grid is edited, and agents replan, only when the
/// covered cells or their terrain change.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn park(mut commands: Commands) {
///     commands.spawn((GridObstacle::cuboid(Vec3::new(2.0, 1.0, 0.0)), Transform::from_xyz(8.0, 6.0, 0.0)));
/// }
/// ```
///
/// Searches treat it as terrain. An [`Obstacle`](super::Obstacle) is different: nearby agents avoid it, and searches
/// ignore it. Put no `GridObstacle` of blocked terrain on an agent: the agent would block its own path. One of passable
/// terrain, such as [`Terrain::weight`]`(4)`, on an agent that stands makes others plan round it where that is cheaper;
/// remove it before the agent walks, because every cell that it enters would be an edit of the grid.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform)]
pub struct GridObstacle {
    /// Its shape in the frame of the entity: scale, rotation and parents apply. A cell is covered if the projection
    /// of the shape onto the grid reaches into it. Default: a ball of radius 0.5.
    pub shape: ObstacleShape,
    /// The terrain of the cells under it. Default: a wall.
    pub terrain: Terrain,
}

impl Default for GridObstacle {
    fn default() -> Self {
        Self { shape: ObstacleShape::default(), terrain: Terrain::WALL }
    }
}

impl GridObstacle {
    /// A ball (a circle, a column) of this radius, in world units.
    #[must_use]
    pub const fn sphere(radius: f32) -> Self {
        Self { shape: ObstacleShape::Sphere { radius }, terrain: Terrain::WALL }
    }

    /// A box (a rectangle) by half of its sides, in world units.
    #[must_use]
    pub const fn cuboid(half_size: Vec3) -> Self {
        Self { shape: ObstacleShape::Cuboid { half_size }, terrain: Terrain::WALL }
    }

    /// The same obstacle with another terrain, such as mud or a bridge.
    #[must_use]
    pub const fn with_terrain(mut self, terrain: Terrain) -> Self {
        self.terrain = terrain;
        self
    }

    /// The projection of the obstacle onto a grid, in grid space, if its entity has the transform `at`.
    fn footprint(&self, grid: &GridRef, at: &GlobalTransform) -> Footprint {
        let affine = at.affine();
        let center = grid.place.to_grid(affine.translation.into());
        let sizes = match self.shape {
            ObstacleShape::Sphere { radius } => Vec3::splat(radius),
            ObstacleShape::Cuboid { half_size } => half_size,
        };
        let axes = [Vec3::X * sizes.x, Vec3::Y * sizes.y, Vec3::Z * sizes.z];
        let half_axes = axes.map(|axis| grid.place.to_grid(affine.transform_point3(axis)) - center);
        match self.shape {
            ObstacleShape::Sphere { .. } => Footprint::of_ball(center, half_axes),
            ObstacleShape::Cuboid { .. } => Footprint::of_box(center, half_axes),
        }
    }
}

/// Updates the cells that obstacles cover; all changes since the last tick are one edit of each grid.
///
/// It compares the present state with that of the last tick instead of reading removal messages, which fixed ticks
/// can miss.
pub(super) fn stamp(
    obstacles: Query<(Entity, &GridObstacle, Option<&OnGrid>, Option<&Name>)>,
    transforms: TransformHelper,
    mut grids: ParamSet<(Grids, Query<(Entity, &mut NavGrid)>)>,
    mut warned: Local<EntityHashSet>,
    mut warnings: Local<Warnings>,
) {
    let mut changes: EntityHashMap<Vec<Change>> = EntityHashMap::default();
    let mut stands_on: EntityHashMap<Entity> = EntityHashMap::default();
    let mut moved: Vec<(Entity, Entity, Footprint)> = Vec::new();
    let reader = grids.p0();
    for (entity, obstacle, on, name) in &obstacles {
        let Ok(at) = transforms.compute_global_transform(entity) else { continue };
        let Ok(grid) = reader.of((on, None, None, None), at.translation()) else { continue };
        let (footprint, terrain) = (obstacle.footprint(&grid, &at), obstacle.terrain);
        let known = grid.nav.covered().of(entity).filter(|stamp| stamp.terrain == terrain);
        if known.is_some_and(|stamp| stamp.footprint == footprint) {
            stands_on.insert(entity, grid.entity);
            continue;
        }
        let Some(cells) = footprint.cells(grid.nav.grid().bounds()) else {
            if warned.insert(entity) {
                let what = "covers nothing: its GridObstacle is not finite, or too large for one obstacle";
                warnings.warn(entity, name, what);
            }
            continue;
        };
        stands_on.insert(entity, grid.entity);
        if known.is_some_and(|stamp| stamp.cells == cells) {
            moved.push((grid.entity, entity, footprint));
        } else {
            changes.entry(grid.entity).or_default().push((entity, Some(Stamp { footprint, terrain, cells })));
        }
    }
    warned.retain(|entity| obstacles.contains(*entity));
    let mut writer = grids.p1();
    for (grid, mut nav) in &mut writer {
        let mut changes = changes.remove(&grid).unwrap_or_default();
        let gone = nav.covered().obstacles().filter(|entity| stands_on.get(entity) != Some(&grid));
        changes.extend(gone.map(|entity| (entity, None)));
        if !changes.is_empty() {
            nav.stamp(changes);
        }
    }
    for (grid, entity, footprint) in moved {
        if let Ok((_, mut nav)) = writer.get_mut(grid) {
            nav.bypass_change_detection().covered_mut().moved(entity, footprint);
        }
    }
}
