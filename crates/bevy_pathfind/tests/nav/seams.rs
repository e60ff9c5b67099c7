//! Grids that touch edge to edge, and worlds whose parts come and go.

use core::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use pathfind_core::{Outcome, PathQuery, SearchScratch, solve};

use crate::support::*;

const MODES: [SolveMode; 3] = [SolveMode::Inline, SolveMode::Sliced, SolveMode::Background];
const ROOM: &str = "..........\n..........\n..........\n..........";

fn spawn_at(app: &mut App, map: Grid, corner: (i32, i32)) -> Entity {
    let corner = Vec3::new(corner.0 as f32, corner.1 as f32, 0.0);
    app.world_mut().spawn((NavGrid::new(map), Transform::from_translation(corner))).id()
}

fn arrives(app: &mut App, agent: Entity, goal: Vec3) {
    app.update(); // it sees its order
    until(app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
    let place = position(app, agent);
    assert!(place.distance(goal) < 0.6, "it stands at {place}, not at {goal}");
}

fn joined(app: &mut App) -> Vec<Entity> {
    app.world_mut().query_filtered::<Entity, With<JoinedGrid>>().iter(app.world()).collect()
}

fn replans(app: &App) -> usize {
    logged_events(app).iter().filter(|event| matches!(event, LoggedEvent::Replanned(_))).count()
}

#[test]
fn agents_walk_from_one_grid_to_the_next() {
    for mode in MODES {
        let mut app = app(mode);
        spawn_at(&mut app, grid(ROOM), (0, 0));
        spawn_at(&mut app, grid(ROOM), (10, 2));
        let agent = spawn_agent(&mut app, (1, 0));
        order(&mut app, agent, at((18, 5)));
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
        app.insert_resource(DefaultSearch(SearchOptions::default()));
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
            let on_whole = |cell: Cell| {
                let middle = corner.as_vec2()
                    + column.as_vec2() * (cell.x as f32 + 0.5)
                    + row.as_vec2() * (cell.y as f32 + 0.5);
                Cell::containing(middle)
            };
            let map = Grid::from_fn(own_size.x as u32, own_size.y as u32, |cell| {
                whole.terrain(on_whole(cell)).expect("it lies on the whole")
            });
            let map = map.and_then(|map| map.with_elevation(|cell| whole.elevation(on_whole(cell))));
            let plane = if is_mirrored { Plane::XyDown } else { Plane::Xy };
            let place = Transform::from_translation(corner.as_vec2().extend(0.0)).with_rotation(turn);
            app.world_mut().spawn((NavGrid::new(map.unwrap()).with_plane(plane), place));
        }
        let free: Vec<Cell> =
            whole.bounds().cells().filter(|&cell| whole.is_walkable(KindId(0), cell)).collect();
        let mut any = || free[random.below(free.len() as u32) as usize];
        for _ in 0..8 {
            let (from, to) = (any(), any());
            let agent = spawn_agent(&mut app, (from.x, from.y));
            order(&mut app, agent, at((to.x, to.y)));
            ticks(&mut app, 1);
            let query =
                PathQuery::new(from, to).with_steps(SearchOptions::default().steps()).with_partial(true);
            let best = solve(&whole, &query, &mut SearchScratch::default()).unwrap();
            let path = app.world().get::<NavPath>(agent).expect("it has a path");
            let what = format!("round {round}, {from} to {to}");
            assert!(
                (f64::from(path.cost()) - best.cost).abs() < 1e-3 * (1.0 + best.cost),
                "{what}: {} {}",
                path.cost(),
                best.cost
            );
            assert_eq!(path.outcome() == PathOutcome::Complete, best.outcome == Outcome::Complete, "{what}");
            app.world_mut().despawn(agent);
        }
    }
}

