//! The cell to flee to, compared with what the definition says of it, and with the exact game.

use std::collections::BTreeMap;

use pathfind_core::{
    AgentKind, AgentSize, CornerRule, DistanceField, FleeOutcome, FleeQuery, Grid, GridCell, KindId,
    SearchError, SearchScratch, StepRules, Terrain, find_refuge,
};

use crate::game::Game;
use crate::map::{KIND, KING_STEPS, Random, rooms, scattered};

/// The least cost of the agent's way to each cell that it reaches before the threats, all along the way: cells are
/// lowered until none can be.
fn own_cells(
    grid: &Grid,
    query: &FleeQuery,
    distance: impl Fn(GridCell) -> Option<f32>,
) -> BTreeMap<GridCell, f64> {
    let mut own = BTreeMap::from([(query.start, 0.0)]);
    let is_caught = distance(query.start).is_some_and(|distance| distance <= 0.0);
    let mut open = if is_caught { Vec::new() } else { vec![query.start] };
    while let Some(cell) = open.pop() {
        let so_far = own[&cell];
        for direction in grid.steps_from(query.kind, query.steps, cell) {
            let next = cell.step(direction);
            let length = if direction.is_diagonal() { query.steps.diagonal.value() } else { 1.0 };
            let cost = so_far + length * f64::from(grid.cost(query.kind, next).unwrap());
            let is_first =
                distance(next).is_none_or(|d| cost * f64::from(query.speed_ratio) < f64::from(d) - 1e-3);
            let is_better = own.get(&next).is_none_or(|&known| cost < known - 1e-9);
            if is_first && is_better && cost <= f64::from(query.limit) {
                own.insert(next, cost);
                open.push(next);
            }
        }
    }
    own
}

/// What holds for every answer: each cell of the path is reached before the threats, the cell is another than the start,
/// and a dead end is the farthest of all cells.
#[test]
fn no_cell_of_the_way_is_one_that_a_threat_reaches_first() {
    let mut random = Random(3);
    let scratch = &mut SearchScratch::default();
    let (mut ways_on, mut dead_ends, mut stays) = (0, 0, 0);
    for round in 0..12_000 {
        let walls = 10 + random.below(30);
        let mut grid = scattered(&mut random, 17, 13, walls, round % 3 == 0);
        let size = if round % 5 == 0 { AgentSize::Square(2) } else { AgentSize::default() };
        let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        let corners = CornerRule::ALL[round % 3];
        let steps = if round % 4 == 0 { StepRules::FOUR } else { StepRules::eight(corners) };
        let cells: Vec<GridCell> =
            grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell)).collect();
        let threats: Vec<GridCell> = (0..1 + random.below(3)).map(|_| random.cell(&grid)).collect();
        let Ok(field) = DistanceField::new(&grid, KIND, steps, &threats, scratch) else { continue };
        let Some(&start) = cells.get(random.below(200) as usize) else { continue };
        let query = FleeQuery::new(start)
            .with_kind(kind)
            .with_steps(steps)
            .with_speed_ratio([0.5, 1.0, 1.0, 1.7][random.below(4) as usize])
            .with_safe_distance([6.0, 12.0, f32::INFINITY][random.below(3) as usize])
            .with_limit([0.0, 5.0, 64.0, f32::INFINITY][random.below(4) as usize]);
        let distance = |cell| field.distance(cell);
        let own = own_cells(&grid, &query, distance);
        let worth = |cell| distance(cell).unwrap_or(f32::INFINITY).min(query.safe_distance);
        let most = own.keys().map(|&cell| worth(cell)).fold(0.0, f32::max);
        match find_refuge(&grid, &query, &distance, scratch).unwrap() {
            FleeOutcome::Safe => assert!(worth(start) >= query.safe_distance),
            FleeOutcome::Stay { is_dead_end } => {
                stays += 1;
                assert!(!is_dead_end || worth(start) >= most, "round {round}: it stays at the farthest cell");
            }
            FleeOutcome::Flee(refuge) => {
                assert!(worth(start) < query.safe_distance);
                assert_eq!((refuge.path[0], refuge.path[refuge.path.len() - 1]), (start, refuge.cell));
                assert_ne!(refuge.cell, start);
                let mut cost = 0.0;
                for step in refuge.path.windows(2) {
                    let mut steps = grid.steps_from(kind, steps, step[0]);
                    let direction =
                        steps.find(|&direction| step[0].step(direction) == step[1]).expect("it is legal");
                    let length = if direction.is_diagonal() { query.steps.diagonal.value() } else { 1.0 };
                    cost += length * f64::from(grid.cost(kind, step[1]).unwrap());
                    let threat = distance(step[1]).unwrap_or(f32::INFINITY);
                    let is_first = cost * f64::from(query.speed_ratio) < f64::from(threat) + 1e-3;
                    assert!(is_first, "round {round}: {} at {cost}, the threat at {threat}", step[1]);
                }
                assert!((cost - refuge.cost).abs() < 1e-3 && cost <= f64::from(query.limit) + 1e-3);
                assert_eq!(refuge.distance, distance(refuge.cell).unwrap_or(f32::INFINITY));
                if let Some(&least) = own.get(&refuge.cell) {
                    assert!((refuge.cost - least).abs() < 1e-3, "round {round}: the cheapest way");
                }
                if refuge.is_dead_end {
                    dead_ends += 1;
                    assert!(worth(refuge.cell) >= most, "round {round}: the farthest cell");
                    assert!(worth(refuge.cell) > worth(start), "round {round}: better than to stay");
                } else {
                    ways_on += 1;
                }
            }
        }
    }
    assert!(ways_on > 500 && dead_ends > 200 && stays > 50, "{ways_on}, {dead_ends}, {stays}");
}

