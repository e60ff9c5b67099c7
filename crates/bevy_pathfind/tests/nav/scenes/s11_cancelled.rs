//! Scene 11: an agent is despawned or gets another goal during its request: the search is cancelled, and no stale
//! answer is applied. One agent alone is in `lifecycle.rs`.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode};

use crate::support::*;

#[test]
fn searches_of_despawned_agents_are_cancelled() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = limited_app(mode, 200);
        spawn_grid(&mut app, walled(200));
        let agents: Vec<_> = (0..12).map(|i| send(&mut app, (2, 2 + i), (197, 2))).collect();
        app.update();
        for &agent in &agents[..11] {
            app.world_mut().despawn(agent);
        }
        set_expansions(&mut app, 1_000_000);
        until(&mut app, "the last has its path", |app| has_path(app, agents[11]));
        ticks(&mut app, 10);
        let stats = stats(&app);
        assert_eq!((stats.waiting, stats.running), (0, 0), "{mode:?}: nothing is left to do");
        let finished = stats.finished;
        assert!(finished <= 3, "{mode:?}: {finished} were searched to their end, all but one for nobody");
        assert_eq!(found(&app), [agents[11]], "{mode:?}: nobody who is gone is told of a path");
    }
}

#[test]
fn a_cancelled_request_does_not_cancel_a_shared_search() {
    for mode in [SolveMode::Sliced, SolveMode::Background] {
        let mut app = limited_app(mode, 300);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, walled(120));
        let agents: Vec<_> = (0..400).map(|i| send(&mut app, (2 + i % 20, 2 + i / 20), (117, 2))).collect();
        app.update();
        for &agent in &agents[..390] {
            app.world_mut().despawn(agent);
        }
        order(&mut app, agents[390], at((5, 100)));
        until(&mut app, "all ten are answered", |app| {
            agents[390..].iter().all(|&agent| has_path(app, agent))
        });
        until(&mut app, "all is answered", |app| stats(app).waiting == 0);
        ticks(&mut app, 5);
        assert_eq!(path_end(&app, agents[390]), at((5, 100)), "{mode:?}: who was sent elsewhere goes there");
        assert_eq!(path_end(&app, agents[399]), at((117, 2)), "{mode:?}: the others go where they were sent");
    }
}
