//! Failures: each gives a typed event and one warning, without a panic.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, PartialReason, PathOutcome},
    prelude::*,
    solve::SolveMode,
    world::Grid,
};

use crate::support::*;

const SEALED: &str = "......\n.###..\n.#.#..\n.###..\n......";

/// The result of a request to a cell of the sealed map.
fn ask(from: (i32, i32), to: (i32, i32), allow_partial: bool) -> (App, Entity) {
    let (mut app, _) = app_on(grid(SEALED));
    let options = SearchOptions { allow_partial, ..default() };
    let agent = spawn_with(&mut app, from, PathRequest::to(at(to)).with_options(options));
    ticks(&mut app, 64 * 3);
    (app, agent)
}

#[test]
fn an_unreachable_goal_is_approached_or_refused() {
    let (app, agent) = ask((0, 0), (2, 2), true);
    let reason = PartialReason::Unreachable;
    assert_eq!(
        logged_events(&app),
        [LoggedEvent::Found(agent, PathOutcome::Partial(reason)), LoggedEvent::EndedShort(agent, reason)],
        "nobody hears that it has arrived"
    );
    assert_eq!(status(&app, agent), PathStatus::EndedShort(reason));
    assert!(position(&app, agent).distance(at((2, 2))) <= 2.3, "it went as near as it could");
    let (app, agent) = ask((0, 0), (2, 2), false);
    assert_eq!(logged_events(&app), [LoggedEvent::Failed(agent, PathError::Unreachable)]);
    assert_eq!(position(&app, agent), at((0, 0)), "it stays where it is");
}

#[test]
fn a_goal_in_a_wall_is_approached_or_refused() {
    let (app, agent) = ask((0, 0), (1, 2), true);
    let reason = PartialReason::GoalBlocked;
    assert_eq!(
        logged_events(&app),
        [LoggedEvent::Found(agent, PathOutcome::Partial(reason)), LoggedEvent::EndedShort(agent, reason)]
    );
    assert_eq!(status(&app, agent), PathStatus::EndedShort(reason));
    stands_at(&app, agent, (0, 2), 0.15);
    let (app, agent) = ask((0, 0), (1, 2), false);
    assert_eq!(logged_events(&app), [LoggedEvent::Failed(agent, PathError::GoalBlocked(IVec2::new(1, 2)))]);
}

#[test]
fn a_start_in_a_wall_is_left_by_agents_and_fails_for_other_entities() {
    let (app, agent) = ask((1, 1), (5, 4), true);
    assert_eq!(logged_events(&app)[0], LoggedEvent::Found(agent, PathOutcome::Complete));
    stands_at(&app, agent, (5, 4), 0.15);
    let mut app = self::app(SolveMode::Inline);
    spawn_grid(&mut app, grid(SEALED));
    let request = PathRequest::to(at((5, 4)));
    let asker = app.world_mut().spawn((request, Transform::from_translation(at((1, 1))))).id();
    app.update();
    assert_eq!(logged_events(&app), [LoggedEvent::Failed(asker, PathError::StartBlocked(IVec2::new(1, 1)))]);
}

#[test]
fn a_goal_at_the_start_is_reached_at_once() {
    let (app, agent) = ask((0, 0), (0, 0), true);
    assert_eq!(
        logged_events(&app),
        [LoggedEvent::Found(agent, PathOutcome::Complete), LoggedEvent::Arrived(agent)]
    );
    assert_eq!(status(&app, agent), PathStatus::Arrived);
}

