//! Scene 8: an agent that moves ten cells per tick follows its waypoints; one that is pushed off its path recovers.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode};

use crate::support::*;

const MAZE: &str = "
..............
.############.
..............
.############.
.#..........#.
.#.########.#.
.#........#.#.
.########.#.#.
..........#...";

/// A path from the inner pocket to the far corner.
const START: (i32, i32) = (2, 6);
const GOAL: (i32, i32) = (13, 0);

#[test]
fn a_fast_agent_passes_every_waypoint() {
    for (cells_a_tick, acceleration) in
        [(0.1, f32::INFINITY), (2.0, f32::INFINITY), (10.0, f32::INFINITY), (10.0, 4e4)]
    {
        let (mut app, nav) = app_on(grid(MAZE.trim_start()));
        let body = Agent { speed: cells_a_tick * 64.0, acceleration, ..default() };
        let agent = spawn_with(&mut app, START, (body, PathRequest::to(at(GOAL))));
        let mut left: Option<Vec<Vec3>> = None;
        for _ in 0..900 {
            app.update();
            assert!(stands_free(&app, nav, agent), "{cells_a_tick} cells a tick: it stands in a wall");
            let left = left.get_or_insert_with(|| path(&app, agent).waypoints()[1..].to_vec());
            let here = position(&app, agent);
            left.first().is_some_and(|next| next.distance(here) < 0.4).then(|| left.remove(0));
        }
        assert_eq!(left.unwrap(), [] as [Vec3; 0], "{cells_a_tick} cells a tick: it came by all, in order");
        assert_eq!(status(&app, agent), PathStatus::Arrived, "{cells_a_tick} cells a tick");
    }
}

#[test]
fn an_agent_pushed_off_its_path_recovers() {
    // Pushed into another corridor, onto corners of walls from each side, and onto an edge.
    let pushes =
        [(13.5, 4.5), (1.0, 1.0), (13.0, 1.0), (1.0, 8.0), (9.0, 5.0), (2.0, 5.0), (5.5, 5.0), (8.0, 7.0)];
    let cases: Vec<_> = pushes.into_iter().flat_map(|push| [5, 60, 200].map(|tick| (push, tick))).collect();
    let mut app = app(SolveMode::Inline);
    let plots: Vec<_> = (0..cases.len())
        .map(|number| {
            let corner = plot(&mut app, number, grid(MAZE.trim_start()));
            let start = Transform::from_translation(corner + at(START));
            let request = PathRequest::to(corner + at(GOAL));
            (corner, app.world_mut().spawn((Agent::default(), start, request)).id())
        })
        .collect();
    for now in 0..=200 + 64 * 12 {
        for (&((x, y), tick), &(corner, agent)) in cases.iter().zip(&plots) {
            if now == tick {
                let there = Transform::from_translation(corner + Vec3::new(x, y, 0.0));
                app.world_mut().entity_mut(agent).insert((there, AgentVelocity::default()));
            }
            if now == tick + 64 * 12 {
                let end = position(&app, agent) - corner;
                let is_there = end.distance(at(GOAL)) < 0.15;
                assert!(is_there, "pushed to ({x}, {y}) at tick {tick} it ends at {end}");
                assert_eq!(status(&app, agent), PathStatus::Arrived);
            }
        }
        app.update();
    }
}
