//! Shortest any-angle paths, compared with a visibility graph.

use super::common::{KIND, Random, Style, styled_grid};
use super::line_of_sight::sees;
use glam::Vec2;
use pathfind_core::{
    Algorithm, CornerRule, Grid, GridCell, Metrics, PathQuery, SearchError, SearchScratch, StepRules,
    Terrain, solve,
};

/// The points at which a path may turn: corners of walls, or, if no blocked cell may be touched, centres of cells.
fn turning_points(grid: &Grid, corners: CornerRule) -> Vec<Vec2> {
    if corners == CornerRule::Never {
        return grid
            .bounds()
            .cells()
            .filter(|&cell| grid.is_walkable(KIND, cell))
            .map(GridCell::center)
            .collect();
    }
    let points = (0..=grid.height() as i32).flat_map(|y| (0..=grid.width() as i32).map(move |x| (x, y)));
    let is_turn = |&(x, y): &(i32, i32)| {
        let around = [(-1, -1), (0, -1), (0, 0), (-1, 0)];
        let is_wall = around.map(|(dx, dy)| !grid.is_walkable(KIND, GridCell::new(x + dx, y + dy)));
        match is_wall.iter().filter(|&&wall| wall).count() {
            1 => true,
            // At a corner where two walls touch, a path turns only if it may pass between them.
            2 => is_wall[0] == is_wall[2] && corners == CornerRule::Always,
            _ => false,
        }
    };
    points.filter(is_turn).map(|(x, y)| Vec2::new(x as f32, y as f32)).collect()
}

/// The minimal length, by Dijkstra over all pairs of points that see each other.
fn oracle(grid: &Grid, corners: CornerRule, start: Vec2, goal: Vec2) -> Option<f64> {
    let mut points = turning_points(grid, corners);
    points.extend([start, goal]);
    let mut lengths = vec![f64::INFINITY; points.len()];
    let mut is_done = vec![false; points.len()];
    lengths[points.len() - 2] = 0.0;
    loop {
        let open = (0..points.len()).filter(|&i| !is_done[i] && lengths[i].is_finite());
        let i = open.min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))?;
        if i == points.len() - 1 {
            return Some(lengths[i]);
        }
        is_done[i] = true;
        for j in 0..points.len() {
            let through = lengths[i] + points[i].as_dvec2().distance(points[j].as_dvec2());
            if through < lengths[j] && sees(grid, KIND, corners, points[i], points[j]) {
                lengths[j] = through;
            }
        }
    }
}

/// Searches the shortest path and checks it; returns by what share of the shortest length it is longer, or `None` if there
/// was no path. Where no blocked cell may be touched it may be longer, else it is not.
fn check(
    grid: &Grid,
    corners: CornerRule,
    (start, goal): (GridCell, GridCell),
    scratch: &mut SearchScratch,
) -> Option<f64> {
    let query = PathQuery::new(start, goal)
        .with_steps(StepRules::eight(corners))
        .with_algorithm(Algorithm::AnyAngle)
        .with_partial(false);
    let map = || format!("{corners:?}, {start} to {goal} on\n{}", grid.to_ascii().unwrap());
    let shortest = || oracle(grid, corners, start.center(), goal.center());
    let answer = match solve(grid, &query, scratch) {
        Ok(answer) => answer,
        Err(SearchError::StartBlocked(_) | SearchError::GoalBlocked(_)) => return None,
        Err(error) => {
            assert_eq!((error, shortest()), (SearchError::Unreachable, None), "{}", map());
            return None;
        }
    };
    let is_exact = corners != CornerRule::Never;
    let named = if is_exact { (Algorithm::AnyAngle, Some(1.0)) } else { (Algorithm::Theta, None) };
    assert_eq!((answer.algorithm, answer.suboptimality_bound), named);
    assert_eq!((answer.waypoints[0], answer.waypoints.last()), (start.center(), Some(&goal.center())));
    for leg in answer.waypoints.windows(2) {
        assert!(sees(grid, KIND, corners, leg[0], leg[1]), "{leg:?} {}", map());
    }
    let shortest = shortest().expect("there is a path");
    let longer = answer.length - shortest;
    assert!(longer > -1e-6 && !(is_exact && longer > 1e-6), "{} is not {shortest}, {}", answer.length, map());
    Some(if longer > 1e-6 { longer / shortest } else { 0.0 })
}