/// Far across a world of chunks `Auto` searches hierarchically; near by, and where the settings say so, for least costs.
#[test]
fn far_goals_are_searched_on_two_levels() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(DefaultSearch(SearchOptions::default()));
    for chunk in 0..20 {
        spawn_at(&mut app, Grid::new(256, 64).unwrap(), (256 * chunk, 0));
    }
    let agent = spawn_agent(&mut app, (3, 30));
    let algorithm = |app: &mut App, x: i32| {
        order(app, agent, at((x, 20)));
        ticks(app, 1);
        app.world().resource::<SolveStats>().last.as_ref().expect("it has searched").algorithm
    };
    assert_eq!(algorithm(&mut app, 5000), Algorithm::Hierarchical);
    let path = app.world().get::<NavPath>(agent).expect("it has a path");
    assert_eq!(path.outcome(), PathOutcome::Complete);
    assert!(path.cost() < 5010.0, "{}", path.cost());
    assert_eq!(algorithm(&mut app, 3000), Algorithm::Jps);
    app.world_mut().resource_mut::<SolveSettings>().exact_within = 16_384;
    assert_eq!(algorithm(&mut app, 5001), Algorithm::Jps, "on request");
}

#[test]
fn edits_of_a_part_replan_who_is_touched() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    let (touched, other) = (spawn_agent(&mut app, (1, 1)), spawn_agent(&mut app, (1, 3)));
    order(&mut app, touched, at((18, 1)));
    order(&mut app, other, at((8, 3)));
    ticks(&mut app, 2);
    edit(&mut app, east, (5, 1), Terrain::WALL);
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Replanned(touched)), 1);
    assert_eq!(count(&app, &LoggedEvent::Replanned(other)), 0);
    arrives(&mut app, touched, at((18, 1)));
    // A wall right across: the goal is out of reach until it falls.
    app.world_mut()
        .get_mut::<NavGrid>(east)
        .unwrap()
        .fill(CellRect::new(Cell::new(5, 0), Cell::new(5, 3)), Terrain::WALL);
    order(&mut app, touched, at((1, 1)));
    until(&mut app, "it stops at the wall", |app| matches!(status(app, touched), PathStatus::EndedShort(_)));
    edit(&mut app, east, (5, 0), Terrain::GROUND);
    arrives(&mut app, touched, at((1, 1)));
}

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

/// A world that streams round a walker: its canvas is replaced several times, and the path survives it.
#[test]
fn chunks_come_and_go_while_agents_walk() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(DefaultSearch(SearchOptions::default()));
    let mut chunks: Vec<(i32, Entity)> = Vec::new();
    // A tree on every seam keeps the way from being one straight line.
    let chunk = |x: i32| {
        Grid::from_fn(64, 64, |cell| {
            if cell.x == 0 && cell.y % 3 != x.rem_euclid(3) { Terrain::TREES } else { Terrain::GROUND }
        })
        .unwrap()
    };
    let agent = app
        .world_mut()
        .spawn((
            Agent { acceleration: 1e4, ..Agent::with_speed(90.0) },
            Transform::from_translation(at((30, 30))),
        ))
        .id();
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
        for sheet in joined(&mut app) {
            let nav = app.world().get::<NavGrid>(sheet).unwrap();
            let corner = app.world().get::<GridTransform>(sheet).unwrap().to_world(Vec2::ZERO, 0.0);
            let canvas = (sheet, nav.grid().size(), corner.x as i32);
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
    assert!(canvases.iter().all(|(sheet, ..)| *sheet == canvases[0].0), "it is one grid all along");
    let widest = canvases.iter().map(|(_, size, _)| size.x).max().unwrap();
    assert!(widest <= 64 * 20, "it does not grow with the way: {widest}");
}

/// The path goes on when the canvas is replaced: nobody plans anew.
#[test]
fn a_new_canvas_leaves_paths_as_they_are() {
    let mut app = app(SolveMode::Inline);
    let rooms: Vec<_> = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner)).into();
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((18, 3)));
    ticks(&mut app, 3);
    let before = app.world().get::<NavPath>(agent).unwrap().clone();
    for x in 1..40 {
        spawn_at(&mut app, grid(ROOM), (-10 * x, 0));
        ticks(&mut app, 1);
    }
    let after = app.world().get::<NavPath>(agent).unwrap().clone();
    assert_eq!(before.waypoints(), after.waypoints(), "in the world nothing has moved");
    assert_eq!(replans(&app), 0);
    arrives(&mut app, agent, at((18, 3)));
    assert!(rooms.iter().all(|&room| app.world().get::<PartOfGrid>(room).is_some()));
}

