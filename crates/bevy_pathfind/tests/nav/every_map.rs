//! Agents walk on many random maps, with every algorithm, corner rule and several sizes: each comes to its goal, and
//! none is ever inside a wall. The same while walls come and go; then each ends where the last map lets it.
//! `NAV_MAPS` is how many maps are played, `NAV_MAP` the first one.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, CornerRule},
    prelude::*,
    solve::SolveMode,
    world::Grid,
};
use pathfind_core::StepRules;

use crate::support::*;

/// Agents on one map.
const AGENTS: usize = 12;
/// After this time all have come to their goals, the slowest across the longest path.
const MOST_SECONDS: usize = 180;
/// For how long maps change.
const EDITED_SECONDS: usize = 10;
const SIZES: [AgentSize; 5] = [
    AgentSize::Square(1),
    AgentSize::Square(2),
    AgentSize::Disc(0.2),
    AgentSize::Disc(0.5),
    AgentSize::Disc(0.9),
];

/// A walk that an agent is sent on.
struct Walk {
    agent: Entity,
    body: Agent,
    size: AgentSize,
    options: SearchOptions,
    from: Vec2,
    to: Vec2,
}

/// Where the body of an agent is inside a wall, if it is.
fn wall_under(grid: &Grid, size: AgentSize, at: Vec2) -> Option<GridCell> {
    let reach = match size {
        AgentSize::Disc(radius) => radius,
        _ => 0.0,
    };
    let walls = CellRect::new(GridCell::containing(at - reach), GridCell::containing(at + reach));
    walls.cells().find(|&cell| {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        let nearest = at.clamp(low, low + 1.0);
        // To touch a wall is allowed, and its coordinates are rounded.
        let is_inside =
            nearest.distance(at) < reach - 1e-3 || reach == 0.0 && cell == GridCell::containing(at);
        let is_wall = !grid.is_walkable(KindId::default(), cell);
        let is_on_edge = (at - low).min(low + 1.0 - at).min_element().abs() < 1e-3;
        is_wall && is_inside && !(reach == 0.0 && is_on_edge)
    })
}

/// Toggles a cell between wall and ground, unless it is a goal or an agent is near it.
fn toggle(map: &mut Grid, app: &mut App, grid: Entity, walks: &[Walk], random: &mut Random) {
    let cell = GridCell::new(random.below(map.width()) as i32, random.below(map.height()) as i32);
    let is_near = |at: Vec2, reach: f32| (at - cell.center()).abs().max_element() < reach;
    let is_taken = |walk: &Walk| is_near(walk.to, 2.5) || is_near(position(app, walk.agent).truncate(), 2.5);
    if walks.iter().any(is_taken) {
        return;
    }
    let is_wall = map.terrain(cell) == Some(Terrain::WALL);
    let terrain = if is_wall { Terrain::GROUND } else { Terrain::WALL };
    map.set(cell, terrain).expect("the cell lies on the grid");
    let mut nav = app.world_mut().get_mut::<NavGrid>(grid).expect("the grid is there");
    nav.set(cell, terrain).expect("the cell lies on the grid");
}

