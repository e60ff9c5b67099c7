//! Distance fields compared with path searches: the same cost from every cell.

use super::common::{Random, random_grid, walk};
use super::oracle::all_steps;
use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, Cell, CornerRule, CostTable, DistanceField, Goal, Grid, KindId, Outcome,
    PathQuery, SearchError, SearchScratch, Steps, Terrain, solve,
};

const KIND: KindId = KindId(0);

#[test]
fn a_field_has_the_path_cost_of_every_cell() {
    let mut random = Random(11);
    let mut scratch = SearchScratch::default();
    for round in 0..40 {
        let grid = random_grid(&mut random, 19, 14, 30, round % 2 == 0);
        let corners = [CornerRule::Never, CornerRule::OneFree, CornerRule::Always][round % 3];
        let steps = if round % 5 == 0 { Steps::FOUR } else { Steps::eight(corners) };
        let goals: Vec<Cell> = (0..1 + random.below(4)).map(|_| random.cell(&grid)).collect();
        let Ok(field) = DistanceField::new(&grid, KIND, steps, &goals, &mut scratch) else {
            assert!(goals.iter().all(|&goal| !grid.is_walkable(KIND, goal)), "only blocked goals fail");
            continue;
        };
        for cell in grid.bounds().cells() {
            let query = PathQuery::new(cell, Goal::AnyOf(goals.clone()))
                .with_steps(steps)
                .with_algorithm(Algorithm::Dijkstra);
            let expected = solve(&grid, &query, &mut scratch)
                .ok()
                .filter(|answer| answer.outcome == Outcome::Complete)
                .map(|answer| answer.cost);
            let distance = field.distance(cell).map(f64::from);
            assert_eq!(distance.is_some(), expected.is_some(), "{cell}");
            let path: Vec<Cell> = field.path(cell).collect();
            if let (Some(distance), Some(expected)) = (distance, expected) {
                assert!(
                    (distance - expected).abs() < 1e-4 * expected.max(1.0),
                    "{distance} is not {expected}"
                );
                assert!((walk(&grid, KIND, steps, &path) - expected).abs() < 1e-4 * expected.max(1.0));
                assert!(field.is_goal(*path.last().unwrap()), "the way ends on a goal");
            } else {
                assert!(path.is_empty());
            }
        }
    }
}

/// The cost from every cell to the nearest goal, by relaxing steps until none lowers a cost.
fn plain_costs(grid: &Grid, kind: KindId, steps: Steps, goals: &[Cell]) -> Vec<f64> {
    let index = |cell: Cell| (cell.y * grid.width() as i32 + cell.x) as usize;
    let mut costs = vec![f64::INFINITY; grid.bounds().cells().count()];
    let mut open: Vec<Cell> = goals.iter().copied().filter(|&goal| grid.is_walkable(kind, goal)).collect();
    open.iter().for_each(|&goal| costs[index(goal)] = 0.0);
    while let Some(cell) = open.pop() {
        let terrain = f64::from(grid.cost(kind, cell).expect("it is walkable"));
        for step in grid.steps_from(kind, steps, cell) {
            let length = if step.is_diagonal() { steps.diagonal.value() } else { 1.0 };
            let cost = costs[index(cell)] + terrain * length;
            let next = cell.step(step);
            if cost < costs[index(next)] * (1.0 - 1e-12) {
                costs[index(next)] = cost;
                open.insert(0, next);
            }
        }
    }
    costs
}

#[test]
fn a_field_over_patches_of_terrain_has_the_least_costs() {
    let mut random = Random(23);
    let mut scratch = SearchScratch::default();
    for round in 0..150 {
        // Costs that are nearly equal, ordinary, and so far apart that buckets hold more than one step.
        let range = [1.05_f32, 3.0, 99_999.0][round % 3];
        let costs = [0.01, 0.01 * range.sqrt(), 0.01 * range];
        let table = (0..3).try_fold(CostTable::default(), |table, class| {
            table.with(Terrain(20 + class as u8), costs[class])
        });
        let (side, walls) = (1 + random.below(7) as i32, random.below(40));
        let patches: Vec<u8> = (0..400).map(|_| 20 + random.below(3) as u8).collect();
        let mut grid = Grid::from_fn(37, 29, |cell| {
            let is_wall = random.below(100) < walls;
            if is_wall {
                Terrain::WALL
            } else {
                Terrain(patches[(cell.y / side * 19 + cell.x / side) as usize % 400])
            }
        })
        .unwrap();
        let size = AgentSize::Square(1 + (round % 5 == 0) as u8);
        let kind = grid.add_kind(AgentKind { costs: table.unwrap(), size }).unwrap();
        let steps = all_steps()[round % 10];
        let goals: Vec<Cell> = (0..1 + random.below(3)).map(|_| random.cell(&grid)).collect();
        let Ok(field) = DistanceField::new(&grid, kind, steps, &goals, &mut scratch) else { continue };
        let expected = plain_costs(&grid, kind, steps, &goals);
        for (cell, expected) in grid.bounds().cells().zip(expected) {
            let found = field.distance(cell).map_or(f64::INFINITY, f64::from);
            let is_same = found == expected || (found - expected).abs() <= 1e-4 * expected;
            assert!(is_same, "round {round}, {cell}: {found} instead of {expected}");
        }
    }
}

#[test]
fn flow_points_to_the_next_cell() {
    let grid = pathfind_core::Grid::from_ascii("...\n.#.").unwrap();
    let goal = Cell::new(2, 0);
    let field =
        DistanceField::new(&grid, KIND, Steps::default(), &[goal], &mut SearchScratch::default()).unwrap();
    assert_eq!(field.flow(Vec2::new(0.5, 0.5)), Some(Vec2::X));
    assert_eq!(field.flow(Vec2::new(2.5, 0.25)), Some(Vec2::Y), "on the goal, to its centre");
    for nowhere in [goal.center(), Vec2::new(1.5, 1.5), Vec2::new(-1.0, 0.5), Vec2::NAN] {
        assert_eq!(field.flow(nowhere), None, "{nowhere}");
    }
}

#[test]
fn bad_goals_are_typed_errors() {
    let grid = pathfind_core::Grid::from_ascii("..#").unwrap();
    let ask = |goals: &[Cell]| {
        DistanceField::new(&grid, KIND, Steps::default(), goals, &mut SearchScratch::default()).unwrap_err()
    };
    let (wall, outside) = (Cell::new(2, 0), Cell::new(0, 7));
    assert_eq!(ask(&[]), SearchError::NoGoal);
    assert_eq!(ask(&[wall]), SearchError::GoalBlocked(wall));
    assert_eq!(ask(&[outside]), SearchError::GoalOutside(outside));
}
