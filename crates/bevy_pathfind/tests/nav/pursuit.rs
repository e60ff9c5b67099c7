//! Pursuit across a grid.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

fn hunt(app: &mut App, from: (i32, i32), prey: Entity) -> Entity {
    spawn_with(app, from, Pursuer::line_of_sight(prey))
}

#[test]
fn a_pursuer_catches_its_prey_round_a_wall() {
    for mode in [SolveMode::Inline, SolveMode::Sliced] {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, walled(20));
        let prey = spawn_agent(&mut app, (17, 2));
        let hunter = hunt(&mut app, (2, 2), prey);
        for _ in 0..64 * 12 {
            app.update();
            assert!(stands_free(&app, nav, hunter), "no step ends in a wall");
        }
        assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 1, "caught, and told once");
        let gap = position(&app, hunter).distance(position(&app, prey));
        assert!(gap <= 0.8, "it stands within its catch radius: {gap}");
        assert_eq!(stats(&app).finished, 1, "prey that stays needs one path");
    }
}

#[test]
fn prey_in_sight_needs_no_path() {
    let (mut app, _) = app_on(Grid::new(30, 10).unwrap());
    let prey = spawn_agent(&mut app, (20, 5));
    let hunter = hunt(&mut app, (2, 5), prey);
    ticks(&mut app, 64 * 5);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 1);
    assert_eq!(stats(&app).finished, 0, "sight is enough");
}

#[test]
fn a_pursuit_does_not_replan_every_tick() {
    let (mut app, _) = app_on(walled(40));
    let prey = spawn_with(&mut app, (30, 2), ManualVelocity(Vec3::Y * 2.0));
    let hunter = hunt(&mut app, (2, 2), prey);
    ticks(&mut app, 64 * 10);
    let plans = stats(&app).finished;
    assert!((3..=15).contains(&plans), "20 cells of flight out of sight took {plans} plans");
    assert_eq!(count(&app, &LoggedEvent::Lost(hunter, prey)), 0);
}

#[test]
fn a_despawned_target_ends_the_pursuit_once() {
    for mode in MODES {
        let mut app = app(mode);
        set_expansions(&mut app, 1);
        spawn_grid(&mut app, walled(60));
        let prey = spawn_agent(&mut app, (50, 2));
        let hunter = hunt(&mut app, (2, 2), prey);
        ticks(&mut app, 20);
        app.world_mut().despawn(prey);
        ticks(&mut app, 64);
        let end = position(&app, hunter);
        ticks(&mut app, 64);
        assert_eq!(count(&app, &LoggedEvent::Lost(hunter, prey)), 1, "told once, in {mode:?}");
        assert_eq!(position(&app, hunter), end, "it stands still");
        assert!(app.world().get::<NavPath>(hunter).is_none(), "and has no path");
        assert_eq!(status(&app, hunter), PathStatus::Idle);
    }
}

#[test]
fn a_new_target_is_a_new_hunt() {
    let (mut app, _) = app_on(walled(30));
    let (first, second) = (spawn_agent(&mut app, (28, 2)), spawn_agent(&mut app, (2, 20)));
    let hunter = hunt(&mut app, (2, 2), first);
    ticks(&mut app, 20);
    app.world_mut().get_mut::<Pursuer>(hunter).unwrap().target = second;
    ticks(&mut app, 64 * 6);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, second)), 1, "it let go of the first");
    assert!(app.world().get::<NavPath>(hunter).is_none(), "and of the path to it");
}

#[test]
fn prey_that_gets_away_can_be_caught_again() {
    let (mut app, _) = app_on(Grid::new(30, 10).unwrap());
    let prey = spawn_agent(&mut app, (6, 5));
    let hunter = hunt(&mut app, (2, 5), prey);
    ticks(&mut app, 64 * 2);
    app.world_mut().get_mut::<Transform>(prey).unwrap().translation = at((25, 5));
    ticks(&mut app, 64 * 6);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 2, "each catch is told");
}

