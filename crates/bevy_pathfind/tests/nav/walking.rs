//! From a path request to a moved `Transform`.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{CornerRule, PathOutcome},
    prelude::*,
    solve::SolveMode,
    world::{Grid, TerrainSpeed},
};
use pathfind_core::{CornerRule as CoreCornerRule, line_of_sight};

use crate::support::*;

const ROOM: &str = "
..........
..........
..######..
.......#..
.......#..
..######..
..........
..........";

#[test]
fn a_path_to_the_edge_of_a_wall_crosses_no_wall() {
    let (mut app, nav) = app_on(grid("......\n......\n.#####"));
    let agent = spawn_agent(&mut app, (0, 0));
    order(&mut app, agent, Vec3::new(4.433, 1.999_954, 0.0));
    ticks(&mut app, 2);
    let (path, cells) = (path(&app, agent), nav_grid(&app, nav).grid());
    for leg in path.waypoints().windows(2) {
        let (a, b) = (leg[0].truncate(), leg[1].truncate());
        let sees = line_of_sight(cells, KindId::default(), CoreCornerRule::Never, a, b);
        assert!(sees, "from {a} to {b} the way is free");
    }
    assert_eq!(path.outcome(), PathOutcome::Complete);
}

/// The distance from a point to the nearest cell of a wall, in cells of side 1.
fn distance_to_wall(grid: &Grid, point: Vec2) -> f32 {
    let is_wall = |cell: &GridCell| !grid.is_walkable(KindId::default(), *cell);
    let distance = |cell: GridCell| ((point - cell.center()).abs() - 0.5).max(Vec2::ZERO).length();
    let side = |value: f32| value as i32 - 2..=value as i32 + 2;
    let near = side(point.y).flat_map(|y| side(point.x).map(move |x| GridCell::new(x, y)));
    near.filter(is_wall).map(distance).fold(f32::INFINITY, f32::min)
}

#[test]
fn a_body_of_the_default_kind_stays_whole_out_of_walls() {
    for radius in [0.2, 0.4, 0.5] {
        let map = grid(ROOM.trim_start());
        let (mut app, _) = app_on(map.clone());
        let agent = Agent { radius, ..Agent::new(4.0) };
        let agent = spawn_with(&mut app, (4, 3), (agent, Avoider::default()));
        for goal in [(9, 7), (0, 7), (4, 1), (5, 4)] {
            order(&mut app, agent, at(goal));
            let mut nearest = f32::INFINITY;
            until(&mut app, "it arrives", |app| {
                nearest = nearest.min(distance_to_wall(&map, position(app, agent).truncate()));
                status(app, agent) == PathStatus::Arrived
            });
            assert!(nearest > radius - 2e-3, "{radius} on its way to {goal:?}: {nearest}");
        }
    }
}

#[test]
fn a_request_moves_an_agent_round_walls_to_the_exact_point() {
    let (mut app, nav) = app_on(grid(ROOM.trim_start()));
    let agent = spawn_agent(&mut app, (3, 3));
    let goal = Vec3::new(9.25, 3.7, 0.0);
    order(&mut app, agent, goal);
    for _ in 0..64 * 10 {
        app.update();
        assert!(stands_free(&app, nav, agent), "no step ends in a wall: {}", position(&app, agent));
    }
    let end = position(&app, agent);
    assert!(end.distance(goal) <= 0.11, "it stands at the goal, not just in its cell: {end}");
    assert_eq!(status(&app, agent), PathStatus::Arrived);
    assert_eq!(count(&app, &LoggedEvent::Found(agent, PathOutcome::Complete)), 1, "one path was enough");
    assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 1, "arriving is told once");
    assert!(velocity(&app, agent).length() < 1e-3, "and it stands still");
}

/// The positions of an agent that walks through the room, tick by tick, as columns, rows and height.
fn track(plane: GridPlane) -> Vec<Vec3> {
    let to_world = |v: Vec3| v.x * plane.column() + v.y * plane.row() + v.z * plane.up();
    let mut app = app(SolveMode::Inline);
    app.world_mut().spawn(NavGrid::new(grid(ROOM.trim_start())).with_plane(plane));
    let start = Transform::from_translation(to_world(Vec3::new(3.5, 3.5, 0.75)));
    let agent = app.world_mut().spawn((Agent::default(), start)).id();
    order(&mut app, agent, to_world(Vec3::new(9.5, 4.5, 0.0)));
    (0..200)
        .map(|_| {
            app.update();
            let at = position(&app, agent);
            Vec3::new(at.dot(plane.column()), at.dot(plane.row()), at.dot(plane.up()))
        })
        .collect()
}

#[test]
fn the_walk_is_the_same_on_xy_on_xz_and_on_a_tilted_plane() {
    let flat = track(GridPlane::Xy);
    assert!(flat[199].distance(flat[0]) > 3.0, "it walks");
    assert_eq!(flat, track(GridPlane::Xz), "XY and XZ move exactly the same");
    assert_eq!(flat, track(GridPlane::XyDown), "and so does XY with its rows running down");
    let slanted = track(GridPlane::Tilted(Quat::from_euler(EulerRot::XYZ, 0.4, -0.8, 0.2)));
    for (tick, (a, b)) in flat.iter().zip(&slanted).enumerate() {
        assert!(a.distance(*b) < 0.02, "tick {tick}: {b} on the slope should be {a}");
    }
    assert!(flat.iter().all(|at| at.z == 0.75), "the height above the ground stays");
}

