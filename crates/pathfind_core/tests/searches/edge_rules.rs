//! One-way edges and surcharges: all that plans are made by, compared with a plain Dijkstra over the rules as
//! documented.

use std::collections::{BTreeMap, HashMap};

use super::common::{
    Entry, KIND, Random, assert_near, is_legal, oracle, parted, random_grid, random_rule, ruled, step_cost,
    surcharge, walk,
};
use super::oracle::{all_steps, check, check_nearest};
use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CellQuery, CellScore, CornerRule, CostTable, Direction, DistanceField,
    EdgeRule, FleeOutcome, FleeQuery, Goal, Grid, GridCell, GridError, KindId, ManyToOne, Outcome,
    PartialReason, PathQuery, Progress, Reach, SearchError, SearchScratch, StepRules, Terrain, best_cells,
    can_walk_straight, cast_ray, find_refuge, line_of_sight, solve, straighten,
};

fn random_map(random: &mut Random, most: u32) -> Grid {
    let [width, height] = [(); 2].map(|()| 1 + random.below(most));
    let (walls, weighted) = (random.below(40), random.below(3) == 0);
    let mut grid = random_grid(random, width, height, walls, weighted);
    if random.below(3) == 0 {
        grid = parted(random, grid);
    }
    ruled(random, grid)
}

/// The least cost from each cell to the nearest of some goals.
fn costs_to(grid: &Grid, kind: KindId, steps: StepRules, goals: &[GridCell]) -> HashMap<GridCell, f64> {
    let mut costs = HashMap::new();
    let mut open: std::collections::BinaryHeap<_> = goals.iter().map(|&goal| Entry(0.0, goal)).collect();
    while let Some(Entry(cost, cell)) = open.pop() {
        if !grid.is_walkable(kind, cell) || costs.contains_key(&cell) {
            continue;
        }
        costs.insert(cell, cost);
        for direction in Direction::ALL {
            let before = cell.step(direction.opposite());
            if is_legal(grid, kind, steps, before, direction) {
                open.push(Entry(cost + step_cost(grid, kind, steps, cell, direction), before));
            }
        }
    }
    costs
}

fn random_goal(random: &mut Random, grid: &Grid) -> (Goal, Vec<GridCell>) {
    match random.below(4) {
        0 => {
            let goals: Vec<GridCell> = (0..1 + random.below(4)).map(|_| random.cell(grid)).collect();
            (Goal::AnyOf(goals.clone()), goals)
        }
        1 => {
            let (center, radius) = (random.cell(grid), random.below(30) as f32 / 10.0);
            (Goal::Within { center, radius }, vec![center])
        }
        _ => {
            let goal = random.cell(grid);
            (Goal::GridCell(goal), vec![goal])
        }
    }
}