/// Whether the threat can shut the agent in is what the solved game says: of all positions where a way is said to lead
/// on, none is lost, and of all where none is said to, hardly any is won.
#[test]
fn ways_lead_on_where_best_play_is_never_caught() {
    let mut random = Random(5);
    let scratch = &mut SearchScratch::default();
    let (mut lead_on, mut shut, mut missed) = (0, 0, 0);
    for round in 0..240 {
        let walls = 5 + random.below(35);
        let grid = match round % 2 {
            0 => rooms(&mut random, round / 2 % 3),
            _ => scattered(&mut random, 22, 16, walls, false),
        };
        let game = Game::new(&grid, KIND, KING_STEPS);
        for _ in 0..40 {
            let [threat, at] = [(); 2].map(|()| random.of(&game.cells));
            let field = DistanceField::new(&grid, KIND, KING_STEPS, &[threat], scratch).unwrap();
            let query = FleeQuery::new(at).with_steps(KING_STEPS).with_limit(f32::INFINITY);
            let outcome = find_refuge(&grid, &query, &|cell| field.distance(cell), scratch).unwrap();
            let (FleeOutcome::Flee(pathfind_core::Refuge { is_dead_end, .. })
            | FleeOutcome::Stay { is_dead_end }) = outcome
            else {
                continue;
            };
            let is_lost = game.moves_left(threat, at).is_some();
            assert!(is_dead_end || !is_lost, "round {round}: {at} is caught by {threat}");
            lead_on += u32::from(!is_dead_end);
            shut += u32::from(is_dead_end);
            missed += u32::from(is_dead_end && !is_lost);
        }
    }
    println!("{lead_on} lead on, {shut} are shut, {missed} of them not by best play");
    assert!(lead_on > 2_000 && shut > 2_000 && missed * 200 < shut);
}

