//! Scene 11: an agent is despawned or gets another goal during its request: the search is cancelled, and no stale
//! answer is applied.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

#[test]
fn searches_of_despawned_agents_are_cancelled() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = app(mode);
        let mut settings = app.world_mut().resource_mut::<SolveSettings>();
        (settings.workers, settings.expansions_per_frame) = (1, 200);
        spawn_grid(&mut app, walled(200));
        let agents: Vec<_> = (0..12).map(|i| spawn_agent(&mut app, (2, 2 + i))).collect();
        for &agent in &agents {
            order(&mut app, agent, at((197, 2)));
        }
        app.update();
        for &agent in &agents[..11] {
            app.world_mut().despawn(agent);
        }
        app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = 1_000_000;
        until(&mut app, "the last has its path", |app| app.world().get::<NavPath>(agents[11]).is_some());
        ticks(&mut app, 10);
        let stats = app.world().resource::<SolveStats>();
        assert_eq!((stats.waiting, stats.running), (0, 0), "{mode:?}: nothing is left to do");
        assert!(
            stats.finished <= 3,
            "{mode:?}: {} were searched to their end for nobody",
            stats.finished - 1
        );
        assert!(
            logged_events(&app)
                .iter()
                .all(|event| !matches!(event, LoggedEvent::Found(agent, _) if agents[..11].contains(agent))),
            "{mode:?}: nobody who is gone is told of a path"
        );
    }
}

#[test]
fn a_changed_goal_gets_no_stale_path() {
    for mode in [SolveMode::Sliced, SolveMode::Background, SolveMode::Inline] {
        let mut app = app(mode);
        app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = 100;
        spawn_grid(&mut app, walled(100));
        let agent = spawn_agent(&mut app, (2, 2));
        order(&mut app, agent, at((97, 2)));
        ticks(&mut app, 3);
        order(&mut app, agent, at((30, 50)));
        app.update();
        until(&mut app, "all is answered", |app| {
            let stats = app.world().resource::<SolveStats>();
            stats.waiting + stats.running == 0
        });
        let path = app.world().get::<NavPath>(agent).expect("it has a path");
        assert_eq!(*path.waypoints().last().unwrap(), at((30, 50)), "{mode:?}: to where it was sent last");
        app.world_mut().entity_mut(agent).remove::<PathRequest>();
        ticks(&mut app, 3);
        assert!(
            app.world().get::<NavPath>(agent).is_none(),
            "{mode:?}: an order that is withdrawn leaves no path"
        );
        assert_eq!(status(&app, agent), PathStatus::Idle, "{mode:?}");
    }
}

#[test]
fn a_cancelled_request_does_not_cancel_a_shared_search() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = app(mode);
        app.insert_resource(DefaultSearch::default());
        let mut settings = app.world_mut().resource_mut::<SolveSettings>();
        (settings.workers, settings.expansions_per_frame) = (1, 300);
        spawn_grid(&mut app, walled(120));
        let agents: Vec<_> = (0..400).map(|i| spawn_agent(&mut app, (2 + i % 20, 2 + i / 20))).collect();
        for &agent in &agents {
            order(&mut app, agent, at((117, 2)));
        }
        app.update();
        for &agent in &agents[..390] {
            app.world_mut().despawn(agent);
        }
        order(&mut app, agents[390], at((5, 100)));
        until(&mut app, "all ten are answered", |app| {
            agents[390..].iter().all(|&agent| app.world().get::<NavPath>(agent).is_some())
        });
        let end = |app: &App, agent| *app.world().get::<NavPath>(agent).unwrap().waypoints().last().unwrap();
        until(&mut app, "all is answered", |app| app.world().resource::<SolveStats>().waiting == 0);
        ticks(&mut app, 5);
        assert_eq!(end(&app, agents[390]), at((5, 100)), "{mode:?}: who was sent elsewhere goes there");
        assert_eq!(end(&app, agents[399]), at((117, 2)), "{mode:?}: the others go where they were sent");
    }
}