/// Checks the mean and the greatest of the shares by which paths that touch nothing were longer than the shortest.
fn assert_near(shares: &[f64], mean: f64, greatest: f64) {
    let found = shares.iter().sum::<f64>() / shares.len() as f64;
    let worst = shares.iter().copied().fold(0.0, f64::max);
    assert!(found < mean && worst < greatest, "{found} longer on average, {worst} at most");
}

#[test]
fn no_path_is_shorter() {
    let mut random = Random(31);
    let mut scratch = SearchScratch::default();
    let (mut found, mut shares) = (0, Vec::new());
    for round in 0..900 {
        let corners = CornerRule::ALL[round % 3];
        let (width, height) = match round % 7 {
            0 => (1 + random.below(40), 1 + random.below(3)),
            1 => (1 + random.below(3), 1 + random.below(40)),
            _ => (2 + random.below(11), 2 + random.below(11)),
        };
        let grid = styled_grid(&mut random, Style::ALL[round % 4], width, height);
        let ends = (random.cell(&grid), random.cell(&grid));
        let share = check(&grid, corners, ends, &mut scratch);
        found += u32::from(share.is_some());
        shares.extend(share.filter(|_| corners == CornerRule::Never));
    }
    assert!(found > 280, "only {found} questions had a path");
    assert_near(&shares, 0.005, 0.36);
}

/// The leg along the top of the walls, from corner to corner, is not made of steps.
#[test]
fn of_a_leg_between_corners_only_the_ends_are_listed() {
    let grid = Grid::from_ascii(".....\n.###.\n.###.\n.....").unwrap();
    let query = PathQuery::new(GridCell::new(0, 1), GridCell::new(4, 1))
        .with_algorithm(Algorithm::AnyAngle)
        .with_steps(StepRules::eight(CornerRule::OneFree));
    let answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
    assert_eq!(answer.waypoints[1..3], [Vec2::new(1.0, 1.0), Vec2::new(4.0, 1.0)]);
    assert_eq!(answer.cells().collect::<Vec<_>>(), [(0, 1), (1, 1), (4, 1)].map(GridCell::from));
}

#[test]
fn no_path_round_far_corners_is_shorter() {
    let mut random = Random(32);
    let mut scratch = SearchScratch::default();
    for round in 0..40 {
        let (width, height) = if round % 2 == 0 { (900, 31) } else { (31, 900) };
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..9 {
            let (corner, length) = (random.cell(&grid), random.below(24) as i32);
            let along = if random.below(3) == 0 { (3, length) } else { (length, 3) };
            let end = GridCell::new(corner.x + along.0, corner.y + along.1);
            grid.fill(pathfind_core::CellRect::new(corner, end), Terrain::WALL);
        }
        let corners = [CornerRule::OneFree, CornerRule::Always][round / 2 % 2];
        let ends = (random.cell(&grid), random.cell(&grid));
        check(&grid, corners, ends, &mut scratch);
    }
}

/// Blocks of walls in rows and columns, `period` cells apart, the first at `offset`; every row of blocks is shifted
/// by `shift` relative to the previous one.
fn pillars(side: u32, period: i32, block: i32, offset: (i32, i32), shift: i32) -> Grid {
    Grid::from_fn(side, side, |cell| {
        let y = cell.y + offset.1;
        let x = cell.x + offset.0 + shift * y.div_euclid(period);
        let is_wall = x.rem_euclid(period) < block && y.rem_euclid(period) < block;
        if is_wall { Terrain::WALL } else { Terrain::GROUND }
    })
    .unwrap()
}

