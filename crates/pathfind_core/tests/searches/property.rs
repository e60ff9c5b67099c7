//! Properties of every query: any algorithm, steps, terrain and size, sliced or not.

use std::collections::HashMap;

use super::common::{Random, oracle, parted, walk};
use super::oracle::{all_steps, check, check_nearest, step_algorithms};
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CostTable, Grid, GridCell, Heuristic, KindId, Outcome, PathQuery,
    Progress, Recording, Search, SearchError, SearchEventKind, SearchScratch, StepRules, Terrain,
    line_of_sight, solve,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A map and a query, except for the algorithm.
#[derive(Clone, Debug)]
struct Case {
    grid: Grid,
    query: PathQuery,
}

/// Mostly ground; also walls, weighted terrain, and water that some kinds can cross.
fn terrain() -> impl Strategy<Value = Terrain> {
    prop_oneof![
        6 => Just(Terrain::GROUND),
        3 => Just(Terrain::WALL),
        1 => (1..=9u8).prop_map(Terrain::weight),
        1 => Just(Terrain::WATER),
    ]
}

/// `None` for the default kind, or a kind with another size and other costs.
fn kind() -> impl Strategy<Value = Option<AgentKind>> {
    let sizes = prop_oneof![
        3 => Just(AgentSize::Square(1)),
        1 => (2..=3u8).prop_map(AgentSize::Square),
        1 => (0.0..1.7f32).prop_map(AgentSize::Disc),
    ];
    let swimmer = (0.1..20.0f32)
        .prop_map(|cost| CostTable::default().with(Terrain::WATER, cost).expect("the cost is in range"));
    let costs = prop_oneof![Just(CostTable::default()), swimmer];
    let climbs = select(vec![0.0, 0.5, 1.0, 2.0, f32::INFINITY]);
    proptest::option::of((sizes, costs, climbs).prop_map(|(size, costs, climb)| AgentKind {
        costs,
        size,
        climb,
    }))
}

fn case() -> impl Strategy<Value = Case> {
    let map = (1..24usize, 1..24usize)
        .prop_flat_map(|(width, height)| (Just(width), proptest::collection::vec(terrain(), width * height)));
    let ends = (any::<Index>(), any::<Index>());
    let choices = (select(all_steps()), select(Heuristic::ALL.to_vec()));
    let hills = proptest::option::of(any::<u64>());
    (map, kind(), hills, ends, choices).prop_map(
        |((width, cells), kind, hills, (start, goal), (steps, heuristic))| {
            let at = |index: Index| {
                let index = index.index(cells.len());
                GridCell::new((index % width) as i32, (index / width) as i32)
            };
            let (start, goal) = (at(start), at(goal));
            let mut rows = cells.iter();
            let height = (cells.len() / width) as u32;
            let mut grid = Grid::from_fn(width as u32, height, |_| *rows.next().unwrap()).unwrap();
            if let Some(seed) = hills {
                grid = parted(&mut Random(seed), grid);
            }
            let kind = kind.map_or(KindId::default(), |kind| grid.add_kind(kind).unwrap());
            let query =
                PathQuery::new(start, goal).with_kind(kind).with_steps(steps).with_heuristic(heuristic);
            Case { grid, query }
        },
    )
}

