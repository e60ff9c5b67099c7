//! Levels that are loaded from files and follow their changes.

use std::sync::Arc;

use bevy::prelude::*;

use super::super::{LinkEnd, NavLink};
use super::NavGridSource;
use super::level::{FileLevel, LevelFile};
use super::level_objects::{LevelGoal, LevelObject, LevelObjectKind};

/// Spawns the levels of a file of LDtk or Tiled as children of its entity: for each a grid, placed where the level lies
/// in its world, with the level's name, and the level's objects as children of the grid. Levels of one cell size that
/// touch edge to edge join ([`JoinedGrid`](crate::world::JoinedGrid)).
///
/// When the file changes (with Bevy's `file_watcher`), only the cells that differ count as edited, and objects are
/// spawned anew only in levels whose objects changed.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::world::files::{LevelGoal, LevelSettings, LevelSource};
/// fn load(mut commands: Commands, server: Res<AssetServer>) {
///     let lava = |settings: &mut LevelSettings| _ = settings.terrain.insert("lava".into(), Terrain::VOID);
///     commands.spawn(LevelSource(server.load_builder().with_settings(lava).load("levels/caves.ldtk")));
/// }
///
/// fn goals(goals: Query<(&Name, &GlobalTransform), Added<LevelGoal>>) {
///     goals.iter().for_each(|(name, at)| info!("{name} is at {}", at.translation()));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform)]
pub struct LevelSource(pub Handle<LevelFile>);

/// What has been spawned from a file.
#[derive(Component)]
pub(super) struct SpawnedLevels {
    from: Arc<[FileLevel]>,
    grids: Vec<Entity>,
    /// The objects of each level.
    objects: Vec<Vec<Entity>>,
}

/// Spawns the levels of files that were loaded or have changed. Files are told apart by the address of their levels.
pub(super) fn follow_levels(
    sources: Query<(Entity, &LevelSource, Option<&SpawnedLevels>)>,
    files: Res<Assets<LevelFile>>,
    mut commands: Commands,
) {
    for (entity, source, spawned) in &sources {
        let Some(file) = files.get(&source.0) else { continue };
        if spawned.is_some_and(|spawned| Arc::ptr_eq(&spawned.from, &file.levels)) {
            continue;
        }
        let next = update(entity, file, spawned, &mut commands);
        commands.entity(entity).try_insert(next);
    }
}

fn update(
    source: Entity,
    file: &LevelFile,
    spawned: Option<&SpawnedLevels>,
    commands: &mut Commands,
) -> SpawnedLevels {
    let known =
        || spawned.into_iter().flat_map(|it| it.from.iter().zip(it.grids.iter().copied().zip(&it.objects)));
    let old = |level: &FileLevel| known().find(|(before, _)| before.grid == level.grid);
    for (gone, (grid, _)) in known() {
        if !file.levels.iter().any(|level| level.grid == gone.grid) {
            commands.entity(grid).try_despawn();
        }
    }
    // Links name the grids of other levels, so all grids come first.
    let mut grids = Vec::new();
    for level in &*file.levels {
        let place = Transform::from_translation(level.position);
        let grid = match old(level) {
            Some((_, (grid, _))) => grid,
            None => commands.spawn((NavGridSource(level.grid.clone()), ChildOf(source))).id(),
        };
        if old(level).is_none_or(|(before, _)| before.position != level.position) {
            commands.entity(grid).try_insert((Name::new(level.name.clone()), place));
        }
        grids.push(grid);
    }
    let leads_elsewhere = |object: &LevelObject| match object.kind {
        LevelObjectKind::Link { to_level, .. } => {
            spawned.is_none_or(|spawned| spawned.grids.get(to_level) != grids.get(to_level))
        }
        _ => false,
    };
    let is_same = |before: &FileLevel, level: &FileLevel| {
        before.objects == level.objects && !level.objects.iter().any(leads_elsewhere)
    };
    let objects = file.levels.iter().zip(&grids).map(|(level, &grid)| match old(level) {
        Some((before, (_, kept))) if is_same(before, level) => kept.clone(),
        before => {
            let gone = before.into_iter().flat_map(|(_, (_, objects))| objects);
            gone.for_each(|&object| commands.entity(object).try_despawn());
            level.objects.iter().map(|object| spawn(object, grid, &grids, commands)).collect()
        }
    });
    SpawnedLevels { objects: objects.collect(), from: file.levels.clone(), grids }
}

fn spawn(object: &LevelObject, grid: Entity, grids: &[Entity], commands: &mut Commands) -> Entity {
    let mut child = commands.spawn((Name::new(object.name.clone()), object.transform, ChildOf(grid)));
    match object.kind {
        LevelObjectKind::Obstacle(obstacle) => child.insert(obstacle),
        LevelObjectKind::Goal => child.insert(LevelGoal),
        LevelObjectKind::Link { link, to_level } => {
            let end = |end: LinkEnd, grid| LinkEnd { grid, ..end };
            child.insert(NavLink { from: end(link.from, grid), to: end(link.to, grids[to_level]), ..link })
        }
    };
    child.id()
}
