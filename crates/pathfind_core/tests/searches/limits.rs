//! Limits of cost and of expansions: respected, and used up to the last path within them.

use super::common::{KIND, Random, Style, oracle, random_grid, styled_grid};
use super::costs::{Costs, costly_grid};
use super::oracle::{all_steps, check, step_algorithms};
use pathfind_core::{
    Algorithm, CornerRule, Grid, GridCell, Heuristic, Limits, Outcome, PartialReason, PathQuery, SearchError,
    SearchScratch, StepRules, solve,
};

fn any_grid(random: &mut Random, round: usize) -> Grid {
    let (width, height) = match round % 2 {
        0 => (1 + random.below(7), 1 + random.below(7)),
        _ => (1 + random.below(30), 1 + random.below(30)),
    };
    match round % 6 {
        0 => random_grid(random, width, height, 20, true),
        1 => costly_grid(random, Style::Scatter, Costs::Fractions).0,
        style => styled_grid(random, Style::ALL[style - 2], width, height),
    }
}

/// No answer costs more than its limit; every algorithm finds a path of steps within the limit if there is one;
/// otherwise the answer ends at the cell within the limit that is nearest to the goal, even if the goal is
/// unreachable.
#[test]
fn a_cost_limit_is_kept_and_paths_within_it_are_found() {
    let mut random = Random(62);
    let mut scratch = SearchScratch::default();
    let (mut cut, mut complete) = (0, 0);
    for round in 0..1500 {
        let grid = any_grid(&mut random, round);
        let steps = all_steps()[random.below(10) as usize];
        let (Some(start), goal) = (random.start(&grid, KIND), random.cell(&grid)) else { continue };
        let costs = oracle(&grid, KIND, steps, start);
        let most = f64::from(random.below(2000)) / 100.0 + 0.0037;
        // Skip costs that are too near to the limit for rounded arithmetic.
        if costs.values().any(|cost| (cost - most).abs() < 1e-4) {
            continue;
        }
        let within = || costs.iter().filter(|&(_, &cost)| cost <= most).map(|(&cell, _)| cell);
        let nearest = within().map(|cell| cell.distance_squared(goal)).min().unwrap();
        for &algorithm in Algorithm::ALL {
            let query = PathQuery::new(start, goal)
                .with_steps(steps)
                .with_algorithm(algorithm)
                .with_heuristic(Heuristic::ALL[random.below(5) as usize])
                .with_limits(Limits { cost: Some(most), expansions: None });
            let answer = solve(&grid, &query, &mut scratch).expect("it goes as far as it may");
            assert!(answer.cost <= most * (1.0 + 1e-5), "{algorithm} costs {}, not {most}", answer.cost);
            let away = answer.end().distance_squared(goal);
            match answer.outcome {
                Outcome::Complete => {
                    complete += 1;
                    assert_eq!(answer.end(), goal);
                }
                Outcome::Partial { nearest: end, reason } => {
                    cut += u32::from(reason == PartialReason::CostLimit);
                    assert_eq!(end, answer.end());
                    assert!(!within().any(|cell| cell == goal), "{algorithm} finds what {most} allows");
                    assert!(away <= nearest, "{algorithm}, {reason:?}: {end} is not the nearest to {goal}");
                }
            }
            if !answer.algorithm.is_any_angle() {
                check(&grid, &query, &answer);
                assert!(away >= nearest, "{algorithm} ends where steps lead within {most}");
            }
        }
    }
    assert!(cut > 500 && complete > 500, "{cut} were cut off, {complete} were not");
}

#[test]
fn a_path_may_cost_its_whole_limit() {
    let grid = Grid::new(20, 20).unwrap();
    let mut scratch = SearchScratch::default();
    for algorithm in step_algorithms() {
        let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(19, 12)).with_algorithm(algorithm);
        let whole = solve(&grid, &query, &mut scratch).unwrap();
        let enough = Limits { expansions: None, cost: Some(whole.cost) };
        let limited = solve(&grid, &query.with_limits(enough), &mut scratch).unwrap();
        assert_eq!((limited.outcome, limited.cost), (Outcome::Complete, whole.cost), "{algorithm}");
    }
}

