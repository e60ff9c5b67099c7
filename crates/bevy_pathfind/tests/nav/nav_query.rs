//! Questions about the ground, in world space.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::LinkEnd};

use crate::support::*;

fn ask<R: 'static>(app: &mut App, question: impl FnOnce(NavQuery) -> R + Send + Sync + 'static) -> R {
    let mut question = Some(question);
    app.world_mut()
        .run_system_once(move |nav: NavQuery| (question.take().expect("it runs once"))(nav))
        .expect("its resources are there")
}

const TOWN: &str = "
..........
.####.....
....#.....
.##.#.....
..........";

fn town() -> App {
    let mut app = app(SolveMode::Inline);
    spawn_grid(&mut app, grid(TOWN.trim_start()));
    ticks(&mut app, 2);
    app
}

#[test]
fn the_ground_at_a_point() {
    let mut app = app(SolveMode::Inline);
    let hill = open(10, 4).with_elevation(|cell| if cell.x == 5 { 3.0 } else { 0.0 }).unwrap();
    let place = Transform::from_xyz(100.0, 0.0, 0.0);
    let nav = NavGrid::new(hill).with_cell_size(2.0).with_plane(GridPlane::Xz);
    let map = app.world_mut().spawn((nav, place)).id();
    ticks(&mut app, 2);
    edit(&mut app, map, (3, 1), Terrain::WALL);
    ask(&mut app, move |nav| {
        let on_hill = Vec3::new(111.0, 9.0, 3.0);
        assert_eq!(nav.cell_at(on_hill), Some((map, GridCell::new(5, 1))));
        assert_eq!(nav.ground_at(on_hill), Some(Vec3::new(111.0, 6.0, 3.0)));
        assert_eq!(nav.center(map, (5, 1)), Some(Vec3::new(111.0, 6.0, 3.0)));
        let wall = Vec3::new(107.0, 0.0, 3.0);
        assert_eq!(nav.terrain(wall), Some(Terrain::WALL), "the edit of this tick is seen");
        assert!(!nav.is_walkable(wall) && nav.is_walkable(on_hill));
        let ray = Ray3d::new(Vec3::new(111.0, 50.0, 3.0), Dir3::NEG_Y);
        assert_eq!(nav.hit(ray).map(|hit| (hit.cell, hit.distance)), Some((GridCell::new(5, 1), 44.0)));
        for off in [Vec3::ZERO, Vec3::new(200.0, 0.0, 3.0), Vec3::NAN, Vec3::INFINITY] {
            assert_eq!((nav.cell_at(off), nav.ground_at(off), nav.terrain(off)), (None, None, None), "{off}");
            assert!(!nav.is_walkable(off) && !nav.sees(off, on_hill) && nav.cast_ray(off, on_hill).is_none());
            assert_eq!(nav.free_points_near(off).count(), 0);
            assert!(nav.path(off, on_hill).is_err() && nav.distance(on_hill, off).is_err(), "{off}");
            assert_eq!(nav.nearest(off, &[on_hill]), None);
        }
        assert_eq!((nav.center(map, (10, 0)), nav.center(Entity::PLACEHOLDER, (0, 0))), (None, None));
    });
}

#[test]
fn sight_paths_and_distances() {
    let mut app = town();
    ask(&mut app, |nav| {
        let (inside, outside) = (at((2, 2)), at((6, 2)));
        assert!(!nav.sees(inside, outside));
        let seen = nav.cast_ray(outside, inside).expect("the wall is between");
        assert!(seen.distance(Vec3::new(5.0, 2.5, 0.0)) < 1e-3, "{seen}");
        assert!(nav.sees(at((0, 0)), at((9, 0))));
        let route = nav.path(inside, outside).expect("there is a way");
        assert!(route.is_complete && route.length > 7.0, "{route:?}");
        assert_eq!((route.points[0], *route.points.last().unwrap()), (inside, outside));
        assert_eq!(nav.distance(inside, outside), Ok(route.length));
        let into_wall = nav.path(inside, at((4, 2))).expect("it ends before the wall");
        assert!(!into_wall.is_complete);
        assert_eq!(nav.distance(inside, at((4, 2))), Err(PathError::Unreachable));
        assert_eq!(nav.path(inside, Entity::PLACEHOLDER).err(), Some(PathError::TargetGone));
    });
}

