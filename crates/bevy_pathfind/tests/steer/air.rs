//! Airborne agents.

use bevy::ecs::reflect::AppTypeRegistry;
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::fixture::*;
use crate::support::{
    LoggedEvent, all_arrive, at, count, grid, has_path, logged_events, order, position, spawn_grid,
    spawn_with, stands_at, status, ticks, until,
};

/// A wall across the whole map.
const WALL: &str = "\
.......#.......
.......#.......
.......#.......
.......#.......
.......#.......";

fn walled_app() -> App {
    let mut app = app();
    spawn_grid(&mut app, grid(WALL));
    app
}

fn airborne(app: &mut App, from: Vec3) -> Entity {
    spawn(app, (Agent::default(), Airborne, Transform::from_translation(from)))
}

#[test]
fn an_airborne_agent_flies_straight_over_walls_and_borders() {
    for height in [0.0, 3.0] {
        let mut app = walled_app();
        let agent = airborne(&mut app, Vec3::new(1.5, 2.5, height));
        let goal = Vec3::new(22.5, 4.0, height);
        order(&mut app, agent, goal);
        let mut distance = 0.0;
        let mut last = position(&app, agent);
        until(&mut app, "it arrives", |app| {
            let now = position(app, agent);
            distance += now.distance(last);
            last = now;
            status(app, agent) == PathStatus::Arrived
        });
        let heard = [LoggedEvent::Arrived(agent)];
        assert_eq!(logged_events(&app), heard, "it hears of its arrival, and of nothing else");
        assert!(!has_path(&app, agent), "it needs no path");
        assert!(distance < 21.3, "21.05 is straight, it flew {distance}");
        ticks(&mut app, 64);
        assert!(position(&app, agent).distance(goal) < 0.15, "it stays there");
    }
}

#[test]
fn in_space_it_climbs_and_with_an_up_it_keeps_its_height() {
    for (up, height) in [(None, 6.0), (Some(Vec3::Z), 1.0)] {
        let mut app = walled_app();
        app.world_mut().resource_mut::<NavSettings>().up = up;
        let agent = airborne(&mut app, Vec3::new(1.5, 2.5, 1.0));
        order(&mut app, agent, Vec3::new(12.5, 2.5, 6.0));
        all_arrive(&mut app, &[agent]);
        let there = position(&app, agent);
        assert!(there.distance(Vec3::new(12.5, 2.5, height)) < 0.15, "up is {up:?}: {there}");
    }
}

#[test]
fn an_airborne_agent_can_stop_over_a_wall() {
    let mut app = walled_app();
    let agent = airborne(&mut app, at((7, 2)));
    ticks(&mut app, 64);
    assert_eq!(position(&app, agent), at((7, 2)), "no ground drives it off");
}

#[test]
fn airborne_and_walking_agents_ignore_each_other() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(20, 20).unwrap());
    let walker = spawn(&mut app, (Avoider::default(), place(4.5, 10.5), PathRequest::to(at((15, 10)))));
    let flyer =
        spawn(&mut app, (Avoider::default(), Airborne, place(15.5, 10.5), PathRequest::to(at((4, 10)))));
    let mut off = 0.0_f32;
    for _ in 0..64 * 3 {
        ticks(&mut app, 1);
        off = [walker, flyer].iter().fold(off, |off, &agent| off.max((position(&app, agent).y - 10.5).abs()));
    }
    assert!(off < 1e-3, "both keep to their lines: {off}");
    assert!([walker, flyer].iter().all(|&agent| status(&app, agent) == PathStatus::Arrived));
}

#[test]
fn two_in_the_air_avoid_each_other_at_one_height() {
    for (lift, meets) in [(0.0, true), (2.0, false)] {
        let mut app = walled_app();
        let agents = [(1.5, 13.5, 0.0), (13.5, 1.5, lift)].map(|(from, to, z)| {
            let request = PathRequest::to(Vec3::new(to, 2.5, z));
            let at = Transform::from_xyz(from, 2.5, z);
            spawn(&mut app, (Avoider::default(), Airborne, at, request))
        });
        let (mut nearest, mut off) = (f32::INFINITY, 0.0_f32);
        for _ in 0..64 * 6 {
            ticks(&mut app, 1);
            let places = agents.map(|agent| position(&app, agent));
            nearest = nearest.min(places[0].distance(places[1]));
            off = places.iter().fold(off, |off, place| off.max((place.y - 2.5).abs()));
        }
        assert_eq!(off > 0.1, meets, "{lift} apart in height, they turn aside by {off}");
        assert!(nearest > 0.78, "{lift} apart in height, they come within {nearest}");
        for agent in agents {
            assert_eq!(status(&app, agent), PathStatus::Arrived, "{lift} apart in height");
        }
    }
}

#[test]
fn obstacles_stop_airborne_agents() {
    let mut app = walled_app();
    let request = PathRequest::to(at((13, 2)));
    let agent = spawn(&mut app, (Avoider::contact(), Airborne, place(1.5, 2.4), request));
    let middle = Vec3::new(9.0, 2.5, 0.0);
    spawn(&mut app, (Obstacle::sphere(1.5), Transform::from_translation(middle)));
    let mut nearest = f32::INFINITY;
    until(&mut app, "it arrives", |app| {
        nearest = nearest.min(position(app, agent).distance(middle));
        status(app, agent) == PathStatus::Arrived
    });
    assert!(nearest > 1.88, "it flies round the obstacle, {nearest} from its middle");
}

