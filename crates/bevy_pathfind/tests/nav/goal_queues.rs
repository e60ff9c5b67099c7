//! Queues of goals and patrols.

use bevy::prelude::*;
use bevy_pathfind::{order::Directions, prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

/// Which of some cells the agent comes to, in this order, within so many ticks.
fn visits(app: &mut App, agent: Entity, cells: &[(i32, i32)], most: usize) -> Vec<usize> {
    let mut visits = Vec::new();
    for _ in 0..most {
        ticks(app, 1);
        let place = position(app, agent);
        if let Some(here) = cells.iter().position(|&cell| place.distance(at(cell)) < 0.3)
            && visits.last() != Some(&here)
        {
            visits.push(here);
        }
    }
    visits
}

const CELLS: [(i32, i32); 3] = [(6, 1), (6, 6), (1, 6)];

#[test]
fn agents_go_round_to_and_fro_and_to_the_end() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        spawn_grid(&mut app, Grid::new(8, 8).unwrap());
        let goals = CELLS.map(at);
        let agent = spawn_with(&mut app, (1, 1), GoalQueue::looped(goals));
        let seen = visits(&mut app, agent, &CELLS, 64 * 15);
        assert!(
            seen.len() > 6 && seen.iter().enumerate().all(|(number, &cell)| cell == number % 3),
            "{seen:?}"
        );
        app.world_mut().despawn(agent);
        let agent = spawn_with(&mut app, (1, 1), GoalQueue::ping_pong(goals));
        let seen = visits(&mut app, agent, &CELLS, 64 * 15);
        let expected = [0, 1, 2, 1].into_iter().cycle();
        assert!(seen.len() > 6 && seen.iter().copied().eq(expected.take(seen.len())), "{seen:?}");
        app.world_mut().despawn(agent);
        let agent = spawn_with(&mut app, (1, 1), GoalQueue::to(goals));
        assert_eq!(visits(&mut app, agent, &CELLS, 64 * 12), [0, 1, 2]);
        app.world_mut().get_mut::<GoalQueue>(agent).unwrap().goals.push(at((3, 3)).into());
        assert_eq!(visits(&mut app, agent, &[(3, 3)], 64 * 4), [0], "what is added is visited too");
    }
}

#[test]
fn it_waits_at_each_goal_and_keeps_the_options_of_its_request() {
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    let options = SearchOptions { directions: Directions::Four, ..default() };
    let queue = GoalQueue::ping_pong([at((3, 1)), at((1, 1))]).with_wait(2.0);
    let request = PathRequest::to(at((3, 1))).with_options(options).with_priority(4);
    let agent = spawn_with(&mut app, (1, 1), queue);
    app.world_mut().entity_mut(agent).insert(request);
    let standing = (0..64 * 6).filter(|_| {
        ticks(&mut app, 1);
        velocity(&app, agent) == Vec3::ZERO
    });
    let standing = standing.count();
    assert!(standing > 64 * 4, "it stands for two seconds at each end: {standing} ticks");
    let request = app.world().get::<PathRequest>(agent).unwrap();
    assert_eq!((request.options, request.priority), (Some(options), 4));
    assert!(app.world().get::<GoalQueue>(agent).unwrap().next < 2);
}

#[test]
fn an_order_in_between_comes_first_and_a_removed_queue_gives_none() {
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::looped(CELLS.map(at)));
    ticks(&mut app, 8);
    order(&mut app, agent, at((1, 4)));
    let places = [CELLS[0], CELLS[1], CELLS[2], (1, 4)];
    let seen = visits(&mut app, agent, &places, 64 * 6);
    assert_eq!(seen[..3], [3, 0, 1], "the order, and then the round: {seen:?}");
    app.world_mut().entity_mut(agent).remove::<GoalQueue>();
    ticks(&mut app, 64 * 3);
    let stays = position(&app, agent);
    ticks(&mut app, 64 * 3);
    assert_eq!(position(&app, agent), stays);
}

