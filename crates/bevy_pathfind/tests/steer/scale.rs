//! A world that is larger in every length, with bodies as much larger, moves the same.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::fixture::*;
use crate::support::{position, ticks};

/// Where everybody is in units of cells after some seconds: agents on paths through a crowd, a pursuit round walls, a
/// flock behind its leader, and one that walks past an obstacle.
fn played(cell: f32, seconds: usize) -> Vec<Vec3> {
    let mut app = app();
    let map = "..............................\n".repeat(9)
        + "........####......####........\n"
        + &"..............................\n".repeat(10);
    app.world_mut().spawn(NavGrid::new(Grid::from_ascii(&map).unwrap()).with_cell_size(cell));
    let at = |x: f32, y: f32| Transform::from_xyz(x * cell, y * cell, 0.0);
    let agent_of = |speed: f32| Agent::new(speed * cell).with_radius(0.4 * cell);
    let agent = agent_of(3.0);
    let avoider = Avoider::default();
    let mut all = Vec::new();
    for i in 0..16 {
        let (x, y) = ((i % 4) as f32 * 1.25 + 1.5, (i / 4) as f32 * 1.25 + 2.5);
        let goal = Vec3::new(28.5 - x, 18.5 - y, 0.0) * cell;
        all.push(spawn(&mut app, (agent, avoider, PathRequest::to(goal), at(x, y))));
        let (from, to) = (at(29.0 - x, 3.0 + y), Vec3::new(x, 15.0 - y, 0.0) * cell);
        let separation = Separation::default();
        all.push(spawn(&mut app, (agent, avoider, separation, PathRequest::to(to), from)));
    }
    let prey = spawn(&mut app, (agent_of(5.0), at(20.5, 4.5)));
    let hunter = (Pursuer::intercept(prey), agent_of(5.0), at(9.5, 12.5));
    let hunter = spawn(&mut app, hunter);
    let flight = Behavior::evade(hunter);
    app.world_mut().entity_mut(prey).insert((flight, Avoider::contact()));
    let lead = FlockLeader::new(Vec3::new(8.0, 6.0, 0.0) * cell);
    let leader = spawn(&mut app, (lead, agent_of(3.0), at(15.0, 15.0)));
    all.extend([prey, hunter, leader]);
    for (i, flock) in
        [Flock::default(), Flock::seagull(), Flock::reynolds()].into_iter().cycle().take(9).enumerate()
    {
        let mate = (flock, agent_of(4.0), at(11.0 + i as f32, 16.5));
        let mate = spawn(&mut app, mate);
        app.world_mut().entity_mut(mate).insert(FlockOf(leader));
        all.push(mate);
    }
    spawn(&mut app, (Obstacle::sphere(cell), at(5.0, 10.2)));
    let straight = Behavior::arrive(Vec3::new(9.0, 10.0, 0.0) * cell);
    all.push(spawn(&mut app, (straight, agent, avoider, at(1.0, 10.0))));
    ticks(&mut app, seconds * 64);
    all.into_iter().map(|entity| position(&app, entity) / cell).collect()
}

#[test]
fn a_world_of_larger_or_smaller_cells_moves_the_same() {
    let usual = played(1.0, 8);
    // Powers of two, so that no number is rounded in another way.
    for cell in [16.0, 1.0 / 16.0] {
        let scaled = played(cell, 8);
        for (number, (one, other)) in usual.iter().zip(&scaled).enumerate() {
            assert!(one.distance(*other) < 0.01, "cells of {cell}: number {number} is at {other}, not {one}");
        }
    }
}
