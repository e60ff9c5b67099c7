//! The shortest path at any angle against a visibility graph on small maps.

use std::collections::HashMap;

use super::common::{Random, random_grid};
use glam::Vec2;
use pathfind_core::{Algorithm, Cell, CornerRule, Grid, KindId, Query, SearchError, SearchSpace, Steps};
use pathfind_core::{line_of_sight, solve};

const KIND: KindId = KindId(0);

/// The points where a path may turn: every corner of every cell, or where nothing may be touched every
/// cell's centre.
fn turning_points(grid: &Grid, corners: CornerRule) -> Vec<Vec2> {
    if corners == CornerRule::Never {
        return grid.bounds().cells().map(Cell::center).collect();
    }
    let lattice = (0..=grid.height() as i32).flat_map(|y| (0..=grid.width() as i32).map(move |x| (x, y)));
    // Where two walls meet at a corner a path may not pass, so it has no reason to come.
    let slips = |&(x, y): &(i32, i32)| {
        let free = |dx, dy| grid.is_walkable(KIND, Cell::new(x + dx, y + dy));
        let (falling, rising) = (free(-1, -1) && free(0, 0), free(0, -1) && free(-1, 0));
        falling != rising
            && !(falling && (free(0, -1) || free(-1, 0)))
            && !(rising && (free(0, 0) || free(-1, -1)))
    };
    let turns = lattice.filter(|point| corners == CornerRule::Always || !slips(point));
    turns.map(|(x, y)| Vec2::new(x as f32, y as f32)).collect()
}

/// The shortest length, by Dijkstra on all pairs of points that see each other.
fn oracle(grid: &Grid, corners: CornerRule, start: Vec2, goal: Vec2) -> Option<f64> {
    let mut points = turning_points(grid, corners);
    points.extend([start, goal]);
    let mut lengths = HashMap::from([(points.len() - 2, 0.0)]);
    let mut done = vec![false; points.len()];
    loop {
        let open = lengths.iter().filter(|&(&i, _)| !done[i]);
        let (&i, &length) = open.min_by(|a, b| f64::total_cmp(a.1, b.1))?;
        if i == points.len() - 1 {
            return Some(length);
        }
        done[i] = true;
        for j in 0..points.len() {
            if !done[j] && line_of_sight(grid, KIND, corners, points[i], points[j]) {
                let through = length + points[i].as_dvec2().distance(points[j].as_dvec2());
                let known = lengths.entry(j).or_insert(f64::INFINITY);
                *known = known.min(through);
            }
        }
    }
}

#[test]
fn no_path_is_shorter() {
    let mut random = Random(31);
    let mut space = SearchSpace::default();
    let mut found = 0;
    for round in 0..700 {
        let walls = 10 + random.below(40);
        let (width, height) = (2 + random.below(10), 2 + random.below(10));
        let grid = random_grid(&mut random, width, height, walls, false);
        let corners = [CornerRule::OneFree, CornerRule::Always, CornerRule::Never][round % 3];
        let (start, goal) = (random.cell(&grid), random.cell(&grid));
        let query = Query::new(start, goal)
            .with_steps(Steps::eight(corners))
            .with_algorithm(Algorithm::AnyAngle)
            .with_partial(false);
        let answer = match solve(&grid, &query, &mut space) {
            Ok(answer) => answer,
            Err(SearchError::StartBlocked(_) | SearchError::GoalBlocked(_) | SearchError::Unreachable) => {
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        found += 1;
        let map = || format!("{corners:?}, {start} to {goal} on\n{}", grid.to_ascii().unwrap());
        assert_eq!((answer.algorithm, answer.bound), (Algorithm::AnyAngle, Some(1.0)));
        assert_eq!((answer.waypoints[0], answer.waypoints.last()), (start.center(), Some(&goal.center())));
        for leg in answer.waypoints.windows(2) {
            assert!(line_of_sight(&grid, KIND, corners, leg[0], leg[1]), "{leg:?} {}", map());
        }
        let shortest = oracle(&grid, corners, start.center(), goal.center()).expect("there is a path");
        // Straight lines are rounded to the search's unit where it goes from centre to centre.
        assert!((answer.length - shortest).abs() < 1e-4, "{} is not {shortest}, {}", answer.length, map());
    }
    assert!(found > 200, "only {found} questions had a path");
}
