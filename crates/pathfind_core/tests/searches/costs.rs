//! Costs of any size: every search and every field computes the cost of each step by its definition.

use super::common::{KIND, Random, Style, assert_near, oracle, styled_grid, with_costs};
use super::oracle::{all_steps, check, step_algorithms};
use pathfind_core::{
    AgentKind, CostTable, DistanceField, Grid, ManyToOne, PathQuery, Progress, SearchScratch, solve,
};

/// The range of a map's costs.
#[derive(Copy, Clone)]
pub(crate) enum Costs {
    /// Fractions that can be integers in the search's unit: with up to two decimals, or eighths.
    Fractions,
    /// From the smallest to the largest permitted cost.
    Any,
}

/// A random cost of this kind, sometimes one of the extremes.
fn cost(random: &mut Random, costs: Costs) -> f32 {
    let part = random.below(10_000) as f32 / 10_000.0;
    if let Costs::Fractions = costs {
        return match random.below(3) {
            0 => (1 + random.below(16)) as f32 / 8.0,
            1 => (1 + random.below(12)) as f32 / 4.0,
            _ => (1 + random.below(500)) as f32 / 100.0,
        };
    }
    match random.below(4) {
        0 => CostTable::MIN_COST * libm::powf(CostTable::MAX_COST / CostTable::MIN_COST, part),
        1 => (1 + random.below(500)) as f32 / 100.0,
        2 => CostTable::MIN_COST * (1.0 + part),
        _ => [CostTable::MIN_COST, 1.0, CostTable::MAX_COST][random.below(3) as usize],
    }
}

/// A grid in a style, with a few terrain classes of random costs.
pub(crate) fn costly_grid(random: &mut Random, style: Style, span: Costs) -> (Grid, Vec<f32>) {
    let (width, height) = (2 + random.below(22), 2 + random.below(22));
    let mut grid = styled_grid(random, style, width, height);
    let costs: Vec<f32> = (0..1 + random.below(5)).map(|_| cost(random, span)).collect();
    let classes = costs.len() as u32;
    let kind = with_costs(&mut grid, &costs, AgentKind::default(), |_| random.below(classes) as usize);
    grid.set_kind(KIND, kind).unwrap();
    (grid, costs)
}

/// Step searches, fields and many-to-one searches find the minimal cost, up to the documented rounding.
#[test]
fn costs_of_any_size_are_exact() {
    let mut random = Random(61);
    let mut scratch = SearchScratch::default();
    for round in 0..600 {
        let (span, slack) = if round % 3 == 0 { (Costs::Any, 4e-5) } else { (Costs::Fractions, 6e-6) };
        let (grid, classes) = costly_grid(&mut random, Style::ALL[round % 4], span);
        let steps = all_steps()[random.below(10) as usize];
        let (Some(start), goal) = (random.start(&grid, KIND), random.cell(&grid)) else { continue };
        let Some(&least) = oracle(&grid, KIND, steps, start).get(&goal) else { continue };
        for algorithm in step_algorithms() {
            let query = PathQuery::new(start, goal).with_steps(steps).with_algorithm(algorithm);
            let answer = solve(&grid, &query, &mut scratch).expect("there is a path");
            check(&grid, &query, &answer);
            let Some(suboptimality_bound) = answer.suboptimality_bound else { continue };
            let most = least * suboptimality_bound * (1.0 + slack);
            assert!(answer.cost <= most, "{algorithm} costs {}, not {least}, among {classes:?}", answer.cost);
        }
        let field = DistanceField::new(&grid, KIND, steps, &[goal], &mut scratch).unwrap();
        let distance = f64::from(field.distance(start).expect("there is a path"));
        assert_near(distance, least, slack, &classes);
        let query = PathQuery::new(start, goal).with_steps(steps);
        let mut many = ManyToOne::new(&grid, query, &[], SearchScratch::default());
        while many.step(100) == Progress::Running {}
        let cost = many.answer(start).expect("there is a path").unwrap().cost;
        assert_near(cost, least, slack, classes);
    }
}
