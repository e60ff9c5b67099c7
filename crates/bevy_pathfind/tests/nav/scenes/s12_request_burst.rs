//! Scene 12: eight hundred requests at once across the map: no frame is over budget, and every request is answered.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

/// A map of blocks with streets between, 512 cells wide.
fn town() -> Grid {
    let block =
        |cell: GridCell| cell.x % 9 < 6 && cell.y % 9 < 6 && (cell.x / 9 * 7 + cell.y / 9 * 5) % 3 != 0;
    Grid::from_fn(512, 512, |cell| if block(cell) { Terrain::WALL } else { Terrain::GROUND }).unwrap()
}

fn order_eight_hundred(app: &mut App) -> Vec<Entity> {
    app.insert_resource(SearchOptions::default());
    spawn_grid(app, town());
    let street = |i: i32, step: i32| (7 + 9 * (i * step % 55), 7 + 9 * (i * (step + 7) % 55));
    (0..800).map(|i| send(app, street(i, 13), street(i + 400, 29))).collect()
}

#[test]
fn no_frame_is_over_budget_and_every_request_is_answered() {
    const BUDGET: u32 = 1_000;
    let mut app = app(SolveMode::Sliced);
    set_expansions(&mut app, BUDGET);
    let agents = order_eight_hundred(&mut app);
    let mut frames = 0;
    until(&mut app, "everybody is answered", |app| {
        frames += 1;
        // The work for a search is counted in the frame in which it ends, and there is work for every frame.
        assert!(stats(app).expanded <= frames * u64::from(BUDGET), "no frame is over budget");
        stats(app).answered >= 800
    });
    assert!(frames > 5, "the work was spread over frames: {frames}");
    assert!(agents.iter().all(|&agent| has_path(&app, agent)), "nobody is left out");
}

#[test]
fn background_searches_answer_every_request() {
    let mut app = app(SolveMode::Background);
    let agents = order_eight_hundred(&mut app);
    let is_answered = |app: &App| stats(app).answered >= 800;
    let taken = ticks_until(&mut app, 300, is_answered);
    assert!(is_answered(&app), "eight hundred answers came within {taken} ticks");
    assert!(agents.iter().all(|&agent| has_path(&app, agent)), "nobody is left out");
}
