//! Disabled entities: pooled agents, and grids that are switched off.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

/// A disabling component of the application, with sparse-set storage.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Frozen;

fn open(width: u32, height: u32) -> Grid {
    Grid::new(width, height).expect("the size is within the limits")
}

fn disable(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).insert(Disabled);
}

fn enable(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).remove::<Disabled>();
}

fn velocity(app: &App, agent: Entity) -> Vec3 {
    app.world().get::<AgentVelocity>(agent).expect("it is an agent").0
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
            let agent = spawn_agent(&mut app, (2, 2 + 2 * row));
            if row % 2 == 0 {
                app.world_mut().entity_mut(agent).insert(Avoider::reciprocal());
            }
            order(&mut app, agent, at((15, 2 + 2 * row)));
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
    for (row, &agent) in walkers.iter().enumerate() {
        let place = position(&app, agent);
        assert!(place.distance(at((15, 2 + 2 * row as i32))) < 0.2, "agent {row} is there: {place}");
    }
}

#[test]
fn an_agent_may_be_replaced_by_another_within_a_tick() {
    let (mut app, _) = app_on(open(40, 9));
    let [a, b] = [10, 30].map(|column| {
        let agent = spawn_agent(&mut app, (column, 4));
        app.world_mut().entity_mut(agent).insert(Avoider::reciprocal());
        agent
    });
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
    assert!(position(&app, b).distance(at((2, 4))) < 0.2, "it has got there: {}", position(&app, b));
    assert!(strayed < 0.05, "nobody was in its way: it strayed by {strayed}");
}

#[test]
fn orders_wait_for_a_grid_that_is_disabled_and_go_on() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, open(20, 20));
        let [walker, there] = [2, 5].map(|row| spawn_agent(&mut app, (2, row)));
        order(&mut app, walker, at((15, 2)));
        order(&mut app, there, at((3, 5)));
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
        until(&mut app, "it goes on and arrives", |app| status(app, walker) == PathStatus::Arrived);
        assert!(position(&app, walker).distance(at((15, 2))) < 0.2);
        let failed =
            logged_events(&app).iter().filter(|event| matches!(event, LoggedEvent::Failed(..))).count();
        assert_eq!(failed, 0, "nobody was told of a failure: {:?}", logged_events(&app));
    }
}

#[test]
fn an_order_given_on_a_disabled_grid_waits_for_it() {
    let (mut app, nav) = app_on(open(20, 20));
    let [tied, free] = [2, 6].map(|row| spawn_agent(&mut app, (2, row)));
    app.world_mut().entity_mut(tied).insert(OnGrid(nav));
    disable(&mut app, nav);
    ticks(&mut app, 3);
    order(&mut app, tied, at((15, 2)));
    order(&mut app, free, at((15, 6)));
    ticks(&mut app, 10);
    assert_eq!(status(&app, tied), PathStatus::Waiting, "it is known which grid it waits for");
    assert_eq!(status(&app, free), PathStatus::Failed(PathError::NoGrid), "it stands on none that is known");
    enable(&mut app, nav);
    ticks(&mut app, 64 * 5);
    for (agent, row) in [(tied, 2), (free, 6)] {
        assert!(
            position(&app, agent).distance(at((15, row))) < 0.2,
            "it stands at {}",
            position(&app, agent)
        );
    }
}

#[test]
fn a_search_for_a_grid_that_is_disabled_begins_again() {
    let mut app = slow_app();
    let nav = spawn_grid(&mut app, walled(40));
    let [first, second] = [1, 5].map(|row| {
        let agent = spawn_agent(&mut app, (2, row));
        order(&mut app, agent, at((37, row)));
        agent
    });
    ticks(&mut app, 3);
    assert_eq!(status(&app, first), PathStatus::Searching, "its search has begun");
    disable(&mut app, nav);
    app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = 100_000;
    ticks(&mut app, 10);
    assert_eq!([first, second].map(|agent| status(&app, agent)), [PathStatus::Waiting; 2]);
    enable(&mut app, nav);
    ticks(&mut app, 3);
    assert_eq!([first, second].map(|agent| status(&app, agent)), [PathStatus::Following; 2]);
}

#[test]
fn a_grid_that_is_disabled_may_be_edited_or_removed() {
    let (mut app, nav) = app_on(open(20, 20));
    let [walker, other] = [2, 12].map(|row| {
        let agent = spawn_agent(&mut app, (2, row));
        order(&mut app, agent, at((17, row)));
        agent
    });
    ticks(&mut app, 10);
    disable(&mut app, nav);
    ticks(&mut app, 10);
    (0..19).for_each(|row| edit(&mut app, nav, (10, row), Terrain::WALL));
    enable(&mut app, nav);
    ticks(&mut app, 2);
    let path = app.world().get::<NavPath>(walker).expect("there is a way round");
    assert!(path.waypoints().iter().any(|point| point.y > 19.0), "it leads round the wall");
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
        let mut app = app(mode);
        let mut settings = app.world_mut().resource_mut::<SolveSettings>();
        (settings.workers, settings.expansions_per_frame) = (1, 2_000);
        spawn_grid(&mut app, walled(200));
        let agents: Vec<_> = (0..4)
            .map(|row| {
                let agent = spawn_agent(&mut app, (2, 2 + 3 * row));
                order(&mut app, agent, at((197, 2 + 3 * row)));
                agent
            })
            .collect();
        until(&mut app, "a search has begun", |app| {
            agents.iter().any(|&agent| status(app, agent) == PathStatus::Searching)
        });
        agents.iter().for_each(|&agent| disable(&mut app, agent));
        app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = 1_000_000;
        until(&mut app, "the searches are over", |app| {
            let stats = app.world().resource::<SolveStats>();
            std::thread::sleep(std::time::Duration::from_millis(50));
            stats.waiting + stats.running == 0
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
    let [fresh, changed, withdrawn] = [2, 6, 10].map(|row| spawn_agent(&mut app, (2, row)));
    order(&mut app, changed, at((4, 6)));
    order(&mut app, withdrawn, at((15, 10)));
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
    for (agent, row) in [(fresh, 2), (changed, 6)] {
        assert!(
            position(&app, agent).distance(at((15, row))) < 0.2,
            "it stands at {}",
            position(&app, agent)
        );
    }
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
    (0..19).for_each(|row| edit(&mut app, nav, (10, row), Terrain::WALL));
    app.world_mut().get_mut::<Transform>(moved).unwrap().translation.y = 1.0;
    app.world_mut().despawn(lost);
    ticks(&mut app, 3);
    agents.iter().for_each(|&agent| enable(&mut app, agent));
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agents[0])), 1, "the wall that was built is on its way");
    let path = app.world().get::<NavPath>(agents[0]).expect("there is a way round");
    assert!(path.waypoints().iter().any(|point| point.y > 19.0), "it leads round the wall");
    let path = app.world().get::<NavPath>(agents[1]).expect("its path is as good as it was");
    assert!(path.waypoints().iter().all(|point| point.y == 3.5), "and lies where the grid lies now");
    assert_eq!(status(&app, agents[2]), PathStatus::Failed(PathError::GridRemoved));
}