#[test]
fn the_nearest_by_path_is_not_the_nearest_by_air() {
    let mut app = town();
    ask(&mut app, |nav| {
        let from = at((3, 2));
        let (behind_the_wall, round_the_corner, in_the_wall) = (at((5, 2)), at((0, 4)), at((4, 1)));
        let places = [behind_the_wall, in_the_wall, round_the_corner];
        let (index, length) = nav.nearest(from, &places).expect("two can be reached");
        assert_eq!(index, 2);
        assert_eq!(nav.distance(from, places[2]), Ok(length));
        assert_eq!(nav.nearest(from, &[]), None);
        assert_eq!(nav.nearest(from, &[in_the_wall]), None);
        let near: Vec<Vec3> = nav.free_points_near(from).take(4).collect();
        assert_eq!(near[0], from);
        assert!(near.iter().all(|&point| nav.is_walkable(point)), "{near:?}");
    });
}

#[test]
fn the_nearest_for_each_are_the_cheapest_of_all_paths() {
    let mut app = town();
    ask(&mut app, |nav| {
        let cells =
            |first: i32, step: usize| (first..50).step_by(step).map(|index| at((index % 10, index / 10)));
        let points: Vec<Vec3> = cells(3, 7).collect();
        let starts: Vec<Vec3> = cells(0, 1).chain([at((20, 20)), Vec3::NAN]).collect();
        let nearest = nav.nearest_for_each(&starts, &points);
        assert_eq!(nearest.len(), starts.len());
        assert!(nearest.iter().flatten().count() > 40);
        for (&start, nearest) in starts.iter().zip(nearest) {
            let route = |&point: &Vec3| nav.path(start, point).ok().filter(|route| route.is_complete);
            let least = points.iter().filter_map(route).map(|route| route.cost).min_by(f64::total_cmp);
            let chosen = nearest.and_then(|(index, length)| Some((route(&points[index])?, length)));
            let cost = chosen.as_ref().map(|(route, _)| route.cost);
            assert_eq!(cost.is_some(), least.is_some(), "from {start}");
            assert!(cost.zip(least).is_none_or(|(cost, least)| (cost - least).abs() < 1e-6), "from {start}");
            assert!(chosen.is_none_or(|(route, length)| (route.length - length).abs() < 0.5), "from {start}");
        }
        assert!(nav.nearest_for_each(&[], &points).is_empty());
        assert_eq!(nav.nearest_for_each(&starts[..2], &[]), [None, None]);
    });
}

/// Forty workers that choose among six hundred places.
#[test]
#[ignore = "prints times, and says nothing about right or wrong"]
fn time_of_the_nearest_for_each() {
    let mut app = app(SolveMode::Inline);
    spawn_grid(&mut app, walled(128));
    ticks(&mut app, 2);
    ask(&mut app, |nav| {
        let spread = |count: i32, by: i32| (0..count).map(move |i| at((i * by % 127, i * 89 % 128)));
        let (workers, places): (Vec<Vec3>, Vec<Vec3>) = (spread(40, 61).collect(), spread(600, 53).collect());
        let time = |choose: &dyn Fn() -> usize| {
            let times = (0..5).map(|_| {
                let clock = std::time::Instant::now();
                assert!(choose() > 30, "nearly all find one");
                clock.elapsed()
            });
            times.min().unwrap()
        };
        let alone = time(&|| workers.iter().filter_map(|&worker| nav.nearest(worker, &places)).count());
        let together = time(&|| nav.nearest_for_each(&workers, &places).iter().flatten().count());
        println!("{alone:?} alone, {together:?} together");
    });
}

