//! The recipes that have a window, run without one.

#![expect(dead_code, reason = "the recipes' own windows and input are not opened here")]

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use bevy::camera::CameraPlugin;
use bevy::input::keyboard::{Key, KeyboardInput, NativeKey};
use bevy::input::mouse::MouseButtonInput;
use bevy::input::{ButtonState, InputPlugin};
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::render::{camera::camera_system, texture::ManualTextureViews};
use bevy::state::app::StatesPlugin;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_pathfind::solve::{SolveMode, SolveSettings};

#[path = "../behavior_tree.rs"]
mod behavior_tree;
#[path = "../click_to_move.rs"]
mod click_to_move;
#[path = "../roguelike/main.rs"]
mod roguelike;

/// A game without a window, in which a frame is a tick.
fn play(game: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, AssetPlugin::default()))
        .init_asset::<Image>()
        .add_plugins(game)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.finish();
    app.cleanup();
    (0..2).for_each(|_| app.update());
    app
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it has a place").translation
}

/// The one entity of a kind.
fn only<C: Component>(app: &mut App) -> Entity {
    app.world_mut().query_filtered::<Entity, With<C>>().single(app.world()).expect("there is one")
}

#[test]
fn guards_chase_the_thief_and_go_back_to_their_posts() {
    use behavior_tree::Thief;
    #[derive(Resource, Default)]
    struct Caught(u32);
    let mut app = play(behavior_tree::game);
    app.init_resource::<Caught>().add_observer(|_: On<CaughtBy>, mut caught: ResMut<Caught>| caught.0 += 1);
    let mut guards = app.world_mut().query_filtered::<(&PathStatus, Has<Pursuer>), Without<Thief>>();
    let (mut chases, mut walks, mut was_chasing) = (0, 0, false);
    for _ in 0..64 * 90 {
        app.update();
        let is_chasing = guards.iter(app.world()).any(|(_, chases)| chases);
        chases += usize::from(is_chasing && !was_chasing);
        walks += guards.iter(app.world()).filter(|(status, _)| **status == PathStatus::Arrived).count();
        was_chasing = is_chasing;
    }
    let caught = app.world().resource::<Caught>().0;
    assert!(chases > 1 && caught > 0, "{chases} chases, {caught} times caught");
    assert!(walks > 10, "and between them they walk from post to post");
    // Without a thief in sight each guard is on its round.
    let thief = only::<Thief>(&mut app);
    app.world_mut().entity_mut(thief).remove::<GoalQueue>().insert(Transform::from_xyz(500.0, 0.0, 0.0));
    (0..64 * 5).for_each(|_| app.update());
    assert!(guards.iter(app.world()).all(|(status, chases)| *status == PathStatus::Following && !chases));
}

#[test]
fn clicks_and_keys_command_the_unit() {
    use click_to_move::Unit;
    let mut app = play(|app| {
        // What finds the point under the pointer.
        app.add_plugins((
            InputPlugin,
            WindowPlugin::default(),
            ImagePlugin::default(),
            MeshPlugin,
            CameraPlugin,
        ))
        .init_asset::<Shader>()
        .init_resource::<ManualTextureViews>()
        .add_systems(PostUpdate, camera_system)
        .add_plugins(click_to_move::game);
    });
    let (unit, window) = (only::<Unit>(&mut app), only::<Window>(&mut app));
    let size = app.world().get::<Window>(window).expect("it is open").size();
    let start = place(&app, unit);
    let click = |app: &mut App, at: Vec2| {
        let pointer = size / 2.0 + at * Vec2::new(1.0, -1.0);
        app.world_mut().get_mut::<Window>(window).expect("it is open").set_cursor_position(Some(pointer));
        for state in [ButtonState::Pressed, ButtonState::Released] {
            app.world_mut().write_message(MouseButtonInput { button: MouseButton::Left, state, window });
            app.update();
        }
    };
    let key = |app: &mut App, key_code, state| {
        let (logical_key, text, repeat) = (Key::Unidentified(NativeKey::Unidentified), None, false);
        app.world_mut().write_message(KeyboardInput { key_code, logical_key, state, text, repeat, window });
        app.update();
    };
    let arrives = |app: &mut App, goal: Vec2| {
        let is_there = |app: &App| place(app, unit).truncate().distance(goal) < 8.0;
        (0..64 * 20).any(|_| {
            app.update();
            is_there(app)
        })
    };
    let [first, second] = [Vec2::new(-40.0, 20.0), Vec2::new(450.0, -110.0)];
    click(&mut app, first);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Pressed);
    click(&mut app, second);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Released);
    assert!(arrives(&mut app, first), "a click sends it: {}", place(&app, unit));
    assert!(arrives(&mut app, second), "a click with Shift comes after it: {}", place(&app, unit));
    click(&mut app, start.truncate());
    (0..30).for_each(|_| app.update());
    key(&mut app, KeyCode::KeyX, ButtonState::Pressed);
    key(&mut app, KeyCode::KeyX, ButtonState::Released);
    (0..64).for_each(|_| app.update());
    let at = place(&app, unit).truncate();
    (0..64).for_each(|_| app.update());
    assert_eq!(place(&app, unit).truncate(), at, "it stands");
    assert!(at.distance(second) > 10.0 && at.distance(start.truncate()) > 100.0, "on its way: {at}");
    // The camera moves left, and with it what is under the pointer.
    key(&mut app, KeyCode::KeyA, ButtonState::Pressed);
    (0..31).for_each(|_| app.update());
    key(&mut app, KeyCode::KeyA, ButtonState::Released);
    let camera = only::<Camera>(&mut app);
    assert!((place(&app, camera).x + 200.0).abs() < 20.0, "half a second: {}", place(&app, camera));
}

