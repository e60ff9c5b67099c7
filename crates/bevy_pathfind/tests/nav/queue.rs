//! The search queue: the order of service, shared searches, the cache, and goals outside of grids.

use bevy::prelude::*;
use bevy_pathfind::{
    motion::MotionPlugin,
    order::{Algorithm, PathOutcome},
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    world::Grid,
};

use crate::support::*;

#[test]
fn a_missed_deadline_fails_once() {
    let mut app = slow_app();
    spawn_grid(&mut app, walled(40));
    let agent = spawn_with(&mut app, (1, 1), PathRequest::to(at((38, 1))).with_deadline(5));
    ticks(&mut app, 5);
    assert_eq!(status(&app, agent), PathStatus::Searching, "its time is not up");
    ticks(&mut app, 20);
    assert_eq!(status(&app, agent), PathStatus::Failed(PathError::DeadlineExceeded));
    assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::DeadlineExceeded)), 1, "it is told once");
    let SolveStats { late, waiting, running, .. } = *stats(&app);
    assert_eq!((late, waiting, running), (1, 0, 0), "the work is dropped");
}

#[test]
fn waiting_and_searching_are_distinct_statuses() {
    let mut app = slow_app();
    spawn_grid(&mut app, walled(40));
    let agents = [(1, 1), (2, 5), (3, 9)].map(|(from, to)| send(&mut app, (1, from), (38, to)));
    ticks(&mut app, 3);
    let statuses = agents.map(|agent| status(&app, agent));
    assert_eq!(statuses, [PathStatus::Searching, PathStatus::Waiting, PathStatus::Waiting]);
    assert_eq!((stats(&app).running, stats(&app).waiting), (1, 2), "as the figures say");
}

#[test]
fn a_near_deadline_overtakes() {
    let mut app = limited_app(SolveMode::Sliced, 50);
    spawn_grid(&mut app, walled(16));
    let [first, second] = [1, 2].map(|row| send(&mut app, (1, row), (14, 1)));
    let hasty = spawn_with(&mut app, (1, 3), PathRequest::to(at((14, 1))).with_deadline(60));
    until(&mut app, "all are answered", |app| stats(app).answered == 3);
    assert_eq!(found(&app), [hasty, first, second], "who has least time comes first");
}

#[test]
fn a_long_search_lets_short_ones_pass_on_one_thread() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = limited_app(mode, 2_000);
        spawn_grid(&mut app, walled(900));
        let far = send(&mut app, (2, 2), (897, 2));
        app.update();
        let near = [5, 6, 7, 8, 9].map(|row| send(&mut app, (5, row), (9, 7)));
        until(&mut app, "the short ones are answered", |app| near.iter().all(|&it| has_path(app, it)));
        if mode == SolveMode::Sliced {
            assert!(!has_path(&app, far), "the long search still runs");
        }
        set_expansions(&mut app, 2_000_000);
        until(&mut app, "the long one is answered too", |app| has_path(app, far));
    }
}

#[test]
fn an_equal_request_on_an_equal_map_uses_the_cache() {
    let (mut app, nav) = app_on(walled(30));
    let ask = |app: &mut App| {
        let agent = send(app, (2, 2), (27, 2));
        app.update();
        path(app, agent).waypoints().to_vec()
    };
    let first = ask(&mut app);
    assert_eq!(ask(&mut app), first, "the answer is the same");
    assert_eq!((stats(&app).cache_hits, stats(&app).last.as_ref().map(|last| last.cached)), (1, Some(true)));
    edit(&mut app, nav, (28, 28), Terrain::WALL);
    ask(&mut app);
    assert_eq!(stats(&app).cache_hits, 1, "on another map it is searched anew");
}

#[test]
fn requests_of_two_kinds_in_turn_share_two_searches() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default());
    spawn_grid(&mut app, walled(60));
    app.world_mut().resource_mut::<AgentKinds>().add(AgentKind::default()).unwrap();
    for i in 0..200 {
        let body = Agent { kind: KindId(i as u8 % 2), ..default() };
        spawn_with(&mut app, (2 + i % 20, 2 + i / 20), (body, PathRequest::to(at((57, 2)))));
    }
    app.update();
    let stats = stats(&app);
    assert_eq!((stats.shared, stats.shared_requests, stats.finished), (2, 200, 2));
}

#[test]
fn equal_goals_share_one_search_without_longer_paths() {
    let paths = |shares: bool| {
        let mut app = app(SolveMode::Inline);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, walled(60));
        let agents: Vec<_> = (0..200).map(|i| spawn_agent(&mut app, (2 + i % 20, 2 + i / 20))).collect();
        for &agent in &agents {
            order(&mut app, agent, at((57, 2)));
            if !shares {
                app.update();
            }
        }
        app.update();
        assert!(agents.iter().all(|&agent| has_path(&app, agent)), "every request is answered");
        (path(&app, agents[0]).cost(), stats(&app).clone())
    };
    let ((together, shared), (alone, own)) = (paths(true), paths(false));
    assert_eq!((shared.shared, shared.shared_requests, shared.finished), (1, 200, 1), "one search for all");
    assert_eq!(shared.last.unwrap().served, 200, "it says how many it served");
    assert!(own.shared == 0 && own.finished + own.cache_hits >= 200, "one by one they are not shared");
    assert!((together - alone).abs() < 1e-3, "who did not walk meanwhile has a path of the same cost");
}

