//! Things that cover cells of a grid, and move.

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::prelude::*;
use pathfind_core::{Footprint, Terrain};
use serde::{Deserialize, Serialize};

use super::covered_cells::{Change, Stamp};
use super::{GridRef, Grids, NavGrid, ObstacleShape, OnGrid};
use crate::warnings::Warnings;

/// A thing that covers cells of the grid while it stands on them: a cart, a door, a falling tree.
///
/// The cells under it get its terrain, whatever the ground is: a raft may open water as a cart shuts a street.
/// When it moves on, is changed, or is despawned, the ground shows again, with the edits made to it meanwhile.
/// Of several on one cell that shows which is blocked for the default kind of agent, else the dearest for it.
/// It stands on the grid that an agent in its place would walk on (see [`OnGrid`]), at any height above it.
/// Only when the cells under it change does the grid, and with it whoever has to plan again.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn park(mut commands: Commands) {
///     commands.spawn((GridObstacle::cuboid(Vec3::new(2.0, 1.0, 0.0)), Transform::from_xyz(8.0, 6.0, 0.0)));
/// }
/// ```
///
/// Searches see it as they see walls. An [`Obstacle`](super::Obstacle) is the other kind: seen by who is near, and
/// by no search. It is made for things that are not agents: an agent would stand in its own way.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform)]
pub struct GridObstacle {
    /// Its shape in its own frame: scale, rotation and parents count, and every cell that it reaches into from
    /// above is covered. Default: a ball of radius 0.5.
    pub shape: ObstacleShape,
    /// What the cells under it become. Default: a wall.
    #[reflect(remote = ReflectedTerrain)]
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

    /// The same obstacle, of other terrain: mud, a bridge.
    #[must_use]
    pub const fn with_terrain(mut self, terrain: Terrain) -> Self {
        self.terrain = terrain;
        self
    }

    /// What it covers of a grid if it stands at `at`.
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

/// [`Terrain`] as reflection sees it: the core knows no reflection.
#[bevy::reflect::reflect_remote(Terrain)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[reflect(Default, Debug, PartialEq, Hash)]
pub struct ReflectedTerrain(pub u8);

/// Lays down, moves and lifts what obstacles cover; all that happened since the last tick is one edit of each
/// grid.
///
/// It looks at what is there, not at removal messages, which fixed ticks can miss.
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
        let Ok(grid) = reader.of((on, None), at.translation()) else { continue };
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
            nav.bypass_change_detection().stamps_mut().moved(entity, footprint);
        }
    }
}