#[test]
fn prey_that_cannot_be_reached_does_not_flood_the_queue() {
    let (mut app, _) = app_on(grid("........\n.###....\n.#.#....\n.###....\n........"));
    let prey = spawn_agent(&mut app, (2, 2));
    let hunter = hunt(&mut app, (7, 0), prey);
    ticks(&mut app, 64 * 8);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 0, "not through the wall");
    let plans = stats(&app).finished;
    assert_eq!(plans, 1, "it goes as near as it can, and waits there");
}

#[test]
fn a_hunt_without_its_grid_or_speed_fails_once() {
    let mut app = app(SolveMode::Inline);
    let prey = spawn_agent(&mut app, (6, 5));
    let hunter = hunt(&mut app, (2, 5), prey);
    let no_grid = app.world_mut().spawn_empty().id();
    app.world_mut().entity_mut(hunter).insert(OnGrid(no_grid));
    ticks(&mut app, 30);
    assert_eq!(logged_events(&app), [LoggedEvent::Failed(hunter, PathError::NoGrid)]);
    spawn_grid(&mut app, Grid::new(30, 10).unwrap());
    app.world_mut().entity_mut(hunter).remove::<OnGrid>();
    app.world_mut().get_mut::<Agent>(hunter).unwrap().speed = -1.0;
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Failed(hunter, PathError::BadSpeed)), 1);
    app.world_mut().get_mut::<Agent>(hunter).unwrap().speed = 5.0;
    ticks(&mut app, 64 * 2);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 1, "once all is well, it hunts");
}

#[test]
fn three_hundred_pursuers_do_not_starve_in_the_background() {
    let mut app = limited_app(SolveMode::Background, 1_000_000);
    app.insert_resource(SearchOptions::default());
    spawn_grid(&mut app, walled(40));
    let prey = spawn_with(&mut app, (37, 2), ManualVelocity(Vec3::Y * 3.0));
    let hunters: Vec<_> = (0..300).map(|i| hunt(&mut app, (1 + i % 15, 1 + i / 15), prey)).collect();
    let starts: Vec<_> = hunters.iter().map(|&hunter| position(&app, hunter)).collect();
    ticks_until(&mut app, 100, |_| false);
    let idle = hunters.iter().zip(starts).filter(|&(&hunter, start)| position(&app, hunter) == start).count();
    assert_eq!(idle, 0, "everyone is on the way within a hundred ticks");
}

#[test]
fn removing_the_pursuer_stops_the_agent() {
    for mode in [SolveMode::Inline, SolveMode::Sliced] {
        let mut app = app(mode);
        spawn_grid(&mut app, walled(40));
        let prey = spawn_agent(&mut app, (37, 2));
        let hunter = hunt(&mut app, (2, 2), prey);
        ticks(&mut app, 30);
        assert_ne!(status(&app, hunter), PathStatus::Idle, "it is on its way round the wall");
        app.world_mut().entity_mut(hunter).remove::<Pursuer>();
        ticks(&mut app, 30);
        assert!(app.world().get::<NavPath>(hunter).is_none(), "what it had asked for is withdrawn");
        assert_eq!(status(&app, hunter), PathStatus::Idle, "and it knows");
        assert_eq!(velocity(&app, hunter), Vec3::ZERO, "it stands");
    }
}

#[test]
fn removing_the_pursuer_keeps_a_path_request() {
    let (mut app, _) = app_on(walled(40));
    let prey = spawn_agent(&mut app, (37, 2));
    let hunter = hunt(&mut app, (2, 2), prey);
    ticks(&mut app, 30);
    app.world_mut().entity_mut(hunter).remove::<Pursuer>();
    order(&mut app, hunter, at((2, 20)));
    ticks(&mut app, 64 * 5);
    assert_eq!(status(&app, hunter), PathStatus::Arrived, "it goes where it was sent instead");
    stands_at(&app, hunter, (2, 20), 0.15);
}
