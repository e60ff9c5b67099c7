//! Searches over several grids, against a textbook Dijkstra over every cell of every grid and every link.

use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CornerRule, CostTable, Direction, Goal, Grid, GridCell, KindId, Limits,
    Outcome, PartialReason, PathQuery, Progress, SearchError, SearchScratch, StepRules, Terrain,
    graph::{
        GraphAnswer, GraphQuery, GraphSearch, GridId, KindSet, Link, LinkError, NavGraph, Place, solve_graph,
    },
};

use crate::common::{
    Entry, Random, Style, assert_near, is_legal, parted, random_grid, ruled, step_cost, styled_grid, walk,
};

/// The least cost from a place to every place that can be reached.
fn oracle(graph: &NavGraph, kind: KindId, steps: StepRules, start: Place) -> HashMap<Place, f64> {
    let mut costs = HashMap::new();
    let mut open = BinaryHeap::from([Entry(0.0, start)]);
    while let Some(Entry(cost, place)) = open.pop() {
        if costs.contains_key(&place) {
            continue;
        }
        costs.insert(place, cost);
        let grid = graph.grid(place.grid).unwrap();
        for direction in Direction::ALL {
            if is_legal(grid, kind, steps, place.cell, direction) {
                let next = place.cell.step(direction);
                let cost = cost + step_cost(grid, kind, steps, next, direction);
                open.push(Entry(cost, Place::new(place.grid, next)));
            }
        }
        for link in graph.links() {
            let directions = [(link.from, link.to), (link.to, link.from)];
            for (from, to) in directions.into_iter().take(if link.both_ways { 2 } else { 1 }) {
                let is_free = graph.grid(to.grid).unwrap().is_walkable(kind, to.cell);
                if from == place && link.kinds.contains(kind) && is_free {
                    open.push(Entry(cost + f64::from(link.cost), to));
                }
            }
        }
    }
    costs
}

/// Kinds of every grid: a point, a swimmer, a square of two cells, a disc.
fn with_kinds(mut grid: Grid) -> Arc<Grid> {
    let swims = CostTable::default().with(Terrain::WALL, 4.0).unwrap();
    grid.add_kind(AgentKind { costs: swims, ..AgentKind::default() }).unwrap();
    grid.add_kind(AgentKind { size: AgentSize::Square(2), ..AgentKind::default() }).unwrap();
    grid.add_kind(AgentKind { size: AgentSize::Disc(0.9), ..AgentKind::default() }).unwrap();
    Arc::new(grid)
}

fn random_world(random: &mut Random) -> NavGraph {
    let grids: Vec<Arc<Grid>> = (0..1 + random.below(6))
        .map(|_| {
            let (width, height) = (2 + random.below(16), 2 + random.below(16));
            let style = Style::ALL[random.below(4) as usize];
            let grid = match random.below(3) {
                0 => random_grid(random, width, height, 20, true),
                _ => styled_grid(random, style, width, height),
            };
            let grid = if random.below(4) == 0 { parted(random, grid) } else { grid };
            with_kinds(if random.below(4) == 0 { ruled(random, grid) } else { grid })
        })
        .collect();
    let place = |random: &mut Random| {
        let grid = random.below(grids.len() as u32);
        Place::new(GridId(grid), random.cell(&grids[grid as usize]))
    };
    let links = (0..random.below(14))
        .map(|_| {
            let (from, to) = (place(random), place(random));
            // Many are cheaper than any steps between their ends: straight lines are bad estimates then.
            let link = Link::new(from, to, [0.0, 0.5, 3.0, 25.0][random.below(4) as usize]);
            let both_ways = random.below(3) != 0;
            let kinds = match random.below(6) {
                0 => KindSet::NONE.with(KindId(random.below(4) as u8)),
                1 => KindSet::ALL.without(KindId(0)),
                2 if random.below(3) == 0 => KindSet::NONE,
                _ => KindSet::ALL,
            };
            Link { both_ways, kinds, ..link }
        })
        .collect();
    NavGraph::new(grids, links).expect("every link names a grid")
}