#[test]
fn an_agent_whose_chunk_is_unloaded_goes_on_when_it_comes_back() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    let agent = spawn_agent(&mut app, (8, 1));
    order(&mut app, agent, at((18, 1)));
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
fn the_last_part_takes_the_joined_grid_with_it() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0), (20, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    ticks(&mut app, 1);
    let sheet = joined(&mut app)[0];
    for room in rooms {
        assert_eq!(app.world().get::<PartOfGrid>(room).map(|part| part.joined()), Some(sheet));
        app.world_mut().despawn(room);
        ticks(&mut app, 1);
    }
    assert!(joined(&mut app).is_empty());
    // One that is despawned by mistake is made again.
    spawn_at(&mut app, grid(ROOM), (0, 0));
    spawn_at(&mut app, grid(ROOM), (10, 0));
    ticks(&mut app, 1);
    let sheet = joined(&mut app)[0];
    app.world_mut().despawn(sheet);
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((18, 1)));
    arrives(&mut app, agent, at((18, 1)));
}

#[test]
fn two_worlds_become_one_when_a_bridge_joins_them() {
    let mut app = app(SolveMode::Inline);
    for corner in [(0, 0), (10, 0), (30, 0), (40, 0)] {
        spawn_at(&mut app, grid(ROOM), corner);
    }
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((48, 1)));
    until(&mut app, "it stops at the gap", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    assert_eq!(joined(&mut app).len(), 2);
    let bridge = spawn_at(&mut app, grid(".........."), (20, 1));
    arrives(&mut app, agent, at((48, 1)));
    assert_eq!(joined(&mut app).len(), 1);
    order(&mut app, agent, at((1, 1)));
    until(&mut app, "it is on the bridge", |app| position(app, agent).x < 25.0);
    app.world_mut().despawn(bridge);
    // It goes on to the bank that is nearer.
    arrives(&mut app, agent, at((1, 1)));
}

#[test]
fn grids_that_touch_askew_are_named_once() {
    let log = warnings();
    let mut app = app(SolveMode::Inline);
    let spawn = |app: &mut App, name: &'static str, nav: NavGrid, place: Transform| {
        app.world_mut().spawn((Name::new(name), nav, place)).id()
    };
    let room = || NavGrid::new(grid(ROOM));
    spawn(&mut app, "askew-base", room(), Transform::default());
    let ramp = Transform::from_xyz(10.0, 0.0, 0.0).with_rotation(Quat::from_rotation_y(-0.4));
    spawn(&mut app, "askew-ramp", room(), ramp);
    let turned = Transform::from_xyz(0.0, 4.1, 0.0).with_rotation(Quat::from_rotation_z(0.2));
    let moving = spawn(&mut app, "askew-turned", room(), turned);
    spawn(&mut app, "askew-fine", room().with_cell_size(0.5), Transform::from_xyz(5.0, -2.0, 0.0));
    spawn(&mut app, "askew-shifted", room(), Transform::from_xyz(-10.0, -1.5, 0.0));
    spawn(&mut app, "askew-above", room(), Transform::from_xyz(10.0, 0.0, 6.0));
    for step in 0..20 {
        app.world_mut().get_mut::<Transform>(moving).unwrap().translation.y += 0.001 * step as f32;
        app.update();
    }
    let log = log.lock().unwrap().clone();
    let of = |name: &str| log.iter().filter(|line| line.starts_with(name)).cloned().collect::<Vec<_>>();
    for (name, why) in [
        ("askew-ramp", "at an angle"),
        ("askew-turned", "at an angle"),
        ("askew-fine", "different sizes"),
        ("askew-shifted", "do not meet"),
    ] {
        let lines = of(name);
        assert!(lines.len() == 1 && lines[0].contains(why), "{name}: {lines:?}");
    }
    assert!(of("askew-above").is_empty() && of("askew-base").is_empty());
    assert!(joined(&mut app).is_empty());
}

