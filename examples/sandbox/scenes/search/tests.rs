//! Tests that every map demonstrates its point.

use bevy_pathfind::{
    pathfind_core::{Answer, SearchScratch, solve},
    prelude::*,
};

use super::{
    bench::{Bench, LabSettings},
    maps::{Map, PRESETS},
};
use crate::scenes::tests::{hints_are_true, play};

/// Both answers to a map, with the searches that it chooses.
fn answers(name: &str) -> (Map, [Answer; 2]) {
    let preset = PRESETS.iter().find(|preset| preset.name == name).expect("there is such a map");
    let (map, mut settings) = (preset.lay_out(7), LabSettings::default());
    preset.choose(&mut settings);
    let found = [0, 1].map(|side| {
        let question = settings.question(side, map.start, map.goal);
        solve(&map.grid, &question, &mut SearchScratch::default()).expect("there is a way")
    });
    (map, found)
}

/// How many cells of a path cost more than open ground.
fn wades(map: &Map, answer: &Answer) -> usize {
    answer.cells().filter(|&cell| map.grid.cost(KindId::default(), cell) > Some(1.0)).count()
}

#[test]
fn the_trap_fools_greedy_search() {
    let (_, [astar, greedy]) = answers("trap");
    assert!(greedy.length > astar.length * 1.2, "{} is longer than {}", greedy.length, astar.length);
}

#[test]
fn only_who_counts_costs_avoids_the_swamp() {
    let (map, [astar, greedy]) = answers("swamp");
    assert_eq!(wades(&map, &astar), 0, "A* keeps dry");
    assert!(wades(&map, &greedy) > 5, "greedy search wades");
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
fn metrics_lead_greedy_search_astray_each_in_its_way() {
    let (map, [simple, physical]) = answers("metric");
    let question = LabSettings::default().question(0, map.start, map.goal);
    let best = solve(&map.grid, &question, &mut SearchScratch::default()).expect("there is a way");
    assert!(simple.length > physical.length + 2.0, "{} against {}", simple.length, physical.length);
    assert!(physical.length > best.length + 2.0, "and neither is the best: {}", best.length);
}

#[test]
fn a_staircase_is_pulled_straight() {
    let mut app = play("search");
    let preset = PRESETS.iter().find(|preset| preset.name == "straight").expect("there is such a map");
    preset.choose(&mut app.world_mut().resource_mut::<LabSettings>());
    app.update();
    let bench = app.world().resource::<Bench>();
    let run = bench.runs[0].as_ref().expect("it has been asked");
    let found = run.answer.as_ref().expect("there is a way").length;
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
fn every_seed_has_a_maze_with_a_way() {
    let maze = PRESETS.iter().find(|preset| preset.name == "maze").expect("there is a maze");
    let one = maze.lay_out(1);
    assert_eq!(one.grid.to_ascii(), maze.lay_out(1).grid.to_ascii(), "the same seed, the same maze");
    for seed in 0..20 {
        let map = maze.lay_out(seed);
        let steps = LabSettings::default().question(0, map.start, map.goal).steps;
        assert!(map.grid.connected(KindId::default(), steps, map.start, map.goal), "seed {seed}");
        assert!(seed == 1 || map.grid.to_ascii() != one.grid.to_ascii(), "another seed, another maze");
    }
}

#[test]
fn a_replay_shows_one_expansion_after_another_and_then_the_end() {
    let mut app = play("search");
    app.update();
    let bench = app.world().resource::<Bench>();
    for run in bench.runs.iter().flatten() {
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
fn drawing_on_the_board_asks_again() {
    let mut app = play("search");
    app.update();
    let (version, length) = found(&app);
    let mut boards = app.world_mut().query::<&mut NavGrid>();
    for mut board in boards.iter_mut(app.world_mut()) {
        for y in 0..23 {
            board.set(Cell::new(20, y), Terrain::WALL).expect("it lies on the board");
        }
    }
    app.update();
    let (again, longer) = found(&app);
    assert!(again > version && longer > length, "from {length} to {longer}");
}

fn found(app: &bevy::prelude::App) -> (u64, f64) {
    let bench = app.world().resource::<Bench>();
    let run = bench.runs[0].as_ref().expect("it has been asked");
    (bench.version, run.answer.as_ref().expect("there is a way").length)
}

#[test]
fn hints_tell_the_defaults() {
    hints_are_true::<LabSettings>();
}

#[test]
fn the_same_search_on_both_sides_is_told_apart() {
    let notes = |name: &str| {
        let (preset, mut settings) =
            (PRESETS.iter().find(|preset| preset.name == name), LabSettings::default());
        preset.expect("there is such a map").choose(&mut settings);
        [0, 1].map(|side| settings.notes(side, settings.side(side).algorithm).join(", "))
    };
    assert_eq!(notes("directions"), ["four directions", "eight directions"]);
    assert_eq!(notes("metric"), ["Manhattan", "Euclidean"]);
    assert_eq!(notes("corner"), ["corners never", "corners always"]);
    assert_eq!(notes("trap"), ["", ""], "two searches have two names");
    let settings = LabSettings::default();
    assert_eq!(settings.notes(0, Algorithm::Dijkstra), ["instead of A*"], "one may stand in for another");
}