#[test]
fn where_corners_may_always_be_cut_an_agent_squeezes_through() {
    let (mut app, _) = app_on(grid("..#...\n...#..\n#...#.\n.#...#\n..#...\n...#.."));
    let options = SearchOptions { corners: CornerRule::Always, ..default() };
    let agent = spawn_with(&mut app, (0, 4), PathRequest::to(at((5, 0))).with_options(options));
    ticks(&mut app, 64 * 10);
    stands_at(&app, agent, (5, 0), 0.15);
}

#[test]
fn speed_and_acceleration_are_kept() {
    let (mut app, _) = app_on(Grid::new(60, 3).unwrap());
    let agent = send(&mut app, (1, 1), (55, 1));
    let (mut before, mut fastest) = (Vec3::ZERO, 0.0_f32);
    for _ in 0..64 * 14 {
        app.update();
        let now = velocity(&app, agent);
        assert!((now - before).length() <= 40.0 / 64.0 + 1e-3, "no faster change than its acceleration");
        fastest = fastest.max(now.length());
        before = now;
    }
    assert!((fastest - 5.0).abs() < 1e-3, "it reaches its top speed and no more: {fastest}");
    assert_eq!(status(&app, agent), PathStatus::Arrived);
}

#[test]
fn a_body_respects_its_turn_rate() {
    let (mut app, _) = app_on(Grid::new(20, 20).unwrap());
    let body = Agent { turn_rate: 3.2, facing: AgentFacing::Right, ..default() };
    let agent = spawn_with(&mut app, (10, 10), (body, PathRequest::to(at((1, 10)))));
    let mut before = Quat::IDENTITY;
    for _ in 0..80 {
        app.update();
        let now = app.world().get::<Transform>(agent).unwrap().rotation;
        assert!(now.angle_between(before) <= 3.2 / 64.0 + 1e-3, "a turn takes its time");
        before = now;
    }
    assert!((before * Vec3::X).distance(Vec3::NEG_X) < 0.01, "in the end it looks where it goes");
}

#[test]
fn an_agent_with_a_parent_walks_in_the_world() {
    let mut app = app(SolveMode::Inline);
    app.add_plugins(TransformPlugin);
    spawn_grid(&mut app, Grid::new(20, 10).unwrap());
    let shift = Transform::from_xyz(4.0, 2.0, 0.0).with_scale(Vec3::splat(2.0));
    let parent = app.world_mut().spawn(shift).id();
    let agent = app.world_mut().spawn((Agent::default(), ChildOf(parent))).id();
    app.update();
    order(&mut app, agent, at((15, 7)));
    ticks(&mut app, 64 * 5);
    let end = shift.transform_point(position(&app, agent));
    assert!(end.distance(at((15, 7))) < 0.15, "seen from the world it is there: {end}");
}

#[test]
fn a_driven_agent_slides_along_walls_and_never_enters_one() {
    let (mut app, nav) = app_on(grid("......\n......\n..##..\n......"));
    let agent = spawn_with(&mut app, (1, 0), ManualVelocity(Vec3::new(3.0, 3.0, 0.0)));
    for _ in 0..64 * 3 {
        app.update();
        assert!(stands_free(&app, nav, agent), "it stands in a wall at {}", position(&app, agent));
    }
    let end = position(&app, agent);
    assert!(end.x > 5.5 && end.y > 3.5, "it slid along the wall and into the far corner: {end}");
}

#[test]
fn terrain_slows_agents_and_their_top_speed_stays() {
    const MUD: Terrain = Terrain::weight(3);
    let map = |terrain: Terrain| {
        Grid::from_fn(30, 1, move |cell| if cell.x < 24 { terrain } else { Terrain::GROUND })
    };
    let seconds = |factor: f32, terrain: Terrain| {
        let (mut app, _) = app_on(map(terrain).unwrap());
        app.insert_resource(TerrainSpeed::default().with(MUD, factor));
        let agent = send(&mut app, (1, 0), (21, 0));
        let mut fastest = 0.0_f32;
        let arrival = (0..64 * 60).find(|_| {
            app.update();
            fastest = fastest.max(velocity(&app, agent).length());
            assert!(velocity(&app, agent).is_finite());
            status(&app, agent) == PathStatus::Arrived
        });
        assert_eq!(app.world().get::<Agent>(agent).unwrap().speed, 5.0, "its setting is not changed");
        (arrival.map_or(f32::INFINITY, |ticks| ticks as f32 / 64.0), fastest)
    };
    let (ground, usual) = seconds(0.5, Terrain::GROUND);
    let (mud, slowed) = seconds(0.5, MUD);
    assert!((usual, slowed) == (5.0, 2.5), "the fastest that it goes: {usual} and {slowed}");
    assert!((mud / ground - 2.0).abs() < 0.1, "half as fast takes twice as long: {ground} s, {mud} s");
    assert_eq!(seconds(f32::NAN, MUD).1, 5.0, "NaN slows no agent");
    assert_eq!(seconds(0.0, MUD).1, 0.0, "at 0 it stands");
}

#[test]
fn an_agent_blown_back_is_not_stuck_while_it_walks_at_full_speed() {
    #[derive(Resource, Default)]
    struct Told(usize);
    for wind in [-35.0, -20.0, -60.0] {
        let (mut app, _) = app_on(Grid::new(120, 9).unwrap());
        app.init_resource::<Told>().add_observer(|_: On<AgentStuck>, mut told: ResMut<Told>| told.0 += 1);
        let agent = Agent { acceleration: 24.0, ..Agent::new(3.0) };
        let agent = spawn_with(&mut app, (100, 4), (agent, PathRequest::to(at((118, 4)))));
        ticks(&mut app, 64);
        app.world_mut().entity_mut(agent).insert(AgentVelocity(Vec3::X * wind));
        until(&mut app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
        assert_eq!(app.world().resource::<Told>().0, 0, "blown back by {wind}");
    }
}