#[test]
fn no_path_among_regular_pillars_is_shorter() {
    let mut random = Random(33);
    let mut scratch = SearchScratch::default();
    let (mut found, mut shares) = (0, Vec::new());
    for period in 2..=7 {
        for block in 1..period {
            for round in 0..18 {
                let corners = CornerRule::ALL[round % 3];
                // The graph of cell centres is far larger than that of corners.
                let side = if corners == CornerRule::Never { 12 } else { 17 };
                let offset = (random.below(period as u32) as i32, random.below(period as u32) as i32);
                let shift = if round < 9 { 0 } else { random.below(period as u32) as i32 };
                let mut grid = pillars(side, period, block, offset, shift);
                // Some irregular cells: blocks with a missing cell, walls between blocks.
                for _ in 0..[0, 1, 12][round / 3 % 3] {
                    let cell = random.cell(&grid);
                    let is_wall = grid.is_walkable(KIND, cell);
                    grid.set(cell, if is_wall { Terrain::WALL } else { Terrain::GROUND }).unwrap();
                }
                let ends = (random.cell(&grid), random.cell(&grid));
                let share = check(&grid, corners, ends, &mut scratch);
                found += u32::from(share.is_some());
                shares.extend(share.filter(|_| corners == CornerRule::Never));
            }
        }
    }
    assert!(found > 100, "only {found} questions had a path");
    assert_near(&shares, 0.005, 0.06);
}

#[test]
fn no_long_path_among_regular_pillars_is_shorter() {
    let mut random = Random(34);
    let mut scratch = SearchScratch::default();
    for (period, block) in [(2, 1), (3, 1), (3, 2), (4, 2), (5, 3), (8, 4)] {
        for corners in [CornerRule::OneFree, CornerRule::Always] {
            let shift = random.below(2) as i32;
            let grid = pillars(40, period, block, (period - block, period - block), shift);
            let goal = GridCell::new(39 - random.below(4) as i32, 39 - random.below(12) as i32);
            let goal = grid.nearest_walkable(KIND, goal).unwrap();
            let start = grid.nearest_walkable(KIND, GridCell::new(0, 0)).unwrap();
            assert!(check(&grid, corners, (start, goal), &mut scratch).is_some(), "a lattice has no islands");
        }
    }
}

/// One blocked cell in each square of `period` cells, at a random place or, once in `period` times, at the same place
/// as in the square before.
fn jittered_grid(random: &mut Random, (width, height): (u32, u32), period: u32, keeps: u32) -> Grid {
    let mut grid = Grid::new(width, height).unwrap();
    let mut at = (random.below(period), random.below(period));
    for y in (0..height).step_by(period as usize) {
        for x in (0..width).step_by(period as usize) {
            if random.below(keeps) == 0 {
                at = (random.below(period), random.below(period));
            }
            let cell = GridCell::new((x + at.0) as i32, (y + at.1) as i32);
            if grid.contains(cell) {
                grid.set(cell, Terrain::WALL).unwrap();
            }
        }
    }
    grid
}

#[test]
fn no_path_among_jittered_pillars_is_shorter() {
    let mut random = Random(35);
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    for period in 2..=6 {
        for round in 0..30 {
            let corners = [CornerRule::OneFree, CornerRule::Always][round % 2];
            // In long rows one root sees many gaps of a line.
            let size = [(18, 18), (44, 8), (8, 44)][round / 2 % 3];
            let grid = jittered_grid(&mut random, size, period, [1, 4, 20][round / 6 % 3]);
            let ends = (random.cell(&grid), random.cell(&grid));
            found += u32::from(check(&grid, corners, ends, &mut scratch).is_some());
        }
    }
    assert!(found > 60, "only {found} questions had a path");
}

/// A view through a gap, seen from close by, is wider two rows on than the grid is.
#[test]
fn a_view_may_end_far_beyond_the_grid() {
    let is_wall = |GridCell { x, y }| (y == 1 && !(200..356).contains(&x)) || (x, y) == (0, 3);
    let grid =
        Grid::from_fn(448, 12, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND }).unwrap();
    let mut scratch = SearchScratch::default();
    for corners in [CornerRule::OneFree, CornerRule::Always] {
        assert!(
            check(&grid, corners, (GridCell::new(220, 0), GridCell::new(447, 11)), &mut scratch).is_some()
        );
    }
}

