//! Many-to-one searches compared with a search for each start.

use super::common::{KIND, Random, Style, assert_near, parted, random_grid, styled_grid};
use super::oracle::{all_steps, check};
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, Answer, CornerRule, Goal, Grid, GridCell, ManyToOne, Outcome, PathQuery,
    Progress, SearchScratch, StepRules, Terrain, many_to_one_pays, solve,
};

fn run<'g>(grid: &'g Grid, query: &PathQuery, starts: &[GridCell], slice: u32) -> ManyToOne<&'g Grid> {
    finished(ManyToOne::new(grid, query.clone(), starts, SearchScratch::default()), slice)
}

fn finished(mut search: ManyToOne<&Grid>, slice: u32) -> ManyToOne<&Grid> {
    while search.step(slice) == Progress::Running {}
    search
}

#[test]
fn slices_do_not_change_a_search() {
    let grid = random_grid(&mut Random(3), 64, 64, 25, false);
    let mut random = Random(9);
    let mut free = || random.walkable_cell(&grid);
    for count in [1, 4, 30] {
        let (goal, starts) = (free(), (0..count).map(|_| free()).collect::<Vec<_>>());
        let query = PathQuery::new(starts[0], goal);
        let together = run(&grid, &query, &starts, u32::MAX);
        for slice in [1, 97] {
            let search = run(&grid, &query, &starts, slice);
            for &start in &starts {
                assert_eq!(together.answer(start), search.answer(start), "slices of {slice}");
            }
            assert_eq!(search.metrics(), together.metrics(), "slices do not change how much is searched");
        }
    }
}

/// Each start gets the cost of a search of its own, for all rules, styles of maps and sizes of agents. On uniform terrain
/// the search jumps, and paths depend neither on the other starts nor on slices.
#[test]
fn each_start_gets_the_cost_of_its_own_search() {
    let mut random = Random(17);
    let mut scratch = SearchScratch::default();
    let mut served = [0; 2];
    for round in 0..500 {
        let [width, height] = [2 + random.below(140), 2 + random.below(40)];
        let (is_uniform, is_flat) = (round % 3 > 0, round % 5 > 1);
        let mut grid = match is_uniform {
            true => styled_grid(&mut random, Style::ALL[round % 4], width, height),
            false => random_grid(&mut random, width, height, 20, true),
        };
        if !is_flat {
            grid = parted(&mut random, grid);
        }
        let size =
            [AgentSize::default(), AgentSize::Square(2), AgentSize::Disc(0.9)][random.below(3) as usize];
        let kind =
            grid.add_kind(AgentKind { size, ..AgentKind::default() }).expect("there is room for a kind");
        let steps = all_steps()[random.below(10) as usize];
        let goal = match random.below(4) {
            0 => Goal::AnyOf((0..4).map(|_| random.cell(&grid)).collect()),
            1 => Goal::Within { center: random.cell(&grid), radius: random.below(50) as f32 / 10.0 },
            _ => Goal::GridCell(random.cell(&grid)),
        };
        let starts: Vec<GridCell> = (0..16).map(|_| random.cell(&grid)).collect();
        let query = PathQuery::new(starts[0], goal).with_kind(kind).with_steps(steps);
        let together = run(&grid, &query, &starts, 1 + random.below(50));
        let fewer = run(&grid, &query, &starts[..4], u32::MAX);
        let share = if is_uniform { 1e-9 } else { 1e-4 };
        for (index, &start) in starts.iter().enumerate() {
            let mut alone = |start| {
                let own = PathQuery { start, ..query.clone() }.with_algorithm(Algorithm::Dijkstra);
                solve(&grid, &own, &mut scratch)
            };
            let answer = match together.answer(start) {
                Some(Ok(answer)) => answer,
                Some(Err(error)) => {
                    assert_eq!(alone(starts[0]), Err(error), "as the first would hear");
                    continue;
                }
                None => {
                    assert!(!grid.connected(kind, steps, start, starts[0]), "{start} is not joined");
                    continue;
                }
            };
            let own = alone(start).expect("a search alone finds it too");
            let is_complete = |answer: &Answer| answer.outcome == Outcome::Complete;
            assert_eq!(is_complete(&answer), is_complete(&own), "{start}");
            assert!(!is_flat || !is_uniform || answer.algorithm == Algorithm::Jps);
            check(&grid, &PathQuery { start, ..query.clone() }, &answer);
            assert_near(answer.cost, own.cost, share, (start, &query));
            if is_uniform && index < 4 {
                let again = fewer.answer(start).expect("it is joined").expect("there is a path");
                assert_eq!(again.waypoints, answer.waypoints, "round {round}: {start}");
            }
            served[usize::from(is_uniform)] += 1;
        }
    }
    assert!(served[0] > 300 && served[1] > 500, "the maps are worth the test: {served:?}");
}

/// Of two goals that are equally near, a start gets the same one whether or not the search ends at the goals, as they
/// see all starts.
#[test]
fn a_start_among_others_has_the_path_that_it_has_alone() {
    let grid = Grid::from_ascii("#.#\n##.\n#..\n.#.\n.##").unwrap();
    let start = GridCell::new(2, 1);
    let query = PathQuery::new(start, Goal::AnyOf(vec![GridCell::new(1, 2), GridCell::new(1, 0)]))
        .with_steps(StepRules::eight(CornerRule::Always));
    let waypoints =
        |starts: &[GridCell]| run(&grid, &query, starts, 1).answer(start).unwrap().unwrap().waypoints;
    assert_eq!(waypoints(&[]), waypoints(&[GridCell::new(0, 4)]));
}

#[test]
fn the_search_stops_when_the_last_start_is_reached() {
    let grid = Grid::new(256, 256).unwrap();
    let starts = [GridCell::new(12, 10), GridCell::new(10, 13)];
    let search = run(&grid, &PathQuery::new(starts[0], GridCell::new(10, 10)), &starts, u32::MAX);
    assert!(search.metrics().expanded <= 1024, "it does not run over the whole map");
}

#[test]
fn it_is_cheaper_for_many_starts_and_not_for_few() {
    let mut grid = Grid::new(256, 256).unwrap();
    let far = |count: i32| (0..count).map(|i| GridCell::new(250, i % 256));
    let goal = GridCell::new(3, 128);
    assert!(!many_to_one_pays(&grid, KIND, goal, far(3)), "three are not many");
    assert!(!many_to_one_pays(&grid, KIND, goal, far(7)), "jump point search is fast");
    assert!(many_to_one_pays(&grid, KIND, goal, far(20)), "twenty are many");
    grid.set(goal, Terrain::weight(3)).expect("the goal is inside");
    assert!(!many_to_one_pays(&grid, KIND, goal, far(7)), "jump point search runs through areas of one cost");
    grid.fill(grid.bounds(), Terrain::GROUND);
    grid.edit(|edit| edit.map(edit.bounds(), |cell, _| Terrain::weight(1 + (cell.x + cell.y) as u8 % 3)));
    assert!(!many_to_one_pays(&grid, KIND, goal, far(3)), "three are not many");
    assert!(many_to_one_pays(&grid, KIND, goal, far(7)), "from cell to cell a search is slow");
    let mut ledge = Grid::new(256, 256).unwrap().with_elevation(|cell| (cell.x / 128) as f32).unwrap();
    ledge.set_kind(KIND, AgentKind { climb: 0.5, ..AgentKind::default() }).unwrap();
    assert!(!many_to_one_pays(&ledge, KIND, goal, far(10)), "jump point search runs between cliffs, too");
}