#[test]
fn every_misconfiguration_has_its_error() {
    /// The fault that a case makes before the first tick, given the agent and the grid on which it has an order.
    type Prepare = fn(&mut App, Entity, Entity);
    fn body(app: &mut App, agent: Entity) -> Mut<'_, Agent> {
        app.world_mut().get_mut::<Agent>(agent).unwrap()
    }
    fn place(app: &mut App, entity: Entity) -> Mut<'_, Transform> {
        app.world_mut().get_mut::<Transform>(entity).unwrap()
    }
    let cases: [(&str, PathError, Prepare); 10] = [
        ("no grid", PathError::NoGrid, |app, _, nav| _ = app.world_mut().despawn(nav)),
        ("a goal of NaN", PathError::NotFinite, |app, agent, _| order(app, agent, Vec3::NAN)),
        ("a transform of NaN", PathError::NotFinite, |app, it, _| place(app, it).translation.y = f32::NAN),
        ("an acceleration of 0", PathError::BadSpeed, |app, agent, _| body(app, agent).acceleration = 0.0),
        ("a speed below 0", PathError::BadSpeed, |app, agent, _| body(app, agent).speed = -1.0),
        ("a speed of NaN", PathError::NotFinite, |app, agent, _| body(app, agent).speed = f32::NAN),
        ("a grid scaled by 0", PathError::BadGrid, |app, _, nav| place(app, nav).scale = Vec3::ZERO),
        ("a grid scaled by NaN", PathError::BadGrid, |app, _, nav| place(app, nav).scale = Vec3::NAN),
        ("an entity without a grid in OnGrid", PathError::NoGrid, |app, agent, _| {
            let ghost = app.world_mut().spawn_empty().id();
            app.world_mut().entity_mut(agent).insert(OnGrid(ghost));
        }),
        ("a goal that is no more", PathError::TargetGone, |app, agent, _| {
            let ghost = app.world_mut().spawn_empty().id();
            app.world_mut().despawn(ghost);
            app.world_mut().entity_mut(agent).insert(PathRequest::to(ghost));
        }),
    ];
    for (what, error, prepare) in cases {
        let (mut app, nav) = app_on(Grid::new(8, 8).unwrap());
        let agent = send(&mut app, (0, 0), (3, 0));
        prepare(&mut app, agent, nav);
        ticks(&mut app, 10);
        assert_eq!(logged_events(&app), [LoggedEvent::Failed(agent, error)], "{what}");
        assert!(!has_path(&app, agent), "{what}: there is no path");
    }
}

#[test]
fn a_grid_that_comes_late_serves_waiting_requests() {
    let mut app = app(SolveMode::Inline);
    let agent = send(&mut app, (0, 0), (3, 0));
    ticks(&mut app, 5);
    assert_eq!(status(&app, agent), PathStatus::Failed(PathError::NoGrid));
    spawn_grid(&mut app, Grid::new(8, 8).unwrap());
    ticks(&mut app, 64 * 2);
    assert_eq!(status(&app, agent), PathStatus::Arrived, "the request was not forgotten");
}

#[test]
fn of_several_grids_the_one_under_the_agent_is_used() {
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    let far = Transform::from_xyz(100.0, 0.0, 0.0);
    let nav = app.world_mut().spawn((NavGrid::new(Grid::new(8, 8).unwrap()), far)).id();
    let agent = send(&mut app, (101, 1), (104, 4));
    ticks(&mut app, 2);
    assert_eq!(path(&app, agent).grid(), nav);
    let lost = send(&mut app, (50, 1), (104, 4));
    ticks(&mut app, 2);
    assert_eq!(status(&app, lost), PathStatus::Failed(PathError::OffGrid), "it stands on neither");
}

#[test]
fn one_warning_names_the_agent_however_often_it_asks() {
    warnings();
    let mut app = app(SolveMode::Inline);
    let agent = spawn_with(&mut app, (0, 0), Name::new("Wilma the unwarned"));
    for _ in 0..20 {
        order(&mut app, agent, at((3, 0)));
        app.update();
    }
    assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::NoGrid)), 20, "every request is answered");
    let heard = warnings().lock().unwrap();
    let of_wilma: Vec<_> = heard.iter().filter(|text| text.contains("Wilma")).collect();
    assert_eq!(of_wilma.len(), 1, "but the log hears of it once: {of_wilma:?}");
    assert!(of_wilma[0].contains("NavGrid"), "and learns what is missing: {of_wilma:?}");
}

/// An agent half-way across an open grid.
fn walking() -> (App, Entity, Entity) {
    let (mut app, nav) = app_on(Grid::new(30, 9).unwrap());
    let agent = send(&mut app, (1, 4), (28, 4));
    ticks(&mut app, 64);
    assert_eq!(status(&app, agent), PathStatus::Following, "it is on its way");
    (app, nav, agent)
}

