//! Agents on several grids: floors above one another, and grids side by side.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::ObstacleAvoidance,
    world::{Grid, PartOfGrid, Standalone},
};

use crate::fixture::*;
use crate::support::{position, status, ticks};

const SIDE: u32 = 20;

/// An open grid with this corner.
fn open_grid(app: &mut App, corner: Vec3) -> Entity {
    let nav = NavGrid::new(Grid::new(SIDE, SIDE).unwrap());
    app.world_mut().spawn((nav, Transform::from_translation(corner))).id()
}

/// How an agent keeps away from others.
#[derive(Debug, Clone, Copy)]
enum Keeps {
    Reciprocal,
    Contact,
    Distance,
}

/// Two agents that meet head-on, each on its own grid, the second grid higher by `lift`. Returns the largest
/// distance of each from its line, and the smallest distance between them.
fn meet(keeps: Keeps, lift: f32, same_grid: bool) -> (f32, f32) {
    let mut app = app();
    let first = open_grid(&mut app, Vec3::ZERO);
    let second = open_grid(&mut app, Vec3::Z * lift);
    let starts = [(first, 4.5, 0.0), (if same_grid { first } else { second }, 15.5, lift)];
    let agents = starts.map(|(grid, x, z)| {
        let (from, to) = (Transform::from_xyz(x, 10.5, z), Vec3::new(20.0 - x, 10.5, z));
        let mut agent = app.world_mut().spawn((Agent::default(), OnGrid(grid), from, PathRequest::to(to)));
        match keeps {
            Keeps::Reciprocal => agent.insert(Avoider::default()),
            Keeps::Contact => {
                agent.insert(Avoider { obstacles: ObstacleAvoidance::Off, ..Avoider::contact() })
            }
            Keeps::Distance => agent.insert(Separation::default()),
        };
        agent.id()
    });
    let (mut off, mut nearest) = (0.0_f32, f32::INFINITY);
    for _ in 0..64 * 3 {
        ticks(&mut app, 1);
        let places = agents.map(|agent| position(&app, agent));
        off = places.iter().fold(off, |off, place| off.max((place.y - 10.5).abs()));
        nearest = nearest.min(places[0].truncate().distance(places[1].truncate()));
    }
    if !same_grid {
        for agent in agents {
            assert_eq!(status(&app, agent), PathStatus::Arrived, "it gets on as if it were alone");
        }
    }
    (off, nearest)
}

#[test]
fn agents_on_stacked_floors_ignore_each_other() {
    for keeps in [Keeps::Reciprocal, Keeps::Contact, Keeps::Distance] {
        for lift in [0.0, 0.1, 0.7] {
            let (off, nearest) = meet(keeps, lift, false);
            assert!(off < 1e-3, "{keeps:?}, lifted by {lift}: it stays on its line, not {off} beside it");
            assert!(
                nearest < 0.1,
                "{keeps:?}, lifted by {lift}: they pass {nearest} apart, not through one place"
            );
        }
    }
}

#[test]
fn agents_on_one_floor_avoid_each_other() {
    for keeps in [Keeps::Reciprocal, Keeps::Contact] {
        let (_, nearest) = meet(keeps, 0.0, true);
        assert!(nearest > 0.78, "{keeps:?}: bodies of 0.4 do not come nearer than {nearest}");
    }
}

#[test]
fn agents_on_grids_side_by_side_meet_at_the_seam() {
    let mut app = app();
    let west = open_grid(&mut app, Vec3::ZERO);
    let east = open_grid(&mut app, Vec3::X * SIDE as f32);
    let agents = [(west, 15.0, 25.0), (east, 25.0, 15.0)].map(|(grid, x, goal)| {
        let behavior = Behavior::seek(Vec3::new(goal, 10.5, 0.0));
        let avoider = Avoider { walls: false, ..Avoider::default() };
        spawn(&mut app, (avoider, behavior, OnGrid(grid), place(x, 10.5)))
    });
    let mut worst = 0.0_f32;
    for _ in 0..64 * 4 {
        ticks(&mut app, 1);
        worst = worst.max(deepest(&app, &agents, 0.4));
    }
    let [west, east] = agents.map(|agent| position(&app, agent));
    assert!(west.x > 18.0 && east.x < 22.0, "they come to the seam: {west} and {east}");
    assert!(worst < 0.02, "and not into one another: {worst}");
}

#[test]
fn distant_floors_and_tilted_bridges_are_distinguished_by_height() {
    let mut app = app();
    let ground = open_grid(&mut app, Vec3::ZERO);
    // A ramp that begins over the edge of the floor and rises.
    let slope = Quat::from_rotation_y(-0.3);
    let nav = NavGrid::new(Grid::new(SIDE, SIDE).unwrap());
    let ramp = spawn(&mut app, (nav, Transform::from_xyz(10.0, 0.0, 0.0).with_rotation(slope)));
    let standing = spawn(&mut app, (Avoider::contact(), OnGrid(ground), place(10.2, 10.5)));
    let above = Vec3::new(10.0, 10.5, 0.0) + slope * Vec3::X * 0.3;
    let other = spawn(&mut app, (Avoider::contact(), OnGrid(ramp), Transform::from_translation(above)));
    ticks(&mut app, 64);
    let apart = position(&app, standing).distance(position(&app, other));
    assert!(apart > 0.78, "at the foot of the ramp two bodies really meet, and part: {apart}");
}

#[test]
fn a_joined_grid_of_many_parts_is_no_floor_over_what_lies_in_its_void() {
    for tie_is_a_part in [false, true] {
        let mut app = app();
        let spawn_chunk = |app: &mut App, x: u32, y: u32| {
            let corner = Transform::from_xyz(4.0 * x as f32, 4.0 * y as f32, 0.0);
            app.world_mut().spawn((NavGrid::new(Grid::new(4, 4).unwrap()), corner)).id()
        };
        let island = spawn_chunk(&mut app, 4, 4);
        app.world_mut().entity_mut(island).insert(Standalone);
        let places = (0..81).map(|i| (i % 9, i / 9)).filter(|&place| place != (4, 4));
        let shore: Vec<_> = places.map(|(x, y)| spawn_chunk(&mut app, x, y)).collect();
        ticks(&mut app, 2);
        // The chunk to the west of the island.
        let west = shore[4 * 9 + 3];
        let joined = app.world().get::<PartOfGrid>(west).expect("they are joined").joined();
        let tie = if tie_is_a_part { west } else { joined };
        let contact = Avoider { walls: false, ..Avoider::contact() };
        let ashore = spawn(&mut app, (contact, OnGrid(tie), place(15.8, 18.5)));
        let beside = spawn(&mut app, (contact, OnGrid(island), place(16.2, 18.5)));
        ticks(&mut app, 64);
        let apart = position(&app, ashore).distance(position(&app, beside));
        assert!(apart > 0.78, "tied to a part: {tie_is_a_part}; they part, by {apart}");
    }
}