#[test]
fn goals_without_a_path_are_left_out_and_nothing_is_asked_for_ever() {
    let mut app = app(SolveMode::Inline);
    let nav =
        spawn_grid(&mut app, grid("........\n........\n....####\n....#..#\n....####\n........\n........"));
    app.insert_resource(SearchOptions { allow_partial: false, ..default() });
    let walled = at((5, 3));
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::looped([at((6, 1)), walled, at((1, 6))]));
    let seen = visits(&mut app, agent, &[(6, 1), (5, 3), (1, 6)], 64 * 12);
    assert!(seen.len() > 3 && seen.iter().all(|&cell| cell != 1), "{seen:?}");
    let hopeless = spawn_with(&mut app, (1, 1), GoalQueue::looped([walled, at((6, 3))]));
    ticks(&mut app, 64);
    let before = stats(&app).finished;
    app.world_mut().entity_mut(agent).despawn();
    ticks(&mut app, 64 * 4);
    assert!(matches!(status(&app, hopeless), PathStatus::Failed(_)));
    assert!(stats(&app).finished < before + 8, "it asks no more");
    let failed = logged_events(&app).iter().filter(|event| matches!(event, LoggedEvent::Failed(..))).count();
    assert!(failed < 40, "{failed} failures were told");
    edit(&mut app, nav, (4, 3), Terrain::GROUND);
    app.world_mut().get_mut::<GoalQueue>(hopeless).unwrap().set_changed();
    let seen = visits(&mut app, hopeless, &[(5, 3), (6, 3)], 64 * 6);
    assert!(seen.len() > 2, "the wall has a door: {seen:?}");
    let strange =
        GoalQueue { wait: f32::NAN, next: usize::MAX, ..GoalQueue::ping_pong([Vec3::NAN, Vec3::INFINITY]) };
    let strange = spawn_with(&mut app, (1, 1), strange);
    ticks(&mut app, 64);
    assert!(position(&app, strange).is_finite());
}

#[test]
fn a_request_during_a_stay_comes_first_too() {
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::ping_pong([at((2, 1)), at((5, 1))]).with_wait(5.0));
    ticks(&mut app, 2);
    until(&mut app, "it stays at its post", |app| status(app, agent) == PathStatus::Arrived);
    order(&mut app, agent, at((2, 6)));
    assert_eq!(visits(&mut app, agent, &[(2, 6), (2, 1)], 64 * 4), [1, 0, 1], "there, and back to its post");
}

#[test]
fn another_queue_ends_what_the_old_one_has_requested() {
    let (mut app, _) = app_on(Grid::new(20, 8).unwrap());
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::to([at((18, 1))]));
    ticks(&mut app, 30);
    app.world_mut().entity_mut(agent).insert(GoalQueue::to([at((1, 6))]));
    assert_eq!(visits(&mut app, agent, &[(18, 1), (1, 6)], 64 * 10), [1]);
    // A request of the user's own is served first.
    order(&mut app, agent, at((18, 1)));
    ticks(&mut app, 30);
    app.world_mut().entity_mut(agent).insert(GoalQueue::to([at((1, 1))]));
    assert_eq!(visits(&mut app, agent, &[(18, 1), (1, 1)], 64 * 20), [0, 1]);
}

#[test]
fn the_queue_rests_during_a_pursuit() {
    let mut app = app(SolveMode::Inline);
    // The target cannot be reached: the pursuer's own request ends short of it.
    spawn_grid(&mut app, grid(&format!("{}\n", "......#.").repeat(8)));
    let target = app.world_mut().spawn(Transform::from_translation(at((7, 6)))).id();
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::ping_pong([at((1, 1)), at((1, 3))]));
    ticks(&mut app, 20);
    app.world_mut().entity_mut(agent).insert(Pursuer::line_of_sight(target));
    ticks(&mut app, 64 * 5);
    assert!(position(&app, agent).distance(at((5, 6))) < 1.0, "it waits before the wall");
    app.world_mut().entity_mut(agent).remove::<Pursuer>();
    let posts = visits(&mut app, agent, &[(1, 1), (1, 3)], 64 * 10);
    assert!(posts.len() > 2, "and goes back to its patrol: {posts:?}");
}

/// A room with a closet of `width` columns at its left, whose door is at (10, 4).
fn closet(width: i32) -> Grid {
    let is_wall = |x: i32, y: i32| x == 10 || (x < 10 && (x < 10 - width || y != 4));
    let terrain = |cell: GridCell| match is_wall(cell.x, cell.y) && cell != GridCell::new(10, 4) {
        true => Terrain::WALL,
        false => Terrain::GROUND,
    };
    Grid::from_fn(30, 9, terrain).unwrap()
}

