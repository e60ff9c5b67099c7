//! Cells within reach, the nearest targets, and what walls would cut off, compared with path searches.

use super::common::{KIND, Random, Style, assert_near, parted, random_grid, styled_grid, walk};
use super::oracle::all_steps;
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, DistanceField, Goal, GridCell, KindId, PathQuery, Reach, SearchError,
    SearchScratch, StepRules, Terrain, solve,
};

#[test]
fn the_cells_within_a_cost_are_those_to_which_a_path_costs_no_more() {
    let mut random = Random(5);
    let mut scratch = SearchScratch::default();
    let mut within = 0;
    for round in 0..60 {
        let mut grid = random_grid(&mut random, 17, 13, 25, round % 2 == 0);
        if round % 3 == 0 {
            grid = parted(&mut random, grid);
        }
        let steps = all_steps()[round % 10];
        let start = random.cell(&grid);
        let most = f64::from(random.below(12));
        let Ok(reach) = Reach::within_cost(&grid, KIND, steps, start, most, &mut scratch) else {
            assert!(!grid.is_walkable(KIND, start), "only a blocked start fails");
            continue;
        };
        assert_eq!(reach.cells().next(), Some((start, 0.0)));
        assert!(reach.cells().is_sorted_by(|a, b| a.1 <= b.1), "cheapest first");
        for cell in grid.bounds().cells() {
            let query = PathQuery::new(start, cell).with_steps(steps).with_partial(false);
            let cost = solve(&grid, &query.with_algorithm(Algorithm::Dijkstra), &mut scratch);
            let cost = cost.ok().map(|answer| answer.cost).filter(|&cost| cost < most * (1.0 + 1e-5) + 1e-9);
            match (reach.cost(cell), cost) {
                (Some(found), Some(cost)) => {
                    within += 1;
                    assert_near(found, cost, 1e-4, cell);
                    let path = reach.path(cell);
                    assert_eq!((path[0], *path.last().unwrap()), (start, cell));
                    assert_near(walk(&grid, KIND, steps, &path), cost, 1e-4, cell);
                }
                (None, None) => assert!(reach.path(cell).is_empty()),
                (found, cost) => panic!("round {round}, {cell} within {most}: {found:?}, {cost:?}"),
            }
        }
    }
    assert!(within > 1_000, "only {within} cells were within reach");
}

#[test]
fn the_nearest_targets_are_those_with_the_cheapest_paths() {
    let mut random = Random(6);
    let mut scratch = SearchScratch::default();
    for round in 0..80 {
        let mut grid = random_grid(&mut random, 40, 30, 25, round % 2 == 0);
        if round % 3 == 0 {
            grid = parted(&mut random, grid);
        }
        let steps = all_steps()[round % 10];
        let start = random.cell(&grid);
        let targets: Vec<GridCell> = (0..1 + random.below(30)).map(|_| random.cell(&grid)).collect();
        let count = 1 + random.below(6) as usize;
        let Ok(reach) = Reach::nearest(&grid, KIND, steps, start, &targets, count, &mut scratch) else {
            continue;
        };
        let mut costs: Vec<f64> = Vec::new();
        let mut each = targets.clone();
        each.sort_unstable_by_key(|cell| (cell.y, cell.x));
        each.dedup();
        for &target in &each {
            let query = PathQuery::new(start, Goal::GridCell(target)).with_steps(steps).with_partial(false);
            costs.extend(solve(&grid, &query, &mut scratch).ok().map(|answer| answer.cost));
        }
        costs.sort_unstable_by(f64::total_cmp);
        costs.truncate(count);
        assert_eq!(reach.targets().len(), costs.len(), "round {round}");
        for (&(target, found), cost) in reach.targets().iter().zip(costs) {
            assert!(targets.contains(&target));
            assert_near(found, cost, 1e-4, (round, target));
            assert_eq!(reach.path(target).last(), Some(&target));
        }
    }
}

