//! Straightened paths.

use super::common::{KIND, Random, Style, random_grid, styled_grid};
use super::line_of_sight::sees;
use glam::Vec2;
use pathfind_core::{Algorithm, CornerRule, Grid, PathQuery, SearchScratch, StepRules, solve, straighten};

fn length(points: &[Vec2]) -> f64 {
    points.windows(2).map(|leg| leg[0].as_dvec2().distance(leg[1].as_dvec2())).sum()
}

#[test]
fn a_straightened_path_is_legal_and_neither_longer_nor_costlier() {
    let mut random = Random(71);
    let mut scratch = SearchScratch::default();
    let (mut shorter, mut all) = (0, 0);
    for round in 0..240 {
        let (width, height) = (1 + random.below(70), 1 + random.below(30));
        let grid = match round % 5 {
            0 => random_grid(&mut random, width, height, 20, true),
            style => styled_grid(&mut random, Style::ALL[style - 1], width, height),
        };
        let corners = CornerRule::ALL[round % 3];
        for &algorithm in Algorithm::ALL {
            let query = PathQuery::new(random.cell(&grid), random.cell(&grid))
                .with_steps(StepRules::eight(corners))
                .with_algorithm(algorithm);
            let Ok(answer) = solve(&grid, &query, &mut scratch) else { continue };
            let path = &answer.waypoints;
            let straight = straighten(&grid, KIND, corners, path);
            assert_eq!((straight.first(), straight.last()), (path.first(), path.last()), "the ends stay");
            for leg in straight.windows(2) {
                assert!(sees(&grid, KIND, corners, leg[0], leg[1]), "{leg:?} is legal: {query:?}");
            }
            assert!(length(&straight) <= length(path) + 1e-6, "it is no longer: {query:?}");
            let [before, after] = [path, &straight].map(|points| grid.travel_cost(KIND, points));
            if let (Some(before), Some(after)) = (before, after) {
                assert!(after <= before * (1.0 + 1e-5) + 1e-6, "{after} is dearer than {before}: {query:?}");
            }
            shorter += u32::from(length(&straight) < length(path) - 1e-6);
            all += 1;
        }
    }
    assert!(shorter * 4 > all, "{shorter} of {all} became shorter");
}

#[test]
fn points_beyond_all_maps_take_no_time() {
    let [start, end] = [Vec2::splat(0.5), Vec2::new(2.5, 0.5)];
    let far = [start, Vec2::new(1e9, 0.5), Vec2::new(-3e38, 3e38), Vec2::splat(3e38), Vec2::NAN, end];
    let flat = Grid::new(3, 2).unwrap();
    // On the hilly grid the ends are parted by cliffs.
    let hilly = flat.clone().with_elevation(|cell| 3.0 * cell.x as f32).unwrap();
    for grid in [flat, hilly, Grid::from_ascii("..5\n...").unwrap()] {
        let straight = straighten(&grid, KIND, CornerRule::Never, &far);
        assert_eq!(straight.len(), far.len(), "nothing is seen out there, so nothing is left out");
        assert_eq!(grid.travel_cost(KIND, &far), None, "nor has it a price");
    }
}