/// The first step of a shortest path in four directions to one of the goals.
fn first_step(grid: &NavGrid, from: GridCell, goals: &[GridCell]) -> Option<KeyCode> {
    let sides = [
        (KeyCode::ArrowLeft, (-1, 0)),
        (KeyCode::ArrowRight, (1, 0)),
        (KeyCode::ArrowDown, (0, -1)),
        (KeyCode::ArrowUp, (0, 1)),
    ];
    let (mut known, mut next) = (HashSet::from([from]), VecDeque::from([(from, None)]));
    while let Some((cell, key)) = next.pop_front() {
        if goals.contains(&cell) {
            return key;
        }
        for (side, (x, y)) in sides {
            let beside = GridCell::new(cell.x + x, cell.y + y);
            if grid.is_walkable(KindId::default(), beside) && known.insert(beside) {
                next.push_back((beside, key.or(Some(side))));
            }
        }
    }
    None
}

#[test]
fn monsters_come_when_they_see_the_hero_and_the_dungeon_is_drawn_as_it_is_seen() {
    use roguelike::{Monster, Piece};
    let mut app = play(|app| _ = app.init_resource::<ButtonInput<KeyCode>>().add_plugins(roguelike::game));
    let mut monsters = app.world_mut().query_filtered::<(Entity, &Piece), With<Monster>>();
    let mut heroes = app.world_mut().query_filtered::<&Piece, Without<Monster>>();
    let mut tiles = app.world_mut().query::<&TilePos>();
    let count = monsters.iter(app.world()).count();
    let (drawn, mut moved) = (tiles.iter(app.world()).count(), 0);
    assert!((20..400).contains(&drawn), "the first room is drawn, and no more: {drawn} tiles");
    for turn in 0..2000 {
        let before: HashMap<Entity, GridCell> =
            monsters.iter(app.world()).map(|(it, at)| (it, at.0)).collect();
        if before.is_empty() {
            assert!(moved > count, "{count} monsters have moved {moved} times");
            assert!(tiles.iter(app.world()).count() > 2 * drawn, "the hero has seen more of it");
            return;
        }
        let hero = heroes.single(app.world()).expect("there is one hero").0;
        let goals: Vec<GridCell> = before.values().copied().collect();
        let grid = app.world_mut().query::<&NavGrid>().single(app.world()).expect("there is one map").clone();
        let key = first_step(&grid, hero, &goals).expect("all rooms are joined");
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
        app.update();
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
        app.update();
        let hero = heroes.single(app.world()).expect("there is one hero").0;
        for (monster, &Piece(at)) in monsters.iter(app.world()) {
            let (step, was) = (at.distance_squared(before[&monster]), before[&monster]);
            assert!(step <= 2 && grid.is_walkable(KindId::default(), at), "turn {turn}: {was:?} to {at:?}");
            moved += usize::from(step > 0);
            let is_nearer = at.distance_squared(hero) < was.distance_squared(hero);
            assert!(
                step == 0 || is_nearer || hero == roguelike::dungeon::START,
                "turn {turn}: {at:?} to {hero:?}"
            );
        }
    }
    panic!("the hero slays them all");
}
