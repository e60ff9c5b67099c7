//! Flight by path from threats.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    steer::{BehaviorTarget, FleeStats, Fugitive, FugitiveCornered, SteerSettings},
    world::Grid,
};

use crate::support::*;

/// A loop of 20 cells, and a dead end below its left side; the threat comes from the left.
const LOOP: &str = "##.........\n##.#######.\n...........\n##.########\n##.........";

/// A corridor that ends at its right.
const CORRIDOR: &str = "....................";

#[derive(Resource, Default)]
struct Cornered(Vec<Entity>);

fn flee_app(map: &str) -> (App, Entity) {
    let (mut app, nav) = app_on(grid(map));
    app.init_resource::<Cornered>()
        .add_observer(|on: On<FugitiveCornered>, mut told: ResMut<Cornered>| told.0.push(on.entity));
    (app, nav)
}

fn spawn_fugitive(app: &mut App, cell: (i32, i32), threat: Entity, distance: f32) -> Entity {
    spawn_with(app, cell, Fugitive::from_threats([threat], distance))
}

fn flee_stats(app: &App) -> FleeStats {
    *app.world().resource::<FleeStats>()
}

fn cornered(app: &App) -> &[Entity] {
    &app.world().resource::<Cornered>().0
}

/// Ticks; in the background at most 200 times, each with real time for the searches.
fn run(app: &mut App, mode: SolveMode, count: usize) {
    match mode {
        SolveMode::Background => _ = ticks_until(app, count.min(200), |_| false),
        _ => ticks(app, count),
    }
}

#[test]
fn it_runs_round_a_loop_and_not_into_a_dead_end() {
    for mode in MODES {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, grid(LOOP));
        let wolf = spawn_with(&mut app, (0, 2), Agent::new(4.5));
        let deer = spawn_fugitive(&mut app, (2, 2), wolf, 8.0);
        app.world_mut().entity_mut(wolf).insert(Pursuer::line_of_sight(deer));
        run(&mut app, mode, 64 * 10);
        assert_eq!(
            count(&app, &LoggedEvent::Caught(wolf, deer)),
            0,
            "it is as fast, and the loop has no end"
        );
        assert!(stands_free(&app, nav, deer));
        assert!(position(&app, deer).y < 3.0, "the dead end begins at 3: {}", position(&app, deer));
        assert!(flee_stats(&app).refuges > 5, "it decides again and again");
    }
}

#[test]
fn it_is_safe_beyond_its_distance_and_flees_again() {
    let (mut app, _) = flee_app(CORRIDOR);
    let wolf = spawn_agent(&mut app, (0, 0));
    let deer = spawn_fugitive(&mut app, (4, 0), wolf, 6.0);
    ticks(&mut app, 64 * 4);
    assert_eq!(count(&app, &LoggedEvent::Arrived(deer)), 1, "told once that it is safe");
    assert_eq!((status(&app, deer), has_path(&app, deer)), (PathStatus::Arrived, false));
    let first = position(&app, deer).x;
    assert!((7.0..9.5).contains(&first), "1.25 times its distance from the threat: {first}");
    app.world_mut().get_mut::<Transform>(wolf).unwrap().translation = at((2, 0));
    ticks(&mut app, 64);
    assert_eq!(position(&app, deer).x, first, "nearer, but not nearer than its distance");
    app.world_mut().get_mut::<Transform>(wolf).unwrap().translation = at((4, 0));
    ticks(&mut app, 64 * 4);
    assert_eq!(count(&app, &LoggedEvent::Arrived(deer)), 2);
    assert!(position(&app, deer).x > first + 2.0, "it has run on");
    assert_eq!(cornered(&app), []);
}

#[test]
fn many_share_one_field_of_a_threat() {
    let mut app = app(SolveMode::Inline);
    spawn_grid(&mut app, open(60, 60));
    let wolf = spawn_agent(&mut app, (30, 30));
    let herd: Vec<_> =
        (0..50).map(|i| spawn_fugitive(&mut app, (25 + i % 10, 22 + i / 10), wolf, 12.0)).collect();
    ticks(&mut app, 64 * 6);
    assert_eq!(flee_stats(&app).threat_fields, 1, "the wolf stands");
    for deer in herd {
        let gap = position(&app, deer).distance(at((30, 30)));
        assert!(gap > 10.0, "it stands {gap} from the wolf");
    }
}

