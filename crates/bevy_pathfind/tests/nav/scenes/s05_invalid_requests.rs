//! Scene 5: blocked goal, blocked start, start = goal, out of bounds, empty grids: typed outcomes, no panic, no
//! flood of events. What is asked and goes well, or as far as it can, is in `failures.rs`.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::support::*;

/// A room, and beside it walls only.
const ROOMS: &str = "....#####\n....#####\n....#####\n....#####";

/// The only event of an agent in a hundred ticks after one request.
fn fails(start: (i32, i32), request: PathRequest) -> PathError {
    let (mut app, _) = app_on(grid(ROOMS));
    let agent = spawn_with(&mut app, start, request);
    ticks(&mut app, 100);
    let [LoggedEvent::Failed(_, error)] = logged_events(&app)[..] else {
        panic!("it fails once, and hears of nothing else: {:?}", logged_events(&app))
    };
    assert_eq!(status(&app, agent), PathStatus::Failed(error), "its status says the same");
    error
}

#[test]
fn invalid_requests_fail_once_with_typed_errors() {
    let exact = SearchOptions { allow_partial: false, ..default() };
    let solid = PathRequest::to(at((6, 1))).with_options(exact);
    assert_eq!(fails((1, 1), solid), PathError::GoalBlocked(IVec2::new(6, 1)));
    assert_eq!(fails((1, 1), PathRequest::to(at((99, 1)))), PathError::GoalOutside(IVec2::new(99, 1)));
    assert_eq!(fails((1, 1), PathRequest::to(Vec3::splat(f32::NAN))), PathError::NotFinite);
    assert_eq!(fails((-5, 1), PathRequest::to(at((1, 1)))), PathError::StartOutside(IVec2::new(-5, 1)));
    let never = PathRequest::to(NavGoal::within(at((2, 2)), -1.0));
    assert_eq!(fails((1, 1), never), PathError::NotFinite, "a radius below zero is no radius");
}

#[test]
fn a_grid_without_cells_is_refused_when_it_is_made() {
    assert_eq!(Grid::new(0, 5).unwrap_err(), GridError::Empty { width: 0, height: 5 });
    assert!(matches!(Grid::new(u32::MAX, 5), Err(GridError::TooLarge { .. })), "and so is one too large");
}