#[test]
fn a_patrol_outlives_a_freeze_and_a_shut_door() {
    let goals = [(20, 7), (25, 4), (15, 2)];
    for is_frozen in [true, false] {
        for queue in [GoalQueue::looped(goals.map(at)), GoalQueue::ping_pong(goals.map(at))] {
            let (mut app, nav) = app_on(closet(8));
            app.insert_resource(SearchOptions { allow_partial: false, ..default() });
            let agent = spawn_with(&mut app, (3, 4), queue);
            ticks(&mut app, 60);
            for [speed, door] in [[0.0, 1.0], [5.0, 0.0]] {
                match is_frozen {
                    true => app.world_mut().get_mut::<Agent>(agent).unwrap().speed = speed,
                    false => edit(&mut app, nav, (10, 4), [Terrain::GROUND, Terrain::WALL][door as usize]),
                }
                ticks(&mut app, 64 * 4);
            }
            let seen = visits(&mut app, agent, &goals, 64 * 20);
            assert!(seen.len() > 6, "frozen: {is_frozen}: it goes its rounds: {seen:?}");
            let failed = logged_events(&app).iter().any(|event| matches!(event, LoggedEvent::Failed(..)));
            assert_eq!(failed, !is_frozen, "a speed of 0 is no failure");
        }
    }
}

#[test]
fn orders_wait_for_an_agent_that_cannot_have_a_path_yet() {
    let mut app = app(SolveMode::Inline);
    let late = spawn_with(&mut app, (1, 1), GoalQueue::to(CELLS.map(at)));
    ticks(&mut app, 64 * 3);
    let failures = logged_events(&app).len();
    assert!(failures <= 4, "it is told once a second: {failures}");
    spawn_grid(&mut app, Grid::new(8, 8).unwrap());
    let frozen = spawn_with(&mut app, (1, 1), (Agent::new(0.0), GoalQueue::to(CELLS.map(at))));
    assert_eq!(visits(&mut app, late, &CELLS, 64 * 8), [0, 1, 2]);
    assert_eq!(position(&app, frozen), at((1, 1)));
    app.world_mut().despawn(late);
    app.world_mut().entity_mut(frozen).insert(Agent::default());
    assert_eq!(visits(&mut app, frozen, &CELLS, 64 * 8), [0, 1, 2]);
}

#[test]
fn a_patrol_that_cannot_move_tries_one_goal_a_second() {
    for allow_partial in [true, false] {
        for (width, size) in [(1, 1), (4, 1), (4, 4)] {
            let (mut app, nav) = app_on(closet(width));
            app.insert_resource(SearchOptions { allow_partial, ..default() });
            edit(&mut app, nav, (10, 4), Terrain::WALL);
            let goals = [(20, 4), (27, 2)];
            let queue = || (GoalQueue::ping_pong(goals.map(at)), Avoider::contact());
            let agents: Vec<_> = (0..size).map(|i| spawn_with(&mut app, (9 - i, 4), queue())).collect();
            ticks(&mut app, 64 * 5);
            let before = logged_events(&app).len();
            ticks(&mut app, 64 * 10);
            let events = logged_events(&app).len() - before;
            let most = 25 * agents.len();
            assert!(events <= most, "partial paths: {allow_partial}, {size} in {width}: {events} events");
            edit(&mut app, nav, (10, 4), Terrain::GROUND);
            ticks(&mut app, 64 * 20);
            for agent in agents {
                let arrivals = count(&app, &LoggedEvent::Arrived(agent));
                assert!(arrivals > 3, "partial paths: {allow_partial}: {arrivals} once the door is open");
            }
        }
    }
    // A single goal, where the agent stands.
    let (mut app, _) = app_on(Grid::new(8, 8).unwrap());
    spawn_with(&mut app, (1, 1), GoalQueue::looped([at((1, 1))]));
    ticks(&mut app, 64 * 10);
    assert!(logged_events(&app).len() <= 25, "{} events", logged_events(&app).len());
}
