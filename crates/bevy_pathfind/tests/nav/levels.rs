//! Levels of LDtk and Tiled: what becomes of them, hot reload, and broken files.

mod ldtk;
mod tiled;

use std::path::Path;

use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::files::{LevelFile, LevelGoal, LevelSettings, LevelSource},
};

use crate::files::{app_with, wait};
use crate::support::*;

/// An application in which these files have been loaded as levels; and the entity of the first one's source.
fn level_app(files: &[(&str, &str)], settings: &LevelSettings) -> (App, Entity) {
    let (mut app, _) = app_with(files);
    let source = spawn_level(&mut app, files[0].0, settings);
    wait(&mut app, "the level is there", |app| !grids(app, source).is_empty());
    ticks(&mut app, 2);
    (app, source)
}

fn spawn_level(app: &mut App, file: &str, settings: &LevelSettings) -> Entity {
    let (file, settings) = (file.to_string(), settings.clone());
    let with = move |target: &mut LevelSettings| *target = settings.clone();
    let level = app.world().resource::<AssetServer>().load_builder().with_settings(with).load(file);
    app.world_mut().spawn(LevelSource(level)).id()
}

/// The grids of a level file, in its order, as far as they are loaded.
fn grids(app: &App, source: Entity) -> Vec<Entity> {
    let children = app.world().get::<Children>(source).map(|children| children.to_vec()).unwrap_or_default();
    children.into_iter().filter(|&child| app.world().get::<NavGrid>(child).is_some()).collect()
}

fn picture(app: &App, grid: Entity) -> String {
    nav_grid(app, grid).grid().to_ascii().expect("its classes have characters")
}

/// Where the entity of a name is in the world.
fn named(app: &mut App, name: &str) -> Vec3 {
    let mut all = app.world_mut().query::<(Entity, &Name)>();
    let found = all.iter(app.world()).find(|(_, it)| it.as_str() == name).expect("it was spawned").0;
    let helper = |at: &Transform, parent: Option<&ChildOf>| (*at, parent.map(ChildOf::parent));
    let mut place = Transform::IDENTITY;
    let mut next = Some(found);
    while let Some(entity) = next {
        let entity = app.world().entity(entity);
        let (at, parent) =
            helper(entity.get::<Transform>().expect("it has a place"), entity.get::<ChildOf>());
        place = at * place;
        next = parent;
    }
    place.translation
}

/// The error of a file that cannot be loaded as a level.
fn error_of(files: &[(&str, &str)], settings: &LevelSettings) -> String {
    let (mut app, _) = app_with(files);
    let source = spawn_level(&mut app, files[0].0, settings);
    let level = app.world().get::<LevelSource>(source).expect("it was spawned").0.clone();
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&level);
    wait(&mut app, "it has failed", |app| state(app).is_failed() || state(app).is_loaded());
    match state(&app) {
        LoadState::Failed(error) => error.to_string(),
        _ => String::from("none: it was loaded"),
    }
}

/// Loads every beginning of a file but the whole; returns the lengths that were not refused.
fn accepted_beginnings(name: &str, text: &str) -> Vec<usize> {
    let (mut app, dir) = app_with(&[]);
    let load = |length: usize| {
        let file = format!("{length}/{name}");
        dir.insert_asset(Path::new(&file), text.as_bytes()[..length].to_vec());
        app.world().resource::<AssetServer>().load::<LevelFile>(file)
    };
    let handles: Vec<_> = (0..text.len()).map(load).collect();
    let state = |app: &App, handle| app.world().resource::<AssetServer>().load_state(handle);
    wait(&mut app, "all are read", |app| {
        handles.iter().all(|handle| state(app, handle).is_failed() || state(app, handle).is_loaded())
    });
    (0..text.len()).filter(|&length| state(&app, &handles[length]).is_loaded()).collect()
}
