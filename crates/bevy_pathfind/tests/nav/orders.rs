//! One way to go, to stop and to hear, whichever way an agent goes.

use bevy::prelude::*;
use bevy_pathfind::{order::Arrival, prelude::*, world::Grid};

use crate::support::*;

/// All arrivals, and the queues that have ended.
#[derive(Resource, Default)]
struct Heard {
    arrivals: Vec<AgentArrived>,
    finished: Vec<Entity>,
}

fn orders_app(map: Grid) -> App {
    let (mut app, _) = app_on(map);
    app.init_resource::<Heard>()
        .add_observer(|on: On<AgentArrived>, mut heard: ResMut<Heard>| {
            heard.arrivals.push(on.event().clone())
        })
        .add_observer(|on: On<QueueFinished>, mut heard: ResMut<Heard>| heard.finished.push(on.entity));
    app
}

fn arrivals(app: &App, agent: Entity) -> Vec<AgentArrived> {
    let heard = app.world().resource::<Heard>();
    heard.arrivals.iter().filter(|arrived| arrived.entity == agent).cloned().collect()
}

fn command(app: &mut App, agent: Entity, give: impl FnOnce(&mut EntityCommands)) {
    give(&mut app.world_mut().commands().entity(agent));
    app.world_mut().flush();
}

#[test]
fn an_order_takes_the_place_of_all_others_and_keeps_the_options_of_the_request() {
    let mut app = orders_app(open(30, 10));
    let prey = spawn_agent(&mut app, (28, 8));
    let field = app.world_mut().spawn(FlowField::to(at((28, 1)))).id();
    let others: [fn(&mut EntityWorldMut, Entity, Entity); 5] = [
        |agent, _, _| _ = agent.insert(GoalQueue::ping_pong([at((1, 9)), at((9, 9))])),
        |agent, _, field| _ = agent.insert(FollowField(field)),
        |agent, prey, _| _ = agent.insert(Pursuer::line_of_sight(prey)),
        |agent, _, _| _ = agent.insert(Behavior::wander()),
        |agent, _, _| _ = agent.insert(ManualVelocity(Vec3::Y)),
    ];
    for (case, give) in others.into_iter().enumerate() {
        let agent = spawn_with(&mut app, (2, 5), PathRequest::to(at((9, 2))).with_priority(3));
        give(&mut app.world_mut().entity_mut(agent), prey, field);
        ticks(&mut app, 20);
        command(&mut app, agent, |agent| _ = agent.go_to(at((5, 5))));
        arrives(&mut app, agent, at((5, 5)));
        assert_eq!(app.world().get::<PathRequest>(agent).unwrap().priority, 3, "case {case}");
        ticks(&mut app, 64);
        assert!(position(&app, agent).distance(at((5, 5))) < 0.3, "case {case}: it stays there");
        give(&mut app.world_mut().entity_mut(agent), prey, field);
        ticks(&mut app, 20);
        command(&mut app, agent, |agent| _ = agent.stop());
        ticks(&mut app, 64);
        let stood = position(&app, agent);
        ticks(&mut app, 64);
        assert_eq!(position(&app, agent), stood, "case {case}: it stands");
        assert_eq!(status(&app, agent), PathStatus::Idle, "case {case}");
        app.world_mut().despawn(agent);
    }
    let gone = spawn_agent(&mut app, (2, 2));
    app.world_mut().despawn(gone);
    command(&mut app, gone, |agent| _ = agent.go_to(Vec3::X).teleport_to(Vec3::X).stop());
}

#[test]
fn every_way_to_a_goal_ends_in_one_arrival_that_says_where() {
    let mut app = orders_app(open(30, 10));
    let field = app.world_mut().spawn(FlowField::to(at((20, 5)))).id();
    let by_path = spawn_with(&mut app, (2, 2), PathRequest::to(at((20, 5))));
    let by_field = spawn_with(&mut app, (2, 4), FollowField(field));
    let by_air = spawn_with(&mut app, (2, 6), (Airborne, PathRequest::to(at((20, 5)))));
    let straight = spawn_with(&mut app, (2, 8), Behavior::arrive(at((20, 5))));
    for agent in [by_path, by_field, by_air, straight] {
        until(&mut app, "it is there", |app| !arrivals(app, agent).is_empty());
        assert_eq!(status(&app, agent), PathStatus::Arrived);
    }
    ticks(&mut app, 64 * 3);
    for agent in [by_path, by_field, by_air, straight] {
        let [arrived] = &arrivals(&app, agent)[..] else { panic!("{:?}", arrivals(&app, agent)) };
        assert!(arrived.goal.distance(at((20, 5))) < 0.01, "{arrived:?}");
        assert_eq!(arrived.arrival, Arrival::AtGoal);
    }
    app.world_mut().entity_mut(by_field).remove::<FollowField>();
    app.world_mut().entity_mut(straight).remove::<Behavior>();
    assert_eq!([by_field, straight].map(|agent| status(&app, agent)), [PathStatus::Idle; 2]);
}