#[test]
fn all_plans_equal_a_plain_dijkstra_on_ten_thousand_maps() {
    let mut random = Random(201);
    let mut scratch = SearchScratch::default();
    let (mut found, mut short, mut one_way, mut jumped) = (0, 0, 0, 0);
    for round in 0..10_000 {
        let mut grid = random_map(&mut random, 12);
        let size =
            [AgentSize::Square(1), AgentSize::Square(2), AgentSize::Disc(0.8)][random.below(12) as usize % 3];
        let size = if round % 4 == 0 { size } else { AgentSize::default() };
        let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        let rules = all_steps()[round % 10];
        let Some(start) = random.start(&grid, kind) else { continue };
        let (goal, goals) = random_goal(&mut random, &grid);
        let costs = oracle(&grid, kind, rules, start);
        let query = PathQuery::new(start, goal.clone()).with_kind(kind).with_steps(rules);
        let is_goal = |cell: &&GridCell| match goal {
            Goal::Within { center, radius } => cell.distance_squared(center) as f32 <= radius * radius,
            _ => goals.contains(cell),
        };
        let least = costs.keys().filter(is_goal).map(|cell| costs[cell]).reduce(f64::min);
        one_way +=
            u32::from(least.is_none() && goals.iter().any(|&goal| grid.connected(kind, rules, start, goal)));
        for &algorithm in Algorithm::ALL {
            let query = query.clone().with_algorithm(algorithm);
            let answer =
                solve(&grid, &query, &mut scratch).unwrap_or_else(|error| panic!("{round}: {error}"));
            if answer.algorithm.is_any_angle() {
                assert_eq!(grid.directed_edges().count(), 0, "round {round}: no straight legs past rules");
                continue;
            }
            check(&grid, &query, &answer);
            jumped += u32::from(answer.algorithm == Algorithm::Jps && grid.directed_edges().next().is_some());
            let Some(least) = least else {
                check_nearest(&grid, &query, &answer, &costs, &goals);
                let refused = solve(&grid, &query.with_partial(false), &mut scratch).unwrap_err();
                assert!(matches!(refused, SearchError::Unreachable | SearchError::GoalBlocked(_)));
                short += 1;
                continue;
            };
            assert!(answer.is_complete(), "round {round}, {algorithm}: there is a path");
            if answer.is_optimal() {
                assert_near(answer.cost, least, 1e-5, (round, algorithm));
            }
            found += 1;
        }
        check_fields(&grid, (kind, rules), &goals, &mut scratch);
        check_reach(&grid, (kind, rules), start, &costs, &mut scratch);
        let starts: Vec<GridCell> = (0..6).map(|_| random.cell(&grid)).collect();
        let mut search = ManyToOne::new(&grid, query.clone(), &starts, SearchScratch::default());
        while search.step(1 + random.below(40)) == Progress::Running {}
        for start in starts.into_iter().chain([start]) {
            let Some(Ok(answer)) = search.answer(start) else {
                let own = PathQuery { start, ..query.clone() };
                let is_whole = solve(&grid, &own, &mut scratch).is_ok_and(|answer| answer.is_complete());
                let joined = grid.connected(kind, rules, start, query.start);
                assert!(!is_whole || !joined, "round {round}: {start} is reached");
                continue;
            };
            let own = PathQuery { start, ..query.clone() };
            check(&grid, &own, &answer);
            let alone = solve(&grid, &own, &mut scratch).expect("alone it finds a path, too");
            assert_eq!(answer.is_complete(), alone.is_complete(), "round {round}: {start}");
            assert_near(answer.cost, alone.cost, 1e-4, (round, start));
        }
    }
    assert!(
        found > 40_000 && short > 10_000 && one_way > 300 && jumped > 5_000,
        "{found}, {short}, {one_way}, {jumped}"
    );
}

fn check_fields(
    grid: &Grid,
    (kind, rules): (KindId, StepRules),
    goals: &[GridCell],
    scratch: &mut SearchScratch,
) {
    let Ok(field) = DistanceField::new(grid, kind, rules, goals, scratch) else {
        assert!(goals.iter().all(|&goal| !grid.is_walkable(kind, goal)));
        return;
    };
    let costs = costs_to(grid, kind, rules, goals);
    for cell in grid.bounds().cells() {
        let cost = field.distance(cell).map(f64::from);
        assert_eq!(cost.is_some(), costs.contains_key(&cell), "{cell}");
        if let Some(cost) = cost {
            assert_near(cost, costs[&cell], 1e-5, cell);
            let path: Vec<GridCell> = field.path(cell).collect();
            assert_near(walk(grid, kind, rules, &path), cost, 1e-5, cell);
            assert!(goals.contains(path.last().unwrap()));
        }
    }
}

fn check_reach(
    grid: &Grid,
    (kind, rules): (KindId, StepRules),
    start: GridCell,
    costs: &HashMap<GridCell, f64>,
    scratch: &mut SearchScratch,
) {
    let reach = Reach::within_cost(grid, kind, rules, start, f64::INFINITY, scratch).unwrap();
    assert_eq!(reach.cells().count(), costs.len());
    for (cell, cost) in reach.cells() {
        assert_near(cost, costs[&cell], 1e-5, cell);
        assert_near(walk(grid, kind, rules, &reach.path(cell)), cost, 1e-5, cell);
    }
    let query = CellQuery::new(start, f32::INFINITY).with_kind(kind).with_steps(rules).with_count(1000);
    let best = best_cells(grid, query.with_score(CellScore::PathCost, -1.0), &[], scratch).unwrap();
    assert_eq!(best.len(), costs.len());
    best.iter().for_each(|best| assert_near(best.cost, costs[&best.cell], 1e-5, best.cell));
    let query = FleeQuery::new(start).with_kind(kind).with_steps(rules).with_limit(f32::INFINITY);
    // A threat that comes to every cell later than the agent: a cost of 2 more.
    let threat = |cell| costs.get(&cell).map(|&cost| cost as f32 + 2.0);
    if let FleeOutcome::Flee(refuge) = find_refuge(grid, &query, &threat, scratch).unwrap() {
        assert_near(refuge.cost, costs[&refuge.cell], 1e-4, refuge.cell);
        assert_near(walk(grid, kind, rules, &refuge.path), refuge.cost, 1e-4, refuge.cell);
    }
}