#[test]
fn a_link_between_grids_that_do_not_fit_is_no_fault() {
    let log = warnings();
    let mut app = app(SolveMode::Inline);
    let base = spawn_at(&mut app, grid(ROOM), (0, 0));
    let ramp = Transform::from_xyz(10.0, 0.0, 0.0).with_rotation(Quat::from_rotation_y(-0.4));
    let ramp = app.world_mut().spawn((Name::new("ramp-with-link"), NavGrid::new(grid(ROOM)), ramp)).id();
    let strip = |grid, x| LinkEnd::strip(grid, CellRect::new(Cell::new(x, 0), Cell::new(x, 3)));
    app.world_mut().spawn(NavLink::new(strip(base, 9), strip(ramp, 0)));
    ticks(&mut app, 3);
    assert!(!log.lock().unwrap().iter().any(|line| line.starts_with("ramp-with-link")));
}

#[test]
fn grids_with_other_kinds_and_standalone_ones_stay_apart() {
    let mut app = app(SolveMode::Inline);
    let mut swimmers = NavGrid::new(grid(ROOM));
    swimmers.add_kind(AgentKind::default()).unwrap();
    let west = spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = app.world_mut().spawn((swimmers, Transform::from_xyz(10.0, 0.0, 0.0))).id();
    ticks(&mut app, 2);
    assert!(joined(&mut app).is_empty(), "they have other kinds");
    app.world_mut().get_mut::<NavGrid>(west).unwrap().add_kind(AgentKind::default()).unwrap();
    ticks(&mut app, 2);
    assert_eq!(joined(&mut app).len(), 1, "now they have the same");
    app.world_mut().entity_mut(east).insert(Standalone);
    ticks(&mut app, 2);
    assert!(app.world().get::<PartOfGrid>(east).is_none());
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((18, 1)));
    until(&mut app, "it stops at the border", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    app.world_mut().entity_mut(east).remove::<Standalone>();
    arrives(&mut app, agent, at((18, 1)));
}

#[test]
fn links_obstacles_and_ties_name_the_parts() {
    let mut app = app(SolveMode::Inline);
    let west = spawn_at(&mut app, grid(ROOM), (0, 0));
    let turned = Transform::from_xyz(14.0, 0.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    let east = app.world_mut().spawn((NavGrid::new(grid(ROOM)), turned)).id();
    let upper = spawn_at(&mut app, grid(ROOM), (0, 0));
    app.world_mut().get_mut::<Transform>(upper).unwrap().translation.z = 3.0;
    // On the turned grid, cell (8, 1) lies at (12.5, 8.5).
    let stairs = NavLink::new(LinkEnd::new(east, Cell::new(8, 1)), LinkEnd::new(upper, Cell::new(0, 0)));
    let stairs = app.world_mut().spawn(stairs).id();
    app.world_mut()
        .spawn((GridObstacle::cuboid(Vec3::new(1.0, 1.0, 0.5)), Transform::from_xyz(10.0, 2.0, 0.0)));
    let agent = spawn_agent(&mut app, (1, 1));
    app.world_mut().entity_mut(agent).insert(OnGrid(west));
    order(&mut app, agent, at((5, 3)) + Vec3::Z * 3.0);
    ticks(&mut app, 2);
    let path = app.world().get::<NavPath>(agent).expect("it has a path");
    assert_eq!(path.link(), Some(stairs));
    assert!(
        path.waypoints().last().unwrap().distance(Vec3::new(12.5, 8.5, 0.0)) < 1e-3,
        "{:?}",
        path.waypoints()
    );
    let sheet = joined(&mut app)[0];
    let (nav, place) =
        (app.world().get::<NavGrid>(sheet).unwrap(), app.world().get::<GridTransform>(sheet).unwrap());
    for covered in [(9, 1), (10, 1), (9, 2), (10, 2)] {
        assert!(!nav.grid().is_walkable(KindId(0), place.cell_at(at(covered))), "{covered:?} is covered");
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
fn a_ship_of_two_grids_carries_its_crew_and_moors() {
    let mut app = app(SolveMode::Inline);
    let hull = app.world_mut().spawn(Transform::from_xyz(100.0, 50.0, 0.0)).id();
    for corner in [0.0, 10.0] {
        let deck = (NavGrid::new(grid(ROOM)), Transform::from_xyz(corner, 0.0, 0.0), ChildOf(hull));
        app.world_mut().spawn(deck);
    }
    ticks(&mut app, 1);
    let ship = joined(&mut app)[0];
    let sailor =
        app.world_mut().spawn((Agent::default(), Transform::from_xyz(1.5, 1.5, 0.0), ChildOf(hull))).id();
    let goal = app.world_mut().spawn((Transform::from_xyz(18.5, 2.5, 0.0), ChildOf(hull))).id();
    app.world_mut().entity_mut(sailor).insert(PathRequest::to(goal));
    ticks(&mut app, 2);
    for step in 0..2000 {
        let mut place = app.world_mut().get_mut::<Transform>(hull).unwrap();
        place.translation.x -= 0.03;
        place.rotation = Quat::from_rotation_z(0.001 * step as f32);
        app.update();
        if status(&app, sailor) == PathStatus::Arrived {
            break;
        }
    }
    assert_eq!(status(&app, sailor), PathStatus::Arrived);
    assert_eq!(joined(&mut app), [ship], "it is one grid all along");
    assert!(position(&app, sailor).distance(Vec3::new(18.5, 2.5, 0.0)) < 0.6, "{}", position(&app, sailor));
    // At the quay the deck becomes part of the shore.
    spawn_at(&mut app, grid(ROOM), (0, 0));
    *app.world_mut().get_mut::<Transform>(hull).unwrap() = Transform::from_xyz(10.0, 0.0, 0.0);
    app.world_mut().entity_mut(sailor).insert(PathRequest::to(at((1, 1))));
    app.update();
    until(&mut app, "it is ashore", |app| {
        status(app, sailor) == PathStatus::Arrived && app.world().get::<NavPath>(sailor).is_some()
    });
    let place = position(&app, sailor) + Vec3::X * 10.0;
    assert!(place.distance(at((1, 1))) < 0.6, "{place}");
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
                let agent = app
                    .world_mut()
                    .spawn((Agent::default(), Avoider::reciprocal(), Transform::from_translation(at(from))))
                    .id();
                order(&mut app, agent, at(to));
                agent
            })
            .collect();
        for _ in 0..64 * 40 {
            app.update();
        }
        agents.iter().filter(|&&agent| status(&app, agent) == PathStatus::Arrived).count()
    };
    assert_eq!(walk(&[(0, 0)], 24), 24);
    assert_eq!(walk(&[(0, 0), (12, 0)], 12), 24);
}