#[test]
fn an_invalid_speed_fails_the_path_once_and_may_recover() {
    let cases = [
        (-3.0, PathError::BadSpeed),
        (f32::NAN, PathError::NotFinite),
        (f32::INFINITY, PathError::NotFinite),
    ];
    for (speed, error) in cases {
        let (mut app, _, agent) = walking();
        app.world_mut().get_mut::<Agent>(agent).unwrap().speed = speed;
        ticks(&mut app, 100);
        assert_eq!(count(&app, &LoggedEvent::Failed(agent, error)), 1, "a speed of {speed} is told, once");
        assert_eq!(status(&app, agent), PathStatus::Failed(error));
        app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 5.0;
        ticks(&mut app, 64 * 6);
        assert_eq!(status(&app, agent), PathStatus::Arrived, "after a speed of {speed} it goes on");
    }
}

#[test]
fn an_invalid_position_fails_the_path_once_and_may_recover() {
    let (mut app, _, agent) = walking();
    let before = position(&app, agent);
    app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x = f32::NAN;
    ticks(&mut app, 100);
    assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::NotFinite)), 1, "it is told, once");
    app.world_mut().get_mut::<Transform>(agent).unwrap().translation = before;
    ticks(&mut app, 64 * 6);
    assert_eq!(status(&app, agent), PathStatus::Arrived, "put back, it goes on");
}

#[test]
fn an_invalid_speed_fails_a_pursuit_once_and_may_recover() {
    let (mut app, _) = app_on(walled(20));
    let prey = spawn_agent(&mut app, (17, 2));
    let hunter = spawn_with(&mut app, (2, 2), Pursuer::line_of_sight(prey));
    ticks(&mut app, 30);
    app.world_mut().get_mut::<Agent>(hunter).unwrap().speed = -1.0;
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Failed(hunter, PathError::BadSpeed)), 1, "told once, not twice");
    app.world_mut().get_mut::<Agent>(hunter).unwrap().speed = 5.0;
    ticks(&mut app, 64 * 12);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 1, "it hunts on");
}

#[test]
fn a_grid_with_an_invalid_transform_stops_its_agents() {
    for grids in [1, 2] {
        let (mut app, nav, agent) = walking();
        if grids == 2 {
            app.world_mut().spawn((NavGrid::default(), Transform::from_xyz(500.0, 0.0, 0.0)));
        }
        let driven = spawn_with(&mut app, (3, 7), (ManualVelocity(Vec3::X), OnGrid(nav)));
        ticks(&mut app, 10);
        app.world_mut().get_mut::<Transform>(nav).unwrap().scale = Vec3::ZERO;
        let before = [agent, driven].map(|entity| position(&app, entity));
        ticks(&mut app, 100);
        let after = [agent, driven].map(|entity| position(&app, entity));
        assert_eq!(after, before, "nobody moves where no wall can be told from open ground");
        let told = count(&app, &LoggedEvent::Failed(agent, PathError::BadGrid));
        assert_eq!(told, 1, "the walker is told, once");
        assert!(!has_path(&app, agent), "its path is gone");
        app.world_mut().get_mut::<Transform>(nav).unwrap().scale = Vec3::ONE;
        ticks(&mut app, 64 * 6);
        assert_eq!(status(&app, agent), PathStatus::Arrived, "with the grid back in place it goes on");
    }
}

#[test]
fn an_agent_moved_to_another_grid_requests_again() {
    let (mut app, _, agent) = walking();
    let above = Transform::from_xyz(0.0, 0.0, 50.0);
    let other = app.world_mut().spawn((NavGrid::new(Grid::new(30, 9).unwrap()), above)).id();
    app.world_mut().entity_mut(agent).insert(OnGrid(other));
    app.update();
    assert_eq!(path(&app, agent).grid(), other, "at once it has a path on the grid that it was tied to");
    ticks(&mut app, 64 * 6);
    assert_eq!(status(&app, agent), PathStatus::Arrived);
    assert_eq!(found(&app), [agent; 2], "it asked once more, no oftener");
}

#[test]
fn a_weight_out_of_range_is_named() {
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    for weight in [f32::NAN, 0.0, -1.0, f32::INFINITY] {
        let options = SearchOptions { algorithm: Algorithm::WeightedAStar, weight, ..default() };
        let agent = spawn_with(&mut app, (1, 1), PathRequest::to(at((5, 5))).with_options(options));
        app.update();
        assert_eq!(status(&app, agent), PathStatus::Failed(PathError::BadWeight), "a weight of {weight}");
    }
    assert!(PathError::BadWeight.to_string().contains("weight"), "the message names the setting");
}
