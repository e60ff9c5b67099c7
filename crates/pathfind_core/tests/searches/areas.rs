//! Maps of areas, where many paths cost the same: every search finds the least cost, which integers make exact.

use super::common::{Random, Style, assert_near, oracle, parted, styled_grid, with_costs};
use super::oracle::{all_steps, check};
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CellRect, DistanceField, Goal, Grid, GridCell, KindId, ManyToOne,
    Outcome, PathQuery, Progress, Reach, SearchScratch, solve,
};

/// Costs whose sums along straight and diagonal steps are often equal: multiples of one another, those of diagonal
/// steps at 1.4, and those that make one diagonal step as dear as two straight ones.
const COSTS: [&[f32]; 6] = [
    &[1.0, 3.0],
    &[1.0, 2.0, 4.0],
    &[1.0, 0.4, 0.16],
    &[1.0, 1.4, 0.7, 5.0],
    &[1.0, 1.0, 577.0 / 408.0, 169.0 / 408.0],
    &[1.0, 9.0, 0.1],
];

/// A grid in a style, with areas of costs: blocks of `side` cells each way, and a few strips across them.
fn area_grid(random: &mut Random, style: Style, size: [u32; 2], kind: AgentKind) -> (Grid, KindId) {
    let mut grid = styled_grid(random, style, size[0], size[1]);
    let costs = COSTS[random.below(COSTS.len() as u32) as usize];
    let side = 1 + random.below(9) as i32;
    let seed = random.below(1 << 30);
    let strip = random.below(3) as i32;
    let class_of = |cell: GridCell| {
        let [x, y] = [cell.x / side, cell.y / side].map(|block| block as u32);
        let mixed = Random(u64::from(seed ^ (x << 16 | y))).below(1 << 30) as usize;
        if strip > 0 && (cell.x + 2 * cell.y) % 13 < strip { 0 } else { mixed % costs.len() }
    };
    let kind = with_costs(&mut grid, costs, kind, class_of);
    let kind = grid.add_kind(kind).expect("there is room for a kind");
    (grid, kind)
}

/// Extra costs in a few discs, which overlap.
fn endanger(random: &mut Random, grid: &mut Grid, kind: KindId) -> Vec<CellRect> {
    let discs: Vec<_> = (0..1 + random.below(4))
        .map(|_| (random.cell(grid), 1 + u64::from(random.below(12)), random.below(80) as f32 / 8.0 - 0.5))
        .collect();
    let extra = |cell: GridCell| {
        let near = discs.iter().filter(|(at, radius, _)| at.distance_squared(cell) <= radius * radius);
        near.map(|(.., extra)| extra).sum()
    };
    let all = grid.bounds();
    grid.set_extra_costs(kind, &[all], extra).expect("the grid has the kind")
}

fn random_kind(random: &mut Random) -> AgentKind {
    let size = match random.below(6) {
        0 => AgentSize::Square(2),
        1 => AgentSize::Disc(random.below(170) as f32 / 100.0),
        _ => AgentSize::default(),
    };
    AgentKind { size, ..AgentKind::default() }
}

/// The number of maps, which `NAV_AREAS` sets.
fn rounds() -> u32 {
    std::env::var("NAV_AREAS").map_or(300, |rounds| rounds.parse().expect("a number"))
}

#[test]
fn least_costs_are_found_where_areas_of_different_costs_meet() {
    let mut random = Random(71);
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    for round in 0..rounds() {
        let size = [3 + random.below(40), 3 + random.below(40)];
        let kind = random_kind(&mut random);
        let (mut grid, kind) = area_grid(&mut random, Style::ALL[round as usize % 4], size, kind);
        if random.below(4) == 0 {
            grid = parted(&mut random, grid);
        }
        if random.below(2) == 0 {
            endanger(&mut random, &mut grid, kind);
        }
        let steps = all_steps()[random.below(10) as usize];
        let Some(start) = random.start(&grid, kind) else { continue };
        let costs = oracle(&grid, kind, steps, start);
        for _ in 0..4 {
            let goal = random.cell(&grid);
            let Some(&least) = costs.get(&goal) else { continue };
            let goals = match random.below(4) {
                0 => Goal::AnyOf(vec![goal, random.cell(&grid), random.cell(&grid)]),
                1 => Goal::Within { center: goal, radius: random.below(40) as f32 / 10.0 },
                _ => Goal::GridCell(goal),
            };
            let query = PathQuery::new(start, goals).with_kind(kind).with_steps(steps);
            let own = solve(&grid, &query.clone().with_algorithm(Algorithm::Dijkstra), &mut scratch);
            let own = own.expect("there is a path");
            for algorithm in [Algorithm::Jps, Algorithm::AStar, Algorithm::Auto] {
                let query = query.clone().with_algorithm(algorithm);
                let answer = solve(&grid, &query, &mut scratch).expect("there is a path");
                check(&grid, &query, &answer);
                assert_eq!(answer.outcome, Outcome::Complete);
                assert_near(answer.cost, own.cost, 4e-5, (round, &query));
            }
            if matches!(query.goal, Goal::GridCell(_)) {
                assert_near(own.cost, least, 4e-5, round);
                found += 1;
                let mut field = DistanceField::new(&grid, kind, steps, &[goal], &mut scratch).unwrap();
                assert_near(f64::from(field.distance(start).unwrap()), least, 4e-5, round);
                let mut edited = grid.clone();
                let touched = endanger(&mut random, &mut edited, kind);
                field.repair(&edited, &touched, &mut scratch).expect("it is a grid of the same size");
                let own = solve(&edited, &query.with_algorithm(Algorithm::Dijkstra), &mut scratch).unwrap();
                assert_near(f64::from(field.distance(start).unwrap()), own.cost, 4e-5, round);
            }
        }
        let most = f64::from(random.below(60));
        let reach =
            Reach::within_cost(&grid, kind, steps, start, most, &mut scratch).expect("it is walkable");
        for (cell, &cost) in &costs {
            match reach.cost(*cell) {
                Some(reached) => assert_near(reached, cost, 4e-5, (start, cell)),
                None => assert!(cost > most * (1.0 - 4e-5), "{cell} is within {most} of {start}"),
            }
        }
        let query = PathQuery::new(start, start).with_kind(kind).with_steps(steps);
        let starts: Vec<GridCell> = (0..8).map(|_| random.cell(&grid)).collect();
        let mut many = ManyToOne::new(&grid, query.clone(), &starts, SearchScratch::default());
        while many.step(77) == Progress::Running {}
        for &start in starts.iter().filter(|cell| costs.contains_key(cell)) {
            let answer = many.answer(start).expect("it is joined").expect("there is a path");
            let own = PathQuery { start, ..query.clone() }.with_algorithm(Algorithm::Dijkstra);
            let own = solve(&grid, &own, &mut scratch).expect("there is a path");
            assert_near(answer.cost, own.cost, 4e-5, start);
        }
    }
    assert!(found > rounds() / 2, "only {found} questions had a path");
}
