//! Fences: walls without width, on the edges between cells.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    world::{Direction, GridTransform, JoinedGrid},
};

use crate::support::*;

/// Puts a fence on the eastern side of column 9 of a grid, from row 0 to row `last`.
fn fence(app: &mut App, nav: Entity, last: i32, is_fenced: bool) {
    let mut grid = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
    grid.edit(|edit| {
        (0..=last).try_for_each(|y| edit.set_fence((9, y).into(), Direction::E, is_fenced).map(|_| ()))
    })
    .unwrap();
}

/// Ticks until an agent arrives; it must not step over the fence at x = 10 above row `last`, not with its rim either.
fn arrives_beyond(app: &mut App, agent: Entity, last: i32) {
    until(app, "it arrives", |app| {
        let at = position(app, agent);
        let is_beside = at.y < last as f32 + 0.5;
        assert!(!is_beside || (at.x - 10.0).abs() > 0.38, "the body stays off the fence: {at}");
        status(app, agent) == PathStatus::Arrived
    });
}

#[test]
fn a_path_leads_round_a_fence_and_the_body_stays_off_it() {
    let (mut app, nav) = app_on(open(20, 12));
    fence(&mut app, nav, 8, true);
    let agent = send(&mut app, (5, 2), (15, 2));
    ticks(&mut app, 2);
    arrives_beyond(&mut app, agent, 8);
}

#[test]
fn a_fence_on_the_way_makes_agents_replan_and_a_gate_lets_them_through() {
    let (mut app, nav) = app_on(open(20, 12));
    let agent = send(&mut app, (2, 2), (17, 2));
    ticks(&mut app, 40);
    fence(&mut app, nav, 11, true);
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1);
    until(&mut app, "it stops short", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    assert!(position(&app, agent).x < 9.7, "before the fence");
    let mut grid = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
    assert_eq!(grid.set_fence((9, 8), Direction::E, false), Ok(true));
    assert_eq!(grid.set_fence((10, 8), Direction::W, false), Ok(false), "the same edge");
    assert!(grid.set_fence((3, 3), Direction::SE, true).is_err(), "a corner is no edge");
    assert!(grid.set_fence((0, 3), Direction::W, true).is_err(), "nor is the border");
    until(&mut app, "it goes on", |app| status(app, agent) == PathStatus::Arrived);
}

#[test]
fn nobody_is_pushed_over_a_fence() {
    let (mut app, nav) = app_on(open(20, 6));
    fence(&mut app, nav, 5, true);
    for index in 0..40 {
        let cell = (1 + index % 8, index / 8);
        let agent = spawn_with(&mut app, cell, (Avoider::default(), PathRequest::to(at((9, 2)))));
        app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x += 0.3;
    }
    for _ in 0..64 * 10 {
        app.update();
        let mut agents = app.world_mut().query_filtered::<&Transform, With<Agent>>();
        assert!(agents.iter(app.world()).all(|at| at.translation.x < 10.0), "all stay on their side");
    }
}

#[test]
fn fences_belong_to_joined_grids_and_to_new_maps() {
    let mut app = app(SolveMode::Inline);
    let part = app.world_mut().spawn((NavGrid::new(open(20, 12)), Transform::from_xyz(0.0, 12.0, 0.0))).id();
    app.world_mut().spawn((NavGrid::new(open(20, 12)), Transform::default()));
    fence(&mut app, part, 8, true);
    ticks(&mut app, 2);
    let fences = |app: &mut App| {
        let mut joined = app.world_mut().query_filtered::<(&NavGrid, &GridTransform), With<JoinedGrid>>();
        let (grid, place) = joined.single(app.world()).expect("they touch");
        let cell = place.cell_at(Vec3::new(9.5, 12.5, 0.0));
        (grid.fences().count(), grid.has_fence(cell, Direction::E))
    };
    assert_eq!(fences(&mut app), (9, true));
    fence(&mut app, part, 1, false);
    ticks(&mut app, 2);
    assert_eq!(fences(&mut app), (7, false), "an edit of the part is one of the whole");
    let mut map = open(20, 12);
    map.set_fence((3, 3).into(), Direction::S, true).unwrap();
    app.world_mut().get_mut::<NavGrid>(part).unwrap().set_map(&map);
    ticks(&mut app, 2);
    assert_eq!(fences(&mut app).0, 1, "a new map has its own");
}
