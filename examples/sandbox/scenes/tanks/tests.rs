//! Tests that the game can be won and lost with only a pointer and a button.

use bevy::{
    input::{ButtonState, mouse::MouseButtonInput},
    window::PrimaryWindow,
};
use bevy_pathfind::prelude::*;

use super::{
    arena::RADIUS,
    enemies::Enemy,
    game::{Game, Phase, TanksSettings},
    player::Player,
    tank::Tank,
    *,
};
use crate::{
    scenes::tests::{assert_tooltip_defaults, go, scene_app, set_ticks_per_frame},
    view::View,
};

/// A game with these settings, from its beginning.
fn game(settings: TanksSettings) -> App {
    let mut app = scene_app("tanks");
    app.insert_resource(settings);
    go(&mut app, "tanks");
    (0..3).for_each(|_| app.update());
    app
}

fn phase(app: &App) -> Phase {
    app.world().resource::<Game>().phase
}

fn you(app: &mut App) -> Vec2 {
    let mut players = app.world_mut().query_filtered::<&Transform, With<Player>>();
    players.single(app.world()).expect("you are there").translation.truncate()
}

/// Moves the pointer to a place in the world.
fn point_at(app: &mut App, at: Vec2) {
    let &View { center, scale, .. } = app.world().resource::<View>();
    let mut windows = app.world_mut().query_filtered::<&mut Window, With<PrimaryWindow>>();
    let mut window = windows.single_mut(app.world_mut()).expect("there is a window");
    let off = (at - center) / scale;
    let middle = window.size() / 2.0;
    window.set_cursor_position(Some(middle + Vec2::new(off.x, -off.y)));
}

fn hold_the_trigger(app: &mut App) {
    let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(app.world()).expect("there is a window");
    let (button, state) = (MouseButton::Left, ButtonState::Pressed);
    app.world_mut().write_message(MouseButtonInput { button, state, window });
}

/// Aims at the nearest enemy.
fn aim(app: &mut App) {
    let here = you(app);
    let mut enemies = app.world_mut().query_filtered::<&Transform, With<Enemy>>();
    let all = enemies.iter(app.world()).map(|at| at.translation.truncate());
    let nearest = all.min_by(|a, b| a.distance(here).total_cmp(&b.distance(here)));
    point_at(app, nearest.unwrap_or(here + Vec2::Y));
}

/// Plays until the game is over; fails after 60 seconds of frames.
fn until_over(app: &mut App, mut hand: impl FnMut(&mut App)) {
    for _ in 0..60 * 64 {
        if phase(app) != Phase::Playing {
            return;
        }
        hand(app);
        app.update();
    }
    panic!("it never ends: {:?}", app.world().resource::<Game>());
}

#[test]
fn aiming_and_firing_wins_the_game() {
    let mut app = game(TanksSettings { waves: 1, lives: 9, enemies: 2, fierceness: 0.5 });
    point_at(&mut app, Vec2::ZERO);
    app.update();
    hold_the_trigger(&mut app);
    until_over(&mut app, aim);
    let game = app.world().resource::<Game>();
    assert_eq!(game.phase, Phase::Won, "{game:?}");
    assert_eq!(game.kills, 2);
    assert!(game.score >= 400, "two enemies and a wave: {}", game.score);
}

#[test]
fn doing_nothing_loses_the_game() {
    let mut app = game(TanksSettings { lives: 1, ..default() });
    set_ticks_per_frame(&mut app, 4);
    until_over(&mut app, |_| ());
    assert_eq!(phase(&app), Phase::Lost, "they come and find you");
}

#[test]
fn a_revived_tank_does_not_overlap_an_enemy_at_the_start() {
    let mut app = game(TanksSettings { lives: 9, ..default() });
    let start = you(&mut app);
    let mut enemies = app.world_mut().query_filtered::<&mut Transform, With<Enemy>>();
    for _ in 0..320 {
        app.update();
        if let Some(mut enemy) = enemies.iter_mut(app.world_mut()).next() {
            enemy.translation = start.extend(0.0);
            break;
        }
    }
    let mut players = app.world_mut().query_filtered::<&mut Tank, With<Player>>();
    players.single_mut(app.world_mut()).expect("you are there").armour = 0;
    (0..8).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Game>().lives, 8, "you were hit");
    let enemy = enemies.iter(app.world()).next().expect("it stood there").translation.truncate();
    let gap = enemy.distance(you(&mut app));
    assert!(gap > 1.9 * RADIUS, "{gap} between tanks of radius {RADIUS}");
}

#[test]
fn a_destroyed_wall_gives_an_enemy_a_shorter_path() {
    let mut app = game(TanksSettings { enemies: 1, lives: 9, ..default() });
    let mut paths = app.world_mut().query_filtered::<&NavPath, With<Enemy>>();
    for _ in 0..320 {
        if paths.iter(app.world()).count() > 0 {
            break;
        }
        app.update();
    }
    assert!(paths.iter(app.world()).count() > 0, "an enemy has set out");
    (0..40).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Game>().short_cuts, 0, "no wall has fallen yet");
    let mut grids = app.world_mut().query::<&mut NavGrid>();
    let mut nav = grids.single_mut(app.world_mut()).expect("there is an arena");
    for cell in nav.grid().bounds().cells() {
        if nav.grid().terrain(cell) == Some(crate::grid_picture::BRICK) {
            nav.set(cell, Terrain::GROUND).expect("it lies in the arena");
        }
    }
    (0..60).for_each(|_| app.update());
    let game = app.world().resource::<Game>();
    assert!(game.short_cuts > 0 && game.saved > 5.0, "{game:?}");
}

#[test]
fn tooltips_state_the_actual_defaults() {
    assert_tooltip_defaults::<TanksSettings>();
}
