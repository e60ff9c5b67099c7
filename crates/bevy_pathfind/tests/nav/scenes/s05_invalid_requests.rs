//! Scene 5: blocked goal, blocked start, start = goal, out of bounds, empty grids: typed outcomes, no panic, no
//! flood of events.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

/// Four rooms in which to ask badly: the last is all wall.
const ROOMS: &str = "
....#####
....#####
....#####
....#####";

/// The events of an agent in a hundred ticks after one request, and its status then.
fn ask(start: (i32, i32), request: PathRequest) -> (Vec<LoggedEvent>, PathStatus) {
    let (mut app, _) = app_on(grid(ROOMS.trim_start()));
    let agent = spawn_agent(&mut app, start);
    app.world_mut().entity_mut(agent).insert(request);
    ticks(&mut app, 100);
    (logged_events(&app).to_vec(), status(&app, agent))
}

fn fails(start: (i32, i32), request: PathRequest) -> PathError {
    let (events, status) = ask(start, request);
    let [LoggedEvent::Failed(_, error)] = events[..] else {
        panic!("it fails once, and hears of nothing else: {events:?}")
    };
    assert_eq!(status, PathStatus::Failed(error), "its status says the same");
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
fn a_request_for_the_own_cell_arrives() {
    let (events, status) = ask((1, 1), PathRequest::to(at((1, 1))));
    assert_eq!(status, PathStatus::Arrived);
    assert_eq!(events.len(), 2, "a path is found, and its end reached: {events:?}");
}

#[test]
fn a_goal_in_a_wall_is_approached() {
    let (events, status) = ask((1, 1), PathRequest::to(at((6, 1))));
    let partial = PathOutcome::Partial(PartialReason::GoalBlocked);
    assert!(
        matches!(events[..], [LoggedEvent::Found(_, outcome), LoggedEvent::EndedShort(..)] if outcome == partial),
        "{events:?}"
    );
    assert_eq!(status, PathStatus::EndedShort(PartialReason::GoalBlocked), "as near as one can get");
}

#[test]
fn a_grid_without_cells_is_refused_when_it_is_made() {
    assert_eq!(Grid::new(0, 5).unwrap_err(), GridError::Empty { width: 0, height: 5 });
    assert!(matches!(Grid::new(u32::MAX, 5), Err(GridError::TooLarge { .. })), "and so is one too large");
}
