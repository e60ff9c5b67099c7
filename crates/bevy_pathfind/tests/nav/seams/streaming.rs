//! Worlds whose parts are loaded and unloaded while agents walk.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    world::{Grid, GridTransform, LinkEnd, PartOfGrid},
};

use super::*;

#[test]
fn a_path_into_what_is_not_loaded_leads_to_the_border_and_goes_on_when_it_comes() {
    for mode in MODES {
        let mut app = app(mode);
        let chunk = || Grid::new(64, 64).unwrap();
        spawn_at(&mut app, chunk(), (0, 0));
        spawn_at(&mut app, chunk(), (64, 0));
        let agent = spawn_agent(&mut app, (100, 30));
        // Far beyond the canvas.
        let goal = at((2000, 30));
        order(&mut app, agent, goal);
        let is_short = |app: &mut App| matches!(status(app, agent), PathStatus::EndedShort(_));
        until(&mut app, "it comes to the border", is_short);
        assert!((position(&app, agent).x - 127.5).abs() < 1.0, "{mode:?}: {}", position(&app, agent));
        for chunks in [2..4, 4..32] {
            chunks.clone().for_each(|x| _ = spawn_at(&mut app, chunk(), (64 * x, 0)));
            app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 60.0;
            if chunks.end < 32 {
                until(&mut app, "it goes on", |app| {
                    (position(app, agent).x - 255.5).abs() < 1.0 && is_short(app)
                });
            }
        }
        arrives(&mut app, agent, goal);
    }
}

/// Outside of a single grid a goal is an error, until the grid is one of several that are joined and hold it.
#[test]
fn a_goal_outside_of_a_single_grid_is_reached_when_a_grid_that_holds_it_is_joined() {
    for mode in MODES {
        let mut app = app(mode);
        spawn_at(&mut app, grid(ROOM), (0, 0));
        let agent = send(&mut app, (1, 0), (18, 5));
        let error = PathError::GoalOutside(IVec2::new(18, 5));
        until(&mut app, "it fails", |app| status(app, agent) == PathStatus::Failed(error));
        ticks(&mut app, 64);
        assert_eq!(logged_events(&app), [LoggedEvent::Failed(agent, error)], "{mode:?}: it is said once");
        spawn_at(&mut app, grid(ROOM), (10, 2));
        arrives(&mut app, agent, at((18, 5)));
    }
}

/// A world that streams round a walker: its canvas is replaced several times, and the path survives it.
#[test]
fn chunks_come_and_go_while_agents_walk() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default());
    let mut chunks: Vec<(i32, Entity)> = Vec::new();
    // A tree on every seam keeps the way from being one straight line.
    let chunk = |x: i32| {
        Grid::from_fn(64, 64, |cell| {
            if cell.x == 0 && cell.y % 3 != x.rem_euclid(3) { Terrain::TREES } else { Terrain::GROUND }
        })
        .unwrap()
    };
    let agent = spawn_with(&mut app, (30, 30), Agent { acceleration: 1e4, ..Agent::new(90.0) });
    let mut canvases = Vec::new();
    for step in 0..2600 {
        let x = position(&app, agent).x as i32 / 64;
        for near in x - 3..=x + 3 {
            if !chunks.iter().any(|&(known, _)| known == near) {
                let new = spawn_at(&mut app, chunk(near), (64 * near, 0));
                chunks.push((near, new));
            }
        }
        chunks.retain(|&(at, entity)| (at - x).abs() <= 3 || !app.world_mut().despawn(entity));
        if step == 0 {
            order(&mut app, agent, at((4000, 30)));
        }
        app.update();
        for whole in joined(&mut app) {
            let nav = nav_grid(&app, whole);
            let corner = app.world().get::<GridTransform>(whole).unwrap().to_world(Vec2::ZERO, 0.0);
            let canvas = (whole, nav.grid().size(), corner.x as i32);
            if canvases.last() != Some(&canvas) {
                canvases.push(canvas);
            }
        }
        if position(&app, agent).x > 3000.0 {
            break;
        }
    }
    assert!(position(&app, agent).x > 3000.0, "it stands at {}", position(&app, agent));
    assert!(canvases.len() > 3, "the canvas moved: {canvases:?}");
    assert!(canvases.iter().all(|(whole, ..)| *whole == canvases[0].0), "it is one grid all along");
    let widest = canvases.iter().map(|(_, size, _)| size.x).max().unwrap();
    assert!(widest <= 64 * 20, "it does not grow with the way: {widest}");
}

