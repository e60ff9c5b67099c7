//! Scene 3: a thousand agents and a sealed goal on a large map: all end as near to it as possible, no two in one
//! cell.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_pathfind::{order::PartialReason, prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

const GOAL: (i32, i32) = (256, 256);
/// Cells expanded per frame: less than a millisecond of search on current machines.
const BUDGET: u32 = 8_000;

#[test]
fn a_thousand_agents_settle_round_a_sealed_goal() {
    let mut app = app(SolveMode::Sliced);
    app.insert_resource(SearchOptions::default());
    set_expansions(&mut app, BUDGET);
    let mut map = Grid::new(512, 512).unwrap();
    let box_round = CellRect::new(GridCell::new(255, 255), GridCell::new(257, 257));
    map.fill(box_round, Terrain::WALL);
    map.set(GOAL.into(), Terrain::GROUND).unwrap();
    spawn_grid(&mut app, map);
    let body = (Agent { acceleration: f32::INFINITY, ..Agent::new(40.0) }, PathRequest::to(at(GOAL)));
    let agents: Vec<_> =
        (0..1000).map(|i| spawn_with(&mut app, (240 + i % 40, 275 + i / 40), body.clone())).collect();
    let mut expanded = 0;
    for _ in 0..150 {
        app.update();
        // Expansions are counted when a search ends, but may have been made in earlier frames.
        assert!(stats(&app).expanded - expanded <= 4 * u64::from(BUDGET), "no frame searches for long");
        expanded = stats(&app).expanded;
    }
    let shared = stats(&app).shared_requests;
    assert!(shared >= 1000, "one search served them all: {shared}");
    let short = PathStatus::EndedShort(PartialReason::Unreachable);
    let settled = agents.iter().filter(|&&agent| status(&app, agent) == short).count();
    assert_eq!(settled, 1000, "all have settled");
    let has_arrived = |event: &LoggedEvent| matches!(event, LoggedEvent::Arrived(_));
    assert!(!logged_events(&app).iter().any(has_arrived), "none has arrived");
    let cells: HashSet<_> =
        agents.iter().map(|&agent| position(&app, agent).truncate().floor().as_ivec2()).collect();
    assert_eq!(cells.len(), 1000, "no two stand on one cell");
    let farthest = agents.iter().map(|&agent| position(&app, agent).distance(at(GOAL))).fold(0.0, f32::max);
    assert!(
        farthest < 21.0,
        "a disc of a thousand cells has a radius of 18; the farthest stands at {farthest}"
    );
}
