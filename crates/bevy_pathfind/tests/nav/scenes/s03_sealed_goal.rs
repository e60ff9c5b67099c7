//! Scene 3: a thousand agents and a sealed goal on a large map: all end as near to it as possible, no two in one
//! cell.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

const GOAL: (i32, i32) = (256, 256);
/// Cells expanded per frame: less than a millisecond of search on current machines.
const BUDGET: u32 = 8_000;

#[test]
fn a_thousand_agents_settle_round_a_sealed_goal() {
    let mut app = app(SolveMode::Sliced);
    app.insert_resource(DefaultSearch::default());
    app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = BUDGET;
    let mut map = Grid::new(512, 512).unwrap();
    let box_round = CellRect::new(Cell::new(255, 255), Cell::new(257, 257));
    map.fill(box_round, Terrain::WALL);
    map.set(GOAL.into(), Terrain::GROUND).unwrap();
    spawn_grid(&mut app, map);
    let agents: Vec<_> = (0..1000)
        .map(|i| {
            let agent = spawn_agent(&mut app, (240 + i % 40, 275 + i / 40));
            *app.world_mut().get_mut::<Agent>(agent).unwrap() =
                Agent { speed: 40.0, acceleration: f32::INFINITY, ..Agent::default() };
            order(&mut app, agent, at(GOAL));
            agent
        })
        .collect();
    let mut expanded = 0;
    for _ in 0..150 {
        app.update();
        let stats = app.world().resource::<SolveStats>();
        // Expansions are counted when a search ends, but may have been made in earlier frames.
        assert!(stats.expanded - expanded <= 4 * u64::from(BUDGET), "no frame searches for long");
        expanded = stats.expanded;
    }
    let stats = app.world().resource::<SolveStats>();
    assert!(stats.shared_requests >= 1000, "one search served them all: {}", stats.shared_requests);
    let short = PathStatus::EndedShort(PartialReason::Unreachable);
    let settled = agents.iter().filter(|&&agent| status(&app, agent) == short).count();
    assert_eq!(settled, 1000, "all have settled");
    assert!(
        !logged_events(&app).iter().any(|event| matches!(event, LoggedEvent::Arrived(_))),
        "none has arrived"
    );
    let cells: HashSet<_> = agents
        .iter()
        .map(|&agent| Cell::containing(position(&app, agent).truncate()))
        .map(|cell| (cell.x, cell.y))
        .collect();
    assert_eq!(cells.len(), 1000, "no two stand on one cell");
    let farthest = agents.iter().map(|&agent| position(&app, agent).distance(at(GOAL))).fold(0.0, f32::max);
    assert!(
        farthest < 21.0,
        "a disc of a thousand cells has a radius of 18; the farthest stands at {farthest}"
    );
}