#[test]
fn agents_take_turns() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SteerSettings { flee_searches: 2, ..default() });
    spawn_grid(&mut app, open(60, 60));
    let wolf = spawn_with(&mut app, (30, 30), ManualVelocity(Vec3::X * 2.0));
    let herd: Vec<_> =
        (0..20).map(|i| spawn_fugitive(&mut app, (25 + i % 10, 22 + i / 10), wolf, 12.0)).collect();
    for _ in 0..64 * 3 {
        let before = flee_stats(&app);
        app.update();
        let after = flee_stats(&app);
        let searches = after.refuges + after.threat_fields - before.refuges - before.threat_fields;
        // The last decision that is begun may need a field besides.
        assert!(searches <= 3, "{searches} in a tick");
    }
    let still = herd.iter().filter(|&&deer| position(&app, deer).distance(at((30, 30))) < 5.0).count();
    assert_eq!(still, 0, "each had its turn");
}

#[test]
fn without_threats_it_is_safe() {
    for mode in MODES {
        let mut app = app(mode);
        spawn_grid(&mut app, open(60, 5));
        let wolf = spawn_agent(&mut app, (20, 2));
        let deer = spawn_fugitive(&mut app, (24, 2), wolf, 20.0);
        run(&mut app, mode, 40);
        assert_eq!(status(&app, deer), PathStatus::Following, "it runs, in {mode:?}");
        app.world_mut().despawn(wolf);
        run(&mut app, mode, 64);
        assert_eq!(count(&app, &LoggedEvent::Arrived(deer)), 1);
        assert_eq!((status(&app, deer), has_path(&app, deer)), (PathStatus::Arrived, false));
        assert_eq!(velocity(&app, deer), Vec3::ZERO);
    }
}

#[test]
fn a_threat_that_cannot_come_is_none() {
    let (mut app, _) = flee_app("........\n.###....\n.#.#....\n.###....\n........");
    let wolf = spawn_agent(&mut app, (2, 2));
    let deer = spawn_fugitive(&mut app, (4, 2), wolf, 10.0);
    let start = position(&app, deer);
    ticks(&mut app, 64);
    assert_eq!(position(&app, deer), start);
    assert_eq!((flee_stats(&app).refuges, status(&app, deer)), (0, PathStatus::Idle));
}

#[test]
fn bad_values_do_no_harm() {
    let (mut app, _) = flee_app(CORRIDOR);
    let wolf = spawn_agent(&mut app, (0, 0));
    let deer = spawn_fugitive(&mut app, (3, 0), wolf, 6.0);
    let not: [BehaviorTarget; 4] =
        [deer.into(), Vec3::NAN.into(), Vec3::splat(1e9).into(), Entity::PLACEHOLDER.into()];
    app.world_mut().get_mut::<Fugitive>(deer).unwrap().threats.extend(not);
    app.world_mut().get_mut::<Transform>(wolf).unwrap().translation = Vec3::NAN;
    ticks(&mut app, 30);
    assert_eq!(position(&app, deer), at((3, 0)), "none of these is a threat");
    for distance in [f32::NAN, -1.0, 0.0] {
        let mut fugitive = app.world_mut().get_mut::<Fugitive>(deer).unwrap();
        (fugitive.distance, fugitive.safe_ratio, fugitive.decide_every) = (distance, f32::NAN, f32::NAN);
        app.world_mut().get_mut::<Transform>(wolf).unwrap().translation = at((0, 0));
        ticks(&mut app, 30);
        assert_eq!(position(&app, deer), at((3, 0)), "with the distance {distance} it never flees");
    }
    app.world_mut().get_mut::<Agent>(wolf).unwrap().speed = f32::NAN;
    app.world_mut().get_mut::<Fugitive>(deer).unwrap().distance = f32::INFINITY;
    app.world_mut().get_mut::<Transform>(deer).unwrap().translation = Vec3::NAN;
    ticks(&mut app, 30);
    app.world_mut().get_mut::<Transform>(deer).unwrap().translation = at((3, 0));
    ticks(&mut app, 64 * 5);
    assert!(position(&app, deer).x > 18.0, "as far as the corridor goes: {}", position(&app, deer));
}

