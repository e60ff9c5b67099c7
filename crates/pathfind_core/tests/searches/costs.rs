//! Costs of any size, and limits on them.

use super::common::{Random, Style, oracle, random_grid, styled_grid};
use super::oracle::{all_steps, check, step_algorithms};
use pathfind_core::{
    AgentKind, Algorithm, CostTable, Grid, KindId, Limits, Outcome, Query, SearchSpace, Terrain, solve,
};

const KIND: KindId = KindId(0);

/// A cost from the least to the greatest that there may be: any, one of two decimals, or one of the ends.
fn cost(random: &mut Random) -> f32 {
    let part = random.below(10_000) as f32 / 10_000.0;
    match random.below(4) {
        0 => CostTable::MIN_COST * libm::powf(CostTable::MAX_COST / CostTable::MIN_COST, part),
        1 => (1 + random.below(500)) as f32 / 100.0,
        2 => CostTable::MIN_COST * (1.0 + part),
        _ => [CostTable::MIN_COST, 1.0, CostTable::MAX_COST][random.below(3) as usize],
    }
}

/// A grid in some style, of a few classes that cost what they may.
fn dear_grid(random: &mut Random, style: Style) -> (Grid, Vec<f32>) {
    let (width, height) = (2 + random.below(22), 2 + random.below(22));
    let mut grid = styled_grid(random, style, width, height);
    let costs: Vec<f32> = (0..1 + random.below(5)).map(|_| cost(random)).collect();
    let class = |index: usize| Terrain(100 + index as u8);
    grid.edit(|edit| {
        edit.map(edit.bounds(), |_, terrain| match terrain {
            Terrain::GROUND => class(random.below(costs.len() as u32) as usize),
            wall => wall,
        });
    });
    let table = costs.iter().enumerate().fold(CostTable::default(), |table, (index, &cost)| {
        table.with(class(index), cost).expect("the cost is in range")
    });
    grid.set_kind(KIND, AgentKind { costs: table, ..AgentKind::default() }).unwrap();
    (grid, costs)
}

#[test]
fn costs_of_any_size_are_met() {
    let mut random = Random(61);
    let mut space = SearchSpace::default();
    for round in 0..400 {
        let (grid, classes) = dear_grid(&mut random, Style::ALL[round % 4]);
        let (start, goal) = (random.cell(&grid), random.cell(&grid));
        let steps = all_steps()[random.below(10) as usize];
        if !grid.is_walkable(KIND, start) {
            continue;
        }
        let Some(&least) = oracle(&grid, KIND, steps, start).get(&goal) else { continue };
        let (low, high) =
            classes.iter().fold((f32::MAX, 0.0_f32), |(low, high), &cost| (low.min(cost), high.max(cost)));
        let slack = if high / low > 2_500.0 { 2e-3 } else { 4e-5 };
        for algorithm in step_algorithms() {
            let query = Query::new(start, goal).with_steps(steps).with_algorithm(algorithm);
            let answer = solve(&grid, &query, &mut space).expect("there is a path");
            check(&grid, &query, &answer);
            let Some(bound) = answer.bound else { continue };
            let most = least * bound * (1.0 + slack);
            assert!(answer.cost <= most, "{algorithm} costs {}, not {least}, among {classes:?}", answer.cost);
        }
    }
}

/// A limit of cost holds for every algorithm, also where paths are put right late; what it allows is found.
#[test]
fn no_answer_costs_more_than_its_limit() {
    let mut random = Random(62);
    let mut space = SearchSpace::default();
    let (mut cut, mut complete) = (0, 0);
    for round in 0..400 {
        let (width, height) = (1 + random.below(40), 1 + random.below(40));
        let grid = match round % 5 {
            0 => random_grid(&mut random, width, height, 20, true),
            style => styled_grid(&mut random, Style::ALL[style - 1], width, height),
        };
        let steps = all_steps()[random.below(10) as usize];
        let (start, goal) = (random.cell(&grid), random.cell(&grid));
        if !grid.is_walkable(KIND, start) {
            continue;
        }
        let least = oracle(&grid, KIND, steps, start).get(&goal).copied();
        let most = f64::from(random.below(4000)) / 100.0;
        for algorithm in Algorithm::ALL {
            let limits = Limits { cost: Some(most), expansions: None };
            let query =
                Query::new(start, goal).with_steps(steps).with_algorithm(algorithm).with_limits(limits);
            let answer = solve(&grid, &query, &mut space).expect("it goes as far as it may");
            assert!(answer.cost <= most * (1.0 + 1e-5), "{algorithm} costs {}, not {most}", answer.cost);
            let is_complete = answer.outcome == Outcome::Complete;
            cut += u32::from(!is_complete);
            complete += u32::from(is_complete);
            let finds_the_least = matches!(answer.algorithm, Algorithm::AStar | Algorithm::Dijkstra);
            if finds_the_least && least.is_some_and(|least| least <= most) {
                assert!(is_complete, "{algorithm} finds what costs no more than {most}");
            }
        }
    }
    assert!(cut > 500 && complete > 500, "{cut} were cut off, {complete} were not");
}
