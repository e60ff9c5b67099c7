//! Agents that fly low over the ground of their grid.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::LinkEnd};

use crate::fixture::*;
use crate::support::{all_arrive, at, grid, nav_grid, order, position, spawn_grid, status, ticks, until};

const TABLE: Terrain = Terrain(20);

/// The kind of a drone, which may cross tables.
fn drone(app: &mut App) -> KindId {
    let kind = AgentKind::default().with_cost(TABLE, 1.0).unwrap().with_climb(f32::INFINITY);
    app.world_mut().resource_mut::<AgentKinds>().add(kind).unwrap()
}

/// A low flyer above a cell.
fn low_flyer(app: &mut App, kind: KindId, cell: (i32, i32), height: f32) -> Entity {
    let place = Transform::from_translation(at(cell) + Vec3::Z * height);
    let agent = Agent::default().with_kind(kind);
    spawn(app, (agent, LowFlying, GroundOffset(height), Avoider::default(), place))
}

/// Tables across the first room, a wall with a door to the second, and stairs there.
const GROUND_FLOOR: &str = "\
.....t#....
.....t#....
.....t.....
.....t#....
.....t#....";
/// The stairs arrive at the right.
const UPPER_FLOOR: &str = "\
...#.......
...#.......
...#.......
...#.......
...........";

#[test]
fn it_flies_over_tables_through_doors_and_by_the_stairs() {
    let mut app = app();
    let [ground, upper] =
        [GROUND_FLOOR, UPPER_FLOOR].map(|rows| spawn_grid(&mut app, grid(&rows.replace('t', "."))));
    app.world_mut().entity_mut(upper).insert(Transform::from_xyz(0.0, 0.0, 3.0));
    let mut floor = app.world_mut().get_mut::<NavGrid>(ground).unwrap();
    (0..5).for_each(|y| _ = floor.set((5, y), TABLE).unwrap());
    let end = |grid, cell: (i32, i32)| LinkEnd::new(grid, cell.into());
    app.world_mut().spawn(NavLink::new(end(ground, (10, 4)), end(upper, (10, 0))));
    let kind = drone(&mut app);
    ticks(&mut app, 2);
    // Without its offset it would be nearer to the upper floor.
    let flyer = low_flyer(&mut app, kind, (1, 0), 2.0);
    let walker = spawn(&mut app, (Agent::default(), place(1.5, 4.5)));
    let goal = at((1, 1)) + Vec3::Z * 3.0;
    order(&mut app, flyer, goal);
    order(&mut app, walker, goal);
    let (mut was_over_a_table, mut used_the_stairs) = (false, false);
    until(&mut app, "it arrives", |app| {
        let now = position(app, flyer);
        let is_on_stairs = app.world().get::<OnLink>(flyer).is_some();
        used_the_stairs |= is_on_stairs;
        let (floor, height) = if used_the_stairs { (upper, 5.0) } else { (ground, 2.0) };
        if !is_on_stairs {
            assert!((now.z - height).abs() < 0.01, "it keeps its height: {now}");
            let terrain = nav_grid(app, floor).terrain(GridCell::containing(now.truncate()));
            was_over_a_table |= terrain == Some(TABLE);
            assert_ne!(terrain, Some(Terrain::WALL), "at {now}");
        }
        status(app, flyer) == PathStatus::Arrived
    });
    assert!(was_over_a_table && used_the_stairs);
    let there = position(&app, flyer);
    assert!(there.distance(goal + Vec3::Z * 2.0) < 0.2, "two units above the upper floor: {there}");
    assert!(position(&app, walker).x < 5.0, "the tables hold the walker");
}

#[test]
fn it_rises_no_faster_than_it_flies() {
    let mut app = app();
    spawn_grid(&mut app, grid("....\n...."));
    let kind = drone(&mut app);
    let flyer = low_flyer(&mut app, kind, (1, 1), 2.0);
    put(&mut app, flyer, at((1, 1)));
    ticks(&mut app, 2);
    let speed = Agent::default().speed;
    let risen = position(&app, flyer).z;
    assert!(risen > 0.0 && risen < 3.0 * speed / 64.0, "{risen} in two ticks");
    ticks(&mut app, 64);
    assert_eq!(position(&app, flyer).z, 2.0);
}

#[test]
fn bodies_at_other_heights_are_passed() {
    let mut app = app();
    spawn_grid(&mut app, grid("..........."));
    let kind = drone(&mut app);
    let stands = spawn(&mut app, (Agent::default(), Avoider::default(), place(5.5, 0.5)));
    let [low, high] = [(0, 1.5), (10, 3.0)].map(|(x, height)| low_flyer(&mut app, kind, (x, 0), height));
    order(&mut app, low, at((10, 0)));
    order(&mut app, high, at((0, 0)));
    all_arrive(&mut app, &[low, high]);
    assert_eq!(position(&app, stands), Vec3::new(5.5, 0.5, 0.0), "nobody pushes it");
    let [low, high] = [low, high].map(|flyer| position(&app, flyer));
    assert!((low.x - 10.5).abs() < 0.2 && (low.z - 1.5).abs() < 1e-3, "{low}");
    assert!((high.x - 0.5).abs() < 0.2 && (high.z - 3.0).abs() < 1e-3, "{high}");
}

#[test]
fn bodies_at_one_height_are_pushed_apart() {
    let mut app = app();
    spawn_grid(&mut app, grid("........\n........"));
    let kind = drone(&mut app);
    let pair = [1, 2].map(|x| low_flyer(&mut app, kind, (x, 0), 2.0));
    put(&mut app, pair[1], at((1, 0)) + Vec3::new(0.1, 0.0, 2.0));
    ticks(&mut app, 64);
    assert!(deepest(&app, &pair, Agent::default().radius) < 0.05);
}
