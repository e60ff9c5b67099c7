//! One-way edges and surcharges: rules for plans on the edges between cells.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    world::{Direction, EdgeRule, GridTransform, JoinedGrid},
};

use crate::support::*;

/// Sets the rule of the eastern edges of column 9 of a grid, from row 0 to row `last`.
fn set_edges(app: &mut App, nav: Entity, last: i32, rule: EdgeRule) {
    let mut grid = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
    grid.edit(|edit| {
        (0..=last).try_for_each(|y| edit.set_edge((9, y).into(), Direction::E, rule).map(|_| ()))
    })
    .unwrap();
}

/// Ticks until an agent is beyond the line x = 10; it must not cross it in a row up to `last`.
fn crosses_beyond(app: &mut App, agent: Entity, last: i32) {
    let mut before = position(app, agent);
    until(app, "it comes to the other side", |app| {
        let at = position(app, agent);
        let crosses = (before.x < 10.0) != (at.x < 10.0);
        assert!(!crosses || at.y > last as f32 + 1.0, "it goes round the end of the row: {at}");
        before = at;
        at.x > 13.0
    });
}

#[test]
fn a_path_leads_round_an_edge_that_leads_the_other_way() {
    let (mut app, nav) = app_on(open(20, 12));
    set_edges(&mut app, nav, 8, EdgeRule::ONE_WAY.turned());
    let agent = send(&mut app, (5, 2), (15, 2));
    ticks(&mut app, 2);
    crosses_beyond(&mut app, agent, 8);
    until(&mut app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
    let back = send(&mut app, (15, 3), (5, 3));
    until(&mut app, "the way back is straight", |app| {
        assert!(position(app, back).y < 4.5, "it makes no detour");
        status(app, back) == PathStatus::Arrived
    });
}

#[test]
fn an_edge_that_is_turned_under_a_path_makes_agents_replan() {
    let (mut app, nav) = app_on(open(20, 12));
    set_edges(&mut app, nav, 11, EdgeRule::ONE_WAY);
    let agent = send(&mut app, (2, 2), (17, 2));
    ticks(&mut app, 40);
    set_edges(&mut app, nav, 11, EdgeRule::ONE_WAY.turned());
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1);
    until(&mut app, "it stops short", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    assert!(position(&app, agent).x < 10.0, "before the edge");
    let mut grid = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
    assert_eq!(grid.set_edge((9, 8), Direction::E, EdgeRule::ONE_WAY), Ok(true));
    assert_eq!(grid.set_edge((10, 8), Direction::W, EdgeRule::ONE_WAY.turned()), Ok(false), "the same edge");
    assert!(grid.set_edge((3, 3), Direction::SE, EdgeRule::ONE_WAY).is_err(), "a corner is no edge");
    assert!(grid.set_edge((0, 3), Direction::W, EdgeRule::Open).is_err(), "nor is the border");
    until(&mut app, "it goes on", |app| status(app, agent) == PathStatus::Arrived);
}

#[test]
fn agents_take_the_belt_that_runs_their_way() {
    // Two lanes with a wall between them.
    let mut map = open(20, 3);
    map.fill(CellRect::new((3, 1).into(), (16, 1).into()), Terrain::WALL);
    let (mut app, nav) = app_on(map);
    for against in [0, 2, 0] {
        let mut grid = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
        for (x, y) in (3..16).flat_map(|x| [(x, 0), (x, 2)]) {
            let rule = if y == against { EdgeRule::surcharge(2.0, 0.0) } else { EdgeRule::Open };
            grid.set_edge((x, y), Direction::E, rule).unwrap();
        }
        let agent = send(&mut app, (1, 1), (18, 1));
        until(&mut app, "it arrives", |app| {
            let at = position(app, agent);
            let is_in_lane = at.x > 4.0 && at.x < 16.0;
            assert!(!is_in_lane || (at.y - against as f32 - 0.5).abs() > 1.0, "not against the belt: {at}");
            status(app, agent) == PathStatus::Arrived
        });
        app.world_mut().despawn(agent);
    }
}

#[test]
fn an_agent_that_is_pushed_over_an_edge_finds_another_way() {
    let (mut app, nav) = app_on(open(20, 12));
    set_edges(&mut app, nav, 8, EdgeRule::ONE_WAY.turned());
    // It walks close beside the edges, so that a small push is enough.
    let beside = Vec3::new(10.15, 6.5, 0.0);
    let agent = spawn_with(&mut app, (10, 1), PathRequest::to(beside));
    app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x = beside.x;
    until(&mut app, "it is on its way", |app| position(app, agent).y > 2.5);
    app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x -= 0.3;
    let mut before = position(&app, agent);
    assert!(before.x < 10.0, "it is on the other side");
    until(&mut app, "it arrives", |app| {
        let at = position(app, agent);
        assert!(before.x >= 10.0 || at.x < 10.0 || at.y > 9.0, "it goes round the end of the row: {at}");
        before = at;
        status(app, agent) == PathStatus::Arrived
    });
}

#[test]
fn fields_and_chases_obey() {
    let (mut app, nav) = app_on(open(20, 12));
    set_edges(&mut app, nav, 8, EdgeRule::ONE_WAY.turned());
    let field = app.world_mut().spawn(FlowField::to(at((16, 2)))).id();
    let agent = spawn_with(&mut app, (5, 2), FollowField(field));
    crosses_beyond(&mut app, agent, 8);
    app.world_mut().despawn(agent);
    let prey = spawn_with(&mut app, (17, 2), ());
    let hunter = spawn_with(&mut app, (5, 2), Pursuer::line_of_sight(prey));
    crosses_beyond(&mut app, hunter, 8);
}

#[test]
fn edges_belong_to_joined_grids_and_to_new_maps() {
    let mut app = app(SolveMode::Inline);
    let part = app.world_mut().spawn((NavGrid::new(open(20, 12)), Transform::from_xyz(0.0, 12.0, 0.0))).id();
    app.world_mut().spawn((NavGrid::new(open(20, 12)), Transform::default()));
    set_edges(&mut app, part, 8, EdgeRule::ONE_WAY);
    ticks(&mut app, 2);
    let edges = |app: &mut App| {
        let mut joined = app.world_mut().query_filtered::<(&NavGrid, &GridTransform), With<JoinedGrid>>();
        let (grid, place) = joined.single(app.world()).expect("they touch");
        let cell = place.cell_at(Vec3::new(9.5, 12.5, 0.0));
        (grid.directed_edges().count(), grid.edge(cell, Direction::E))
    };
    assert_eq!(edges(&mut app), (9, EdgeRule::ONE_WAY));
    set_edges(&mut app, part, 1, EdgeRule::Open);
    ticks(&mut app, 2);
    assert_eq!(edges(&mut app), (7, EdgeRule::Open), "an edit of the part is one of the whole");
    let mut map = open(20, 12);
    map.set_edge((3, 3).into(), Direction::S, EdgeRule::surcharge(1.0, 2.0)).unwrap();
    app.world_mut().get_mut::<NavGrid>(part).unwrap().set_map(&map);
    ticks(&mut app, 2);
    assert_eq!(edges(&mut app).0, 1, "a new map has its own");
}