/// The suboptimality bound that an algorithm guarantees; `None` if it has none.
fn promise(algorithm: Algorithm, query: &PathQuery) -> Option<f64> {
    let admissible = query.heuristic.is_admissible(query.steps);
    match algorithm {
        Algorithm::Greedy => None,
        Algorithm::WeightedAStar => admissible.then_some(f64::from(query.weight)),
        Algorithm::AStar => admissible.then_some(1.0),
        _ => Some(1.0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn paths_of_steps_agree_with_the_oracle(Case { grid, query } in case()) {
        let mut scratch = SearchScratch::default();
        let &PathQuery { start, kind, steps, .. } = &query;
        let pathfind_core::Goal::GridCell(goal) = query.goal else { unreachable!("cases have one goal") };
        if !grid.is_walkable(kind, start) {
            prop_assert_eq!(solve(&grid, &query, &mut scratch), Err(SearchError::StartBlocked(start)));
            return Ok(());
        }
        let costs = oracle(&grid, kind, steps, start);
        let expected = costs.get(&goal).copied();
        prop_assert_eq!(grid.connected(kind, steps, start, goal), expected.is_some());
        for algorithm in step_algorithms() {
            let query = query.clone().with_algorithm(algorithm);
            let answer = solve(&grid, &query, &mut scratch).expect("the start is walkable");
            check(&grid, &query, &answer);
            let promised = promise(algorithm, &query);
            prop_assert_eq!(answer.suboptimality_bound, promised, "{}", algorithm);
            match expected {
                Some(cost) => {
                    prop_assert_eq!((answer.outcome, answer.end()), (Outcome::Complete, goal));
                    let most = cost * promised.unwrap_or(1e9) * (1.0 + 1e-5);
                    prop_assert!(answer.cost <= most, "{} costs {}, not {}", algorithm, answer.cost, cost);
                }
                None => check_nearest(&grid, &query, &answer, &costs, &[goal]),
            }
            prop_assert_eq!(solve(&grid, &query, &mut scratch), Ok(answer), "asked again");
        }
    }

    #[test]
    fn any_angle_paths_have_line_of_sight_on_every_leg(Case { grid, query } in case()) {
        let mut scratch = SearchScratch::default();
        let query = query.with_partial(false);
        for algorithm in Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.is_any_angle()) {
            let query = query.clone().with_algorithm(algorithm);
            let Ok(answer) = solve(&grid, &query, &mut scratch) else { return Ok(()) };
            if !answer.algorithm.is_any_angle() {
                let cells: Vec<GridCell> = answer.cells().collect();
                walk(&grid, query.kind, query.steps, &cells);
                continue;
            }
            for leg in answer.waypoints.windows(2) {
                let sees = line_of_sight(&grid, query.kind, query.steps.corners, leg[0], leg[1]);
                prop_assert!(sees, "{}: {} to {}", algorithm, leg[0], leg[1]);
            }
            let by_steps = query.clone().with_algorithm(Algorithm::Dijkstra).with_steps(StepRules::eight(query.steps.corners));
            let by_steps = solve(&grid, &by_steps, &mut scratch).expect("there is a path").length;
            if answer.is_optimal() {
                prop_assert!(answer.length <= by_steps + 1e-6, "{} is longer than {by_steps}", answer.length);
            }
        }
    }

    #[test]
    fn slices_change_nothing(Case { grid, query } in case(), slice in 1..40u32) {
        for &algorithm in Algorithm::ALL {
            let query = query.clone().with_algorithm(algorithm);
            let whole = solve(&grid, &query, &mut SearchScratch::default());
            let mut search = Search::new(&grid, query, SearchScratch::default());
            while search.step(slice) == Progress::Running {}
            prop_assert_eq!(search.finish().0, whole, "{} in slices of {}", algorithm, slice);
        }
    }

    #[test]
    fn a_recording_holds_the_whole_search(Case { grid, query } in case()) {
        for &algorithm in Algorithm::ALL {
            let query = query.clone().with_algorithm(algorithm);
            let mut recording = Recording::default();
            let mut search = Search::new(&grid, query.clone(), SearchScratch::default());
            while search.step_with(7, &mut recording) == Progress::Running {}
            let metrics = search.metrics();
            let (result, _) = search.finish();
            prop_assert_eq!(&result, &solve(&grid, &query, &mut SearchScratch::default()), "watching changes nothing");
            let Ok(answer) = result else { continue };
            let closed = recording.events().iter().filter(|event| event.kind == SearchEventKind::Closed).count() as u64;
            prop_assert_eq!(closed, metrics.expanded, "{}", algorithm);
            if answer.algorithm == Algorithm::AnyAngle {
                continue;
            }
            let mut parents = HashMap::new();
            for event in recording.events() {
                let known = parents.contains_key(&event.cell);
                match event.kind {
                    SearchEventKind::Opened => prop_assert!(!known, "{} is opened once", event.cell),
                    _ => prop_assert!(known, "{} was opened", event.cell),
                }
                parents.insert(event.cell, event.parent);
            }
            let mut path = vec![answer.end()];
            while let Some(&parent) = parents.get(&path[path.len() - 1]).filter(|&&parent| parent != path[path.len() - 1]) {
                path.push(parent);
            }
            path.reverse();
            prop_assert_eq!(path[0], query.start, "parents lead back to the start");
            if matches!(answer.algorithm, Algorithm::AStar | Algorithm::Dijkstra | Algorithm::Greedy) {
                prop_assert_eq!(path, answer.cells().collect::<Vec<_>>());
            }
        }
    }
}