/// The edges are as they were last set, from both sides. After any edits a grid equals one made anew, a clone does not
/// change with the original, and a repaired field equals a new one.
#[test]
fn edits_leave_a_grid_as_one_made_anew() {
    let mut random = Random(202);
    let mut scratch = SearchScratch::default();
    let mut repaired = 0;
    for round in 0..300 {
        let [width, height] = [(); 2].map(|()| 1 + random.below([12, 80][round % 2]));
        let mut grid = random_grid(&mut random, width, height, 15, round % 3 == 0);
        let mut rules = BTreeMap::new();
        grid.set(GridCell::default(), Terrain::GROUND).unwrap();
        let goal = random.walkable_cell(&grid);
        let steps = all_steps()[round % 10];
        let mut field = DistanceField::new(&grid, KIND, steps, &[goal], &mut scratch).unwrap();
        for _ in 0..8 {
            let before = (grid.clone(), rules.clone());
            let ((), touched) = grid.edit_touching(|edit| {
                for _ in 0..random.below(8) {
                    let (cell, direction) = (
                        GridCell::new(random.below(width) as i32, random.below(height) as i32),
                        random.below(4),
                    );
                    let direction = Direction::from_index(2 * direction as u8);
                    let rule = if random.below(4) == 0 { EdgeRule::Open } else { random_rule(&mut random) };
                    if edit.set_edge(cell, direction, rule).is_ok() {
                        rules.insert((cell.x, cell.y, direction as u8), rule);
                        let other = cell.step(direction);
                        rules.insert((other.x, other.y, direction.opposite() as u8), rule.turned());
                    }
                }
                if random.below(4) == 0 {
                    let cell = GridCell::new(random.below(width) as i32, random.below(height) as i32);
                    edit.set(cell, [Terrain::WALL, Terrain::GROUND][random.below(2) as usize]).unwrap();
                }
            });
            let free = EdgeRule::Directed { there: Some(0.0), back: Some(0.0) };
            let is_set = |grid: &Grid, rules: &BTreeMap<(i32, i32, u8), EdgeRule>| {
                grid.bounds().cells().flat_map(|cell| Direction::ALL.map(|to| (cell, to))).all(
                    |(cell, to)| {
                        let rule = rules.get(&(cell.x, cell.y, to as u8)).copied().unwrap_or_default();
                        grid.edge(cell, to) == if rule == free { EdgeRule::Open } else { rule }
                    },
                )
            };
            assert!(is_set(&grid, &rules), "round {round}: the edges are as they were set");
            assert!(is_set(&before.0, &before.1), "round {round}: the clone has those of before");
            let mut anew = Grid::from_fn(width, height, |cell| grid.terrain(cell).unwrap()).unwrap();
            for (cell, direction, rule) in grid.directed_edges() {
                assert_eq!(anew.set_edge(cell, direction, rule), Ok(true));
            }
            for (cell, direction) in grid.fences() {
                assert_eq!(anew.set_fence(cell, direction, true), Ok(true));
            }
            let query = PathQuery::new(random.cell(&grid), random.cell(&grid)).with_steps(steps);
            let [one, other] = [&grid, &anew].map(|grid| solve(grid, &query, &mut scratch));
            let without_revision = |answer: Result<pathfind_core::Answer, SearchError>| {
                answer.map(|answer| pathfind_core::Answer { revision: 0, ..answer })
            };
            assert_eq!(without_revision(one), without_revision(other), "round {round}");
            if grid.is_walkable(KIND, goal) {
                let changed = field.repair(&grid, &touched, &mut scratch).unwrap();
                let new = DistanceField::new(&grid, KIND, steps, &[goal], &mut scratch).unwrap();
                assert_eq!(field, new, "round {round}: the field is as a new one");
                repaired += u32::from(changed < (width * height) as usize);
            }
        }
        let all: Vec<_> = grid.directed_edges().collect();
        for (cell, direction, _) in all {
            assert_eq!(grid.set_edge(cell, direction, EdgeRule::Open), Ok(true));
        }
        let query = PathQuery::new(goal, random.cell(&grid)).with_algorithm(Algorithm::Theta);
        if grid.fences().next().is_none() && round % 3 > 0 && grid.is_walkable(KIND, goal) {
            let answer = solve(&grid, &query, &mut scratch).unwrap();
            assert_eq!(answer.algorithm, Algorithm::Theta, "without rules all is as before");
        }
    }
    assert!(repaired > 500, "{repaired} fields were repaired");
}

