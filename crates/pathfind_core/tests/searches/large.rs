//! Maps wider than a bitmap word and a region block, compared with textbook Dijkstra.

use super::common::{KIND, Random, Style, assert_near, oracle, random_grid, styled_grid};
use super::oracle::{all_steps, check, check_nearest, step_algorithms};
use pathfind_core::{
    Algorithm, CellRect, CornerRule, Goal, Grid, GridCell, PathQuery, SearchError, SearchScratch, StepRules,
    Terrain, solve,
};

#[test]
fn every_search_crosses_bitmap_words_and_region_borders() {
    let mut random = Random(51);
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    for round in 0..60 {
        let (width, height) = match round % 5 {
            0 => (1, 60 + random.below(200)),
            1 => (60 + random.below(200), 1),
            2 => (2 + random.below(3), 60 + random.below(140)),
            3 => (60 + random.below(140), 2 + random.below(9)),
            _ => (62 + random.below(70), 62 + random.below(5)),
        };
        let grid = styled_grid(&mut random, Style::ALL[round % 4], width, height);
        for steps in all_steps() {
            let Some(start) = random.start(&grid, KIND) else { continue };
            let costs = oracle(&grid, KIND, steps, start);
            for algorithm in step_algorithms() {
                let goal = random.cell(&grid);
                let query = PathQuery::new(start, goal).with_steps(steps).with_algorithm(algorithm);
                match (solve(&grid, &query.with_partial(false), &mut scratch), costs.get(&goal)) {
                    (Ok(answer), Some(&cost)) => {
                        found += 1;
                        let query = PathQuery::new(start, goal).with_steps(steps);
                        check(&grid, &query, &answer);
                        let most = answer.suboptimality_bound.unwrap_or(1e9) * cost * (1.0 + 3e-6);
                        assert!(answer.cost <= most, "{algorithm}: {} not {cost}: {query:?}", answer.cost);
                    }
                    (Err(SearchError::GoalBlocked(_) | SearchError::Unreachable), None) => {}
                    (answer, cost) => {
                        panic!("{algorithm} {steps:?} {start} {goal}: {answer:?}, not {cost:?}")
                    }
                }
            }
        }
    }
    assert!(found > 500, "only {found} questions had a path");
}

/// Jump point search follows a long diagonal run in several parts, also inside areas of one cost and where lines are
/// stored in parts, as in a wide world that is mostly void.
#[test]
fn long_diagonal_runs_are_followed_to_their_end() {
    let mut random = Random(55);
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    for (index, steps) in all_steps().into_iter().enumerate() {
        for (width, has_areas) in [(150, false), (150, true), (2500, false)] {
            let grid = Grid::from_fn(width, 140, |cell| match cell {
                GridCell { x: 150.., .. } => Terrain::VOID,
                GridCell { x, .. } if has_areas && x >= 110 => Terrain::weight(2),
                _ => Terrain::GROUND,
            });
            let mut grid = grid.expect("the size is valid");
            // Long walls, so that few goals are reached without a detour.
            for i in 0..6 {
                let from = GridCell::new(random.below(150) as i32, random.below(140) as i32);
                let (across, down) = if i % 2 == 0 { (70, 0) } else { (0, 70) };
                let to = GridCell::new((from.x + across).min(149), from.y + down);
                grid.fill(CellRect::new(from, to), Terrain::WALL);
            }
            let start = random.walkable_cell(&grid);
            let costs = oracle(&grid, KIND, steps, start);
            for _ in 0..8 {
                let goals: Vec<GridCell> = (0..=index % 2)
                    .map(|_| random.walkable_cell(&grid))
                    .filter(|it| costs.contains_key(it))
                    .collect();
                let Some(least) = goals.iter().map(|goal| costs[goal]).reduce(f64::min) else { continue };
                let query = PathQuery::new(start, Goal::AnyOf(goals))
                    .with_steps(steps)
                    .with_algorithm(Algorithm::Jps);
                let answer = solve(&grid, &query, &mut scratch).expect("there is a path");
                check(&grid, &query, &answer);
                assert_near(answer.cost, least, 1e-5, &query);
                found += usize::from(answer.algorithm == Algorithm::Jps);
            }
        }
    }
    assert!(found > 200, "only {found} questions had a path");
}

/// Regions are the connected components of steps after any edits, and a search with an unreachable goal ends as
/// near to it as possible.
#[test]
fn regions_are_the_components_connected_by_steps() {
    let mut random = Random(52);
    let mut scratch = SearchScratch::default();
    for round in 0..12 {
        let (width, height) = (60 + random.below(200), 60 + random.below(90));
        let mut grid = styled_grid(&mut random, Style::ALL[round % 4], width, height);
        for edit in 0..4 {
            edit_somewhere(&mut grid, &mut random, edit);
            let corners = CornerRule::ALL[edit % 3];
            let steps = if edit == 3 { StepRules::FOUR } else { StepRules::eight(corners) };
            let (Some(start), goal) = (random.start(&grid, KIND), random.cell(&grid)) else { continue };
            let costs = oracle(&grid, KIND, steps, start);
            for cell in grid.bounds().cells() {
                let is_joined = grid.connected(KIND, steps, start, cell);
                assert_eq!(is_joined, costs.contains_key(&cell), "{steps:?}: {start} to {cell}");
            }
            let query = PathQuery::new(start, goal).with_steps(steps);
            let answer = solve(&grid, &query, &mut scratch).expect("it goes as near as it can");
            if !costs.contains_key(&goal) {
                check_nearest(&grid, &query, &answer, &costs, &[goal]);
            }
        }
    }
}