#[test]
fn a_cornered_fugitive_is_told_once_and_goes_on() {
    let (mut app, nav) = flee_app("..........\n.#########");
    let wolf = spawn_with(&mut app, (0, 0), (Agent::new(3.0), PathRequest::to(at((5, 0)))));
    let deer = spawn_fugitive(&mut app, (6, 0), wolf, 20.0);
    ticks(&mut app, 64 * 5);
    assert_eq!(cornered(&app), [deer]);
    assert_eq!(count(&app, &LoggedEvent::Arrived(deer)), 0, "it is not safe");
    assert!(position(&app, deer).x > 9.0, "at the end: {}", position(&app, deer));
    // A way out for it alone: the wolf is on the other side.
    app.world_mut().get_mut::<Transform>(wolf).unwrap().translation = at((9, 0));
    app.world_mut().get_mut::<Transform>(deer).unwrap().translation = at((5, 0));
    ticks(&mut app, 64 * 4);
    assert!(position(&app, deer).x < 1.0, "it ran the other way: {}", position(&app, deer));
    assert!(stands_free(&app, nav, deer));
    app.world_mut().despawn(wolf);
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Arrived(deer)), 1);
}

#[test]
fn its_own_order_waits() {
    let (mut app, _) = flee_app("....................\n....................\n....................");
    let wolf = spawn_agent(&mut app, (10, 1));
    let deer = spawn_fugitive(&mut app, (5, 1), wolf, 4.0);
    order(&mut app, deer, at((10, 0)));
    ticks(&mut app, 64 * 3);
    assert!(position(&app, deer).distance(at((10, 1))) > 3.0, "it does not come near the wolf");
    app.world_mut().despawn(wolf);
    until(&mut app, "it goes on", |app| position(app, deer).distance(at((10, 0))) < 0.2);
}

#[test]
fn removing_the_component_ends_the_flight() {
    let (mut app, _) = flee_app(CORRIDOR);
    let wolf = spawn_agent(&mut app, (0, 0));
    let deer = spawn_fugitive(&mut app, (3, 0), wolf, 15.0);
    ticks(&mut app, 30);
    assert_eq!(status(&app, deer), PathStatus::Following);
    app.world_mut().entity_mut(deer).remove::<Fugitive>();
    ticks(&mut app, 30);
    assert_eq!((status(&app, deer), velocity(&app, deer)), (PathStatus::Idle, Vec3::ZERO));
    app.world_mut().entity_mut(deer).insert(Fugitive::from_threats([wolf], 15.0));
    ticks(&mut app, 30);
    assert_eq!(status(&app, deer), PathStatus::Following, "it flees again");
}

#[test]
fn an_edit_on_its_way_sends_it_round() {
    let (mut app, nav) = flee_app(
        "....................\n.##################.\n....................\n.##################.\n....................",
    );
    let wolf = spawn_agent(&mut app, (0, 2));
    let deer = spawn_fugitive(&mut app, (3, 2), wolf, 18.0);
    ticks(&mut app, 40);
    assert!(position(&app, deer).x > 4.0);
    wall(&mut app, nav, (19, 0), (19, 1));
    for _ in 0..64 * 8 {
        app.update();
        assert!(stands_free(&app, nav, deer));
    }
    assert!(position(&app, deer).y > 4.0, "only the lower way is left: {}", position(&app, deer));
}

#[test]
fn it_goes_round_a_slow_threat() {
    let (mut app, _) = flee_app("....................\n....................\n....................");
    let zombie = spawn_with(&mut app, (4, 1), Agent::new(0.5));
    let runner = spawn_fugitive(&mut app, (1, 1), zombie, 8.0);
    let mut nearest = f32::INFINITY;
    for _ in 0..64 * 5 {
        app.update();
        nearest = nearest.min(position(&app, runner).distance(at((4, 1))));
    }
    assert!(position(&app, runner).x > 12.0, "it has come out: {}", position(&app, runner));
    // The diagonal step round it passes at half the diagonal of a cell.
    assert!(nearest > 0.7, "it came within {nearest}");
}

