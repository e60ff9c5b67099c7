//! A pursuer follows by the shortest path, and each way to flee is timed until capture.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

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
    let mut open = VecDeque::from([at]);
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

fn by_path(
    grid: &Grid,
    field: &DistanceField,
    at: GridCell,
    limit: f32,
    scratch: &mut SearchScratch,
) -> GridCell {
    let query = FleeQuery::new(at).with_steps(KING_STEPS).with_limit(limit);
    match find_refuge(grid, &query, &|cell| field.distance(cell), scratch).unwrap() {
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
    /// By path, looking half as far ahead.
    ByPathNear,
}

impl Way {
    const ALL: [Self; 5] = [Self::Straight, Self::SafetyMap, Self::TrailMax, Self::ByPath, Self::ByPathNear];
}

/// One move of a fleer from its threats, of which `field` holds the distances.
fn flee(grid: &Grid, field: &DistanceField, at: GridCell, way: Way, scratch: &mut SearchScratch) -> GridCell {
    let threat = field.path(at).last().expect("the maps hang together");
    match way {
        Way::Straight => straight(grid, at, threat),
        Way::SafetyMap => safety_map(grid, field, at, threat),
        Way::TrailMax => trail_max(grid, field, at),
        Way::ByPath => by_path(grid, field, at, 64.0, scratch),
        Way::ByPathNear => by_path(grid, field, at, 32.0, scratch),
    }
}

/// The moves until one of the threats, which follow by the shortest path, catches the fleer, whose moves are given.
fn chase(
    grid: &Grid,
    mut threats: Vec<GridCell>,
    mut at: GridCell,
    mut flee: impl FnMut(&[GridCell], &DistanceField, GridCell) -> GridCell,
) -> u32 {
    let scratch = &mut SearchScratch::default();
    for moves in 1..MOST_MOVES {
        let field = DistanceField::new(grid, KIND, KING_STEPS, &threats, scratch).unwrap();
        at = flee(&threats, &field, at);
        let to = DistanceField::new(grid, KIND, KING_STEPS, &[at], scratch).unwrap();
        for threat in &mut threats {
            *threat = to.direction(*threat).map_or(*threat, |direction| threat.step(direction));
        }
        if threats.contains(&at) {
            return moves;
        }
    }
    MOST_MOVES
}

/// A walkable cell as many steps away from a fleer as the range says.
fn threat_near(
    random: &mut Random,
    grid: &Grid,
    cells: &[GridCell],
    at: GridCell,
    range: RangeInclusive<f32>,
) -> GridCell {
    let scratch = &mut SearchScratch::default();
    let field = DistanceField::new(grid, KIND, KING_STEPS, &[at], scratch).unwrap();
    std::iter::repeat_with(|| random.of(cells))
        .find(|&cell| field.distance(cell).is_some_and(|distance| range.contains(&distance)))
        .expect("maps are large")
}

/// On 100 maps of rooms and corridors, with no loop and with some, from 4 to 12 steps away: how long each way to flee
/// lasts, and how often the fleer is caught although with best play it never is.
#[test]
fn flight_by_path_lasts_longest_and_throws_no_escape_away() {
    let mut random = Random(1);
    let scratch = &mut SearchScratch::default();
    let (mut moves, mut thrown_away, mut best) = ([0; 5], [0; 5], 0);
    for loops in [0, 1, 3] {
        let (mut moves_here, mut thrown_here, mut best_here, mut escapes) = ([0; 5], [0; 5], 0, 0);
        let count = if loops == 0 { 34 } else { 33 };
        for _ in 0..count {
            let grid = rooms(&mut random, loops);
            let game = Game::new(&grid, KIND, KING_STEPS);
            let at = random.of(&game.cells);
            let threat = threat_near(&mut random, &grid, &game.cells, at, 4.0..=12.0);
            let escapes_here = u32::from(game.moves_left(threat, at).is_none());
            escapes += escapes_here;
            for way in Way::ALL {
                let lasted =
                    chase(&grid, vec![threat], at, |_, field, at| flee(&grid, field, at, way, scratch));
                moves_here[way as usize] += lasted;
                thrown_here[way as usize] += if lasted < MOST_MOVES { escapes_here } else { 0 };
            }
            best_here += chase(&grid, vec![threat], at, |threats, _, at| game.best_move(threats[0], at));
        }
        println!("{count} maps, {loops} loops, {escapes} can escape");
        for way in Way::ALL {
            let (total, thrown) = (moves_here[way as usize], thrown_here[way as usize]);
            println!("  {way:?}: {:.1} moves, {thrown} thrown away", f64::from(total) / f64::from(count));
            moves[way as usize] += total;
            thrown_away[way as usize] += thrown;
        }
        println!("  best play: {:.1} moves", f64::from(best_here) / f64::from(count));
        best += best_here;
    }
    println!("together: {moves:?} moves, {best} of best play; {thrown_away:?} escapes thrown away");
    let [straight, safety_map, trail_max, by_path, _] = moves;
    assert!(by_path > straight * 10 && by_path * 2 > safety_map * 3 && by_path * 4 > trail_max * 5);
    assert!(by_path * 100 > best * 95, "nearly as long as best play");
    assert!(thrown_away[3] * 10 < thrown_away[2], "{thrown_away:?}");
}

/// Two threats from anywhere near: ways between them do not count as ways on.
#[test]
fn flight_from_two_threats_lasts_longest() {
    let mut random = Random(99);
    let scratch = &mut SearchScratch::default();
    let mut all = [0; 5];
    for loops in [0, 1, 3] {
        let mut moves = [0; 5];
        for _ in 0..40 {
            let grid = rooms(&mut random, loops);
            let cells: Vec<GridCell> =
                grid.bounds().cells().filter(|&cell| grid.is_walkable(KIND, cell)).collect();
            let at = random.of(&cells);
            let threats: Vec<GridCell> =
                (0..2).map(|_| threat_near(&mut random, &grid, &cells, at, 4.0..=30.0)).collect();
            for way in Way::ALL {
                moves[way as usize] +=
                    chase(&grid, threats.clone(), at, |_, field, at| flee(&grid, field, at, way, scratch));
            }
        }
        println!("two threats, {loops} loops: {:?} moves", moves.map(|moves| moves / 40));
        all.iter_mut().zip(moves).for_each(|(all, moves)| *all += moves);
    }
    let [_, safety_map, trail_max, by_path, _] = all;
    assert!(by_path * 2 > safety_map * 3 && by_path * 4 > trail_max * 5, "{all:?}");
}

/// How long a decision takes in the open, and how many cells it looks at, by the limit of the way.
#[test]
#[ignore = "prints times, and says nothing about right or wrong"]
fn time_of_a_decision_in_the_open() {
    let grid = Grid::new(600, 600).unwrap();
    let scratch = &mut SearchScratch::default();
    for (limit, max_cells, away) in [
        (32.0, 4096, 8),
        (64.0, 4096, 8),
        (64.0, u32::MAX, 8),
        (32.0, 4096, 60),
        (64.0, 4096, 60),
        (64.0, u32::MAX, 60),
    ] {
        let (at, threat) = (GridCell::new(300, 300), GridCell::new(300 - away, 300));
        let field = DistanceField::new(&grid, KIND, KING_STEPS, &[threat], scratch).unwrap();
        let query = FleeQuery::new(at).with_steps(KING_STEPS).with_limit(limit).with_max_cells(max_cells);
        let times = (0..10).map(|_| {
            let clock = std::time::Instant::now();
            find_refuge(&grid, &query, &|cell| field.distance(cell), scratch).unwrap();
            clock.elapsed()
        });
        println!("limits {limit} and {max_cells}, the threat {away} away: {:?}", times.min());
    }
}
