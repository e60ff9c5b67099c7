//! Searches compared with textbook Dijkstra on seeded random grids: goals, edits, limits, invalid queries.

use super::common::{KIND, Random, assert_near, oracle, random_grid, walk};
use super::line_of_sight::sees;
use pathfind_core::{
    Algorithm, Answer, CellRect, CornerRule, DiagonalCost, Directions, Goal, Grid, GridCell, KindId, Outcome,
    PartialReason, PathQuery, Search, SearchError, SearchScratch, StepRules, Terrain, solve,
};

pub(crate) fn all_steps() -> Vec<StepRules> {
    let mut all = vec![StepRules::FOUR];
    for &corners in CornerRule::ALL {
        for diagonal in [DiagonalCost::Sqrt2, DiagonalCost::FourteenTenths, DiagonalCost::One] {
            all.push(StepRules { directions: Directions::Eight, corners, diagonal });
        }
    }
    all
}

pub(crate) fn step_algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| !algorithm.is_any_angle())
}

/// Checks an answer against the definition of its steps: the claimed cost is that of walking the path.
pub(crate) fn check(grid: &Grid, query: &PathQuery, answer: &Answer) {
    let cells: Vec<GridCell> = answer.cells().collect();
    assert_eq!(cells[0], query.start, "a path begins at its start");
    assert_near(answer.cost, walk(grid, query.kind, query.steps, &cells), 1e-9, query);
}

/// Checks that a partial answer ends at the reachable cell nearest to a goal, and among equally near ones at the
/// cheapest.
pub(crate) fn check_nearest(
    grid: &Grid,
    query: &PathQuery,
    answer: &Answer,
    costs: &std::collections::HashMap<GridCell, f64>,
    goals: &[GridCell],
) {
    let distance = |cell: &GridCell| goals.iter().map(|goal| cell.distance_squared(*goal)).min().unwrap();
    let nearest = costs.keys().map(distance).min().unwrap();
    let cheapest = costs.iter().filter(|(cell, _)| distance(cell) == nearest).map(|(_, &cost)| cost);
    let cheapest = cheapest.fold(f64::INFINITY, f64::min);
    let is_blocked = |&cell: &GridCell| !grid.is_walkable(query.kind, cell);
    let blocked = match query.goal {
        Goal::Within { center, radius } => {
            let is_near = |cell: &GridCell| cell.distance_squared(center) as f32 <= radius * radius;
            grid.bounds().cells().filter(is_near).all(|cell| is_blocked(&cell))
        }
        _ => goals.iter().all(is_blocked),
    };
    let reason = if blocked { PartialReason::GoalBlocked } else { PartialReason::Unreachable };
    assert_eq!(answer.outcome, Outcome::Partial { nearest: answer.end(), reason });
    assert_eq!(distance(&answer.end()), nearest, "it ends on a nearest cell");
    if answer.is_optimal() {
        assert_near(answer.cost, cheapest, 1e-5, "of equally near cells it is the cheapest");
    }
}

/// The walls bar all paths that begin with a diagonal step, or with one along the column.
#[test]
fn straight_steps_and_then_diagonal_ones_are_found_at_once() {
    let (free, walls) = (".............", ".....###.....");
    let grid = Grid::from_ascii(&[free, free, walls, free, walls, free, free].join("\n")).unwrap();
    let start = GridCell::new(6, 3);
    let mut scratch = SearchScratch::default();
    for steps in all_steps() {
        let costs = oracle(&grid, KIND, steps, start);
        for goal in [(0, 0), (12, 0), (0, 6), (12, 6)].map(|(x, y)| GridCell::new(x, y)) {
            let query = PathQuery::new(start, goal).with_steps(steps).with_algorithm(Algorithm::Jps);
            let answer = solve(&grid, &query, &mut scratch).unwrap();
            check(&grid, &query, &answer);
            assert_near(answer.cost, costs[&goal], 1e-9, &query);
            assert_eq!(
                (answer.waypoints.len(), answer.metrics.expanded),
                (3, 2),
                "start and goal: {query:?}"
            );
        }
    }
}

/// Straight steps and then diagonal ones would be legal up to the nearest cell of the range, a wall.
#[test]
fn a_path_does_not_end_in_the_wall_that_is_the_nearest_cell_of_a_range() {
    let grid = Grid::from_ascii("...\n##.\n.#.\n...\n...\n#..").unwrap();
    let (start, goal) = (GridCell::new(0, 4), Goal::Within { center: GridCell::new(1, 0), radius: 2.0 });
    let mut scratch = SearchScratch::default();
    for steps in all_steps() {
        let query = PathQuery::new(start, goal.clone()).with_steps(steps).with_algorithm(Algorithm::Jps);
        let answer = solve(&grid, &query, &mut scratch).unwrap();
        check(&grid, &query, &answer);
        let exact = query.with_algorithm(Algorithm::Dijkstra);
        assert_near(answer.cost, solve(&grid, &exact, &mut scratch).unwrap().cost, 1e-9, &exact);
    }
}

