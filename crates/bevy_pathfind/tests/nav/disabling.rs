//! Disabled entities: pooled agents, and grids that are switched off.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings},
};

use crate::support::*;

/// A disabling component of the application, with sparse-set storage.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Frozen;

fn disable(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).insert(Disabled);
}

fn enable(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).remove::<Disabled>();
}

/// An application with a disabling component in sparse-set storage.
fn freezing_app() -> App {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Frozen>();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.update();
    app
}

#[test]
fn a_disabling_component_in_a_sparse_set_is_like_any_other() {
    let mut app = freezing_app();
    spawn_grid(&mut app, open(20, 20));
    let walkers: Vec<_> = (0..6)
        .map(|row| {
            let agent = send(&mut app, (2, 2 + 2 * row), (15, 2 + 2 * row));
            if row % 2 == 0 {
                app.world_mut().entity_mut(agent).insert(Avoider::default());
            }
            agent
        })
        .collect();
    let frozen = &walkers[2..4];
    ticks(&mut app, 40);
    for &agent in frozen {
        app.world_mut().entity_mut(agent).insert(Frozen);
    }
    let places: Vec<_> = frozen.iter().map(|&agent| position(&app, agent)).collect();
    ticks(&mut app, 64 * 6);
    for (&agent, place) in frozen.iter().zip(places) {
        assert_eq!(position(&app, agent), place, "{agent} is frozen");
        app.world_mut().entity_mut(agent).remove::<Frozen>();
    }
    ticks(&mut app, 64 * 6);
    for (row, &agent) in (0..).zip(&walkers) {
        stands_at(&app, agent, (15, 2 + 2 * row), 0.2);
    }
}

#[test]
fn an_agent_may_be_replaced_by_another_within_a_tick() {
    let (mut app, _) = app_on(open(40, 9));
    let [a, b] = [10, 30].map(|column| spawn_with(&mut app, (column, 4), Avoider::default()));
    ticks(&mut app, 5);
    disable(&mut app, b);
    ticks(&mut app, 5);
    enable(&mut app, b);
    disable(&mut app, a);
    order(&mut app, b, at((2, 4)));
    let mut strayed: f32 = 0.0;
    for _ in 0..64 * 9 {
        app.update();
        strayed = strayed.max((position(&app, b).y - 4.5).abs());
    }
    stands_at(&app, b, (2, 4), 0.2);
    assert!(strayed < 0.05, "nobody was in its way: it strayed by {strayed}");
}

#[test]
fn orders_wait_for_a_grid_that_is_disabled_and_go_on() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, open(20, 20));
        let (walker, there) = (send(&mut app, (2, 2), (15, 2)), send(&mut app, (2, 5), (3, 5)));
        until(&mut app, "one has arrived, the other walks", |app| {
            status(app, there) == PathStatus::Arrived && status(app, walker) == PathStatus::Following
        });
        ticks(&mut app, 20);
        disable(&mut app, nav);
        ticks(&mut app, 30);
        assert_eq!(status(&app, walker), PathStatus::Waiting, "it waits for the grid");
        assert_eq!(velocity(&app, walker), Vec3::ZERO, "standing");
        assert_eq!(status(&app, there), PathStatus::Arrived, "who had arrived has arrived");
        enable(&mut app, nav);
        all_arrive(&mut app, &[walker]);
        stands_at(&app, walker, (15, 2), 0.2);
        let is_failure = |event: &LoggedEvent| matches!(event, LoggedEvent::Failed(..));
        assert!(!logged_events(&app).iter().any(is_failure), "nobody was told of a failure");
    }
}

#[test]
fn an_order_given_on_a_disabled_grid_waits_for_it() {
    let (mut app, nav) = app_on(open(20, 20));
    let (tied, free) = (spawn_with(&mut app, (2, 2), OnGrid(nav)), spawn_agent(&mut app, (2, 6)));
    disable(&mut app, nav);
    ticks(&mut app, 3);
    order(&mut app, tied, at((15, 2)));
    order(&mut app, free, at((15, 6)));
    ticks(&mut app, 10);
    assert_eq!(status(&app, tied), PathStatus::Waiting, "it is known which grid it waits for");
    assert_eq!(status(&app, free), PathStatus::Failed(PathError::NoGrid), "it stands on none that is known");
    enable(&mut app, nav);
    ticks(&mut app, 64 * 5);
    stands_at(&app, tied, (15, 2), 0.2);
    stands_at(&app, free, (15, 6), 0.2);
}

#[test]
fn a_search_for_a_grid_that_is_disabled_begins_again() {
    let mut app = slow_app();
    let nav = spawn_grid(&mut app, walled(40));
    let agents = [1, 5].map(|row| send(&mut app, (2, row), (37, row)));
    ticks(&mut app, 3);
    assert_eq!(status(&app, agents[0]), PathStatus::Searching, "its search has begun");
    disable(&mut app, nav);
    set_expansions(&mut app, 100_000);
    ticks(&mut app, 10);
    assert_eq!(agents.map(|agent| status(&app, agent)), [PathStatus::Waiting; 2]);
    enable(&mut app, nav);
    ticks(&mut app, 3);
    assert_eq!(agents.map(|agent| status(&app, agent)), [PathStatus::Following; 2]);
}

