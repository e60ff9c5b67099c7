//! Agents of every size: where they fit, and that no search leads them where they do not.

use super::common::{Random, assert_near, oracle, random_grid, walk};
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CornerRule, Grid, GridCell, KindId, Outcome, PathQuery, SearchScratch,
    StepRules, Terrain, line_of_sight, solve, straighten,
};

const SIZES: [AgentSize; 6] = [
    AgentSize::Square(2),
    AgentSize::Square(3),
    AgentSize::Disc(0.4),
    AgentSize::Disc(0.9),
    AgentSize::Disc(1.4),
    AgentSize::Disc(2.6),
];

/// Whether an agent fits on a cell, by the definition of its size alone.
fn fits(grid: &Grid, size: AgentSize, at: GridCell) -> bool {
    let is_free = |cell| grid.terrain(cell).is_some_and(|terrain| terrain != Terrain::WALL);
    match size {
        AgentSize::Square(side) => {
            let side = i32::from(side);
            (0..side).all(|dx| (0..side).all(|dy| is_free(GridCell::new(at.x + dx, at.y + dy))))
        }
        AgentSize::Disc(radius) => (-3..=3).all(|dx: i32| {
            (-3..=3).all(|dy: i32| {
                let gap = |d: i32| (d.abs() as f32 - 0.5).max(0.0);
                let reached = libm::hypotf(gap(dx), gap(dy)) < radius || (dx, dy) == (0, 0);
                !reached || is_free(GridCell::new(at.x + dx, at.y + dy))
            })
        }),
        other => unreachable!("{other:?} is not drawn"),
    }
}

#[test]
fn agents_go_only_where_they_fit() {
    let mut random = Random(21);
    let mut scratch = SearchScratch::default();
    for round in 0..30 {
        let mut grid = random_grid(&mut random, 40, 33, 6, round % 2 == 0);
        for size in SIZES {
            let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
            for _ in 0..5 {
                let terrain = if random.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
                grid.set(random.cell(&grid), terrain).unwrap();
            }
            for cell in grid.bounds().cells() {
                assert_eq!(grid.is_walkable(kind, cell), fits(&grid, size, cell), "{size:?} on {cell}");
            }
            let (Some(start), goal) = (random.start(&grid, kind), random.cell(&grid)) else { continue };
            let corners = CornerRule::ALL[round % 3];
            let steps = StepRules::eight(corners);
            let expected = oracle(&grid, kind, steps, start).get(&goal).copied();
            for &algorithm in Algorithm::ALL {
                let query =
                    PathQuery::new(start, goal).with_kind(kind).with_steps(steps).with_algorithm(algorithm);
                let answer = solve(&grid, &query, &mut scratch).unwrap();
                assert_eq!(answer.outcome == Outcome::Complete, expected.is_some());
                if answer.algorithm.is_any_angle() {
                    for leg in answer.waypoints.windows(2) {
                        assert!(line_of_sight(&grid, kind, corners, leg[0], leg[1]));
                    }
                    continue;
                }
                let cost = walk(&grid, kind, steps, &answer.cells().collect::<Vec<_>>());
                if let Some(expected) = expected.filter(|_| answer.is_optimal()) {
                    assert_near(cost, expected, 1e-5, algorithm);
                }
            }
        }
    }
}

/// A disc keeps its distance from every blocked cell all along a path, straightened or any-angle.
#[test]
fn discs_clip_no_corner() {
    let mut random = Random(22);
    let mut scratch = SearchScratch::default();
    let mut legs = 0;
    for _ in 0..60 {
        let mut grid = random_grid(&mut random, 30, 30, 8, false);
        for radius in [0.4, 0.9, 1.4] {
            let size = AgentSize::Disc(radius);
            let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
            let query =
                PathQuery::new(random.cell(&grid), random.cell(&grid)).with_kind(kind).with_partial(false);
            for algorithm in [Algorithm::Auto, Algorithm::Theta, Algorithm::LazyTheta, Algorithm::AnyAngle] {
                let query = query.clone().with_algorithm(algorithm);
                let Ok(answer) = solve(&grid, &query, &mut scratch) else { continue };
                let straight = straighten(&grid, kind, CornerRule::Never, &answer.waypoints);
                if radius <= 0.5 {
                    let of_default_kind = query.clone().with_kind(KindId::default()).with_radius(radius);
                    let same = solve(&grid, &of_default_kind, &mut scratch).unwrap();
                    assert_eq!(
                        same.waypoints, answer.waypoints,
                        "a body of the default kind is the same disc"
                    );
                }
                for leg in answer.waypoints.windows(2).chain(straight.windows(2)) {
                    legs += 1;
                    for i in 0..=50 {
                        let at = leg[0].lerp(leg[1], i as f32 / 50.0);
                        for cell in grid.bounds().grown(1).cells() {
                            let is_free = grid.terrain(cell).is_some_and(|terrain| terrain != Terrain::WALL);
                            let gap = ((at - cell.center()).abs() - 0.5).max(glam::Vec2::ZERO).length();
                            assert!(is_free || gap >= radius - 1e-3, "{gap} of {cell} at {at}, {algorithm}");
                        }
                    }
                }
            }
        }
    }
    assert!(legs > 200, "only {legs} legs were walked");
}