/// The path goes on when the canvas is replaced: nobody plans anew.
#[test]
fn a_new_canvas_leaves_paths_as_they_are() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let agent = send(&mut app, (1, 1), (18, 3));
    ticks(&mut app, 3);
    let before = path(&app, agent).waypoints().to_vec();
    for x in 1..40 {
        spawn_at(&mut app, grid(ROOM), (-10 * x, 0));
        ticks(&mut app, 1);
    }
    assert_eq!(path(&app, agent).waypoints(), before, "in the world nothing has moved");
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 0);
    arrives(&mut app, agent, at((18, 3)));
    assert!(rooms.iter().all(|&room| app.world().get::<PartOfGrid>(room).is_some()));
}

#[test]
fn an_agent_whose_chunk_is_unloaded_goes_on_when_it_comes_back() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    let agent = send(&mut app, (8, 1), (18, 1));
    until(&mut app, "it is on the east grid", |app| position(app, agent).x > 13.0);
    app.world_mut().despawn(east);
    ticks(&mut app, 200);
    assert!(position(&app, agent).is_finite());
    assert!(matches!(status(&app, agent), PathStatus::EndedShort(_)), "{:?}", status(&app, agent));
    assert!(position(&app, agent).x < 10.0, "it has gone back to firm ground: {}", position(&app, agent));
    spawn_at(&mut app, grid(ROOM), (10, 0));
    arrives(&mut app, agent, at((18, 1)));
}

#[test]
fn parts_that_are_disabled_wait_for_their_return() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let agent = spawn_with(&mut app, (1, 1), (OnGrid(rooms[0]), PathRequest::to(at((18, 1)))));
    until(&mut app, "it is under way", |app| position(app, agent).x > 3.0);
    for room in rooms {
        app.world_mut().entity_mut(room).insert(bevy::ecs::entity_disabling::Disabled);
    }
    ticks(&mut app, 100);
    assert_eq!(status(&app, agent), PathStatus::Waiting);
    for room in rooms {
        app.world_mut().entity_mut(room).remove::<bevy::ecs::entity_disabling::Disabled>();
    }
    arrives(&mut app, agent, at((18, 1)));
    // One variant of a chunk is replaced by another in one tick.
    let wall = ROOM.replace('.', "#");
    app.world_mut().entity_mut(rooms[1]).insert(bevy::ecs::entity_disabling::Disabled);
    spawn_at(&mut app, grid(&wall), (10, 0));
    ticks(&mut app, 2);
    order(&mut app, agent, at((1, 1)));
    ticks(&mut app, 2);
    assert!(!is_free(&mut app, at((15, 1))), "the other variant counts");
}

#[test]
fn a_crossing_ends_where_it_should_although_the_canvas_moves() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let ends = (LinkEnd::new(rooms[0], GridCell::new(2, 1)), LinkEnd::new(rooms[1], GridCell::new(8, 1)));
    let lift = NavLink::new(ends.0, ends.1).with_cost(0.5).with_crossing(LinkMotion::Jump { height: 2.0 });
    app.world_mut().spawn(lift);
    let agent = send(&mut app, (1, 1), (19, 1));
    until(&mut app, "it is in the air", |app| status(app, agent) == PathStatus::Crossing);
    ticks(&mut app, 10);
    for x in 1..20 {
        spawn_at(&mut app, grid(ROOM), (-10 * x, 0));
        app.update();
        let x = position(&app, agent).x;
        assert!((2.0..20.0).contains(&x), "it flies on: {x}");
    }
    arrives(&mut app, agent, at((19, 1)));
}

#[test]
fn a_range_that_is_not_loaded_is_not_reached() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, Grid::new(62, 20).unwrap(), (0, 0));
    spawn_at(&mut app, Grid::new(62, 20).unwrap(), (0, 20));
    let request = PathRequest::to(NavGoal::within(at((2000, 10)), 3.0));
    let agent = spawn_with(&mut app, (55, 10), request);
    ends_short(&mut app, agent);
    spawn_at(&mut app, Grid::new(2000, 20).unwrap(), (62, 0));
    app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 60.0;
    all_arrive(&mut app, &[agent]);
    assert!((position(&app, agent).x - 2000.5).abs() < 4.0, "{}", position(&app, agent));
}

#[test]
fn changes_before_the_cells_moved_are_not_known() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    ticks(&mut app, 1);
    let whole = joined(&mut app)[0];
    let seen = nav_grid(&app, whole).revision();
    edit(&mut app, east, (3, 3), Terrain::WALL);
    ticks(&mut app, 1);
    assert_eq!(nav_grid(&app, whole).changes_since(seen).map(Iterator::count), Some(1));
    for x in 1..20 {
        spawn_at(&mut app, grid(ROOM), (-10 * x, 0));
    }
    ticks(&mut app, 1);
    assert!(nav_grid(&app, whole).changes_since(seen).is_none());
}
