//! Scene 2: a wall is placed beside all paths, and on the part of one that is behind its agent; no agent plans again.

use bevy_pathfind::{prelude::*, world::Grid};

use crate::support::*;

#[test]
fn no_agent_replans() {
    let (mut app, nav) = app_on(Grid::new(60, 60).unwrap());
    let agents: Vec<_> = (0..20).map(|row| send(&mut app, (1, row * 3), (58, row * 3))).collect();
    ticks(&mut app, 10);
    for x in 4..56 {
        // Between the rows in which agents walk.
        edit(&mut app, nav, (x, 3 * (x % 19) + 1), Terrain::WALL);
        app.update();
    }
    for x in [1, 2] {
        edit(&mut app, nav, (x, 0), Terrain::WALL);
        app.update();
    }
    all_arrive(&mut app, &agents);
    assert_eq!((stats(&app).replanned, stats(&app).finished), (0, 20), "each searched once, and no more");
    assert!(!logged_events(&app).iter().any(|event| matches!(event, LoggedEvent::Invalidated(_))));
}
