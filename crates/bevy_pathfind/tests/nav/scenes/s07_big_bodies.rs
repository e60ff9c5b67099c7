//! Scene 7: units of two and three cells in corridors one, two and three wide; discs round corners.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{PartialReason, PathOutcome},
    prelude::*,
    world::Grid,
};

use crate::support::*;

/// Two rooms, with corridors of one, two and three cells between them, from the top.
const CORRIDORS: &str = "
.....########.....
.....#......#.....
.....#.####.#.....
..................
.....########.....
.....########.....
..................
..................
.....########.....
.....########.....
..................
..................
..................
.....########.....
.....########.....";

fn agent_of(app: &mut App, size: AgentSize, cell: (i32, i32)) -> Entity {
    let kind = AgentKind { size, ..default() };
    let kind = app.world_mut().resource_mut::<AgentKinds>().add(kind).unwrap();
    spawn_with(app, cell, Agent { kind, ..default() })
}

#[test]
fn each_takes_a_corridor_in_which_it_fits() {
    for (side, fits) in [(1, 3), (2, 6), (3, 10)] {
        let (mut app, nav) = app_on(grid(CORRIDORS.trim_start()));
        let agent = agent_of(&mut app, AgentSize::Square(side), (1, 1));
        let kind = app.world().get::<Agent>(agent).unwrap().kind;
        order(&mut app, agent, at((14, 1)));
        let mut rows = Vec::new();
        for _ in 0..64 * 7 {
            app.update();
            let cell = GridCell::containing(position(&app, agent).truncate());
            let free = nav_grid(&app, nav).grid().is_walkable(kind, cell);
            assert!(free, "a body {side} cells wide does not fit on {cell}");
            if cell.x == 8 {
                rows.push(cell.y);
            }
        }
        assert_eq!(status(&app, agent), PathStatus::Arrived, "{side} wide");
        assert!(
            !rows.is_empty() && rows.iter().all(|&row| row == fits),
            "{side} wide, it went by rows {rows:?}"
        );
    }
    let (mut app, _) = app_on(grid(CORRIDORS.trim_start()));
    let agent = agent_of(&mut app, AgentSize::Square(4), (1, 1));
    order(&mut app, agent, at((14, 1)));
    ticks(&mut app, 3);
    let outcome = PathOutcome::Partial(PartialReason::Unreachable);
    assert_eq!(count(&app, &LoggedEvent::Found(agent, outcome)), 1, "no corridor is four wide");
}

#[test]
fn discs_keep_their_radius_round_corners() {
    let map = Grid::from_fn(
        24,
        24,
        |GridCell { x, y }| if x >= 8 && y < 16 { Terrain::WALL } else { Terrain::GROUND },
    );
    for radius in [0.4, 0.9, 1.4] {
        let (mut app, _) = app_on(map.clone().unwrap());
        let agent = agent_of(&mut app, AgentSize::Disc(radius), (4, 2));
        order(&mut app, agent, at((20, 19)));
        app.update();
        let corner = Vec2::new(8.0, 16.0);
        for leg in path(&app, agent).waypoints().windows(2) {
            for step in 0..=100 {
                let at = leg[0].lerp(leg[1], step as f32 / 100.0).truncate();
                let gap = (at - at.clamp(Vec2::new(8.0, 0.0), Vec2::new(24.0, corner.y))).length();
                assert!(gap >= radius - 1e-3, "radius {radius}: at {at} the path is {gap} from the wall");
            }
        }
        all_arrive(&mut app, &[agent]);
    }
}