#[test]
fn the_chokepoints_of_a_way() {
    let mut app = app(SolveMode::Inline);
    let house = grid("....#....#....\n....#....#....\n.........#....\n....#.........\n....#....#....");
    app.world_mut().spawn(NavGrid::new(house).with_cell_size(2.0));
    ticks(&mut app, 2);
    ask(&mut app, |nav| {
        let [from, to, door, gate] = [(0, 2), (13, 3), (4, 2), (9, 3)].map(|cell| 2.0 * at(cell));
        let found = nav.chokepoints(from, to, 2.0).expect("there is a way");
        let points: Vec<_> = found.iter().map(|it| (it.points.clone(), it.is_cut)).collect();
        assert_eq!(points, [(vec![door], true), (vec![gate], true)]);
        for (narrow, count) in [(1.9, 0), (-1.0, 0), (f32::NAN, 0), (f32::INFINITY, 1)] {
            assert_eq!(nav.chokepoints(from, to, narrow).map(|it| it.len()), Ok(count), "{narrow}");
        }
        assert_eq!(nav.chokepoints(from, 2.0 * at((4, 0)), 2.0), Err(PathError::Unreachable));
    });
}

#[test]
fn other_kinds_are_asked_for() {
    let mut app = app(SolveMode::Inline);
    spawn_grid(
        &mut app,
        grid(&[".....#.....\n".repeat(3), "...........\n".into(), ".....#.....\n".repeat(3)].concat()),
    );
    let wide = AgentKind { size: AgentSize::Disc(1.2), ..default() };
    let wide = app.world_mut().resource_mut::<AgentKinds>().add(wide).unwrap();
    ticks(&mut app, 2);
    ask(&mut app, move |nav| {
        let (from, to, edge) = (at((2, 3)), at((8, 3)), at((0, 3)));
        assert!(nav.is_walkable(edge) && !nav.of_kind(wide).is_walkable(edge));
        assert!(nav.distance(from, to).is_ok(), "through the gap");
        assert_eq!(nav.of_kind(wide).distance(from, to), Err(PathError::Unreachable));
        assert_eq!(nav.of_kind(KindId(9)).distance(from, to), Err(PathError::UnknownKind(9)));
    });
}

#[test]
fn paths_lead_over_links_and_joined_grids() {
    let mut app = app(SolveMode::Inline);
    let floor = |x: f32, z: f32| (NavGrid::new(open(10, 4)), Transform::from_xyz(x, 0.0, z));
    let [west, _east, upper] =
        [(0.0, 0.0), (10.0, 0.0), (0.0, 3.0)].map(|(x, z)| app.world_mut().spawn(floor(x, z)).id());
    let end = |grid, cell: (i32, i32)| LinkEnd::new(grid, cell.into());
    app.world_mut().spawn(NavLink::new(end(west, (1, 1)), end(upper, (1, 1))).with_cost(5.0));
    ticks(&mut app, 4);
    ask(&mut app, move |nav| {
        let (from, above) = (at((18, 1)), at((8, 1)) + Vec3::Z * 3.0);
        assert_eq!(nav.cell_at(at((3, 2))), Some((west, GridCell::new(3, 2))), "not the joined grid");
        assert_eq!(nav.cell_at(above), Some((upper, GridCell::new(8, 1))));
        let route = nav.path(from, above).expect("over the seam, and up");
        assert!(route.is_complete);
        let length = 17.0 + 3.0 + 7.0;
        assert!((route.length - length).abs() < 0.1, "{route:?}");
        assert_eq!(route.points.last(), Some(&above));
        assert_eq!(nav.nearest(from, &[above, at((12, 1))]).map(|(index, _)| index), Some(1));
        assert_eq!(nav.nearest(from, &[above]), Some((0, route.length)));
        let (starts, points) = ([from, at((2, 3)), above], [above, at((12, 1))]);
        let alone = starts.map(|start| nav.nearest(start, &points));
        assert_eq!(nav.nearest_for_each(&starts, &points), alone);
        assert!(!nav.sees(from, above));
    });
}