/// Rooms with doors of one cell, fifty that flee from a wolf as fast as they are, and whether it caught its prey
/// within 20 seconds.
fn is_caught_in_the_crowd(start: i32) -> bool {
    let rooms = Grid::from_fn(48, 48, |cell| {
        let is_wall = (cell.x % 8 == 0 && cell.y % 8 != 4) || (cell.y % 8 == 0 && cell.x % 8 != 4);
        if is_wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let mut app = app(SolveMode::Sliced);
    let nav = spawn_grid(&mut app, rooms.unwrap());
    let wolf = spawn_with(&mut app, (17 + start * 2, 17 + start * 2), Agent::new(4.0));
    let herd: Vec<_> = (0..50)
        .map(|i| {
            let row = i / 7;
            let cell = (10 + i % 7 * 4 + i / 25, 10 + 2 * row + row / 3 * 2);
            assert!(nav_grid(&app, nav).is_walkable(KindId::default(), GridCell::from(cell)));
            let deer = spawn_fugitive(&mut app, cell, wolf, 10.0);
            app.world_mut().entity_mut(deer).insert(Avoider::default());
            deer
        })
        .collect();
    let prey = herd[start as usize * 5];
    app.world_mut().entity_mut(wolf).insert(Pursuer::intercept(prey));
    for _ in 0..64 * 20 {
        app.update();
        assert!(herd.iter().all(|&deer| stands_free(&app, nav, deer)), "none in a wall");
    }
    let FleeStats { threat_fields, refuges } = flee_stats(&app);
    // The wolf enters at most 4 × 20 cells, or twice that on diagonals; a herd of 50 decides at most 5 times a second.
    assert!(threat_fields <= 2 * 4 * 20, "{threat_fields} fields");
    assert!(refuges <= 50 * 5 * 20, "{refuges} searches for refuges");
    count(&app, &LoggedEvent::Caught(wolf, prey)) > 0
}

#[test]
fn fifty_flee_from_a_pursuer() {
    // The others stand in the doors too. In a straight line (`Behavior::flee`) the prey is caught in all of sixteen.
    let caught = (0..4).filter(|&start| is_caught_in_the_crowd(start)).count();
    assert!(caught <= 1, "caught {caught} times of 4");
}

#[test]
fn only_threats_on_its_own_grid_count() {
    let mut app = app(SolveMode::Inline);
    let floor = |app: &mut App, height: f32| {
        app.world_mut().spawn((NavGrid::new(open(20, 3)), Transform::from_xyz(0.0, 0.0, height))).id()
    };
    let (lower, upper) = (floor(&mut app, 0.0), floor(&mut app, 4.0));
    let wolf = spawn_with(&mut app, (8, 1), OnGrid(upper));
    let deer = spawn_fugitive(&mut app, (10, 1), wolf, 6.0);
    app.world_mut().entity_mut(deer).insert(OnGrid(lower));
    ticks(&mut app, 64);
    assert_eq!(position(&app, deer), at((10, 1)), "the wolf is on another floor");
    app.world_mut().entity_mut(wolf).insert(OnGrid(lower));
    ticks(&mut app, 64 * 3);
    assert!(position(&app, deer).x > 13.0, "now it has come down: {}", position(&app, deer));
}

#[test]
fn it_flees_over_a_seam() {
    let mut app = app(SolveMode::Inline);
    for x in [0.0, 12.0] {
        app.world_mut().spawn((NavGrid::new(open(12, 3)), Transform::from_xyz(x, 0.0, 0.0)));
    }
    ticks(&mut app, 2);
    let wolf = spawn_agent(&mut app, (6, 1));
    let deer = spawn_fugitive(&mut app, (9, 1), wolf, 10.0);
    ticks(&mut app, 64 * 4);
    assert!(position(&app, deer).x > 17.0, "it has crossed: {}", position(&app, deer));
    assert_eq!(status(&app, deer), PathStatus::Arrived);
}

#[test]
fn a_pursuit_goes_before() {
    let (mut app, _) = flee_app(CORRIDOR);
    let (wolf, prey) = (spawn_agent(&mut app, (8, 0)), spawn_agent(&mut app, (6, 0)));
    let dog = spawn_fugitive(&mut app, (10, 0), wolf, 30.0);
    ticks(&mut app, 20);
    assert!(position(&app, dog).x > 10.5, "it flees");
    app.world_mut().entity_mut(dog).insert(Pursuer::intercept(prey));
    ticks(&mut app, 64 * 4);
    assert_eq!(count(&app, &LoggedEvent::Caught(dog, prey)), 1);
    app.world_mut().entity_mut(dog).remove::<Pursuer>();
    ticks(&mut app, 64);
    assert!(position(&app, dog).distance(at((6, 0))) > 2.0, "it flees again: {}", position(&app, dog));
}
