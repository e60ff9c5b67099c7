//! Which grids are joined, when they are joined, and when they come apart.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    world::{LinkEnd, PartOfGrid, Standalone},
};

use super::*;

#[test]
fn the_last_part_takes_the_joined_grid_with_it() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0), (20, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    ticks(&mut app, 1);
    let whole = joined(&mut app)[0];
    for room in rooms {
        assert_eq!(app.world().get::<PartOfGrid>(room).map(|part| part.joined()), Some(whole));
        app.world_mut().despawn(room);
        ticks(&mut app, 1);
    }
    assert!(joined(&mut app).is_empty());
    // One that is despawned by mistake is made again.
    spawn_at(&mut app, grid(ROOM), (0, 0));
    spawn_at(&mut app, grid(ROOM), (10, 0));
    ticks(&mut app, 1);
    let whole = joined(&mut app)[0];
    app.world_mut().despawn(whole);
    let agent = send(&mut app, (1, 1), (18, 1));
    arrives(&mut app, agent, at((18, 1)));
}

#[test]
fn two_worlds_become_one_when_a_bridge_joins_them() {
    let mut app = app(SolveMode::Inline);
    for corner in [(0, 0), (10, 0), (30, 0), (40, 0)] {
        spawn_at(&mut app, grid(ROOM), corner);
    }
    let agent = send(&mut app, (1, 1), (48, 1));
    ends_short(&mut app, agent);
    assert_eq!(joined(&mut app).len(), 2);
    let bridge = spawn_at(&mut app, grid(".........."), (20, 1));
    arrives(&mut app, agent, at((48, 1)));
    assert_eq!(joined(&mut app).len(), 1);
    order(&mut app, agent, at((1, 1)));
    until(&mut app, "it is on the bridge", |app| position(app, agent).x < 25.0);
    app.world_mut().despawn(bridge);
    // It goes on to the bank that is nearer.
    arrives(&mut app, agent, at((1, 1)));
}

#[test]
fn grids_that_touch_askew_are_named_once() {
    let log = warnings();
    let mut app = app(SolveMode::Inline);
    let spawn = |app: &mut App, name: &'static str, nav: NavGrid, place: Transform| {
        app.world_mut().spawn((Name::new(name), nav, place)).id()
    };
    let room = || NavGrid::new(grid(ROOM));
    spawn(&mut app, "askew-base", room(), Transform::default());
    let ramp = Transform::from_xyz(10.0, 0.0, 0.0).with_rotation(Quat::from_rotation_y(-0.4));
    spawn(&mut app, "askew-ramp", room(), ramp);
    let turned = Transform::from_xyz(0.0, 4.1, 0.0).with_rotation(Quat::from_rotation_z(0.2));
    let moving = spawn(&mut app, "askew-turned", room(), turned);
    spawn(&mut app, "askew-fine", room().with_cell_size(0.5), Transform::from_xyz(5.0, -2.0, 0.0));
    spawn(&mut app, "askew-shifted", room(), Transform::from_xyz(-10.0, -1.5, 0.0));
    spawn(&mut app, "askew-above", room(), Transform::from_xyz(10.0, 0.0, 6.0));
    for step in 0..20 {
        app.world_mut().get_mut::<Transform>(moving).unwrap().translation.y += 0.001 * step as f32;
        app.update();
    }
    let log = log.lock().unwrap().clone();
    let of = |name: &str| log.iter().filter(|line| line.starts_with(name)).cloned().collect::<Vec<_>>();
    for (name, why) in [
        ("askew-ramp", "at an angle"),
        ("askew-turned", "at an angle"),
        ("askew-fine", "different sizes"),
        ("askew-shifted", "not aligned"),
    ] {
        let lines = of(name);
        assert!(lines.len() == 1 && lines[0].contains(why), "{name}: {lines:?}");
    }
    assert!(of("askew-above").is_empty() && of("askew-base").is_empty());
    assert!(joined(&mut app).is_empty());
}

#[test]
fn a_link_between_grids_that_do_not_fit_is_no_fault() {
    let log = warnings();
    let mut app = app(SolveMode::Inline);
    let base = spawn_at(&mut app, grid(ROOM), (0, 0));
    let ramp = Transform::from_xyz(10.0, 0.0, 0.0).with_rotation(Quat::from_rotation_y(-0.4));
    let ramp = app.world_mut().spawn((Name::new("ramp-with-link"), NavGrid::new(grid(ROOM)), ramp)).id();
    let strip = |grid, x| LinkEnd::strip(grid, CellRect::new(GridCell::new(x, 0), GridCell::new(x, 3)));
    app.world_mut().spawn(NavLink::new(strip(base, 9), strip(ramp, 0)));
    ticks(&mut app, 3);
    assert!(!log.lock().unwrap().iter().any(|line| line.starts_with("ramp-with-link")));
}

