//! Vehicles: they drive along arcs, out of walls, forwards and backwards; others make way for them.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::fixture::*;
use crate::support::{
    LoggedEvent, at, count, grid, nav_grid, order, position, spawn_grid, status, ticks, wall,
};

const TRUCK: Vehicle = Vehicle { length: 2.0, width: 1.0, turning_radius: 3.0, reverses: true };

/// A truck that heads along +X, or by an angle from there.
fn truck(app: &mut App, x: f32, y: f32, degrees: f32, vehicle: Vehicle) -> Entity {
    let place = Transform::from_xyz(x, y, 0.0).with_rotation(Quat::from_rotation_z(degrees.to_radians()));
    spawn(app, (Agent::new(3.0).with_radius(0.5), vehicle, place))
}

fn ahead(app: &App, truck: Entity) -> Vec3 {
    app.world().get::<Transform>(truck).expect("it has a place").rotation * Vec3::X
}

/// Whether no point of the rectangle, less a hundredth at each side, lies in a blocked cell.
fn is_free(app: &App, nav: Entity, truck: Entity) -> bool {
    let (center, along, map) = (position(app, truck), ahead(app, truck), nav_grid(app, nav).grid().clone());
    let across = Vec3::Z.cross(along);
    let parts = |half: f32| (0..=20).map(move |part| (part as f32 / 10.0 - 1.0) * (half - 0.01));
    let points = parts(1.0).flat_map(|x| parts(0.5).map(move |y| center + along * x + across * y));
    let mut cells = points.map(|point| GridCell::containing(point.truncate()));
    cells.all(|cell| map.is_walkable(KindId::default(), cell))
}

/// Drives until the truck has arrived, and checks each tick that it moves along its heading, turns no tighter than
/// its circle and is in no wall. Returns how many ticks it drove backwards.
fn drives(app: &mut App, nav: Entity, truck: Entity, most: usize) -> usize {
    let mut backwards = 0;
    let (mut before, mut faced) = (position(app, truck), ahead(app, truck));
    for _ in 0..most {
        ticks(app, 1);
        let (now, faces) = (position(app, truck), ahead(app, truck));
        let moved = now - before;
        let middle = (faced + faces).normalize();
        assert!(middle.cross(moved).length() < 2e-3, "it does not move sideways: {moved}, heading {middle}");
        let turned = faced.angle_between(faces);
        assert!(turned <= moved.length() / 3.0 * 1.05 + 2e-3, "{turned} is too tight a turn over {moved}");
        assert!(is_free(app, nav, truck), "it is in a wall at {now}");
        backwards += usize::from(moved.dot(faces) < -1e-4);
        (before, faced) = (now, faces);
        if status(app, truck) == PathStatus::Arrived {
            return backwards;
        }
    }
    panic!("it has not arrived, but stands at {before}: {:?}", status(app, truck));
}

const CORNER: &str = "\
....................
....................
....................
....................
....................
############........
############........
############........
############........
############........
############........
############........";

#[test]
fn a_truck_drives_round_a_corner_to_its_goal() {
    let mut app = app();
    let nav = spawn_grid(&mut app, grid(CORNER));
    let truck = truck(&mut app, 2.0, 2.5, 0.0, TRUCK);
    order(&mut app, truck, Vec3::new(17.0, 10.0, 0.0));
    assert_eq!(drives(&mut app, nav, truck, 64 * 30), 0, "there is room to drive forwards");
    assert!(position(&app, truck).distance(Vec3::new(17.0, 10.0, 0.0)) < 0.05);
    let legs = app.world().get::<NavPath>(truck).expect("it has come by a path").vehicle_legs();
    assert!(legs.iter().any(|leg| leg.curvature != 0.0) && legs.iter().all(|leg| !leg.is_reverse));
}

#[test]
fn in_a_dead_end_a_truck_turns_in_three_drives() {
    let mut app = app();
    let nav = spawn_grid(&mut app, grid(&[".".repeat(24).as_str(); 5].join("\n")));
    let truck = truck(&mut app, 20.0, 2.5, 0.0, TRUCK);
    order(&mut app, truck, Vec3::new(2.0, 2.5, 0.0));
    let backwards = drives(&mut app, nav, truck, 64 * 60);
    assert!(backwards > 10, "it drove backwards in {backwards} ticks");
}