fn random_steps(random: &mut Random) -> StepRules {
    match random.below(4) {
        0 => StepRules::FOUR,
        rule => StepRules::eight(CornerRule::ALL[rule as usize - 1]),
    }
}

fn random_place(random: &mut Random, graph: &NavGraph) -> Place {
    let grid = random.below(graph.grids().len() as u32);
    Place::new(GridId(grid), random.cell(&graph.grids()[grid as usize]))
}

/// Walks an answer step by step and link by link; returns its cost.
fn walked(graph: &NavGraph, query: &GraphQuery, answer: &GraphAnswer) -> f64 {
    let mut at = Place::new(query.from, query.path.start);
    let mut cost = 0.0;
    for (index, leg) in answer.legs.iter().enumerate() {
        let cells: Vec<GridCell> = leg.path.cells().collect();
        assert_eq!(Place::new(leg.grid, cells[0]), at, "a leg starts where the last one ended");
        cost += walk(graph.grid(leg.grid).unwrap(), query.path.kind, query.path.steps, &cells);
        at.cell = *cells.last().unwrap();
        assert_eq!(leg.link.is_none(), index + 1 == answer.legs.len(), "only the last leg ends at no link");
        if let Some(used) = leg.link {
            let link = graph.links()[used.link as usize];
            assert!(link.kinds.contains(query.path.kind) && (link.both_ways || !used.is_backwards));
            let [from, to] = graph.ends(used).expect("the answer is that of the graph");
            assert_eq!(from, at, "the link begins where the leg ends");
            at = to;
            cost += f64::from(link.cost);
        }
    }
    cost
}

#[test]
fn paths_over_random_worlds_cost_as_little_as_dijkstras() {
    let mut random = Random(25);
    let (mut over_links, mut short) = (0, 0);
    for _ in 0..4_000 {
        let graph = Arc::new(random_world(&mut random));
        let (start, goal) = (random_place(&mut random, &graph), random_place(&mut random, &graph));
        let (kind, steps) = (KindId(random.below(4) as u8), random_steps(&mut random));
        let mut query = GraphQuery::new(start, goal.grid, goal.cell);
        query.path = query.path.with_kind(kind).with_steps(steps);
        let (answer, _) = solve_graph(&graph, query.clone(), SearchScratch::default());
        if !graph.grid(start.grid).unwrap().is_walkable(kind, start.cell) {
            assert_eq!(answer, Err(SearchError::StartBlocked(start.cell)));
            continue;
        }
        let costs = oracle(&graph, kind, steps, start);
        let answer = answer.expect("a partial path is allowed");
        let end = answer.legs.last().unwrap();
        let at = Place::new(end.grid, end.path.end());
        let cost = walked(&graph, &query, &answer);
        assert_near(answer.cost, cost, 1e-3, &query);
        assert_near(cost, costs[&at], 1e-3, &query);
        over_links += u32::from(answer.legs.len() > 1);
        if costs.contains_key(&goal) {
            assert_eq!((answer.outcome, at), (Outcome::Complete, goal));
            continue;
        }
        short += 1;
        let is_blocked = !graph.grid(goal.grid).unwrap().is_walkable(kind, goal.cell);
        let reason = if is_blocked { PartialReason::GoalBlocked } else { PartialReason::Unreachable };
        assert_eq!(answer.outcome, Outcome::Partial { nearest: at.cell, reason });
        let near = costs.keys().filter(|place| place.grid == goal.grid);
        match near.map(|place| place.cell.distance_squared(goal.cell)).min() {
            Some(least) => assert_eq!((at.grid, at.cell.distance_squared(goal.cell)), (goal.grid, least)),
            None => assert_eq!(at, start, "nothing of that grid can be reached"),
        }
        query.path.allow_partial = false;
        let refused = solve_graph(&graph, query, SearchScratch::default()).0;
        let error = if is_blocked { SearchError::GoalBlocked(goal.cell) } else { SearchError::Unreachable };
        assert_eq!(refused, Err(error));
    }
    assert!(over_links > 500 && short > 500, "{over_links} paths take links, {short} end short");
}

