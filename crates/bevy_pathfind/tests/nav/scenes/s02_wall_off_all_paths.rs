//! Scene 2: a wall is placed beside all paths; no agent plans again.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

#[test]
fn no_agent_replans() {
    let (mut app, nav) = app_on(Grid::new(60, 60).unwrap());
    let agents: Vec<_> = (0..20).map(|row| spawn_agent(&mut app, (1, row * 3))).collect();
    for (row, &agent) in agents.iter().enumerate() {
        order(&mut app, agent, at((58, row as i32 * 3)));
    }
    ticks(&mut app, 10);
    for x in 4..56 {
        // Between the rows in which agents walk.
        edit(&mut app, nav, (x, 3 * (x % 19) + 1), Terrain::WALL);
        app.update();
    }
    until(&mut app, "all are there", |app| {
        agents.iter().all(|&agent| status(app, agent) == PathStatus::Arrived)
    });
    let stats = app.world().resource::<SolveStats>();
    assert_eq!((stats.replanned, stats.finished), (0, 20), "each searched once, and no more");
}
