//! Scene 9: two agents head-on in a corridor with a pocket; twenty through a door both ways.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

/// An agent of a radius that makes way for others, on its way from one cell to another.
fn traveller(app: &mut App, id: u64, radius: f32, from: (i32, i32), to: (i32, i32)) -> Entity {
    let body = (Agent { radius, ..default() }, AgentId(id), Avoider::reciprocal());
    let agent = app.world_mut().spawn((body, Transform::from_translation(at(from)))).id();
    order(app, agent, at(to));
    agent
}

/// After how many ticks all have arrived, `most` at most; nobody ever stands in a wall.
fn ticks_to_arrive(app: &mut App, nav: Entity, agents: &[Entity], most: usize) -> usize {
    (0..most)
        .find(|_| {
            app.update();
            assert!(agents.iter().all(|&agent| stands_free(app, nav, agent)), "nobody stands in a wall");
            agents.iter().all(|&agent| status(app, agent) == PathStatus::Arrived)
        })
        .unwrap_or(most)
}

/// Two that meet in a corridor one wide, wherever they come from; the numbers are those of the one from the
/// left and the one from the right.
fn meet(map: &str, left: i32, right: i32, numbers: [u64; 2]) {
    let mut app = app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, grid(map));
    let a = traveller(&mut app, numbers[0], 0.4, (left, 1), (right, 1));
    let b = traveller(&mut app, numbers[1], 0.4, (right, 1), (left, 1));
    let took = ticks_to_arrive(&mut app, nav, &[a, b], 64 * 30);
    let places = [a, b].map(|agent| (position(&app, agent), status(&app, agent)));
    assert!(took < 64 * 30, "both arrive, {numbers:?} from {left} to {right}: they are at {places:?}");
}

const POCKET: &str = "###############\n#.............#\n#######.#######\n###############";

#[test]
fn two_head_on_in_a_corridor_with_a_pocket_both_arrive() {
    meet(POCKET, 1, 13, [1, 2]);
    meet(POCKET, 1, 13, [2, 1]);
}

#[test]
fn who_has_the_pocket_behind_it_goes_back_there() {
    // They meet left of the pocket, then right of it: only one of them can get there each time.
    meet(POCKET, 1, 9, [1, 2]);
    meet(POCKET, 5, 13, [1, 2]);
    meet(POCKET, 5, 13, [2, 1]);
}

#[test]
fn twenty_through_a_door_both_ways_all_arrive() {
    let mut app = app(SolveMode::Inline);
    let wall = |cell: Cell| cell.x == 12 && cell.y != 6;
    let terrain = |cell| if wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let nav = spawn_grid(&mut app, Grid::from_fn(25, 13, terrain).unwrap());
    let agents: Vec<_> = (0..20)
        .map(|i| {
            let (x, y) = (2 + i % 10 / 5 * 3, 2 + i % 5 * 2);
            let (from, to) = if i < 10 { ((x, y), (24 - x, y)) } else { ((24 - x, y), (x, y)) };
            traveller(&mut app, i as u64 + 1, 0.3, from, to)
        })
        .collect();
    let took = ticks_to_arrive(&mut app, nav, &agents, 64 * 60);
    let left = agents.iter().filter(|&&agent| status(&app, agent) != PathStatus::Arrived);
    let left: Vec<_> = left.map(|&agent| (position(&app, agent), status(&app, agent))).collect();
    assert!(took < 64 * 60, "all arrive; still under way are {left:?}");
}
