//! Grids from files: loading, reloading, and errors.

use std::path::Path as FilePath;
use std::time::Duration;

use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy::asset::{AssetPlugin, LoadState};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::{LinkEnd, files::GridFileSettings},
};

use crate::support::*;

const OPEN: &str = "(cell_size: 2.0, plane: Xy, rows: [\n\"........\",\n\"........\",\n\"........\",\n])";

/// An application with an in-memory asset source.
pub(crate) fn app_with(files: &[(&str, &str)]) -> (App, Dir) {
    let dir = Dir::default();
    for (path, text) in files {
        dir.insert_asset_text(FilePath::new(path), text);
    }
    let root = dir.clone();
    let mut app = App::new();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    );
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.update();
    (app, dir)
}

/// Ticks, with real time for the loading threads, until a condition holds.
pub(crate) fn wait(app: &mut App, what: &str, mut holds: impl FnMut(&App) -> bool) {
    until(app, what, |app| {
        std::thread::sleep(Duration::from_millis(1));
        holds(app)
    });
}

#[test]
fn a_grid_follows_its_file_and_agents_go_round_what_is_new() {
    let (mut app, dir) = app_with(&[("maps/yard.grid.ron", OPEN)]);
    let yard: Handle<NavGrid> = app.world().resource::<AssetServer>().load("maps/yard.grid.ron");
    let nav = app.world_mut().spawn(NavGridSource(yard)).id();
    wait(&mut app, "the grid is there", |app| app.world().get::<NavGrid>(nav).is_some());
    assert_eq!(app.world().get::<NavGrid>(nav).unwrap().cell_size(), 2.0, "as the file says");
    let walker = Transform::from_xyz(1.0, 3.0, 0.0);
    let agent = app.world_mut().spawn((Agent { speed: 0.5, ..default() }, walker)).id();
    order(&mut app, agent, Vec3::new(15.0, 3.0, 0.0));
    ticks(&mut app, 3);
    assert_eq!(path(&app, agent).waypoints().len(), 2, "straight on");
    let shut = OPEN.replacen("\"........\",\n\"........\",", "\"........\",\n\"....#...\",", 1);
    dir.insert_asset_text(FilePath::new("maps/yard.grid.ron"), &shut);
    app.world().resource::<AssetServer>().reload("maps/yard.grid.ron");
    wait(&mut app, "the wall is there", |app| {
        nav_grid(app, nav).grid().terrain(GridCell::new(4, 1)) == Some(Terrain::WALL)
    });
    assert!(path(&app, agent).waypoints().len() > 2, "round the wall, without being asked");
    assert_eq!(stats(&app).replanned, 1);
    assert_eq!(nav_grid(&app, nav).revision(), 1, "one cell differs: one edit");
}

#[test]
fn links_of_a_file_come_and_go_with_it() {
    let file = |links: &str| format!("(plane: Xy, links: [{links}], rows: [\"...#...\", \"...#...\"])");
    let (mut app, dir) = app_with(&[("a.grid.ron", &file("(from: (2, 0), to: (4, 0), cost: 2.0)"))]);
    let map: Handle<NavGrid> = app.world().resource::<AssetServer>().load("a.grid.ron");
    let nav = app.world_mut().spawn(NavGridSource(map)).id();
    let links = |app: &mut App| {
        let mut links: Vec<_> = app.world_mut().query::<&NavLink>().iter(app.world()).copied().collect();
        links.sort_by_key(|link| link.from.cells.min);
        links
    };
    let link = |y| {
        let end = |x| LinkEnd::new(nav, GridCell::new(x, y));
        NavLink::new(end(2), end(4)).with_cost(2.0)
    };
    wait(&mut app, "the grid is there", |app| app.world().get::<NavGrid>(nav).is_some());
    ticks(&mut app, 1);
    assert_eq!(links(&mut app), [link(0)]);
    let agent = send(&mut app, (0, 0), (6, 0));
    all_arrive(&mut app, &[agent]);
    dir.insert_asset_text(FilePath::new("a.grid.ron"), &file("(from: (2, 1), to: (4, 1), cost: 2.0)"));
    app.world().resource::<AssetServer>().reload("a.grid.ron");
    let is_other = |app: &App| {
        let children = app.world().get::<Children>(nav).expect("links are children of their grid");
        children.iter().all(|child| app.world().get::<NavLink>(child) == Some(&link(1)))
    };
    wait(&mut app, "the other link is there", is_other);
    assert_eq!(links(&mut app), [link(1)], "the old one has gone");
    let known: Vec<_> = nav_grid(&app, nav).links(nav).collect();
    assert_eq!(known, [link(1)], "and would not be written");
    app.world_mut().despawn(nav);
    assert_eq!(links(&mut app), [], "and all go with the grid");
}

#[test]
fn a_map_is_an_asset_too_and_settings_count() {
    let (mut app, _) = app_with(&[("a.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")]);
    let server = app.world().resource::<AssetServer>();
    let large = |settings: &mut GridFileSettings| settings.cell_size = 64.0;
    let map: Handle<NavGrid> = server.load_builder().with_settings(large).load("a.map");
    wait(&mut app, "it is loaded", |app| app.world().resource::<Assets<NavGrid>>().get(&map).is_some());
    let grid = app.world().resource::<Assets<NavGrid>>().get(&map).unwrap();
    assert_eq!((grid.cell_size(), grid.grid().to_ascii().unwrap().as_str()), (64.0, "..#\n...\n"));
}

#[test]
fn a_broken_file_is_refused_with_its_name_and_the_place() {
    let (mut app, _) = app_with(&[("mods/bad.grid.ron", "(rows: [\n  \"..\",\n  \".?\",\n])")]);
    let bad: Handle<NavGrid> = app.world().resource::<AssetServer>().load("mods/bad.grid.ron");
    let nav = app.world_mut().spawn(NavGridSource(bad.clone())).id();
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&bad);
    wait(&mut app, "it has failed", |app| state(app).is_failed());
    let LoadState::Failed(error) = state(&app) else { panic!("it has failed") };
    let words = error.to_string();
    assert!(words.contains("mods/bad.grid.ron, line 3, column 5: '?' stands for no terrain"), "{words}");
    ticks(&mut app, 3);
    assert!(app.world().get::<NavGrid>(nav).is_none(), "and there is no grid");
}
