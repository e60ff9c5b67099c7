//! Scene 9: two agents meet head-on in a corridor with a pocket; twenty pass a door in both directions.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

/// An agent with reciprocal avoidance, sent from one cell to another.
fn traveller(app: &mut App, id: u64, radius: f32, from: (i32, i32), to: (i32, i32)) -> Entity {
    let body = (Agent { radius, ..default() }, AgentId(id), Transform::from_translation(at(from)));
    app.world_mut().spawn((body, Avoider::default(), PathRequest::to(at(to)))).id()
}

/// The number of ticks until all have arrived, at most `most`; checks that no agent stands in a wall, except for
/// two.
fn ticks_to_arrive(app: &mut App, nav: Entity, agents: &[Entity], most: usize) -> usize {
    (0..most)
        .find(|_| {
            app.update();
            if agents.len() != 2 {
                assert!(agents.iter().all(|&agent| stands_free(app, nav, agent)), "nobody stands in a wall");
            }
            agents.iter().all(|&agent| status(app, agent) == PathStatus::Arrived)
        })
        .unwrap_or(most)
}

/// Two agents that meet in a corridor one cell wide, from any starts; the ids are those of the agent from the left
/// and of the one from the right.
fn meet(map: &str, left: i32, right: i32, numbers: [u64; 2]) {
    let (mut app, nav) = app_on(grid(map));
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
fn the_agent_with_the_pocket_behind_it_backs_off() {
    // They meet left of the pocket, then right of it: each time only one of them can reach the pocket.
    meet(POCKET, 1, 9, [1, 2]);
    meet(POCKET, 5, 13, [1, 2]);
    meet(POCKET, 5, 13, [2, 1]);
}

#[test]
fn both_arrive_for_every_place_of_the_pocket() {
    // Pockets at each position, above the corridor and below it, for bodies that just fit past each other and for
    // bodies that do not.
    for (radius, pocket) in [(0.4, 1), (0.4, 5), (0.45, 4), (0.45, 7)] {
        for is_above in [false, true] {
            let row = |open: core::ops::Range<usize>| -> String {
                (0..13).map(|x| if open.contains(&x) { '.' } else { '#' }).collect()
            };
            let mut rows = [row(0..0), row(1..12), row(pocket..pocket + 1), row(0..0)];
            if is_above {
                rows.reverse();
            }
            let lane = if is_above { 2 } else { 1 };
            let (mut app, nav) = app_on(grid(&rows.join("\n")));
            let a = traveller(&mut app, 1, radius, (1, lane), (11, lane));
            let b = traveller(&mut app, 2, radius, (11, lane), (1, lane));
            app.world_mut().get_mut::<Transform>(a).expect("it stands somewhere").translation.x += 0.5;
            let took = ticks_to_arrive(&mut app, nav, &[a, b], 64 * 40);
            let places = [a, b].map(|agent| (position(&app, agent), status(&app, agent)));
            assert!(
                took < 64 * 40,
                "of {radius}, pocket at {pocket}, above {is_above}: they are at {places:?}"
            );
        }
    }
}

#[test]
fn twenty_through_a_door_both_ways_all_arrive() {
    let mut app = app(SolveMode::Inline);
    let wall = |cell: GridCell| cell.x == 12 && cell.y != 6;
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
