//! Paths over long distances, found on two levels: legal, complete, and nearly as cheap as the cheapest.

use super::common::{Random, Style, styled_grid};
use super::oracle::{all_steps, check};
use pathfind_core::{
    Algorithm, Grid, GridCell, Limits, Outcome, PathQuery, Progress, Search, SearchScratch, Terrain, solve,
};

/// A map of rooms, houses or scattered walls, with some lakes.
fn world(random: &mut Random, style: Style, side: u32) -> Grid {
    let mut grid = styled_grid(random, style, side, side);
    for _ in 0..side / 20 {
        let center = random.cell(&grid).center();
        let radius = 2.0 + random.below(40) as f32;
        grid.fill_disc(center, radius, Terrain::WATER);
    }
    grid
}

#[test]
fn far_paths_are_legal_and_nearly_the_cheapest() {
    let mut random = Random(91);
    let mut scratch = SearchScratch::default();
    let (mut excess, mut count) = (0.0, 0);
    for round in 0..24 {
        let style = [Style::Scatter, Style::Rooms, Style::Houses][round % 3];
        let grid = world(&mut random, style, 1500);
        let steps = all_steps()[round % 10];
        for _ in 0..48 {
            let (start, goal) = (random.cell(&grid), random.cell(&grid));
            let query = PathQuery::new(start, goal).with_steps(steps).with_partial(false);
            let Ok(exact) = solve(&grid, &query, &mut scratch) else { continue };
            let query = query.with_algorithm(Algorithm::Hierarchical);
            let answer = solve(&grid, &query, &mut scratch).expect("there is a path");
            check(&grid, &query, &answer);
            assert_eq!((answer.outcome, answer.end()), (Outcome::Complete, goal));
            let bound = answer.suboptimality_bound.expect("there is always a bound");
            assert!(answer.cost <= exact.cost * bound * (1.0 + 1e-5), "{answer:?}, at best {}", exact.cost);
            if answer.algorithm == Algorithm::Hierarchical {
                (excess, count) = (excess + answer.cost / exact.cost - 1.0, count + 1);
            } else {
                assert!(answer.is_optimal(), "near goals are answered exactly");
            }
            let mut search = Search::new(&grid, query, SearchScratch::default());
            while search.step(1 + random.below(300)) == Progress::Running {}
            assert_eq!(search.finish().0, Ok(answer), "slices change nothing");
        }
    }
    let mean = excess / f64::from(count);
    assert!(count > 60 && mean < 0.02, "{count} paths cost {mean} more on average");
}

/// Which cells of a lattice are open: a maze of so many rooms along each side, at odd places. One in twenty of the
/// walls between rooms, and of those round the maze, is open too, so that there are several paths.
fn maze(random: &mut Random, rooms: i32) -> impl Fn(i32, i32) -> bool + use<> {
    let side = 2 * rooms + 1;
    let at = move |(x, y): (i32, i32)| (y * side + x) as usize;
    let mut is_open = vec![false; (side * side) as usize];
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        is_open[at((x, y))] = (x + y) % 2 == 1 && random.below(20) == 0;
    }
    let mut path = vec![(1, 1)];
    is_open[at((1, 1))] = true;
    while let Some(&(x, y)) = path.last() {
        let around = [(x + 2, y), (x - 2, y), (x, y + 2), (x, y - 2)];
        let is_new = |&(x, y): &(i32, i32)| x > 0 && y > 0 && x < side && y < side && !is_open[at((x, y))];
        let new: Vec<_> = around.into_iter().filter(is_new).collect();
        if new.is_empty() {
            path.pop();
            continue;
        }
        let next = new[random.below(new.len() as u32) as usize];
        is_open[at(next)] = true;
        is_open[at(((x + next.0) / 2, (y + next.1) / 2))] = true;
        path.push(next);
    }
    move |x, y| is_open[at((x, y))]
}

#[test]
fn far_paths_through_mazes_cost_at_most_two_per_cent_more() {
    const SIDE: i32 = 1536;
    let mut random = Random(12);
    let mut scratch = SearchScratch::default();
    // Corridors and walls are 2 or 6 cells wide. The maze fills the world, or half of its width and height.
    for (width, share) in [(2, 1), (6, 1), (2, 2)] {
        let rooms = SIDE / share / (2 * width) - 1;
        let is_open = maze(&mut random, rooms);
        let corner = (SIDE - (2 * rooms + 1) * width) / 2;
        let lattice = |at: i32| (at - corner).div_euclid(width);
        let is_walkable = |GridCell { x, y }| {
            let [x, y] = [x, y].map(lattice);
            let is_outside = x < 0 || y < 0 || x > 2 * rooms || y > 2 * rooms;
            is_outside || is_open(x, y)
        };
        let terrain = |cell| if is_walkable(cell) { Terrain::GROUND } else { Terrain::WALL };
        let grid = Grid::from_fn(SIDE as u32, SIDE as u32, terrain).unwrap();
        for _ in 0..24 {
            let (start, goal) = (random.cell(&grid), random.cell(&grid));
            let query = PathQuery::new(start, goal).with_partial(false);
            let Ok(exact) = solve(&grid, &query, &mut scratch) else { continue };
            let query = query.with_algorithm(Algorithm::Hierarchical);
            let answer = solve(&grid, &query, &mut scratch).expect("there is a path");
            check(&grid, &query, &answer);
            let excess = answer.cost / exact.cost - 1.0;
            assert!(excess <= 0.02, "{excess} from {start:?} to {goal:?} in corridors {width} wide");
        }
    }
}

#[test]
fn other_questions_are_answered_as_auto_answers_them() {
    let mut grid = Grid::new(2000, 100).unwrap();
    let mut scratch = SearchScratch::default();
    let far =
        PathQuery::new(GridCell::new(3, 50), GridCell::new(1990, 40)).with_algorithm(Algorithm::Hierarchical);
    let mut ran = |grid: &Grid, query: &PathQuery| solve(grid, query, &mut scratch).unwrap().algorithm;
    assert_eq!(ran(&grid, &far), Algorithm::Hierarchical);
    let limited = far.clone().with_limits(Limits { expansions: Some(9_999), cost: None });
    assert_eq!(ran(&grid, &limited), Algorithm::Jps);
    assert_eq!(
        ran(&grid, &PathQuery { start: GridCell::new(1900, 3), ..far.clone() }),
        Algorithm::Jps,
        "it is near"
    );
    grid.fill_disc(glam::Vec2::new(1990.0, 40.0), 4.0, Terrain::WALL);
    assert_eq!(ran(&grid, &far), Algorithm::Jps, "the goal is blocked");
    grid.set(GridCell::new(900, 50), Terrain::weight(3)).unwrap();
    let open =
        PathQuery::new(GridCell::new(3, 50), GridCell::new(1950, 40)).with_algorithm(Algorithm::Hierarchical);
    assert_eq!(ran(&grid, &open), Algorithm::Jps, "terrain has costs");
}
