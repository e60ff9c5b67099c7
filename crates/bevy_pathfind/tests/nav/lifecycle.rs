//! Changes of the world during a search.

use bevy::prelude::*;
use bevy_pathfind::{order::PathOutcome, prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

/// Applications in which a search has begun and is far from complete: one sliced, one in the background.
fn in_mid_search() -> [(App, Entity, Entity); 2] {
    [SolveMode::Sliced, SolveMode::Background].map(|mode| {
        // On a busy machine a background search may end before it is observed: then try again.
        (0..100).find_map(|_| begin_search(mode)).expect("a search is seen before it ends")
    })
}

fn begin_search(mode: SolveMode) -> Option<(App, Entity, Entity)> {
    let mut app = limited_app(mode, 1);
    let nav = spawn_grid(&mut app, walled(300));
    let agent = send(&mut app, (2, 2), (297, 2));
    app.update();
    until(&mut app, "the search begins", |app| status(app, agent) != PathStatus::Waiting);
    (status(&app, agent) == PathStatus::Searching).then_some((app, nav, agent))
}

/// Runs until all searches have ended.
fn finish(app: &mut App) {
    set_expansions(app, 10_000_000);
    app.update();
    searches_end(app);
    ticks(app, 3);
}

#[test]
fn a_despawned_agent_takes_its_search_along() {
    for (mut app, _, agent) in in_mid_search() {
        app.world_mut().despawn(agent);
        app.update();
        assert_eq!(stats(&app).running, 0, "nothing runs for nobody");
        finish(&mut app);
        assert_eq!(logged_events(&app), [], "nobody is told anything");
    }
}

#[test]
fn a_withdrawn_request_is_forgotten() {
    for (mut app, _, agent) in in_mid_search() {
        app.world_mut().entity_mut(agent).remove::<PathRequest>();
        app.update();
        assert_eq!(stats(&app).running, 0, "the work has ended");
        assert_eq!(status(&app, agent), PathStatus::Idle);
        finish(&mut app);
        assert_eq!(logged_events(&app), [], "no answer comes to a question that was withdrawn");
        assert!(!has_path(&app, agent));
    }
}

#[test]
fn a_new_goal_replaces_the_old_one() {
    for (mut app, _, agent) in in_mid_search() {
        order(&mut app, agent, at((2, 20)));
        finish(&mut app);
        assert_eq!(path_end(&app, agent), at((2, 20)), "there is a path to the new goal");
        assert_eq!(count(&app, &LoggedEvent::Found(agent, PathOutcome::Complete)), 1, "the old answer died");
    }
}

#[test]
fn an_edit_in_mid_search_never_yields_a_path_through_the_new_wall() {
    for (mut app, nav, agent) in in_mid_search() {
        // The gap closes, and another one opens.
        edit(&mut app, nav, (150, 299), Terrain::WALL);
        edit(&mut app, nav, (150, 0), Terrain::GROUND);
        finish(&mut app);
        let is_above = |point: &Vec3| point.y < 150.0;
        assert!(path(&app, agent).waypoints().iter().all(is_above), "it leads through the new gap");
        assert_eq!(stats(&app).stale, 1, "the answer for the old map died");
        assert_eq!(count(&app, &LoggedEvent::Found(agent, PathOutcome::Complete)), 1);
    }
}

#[test]
fn an_edit_elsewhere_does_not_make_the_search_start_again() {
    for (mut app, nav, agent) in in_mid_search() {
        edit(&mut app, nav, (150, 20), Terrain::WATER);
        finish(&mut app);
        assert_eq!(status(&app, agent), PathStatus::Following);
        assert_eq!(stats(&app).finished, 1, "one search was enough");
    }
}

#[test]
fn a_removed_grid_fails_the_request() {
    for (mut app, nav, agent) in in_mid_search() {
        app.world_mut().despawn(nav);
        finish(&mut app);
        let error = PathError::GridRemoved;
        assert_eq!(logged_events(&app), [LoggedEvent::Failed(agent, error)], "told once, and nothing else");
        assert_eq!(status(&app, agent), PathStatus::Failed(error));
    }
}

#[test]
fn a_grid_removed_under_a_walking_agent_stops_it() {
    let (mut app, nav) = app_on(walled(40));
    let agent = send(&mut app, (2, 2), (37, 2));
    ticks(&mut app, 20);
    app.world_mut().entity_mut(nav).remove::<NavGrid>();
    ticks(&mut app, 20);
    assert_eq!(count(&app, &LoggedEvent::Failed(agent, PathError::GridRemoved)), 1);
    assert!(!has_path(&app, agent), "a path without a grid is no path");
    assert_eq!(velocity(&app, agent), Vec3::ZERO, "it stands");
}

#[test]
fn a_grid_put_in_the_place_of_another_is_searched_anew() {
    for (mut app, nav, agent) in in_mid_search() {
        app.world_mut().entity_mut(nav).insert(NavGrid::new(Grid::new(300, 300).unwrap()));
        finish(&mut app);
        assert_eq!(path(&app, agent).waypoints().len(), 2, "straight through where the wall was");
    }
}

#[test]
fn observers_may_despawn_the_entity_of_an_event() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        app.add_observer(|on: On<PathFound>, mut commands: Commands| commands.entity(on.entity).despawn());
        app.add_observer(|on: On<PathFailed>, mut commands: Commands| commands.entity(on.entity).despawn());
        spawn_grid(&mut app, Grid::new(20, 20).unwrap());
        for i in 0..10 {
            send(&mut app, (i, i), (19 + i % 2 * 10, 19));
        }
        until(&mut app, "all are gone", |app| {
            app.world_mut().query::<&Agent>().iter(app.world()).count() == 0
        });
        ticks(&mut app, 3);
    }
}

#[test]
fn an_observer_may_send_an_agent_on() {
    let (mut app, _) = app_on(Grid::new(20, 20).unwrap());
    app.add_observer(|on: On<AgentArrived>, mut commands: Commands, places: Query<&Transform>| {
        let right = places.get(on.entity).is_ok_and(|place| place.translation.x > 5.0);
        let next = if right { at((1, 1)) } else { at((9, 1)) };
        commands.entity(on.entity).insert(PathRequest::to(next));
    });
    let agent = send(&mut app, (1, 1), (9, 1));
    ticks(&mut app, 64 * 10);
    assert!(count(&app, &LoggedEvent::Arrived(agent)) >= 4, "it patrols: {:?}", logged_events(&app));
}

#[test]
fn removing_the_request_of_a_walking_agent_stops_it() {
    let (mut app, _) = app_on(Grid::new(40, 40).unwrap());
    let agent = send(&mut app, (2, 2), (37, 2));
    ticks(&mut app, 20);
    assert!(velocity(&app, agent).length() > 4.0, "it walks");
    app.world_mut().entity_mut(agent).remove::<PathRequest>();
    ticks(&mut app, 20);
    assert_eq!(velocity(&app, agent), Vec3::ZERO, "it stands");
    assert!(!has_path(&app, agent), "an order that is withdrawn leaves no path");
    assert_eq!(status(&app, agent), PathStatus::Idle);
}