#[test]
fn an_agent_takes_off_and_lands_with_its_request() {
    let mut app = app();
    // The gap is at the lower edge.
    spawn_grid(&mut app, grid(&WALL.replacen(".......#.......", "...............", 1)));
    let agent = spawn_with(&mut app, (1, 1), PathRequest::to(at((13, 1))));
    ticks(&mut app, 10);
    assert!(has_path(&app, agent), "it walks at first");
    app.world_mut().entity_mut(agent).insert(Airborne);
    ticks(&mut app, 3);
    assert!(!has_path(&app, agent), "in the air it has no path");
    until(&mut app, "it is over the wall", |app| position(app, agent).x > 9.0);
    app.world_mut().entity_mut(agent).remove::<Airborne>();
    ticks(&mut app, 3);
    assert!(has_path(&app, agent), "on the ground it has one again");
    all_arrive(&mut app, &[agent]);
    stands_at(&app, agent, (13, 1), 0.15);
    assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 1, "{:?}", logged_events(&app));
}

#[test]
fn an_agent_that_lands_stands_on_the_ground() {
    for (offset, height) in [(None, 0.0), (None, 0.9), (Some(0.5), 0.5)] {
        for is_spawned_in_the_air in [false, true] {
            let mut app = app();
            spawn_grid(&mut app, Grid::new(20, 10).unwrap());
            let agent = spawn_with(&mut app, (2, 5), Transform::from_xyz(2.5, 5.5, height));
            if let Some(offset) = offset {
                app.world_mut().entity_mut(agent).insert(GroundOffset(offset));
            }
            if !is_spawned_in_the_air {
                ticks(&mut app, 10);
            }
            app.world_mut().entity_mut(agent).insert(Airborne);
            put(&mut app, agent, Vec3::new(2.5, 5.5, 3.0));
            ticks(&mut app, 64);
            assert_eq!(position(&app, agent).z, 3.0, "it hovers");
            order(&mut app, agent, Vec3::new(3.5, 5.5, 9.0));
            ticks(&mut app, 32);
            assert!(velocity(&app, agent).z > 3.0, "it climbs when it has to land");
            app.world_mut().entity_mut(agent).remove::<Airborne>();
            order(&mut app, agent, at((12, 5)));
            all_arrive(&mut app, &[agent]);
            // One that was spawned in the air has never stood on the ground, but for its offset.
            let expected = if is_spawned_in_the_air { offset.unwrap_or(0.0) } else { height };
            let z = position(&app, agent).z;
            assert!((z - expected).abs() < 1e-4, "offset {offset:?}, height {height}: it walks at {z}");
        }
    }
}

#[test]
fn an_airborne_request_can_be_changed_removed_and_fail() {
    let mut app = walled_app();
    let agent = airborne(&mut app, at((1, 1)));
    order(&mut app, agent, at((13, 1)));
    ticks(&mut app, 20);
    order(&mut app, agent, at((1, 3)));
    all_arrive(&mut app, &[agent]);
    stands_at(&app, agent, (1, 3), 0.15); // the newest order counts
    order(&mut app, agent, at((13, 1)));
    ticks(&mut app, 20);
    app.world_mut().entity_mut(agent).remove::<PathRequest>();
    ticks(&mut app, 64);
    assert_eq!(status(&app, agent), PathStatus::Idle);
    let here = position(&app, agent);
    ticks(&mut app, 64);
    assert_eq!(position(&app, agent), here, "without an order it hovers");

    let mark = spawn(&mut app, place(13.5, 1.5));
    app.world_mut().entity_mut(agent).insert(PathRequest::to(mark));
    ticks(&mut app, 10);
    put(&mut app, mark, Vec3::new(-6.5, 1.5, 0.0));
    all_arrive(&mut app, &[agent]);
    assert!(position(&app, agent).x < -6.0, "it follows where its goal goes");
    put(&mut app, mark, Vec3::new(-2.5, 1.5, 0.0));
    ticks(&mut app, 64 * 3);
    assert!(position(&app, agent).x > -3.0, "also later");
    app.world_mut().despawn(mark);
    ticks(&mut app, 20);
    assert_eq!(status(&app, agent), PathStatus::Failed(PathError::TargetGone));
    assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::TargetGone)), 1, "reported once");
}

#[test]
fn a_hunter_in_the_air_sees_over_walls() {
    let mut app = walled_app();
    let prey = spawn(&mut app, (Agent::default(), place(13.5, 2.5)));
    let hunter = spawn(&mut app, (Pursuer::line_of_sight(prey), Airborne, place(1.5, 2.5)));
    ticks(&mut app, 64 * 4);
    assert_eq!(steering_events(&app), [SteeringEvent::Caught(hunter)], "it flies straight to its prey");
    assert!(!has_path(&app, hunter));
}

#[test]
fn airborne_is_reflected() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let airborne = registry.get(core::any::TypeId::of::<Airborne>()).expect("it is registered");
    assert!(airborne.data::<ReflectComponent>().is_some() && airborne.data::<ReflectDefault>().is_some());
}
