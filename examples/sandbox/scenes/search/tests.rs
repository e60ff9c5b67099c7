//! Tests that each map shows the property that its description names.

use bevy_pathfind::{order::Algorithm, prelude::*};
use pathfind_core::{Answer, SearchScratch, solve};

use super::{
    maps::{Map, PRESETS, Preset},
    results::{LabSettings, SearchResults},
};
use crate::scenes::tests::{assert_tooltip_defaults, scene_app};

fn preset(name: &str) -> &'static Preset {
    PRESETS.iter().find(|preset| preset.name == name).expect("there is such a map")
}

/// Both answers to a map, with the searches that it chooses.
fn answers(name: &str) -> (Map, [Answer; 2]) {
    let preset = preset(name);
    let (map, mut settings) = (preset.unedited_map(7), LabSettings::default());
    preset.choose(&mut settings);
    let found = [0, 1].map(|side| {
        let query = settings.query(side, map.start, map.goal);
        solve(&map.grid, &query, &mut SearchScratch::default()).expect("there is a path")
    });
    (map, found)
}

/// How many cells of a path cost more than open ground.
fn costly_cells(map: &Map, answer: &Answer) -> usize {
    answer.cells().filter(|&cell| map.grid.cost(KindId::default(), cell) > Some(1.0)).count()
}

#[test]
fn the_trap_fools_greedy_search() {
    let (_, [astar, greedy]) = answers("trap");
    assert!(greedy.length > astar.length * 1.2, "{} is longer than {}", greedy.length, astar.length);
}

#[test]
fn a_star_avoids_the_swamp_and_greedy_search_does_not() {
    let (map, [astar, greedy]) = answers("swamp");
    assert_eq!(costly_cells(&map, &astar), 0, "A* keeps dry");
    assert!(costly_cells(&map, &greedy) > 5, "greedy search wades");
    assert!(greedy.length < astar.length && greedy.cost > astar.cost * 2.0, "shorter, and dearer");
}

#[test]
fn the_corner_rule_opens_a_short_cut() {
    let (_, [never, always]) = answers("corner");
    assert!(always.length < never.length - 5.0, "{} against {}", always.length, never.length);
}

#[test]
fn four_directions_are_longer_than_eight() {
    let (_, [four, eight]) = answers("directions");
    assert!(four.length > eight.length * 1.3, "{} against {}", four.length, eight.length);
}

#[test]
fn greedy_search_is_suboptimal_with_either_metric() {
    let (map, [simple, physical]) = answers("metric");
    let query = LabSettings::default().query(0, map.start, map.goal);
    let best = solve(&map.grid, &query, &mut SearchScratch::default()).expect("there is a path");
    assert!(simple.length > physical.length + 2.0, "{} against {}", simple.length, physical.length);
    assert!(physical.length > best.length + 2.0, "and neither is the best: {}", best.length);
}

#[test]
fn a_staircase_is_straightened() {
    let mut app = scene_app("search");
    preset("straight").choose(&mut app.world_mut().resource_mut::<LabSettings>());
    app.update();
    let results = app.world().resource::<SearchResults>();
    let run = results.runs[0].as_ref().expect("it has run");
    let found = run.answer.as_ref().expect("there is a path").length;
    let pulled = run.length().expect("there is a line");
    assert!(pulled < found - 0.5, "from {found} to {pulled}");
}

#[test]
fn any_angle_is_shorter_than_a_staircase() {
    let (_, [astar, theta]) = answers("angles");
    assert!(theta.length < astar.length - 0.5, "{} against {}", theta.length, astar.length);
}

#[test]
fn jump_points_are_few_on_the_game_map() {
    let (_, [astar, jps]) = answers("game");
    assert!((astar.cost - jps.cost).abs() < 1e-3, "as short");
    assert!(jps.metrics.pushes * 5 < astar.metrics.pushes, "{:?} {:?}", jps.metrics, astar.metrics);
}

#[test]
fn every_seed_gives_a_maze_with_a_path() {
    let maze = preset("maze");
    let one = maze.unedited_map(1);
    assert_eq!(one.grid.to_ascii(), maze.unedited_map(1).grid.to_ascii(), "the same seed, the same maze");
    for seed in 0..20 {
        let map = maze.unedited_map(seed);
        let steps = LabSettings::default().query(0, map.start, map.goal).steps;
        assert!(map.grid.connected(KindId::default(), steps, map.start, map.goal), "seed {seed}");
        assert!(seed == 1 || map.grid.to_ascii() != one.grid.to_ascii(), "another seed, another maze");
    }
}

#[test]
fn a_replay_shows_one_expansion_per_step_and_all_events_at_the_end() {
    let mut app = scene_app("search");
    app.update();
    let results = app.world().resource::<SearchResults>();
    for run in results.runs.iter().flatten() {
        let (mut before, expanded) = (0, run.metrics.expanded as u32);
        for step in 0..=expanded {
            let events = run.events_after(step);
            assert!(events >= before, "it only goes on");
            before = events;
        }
        assert_eq!(before, run.recording.events().len(), "the last step shows everything");
        assert!(run.is_over(expanded) && !run.is_over(expanded - 1));
    }
}

#[test]
fn drawing_on_the_board_searches_again() {
    let mut app = scene_app("search");
    app.update();
    let (version, length) = found(&app);
    let mut boards = app.world_mut().query::<&mut NavGrid>();
    for mut board in boards.iter_mut(app.world_mut()) {
        for y in 0..23 {
            board.set(GridCell::new(20, y), Terrain::WALL).expect("it lies on the board");
        }
    }
    app.update();
    let (again, longer) = found(&app);
    assert!(again > version && longer > length, "from {length} to {longer}");
}

fn found(app: &bevy::prelude::App) -> (u64, f64) {
    let results = app.world().resource::<SearchResults>();
    let run = results.runs[0].as_ref().expect("it has run");
    (results.version, run.answer.as_ref().expect("there is a path").length)
}

#[test]
fn tooltips_state_the_actual_defaults() {
    assert_tooltip_defaults::<LabSettings>();
}

#[test]
fn equal_algorithms_are_distinguished_by_their_options() {
    let notes = |name: &str| {
        let mut settings = LabSettings::default();
        preset(name).choose(&mut settings);
        [0, 1].map(|side| settings.notes(side, settings.side(side).algorithm).join(", "))
    };
    assert_eq!(notes("directions"), ["four directions", "eight directions"]);
    assert_eq!(notes("metric"), ["Manhattan", "Euclidean"]);
    assert_eq!(notes("corner"), ["corners never", "corners always"]);
    assert_eq!(notes("trap"), ["", ""], "two searches have two names");
    let settings = LabSettings::default();
    assert_eq!(settings.notes(0, Algorithm::Dijkstra), ["instead of A*"], "one may stand in for another");
}
