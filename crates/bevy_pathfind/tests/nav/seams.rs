//! Grids that touch edge to edge: agents walk on them as on one grid.

use core::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, PathOutcome},
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::{Grid, GridTransform, JoinedGrid, LinkEnd},
};
use pathfind_core::{Outcome, PathQuery, SearchScratch, solve};

use crate::support::*;

mod joining;
mod streaming;

fn spawn_at(app: &mut App, map: Grid, corner: (i32, i32)) -> Entity {
    let corner = Vec3::new(corner.0 as f32, corner.1 as f32, 0.0);
    app.world_mut().spawn((NavGrid::new(map), Transform::from_translation(corner))).id()
}

fn joined(app: &mut App) -> Vec<Entity> {
    app.world_mut().query_filtered::<Entity, With<JoinedGrid>>().iter(app.world()).collect()
}

/// Whether a point is on a free cell of the joined grid.
fn is_free(app: &mut App, point: Vec3) -> bool {
    let whole = joined(app)[0];
    let place = app.world().get::<GridTransform>(whole).unwrap();
    nav_grid(app, whole).grid().is_walkable(KindId(0), place.cell_at(point))
}

/// Ticks until an agent has stopped short of its goal.
fn ends_short(app: &mut App, agent: Entity) {
    until(app, "it ends short", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
}

#[test]
fn agents_walk_from_one_grid_to_the_next() {
    for mode in MODES {
        let mut app = app(mode);
        spawn_at(&mut app, grid(ROOM), (0, 0));
        spawn_at(&mut app, grid(ROOM), (10, 2));
        let agent = send(&mut app, (1, 0), (18, 5));
        arrives(&mut app, agent, at((18, 5)));
        order(&mut app, agent, at((0, 1)));
        arrives(&mut app, agent, at((0, 1)));
        assert_eq!(joined(&mut app).len(), 1, "{mode:?}");
    }
}

/// A random map, cut into grids that are turned and mirrored at random, is walked as the whole map is.
#[test]
fn a_map_in_parts_costs_what_the_whole_costs() {
    let mut random = Random(11);
    for round in 0..40 {
        let mut app = app(SolveMode::Inline);
        app.insert_resource(SearchOptions::default());
        let (cuts_x, cuts_y) = ([0, 9, 17, 30], [0, 8, 20]);
        let whole = Grid::from_fn(30, 20, |_| {
            [Terrain::WALL, Terrain::GROUND, Terrain::GROUND, Terrain::weight(3)][random.below(4) as usize]
        });
        // In every third world hills too, with cliffs across the seams.
        let mut height = |_| if round % 3 == 0 { random.below(3) as f32 } else { 0.0 };
        let whole = whole.unwrap().with_elevation(&mut height).unwrap();
        for (x, y) in cuts_x.windows(2).flat_map(|x| cuts_y.windows(2).map(move |y| (x, y))) {
            let (size, min) = (IVec2::new(x[1] - x[0], y[1] - y[0]), IVec2::new(x[0], y[0]));
            let quarters = random.below(4);
            let is_mirrored = random.below(2) == 1;
            // Where the grid's own axes lead.
            let turn = Quat::from_rotation_z(FRAC_PI_2 * quarters as f32);
            let row = if is_mirrored { Vec3::NEG_Y } else { Vec3::Y };
            let [column, row] = [turn * Vec3::X, turn * row].map(|axis| axis.truncate().round().as_ivec2());
            let own_size = if column.x == 0 { size.yx() } else { size };
            // The corner of the part from which both axes lead into it.
            let corner = min
                + IVec2::new(
                    if column.x + row.x < 0 { size.x } else { 0 },
                    if column.y + row.y < 0 { size.y } else { 0 },
                );
            let on_whole = |cell: GridCell| {
                let middle = corner.as_vec2()
                    + column.as_vec2() * (cell.x as f32 + 0.5)
                    + row.as_vec2() * (cell.y as f32 + 0.5);
                GridCell::containing(middle)
            };
            let map = Grid::from_fn(own_size.x as u32, own_size.y as u32, |cell| {
                whole.terrain(on_whole(cell)).expect("it lies on the whole")
            });
            let map = map.and_then(|map| map.with_elevation(|cell| whole.elevation(on_whole(cell))));
            let plane = if is_mirrored { GridPlane::XyDown } else { GridPlane::Xy };
            let place = Transform::from_translation(corner.as_vec2().extend(0.0)).with_rotation(turn);
            app.world_mut().spawn((NavGrid::new(map.unwrap()).with_plane(plane), place));
        }
        let free: Vec<GridCell> =
            whole.bounds().cells().filter(|&cell| whole.is_walkable(KindId(0), cell)).collect();
        let mut any = || free[random.below(free.len() as u32) as usize];
        for _ in 0..8 {
            let (from, to) = (any(), any());
            let agent = send(&mut app, (from.x, from.y), (to.x, to.y));
            ticks(&mut app, 1);
            let query =
                PathQuery::new(from, to).with_steps(SearchOptions::default().steps()).with_partial(true);
            let best = solve(&whole, &query, &mut SearchScratch::default()).unwrap();
            let (path, least) = (path(&app, agent), best.cost);
            let (what, cost) = (format!("round {round}, {from} to {to}"), f64::from(path.cost()));
            assert!((cost - least).abs() < 1e-3 * (1.0 + least), "{what}: {cost} {least}");
            assert_eq!(path.outcome() == PathOutcome::Complete, best.outcome == Outcome::Complete, "{what}");
            app.world_mut().despawn(agent);
        }
    }
}

/// Far across a world of chunks `Auto` searches hierarchically; near by, and where the settings say so, for least
/// costs.
#[test]
fn far_goals_are_searched_on_two_levels() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default());
    for chunk in 0..20 {
        spawn_at(&mut app, Grid::new(256, 64).unwrap(), (256 * chunk, 0));
    }
    let agent = spawn_agent(&mut app, (3, 30));
    let algorithm = |app: &mut App, x: i32| {
        order(app, agent, at((x, 20)));
        ticks(app, 1);
        stats(app).last.as_ref().expect("it has searched").algorithm
    };
    assert_eq!(algorithm(&mut app, 5000), Algorithm::Hierarchical);
    let path = path(&app, agent);
    assert_eq!(path.outcome(), PathOutcome::Complete);
    assert!(path.cost() < 5010.0, "{}", path.cost());
    assert_eq!(algorithm(&mut app, 3000), Algorithm::Jps);
    app.world_mut().resource_mut::<SolveSettings>().exact_within = 16_384;
    assert_eq!(algorithm(&mut app, 5001), Algorithm::Jps, "on request");
}