#[test]
fn any_of_several_goals_and_a_range_agree_with_the_oracle() {
    let mut random = Random(2);
    let mut scratch = SearchScratch::default();
    for round in 0..600 {
        let grid = random_grid(&mut random, 17, 13, 30, round % 2 == 0);
        let steps = all_steps()[random.below(10) as usize];
        let Some(start) = random.start(&grid, KIND) else { continue };
        let costs = oracle(&grid, KIND, steps, start);
        let cheapest =
            |cells: &[GridCell]| cells.iter().filter_map(|cell| costs.get(cell)).copied().reduce(f64::min);
        let goals: Vec<GridCell> = (0..1 + random.below(4)).map(|_| random.cell(&grid)).collect();
        let query = PathQuery::new(start, Goal::AnyOf(goals.clone())).with_steps(steps);
        let answer = solve(&grid, &query, &mut scratch).unwrap();
        check(&grid, &query, &answer);
        match cheapest(&goals) {
            Some(cost) => {
                assert_near(answer.cost, cost, 1e-5, &query);
                assert!(goals.contains(&answer.end()), "{query:?}");
            }
            None => check_nearest(&grid, &query, &answer, &costs, &goals),
        }
        let radius = random.below(50) as f32 / 10.0;
        let center = goals[0];
        let query = PathQuery::new(start, Goal::Within { center, radius }).with_steps(steps);
        let answer = solve(&grid, &query, &mut scratch).unwrap();
        check(&grid, &query, &answer);
        let inside = |cell: &GridCell| center.distance_squared(*cell) as f32 <= radius * radius;
        let cells: Vec<GridCell> = grid.bounds().cells().filter(inside).collect();
        match cheapest(&cells) {
            Some(cost) => {
                assert_near(answer.cost, cost, 1e-5, &query);
                assert!(inside(&answer.end()), "{query:?}");
            }
            None => check_nearest(&grid, &query, &answer, &costs, &[center]),
        }
    }
}

/// Every leg has line of sight, and no path is over 5 % longer than the shortest path of steps. On weighted terrain
/// A* runs instead.
#[test]
fn theta_paths_are_legal_and_mostly_shorter_than_paths_of_steps() {
    let mut random = Random(5);
    let mut scratch = SearchScratch::default();
    let (mut theta_is_shorter, mut rounds) = (0, 0);
    for round in 0..400 {
        let walls = random.below(40);
        let grid = random_grid(&mut random, 25, 25, walls, round % 8 == 0);
        let (start, goal) = (random.cell(&grid), random.cell(&grid));
        let corners = CornerRule::ALL[round % 3];
        let query = PathQuery::new(start, goal).with_steps(StepRules::eight(corners)).with_partial(false);
        let Ok(by_steps) = solve(&grid, &query, &mut scratch) else { continue };
        for algorithm in [Algorithm::Theta, Algorithm::LazyTheta] {
            let answer = solve(&grid, &query.clone().with_algorithm(algorithm), &mut scratch).unwrap();
            if round % 8 == 0 && by_steps.cost != by_steps.length {
                assert_eq!(answer.algorithm, Algorithm::AStar, "weighted terrain is left to A*");
                continue;
            }
            for leg in answer.waypoints.windows(2) {
                assert!(sees(&grid, KIND, corners, leg[0], leg[1]), "{} to {}", leg[0], leg[1]);
            }
            assert_eq!((answer.waypoints[0], answer.end()), (start.center(), goal));
            assert!(answer.length <= by_steps.length * 1.05, "{} > {}", answer.length, by_steps.length);
            rounds += 1;
            theta_is_shorter += usize::from(answer.length < by_steps.length - 1e-6);
        }
    }
    assert!(theta_is_shorter * 2 > rounds, "shorter in {theta_is_shorter} of {rounds}");
}