#[test]
fn expansions_stay_within_their_limit() {
    let mut random = Random(63);
    let mut scratch = SearchScratch::default();
    let mut limited = 0;
    for round in 0..400 {
        let grid = any_grid(&mut random, round);
        let steps = all_steps()[random.below(10) as usize];
        let (Some(start), goal) = (random.start(&grid, KIND), random.cell(&grid)) else { continue };
        for &algorithm in Algorithm::ALL {
            let most = u64::from(random.below(4) * random.below(20));
            let cost = (random.below(2) == 0).then(|| f64::from(random.below(30)));
            let query = PathQuery::new(start, goal)
                .with_steps(steps)
                .with_algorithm(algorithm)
                .with_limits(Limits { cost, expansions: Some(most) });
            let answer = solve(&grid, &query, &mut scratch).expect("it goes as far as it may");
            assert!(answer.metrics.expanded <= most, "{algorithm} expands {:?}", answer.metrics);
            if let Outcome::Partial { reason: PartialReason::ExpansionLimit, .. } = answer.outcome {
                limited += 1;
                assert_eq!(answer.metrics.expanded, most, "{algorithm} uses what it may");
                assert!(answer.suboptimality_bound.is_none(), "nothing is known of a path cut short");
            }
        }
    }
    assert!(limited > 100, "only {limited} reached the limit");
}

/// Also where the search begins anew with A*, because its algorithm found no path within the limit of cost.
#[test]
fn with_both_limits_more_expansions_never_end_farther_from_the_goal() {
    let mut random = Random(64);
    let mut scratch = SearchScratch::default();
    let mut again = 0;
    for round in 0..60 {
        let grid = any_grid(&mut random, round);
        let (Some(start), goal) = (random.start(&grid, KIND), random.cell(&grid)) else { continue };
        let cost = Some(f64::from(random.below(30)));
        for &algorithm in Algorithm::ALL {
            let mut last = f64::INFINITY;
            for expansions in 0..200 {
                let limits = Limits { cost, expansions: Some(expansions) };
                let query = PathQuery::new(start, goal).with_algorithm(algorithm).with_limits(limits);
                let answer = solve(&grid, &query, &mut scratch).expect("it goes as far as it may");
                let away = answer.end().distance_squared(goal) as f64;
                assert!(
                    away <= last,
                    "{algorithm}: {expansions} expansions end at {}: {query:?}",
                    answer.end()
                );
                last = away;
                again += u32::from(!answer.is_complete() && answer.algorithm == Algorithm::AStar);
            }
        }
    }
    assert!(again > 100, "{again} searches began anew");
}

#[test]
fn without_any_expansion_the_answer_is_the_start() {
    let grid = Grid::from_ascii("....").unwrap();
    let mut scratch = SearchScratch::default();
    let [start, goal] = [GridCell::new(1, 0), GridCell::new(3, 0)];
    let none = Limits { expansions: Some(0), cost: None };
    for &algorithm in Algorithm::ALL {
        let query = PathQuery::new(start, goal).with_algorithm(algorithm).with_limits(none);
        let answer = solve(&grid, &query, &mut scratch).unwrap();
        assert_eq!(
            answer.outcome,
            Outcome::Partial { nearest: start, reason: PartialReason::ExpansionLimit }
        );
        assert_eq!((answer.metrics.expanded, answer.waypoints.len()), (0, 1), "{algorithm}");
        let strict = solve(&grid, &query.with_partial(false), &mut scratch);
        assert_eq!(strict, Err(SearchError::LimitReached));
        let there = PathQuery::new(start, start).with_algorithm(algorithm).with_limits(none);
        let answer = solve(&grid, &there, &mut scratch).unwrap();
        assert_eq!((answer.outcome, answer.metrics.expanded), (Outcome::Complete, 0), "{algorithm}");
    }
}

/// Lazy Theta* corrects costs late: in these cases the cost of a node rises above the limit after the node was opened,
/// and the node is taken from the open list once more.
#[test]
fn a_lazy_path_keeps_its_limit() {
    use CornerRule::{Always, OneFree};
    for (map, corners, start, goal, most) in [
        ("..\n..\n#.\n..\n..\n..", OneFree, (0, 0), (0, 5), 4.53),
        ("#..#.\n.#.#.\n.#.#.\n#.#..", Always, (4, 2), (0, 1), 6.5237),
        ("#....#..\n..#.....\n...##...\n.......#\n#.....#.", OneFree, (2, 2), (4, 1), 5.0854),
    ] {
        let grid = Grid::from_ascii(map).unwrap();
        let query = PathQuery::new(GridCell::from(start), GridCell::from(goal))
            .with_algorithm(Algorithm::LazyTheta)
            .with_steps(StepRules::eight(corners))
            .with_limits(Limits { cost: Some(most), expansions: None });
        let answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
        assert!(answer.cost <= most, "{start:?} to {goal:?}: {}, not {most}\n{map}", answer.cost);
    }
}
