//! Scene 13: one, two, eight and all workers, sliced or not: the same paths.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    world::Grid,
};

use crate::support::*;

/// The paths of sixty agents with separate goals and sixty with one goal, on scattered weighted terrain.
fn paths(settings: SolveSettings) -> (Vec<Vec<Vec3>>, SolveStats) {
    let mut app = app(settings.mode);
    app.insert_resource(settings).insert_resource(SearchOptions::default());
    let scattered = Grid::from_fn(96, 96, |cell| match (cell.x * 7 + cell.y * 13 + cell.x * cell.y) % 7 {
        0 if cell.x % 3 > 0 => Terrain::WALL,
        1 => Terrain::WATER,
        _ => Terrain::GROUND,
    });
    spawn_grid(&mut app, scattered.unwrap());
    let agents: Vec<_> = (0..120)
        .map(|i| {
            let goal = if i % 2 == 0 { (93 - i % 30 * 3, 60 + i % 35) } else { (90, 90) };
            let request = PathRequest::to(at(goal)).with_spread(false);
            // The agents hardly move, so that every search starts where it was requested.
            let body = Agent { speed: 1e-6, ..default() };
            spawn_with(&mut app, (i % 32 * 3, i / 3), (body, request))
        })
        .collect();
    until(&mut app, "every agent has its answer", |app| {
        stats(app).answered >= 100 && stats(app).waiting + stats(app).running == 0
    });
    let path =
        |agent| app.world().get::<NavPath>(agent).map_or_else(Vec::new, |path| path.waypoints().to_vec());
    (agents.into_iter().map(path).collect(), stats(&app).clone())
}

#[test]
fn threads_and_slices_change_no_path() {
    let (inline, stats) = paths(SolveSettings { mode: SolveMode::Inline, ..default() });
    assert!(inline.iter().filter(|path| path.len() > 3).count() > 60, "the map is worth searching");
    assert!(stats.shared_requests >= 20, "equal goals are served together: {}", stats.shared_requests);
    for workers in [None, Some(1), Some(2), Some(8)] {
        let (paths, stats) = paths(SolveSettings { workers, ..default() });
        assert!(paths == inline, "{workers:?} workers give the same paths");
        assert!(stats.shared_requests >= 20, "{workers:?} workers serve equal goals together too");
    }
    for expansions_per_frame in [170, 500, 7_777] {
        let mode = SolveMode::Sliced;
        let (paths, _) = paths(SolveSettings { mode, expansions_per_frame, ..default() });
        assert!(paths == inline, "slices of {expansions_per_frame} give the same paths");
    }
}