#[test]
fn a_grid_that_is_disabled_may_be_edited_or_removed() {
    let (mut app, nav) = app_on(open(20, 20));
    let [walker, other] = [2, 12].map(|row| send(&mut app, (2, row), (17, row)));
    ticks(&mut app, 10);
    disable(&mut app, nav);
    ticks(&mut app, 10);
    wall(&mut app, nav, (10, 0), (10, 18));
    enable(&mut app, nav);
    ticks(&mut app, 2);
    assert!(path(&app, walker).waypoints().iter().any(|point| point.y > 19.0), "it leads round the wall");
    disable(&mut app, nav);
    ticks(&mut app, 10);
    app.world_mut().despawn(nav);
    ticks(&mut app, 10);
    for agent in [walker, other] {
        assert_eq!(status(&app, agent), PathStatus::Failed(PathError::GridRemoved), "it waits no longer");
        assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::GridRemoved)), 1, "told once");
    }
}

#[test]
fn an_answer_for_a_disabled_agent_is_searched_again() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = limited_app(mode, 2_000);
        spawn_grid(&mut app, walled(200));
        let agents = [2, 5, 8, 11].map(|row| send(&mut app, (2, row), (197, row)));
        until(&mut app, "a search has begun", |app| {
            agents.iter().any(|&agent| status(app, agent) == PathStatus::Searching)
        });
        agents.iter().for_each(|&agent| disable(&mut app, agent));
        set_expansions(&mut app, 1_000_000);
        until(&mut app, "the searches are over", |app| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            stats(app).waiting + stats(app).running == 0
        });
        ticks(&mut app, 5);
        agents.iter().for_each(|&agent| enable(&mut app, agent));
        until(&mut app, "all have their paths", |app| {
            agents.iter().all(|&agent| status(app, agent) == PathStatus::Following)
        });
    }
}

#[test]
fn an_order_given_to_a_disabled_agent_is_taken_up_when_it_is_enabled() {
    let (mut app, _) = app_on(open(20, 20));
    let fresh = spawn_agent(&mut app, (2, 2));
    let (changed, withdrawn) = (send(&mut app, (2, 6), (4, 6)), send(&mut app, (2, 10), (15, 10)));
    ticks(&mut app, 3);
    for agent in [fresh, changed, withdrawn] {
        disable(&mut app, agent);
    }
    ticks(&mut app, 3);
    order(&mut app, fresh, at((15, 2)));
    order(&mut app, changed, at((15, 6)));
    app.world_mut().entity_mut(withdrawn).remove::<PathRequest>();
    ticks(&mut app, 3);
    for agent in [fresh, changed, withdrawn] {
        enable(&mut app, agent);
    }
    ticks(&mut app, 64 * 5);
    stands_at(&app, fresh, (15, 2), 0.2);
    stands_at(&app, changed, (15, 6), 0.2);
    assert!(position(&app, withdrawn).x < 5.0, "its order was withdrawn");
    assert_eq!(status(&app, withdrawn), PathStatus::Idle);
}

#[test]
fn an_enabled_agent_catches_up_on_changes() {
    let (mut app, nav) = app_on(open(20, 20));
    let moved = app.world_mut().spawn((NavGrid::new(open(20, 20)), Transform::from_xyz(40.0, 0.0, 0.0))).id();
    let lost = app.world_mut().spawn((NavGrid::new(open(20, 20)), Transform::from_xyz(80.0, 0.0, 0.0))).id();
    let agents = [0.0, 40.0, 80.0].map(|x| {
        let (place, goal) = (Vec3::new(x + 2.5, 2.5, 0.0), Vec3::new(x + 17.5, 2.5, 0.0));
        let place = Transform::from_translation(place);
        app.world_mut().spawn((Agent::default(), place, PathRequest::to(goal))).id()
    });
    ticks(&mut app, 10);
    agents.iter().for_each(|&agent| disable(&mut app, agent));
    ticks(&mut app, 3);
    wall(&mut app, nav, (10, 0), (10, 18));
    app.world_mut().get_mut::<Transform>(moved).unwrap().translation.y = 1.0;
    app.world_mut().despawn(lost);
    ticks(&mut app, 3);
    agents.iter().for_each(|&agent| enable(&mut app, agent));
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agents[0])), 1, "the wall that was built is on its way");
    assert!(path(&app, agents[0]).waypoints().iter().any(|point| point.y > 19.0), "it leads round the wall");
    let is_moved = |point: &Vec3| point.y == 3.5;
    assert!(path(&app, agents[1]).waypoints().iter().all(is_moved), "it lies where the grid lies now");
    assert_eq!(status(&app, agents[2]), PathStatus::Failed(PathError::GridRemoved));
}
