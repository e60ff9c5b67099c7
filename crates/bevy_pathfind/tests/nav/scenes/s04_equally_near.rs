//! Scene 4: two cells are equally near to a blocked goal: the one with the cheaper path is chosen.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, PartialReason, PathOutcome},
    prelude::*,
    solve::{SolveMode, SolveSettings},
};

use crate::support::*;

/// The wall's only gap is far from its middle, where the goal is.
const WALL: &str = "
....#....
....#....
....#....
....#....
....#....
.........";

/// The end of the path to the goal in the wall.
fn end(map: &str, start: (i32, i32), options: SearchOptions, settings: SolveSettings) -> Vec3 {
    let mut app = app(settings.mode);
    app.insert_resource(settings);
    spawn_grid(&mut app, grid(map.trim_start()));
    let agent = spawn_with(&mut app, start, PathRequest::to(at((4, 2))).with_options(options));
    until(&mut app, "it has a path", |app| has_path(app, agent));
    assert_eq!(path(&app, agent).outcome(), PathOutcome::Partial(PartialReason::GoalBlocked));
    path_end(&app, agent)
}

#[test]
fn of_two_equally_near_cells_the_cheaper_to_reach_wins() {
    let modes = [
        SolveSettings { mode: SolveMode::Inline, ..default() },
        SolveSettings { mode: SolveMode::Sliced, expansions_per_frame: 3, ..default() },
        SolveSettings { workers: Some(1), ..default() },
        SolveSettings { workers: Some(8), ..default() },
    ];
    for settings in modes {
        for &algorithm in Algorithm::ALL {
            let options = SearchOptions { algorithm, ..default() };
            let name = format!("{algorithm}, {:?}, {:?} workers", settings.mode, settings.workers);
            assert_eq!(end(WALL, (1, 3), options, settings), at((3, 2)), "from the left, {name}");
            assert_eq!(end(WALL, (7, 3), options, settings), at((5, 2)), "from the right, {name}");
        }
    }
}

#[test]
fn cheaper_is_not_nearer_where_terrain_costs() {
    let swamp = WALL
        .replace("....#....\n.........", "9999#....\n.........")
        .replace("....#....\n9999", "9999#....\n9999");
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
        let options = SearchOptions { algorithm, ..default() };
        let settings = SolveSettings { mode: SolveMode::Inline, ..default() };
        assert_eq!(end(&swamp, (3, 5), options, settings), at((5, 2)), "round the swamp, {algorithm}");
    }
}