#[test]
fn a_request_that_no_drive_fulfils_fails() {
    let mut app = app();
    spawn_grid(&mut app, grid(&[".".repeat(24).as_str(); 5].join("\n")));
    let forwards = truck(&mut app, 20.0, 2.5, 0.0, Vehicle { reverses: false, ..TRUCK });
    order(&mut app, forwards, Vec3::new(2.0, 2.5, 0.0));
    let bad = truck(&mut app, 3.0, 2.5, 0.0, Vehicle { turning_radius: f32::NAN, ..TRUCK });
    order(&mut app, bad, Vec3::new(9.0, 2.5, 0.0));
    ticks(&mut app, 64);
    for (truck, error) in [(forwards, PathError::NotDrivable), (bad, PathError::BadVehicle)] {
        assert_eq!(count(&app, &LoggedEvent::Failed(truck, error)), 1, "{error}: it is told once");
    }
    assert_eq!(position(&app, forwards), Vec3::new(20.0, 2.5, 0.0));
}

#[test]
fn soldiers_make_way_for_a_truck() {
    let mut app = planar_app();
    let nav = spawn_grid(&mut app, grid(&[".".repeat(30).as_str(); 9].join("\n")));
    let truck = truck(&mut app, 2.0, 4.5, 0.0, TRUCK);
    let soldiers: Vec<_> = (0..12)
        .map(|i| {
            let place = place(9.0 + (i / 3) as f32 * 2.0, 3.6 + (i % 3) as f32 * 0.9);
            spawn(&mut app, (Agent::new(3.0), Avoider::default(), place))
        })
        .collect();
    order(&mut app, truck, Vec3::new(26.0, 4.5, 0.0));
    let begun = soldiers.iter().map(|&soldier| position(&app, soldier)).collect::<Vec<_>>();
    drives(&mut app, nav, truck, 64 * 30);
    let moved =
        soldiers.iter().zip(begun).filter(|&(&it, from)| position(&app, it).distance(from) > 0.2).count();
    assert!(moved >= 4, "those on its way have moved: {moved}");
}

/// A wall is built across its way while it drives: it plans another path from where it is, and is never in the wall.
#[test]
fn a_truck_goes_another_way_when_its_own_is_blocked() {
    let mut app = app();
    let nav = spawn_grid(&mut app, grid(&[".".repeat(30).as_str(); 20].join("\n")));
    let truck = truck(&mut app, 3.0, 10.0, 0.0, TRUCK);
    order(&mut app, truck, Vec3::new(26.0, 10.0, 0.0));
    ticks(&mut app, 64);
    wall(&mut app, nav, (15, 5), (16, 16));
    drives(&mut app, nav, truck, 64 * 40);
    assert!(position(&app, truck).distance(Vec3::new(26.0, 10.0, 0.0)) < 0.05);
}

#[test]
fn a_truck_waits_for_a_body_that_does_not_move() {
    let mut app = app();
    let nav = spawn_grid(&mut app, grid(&[".".repeat(30).as_str(); 9].join("\n")));
    let truck = truck(&mut app, 3.0, 4.5, 0.0, TRUCK);
    let post = spawn(&mut app, (Agent::default(), HoldPosition, Transform::from_translation(at((15, 4)))));
    order(&mut app, truck, Vec3::new(26.0, 4.5, 0.0));
    ticks(&mut app, 64 * 10);
    let gap = position(&app, post).x - position(&app, truck).x;
    assert!((1.4..3.0).contains(&gap), "it stands before the body: {gap}");
    app.world_mut().despawn(post);
    drives(&mut app, nav, truck, 64 * 20);
}

#[test]
fn a_truck_stops_when_its_order_is_taken_back_and_walks_when_it_is_no_vehicle_any_more() {
    let mut app = app();
    spawn_grid(&mut app, grid(&[".".repeat(40).as_str(); 9].join("\n")));
    let truck = truck(&mut app, 3.0, 4.5, 0.0, TRUCK);
    order(&mut app, truck, Vec3::new(36.0, 4.5, 0.0));
    ticks(&mut app, 64);
    app.world_mut().entity_mut(truck).remove::<PathRequest>();
    ticks(&mut app, 64);
    let stopped = position(&app, truck);
    ticks(&mut app, 64);
    assert_eq!(position(&app, truck), stopped);
    order(&mut app, truck, Vec3::new(36.0, 4.5, 0.0));
    ticks(&mut app, 64);
    app.world_mut().entity_mut(truck).remove::<Vehicle>();
    order(&mut app, truck, Vec3::new(3.0, 4.5, 0.0));
    ticks(&mut app, 64 * 10);
    assert_eq!(status(&app, truck), PathStatus::Arrived, "back, without a turn");
}
