//! Paused time: requests are answered, and nothing moves.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    order::PathOutcome,
    prelude::*,
    solve::{SolveMode, SolveSettings},
};

use crate::support::*;

fn pause(app: &mut App) {
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
}

fn unpause(app: &mut App) {
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
}

#[test]
fn while_paused_requests_are_answered_and_agents_stand() {
    for mode in MODES {
        let mut app = app(mode);
        spawn_grid(&mut app, open(20, 20));
        let walker = send(&mut app, (2, 2), (15, 2));
        until(&mut app, "it walks", |app| position(app, walker).x > 4.0);
        pause(&mut app);
        let stands = position(&app, walker);
        let fresh = send(&mut app, (2, 8), (15, 8));
        order(&mut app, walker, at((4, 15)));
        let leads_to = |app: &App, agent, goal| has_path(app, agent) && path_end(app, agent) == at(goal);
        until(&mut app, "both have paths", |app| {
            leads_to(app, fresh, (15, 8)) && leads_to(app, walker, (4, 15))
        });
        ticks(&mut app, 20);
        assert_eq!(position(&app, walker), stands, "{mode:?}: nobody moves");
        assert_eq!(position(&app, fresh), at((2, 8)), "{mode:?}: nobody moves");
        unpause(&mut app);
        all_arrive(&mut app, &[fresh, walker]);
    }
}

#[test]
fn a_speed_of_zero_is_a_pause() {
    let (mut app, _) = app_on(open(20, 20));
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.0);
    let agent = send(&mut app, (2, 2), (15, 2));
    ticks(&mut app, 3);
    assert!(has_path(&app, agent), "its path is found");
    assert_eq!(position(&app, agent), at((2, 2)), "and not walked");
}

#[test]
fn while_paused_the_map_can_be_edited() {
    let (mut app, nav) = app_on(grid("...\n...\n..."));
    let cart = (Obstacle::cuboid(Vec3::new(0.4, 1.4, 0.0)).carved(), Transform::from_xyz(1.5, 1.5, 0.0));
    let cart = app.world_mut().spawn(cart).id();
    pause(&mut app);
    let agent = send(&mut app, (0, 0), (2, 0));
    ticks(&mut app, 3);
    let reaches = |app: &App| path(app, agent).outcome() == PathOutcome::Complete;
    assert!(!reaches(&app), "the cart shuts the way");
    app.world_mut().despawn(cart);
    ticks(&mut app, 20);
    assert!(reaches(&app), "the cart is gone, and the way is open");
    edit(&mut app, nav, (1, 0), Terrain::WALL);
    ticks(&mut app, 20);
    let path = path(&app, agent);
    assert!(path.waypoints().len() > 2, "it leads round the wall that was built: {path:?}");
    assert_eq!(position(&app, agent), at((0, 0)), "nobody moves");
}

#[test]
fn while_paused_deadlines_do_not_run() {
    let mut app = slow_app();
    spawn_grid(&mut app, walled(40));
    pause(&mut app);
    let agent = spawn_with(&mut app, (1, 1), PathRequest::to(at((38, 1))).with_deadline(5));
    ticks(&mut app, 50);
    assert_eq!(status(&app, agent), PathStatus::Searching, "its time has not begun");
    unpause(&mut app);
    ticks(&mut app, 20);
    assert_eq!(status(&app, agent), PathStatus::Failed(PathError::DeadlineExceeded), "it runs with time");
}

#[test]
fn while_paused_the_plugin_can_be_switched_off() {
    let mut app = app(SolveMode::Inline);
    app.world_mut().resource_mut::<NavSettings>().while_paused = false;
    spawn_grid(&mut app, open(20, 20));
    pause(&mut app);
    let agent = send(&mut app, (2, 2), (15, 2));
    ticks(&mut app, 20);
    assert!(!has_path(&app, agent), "nothing is searched");
    unpause(&mut app);
    ticks(&mut app, 3);
    assert_eq!(status(&app, agent), PathStatus::Following, "until time goes on");
}