#[test]
fn edits_of_a_part_replan_the_paths_that_they_touch() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    let touched = send(&mut app, (1, 1), (18, 1));
    let agents = [touched, send(&mut app, (1, 3), (8, 3))];
    ticks(&mut app, 2);
    edit(&mut app, east, (5, 1), Terrain::WALL);
    ticks(&mut app, 2);
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Invalidated(agent))), [1, 0]);
    arrives(&mut app, touched, at((18, 1)));
    // A wall right across: the goal is out of reach until it falls.
    wall(&mut app, east, (5, 0), (5, 3));
    order(&mut app, touched, at((1, 1)));
    ends_short(&mut app, touched);
    edit(&mut app, east, (5, 0), Terrain::GROUND);
    arrives(&mut app, touched, at((1, 1)));
}

/// The joined grid answers for agents, so that its parts need no memory for that.
#[test]
fn parts_are_compact() {
    let mut app = app(SolveMode::Inline);
    let parts = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let are_compact = |app: &App| parts.map(|part| nav_grid(app, part).grid().is_compact());
    assert_eq!(are_compact(&app), [false; 2], "they are not joined yet");
    let agent = send(&mut app, (1, 1), (18, 3));
    ticks(&mut app, 1);
    edit(&mut app, parts[1], (5, 1), Terrain::WALL);
    arrives(&mut app, agent, at((18, 3)));
    assert_eq!(are_compact(&app), [true; 2], "a walk and an edit expand none");
    let is_walkable = |cell: GridCell| nav_grid(&app, parts[1]).grid().is_walkable(KindId(0), cell);
    assert_eq!(
        [GridCell::new(5, 1), GridCell::new(6, 1)].map(is_walkable),
        [false, true],
        "who asks is answered"
    );
    // Alone again, it is walked on as any other grid.
    app.world_mut().despawn(parts[0]);
    ticks(&mut app, 2);
    order(&mut app, agent, at((10, 0)));
    arrives(&mut app, agent, at((10, 0)));
}