#[test]
fn grids_with_other_kinds_and_standalone_ones_stay_apart() {
    let mut app = app(SolveMode::Inline);
    let mut swimmers = grid(ROOM);
    swimmers.add_kind(AgentKind::default()).unwrap();
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = app.world_mut().spawn((NavGrid::new(swimmers), Transform::from_xyz(10.0, 0.0, 0.0))).id();
    ticks(&mut app, 2);
    assert!(joined(&mut app).is_empty(), "they have other kinds");
    app.world_mut().resource_mut::<AgentKinds>().add(AgentKind::default()).unwrap();
    ticks(&mut app, 2);
    assert_eq!(joined(&mut app).len(), 1, "now they have the same");
    app.world_mut().entity_mut(east).insert(Standalone);
    ticks(&mut app, 2);
    assert!(app.world().get::<PartOfGrid>(east).is_none());
    let agent = send(&mut app, (1, 1), (18, 1));
    ends_short(&mut app, agent);
    app.world_mut().entity_mut(east).remove::<Standalone>();
    arrives(&mut app, agent, at((18, 1)));
}

/// A hull at a point, with two grids on it, side by side.
fn ship(app: &mut App, at: Vec3) -> Entity {
    let hull = app.world_mut().spawn(Transform::from_translation(at)).id();
    for corner in [0.0, 10.0] {
        let deck = (NavGrid::new(grid(ROOM)), Transform::from_xyz(corner, 0.0, 0.0), ChildOf(hull));
        app.world_mut().spawn(deck);
    }
    hull
}

#[test]
fn a_ship_of_two_grids_carries_its_crew_and_moors() {
    let mut app = app(SolveMode::Inline);
    let hull = ship(&mut app, Vec3::new(100.0, 50.0, 0.0));
    ticks(&mut app, 1);
    let ship = joined(&mut app)[0];
    let sailor =
        app.world_mut().spawn((Agent::default(), Transform::from_xyz(1.5, 1.5, 0.0), ChildOf(hull))).id();
    let goal = app.world_mut().spawn((Transform::from_xyz(18.5, 2.5, 0.0), ChildOf(hull))).id();
    app.world_mut().entity_mut(sailor).insert(PathRequest::to(goal));
    ticks(&mut app, 2);
    for step in 0..2000 {
        let mut place = app.world_mut().get_mut::<Transform>(hull).unwrap();
        place.translation.x -= 0.03;
        place.rotation = Quat::from_rotation_z(0.001 * step as f32);
        app.update();
        if status(&app, sailor) == PathStatus::Arrived {
            break;
        }
    }
    assert_eq!(status(&app, sailor), PathStatus::Arrived);
    assert_eq!(joined(&mut app), [ship], "it is one grid all along");
    assert!(position(&app, sailor).distance(Vec3::new(18.5, 2.5, 0.0)) < 0.6, "{}", position(&app, sailor));
    // At the quay the deck becomes part of the shore.
    spawn_at(&mut app, grid(ROOM), (0, 0));
    *app.world_mut().get_mut::<Transform>(hull).unwrap() = Transform::from_xyz(10.0, 0.0, 0.0);
    app.world_mut().entity_mut(sailor).insert(PathRequest::to(at((1, 1))));
    app.update();
    until(&mut app, "it is ashore", |app| {
        status(app, sailor) == PathStatus::Arrived && has_path(app, sailor)
    });
    let place = position(&app, sailor) + Vec3::X * 10.0;
    assert!(place.distance(at((1, 1))) < 0.6, "{place}");
}

#[test]
fn a_ship_joins_a_shore_that_was_there_before_it() {
    for shore_parts in [1, 2] {
        let mut app = app(SolveMode::Inline);
        for part in 0..shore_parts {
            spawn_at(&mut app, grid(ROOM), (-10 * part, 0));
        }
        let hull = ship(&mut app, Vec3::X * 100.0);
        ticks(&mut app, 2);
        app.world_mut().get_mut::<Transform>(hull).unwrap().translation.x = 10.0;
        ticks(&mut app, 2);
        assert_eq!(joined(&mut app).len(), 1, "{shore_parts}");
        let agent = send(&mut app, (1, 1), (28, 1));
        arrives(&mut app, agent, at((28, 1)));
        // It casts off with the agent on board.
        for _ in 0..100 {
            app.world_mut().get_mut::<Transform>(hull).unwrap().translation.x += 0.02;
            app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x += 0.02;
            app.update();
        }
        let place = position(&app, agent);
        let goal = place - Vec3::X * 10.0;
        order(&mut app, agent, goal);
        arrives(&mut app, agent, goal);
    }
}

#[test]
fn a_standalone_grid_stays_apart_whichever_comes_first() {
    let mut app = app(SolveMode::Inline);
    let lift = (NavGrid::new(grid(ROOM)), Standalone);
    app.world_mut().spawn(lift);
    ticks(&mut app, 2);
    spawn_at(&mut app, grid(ROOM), (10, 0));
    // A grid that is hidden by a scale of zero touches nothing either.
    let hidden = Transform::from_xyz(20.0, 0.0, 0.0).with_scale(Vec3::ZERO);
    app.world_mut().spawn((NavGrid::new(grid(ROOM)), hidden));
    ticks(&mut app, 2);
    assert!(joined(&mut app).is_empty());
}
