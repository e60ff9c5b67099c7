//! The MovingAI scenarios in `assets/maps`, compared with their published lengths.

use std::fs;
use std::path::Path;

use pathfind_core::{Algorithm, Grid, GridCell, PathQuery, SearchScratch, solve};

#[test]
fn published_lengths_are_met() {
    let maps = Path::new("../../assets/maps");
    let mut problems = 0;
    let mut scratch = SearchScratch::default();
    // A packaged crate does not contain the maps.
    for entry in maps.read_dir().into_iter().flatten() {
        let scenario = entry.expect("the folder can be read").path();
        if scenario.extension().is_none_or(|extension| extension != "scen") {
            continue;
        }
        let map = fs::read_to_string(scenario.with_extension("")).expect("the map lies beside its scenario");
        let grid = Grid::from_map(&map).expect("the map is sound");
        let rows = fs::read_to_string(&scenario).expect("the scenario can be read");
        for row in rows.lines().skip(1).step_by(7) {
            let fields: Vec<&str> = row.split_whitespace().collect();
            let cell = |x: usize| GridCell::new(fields[x].parse().unwrap(), fields[x + 1].parse().unwrap());
            let published: f64 = fields[8].parse().unwrap();
            for algorithm in [Algorithm::Auto, Algorithm::Jps, Algorithm::AStar, Algorithm::Dijkstra] {
                let query = PathQuery::new(cell(4), cell(6)).with_algorithm(algorithm);
                let length = solve(&grid, &query, &mut scratch).expect("there is a path").length;
                let off = (length - published).abs();
                assert!(off <= 1e-4 * published + 0.005, "{algorithm}: {length}, not {published}: {row}");
            }
            problems += 1;
        }
    }
    assert!(problems > 50 || !maps.exists(), "only {problems} problems were found");
}
