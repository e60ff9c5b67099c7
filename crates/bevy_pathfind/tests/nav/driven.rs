//! Agents with a `ManualVelocity` beside walls and obstacles, and flocks on grids.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use super::support::{app, app_on, at, grid, position, spawn_agent, spawn_with, ticks};

const FIELD: &str = "
................
................
........####....
........####....
........####....
................
................
................";

/// The smallest distance from a wall of an agent that is driven past a block, towards its corner.
fn nearest_to_the_block(avoider: Option<Avoider>) -> f32 {
    let (mut app, _) = app_on(grid(FIELD.trim_start()));
    let agent = spawn_with(&mut app, (1, 4), ManualVelocity(Vec3::X * 3.0));
    if let Some(avoider) = avoider {
        app.world_mut().entity_mut(agent).insert(avoider);
    }
    let mut nearest = f32::INFINITY;
    for _ in 0..200 {
        ticks(&mut app, 1);
        let to_block = (position(&app, agent).truncate() - Vec2::new(10.0, 3.5)).abs() - Vec2::new(2.0, 1.5);
        nearest = nearest.min(to_block.max(Vec2::ZERO).length());
    }
    nearest
}

#[test]
fn an_avoider_keeps_its_distance_from_a_wall_that_others_run_against() {
    let (plain, avoiding) = (nearest_to_the_block(None), nearest_to_the_block(Some(Avoider::contact())));
    assert!(plain < 0.4, "without it the agent runs against the wall: {plain}");
    assert!(avoiding > 0.41, "with it the agent stays off the wall: {avoiding}");
}

#[test]
fn a_flock_gathers_round_its_leader_and_keeps_apart() {
    let (mut app, _) = app_on(Grid::new(40, 40).unwrap());
    let leader = spawn_agent(&mut app, (30, 30));
    // Two of them start at the same point.
    let places = [(2, 2), (2, 2), (5, 2), (2, 9), (9, 9), (1, 5), (8, 1), (4, 4)];
    let member = (Flock { min_speed: 0.0, ..default() }, FlockOf(leader));
    let mates = places.map(|cell| spawn_with(&mut app, cell, member));
    ticks(&mut app, 1500);
    for (i, &mate) in mates.iter().enumerate() {
        let here = position(&app, mate);
        assert!(here.distance(at((30, 30))) < 6.0, "mate {i} is with its leader, at {here}");
        for &other in &mates[..i] {
            let gap = here.distance(position(&app, other));
            assert!(gap > 0.5, "mates keep apart: {gap}");
        }
    }
}

#[test]
fn two_agents_with_one_goal_stand_side_by_side() {
    for avoider in [Avoider::contact(), Avoider::ray(6.0), Avoider::default()] {
        let mut app = app(SolveMode::Inline);
        let pair = [-6.0, -4.0].map(|x| {
            let there = Behavior::arrive(Vec3::new(6.0, 0.0, 0.0));
            app.world_mut().spawn((Agent::default(), avoider, there, Transform::from_xyz(x, 0.0, 0.0))).id()
        });
        app.world_mut().spawn((Obstacle::sphere(0.5), Transform::from_xyz(0.0, 3.0, 0.0)));
        ticks(&mut app, 600);
        let [first, second] = pair.map(|agent| position(&app, agent));
        let kind = avoider.obstacles;
        assert!(first.distance(second) > 0.78, "{kind:?}: bodies do not overlap: {first} {second}");
        assert!(first.x.min(second.x) > 4.0, "{kind:?}: both get there: {first} {second}");
    }
}

#[test]
fn contact_with_an_obstacle_keeps_agents_in_the_plane() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(NavSettings::default().with_up(Vec3::Z));
    // Slightly off the obstacle's centre and a little higher: in 3D the shortest way round would lead over it.
    let from = Transform::from_xyz(-6.0, 0.6, 0.3);
    let agent = app.world_mut().spawn((Agent::default(), ManualVelocity(Vec3::X * 4.0), from)).id();
    app.world_mut().spawn(Obstacle::sphere(1.0));
    for _ in 0..300 {
        ticks(&mut app, 1);
        let at = position(&app, agent);
        assert_eq!(at.z, 0.3, "nothing lifts it: {at}");
        assert!(at.truncate().length() > 1.39, "it is outside: {at}");
    }
    assert!(position(&app, agent).x > 2.0, "it slid round, and is at {}", position(&app, agent));
}