#[test]
fn a_ship_joins_a_shore_that_was_there_before_it() {
    for shore_parts in [1, 2] {
        let mut app = app(SolveMode::Inline);
        for part in 0..shore_parts {
            spawn_at(&mut app, grid(ROOM), (-10 * part, 0));
        }
        let hull = app.world_mut().spawn(Transform::from_xyz(100.0, 0.0, 0.0)).id();
        for corner in [0.0, 10.0] {
            let deck = (NavGrid::new(grid(ROOM)), Transform::from_xyz(corner, 0.0, 0.0), ChildOf(hull));
            app.world_mut().spawn(deck);
        }
        ticks(&mut app, 2);
        app.world_mut().get_mut::<Transform>(hull).unwrap().translation.x = 10.0;
        ticks(&mut app, 2);
        assert_eq!(joined(&mut app).len(), 1, "{shore_parts}");
        let agent = spawn_agent(&mut app, (1, 1));
        order(&mut app, agent, at((28, 1)));
        arrives(&mut app, agent, at((28, 1)));
        // It casts off with the agent on board.
        for _ in 0..100 {
            app.world_mut().get_mut::<Transform>(hull).unwrap().translation.x += 0.02;
            app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x += 0.02;
            app.update();
        }
        let place = position(&app, agent);
        let goal = place - Vec3::X * 10.0;
        order(&mut app, agent, goal);
        arrives(&mut app, agent, goal);
    }
}

#[test]
fn a_standalone_grid_stays_apart_whichever_comes_first() {
    let mut app = app(SolveMode::Inline);
    let lift = (NavGrid::new(grid(ROOM)), Standalone);
    app.world_mut().spawn(lift);
    ticks(&mut app, 2);
    spawn_at(&mut app, grid(ROOM), (10, 0));
    // A grid that is hidden by a scale of zero touches nothing either.
    let hidden = Transform::from_xyz(20.0, 0.0, 0.0).with_scale(Vec3::ZERO);
    app.world_mut().spawn((NavGrid::new(grid(ROOM)), hidden));
    ticks(&mut app, 2);
    assert!(joined(&mut app).is_empty());
}

