//! The figures that the tutorials compute by hand.

use pathfind_core::{
    Algorithm, Grid, GridCell, Heuristic, PathQuery, Progress, Recording, Search, SearchEvent,
    SearchEventKind, SearchScratch, StepRules, Terrain, solve,
};

/// The tutorial's map: 7 columns, 5 rows below the first, a wall at (3, 3).
const MAP: &str = "
.......
.......
.......
...#...
.......
.......";

fn recorded(grid: &Grid, query: PathQuery) -> Vec<SearchEvent> {
    let mut recording = Recording::default();
    let mut search = Search::new(grid, query, SearchScratch::default());
    while search.step_with(1, &mut recording) == Progress::Running {}
    recording.events().to_vec()
}

/// The value of f with a cost of 10 per step, as in the tutorial.
fn f(event: &SearchEvent) -> f64 {
    10.0 * (event.g + event.h)
}

#[test]
fn the_first_two_expansions_of_a_star_have_the_figures_of_the_tutorial() {
    let grid = Grid::from_ascii(MAP.trim_start()).unwrap();
    let query = PathQuery::new(GridCell::new(1, 3), GridCell::new(5, 4))
        .with_steps(StepRules::FOUR)
        .with_algorithm(Algorithm::AStar)
        .with_heuristic(Heuristic::Manhattan);
    let events = recorded(&grid, query);
    let closed: Vec<usize> =
        (0..events.len()).filter(|&i| events[i].kind == SearchEventKind::Closed).collect();
    assert_eq!(events[closed[0]].cell, GridCell::new(1, 3), "the start is expanded first");
    let opened =
        |from: usize| -> Vec<f64> { events[closed[from] + 1..closed[from + 1]].iter().map(f).collect() };
    assert_eq!(opened(0), [70.0, 50.0, 70.0, 50.0], "up, down, left, right");
    assert_eq!(events[closed[1]].cell, GridCell::new(2, 3), "of the two with 50 the newest is taken");
    assert_eq!(opened(1), [70.0, 50.0], "its other neighbours are the wall and the start");
}

/// A pocket that opens towards the start: greedy best-first enters it, and its path is longer.
#[test]
fn the_trap_fools_greedy_but_not_a_star() {
    let map = "
...........
........#..
........#..
S.......#.G
........#..
.########..
..........."
        .trim_start()
        .replace(['S', 'G'], ".");
    let grid = Grid::from_ascii(&map).unwrap();
    let ask = |algorithm| {
        let query = PathQuery::new(GridCell::new(0, 3), GridCell::new(10, 3)).with_algorithm(algorithm);
        solve(&grid, &query, &mut SearchScratch::default()).unwrap()
    };
    let (greedy, astar, dijkstra) = (ask(Algorithm::Greedy), ask(Algorithm::AStar), ask(Algorithm::Dijkstra));
    assert!(greedy.cost > astar.cost + 1.0, "greedy pays {}, A* {}", greedy.cost, astar.cost);
    assert!(greedy.metrics.expanded < astar.metrics.expanded, "greedy is the quicker");
    assert_eq!(astar.cost, dijkstra.cost);
    assert!(astar.metrics.expanded < dijkstra.metrics.expanded, "the estimate saves expansions");
    assert!(astar.is_optimal() && dijkstra.is_optimal() && !greedy.is_optimal());
}

/// Only a search that considers weights goes round a swamp.
#[test]
fn searches_that_count_costs_go_round_a_swamp() {
    let map = ".......\n.99999.\n.99999.\n.99999.\n.......";
    let grid = Grid::from_ascii(map).unwrap();
    let ask = |algorithm| {
        let query = PathQuery::new(GridCell::new(0, 2), GridCell::new(6, 2)).with_algorithm(algorithm);
        solve(&grid, &query, &mut SearchScratch::default()).unwrap()
    };
    let wades = |cells: Vec<GridCell>| cells.iter().any(|&cell| grid.terrain(cell) != Some(Terrain::GROUND));
    assert!(!wades(ask(Algorithm::AStar).cells().collect()));
    assert!(!wades(ask(Algorithm::Dijkstra).cells().collect()));
    assert!(wades(ask(Algorithm::Greedy).cells().collect()), "greedy sees only the goal");
}
