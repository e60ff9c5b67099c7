//! Agents on grids whose cells have heights: slopes, cliffs, floors with hills.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

/// A grid with the height of each cell as a digit.
fn hills(rows: &str) -> Grid {
    let rows: Vec<&[u8]> = rows.lines().map(str::as_bytes).collect();
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let height_of = |cell: GridCell| f32::from(rows[cell.y as usize][cell.x as usize] - b'0');
    Grid::new(width, height).unwrap().with_elevation(height_of).unwrap()
}

/// A plateau with a ramp up to it in the last row.
const PLATEAU: &str = "00003333\n00003333\n00003333\n00122333\n01233333";

fn up(cell: (i32, i32), height: f32) -> Vec3 {
    at(cell) + Vec3::Z * height
}

#[test]
fn agents_walk_up_the_ramp_and_stand_on_the_ground() {
    for mode in MODES {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, hills(PLATEAU));
        let agent = spawn_agent(&mut app, (1, 0));
        order(&mut app, agent, up((6, 0), 3.0));
        let (mut before, mut steepest) = (position(&app, agent), 0.0_f32);
        app.update();
        until(&mut app, "it arrives", |app| {
            let now = position(app, agent);
            let ground = nav_grid(app, nav).grid().elevation_at(KindId::default(), now.truncate());
            assert!((now.z - ground).abs() < 1e-3, "it stands on the ground of {ground}: {now}");
            steepest = steepest.max((now.z - before.z).abs());
            before = now;
            status(app, agent) == PathStatus::Arrived
        });
        assert!(before.distance(up((6, 0), 3.0)) < 0.6, "on the plateau: {before}, {mode:?}");
        assert!(steepest < 0.3, "it climbed no cliff: {steepest} in a tick");
    }
}

#[test]
fn an_offset_lifts_the_transform_and_edits_lift_agents_there() {
    let (mut app, nav) = app_on(hills("0000\n0120\n0000"));
    let agent = spawn_with(&mut app, (2, 1), GroundOffset(0.5));
    ticks(&mut app, 2);
    assert_eq!(position(&app, agent).z, 2.5);
    app.world_mut().get_mut::<NavGrid>(nav).unwrap().set_elevation(GridCell::new(2, 1), 1.0).unwrap();
    ticks(&mut app, 2);
    assert_eq!(position(&app, agent).z, 1.5);
    app.world_mut().entity_mut(agent).insert(Airborne);
    app.world_mut().get_mut::<NavGrid>(nav).unwrap().set_elevation(GridCell::new(2, 1), 0.0).unwrap();
    ticks(&mut app, 2);
    assert_eq!(position(&app, agent).z, 1.5, "who flies stays in the air");
}

#[test]
fn agents_are_on_the_floor_that_their_feet_are_on() {
    let mut app = app(SolveMode::Inline);
    let floors = [0.0, 1.0].map(|z| {
        let floor = spawn_grid(&mut app, grid("....\n...."));
        app.world_mut().entity_mut(floor).insert(Transform::from_xyz(0.0, 0.0, z));
        floor
    });
    // The origins of both agents lie at the height of the upper floor, one agent's feet on the lower one.
    // An offset that is no number counts as 0.
    for (offset, floor, z) in [(0.0, floors[1], 1.0), (1.0, floors[0], 0.0), (f32::NAN, floors[1], 1.0)] {
        let start = Transform::from_translation(up((0, 0), 1.0));
        let agent = spawn_with(&mut app, (0, 0), (GroundOffset(offset), start));
        order(&mut app, agent, up((3, 1), z));
        until(&mut app, "it has a path", |app| has_path(app, agent));
        assert_eq!(path(&app, agent).grid(), floor, "offset {offset}");
        all_arrive(&mut app, &[agent]);
    }
}

#[test]
fn a_ramp_that_falls_in_is_an_edit() {
    let (mut app, nav) = app_on(hills(PLATEAU));
    let agent = spawn_agent(&mut app, (0, 0));
    order(&mut app, agent, up((6, 0), 3.0));
    ticks(&mut app, 10);
    let ramp = [GridCell::new(2, 4), GridCell::new(2, 3), GridCell::new(3, 3), GridCell::new(4, 3)];
    let set = |app: &mut App, height: f32| {
        let mut nav = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
        nav.edit(|edit| ramp.iter().for_each(|&cell| _ = edit.set_elevation(cell, height).unwrap()));
    };
    set(&mut app, 0.0);
    until(&mut app, "it ends short", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    assert!(position(&app, agent).z < 1.5, "it is still below");
    set(&mut app, 2.0);
    let first = GridCell::new(1, 4);
    app.world_mut().get_mut::<NavGrid>(nav).unwrap().set_elevation(first, 1.0).unwrap();
    all_arrive(&mut app, &[agent]);
    assert!(position(&app, agent).distance(up((6, 0), 3.0)) < 0.6);
}

/// A crowd that presses towards the edge of a plateau does not push anybody down.
#[test]
fn no_agent_is_pushed_off_a_cliff() {
    let (mut app, _) = app_on(hills(&"0000333333330000\n".repeat(12)));
    let agents: Vec<Entity> = (0..40)
        .map(|number| {
            let place = Transform::from_translation(up((4 + number % 8, 2 + number / 8), 3.0));
            let body = (Agent { radius: 0.3, ..default() }, Avoider::default(), place);
            app.world_mut().spawn((body, PathRequest::to(up((4, 6), 3.0)))).id()
        })
        .collect();
    for _ in 0..600 {
        app.update();
        for &agent in &agents {
            let place = position(&app, agent);
            assert!((4.0..=12.0).contains(&place.x) && place.z == 3.0, "it has fallen: {place}");
        }
    }
}

#[test]
fn of_two_floors_with_hills_an_agent_is_on_the_one_under_its_feet() {
    let (mut app, lower) = app_on(hills("0012345678\n0012345678\n0012345678"));
    let upper = (NavGrid::new(grid(ROOM)), Transform::from_xyz(0.0, 0.0, 12.0));
    let upper = app.world_mut().spawn(upper).id();
    for (height, on) in [(7.5, lower), (11.0, upper)] {
        let agent = spawn_with(&mut app, (9, 1), Transform::from_translation(up((9, 1), height)));
        order(&mut app, agent, up((7, 1), height));
        ticks(&mut app, 3);
        assert_eq!(path(&app, agent).grid(), on, "from height {height}");
    }
}