#[test]
fn followers_of_a_field_are_told_of_their_place_and_of_its_end() {
    let mut app = orders_app(open(30, 10));
    let nav = app.world_mut().query_filtered::<Entity, With<NavGrid>>().single(app.world()).unwrap();
    let field = app.world_mut().spawn(FlowField::to(at((20, 5)))).id();
    let crowd: Vec<_> = (0..14)
        .map(|i| spawn_with(&mut app, (1 + i % 7, 4 + i / 7), (Avoider::default(), FollowField(field))))
        .collect();
    until(&mut app, "all have arrived", |app| crowd.iter().all(|&it| !arrivals(app, it).is_empty()));
    ticks(&mut app, 64 * 5);
    let heard: Vec<_> = crowd.iter().map(|&it| arrivals(&app, it)).collect();
    assert!(heard.iter().all(|heard| heard.len() <= 2), "no flood: {heard:?}");
    let beside = heard.iter().flatten().filter_map(|it| match it.arrival {
        Arrival::BesideGoal { distance } => Some(distance),
        _ => None,
    });
    let beside: Vec<_> = beside.collect();
    assert!(!beside.is_empty() && beside.iter().all(|it| (0.3..4.0).contains(it)), "{beside:?}");

    let walker = spawn_with(&mut app, (2, 2), FollowField(field));
    ticks(&mut app, 10);
    assert_eq!(status(&app, walker), PathStatus::Following);
    let wall = |app: &mut App, terrain| {
        (0..10).for_each(|y| edit(app, nav, (10, y), terrain));
        ticks(app, 32);
    };
    wall(&mut app, Terrain::WALL);
    assert_eq!(status(&app, walker), PathStatus::Failed(PathError::Unreachable), "it is cut off");
    wall(&mut app, Terrain::GROUND);
    assert_eq!(status(&app, walker), PathStatus::Following, "and walks on");
    app.world_mut().despawn(field);
    ticks(&mut app, 64);
    assert_eq!(status(&app, walker), PathStatus::Failed(PathError::FieldGone));
    let failed = |error| count(&app, &LoggedEvent::Failed(walker, error));
    assert_eq!([failed(PathError::Unreachable), failed(PathError::FieldGone)], [1, 1], "each told once");
}

#[test]
fn the_end_of_a_queue_is_told_once() {
    let mut app = orders_app(grid(".......\n.....#.\n....#.#\n.....#."));
    let agent = spawn_with(&mut app, (1, 1), GoalQueue::to([at((3, 0)), at((5, 2)), at((0, 3))]));
    app.world_mut().entity_mut(agent).insert(PathRequest {
        options: Some(SearchOptions { allow_partial: false, ..default() }),
        ..PathRequest::to(at((2, 2)))
    });
    until(&mut app, "it ends", |app| !app.world().resource::<Heard>().finished.is_empty());
    ticks(&mut app, 64);
    assert_eq!(app.world().resource::<Heard>().finished, [agent]);
    assert_eq!(arrivals(&app, agent).last().unwrap().goal, at((0, 3)), "after the last visit");
    app.world_mut().get_mut::<GoalQueue>(agent).unwrap().goals.push(at((6, 0)).into());
    until(&mut app, "it ends again", |app| app.world().resource::<Heard>().finished.len() == 2);
    let rounds = spawn_with(&mut app, (1, 1), GoalQueue::looped([at((0, 0)), at((2, 0))]));
    ticks(&mut app, 64 * 10);
    assert!(arrivals(&app, rounds).len() > 4 && app.world().resource::<Heard>().finished.len() == 2);
}

#[test]
fn a_pursuit_keeps_the_order_of_the_agent_in_sight_and_out_of_sight() {
    for prey_at in [(6, 8), (35, 2)] {
        let mut app = orders_app(walled(40));
        let prey = spawn_agent(&mut app, prey_at);
        let request = PathRequest::to(at((2, 30))).with_priority(7);
        let hunter = spawn_with(&mut app, (2, 2), (request.clone(), Pursuer::line_of_sight(prey)));
        until(&mut app, "it is caught", |app| count(app, &LoggedEvent::Caught(hunter, prey)) > 0);
        assert_eq!(app.world().get::<PathRequest>(hunter), Some(&request), "prey at {prey_at:?}");
        app.world_mut().entity_mut(hunter).remove::<Pursuer>();
        ticks(&mut app, 2);
        arrives(&mut app, hunter, at((2, 30)));
        // Led away from where it was sent, it goes back.
        app.world_mut().entity_mut(hunter).insert(Pursuer::line_of_sight(prey));
        let caught = |app: &App| count(app, &LoggedEvent::Caught(hunter, prey));
        until(&mut app, "it is caught again", |app| caught(app) > 1);
        app.world_mut().entity_mut(hunter).remove::<Pursuer>();
        ticks(&mut app, 2);
        arrives(&mut app, hunter, at((2, 30)));
    }
}

#[test]
fn a_pursuer_shows_its_state_as_its_status() {
    let mut app = orders_app(open(30, 10));
    let prey = spawn_agent(&mut app, (20, 5));
    let hunter = spawn_agent(&mut app, (2, 5));
    assert_eq!(status(&app, hunter), PathStatus::Idle, "every agent has a status");
    app.world_mut().entity_mut(hunter).insert(Pursuer::line_of_sight(prey));
    ticks(&mut app, 10);
    assert_eq!(status(&app, hunter), PathStatus::Following);
    until(&mut app, "it is caught", |app| count(app, &LoggedEvent::Caught(hunter, prey)) > 0);
    ticks(&mut app, 2);
    assert_eq!(status(&app, hunter), PathStatus::Arrived);
    app.world_mut().despawn(prey);
    ticks(&mut app, 2);
    assert_eq!(status(&app, hunter), PathStatus::Idle);
}