/// No straightened leg goes against a one-way edge, or pays more than the path that it replaces.
#[test]
fn straightened_paths_keep_to_the_rules() {
    let mut random = Random(203);
    let mut scratch = SearchScratch::default();
    let (mut legs, mut shut) = (0, 0);
    for round in 0..2_000 {
        let grid = random_map(&mut random, 14);
        let corners = CornerRule::ALL[round % 3];
        let Some(start) = random.start(&grid, KIND) else { continue };
        let query = PathQuery::new(start, random.cell(&grid)).with_steps(StepRules::eight(corners));
        let Ok(answer) = solve(&grid, &query, &mut scratch) else { continue };
        let straight = straighten(&grid, KIND, corners, &answer.waypoints);
        let cost = grid.travel_cost(KIND, &straight).expect("each leg goes where steps lead");
        let before = grid.travel_cost(KIND, &answer.waypoints).expect("a path of steps is legal");
        assert!(cost <= before * (1.0 + 1e-5), "round {round}: {cost}, {before}");
        for leg in straight.windows(2) {
            let is_walkable = can_walk_straight(&grid, KIND, corners, leg[0], leg[1]);
            assert!(is_walkable, "round {round}: {leg:?}");
            legs += 1;
        }
        // Over one edge only what stands there counts.
        let (cell, direction) = (random.cell(&grid), Direction::from_index(random.below(8) as u8));
        let next = cell.step(direction);
        if grid.contains(next) {
            let cost = grid.edge_cost(cell.center(), next.center());
            assert_eq!(cost, surcharge(&grid, cell, direction), "round {round}: {cell} {direction:?}");
            shut += u32::from(cost.is_infinite());
        }
    }
    assert!(legs > 2_000 && shut > 100, "{legs}, {shut}");
}

#[test]
fn bodies_sight_and_rays_pass() {
    let mut grid = Grid::new(4, 3).unwrap();
    for y in 0..3 {
        grid.set_edge(GridCell::new(1, y), Direction::E, EdgeRule::ONE_WAY).unwrap();
    }
    let [west, east] = [Vec2::new(0.5, 1.5), Vec2::new(3.5, 1.5)];
    let sees = |from, to| line_of_sight(&grid, KIND, CornerRule::Never, from, to);
    assert!(sees(east, west) && cast_ray(&grid, KIND, east, west).is_none());
    let walks = |from, to| can_walk_straight(&grid, KIND, CornerRule::Never, from, to);
    assert!(walks(west, east) && !walks(east, west));
    assert!(grid.connected(KIND, StepRules::default(), GridCell::new(3, 0), GridCell::new(0, 0)));
    let query = PathQuery::new(GridCell::new(3, 0), GridCell::new(0, 0));
    let answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
    let nearest = GridCell::new(2, 0);
    assert_eq!(answer.outcome, Outcome::Partial { nearest, reason: PartialReason::Unreachable });
}

#[test]
fn jump_point_search_stays_where_rules_are_few() {
    let mut scratch = SearchScratch::default();
    let mut grid = Grid::new(200, 200).unwrap();
    for y in 50..150 {
        grid.set_edge(GridCell::new(99, y), Direction::E, EdgeRule::ONE_WAY).unwrap();
    }
    let (start, goal) = (GridCell::new(90, 100), GridCell::new(110, 100));
    for (asked, runs) in [
        (Algorithm::Auto, Algorithm::Jps),
        (Algorithm::Jps, Algorithm::Jps),
        (Algorithm::Hierarchical, Algorithm::Jps),
        (Algorithm::AnyAngle, Algorithm::AStar),
        (Algorithm::Theta, Algorithm::AStar),
    ] {
        let answer = solve(&grid, &PathQuery::new(start, goal).with_algorithm(asked), &mut scratch).unwrap();
        assert_eq!((answer.algorithm, answer.cost), (runs, 20.0), "{asked}");
        let back = solve(&grid, &PathQuery::new(goal, start).with_algorithm(asked), &mut scratch).unwrap();
        assert!(back.algorithm == runs && back.cost > 100.0, "{asked}: round the end of the row");
    }
}