#[test]
fn other_costs_on_all_parts_are_an_edit() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0), (20, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((28, 1)));
    until(&mut app, "it is under way", |app| position(app, agent).x > 3.0);
    let sheet = joined(&mut app);
    for room in rooms {
        let costs = CostTable::default().with(Terrain::WATER, 2.0).unwrap();
        let kind = AgentKind { costs, ..default() };
        let mut nav = app.world_mut().get_mut::<NavGrid>(room).unwrap();
        nav.set_kind(KindId(0), kind.clone()).unwrap();
        nav.add_kind(kind).unwrap();
    }
    ticks(&mut app, 2);
    assert_eq!(joined(&mut app), sheet, "it is the same grid");
    assert_eq!(app.world().get::<NavGrid>(sheet[0]).unwrap().grid().kind_count(), 2);
    arrives(&mut app, agent, at((28, 1)));
    assert!(!logged_events(&app).iter().any(|event| matches!(event, LoggedEvent::Failed(..))));
}

#[test]
fn parts_that_are_disabled_wait_for_their_return() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let agent = spawn_agent(&mut app, (1, 1));
    app.world_mut().entity_mut(agent).insert(OnGrid(rooms[0]));
    order(&mut app, agent, at((18, 1)));
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
    let wall = format!("{}\n", "#".repeat(10)).repeat(4);
    app.world_mut().entity_mut(rooms[1]).insert(bevy::ecs::entity_disabling::Disabled);
    spawn_at(&mut app, grid(&wall), (10, 0));
    ticks(&mut app, 2);
    order(&mut app, agent, at((1, 1)));
    ticks(&mut app, 2);
    let sheet = joined(&mut app)[0];
    let (nav, place) =
        (app.world().get::<NavGrid>(sheet).unwrap(), app.world().get::<GridTransform>(sheet).unwrap());
    assert!(!nav.grid().is_walkable(KindId(0), place.cell_at(at((15, 1)))), "the other variant counts");
}

#[test]
fn a_crossing_ends_where_it_should_although_the_canvas_moves() {
    let mut app = app(SolveMode::Inline);
    let rooms = [(0, 0), (10, 0)].map(|corner| spawn_at(&mut app, grid(ROOM), corner));
    let ends = (LinkEnd::new(rooms[0], Cell::new(2, 1)), LinkEnd::new(rooms[1], Cell::new(8, 1)));
    let lift = NavLink::new(ends.0, ends.1).with_cost(0.5).with_crossing(Crossing::Jump { height: 2.0 });
    app.world_mut().spawn(lift);
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((19, 1)));
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
    let agent = spawn_agent(&mut app, (55, 10));
    app.world_mut().entity_mut(agent).insert(PathRequest::to(NavGoal::within(at((2000, 10)), 3.0)));
    until(&mut app, "it comes to the border", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    spawn_at(&mut app, Grid::new(2000, 20).unwrap(), (62, 0));
    app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 60.0;
    until(&mut app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
    assert!((position(&app, agent).x - 2000.5).abs() < 4.0, "{}", position(&app, agent));
}

#[test]
fn changes_before_the_cells_moved_are_not_known() {
    let mut app = app(SolveMode::Inline);
    spawn_at(&mut app, grid(ROOM), (0, 0));
    let east = spawn_at(&mut app, grid(ROOM), (10, 0));
    ticks(&mut app, 1);
    let sheet = joined(&mut app)[0];
    let nav = |app: &App| app.world().get::<NavGrid>(sheet).unwrap().clone();
    let seen = nav(&app).revision();
    edit(&mut app, east, (3, 3), Terrain::WALL);
    ticks(&mut app, 1);
    assert_eq!(nav(&app).changes_since(seen).map(Iterator::count), Some(1));
    for x in 1..20 {
        spawn_at(&mut app, grid(ROOM), (-10 * x, 0));
    }
    ticks(&mut app, 1);
    assert!(nav(&app).changes_since(seen).is_none());
}
