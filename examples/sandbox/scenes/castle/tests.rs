//! Tests of the castle: every floor can be reached, what is shut stays shut, guards catch, raiders break in.

use super::*;
use crate::scenes::tests::{scene_app, set_ticks_per_frame, tap};

fn castle() -> App {
    let mut app = scene_app(SCENE.name);
    set_ticks_per_frame(&mut app, 8);
    app
}

fn captain(app: &mut App) -> (Entity, Vec3) {
    let mut captains = app.world_mut().query_filtered::<(Entity, &Transform), With<Captain>>();
    let (captain, at) = captains.single(app.world()).expect("there is one");
    (captain, at.translation)
}

fn goes(app: &mut App, to: Vec3, frames: usize) -> bool {
    let (captain_entity, _) = captain(app);
    app.world_mut().entity_mut(captain_entity).insert(PathRequest::to(to));
    (0..frames).any(|_| {
        app.update();
        captain(app).1.distance(to) < 1.0
    })
}

#[test]
fn every_floor_can_be_reached_from_every_other() {
    let mut app = castle();
    let places = [(0, 3, 2), (4, 8, 1), (2, 5, 2), (3, 12, 1), (1, 22, 8), (2, 1, 6), (0, 20, 6)];
    for (floor, x, y) in places {
        let to = FLOORS[floor].at(GridCell::new(x, y));
        assert!(goes(&mut app, to, 400), "to {} at {to}, from {}", FLOORS[floor].name, captain(&mut app).1);
    }
    let castle = app.world().resource::<Castle>();
    assert!(castle.crossings > 6, "over links: {}", castle.crossings);
}

#[test]
fn a_raised_bridge_keeps_agents_on_their_side_until_it_falls() {
    let mut app = castle();
    let (yard, meadow) = (FLOORS[1].at(GridCell::new(20, 14)), FLOORS[0].at(GridCell::new(20, 2)));
    assert!(goes(&mut app, yard, 200));
    tap(&mut app, KeyCode::KeyB);
    assert!(!goes(&mut app, meadow, 200), "the bridge is up");
    assert!(captain(&mut app).1.z < 20.0);
    tap(&mut app, KeyCode::KeyB);
    assert!((0..200).any(|_| {
        app.update();
        captain(&mut app).1.distance(meadow) < 1.0
    }));
    tap(&mut app, KeyCode::KeyG);
    assert!(!goes(&mut app, yard, 200), "the gate is shut");
}

/// The first of the cells `O` and `G` of the yard that are broken.
fn broken(app: &mut App, letter: u8) -> bool {
    let yard = app.world().resource::<Castle>().floors[floors::YARD_FLOOR];
    let nav = app.world().get::<NavGrid>(yard).expect("there is a yard");
    let lines: Vec<&[u8]> = FLOORS[floors::YARD_FLOOR].map.lines().map(str::as_bytes).collect();
    let is_letter = |cell: &GridCell| lines[cell.y as usize][cell.x as usize] == letter;
    nav.bounds().cells().filter(is_letter).any(|cell| nav.terrain(cell) == Some(Terrain::GROUND))
}

#[test]
fn raiders_break_the_weakest_wall_and_no_other() {
    let mut app = castle();
    tap(&mut app, KeyCode::KeyK);
    let comes = (0..600).any(|_| {
        app.update();
        app.world().resource::<Castle>().stolen > 0
    });
    assert!(comes, "a raider comes to the treasure");
    assert!(broken(&mut app, b'O') && !broken(&mut app, b'G'), "through the old wall, not over the gate");
    tap(&mut app, KeyCode::KeyK);
    assert!(!broken(&mut app, b'O'), "the next raid finds the wall mended");
    tap(&mut app, KeyCode::KeyG);
    (0..400).for_each(|_| app.update());
    assert!(!broken(&mut app, b'O'), "through an open gate they walk");
}

#[test]
fn guards_catch_thieves_on_any_floor() {
    let mut app = castle();
    let caught = |app: &App| app.world().resource::<Castle>().catches;
    assert!((0..1500).any(|_| {
        app.update();
        caught(&app) >= 3
    }));
}