#[test]
fn several_goals_and_goals_with_a_radius_are_reached_at_the_least_cost() {
    let mut random = Random(26);
    let mut found = 0;
    for _ in 0..2_000 {
        let graph = Arc::new(random_world(&mut random));
        let (start, goal) = (random_place(&mut random, &graph), random_place(&mut random, &graph));
        let grid = graph.grid(goal.grid).unwrap().clone();
        let (kind, steps) = (KindId(random.below(2) as u8), random_steps(&mut random));
        let goal_cells: Vec<GridCell> = (0..1 + random.below(4)).map(|_| random.cell(&grid)).collect();
        let radius = random.below(5) as f32;
        let goals = match random.below(2) {
            0 => Goal::AnyOf(goal_cells.clone()),
            _ => Goal::Within { center: goal.cell, radius },
        };
        let is_goal = |cell: GridCell| match &goals {
            Goal::AnyOf(cells) => cells.contains(&cell),
            _ => cell.distance_squared(goal.cell) as f32 <= radius * radius,
        };
        let mut query = GraphQuery::new(start, goal.grid, goals.clone());
        query.path = query.path.with_kind(kind).with_steps(steps).with_partial(false);
        let Ok(answer) = solve_graph(&graph, query.clone(), SearchScratch::default()).0 else {
            let costs = oracle(&graph, kind, steps, start);
            let is_free = graph.grid(start.grid).unwrap().is_walkable(kind, start.cell);
            let missed = costs.keys().any(|place| is_free && place.grid == goal.grid && is_goal(place.cell));
            assert!(!missed, "a goal can be reached");
            continue;
        };
        found += 1;
        let costs = oracle(&graph, kind, steps, start);
        let goals = costs.iter().filter(|(place, _)| place.grid == goal.grid && is_goal(place.cell));
        let least = goals.map(|(_, &cost)| cost).fold(f64::INFINITY, f64::min);
        assert_near(walked(&graph, &query, &answer), least, 1e-3, query);
    }
    assert!(found > 500, "{found} were found");
}

#[test]
fn any_slicing_gives_the_same_answer() {
    let mut random = Random(27);
    for _ in 0..300 {
        let graph = Arc::new(random_world(&mut random));
        let (start, goal) = (random_place(&mut random, &graph), random_place(&mut random, &graph));
        let mut query = GraphQuery::new(start, goal.grid, goal.cell);
        query.path.algorithm = Algorithm::ALL[random.below(Algorithm::ALL.len() as u32) as usize];
        let whole = solve_graph(&graph, query.clone(), SearchScratch::default()).0;
        let mut search = GraphSearch::new(graph.clone(), query.clone(), SearchScratch::default());
        let mut slices = 0;
        while search.step(1 + random.below(9)) == Progress::Running {
            slices += 1;
            assert!(slices < 100_000, "it ends");
        }
        assert_eq!(search.finish().0, whole);
        let unfinished = GraphSearch::new(graph, query, SearchScratch::default()).finish().0;
        assert!(unfinished == Err(SearchError::Unfinished) || unfinished == whole);
    }
}

/// The greedy path costs 6, the cheapest one 4.
#[test]
fn a_limit_that_the_cheapest_path_keeps_is_kept() {
    let grid = Arc::new(Grid::from_ascii("...\n.#.\n...\n...").unwrap());
    let graph = Arc::new(NavGraph::new(vec![grid], Vec::new()).unwrap());
    let mut query =
        GraphQuery::new(Place::new(GridId(0), GridCell::new(0, 3)), GridId(0), GridCell::new(1, 0));
    query.path = query.path.with_steps(StepRules::FOUR).with_algorithm(Algorithm::Greedy).with_partial(false);
    let cost = |most: f64| {
        let mut query = query.clone();
        query.path.limits.cost = Some(most);
        solve_graph(&graph, query, SearchScratch::default()).0.map(|answer| answer.cost)
    };
    assert_eq!([6.0, 5.0, 4.0, 3.0].map(cost), [Ok(6.0), Ok(4.0), Ok(4.0), Err(SearchError::LimitReached)]);
}