/// The metrics of the search for the shortest path from the first cell to the walkable cell nearest to another.
fn effort(grid: &Grid, corners: CornerRule, to: (i32, i32), scratch: &mut SearchScratch) -> Metrics {
    let query = PathQuery::new(GridCell::new(0, 0), grid.nearest_walkable(KIND, to.into()).unwrap())
        .with_algorithm(Algorithm::AnyAngle)
        .with_steps(StepRules::eight(corners));
    let answer = solve(grid, &query, scratch).unwrap();
    assert_eq!((answer.algorithm, answer.suboptimality_bound), (Algorithm::AnyAngle, Some(1.0)));
    answer.metrics
}

/// A root sees all gaps of a line between pillars and a free row, but shortest paths cross few of them.
#[test]
fn gaps_to_which_another_path_is_shorter_are_not_followed() {
    let mut scratch = SearchScratch::default();
    for (period, block) in [(2, 1), (3, 2), (4, 3)] {
        for corners in [CornerRule::OneFree, CornerRule::Always] {
            let grid = pillars(288, period, block, (block, block), 0);
            let Metrics { pops, expanded, .. } = effort(&grid, corners, (286, 245), &mut scratch);
            assert!(pops < expanded * 11 / 5, "{block} every {period}: {pops} pops, {expanded} expanded");
        }
    }
}

/// Where rows of pillars are shifted, another path is often shorter to one end of an interval, and longer to the other.
#[test]
fn what_another_path_reaches_sooner_is_cut_from_intervals() {
    let mut scratch = SearchScratch::default();
    for (period, block, shift, most) in [(3, 1, 2, 15_000), (5, 2, 3, 6_200), (3, 1, 1, 5_700)] {
        for corners in [CornerRule::OneFree, CornerRule::Always] {
            let grid = pillars(288, period, block, (block, block), shift);
            let expanded = effort(&grid, corners, (286, 245), &mut scratch).expanded;
            assert!(expanded < most, "{block} every {period}, shifted by {shift}: {expanded} expanded");
        }
    }
}

/// The bound of one root, interval or crossing for each cell is enough for the most corners that a lattice can have.
#[test]
fn long_paths_across_shifted_rows_fit_into_memory() {
    let grid = pillars(1024, 2, 1, (1, 1), 1);
    let mut scratch = SearchScratch::default();
    for goal in [(409, 1022), (876, 1022)] {
        effort(&grid, CornerRule::OneFree, goal, &mut scratch);
    }
}

#[test]
fn many_equally_long_paths_take_no_more_time_than_one() {
    let mut scratch = SearchScratch::default();
    for (period, block, side) in
        [(2, 1, 96), (3, 1, 96), (3, 2, 96), (4, 2, 192), (12, 8, 448), (20, 10, 1024)]
    {
        for corners in [CornerRule::OneFree, CornerRule::Always] {
            let grid = pillars(side, period, block, (block, block), 0);
            let goal = (side as i32 - 2, side as i32 - 2 - side as i32 / 7);
            let expanded = effort(&grid, corners, goal, &mut scratch).expanded;
            let cells = u64::from(side) * u64::from(side);
            assert!(expanded < cells / 2, "blocks of {block} every {period}: {expanded} expanded");
        }
    }
}

/// Where nothing may be touched, the number of expansions stays below the number of cells. Shortest paths turn at centres
/// of cells there, and a search over all that see each other would take as many steps as there are pairs of them.
#[test]
fn what_touches_nothing_takes_a_search_over_cells() {
    let side = 128;
    let is_wall = |cell: GridCell| cell.x == side / 2 && cell.y > 0;
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(side as u32, side as u32, terrain).unwrap();
    let query = PathQuery::new(GridCell::new(0, side - 1), GridCell::new(side - 1, side - 3));
    let query = query.with_algorithm(Algorithm::AnyAngle);
    let metrics = solve(&grid, &query, &mut SearchScratch::default()).unwrap().metrics;
    assert!(metrics.generated < 8 * (side * side) as u64, "{metrics:?}");
}