/// Near cells are found one by one, far ones by tiles if the processor has AVX2 and walls are not dense, and both have the
/// path of least cost that a distance field has.
#[test]
fn on_uniform_ground_paths_are_those_of_a_distance_field_back_to_the_start() {
    let mut random = Random(8);
    let scratch = &mut SearchScratch::default();
    for round in 0..40 {
        let grid = styled_grid(&mut random, Style::ALL[round % 4], 60 + 4 * round as u32, 70);
        let steps = all_steps()[round % 10];
        let start = random.walkable_cell(&grid);
        let field = DistanceField::new(&grid, KIND, steps, &[start], scratch).unwrap();
        let most = [20.0, 60.0, f64::INFINITY][round % 3];
        let reach = Reach::within_cost(&grid, KIND, steps, start, most, scratch).unwrap();
        for cell in grid.bounds().cells() {
            let cost = field.distance(cell).map(f64::from).filter(|&cost| cost < most * (1.0 + 1e-5));
            assert_eq!(reach.cost(cell).map(|cost| cost as f32), cost.map(|cost| cost as f32), "{cell}");
            if cost.is_some() && random.below(8) == 0 {
                let mut path = reach.path(cell);
                path.reverse();
                assert_eq!(path, field.path(cell).collect::<Vec<_>>(), "round {round}");
            }
        }
        let targets: Vec<GridCell> = (0..300).map(|_| random.cell(&grid)).collect();
        let nearest = Reach::nearest(&grid, KIND, steps, start, &targets, 40, scratch).unwrap();
        for &(target, cost) in nearest.targets() {
            assert_eq!(field.distance(target), Some(cost as f32));
        }
        let last = nearest.targets().last().map_or(f64::INFINITY, |&(_, cost)| cost);
        let within =
            |cell: &GridCell| field.distance(*cell).is_some_and(|cost| f64::from(cost) < last - 1e-3);
        for cell in grid.bounds().cells().filter(within) {
            assert!(nearest.cost(cell).is_some(), "round {round}: {cell} is nearer than the last");
        }
    }
}

#[test]
fn bad_questions_are_typed_errors() {
    let grid = pathfind_core::Grid::from_ascii("..#").unwrap();
    let scratch = &mut SearchScratch::default();
    let steps = all_steps()[0];
    let mut within = |kind, start, cost| {
        Reach::within_cost(&grid, kind, steps, start, cost, scratch).map(|reach| reach.cells().count())
    };
    assert_eq!(within(KIND, GridCell::new(2, 0), 1.0), Err(SearchError::StartBlocked(GridCell::new(2, 0))));
    assert_eq!(within(KIND, GridCell::new(3, 0), 1.0), Err(SearchError::StartOutside(GridCell::new(3, 0))));
    assert_eq!(within(KindId(9), GridCell::new(0, 0), 1.0), Err(SearchError::UnknownKind(KindId(9))));
    for none in [0.0, -1.0, f64::NAN] {
        assert_eq!(within(KIND, GridCell::new(0, 0), none), Ok(1), "{none} reaches the start alone");
    }
    assert_eq!(within(KIND, GridCell::new(0, 0), f64::INFINITY), Ok(2));
    let nothing =
        Reach::nearest(&grid, KIND, steps, GridCell::new(0, 0), &[], 3, &mut SearchScratch::default());
    assert_eq!(nothing, Err(SearchError::NoGoal));
}

#[test]
fn no_cells_beyond_the_last_target_are_reached() {
    let grid = pathfind_core::Grid::new(30, 20).unwrap();
    let (start, target) = (GridCell::new(5, 5), [GridCell::new(5, 6)]);
    for (count, cells) in [(0, 0), (1, 2), (9, 2)] {
        let scratch = &mut SearchScratch::default();
        let reach = Reach::nearest(&grid, KIND, StepRules::FOUR, start, &target, count, scratch).unwrap();
        assert_eq!((reach.targets().len(), reach.cells().count()), (count.min(1), cells), "{count} targets");
    }
}

#[test]
fn walls_that_would_cut_off_are_those_after_which_no_path_is_left() {
    let mut random = Random(7);
    let (mut cut, mut open) = (0, 0);
    for round in 0..800 {
        let mut grid = random_grid(&mut random, 21, 15, 35, round % 2 == 0);
        if round % 5 == 0 {
            grid = parted(&mut random, grid);
        }
        let size = if round % 3 == 0 { AgentSize::Square(2) } else { AgentSize::default() };
        let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        let steps = all_steps()[round % 10];
        let (from, to) = (random.cell(&grid), random.cell(&grid));
        let walls: Vec<GridCell> = (0..1 + random.below(40)).map(|_| random.cell(&grid)).collect();
        let before = grid.revision();
        let would_cut = grid.would_disconnect(kind, steps, &walls, from, to);
        assert_eq!(grid.revision(), before, "a question changes nothing");
        let was_connected = grid.connected(kind, steps, from, to);
        grid.edit(|edit| walls.iter().for_each(|&cell| _ = edit.set(cell, Terrain::WALL)));
        assert_eq!(would_cut, was_connected && !grid.connected(kind, steps, from, to), "round {round}");
        cut += u32::from(would_cut);
        open += u32::from(was_connected && !would_cut);
    }
    assert!(cut > 20 && open > 20, "{cut} were cut off, {open} were not");
}
