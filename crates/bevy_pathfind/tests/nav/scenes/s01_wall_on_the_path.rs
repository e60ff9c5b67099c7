//! Scene 1: a wall is placed on an agent's remaining path; within a tick the path is invalidated.

use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

#[test]
fn the_path_is_invalidated_within_a_tick_and_no_step_ends_on_a_wall() {
    for (mode, far) in
        [(SolveMode::Inline, 3), (SolveMode::Inline, 20), (SolveMode::Sliced, 1), (SolveMode::Background, 4)]
    {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, Grid::new(36, 21).unwrap());
        let agent = send(&mut app, (1, 10), (34, 10));
        until(&mut app, "it is under way", |app| position(app, agent).x > 3.0);
        let column = GridCell::containing(position(&app, agent).truncate()).x + far;
        wall(&mut app, nav, (column, 2), (column, 18));
        app.update();
        let heard = count(&app, &LoggedEvent::Invalidated(agent));
        assert_eq!(heard, 1, "{mode:?}: it hears of it in the next tick");
        until(&mut app, "it is there", |app| {
            assert!(stands_free(app, nav, agent), "{mode:?}, {far} cells ahead: it stands in the wall");
            status(app, agent) == PathStatus::Arrived
        });
        assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1, "once is enough");
    }
}