#[test]
fn links_obstacles_and_ties_name_the_parts() {
    let mut app = app(SolveMode::Inline);
    let west = spawn_at(&mut app, grid(ROOM), (0, 0));
    let turned = Transform::from_xyz(14.0, 0.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    let east = app.world_mut().spawn((NavGrid::new(grid(ROOM)), turned)).id();
    let upper = app.world_mut().spawn((NavGrid::new(grid(ROOM)), Transform::from_xyz(0.0, 0.0, 3.0))).id();
    // On the turned grid, cell (8, 1) lies at (12.5, 8.5).
    let stairs =
        NavLink::new(LinkEnd::new(east, GridCell::new(8, 1)), LinkEnd::new(upper, GridCell::new(0, 0)));
    let stairs = app.world_mut().spawn(stairs).id();
    app.world_mut()
        .spawn((Obstacle::cuboid(Vec3::new(1.0, 1.0, 0.5)).carved(), Transform::from_xyz(10.0, 2.0, 0.0)));
    let agent = spawn_with(&mut app, (1, 1), OnGrid(west));
    order(&mut app, agent, at((5, 3)) + Vec3::Z * 3.0);
    ticks(&mut app, 2);
    assert_eq!(path(&app, agent).link(), Some(stairs));
    let end = path_end(&app, agent);
    assert!(end.distance(Vec3::new(12.5, 8.5, 0.0)) < 1e-3, "{end}");
    for covered in [(9, 1), (10, 1), (9, 2), (10, 2)] {
        assert!(!is_free(&mut app, at(covered)), "{covered:?} is covered");
    }
    arrives(&mut app, agent, at((5, 3)) + Vec3::Z * 3.0);
    assert_eq!(app.world().get::<OnGrid>(agent), Some(&OnGrid(upper)));
    order(&mut app, agent, at((1, 1)));
    arrives(&mut app, agent, at((1, 1)));
    let tie = app.world().get::<OnGrid>(agent).unwrap().0;
    assert_eq!(tie, east, "it came down on that part");
    // When that part goes, the agent stays on what it was part of.
    app.world_mut().despawn(east);
    order(&mut app, agent, at((8, 2)));
    arrives(&mut app, agent, at((8, 2)));
}

#[test]
fn crowds_cross_a_seam_as_if_there_were_none() {
    let walk = |corners: &[(i32, i32)], width: usize| -> usize {
        let mut app = app(SolveMode::Inline);
        let map = format!("{}\n", ".".repeat(width)).repeat(8);
        for &corner in corners {
            spawn_at(&mut app, grid(&map), corner);
        }
        let agents: Vec<_> = (0..24)
            .map(|i| {
                let (from, to) = ((1 + i % 3, i / 3), (22 - i % 3, i / 3));
                let (from, to) = if i % 2 == 0 { (from, to) } else { (to, from) };
                spawn_with(&mut app, from, (Avoider::default(), PathRequest::to(at(to))))
            })
            .collect();
        ticks(&mut app, 64 * 40);
        agents.iter().filter(|&&agent| status(&app, agent) == PathStatus::Arrived).count()
    };
    assert_eq!(walk(&[(0, 0)], 24), 24);
    assert_eq!(walk(&[(0, 0), (12, 0)], 12), 24);
}

#[test]
fn other_costs_on_all_parts_are_an_edit() {
    let mut app = app(SolveMode::Inline);
    for corner in [(0, 0), (10, 0), (20, 0)] {
        spawn_at(&mut app, grid(ROOM), corner);
    }
    let agent = send(&mut app, (1, 1), (28, 1));
    until(&mut app, "it is under way", |app| position(app, agent).x > 3.0);
    let whole = joined(&mut app);
    let kind = AgentKind::default().with_cost(Terrain::WATER, 2.0).unwrap();
    let mut kinds = app.world_mut().resource_mut::<AgentKinds>();
    kinds.set(KindId(0), kind.clone()).unwrap();
    kinds.add(kind).unwrap();
    ticks(&mut app, 2);
    assert_eq!(joined(&mut app), whole, "it is the same grid");
    assert_eq!(nav_grid(&app, whole[0]).grid().kind_count(), 2);
    arrives(&mut app, agent, at((28, 1)));
    assert!(!logged_events(&app).iter().any(|event| matches!(event, LoggedEvent::Failed(..))));
}