#[test]
fn limits_end_the_search_near_the_goal() {
    let floor = Arc::new(Grid::new(40, 40).unwrap());
    let at = |grid, x| Place::new(GridId(grid), GridCell::new(x, 20));
    let links = vec![Link::new(at(0, 39), at(1, 39), 2.0), Link::new(at(1, 0), at(2, 0), 2.0)];
    let graph = Arc::new(NavGraph::new(vec![floor.clone(), floor.clone(), floor], links).unwrap());
    let mut query = GraphQuery::new(at(0, 0), GridId(2), GridCell::new(39, 20));
    let solve = |query: &GraphQuery| solve_graph(&graph, query.clone(), SearchScratch::default()).0;
    let whole = solve(&query).unwrap();
    assert_eq!((whole.cost, whole.legs.len()), (3.0 * 39.0 + 4.0, 3));
    query.path.limits = Limits { cost: Some(60.0), ..Limits::default() };
    let part = solve(&query).unwrap();
    let reason = |answer: &GraphAnswer| match answer.outcome {
        Outcome::Partial { reason, .. } => Some(reason),
        Outcome::Complete => None,
    };
    assert_eq!((reason(&part), part.cost), (Some(PartialReason::CostLimit), 60.0), "over the first link");
    assert_eq!((part.legs.len(), part.legs[1].path.end()), (2, GridCell::new(20, 20)));
    query.path.limits = Limits { expansions: Some(0), ..Limits::default() };
    let part = solve(&query).unwrap();
    assert_eq!((reason(&part), part.legs.len()), (Some(PartialReason::ExpansionLimit), 1));
    query.path.allow_partial = false;
    assert_eq!(solve(&query), Err(SearchError::LimitReached));
}

#[test]
fn wrong_links_and_queries_are_errors() {
    let floor = Arc::new(Grid::from_ascii("..#").unwrap());
    let at = |grid, x| Place::new(GridId(grid), GridCell::new(x, 0));
    let graph = |link| NavGraph::new(vec![floor.clone()], vec![link]);
    assert_eq!(
        graph(Link::new(at(0, 0), at(7, 0), 1.0)).unwrap_err(),
        LinkError::UnknownGrid { link: 0, grid: GridId(7) }
    );
    for cost in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(
            graph(Link::new(at(0, 0), at(0, 1), cost)),
            Err(LinkError::BadCost { link: 0, .. })
        ));
    }
    let outside = graph(Link::new(at(0, 0), at(0, 99), 1.0)).expect("it cannot be taken, that is all");
    let graph = Arc::new(outside);
    let ask = |start: Place, to, goal: Goal| {
        let query = GraphQuery { from: start.grid, to: GridId(to), path: PathQuery::new(start.cell, goal) };
        solve_graph(&graph, query, SearchScratch::default()).0.unwrap_err()
    };
    let goal = || Goal::GridCell(GridCell::new(1, 0));
    assert_eq!(ask(at(3, 0), 0, goal()), SearchError::UnknownGrid(3));
    assert_eq!(ask(at(0, 0), 9, goal()), SearchError::UnknownGrid(9));
    assert_eq!(ask(at(0, -1), 0, goal()), SearchError::StartOutside(GridCell::new(-1, 0)));
    assert_eq!(ask(at(0, 2), 0, goal()), SearchError::StartBlocked(GridCell::new(2, 0)));
    assert_eq!(ask(at(0, 0), 0, Goal::AnyOf(Vec::new())), SearchError::NoGoal);
    let nan = Goal::Within { center: GridCell::new(1, 0), radius: f32::NAN };
    assert_eq!(ask(at(0, 0), 0, nan), SearchError::BadRadius);
    assert_eq!(
        ask(at(0, 0), 0, Goal::GridCell(GridCell::new(8, 8))),
        SearchError::GoalOutside(GridCell::new(8, 8))
    );
}