#[test]
fn a_request_with_other_options_since_it_was_made_shares_no_search() {
    let mut app = slow_app();
    app.insert_resource(SearchOptions::default());
    spawn_grid(&mut app, walled(60));
    send(&mut app, (2, 50), (57, 50));
    app.update();
    let agents: Vec<_> = (0..60).map(|i| send(&mut app, (2 + i % 20, 2 + i / 20), (57, 2))).collect();
    app.update();
    for &agent in &agents {
        assert_eq!(status(&app, agent), PathStatus::Waiting, "another search comes first");
        let mut request = app.world_mut().get_mut::<PathRequest>(agent).unwrap();
        request.options = Some(SearchOptions { algorithm: Algorithm::Theta, ..default() });
    }
    set_expansions(&mut app, 1_000_000);
    until(&mut app, "all are answered", |app| agents.iter().all(|&agent| has_path(app, agent)));
    assert_eq!(stats(&app).shared, 0, "Theta* was asked for, from each start");
}

#[test]
fn of_several_goals_the_cheapest_to_reach_wins() {
    let (mut app, _) = app_on(walled(40));
    // The first goal is behind the wall: nearer in a straight line, farther by path.
    let goals = NavGoal::any_of(&[Vec3::new(23.25, 2.5, 0.0), Vec3::new(4.25, 6.5, 0.0)]).unwrap();
    let agent = spawn_with(&mut app, (15, 2), PathRequest::to(goals));
    ticks(&mut app, 64 * 6);
    assert!(position(&app, agent).distance(Vec3::new(4.25, 6.5, 0.0)) < 0.15, "to the very point");
    assert_eq!(path(&app, agent).outcome(), PathOutcome::Complete);
}

#[test]
fn within_a_radius_is_near_enough() {
    let (mut app, _) = app_on(Grid::new(40, 40).unwrap());
    let agent = spawn_with(&mut app, (2, 20), PathRequest::to(NavGoal::within(at((30, 20)), 6.0)));
    ticks(&mut app, 64 * 7);
    assert_eq!(status(&app, agent), PathStatus::Arrived);
    let left = position(&app, agent).distance(at((30, 20)));
    assert!((5.0..=6.1).contains(&left), "it stops as soon as it is near enough: {left}");
}

#[test]
fn an_order_to_an_entity_follows_it() {
    let (mut app, _) = app_on(walled(40));
    let target = spawn_agent(&mut app, (10, 30));
    let agent = spawn_with(&mut app, (2, 2), PathRequest::to(target));
    ticks(&mut app, 64 * 8);
    stands_at(&app, agent, (10, 30), 1.6);
    let searches = stats(&app).finished;
    ticks(&mut app, 64);
    assert_eq!(stats(&app).finished, searches, "as long as the target stays nothing is searched");
    order(&mut app, target, at((35, 5)));
    ticks(&mut app, 64 * 30);
    let gap = position(&app, agent).distance(position(&app, target));
    assert!(gap < 3.0, "it followed round the wall: {gap}");
    assert!(stats(&app).finished < searches + 100, "lazily: {} searches", stats(&app).finished - searches);
    order(&mut app, target, at((35, 30)));
    ticks(&mut app, 64);
    app.world_mut().despawn(target);
    ticks(&mut app, 64);
    let told = count(&app, &LoggedEvent::Failed(agent, PathError::TargetGone));
    assert_eq!(told, 1, "it hears once that it is gone");
}

#[test]
fn an_agent_that_cannot_move_is_stuck_once() {
    #[derive(Resource, Default)]
    struct Stuck(Vec<Entity>);
    let mut app = App::new();
    let plugins = PathfindPlugins::default().build().disable::<MotionPlugin>();
    app.add_plugins((MinimalPlugins, plugins))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Stuck>()
        .add_observer(|on: On<AgentStuck>, mut stuck: ResMut<Stuck>| stuck.0.push(on.entity));
    app.update();
    spawn_grid(&mut app, Grid::new(20, 20).unwrap());
    let agent = send(&mut app, (2, 2), (15, 15));
    app.world_mut().resource_mut::<SolveSettings>().mode = SolveMode::Inline;
    ticks(&mut app, 64);
    assert!(stats(&app).answered >= 2, "first it asks for another path");
    ticks(&mut app, 64 * 9);
    assert_eq!(app.world().resource::<Stuck>().0, [agent], "then it says so, once");
    assert!(stats(&app).answered < 10, "and does not ask without end: {}", stats(&app).answered);
}

#[test]
fn latency_and_hits_are_measured() {
    let mut app = app(SolveMode::Inline);
    let mut slow = slow_app();
    for app in [&mut app, &mut slow] {
        spawn_grid(app, walled(12));
        send(app, (1, 1), (10, 1));
    }
    app.update();
    assert_eq!((stats(&app).answered, stats(&app).latency_p99), (1, 0), "inline there is no wait");
    until(&mut slow, "it is answered", |app| stats(app).answered == 1);
    assert!(stats(&slow).latency_p50 > 20, "a cell a tick takes long: {} ticks", stats(&slow).latency_p50);
}
