//! Distance fields compared with path searches: the same cost from every cell.

use super::common::{Random, random_grid, walk};
use glam::Vec2;
use pathfind_core::{
    Algorithm, Cell, CornerRule, DistanceField, Goal, KindId, Outcome, PathQuery, SearchError, SearchScratch,
    Steps, solve,
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
