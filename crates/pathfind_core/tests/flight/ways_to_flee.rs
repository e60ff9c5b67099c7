//! A pursuer follows by the shortest path, and each way to flee is timed until capture.

use std::collections::BTreeMap;

use pathfind_core::{DistanceField, FleeOutcome, FleeQuery, Grid, GridCell, SearchScratch, find_refuge};

use crate::game::Game;
use crate::map::{KIND, KING_STEPS, Random, rooms};

const MOST_MOVES: u32 = 400;

fn neighbors(grid: &Grid, cell: GridCell) -> impl Iterator<Item = GridCell> {
    grid.steps_from(KIND, KING_STEPS, cell).map(move |direction| cell.step(direction))
}

/// To the neighbour that is farthest from the pursuer in a straight line.
fn straight(grid: &Grid, at: GridCell, threat: GridCell) -> GridCell {
    let moves = neighbors(grid, at).chain([at]).filter(|&cell| cell != threat);
    moves.max_by_key(|cell| cell.distance_squared(threat)).unwrap_or(at)
}

/// A safety map: distances times -1.2, raised until no cell is worth more than 1 above a neighbour; downhill.
/// (RogueBasin, "The Incredible Power of Dijkstra Maps".)
fn safety_map(grid: &Grid, field: &DistanceField, at: GridCell, threat: GridCell) -> GridCell {
    let cells = grid.bounds().cells();
    let mut map: BTreeMap<(i32, i32), f32> =
        cells.filter_map(|cell| Some(((cell.x, cell.y), -1.2 * field.distance(cell)?))).collect();
    let mut open: Vec<GridCell> = map.keys().map(|&(x, y)| GridCell::new(x, y)).collect();
    while let Some(cell) = open.pop() {
        let worth = map[&(cell.x, cell.y)];
        for next in neighbors(grid, cell) {
            let known = map.get_mut(&(next.x, next.y)).expect("it is reached");
            if *known > worth + 1.0 {
                *known = worth + 1.0;
                open.push(next);
            }
        }
    }
    let moves = neighbors(grid, at).filter(|&cell| cell != threat);
    moves.min_by(|a, b| map[&(a.x, a.y)].total_cmp(&map[&(b.x, b.y)])).unwrap_or(at)
}

/// The own cell farthest from the threat, dead end or not (TrailMax).
fn trail_max(grid: &Grid, field: &DistanceField, at: GridCell) -> GridCell {
    let mut known = BTreeMap::from([((at.x, at.y), (0u32, at))]);
    let mut open = std::collections::VecDeque::from([at]);
    let mut best = (field.distance(at).unwrap_or(0.0), at);
    while let Some(cell) = open.pop_front() {
        let (cost, _) = known[&(cell.x, cell.y)];
        let distance = field.distance(cell).unwrap_or(0.0);
        if distance > best.0 {
            best = (distance, cell);
        }
        for next in neighbors(grid, cell) {
            let is_own = field.distance(next).is_some_and(|distance| ((cost + 1) as f32) < distance);
            if is_own && !known.contains_key(&(next.x, next.y)) {
                known.insert((next.x, next.y), (cost + 1, cell));
                open.push_back(next);
            }
        }
    }
    let mut cell = best.1;
    while cell != at && known[&(cell.x, cell.y)].1 != at {
        cell = known[&(cell.x, cell.y)].1;
    }
    cell
}

fn by_path(grid: &Grid, field: &DistanceField, at: GridCell, scratch: &mut SearchScratch) -> GridCell {
    match find_refuge(grid, &FleeQuery::new(at).with_steps(KING_STEPS), &|cell| field.distance(cell), scratch)
        .unwrap()
    {
        FleeOutcome::Flee(refuge) => refuge.path[1],
        FleeOutcome::Safe | FleeOutcome::Stay { .. } => at,
    }
}

#[derive(Copy, Clone, Debug)]
enum Way {
    Straight,
    SafetyMap,
    TrailMax,
    ByPath,
    Best,
}

impl Way {
    const ALL: [Self; 5] = [Self::Straight, Self::SafetyMap, Self::TrailMax, Self::ByPath, Self::Best];
}

/// Moves until capture, and whether the fleer threw away a way to escape for ever.
fn chase(grid: &Grid, game: &Game, (mut threat, mut at): (GridCell, GridCell), way: Way) -> (u32, bool) {
    let scratch = &mut SearchScratch::default();
    let could_escape = game.moves_left(threat, at).is_none();
    for moves in 0..MOST_MOVES {
        let field = DistanceField::new(grid, KIND, KING_STEPS, &[threat], scratch).unwrap();
        at = match way {
            Way::Straight => straight(grid, at, threat),
            Way::SafetyMap => safety_map(grid, &field, at, threat),
            Way::TrailMax => trail_max(grid, &field, at),
            Way::ByPath => by_path(grid, &field, at, scratch),
            Way::Best => game.best_move(threat, at),
        };
        let to = DistanceField::new(grid, KIND, KING_STEPS, &[at], scratch).unwrap();
        threat = to.direction(threat).map_or(threat, |direction| threat.step(direction));
        if threat == at {
            return (moves + 1, could_escape);
        }
    }
    (MOST_MOVES, false)
}

#[test]
fn flight_by_path_lasts_longest() {
    let mut random = Random(1);
    for loops in [0, 1, 3] {
        let mut totals = [(0, 0); 5];
        let mut could_escape = 0;
        let count = if loops == 0 { 34 } else { 33 };
        for _ in 0..count {
            let grid = rooms(&mut random, loops);
            let game = Game::new(&grid, KIND, KING_STEPS);
            let (threat, at) = loop {
                let [threat, at] =
                    [(); 2].map(|()| game.cells[random.below(game.cells.len() as u32) as usize]);
                let field =
                    DistanceField::new(&grid, KIND, KING_STEPS, &[threat], &mut SearchScratch::default())
                        .unwrap();
                if field.distance(at).is_some_and(|distance| (4.0..=12.0).contains(&distance)) {
                    break (threat, at);
                }
            };
            could_escape += u32::from(game.moves_left(threat, at).is_none());
            for way in Way::ALL {
                let (moves, blundered) = chase(&grid, &game, (threat, at), way);
                totals[way as usize].0 += moves;
                totals[way as usize].1 += u32::from(blundered);
            }
        }
        println!("{loops} loops: {could_escape} of {count} could escape");
        for way in Way::ALL {
            let (moves, blunders) = totals[way as usize];
            println!("  {way:?}: {:.1} moves, {blunders} thrown away", f64::from(moves) / f64::from(count));
        }
    }
}
