//! Scene 15: a 10×10 building is placed in one frame: each path that it crosses is replanned once.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::support::*;

/// Places the building, by one of several kinds of edit.
type Build = fn(&mut NavGrid);

const BUILDING: CellRect = CellRect { min: GridCell::new(60, 28), max: GridCell::new(69, 37) };

#[test]
fn each_crossed_path_is_replanned_once_per_building() {
    let methods: [(Build, u64); 3] = [
        (|nav| _ = nav.fill(BUILDING, Terrain::WALL), 1),
        (|nav| nav.edit(|edit| BUILDING.cells().for_each(|cell| _ = edit.set(cell, Terrain::WALL))), 1),
        (|nav| BUILDING.cells().for_each(|cell| _ = nav.set(cell, Terrain::WALL)), 100),
    ];
    for (build, edits) in methods {
        let (mut app, nav) = app_on(Grid::new(128, 64).unwrap());
        let agents: Vec<_> = (0..32).map(|row| send(&mut app, (1, row * 2), (126, row * 2))).collect();
        ticks(&mut app, 20);
        build(&mut app.world_mut().get_mut::<NavGrid>(nav).unwrap());
        app.update();
        let searches = (stats(&app).replanned, stats(&app).finished);
        assert_eq!(searches, (5, 32 + 5), "rows 28 to 36 run into it, no others");
        for (row, &agent) in (0..).map(|row| row * 2).zip(&agents) {
            let touched = usize::from((BUILDING.min.y..=BUILDING.max.y).contains(&row));
            let heard = count(&app, &LoggedEvent::Invalidated(agent));
            assert_eq!(heard, touched, "row {row} hears of it once, or not");
        }
        assert_eq!(nav_grid(&app, nav).revision(), edits);
    }
}