#[test]
fn edits_keep_everything_derived_up_to_date() {
    let mut random = Random(4);
    for (width, height) in [(20, 9), (70, 130), (129, 64)] {
        let mut grid = random_grid(&mut random, width, height, 35, true);
        for round in 0..60 {
            let copy = grid.clone();
            let before = copy.to_ascii().unwrap();
            let terrain = if random.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
            let cell = random.cell(&grid);
            let rect = CellRect::new(cell, random.cell(&grid));
            let revision = grid.revision();
            let changed = if round % 3 == 0 {
                grid.fill(
                    CellRect::new(cell, rect.nearest_to(GridCell::new(cell.x + 9, cell.y + 9))),
                    terrain,
                )
            } else {
                u64::from(grid.set(cell, terrain).unwrap())
            };
            assert_eq!(grid.revision() > revision, changed > 0, "the revision tells of changes");
            assert_eq!(copy.to_ascii().unwrap(), before, "a copy does not change with the original");
            let fresh = Grid::from_ascii(&grid.to_ascii().unwrap()).unwrap();
            for steps in all_steps() {
                let (a, b) = (random.cell(&grid), random.cell(&grid));
                assert_eq!(grid.connected(KIND, steps, a, b), fresh.connected(KIND, steps, a, b), "{a} {b}");
                assert!(grid.steps_from(KIND, steps, a).eq(fresh.steps_from(KIND, steps, a)));
                let query = PathQuery::new(a, b).with_steps(steps);
                let [old, new] =
                    [&grid, &fresh].map(|grid| solve(grid, &query, &mut SearchScratch::default()));
                assert_eq!(old.map(|answer| answer.waypoints), new.map(|answer| answer.waypoints));
            }
        }
    }
}

#[test]
fn a_range_round_a_blocked_centre_is_unreachable_if_an_agent_could_stand_in_it() {
    let grid = Grid::from_ascii("...#...\n...#.#.\n...#...").unwrap();
    let mut scratch = SearchScratch::default();
    for (radius, reason) in [(0.5, PartialReason::GoalBlocked), (1.0, PartialReason::Unreachable)] {
        let goal = Goal::Within { center: GridCell::new(5, 1), radius };
        let query = PathQuery::new(GridCell::new(0, 0), goal);
        let answer = solve(&grid, &query, &mut scratch).unwrap();
        assert_eq!(
            answer.outcome,
            Outcome::Partial { nearest: GridCell::new(2, 1), reason },
            "within {radius}"
        );
    }
}

#[test]
fn invalid_queries_get_typed_errors() {
    let grid = Grid::from_ascii(".#.\n.#.").unwrap();
    let mut scratch = SearchScratch::default();
    let mut ask = |start: (i32, i32), goal: Goal| {
        solve(&grid, &PathQuery::new(GridCell::from(start), goal).with_partial(false), &mut scratch)
    };
    let at = |x, y| Goal::GridCell(GridCell::new(x, y));
    assert_eq!(ask((-1, 0), at(0, 0)), Err(SearchError::StartOutside(GridCell::new(-1, 0))));
    assert_eq!(ask((1, 0), at(0, 0)), Err(SearchError::StartBlocked(GridCell::new(1, 0))));
    assert_eq!(ask((0, 0), at(0, 2)), Err(SearchError::GoalOutside(GridCell::new(0, 2))));
    assert_eq!(ask((0, 0), at(1, 1)), Err(SearchError::GoalBlocked(GridCell::new(1, 1))));
    assert_eq!(ask((0, 0), at(2, 1)), Err(SearchError::Unreachable));
    assert_eq!(ask((0, 0), Goal::AnyOf(Vec::new())), Err(SearchError::NoGoal));
    for radius in [-1.0, f32::NAN] {
        let goal = Goal::Within { center: GridCell::new(0, 1), radius };
        assert_eq!(ask((0, 0), goal), Err(SearchError::BadRadius));
    }
    let itself = ask((0, 1), at(0, 1)).unwrap();
    assert_eq!((itself.cost, itself.waypoints.len()), (0.0, 1), "start = goal is a path of one point");
    let unknown = PathQuery::new(GridCell::new(0, 0), GridCell::new(0, 1)).with_kind(KindId(9));
    assert_eq!(solve(&grid, &unknown, &mut scratch), Err(SearchError::UnknownKind(KindId(9))));
    let unfinished = Search::new(&grid, PathQuery::new(GridCell::new(0, 0), GridCell::new(0, 1)), scratch);
    assert_eq!(unfinished.finish().0, Err(SearchError::Unfinished));
}

#[test]
fn grids_of_no_cells_and_too_large_ones_are_errors() {
    for (width, height) in [(0, 5), (5, 0), (Grid::MAX_SIDE + 1, 1)] {
        assert!(Grid::new(width, height).is_err(), "{width} by {height}");
    }
}
