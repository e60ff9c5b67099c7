//! Scene 10: a hundred agents sent to one point come to rest within seconds.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::support::*;

#[test]
fn a_hundred_units_sent_to_one_point_settle() {
    let (mut app, nav) = app_on(walled(64));
    let goal = (48, 50);
    let agents: Vec<_> = (0..100).map(|i| send(&mut app, (38 + i % 10, 30 + i / 10), goal)).collect();
    ticks(&mut app, 64 * 10);
    let places = |app: &App| agents.iter().map(|&agent| position(app, agent)).collect::<Vec<_>>();
    let settled = places(&app);
    let arrived = agents.iter().filter(|&&agent| status(&app, agent) == PathStatus::Arrived).count();
    assert_eq!(arrived, 100, "all have arrived after ten seconds");
    let cells: HashSet<_> = settled.iter().map(|at| at.truncate().floor().as_ivec2()).collect();
    assert_eq!(cells.len(), 100, "no two stand on one cell");
    assert!(agents.iter().all(|&agent| stands_free(&app, nav, agent)), "and none in a wall");
    let farthest = settled.iter().map(|&place| place.distance(at(goal))).fold(0.0, f32::max);
    assert!(farthest < 7.5, "they stand close, the farthest {farthest} from the point");
    assert!(settled.iter().any(|place| place.distance(at(goal)) < 0.2), "one of them on the very point");
    ticks(&mut app, 64);
    assert_eq!(places(&app), settled, "and then nobody stirs");
}

#[test]
fn a_leaving_agent_frees_its_place() {
    let (mut app, _) = app_on(Grid::new(30, 30).unwrap());
    let [first, second] = [(5, 5), (7, 5)].map(|cell| send(&mut app, cell, (15, 15)));
    ticks(&mut app, 64 * 5);
    let (a, b) = (position(&app, first), position(&app, second));
    assert!(a.distance(b) > 0.8, "they stand side by side");
    order(&mut app, first, at((2, 2)));
    order(&mut app, second, at((2, 4)));
    ticks(&mut app, 64 * 5);
    order(&mut app, second, at((15, 15)));
    ticks(&mut app, 64 * 5);
    stands_at(&app, second, (15, 15), 0.15); // the goal is free again
}

#[test]
fn without_spread_an_agent_goes_to_the_exact_point() {
    let (mut app, _) = app_on(Grid::new(30, 30).unwrap());
    let request = PathRequest::to(at((15, 15))).with_spread(false);
    let agents = [(5, 5), (7, 5), (9, 9)].map(|cell| spawn_with(&mut app, cell, request.clone()));
    ticks(&mut app, 64 * 5);
    agents.iter().for_each(|&agent| stands_at(&app, agent, (15, 15), 0.15));
}