/// Plays one map, with an edit every few ticks in the first seconds if `is_edited`; the number of walks, or what went
/// wrong.
fn play(seed: u64, is_edited: bool) -> Result<usize, String> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (width, height) = (6 + random.below(16), 6 + random.below(16));
    let walls = random.below(40);
    let mut map = Grid::from_fn(width, height, |_| match random.below(100) {
        dice if dice < walls => Terrain::WALL,
        dice if dice < walls + 10 => Terrain::weight(4),
        _ => Terrain::GROUND,
    })
    .expect("the size is sound");
    let kinds = SIZES.map(|size| {
        let kind = AgentKind { size, ..AgentKind::default() };
        map.add_kind(kind).expect("there are few kinds")
    });
    let mut app = app(SolveMode::Inline);
    let mut walks = Vec::new();
    for index in 0..AGENTS {
        let which = random.below(SIZES.len() as u32) as usize;
        let (size, kind) = (SIZES[which], kinds[which]);
        let algorithm = Algorithm::ALL[random.below(Algorithm::ALL.len() as u32) as usize];
        let corners = CornerRule::ALL[random.below(CornerRule::ALL.len() as u32) as usize];
        let options = SearchOptions { algorithm, corners, straighten: random.below(2) == 0, ..default() };
        let cells: Vec<GridCell> = map.bounds().cells().filter(|&cell| map.is_walkable(kind, cell)).collect();
        let mut pick = || cells.get(random.below(cells.len().max(1) as u32) as usize).copied();
        let (Some(start), Some(goal)) = (pick(), pick()) else { continue };
        let (from, to) = (start.center(), goal.center());
        // Two agents with one goal would stand beside each other.
        let is_taken = walks.iter().any(|walk: &Walk| walk.to == to);
        if is_taken || !map.connected(kind, StepRules::eight(corners), start, goal) {
            continue;
        }
        // From walkers that need seconds to stop to bodies that cross most of a cell in a tick.
        let speed = [1.0, 3.0, 7.0, 40.0][random.below(4) as usize];
        let acceleration = speed * [1.0, 8.0, 64.0, f32::INFINITY][random.below(4) as usize];
        let body = Agent { kind, radius: 0.2, acceleration, ..Agent::new(speed) };
        let place = Transform::from_translation(from.extend(0.0));
        let request = PathRequest::to(to.extend(0.0)).with_options(options).with_priority(index as i32 % 3);
        let agent = app.world_mut().spawn((body, place, request)).id();
        walks.push(Walk { agent, body, size, options, from, to });
    }
    let grid = app.world_mut().spawn(NavGrid::new(map.clone())).id();
    for tick in 0..64 * MOST_SECONDS {
        if is_edited && tick < 64 * EDITED_SECONDS && tick % 4 == 0 {
            toggle(&mut map, &mut app, grid, &walks, &mut random);
        }
        app.update();
        for walk in &walks {
            let at = position(&app, walk.agent).truncate();
            if let Some(wall) = wall_under(&map, walk.size, at) {
                return Err(describe(seed, walk, &format!("is at {at}, inside the wall at {wall}")));
            }
        }
        // After the last edit some look for a way once more.
        let may_change = is_edited && tick < 64 * (EDITED_SECONDS + 2);
        let is_over = |walk: &Walk| {
            use PathStatus::{Arrived, EndedShort, Failed};
            matches!(status(&app, walk.agent), Arrived | EndedShort(_) | Failed(_))
        };
        if !may_change && walks.iter().all(is_over) {
            break;
        }
    }
    for walk in &walks {
        let (at, status) = (position(&app, walk.agent).truncate(), status(&app, walk.agent));
        let steps = StepRules::eight(walk.options.corners);
        let is_open =
            map.connected(walk.body.kind, steps, GridCell::containing(at), GridCell::containing(walk.to));
        let is_right = match status {
            PathStatus::Arrived => at.distance(walk.to) <= 0.3,
            PathStatus::EndedShort(_) | PathStatus::Failed(_) => !is_open,
            _ => false,
        };
        if !is_right {
            return Err(describe(seed, walk, &format!("is at {at}, and {status:?}")));
        }
    }
    Ok(walks.len())
}

fn describe(seed: u64, walk: &Walk, what: &str) -> String {
    let Walk { body: Agent { speed, acceleration, .. }, size, options, from, to, .. } = walk;
    let (algorithm, corners) = (options.algorithm, options.corners);
    format!(
        "map {seed}: {size:?} at {speed}, {acceleration}, by {algorithm}, {corners:?}, from {from} to {to} {what}"
    )
}

fn play_all(is_edited: bool) {
    let number = |name, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (first, maps): (u64, u64) = (number("NAV_MAP", 1), number("NAV_MAPS", 25));
    let (mut walks, mut wrong) = (0, Vec::new());
    for seed in first..first + maps {
        match play(seed, is_edited) {
            Ok(walked) => walks += walked,
            Err(what) => wrong.push(what),
        }
    }
    println!("{walks} walks on {maps} maps");
    assert!(wrong.is_empty(), "{} of {maps} maps:\n{}", wrong.len(), wrong.join("\n"));
    assert!(walks as u64 > maps * 4, "there was something to walk: {walks}");
}

#[test]
fn agents_come_to_their_goals_on_every_map() {
    play_all(false);
}

#[test]
fn agents_come_to_their_goals_on_maps_that_change() {
    play_all(true);
}
