//! Contacts keep bodies from overlapping, and crowds come to rest.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::fixture::*;
use crate::support::{at, position, spawn_grid, spawn_with, ticks};

/// Sends a hundred agents to one point: most are soon at rest, in the end all are, and none overlap.
fn settle(avoider: Avoider) {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(40, 40).unwrap());
    let body = (avoider, PathRequest::to(at((28, 28))));
    let agents: Vec<_> =
        (0..100).map(|i| spawn_with(&mut app, (1 + i % 10, 1 + i / 10), body.clone())).collect();
    let resting = |app: &App| agents.iter().filter(|&&agent| velocity(app, agent).length() < 0.02).count();
    ticks(&mut app, 64 * 20);
    // The last agents still search for a gap between those at rest.
    assert!(resting(&app) >= 60, "after 20 s {} are at rest", resting(&app));
    let mut seconds_at_rest = 0;
    for _ in 20..60 {
        ticks(&mut app, 64);
        seconds_at_rest = if resting(&app) == agents.len() { seconds_at_rest + 1 } else { 0 };
        if seconds_at_rest == 2 {
            break;
        }
    }
    assert_eq!(seconds_at_rest, 2, "within a minute all are at rest for good, not {}", resting(&app));
    let overlap = deepest(&app, &agents, 0.4);
    assert!(overlap <= 0.02, "bodies overlap by {overlap}");
    let farthest =
        agents.iter().map(|&agent| position(&app, agent).distance(at((28, 28)))).fold(0.0, f32::max);
    assert!(farthest < 12.0, "they stand together, {farthest} at most from the point");
}

#[test]
fn a_hundred_agents_with_contacts_settle_round_one_point() {
    settle(Avoider::contact());
}

#[test]
fn a_hundred_reciprocal_agents_settle_round_one_point() {
    settle(Avoider::default());
}

#[test]
fn overlapping_bodies_separate_within_their_plane() {
    for on_grid in [true, false] {
        let mut app = app();
        match on_grid {
            true => drop(spawn_grid(&mut app, Grid::new(20, 20).unwrap())),
            false => app.world_mut().resource_mut::<NavSettings>().up = Some(Vec3::Z),
        }
        let heap: Vec<_> =
            (0..12).map(|_| spawn(&mut app, (Avoider::contact(), place(10.5, 10.5)))).collect();
        ticks(&mut app, 64);
        assert!(deepest(&app, &heap, 0.4) <= 0.02, "on a grid {on_grid}: {}", deepest(&app, &heap, 0.4));
        assert!(heap.iter().all(|&body| position(&app, body).z == 0.0), "nobody leaves the ground");
    }
}

#[test]
fn sprites_in_layers_meet_as_on_one_and_keep_their_layer() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(20, 20).unwrap());
    let layers = [0.0, 0.3, 5.0];
    let bodies = layers.map(|z| spawn(&mut app, (Avoider::contact(), Transform::from_xyz(10.5, 10.5, z))));
    ticks(&mut app, 64);
    for (i, (body, z)) in bodies.into_iter().zip(layers).enumerate() {
        let here = position(&app, body);
        assert_eq!(here.z, z, "it keeps its layer");
        for &other in &bodies[..i] {
            let gap = here.truncate().distance(position(&app, other).truncate());
            assert!(gap > 0.78, "seen from above they do not overlap: {gap}");
        }
    }
}

#[test]
fn children_of_moving_parents_collide_in_world_space() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(20, 20).unwrap());
    // No transform propagation runs in this test: the plugin composes `Transform`s itself.
    let cart = spawn(&mut app, Transform::from_xyz(10.0, 5.0, 0.0).with_scale(Vec3::splat(2.0)));
    let child = (Avoider::contact(), ManualVelocity(Vec3::X * 2.0), ChildOf(cart), place(0.0, 0.0));
    let child = spawn(&mut app, child);
    let other = spawn(&mut app, (Avoider::contact(), place(12.0, 5.1)));
    ticks(&mut app, 64);
    let in_world = Vec3::new(10.0, 5.0, 0.0) + position(&app, child) * 2.0;
    assert!(in_world.x > 11.2, "it goes two units a second, in the world's units: {in_world}");
    assert!(in_world.distance(position(&app, other)) > 0.78, "and runs into the other there: {in_world}");
    assert!(position(&app, other) != Vec3::new(12.0, 5.1, 0.0), "which gives way");
}
