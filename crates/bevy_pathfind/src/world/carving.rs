//! Carved obstacles: those that change the terrain of the cells under them.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use pathfind_core::{Footprint, GridCell, Terrain};

use super::covered_cells::{CoverChange, Stamp};
use super::{GridRef, Grids, NavGrid, Obstacle, ObstacleShape, OnGrid};
use crate::warnings::Warnings;

impl Obstacle {
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

/// On an entity other than an obstacle: the cells that it covers.
#[derive(Component, Debug)]
pub(super) struct CarvedCells {
    pub(super) terrain: Terrain,
    /// The cells on each grid.
    pub(super) by_grid: Vec<(Entity, Vec<GridCell>)>,
}

/// Updates the cells that obstacles cover; all changes since the last tick are one edit of each grid.
///
/// It compares the present state with that of the last tick instead of reading removal messages, which fixed ticks
/// can miss.
pub(super) fn stamp(
    obstacles: Query<(Entity, &Obstacle, Option<&OnGrid>, Option<&Name>)>,
    others: Query<(Entity, Ref<CarvedCells>), Without<Obstacle>>,
    transforms: TransformHelper,
    mut grids: ParamSet<(Grids, Query<(Entity, &mut NavGrid)>)>,
    mut warnings: Local<Warnings>,
) {
    let mut changes: EntityHashMap<Vec<CoverChange>> = EntityHashMap::default();
    let mut stands_on: HashSet<(Entity, Entity)> = HashSet::default();
    let mut moved: Vec<(Entity, Entity, Footprint)> = Vec::new();
    let reader = grids.p0();
    for (entity, obstacle, on, name) in &obstacles {
        let Some(terrain) = obstacle.carved else { continue };
        let Ok(at) = transforms.compute_global_transform(entity) else { continue };
        let Ok(grid) = reader.of((on, None, None, None), at.translation()) else { continue };
        let footprint = obstacle.footprint(&grid, &at);
        let known = grid.nav.covered.by_obstacle.get(&entity).filter(|stamp| stamp.terrain == terrain);
        if known.is_some_and(|stamp| stamp.footprint == Some(footprint)) {
            stands_on.insert((entity, grid.entity));
            continue;
        }
        let Some(cells) = footprint.cells(grid.nav.grid().bounds()) else {
            let what = "covers nothing: its Obstacle is not finite, or too large for one obstacle";
            warnings.warn(entity, name, what);
            continue;
        };
        stands_on.insert((entity, grid.entity));
        if known.is_some_and(|stamp| stamp.cells == cells) {
            moved.push((grid.entity, entity, footprint));
        } else {
            let footprint = Some(footprint);
            changes.entry(grid.entity).or_default().push((entity, Some(Stamp { footprint, terrain, cells })));
        }
    }
    let list = reader.all();
    for (entity, carved) in &others {
        let terrain = carved.terrain;
        for (grid, cells) in carved.by_grid.iter().filter(|(_, cells)| !cells.is_empty()) {
            stands_on.insert((entity, *grid));
            let known = list.get(*grid).and_then(|grid| grid.nav.covered.by_obstacle.get(&entity));
            let differs = |stamp: &Stamp| stamp.terrain != terrain || stamp.cells != *cells;
            if known.is_none_or(|stamp| carved.is_changed() && differs(stamp)) {
                let stamp = Stamp { footprint: None, terrain, cells: cells.clone() };
                changes.entry(*grid).or_default().push((entity, Some(stamp)));
            }
        }
    }
    let mut writer = grids.p1();
    for (grid, mut nav) in &mut writer {
        let mut changes = changes.remove(&grid).unwrap_or_default();
        let gone = nav.covered.by_obstacle.keys().filter(|&&entity| !stands_on.contains(&(entity, grid)));
        changes.extend(gone.map(|&entity| (entity, None)));
        if !changes.is_empty() {
            nav.stamp(changes);
        }
    }
    for (grid, entity, footprint) in moved {
        // The same cells as before: the grid does not change.
        if let Ok((_, mut nav)) = writer.get_mut(grid)
            && let Some(stamp) = nav.bypass_change_detection().covered.by_obstacle.get_mut(&entity)
        {
            stamp.footprint = Some(footprint);
        }
    }
}