/// However large the map, only so many cells are looked at; beyond them ground counts as open.
#[test]
fn the_number_of_cells_is_limited() {
    let grid = Grid::new(200, 200).unwrap();
    let scratch = &mut SearchScratch::default();
    let (start, threat) = (GridCell::new(100, 100), GridCell::new(97, 100));
    let field = DistanceField::new(&grid, KIND, KING_STEPS, &[threat], scratch).unwrap();
    let mut asked = |max_cells: u32| {
        let looks = std::cell::Cell::new(0);
        let distance = |cell| {
            looks.set(looks.get() + 1);
            field.distance(cell)
        };
        let query = FleeQuery::new(start).with_steps(KING_STEPS).with_limit(f32::INFINITY);
        let query = query.with_max_cells(max_cells);
        (find_refuge(&grid, &query, &distance, scratch).unwrap(), looks.get())
    };
    let (outcome, few) = asked(100);
    let FleeOutcome::Flee(refuge) = outcome else { panic!("there is a farther cell") };
    assert!(!refuge.is_dead_end && refuge.cell.x > 100, "{refuge:?}");
    assert!(asked(u32::MAX).1 > 20 * few, "{few}");
    assert!(few < 3_000, "{few} looks at distances for 100 cells");
    assert!(matches!(asked(0).0, FleeOutcome::Stay { is_dead_end: false }), "the first cell leads on");
}

#[test]
fn between_two_threats_a_way_is_shut() {
    let grid = Grid::from_ascii("#####.##\n........\n#####.##\n#####.##").unwrap();
    let scratch = &mut SearchScratch::default();
    let threats = [GridCell::new(0, 1), GridCell::new(7, 1)];
    let field = DistanceField::new(&grid, KIND, StepRules::FOUR, &threats, scratch).unwrap();
    let query = FleeQuery::new(GridCell::new(4, 1)).with_steps(StepRules::FOUR);
    let FleeOutcome::Flee(refuge) =
        find_refuge(&grid, &query, &|cell| field.distance(cell), scratch).unwrap()
    else {
        panic!("there is a farther cell")
    };
    assert!(refuge.is_dead_end);
}

#[test]
fn bad_queries_are_typed_errors_and_odd_distances_harmless() {
    let grid = Grid::from_fn(9, 9, |cell| if cell.x == 8 { Terrain::WALL } else { Terrain::GROUND }).unwrap();
    let scratch = &mut SearchScratch::default();
    let start = GridCell::new(1, 1);
    let query = FleeQuery::new(start);
    let mut find = |query: FleeQuery, distance: f32| {
        find_refuge(&grid, &query, &|cell| Some(distance + cell.x as f32), scratch)
    };
    for (query, error) in [
        (FleeQuery::new(GridCell::new(8, 0)), SearchError::StartBlocked(GridCell::new(8, 0))),
        (FleeQuery::new(GridCell::new(9, 0)), SearchError::StartOutside(GridCell::new(9, 0))),
        (query.with_kind(KindId(4)), SearchError::UnknownKind(KindId(4))),
        (query.with_safe_distance(-1.0), SearchError::BadDistance),
        (query.with_safe_distance(f32::NAN), SearchError::BadDistance),
        (query.with_speed_ratio(0.0), SearchError::BadSpeedRatio),
        (query.with_speed_ratio(f32::INFINITY), SearchError::BadSpeedRatio),
        (query.with_limit(f32::NAN), SearchError::BadCost),
        (query.with_limit(-1.0), SearchError::BadCost),
    ] {
        assert_eq!(find(query, 5.0), Err(error), "{query:?}");
    }
    for odd in [f32::NAN, f32::NEG_INFINITY, f32::INFINITY, -3.0, 1e30] {
        for ratio in [1e-30, 1.0, 1e30] {
            assert!(
                find(query.with_speed_ratio(ratio).with_limit(f32::INFINITY), odd).is_ok(),
                "{odd}, {ratio}"
            );
        }
    }
    assert_eq!(find(query.with_safe_distance(6.0), 5.0), Ok(FleeOutcome::Safe));
    assert_eq!(find(query, -1.0), Ok(FleeOutcome::Stay { is_dead_end: true }), "the threat is here");
    assert_eq!(find_refuge(&grid, &query, &|_| None, scratch), Ok(FleeOutcome::Safe), "no threat comes here");
}
