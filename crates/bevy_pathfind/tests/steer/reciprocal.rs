//! Reciprocal avoidance: all agents arrive.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::fixture::*;
use crate::support::{at, position, spawn_grid, spawn_with, status, ticks};

/// Runs until each agent is nearer than `near` to its goal. Returns the seconds that it took, and the deepest overlap
/// of two bodies, which all have the radius `radius`.
fn run_until_near(
    app: &mut App,
    goals: &[(Entity, Vec3)],
    radius: f32,
    near: f32,
    seconds: usize,
) -> (f32, f32) {
    let agents: Vec<_> = goals.iter().map(|&(agent, _)| agent).collect();
    let mut worst = 0.0_f32;
    for tick in 0..64 * seconds {
        if goals.iter().all(|&(agent, goal)| position(app, agent).distance(goal) < near) {
            return (tick as f32 / 64.0, worst);
        }
        ticks(app, 1);
        worst = worst.max(deepest(app, &agents, radius));
    }
    let left: Vec<_> = goals.iter().map(|&(agent, goal)| position(app, agent) - goal).collect();
    panic!("after {seconds} seconds not all are there: {left:?}");
}

/// An agent with reciprocal avoidance that goes straight to a point, and that point.
fn goer(app: &mut App, from: Vec2, to: Vec2) -> (Entity, Vec3) {
    let goal = to.extend(0.0);
    let behavior = Behavior::arrive(goal);
    (spawn(app, (Avoider::default(), behavior, place(from.x, from.y))), goal)
}

#[test]
fn two_head_on_in_the_open_pass_each_other() {
    let mut app = planar_app();
    let goals = [-6.0, 6.0].map(|x| goer(&mut app, Vec2::new(x, 0.0), Vec2::new(-x, 0.0)));
    let (took, worst) = run_until_near(&mut app, &goals, 0.4, 0.2, 6);
    assert!(worst < 0.02, "they do not touch: {worst}");
    assert!(took < 4.0, "they lose little time: {took} s instead of the 2.5 of one alone");
}

#[test]
fn a_ring_changes_places_without_standing_still() {
    for (count, radius, seconds) in [(3, 4.0, 3), (6, 4.0, 5), (12, 6.0, 10), (20, 8.0, 15)] {
        let mut app = planar_app();
        let goals: Vec<_> = (0..count)
            .map(|i| {
                let at = Vec2::from_angle(i as f32 * core::f32::consts::TAU / count as f32) * radius;
                goer(&mut app, at, -at)
            })
            .collect();
        let (took, worst) = run_until_near(&mut app, &goals, 0.4, 0.25, seconds);
        println!("ring of {count}: {took} s, {worst} deep");
        assert!(worst < 0.02, "none of {count} overlap: {worst}");
    }
}

#[test]
fn two_groups_change_places_and_come_to_rest() {
    let mut app = planar_app();
    let goals: Vec<_> = (0..32)
        .map(|i| {
            let place_in = Vec2::new((i % 16 / 4) as f32 - 1.5, (i % 4) as f32 - 1.5) * 1.6;
            let side = if i < 16 { Vec2::X * 8.0 } else { Vec2::X * -8.0 };
            goer(&mut app, place_in - side, place_in + side)
        })
        .collect();
    run_until_near(&mut app, &goals, 0.4, 0.2, 30);
    ticks(&mut app, 128);
    let fastest = goals.iter().map(|&(agent, _)| velocity(&app, agent).length()).fold(0.0, f32::max);
    assert!(fastest < 0.1, "all stand still: {fastest}");
}

#[test]
fn ten_each_way_through_a_door_all_arrive() {
    let mut app = app();
    let door = Grid::from_fn(24, 12, |cell| {
        if cell.x == 12 && !(5..=6).contains(&cell.y) { Terrain::WALL } else { Terrain::GROUND }
    });
    spawn_grid(&mut app, door.unwrap());
    let goals: Vec<_> = (0..20)
        .map(|i| {
            let (row, column) = (2 + i / 2 % 5 * 2, 2 + i / 10 * 3);
            let start = if i % 2 == 0 { (column, row) } else { (23 - column, row) };
            let goal = (23 - start.0, start.1);
            let body = (Agent { radius: 0.3, ..Agent::new(3.0) }, Avoider::default());
            (spawn_with(&mut app, start, (body, PathRequest::to(at(goal)))), at(goal))
        })
        .collect();
    let (_, worst) = run_until_near(&mut app, &goals, 0.3, 2.0, 60);
    assert!(worst < 0.25, "even in the door overlaps are small: {worst}");
    ticks(&mut app, 64);
    let have_arrived = goals.iter().all(|&(agent, _)| status(&app, agent) == PathStatus::Arrived);
    assert!(have_arrived, "and their requests say so");
}

#[test]
fn the_length_of_the_up_direction_does_not_change_how_fast_agents_climb() {
    let mut app = app();
    app.world_mut().resource_mut::<NavSettings>().up = Some(Vec3::Z * 2.0);
    let climb = ManualVelocity(Vec3::new(3.0, 0.0, 3.0));
    let agent = spawn(&mut app, (Avoider::default(), climb, place(0.0, 0.0)));
    ticks(&mut app, 64);
    let reached = velocity(&app, agent);
    assert!(reached.distance(climb.0) < 0.01, "alone it goes as it is told: {reached}");
}