/// With many unreachable goals, anywhere on a map of several blocks, the nearest reachable cells are found.
#[test]
fn of_many_unreachable_goals_the_nearest_is_approached() {
    let mut random = Random(53);
    let mut scratch = SearchScratch::default();
    let mut rounds = 0;
    for round in 0..60 {
        let (width, height) = (60 + random.below(200), 60 + random.below(90));
        let grid = styled_grid(&mut random, Style::ALL[round % 4], width, height);
        let steps = all_steps()[random.below(10) as usize];
        let Some(start) = random.start(&grid, KIND) else { continue };
        let costs = oracle(&grid, KIND, steps, start);
        let corner = random.cell(&grid);
        let area = CellRect::new(corner, GridCell::new(corner.x + 60, corner.y + 60));
        let out_of_reach = area.cells().filter(|cell| grid.contains(*cell) && !costs.contains_key(cell));
        let goals: Vec<GridCell> = out_of_reach.filter(|_| random.below(8) == 0).collect();
        if goals.is_empty() {
            continue;
        }
        // One more goal is outside of the map, and does not count.
        let beyond = [GridCell::new(-5, 3), GridCell::new(40_000, 3)];
        let query = PathQuery::new(start, Goal::AnyOf([&goals[..], &beyond].concat())).with_steps(steps);
        let answer = solve(&grid, &query, &mut scratch).expect("it goes as near as it can");
        check_nearest(&grid, &query, &answer, &costs, &goals);
        rounds += 1;
    }
    assert!(rounds > 20, "only {rounds} maps had goals out of reach");
}

/// Edits a building, or scattered single cells.
fn edit_somewhere(grid: &mut Grid, random: &mut Random, edit: usize) {
    let terrain = if random.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
    if edit.is_multiple_of(2) {
        let corner = random.cell(grid);
        let end = GridCell::new(corner.x + random.below(40) as i32, corner.y + random.below(40) as i32);
        grid.fill(CellRect::new(corner, end), terrain);
    } else {
        let cells: Vec<GridCell> = (0..200).map(|_| random.cell(grid)).collect();
        grid.edit(|edit| cells.iter().for_each(|&cell| _ = edit.set(cell, terrain)));
    }
}

/// On a wide or high canvas that is mostly void, most cells are stored in parts: searches find paths of the same cost
/// there as on a grid of the map alone.
#[test]
fn void_round_a_map_changes_no_cost() {
    let mut random = Random(54);
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    for (round, canvas) in [[2500, 120], [120, 2500], [2500, 120], [120, 2500]].into_iter().enumerate() {
        let small = match round {
            0 | 1 => styled_grid(&mut random, Style::ALL[2 * round], 100, 90),
            _ => random_grid(&mut random, 100, 90, 15, true),
        };
        let by = GridCell::new(canvas[0] / 2 - 10 * i32::from(canvas[0] < 200) - 47, canvas[1] / 2 - 47);
        let [width, height] = canvas.map(|side| side as u32);
        let shifted = |cell: GridCell, by: GridCell| GridCell::new(cell.x + by.x, cell.y + by.y);
        let back = GridCell::new(-by.x, -by.y);
        let large =
            Grid::from_fn(width, height, |cell| small.terrain(shifted(cell, back)).unwrap_or(Terrain::VOID))
                .expect("the size is valid");
        for steps in all_steps() {
            let goals: Vec<GridCell> = (0..3).map(|_| random.cell(&small)).collect();
            for algorithm in step_algorithms().chain([Algorithm::AnyAngle, Algorithm::Theta]) {
                for &goal in &goals {
                    let cost = |grid: &Grid, start: GridCell, goal: GridCell, scratch: &mut SearchScratch| {
                        let query = PathQuery::new(start, goal).with_steps(steps).with_algorithm(algorithm);
                        let answer = solve(grid, &query.with_partial(false), scratch);
                        answer.map(|answer| (answer.is_optimal(), answer.cost))
                    };
                    let start = random.cell(&small);
                    let alone = cost(&small, start, goal, &mut scratch);
                    let amid = cost(&large, shifted(start, by), shifted(goal, by), &mut scratch);
                    match (alone, amid) {
                        (Ok((true, alone)), Ok(amid)) => {
                            found += 1;
                            assert_eq!((true, alone), amid, "{algorithm} {steps:?}: {start} to {goal}");
                        }
                        (alone, amid) => {
                            assert_eq!(alone.is_ok(), amid.is_ok(), "{start} to {goal}")
                        }
                    }
                }
            }
        }
    }
    assert!(found > 300, "only {found} questions had a path");
}