#[test]
fn bad_rules_are_typed_errors() {
    let mut grid = Grid::new(3, 2).unwrap();
    let cell = GridCell::new(1, 1);
    let one_way = EdgeRule::ONE_WAY;
    assert_eq!(grid.set_edge(cell, Direction::NE, one_way), Err(GridError::DiagonalEdge(Direction::NE)));
    let below = GridCell::new(1, 2);
    assert_eq!(grid.set_edge(cell, Direction::S, one_way), Err(GridError::Outside(below)), "the border");
    for bad in [-0.1, CostTable::MAX_COST * 1.01, f32::INFINITY, f32::NEG_INFINITY] {
        for rule in [EdgeRule::surcharge(bad, 0.0), EdgeRule::Directed { there: None, back: Some(bad) }] {
            assert_eq!(grid.set_edge(cell, Direction::N, rule), Err(GridError::BadSurcharge(bad)));
        }
    }
    let nan = grid.set_edge(cell, Direction::N, EdgeRule::surcharge(f32::NAN, 1.0));
    assert!(matches!(nan, Err(GridError::BadSurcharge(_))));
    for far in [i32::MIN, i32::MAX] {
        let far = GridCell::new(far, far);
        assert_eq!(grid.set_edge(far, Direction::E, one_way), Err(GridError::Outside(far)));
        assert_eq!(grid.edge(far, Direction::W), EdgeRule::Open);
    }
    assert_eq!((grid.revision(), grid.directed_edges().count()), (0, 0), "nothing has changed");
    assert_eq!(grid.set_edge(cell, Direction::N, EdgeRule::surcharge(0.0, -0.0)), Ok(false), "as open");
    assert_eq!(grid.set_edge(cell, Direction::N, one_way), Ok(true));
    let above = GridCell::new(1, 0);
    assert_eq!(grid.set_edge(above, Direction::S, one_way.turned()), Ok(false), "the same edge");
    assert_eq!(grid.set_fence(above, Direction::S, false), Ok(false), "there is no fence");
    assert_eq!(grid.set_fence(above, Direction::S, true), Ok(true), "a fence in its place");
    assert_eq!((grid.fences().count(), grid.directed_edges().count(), grid.revision()), (1, 0, 2));
    assert_eq!(grid.set_edge(above, Direction::S, EdgeRule::Open), Ok(true));
    assert_eq!(grid.fences().count(), 0);
}

/// Great and fine surcharges are as exact as other costs.
#[test]
fn surcharges_of_any_size_add_up() {
    let mut scratch = SearchScratch::default();
    for surcharge in [1e-6, 0.01, 0.37, 1.0, 1.0 / 3.0, 99.99, CostTable::MAX_COST] {
        for steps in [StepRules::FOUR, StepRules::default()] {
            let mut grid = Grid::new(40, 1).unwrap();
            for x in 0..39 {
                let rule = EdgeRule::Directed { there: Some(surcharge), back: None };
                grid.set_edge(GridCell::new(x, 0), Direction::E, rule).unwrap();
            }
            let (start, goal) = (GridCell::new(0, 0), GridCell::new(39, 0));
            let cost = 39.0 * (1.0 + f64::from(surcharge));
            let answer = solve(&grid, &PathQuery::new(start, goal).with_steps(steps), &mut scratch).unwrap();
            assert_near(answer.cost, cost, 1e-9, surcharge);
            let field = DistanceField::new(&grid, KIND, steps, &[goal], &mut scratch).unwrap();
            assert_near(field.distance(start).unwrap().into(), cost, 4e-5, surcharge);
            let reach = Reach::within_cost(&grid, KIND, steps, start, cost * 1.0001, &mut scratch).unwrap();
            assert_near(reach.cost(goal).expect("it is within the cost"), cost, 4e-5, surcharge);
        }
    }
}

#[test]
fn walls_cut_off_where_the_ways_left_are_closed() {
    let mut grid = Grid::from_ascii("....\n.##.\n....").unwrap();
    let (spawn, base) = (GridCell::new(0, 0), GridCell::new(3, 2));
    let cuts = |grid: &Grid, wall| {
        grid.would_disconnect(KIND, StepRules::FOUR, &[GridCell::new(wall, 0)], spawn, base)
    };
    assert!(!cuts(&grid, 1), "the lower way is left");
    grid.set_edge(GridCell::new(1, 2), Direction::E, EdgeRule::ONE_WAY.turned()).unwrap();
    assert!(cuts(&grid, 1), "it leads the other way");
    grid.set_edge(GridCell::new(2, 0), Direction::E, EdgeRule::ONE_WAY.turned()).unwrap();
    assert!(!cuts(&grid, 1), "there is no way now");
}