#[test]
fn stages_in_a_schedule_that_is_not_fixed_run_once_a_frame() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::new(Update)))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.update();
    spawn_grid(&mut app, open(20, 20));
    pause(&mut app);
    let agent = send(&mut app, (2, 2), (15, 2));
    ticks(&mut app, 10);
    assert!(has_path(&app, agent), "its path is found");
    assert_eq!(position(&app, agent), at((2, 2)), "and not walked");
}

/// A checksum of agents' positions after some seconds of requests and edits, with pauses of this many frames.
fn run(frames_of_pause: usize) -> Checksum {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default());
    app.world_mut().resource_mut::<NavSettings>().while_paused = false;
    let nav = spawn_grid(&mut app, walled(24));
    let body = |row: i32| (AgentId(row as u64), Avoider::default());
    let agents: Vec<_> = (0..12).map(|row| spawn_with(&mut app, (2, 2 * row), body(row))).collect();
    let (mut random, mut sum) = (Random(3), Checksum::default());
    for _ in 0..30 {
        for &agent in &agents {
            if random.below(4) == 0 {
                let goal = at((random.below(24) as i32, random.below(24) as i32));
                order(&mut app, agent, goal);
            }
        }
        let terrain = if random.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
        edit(&mut app, nav, (random.below(24) as i32, random.below(24) as i32), terrain);
        ticks(&mut app, 20);
        pause(&mut app);
        ticks(&mut app, frames_of_pause);
        unpause(&mut app);
        agents.iter().for_each(|&agent| sum.add(position(&app, agent)));
    }
    sum
}

#[test]
fn the_length_of_a_pause_does_not_change_the_run() {
    let without = run(0);
    assert_eq!(run(1), without, "a pause of one frame");
    assert_eq!(run(17), without, "a pause of many");
}

#[test]
fn an_agent_of_speed_0_waits_and_goes_on_when_it_has_its_speed_back() {
    fn speed(app: &mut App, agent: Entity, speed: f32) {
        app.world_mut().get_mut::<Agent>(agent).unwrap().speed = speed;
    }
    for mode in MODES {
        let mut app = app(mode);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, walled(20));
        let still = || (Agent { speed: 0.0, ..default() }, Avoider::default());
        let walker = send(&mut app, (2, 2), (7, 17));
        let fresh = spawn_with(&mut app, (4, 2), still());
        order(&mut app, fresh, at((4, 17)));
        let prey = spawn_agent(&mut app, (17, 2));
        let hunter = spawn_with(&mut app, (6, 2), (still(), Pursuer::line_of_sight(prey)));
        let in_sight = spawn_with(&mut app, (12, 3), (still(), Pursuer::intercept(prey)));
        let goal = app.world_mut().spawn(Transform::from_translation(at((15, 17)))).id();
        let field = app.world_mut().spawn(FlowField::to(goal)).id();
        let follower = spawn_with(&mut app, (15, 8), (still(), FollowField(field)));
        let flyer = spawn_with(&mut app, (8, 4), (still(), Airborne, PathRequest::to(at((16, 12)))));
        ticks(&mut app, 32);
        speed(&mut app, walker, 0.0);
        ticks(&mut app, 32);
        let all = [walker, fresh, hunter, in_sight, follower, flyer];
        let stand = all.map(|agent| position(&app, agent));
        order(&mut app, walker, at((2, 17)));
        ticks(&mut app, 64 * 6);
        assert_eq!(all.map(|agent| position(&app, agent)), stand, "{mode:?}: nobody moves");
        let failed =
            |app: &App| logged_events(app).iter().any(|event| matches!(event, LoggedEvent::Failed(..)));
        assert!(!failed(&app), "{mode:?}: nobody has failed");
        for agent in all {
            speed(&mut app, agent, 5.0);
        }
        all_arrive(&mut app, &[walker, fresh, flyer]);
        assert!(position(&app, walker).distance(at((2, 17))) < 0.6, "{mode:?}: where it was sent last");
        until(&mut app, "the follower is at its goal", |app| {
            position(app, follower).distance(at((15, 17))) < 0.8
        });
        until(&mut app, "the prey is caught", |app| {
            [hunter, in_sight].iter().all(|&hunter| count(app, &LoggedEvent::Caught(hunter, prey)) > 0)
        });
        assert!(!failed(&app), "{mode:?}: nobody has failed");
    }
}
