//! Tests that colliders of avian2d are carved into grids, and that avian moves agents that are its bodies:
//! `cargo test -p bevy_pathfind --features avian2d --test avian2d`.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use bevy_pathfind::world::{CarvedCollider, CarvedLayers, GridTransform, Obstacle};

/// An application with a grid of 24 by 24 cells, without gravity; and the grid.
fn yard(place: Transform) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity(Vec2::ZERO));
    app.finish();
    app.cleanup();
    let open = NavGrid::from_fn(24, 24, |_| Terrain::GROUND).expect("it has cells");
    let grid = app.world_mut().spawn((open, place)).id();
    (app, grid)
}

fn ticks(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

fn terrain(app: &App, grid: Entity, cell: GridCell) -> Terrain {
    app.world().get::<NavGrid>(grid).unwrap().grid().terrain(cell).unwrap()
}

fn walls(app: &App, grid: Entity) -> Vec<GridCell> {
    let bounds = app.world().get::<NavGrid>(grid).unwrap().grid().bounds();
    bounds.cells().filter(|&cell| terrain(app, grid, cell) == Terrain::WALL).collect()
}

fn revision(app: &App, grid: Entity) -> u64 {
    app.world().get::<NavGrid>(grid).unwrap().revision()
}

/// Shapes of every sort, round the origin.
fn shapes() -> Vec<(&'static str, Collider)> {
    let ring = [Vec2::new(-3.0, -2.0), Vec2::new(3.0, -2.0), Vec2::new(2.0, 3.0), Vec2::new(-1.0, 1.0)];
    vec![
        ("hair", Collider::rectangle(9.0, 0.002)),
        ("thin wall", Collider::rectangle(9.0, 0.05)),
        ("block", Collider::rectangle(3.0, 2.0)),
        ("ball", Collider::circle(2.3)),
        ("dot", Collider::circle(0.01)),
        ("capsule", Collider::capsule(0.2, 5.0)),
        ("line", Collider::segment(Vec2::new(-4.0, -1.0), Vec2::new(3.0, 2.0))),
        ("triangle", Collider::triangle(ring[0], ring[1], ring[2])),
        ("hull", Collider::convex_hull(ring[..].into()).unwrap()),
        ("outline", Collider::polyline(ring.to_vec(), None)),
        ("mesh", Collider::trimesh(ring.to_vec(), vec![[0, 1, 2], [0, 2, 3]])),
        ("hills", Collider::heightfield(vec![0.0, 1.0, -0.5, 2.0], Vec2::new(8.0, 1.5))),
        ("ellipse", Collider::ellipse(3.0, 0.5)),
        (
            "star",
            Collider::compound(vec![
                (Vec2::X * 2.0, 0.3, Collider::rectangle(4.0, 0.1)),
                (Vec2::Y * 2.0, 0.3, Collider::circle(0.7)),
            ]),
        ),
    ]
}

#[test]
fn no_shape_at_any_angle_is_missed_and_none_covers_too_much() {
    for turned in [0.0, 0.4] {
        let (mut app, grid) =
            yard(Transform::from_xyz(-3.0, 2.0, 0.0).with_rotation(Quat::from_rotation_z(turned)));
        app.update();
        for (name, shape) in shapes() {
            for step in 0..8 {
                let angle = step as f32 * 0.39;
                let at = app.world().get::<GridTransform>(grid).unwrap().to_world(Vec2::new(12.1, 11.3), 0.0);
                let place = Transform::from_translation(at).with_rotation(Quat::from_rotation_z(angle));
                let wall = (RigidBody::Static, shape.clone(), CarvedCollider::default(), place);
                let wall = app.world_mut().spawn(wall).id();
                ticks(&mut app, 2);
                let found = walls(&app, grid);
                let to_world = *app.world().get::<GridTransform>(grid).unwrap();
                let (position, rotation) = (at.truncate(), Rotation::radians(angle));
                // Points of each cell, from its middle to its border: the distance of the collider to the nearest.
                let bounds = app.world().get::<NavGrid>(grid).unwrap().grid().bounds();
                for cell in bounds.cells() {
                    let points =
                        (-9..=9).flat_map(|x| (-9..=9).map(move |y| Vec2::new(x as f32, y as f32) * 0.055));
                    let reach = |point: Vec2| {
                        let at = to_world.to_world(cell.center() + point, 0.0).truncate();
                        shape.distance_to_point(position, rotation, at, true)
                    };
                    let nearest = points.map(reach).fold(f32::INFINITY, f32::min);
                    let is_covered = found.contains(&cell);
                    assert!(is_covered || nearest > 1e-4, "{name} at {angle}, {turned}: {cell} was missed");
                    assert!(!is_covered || nearest < 0.06, "{name} at {angle}: {cell} is {nearest} away");
                }
                app.world_mut().despawn(wall);
                ticks(&mut app, 2);
                assert_eq!(walls(&app, grid), [], "{name} has gone");
            }
        }
    }
}

#[test]
fn boxes_on_the_grid_cover_their_cells_and_lines_on_borders_are_not_missed() {
    let (mut app, grid) = yard(Transform::IDENTITY);
    let carve = |app: &mut App, shape: Collider, at: Vec2| {
        let place = Transform::from_translation(at.extend(0.0));
        let wall = app.world_mut().spawn((RigidBody::Static, shape, CarvedCollider::default(), place)).id();
        ticks(app, 2);
        let found = walls(app, grid);
        app.world_mut().despawn(wall);
        ticks(app, 2);
        found
    };
    let cells = |list: &[(i32, i32)]| list.iter().map(|&cell| GridCell::from(cell)).collect::<Vec<_>>();
    let block = carve(&mut app, Collider::rectangle(2.0, 1.0), Vec2::new(5.0, 3.5));
    assert_eq!(block, cells(&[(4, 3), (5, 3)]));
    let upright = carve(&mut app, Collider::segment(Vec2::ZERO, Vec2::new(0.0, 2.9)), Vec2::new(5.0, 3.05));
    assert_eq!(upright, cells(&[(4, 3), (4, 4), (4, 5)]), "on the border of two columns");
    let level = carve(&mut app, Collider::segment(Vec2::ZERO, Vec2::new(1.9, 0.0)), Vec2::new(5.05, 3.0));
    assert_eq!(level, cells(&[(5, 2), (6, 2)]), "on the border of two rows");
    assert_eq!(carve(&mut app, Collider::circle(0.4), Vec2::splat(900.0)), [], "beside the grid");
    let beside = carve(&mut app, Collider::rectangle(4.0, 1.0), Vec2::new(-1.0, 0.5));
    assert_eq!(beside, cells(&[(0, 0)]), "its middle is beside the grid");
    let endless = carve(&mut app, Collider::half_space(Vec2::Y), Vec2::new(0.0, 1.5));
    assert_eq!(endless.len(), 48, "all below it");
}

#[test]
fn cells_follow_a_collider_that_moves_changes_or_goes_in_one_edit_a_tick() {
    let (mut app, grid) = yard(Transform::IDENTITY);
    let wall = |x: f32, terrain| {
        let place = Transform::from_xyz(x, 2.5, 0.0);
        (RigidBody::Kinematic, Collider::rectangle(0.8, 0.8), CarvedCollider(terrain), place)
    };
    let one = app.world_mut().spawn(wall(2.5, Terrain::WALL)).id();
    app.world_mut().spawn(wall(4.5, Terrain::WALL));
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid), [GridCell::new(2, 2), GridCell::new(4, 2)]);
    let before = revision(&app, grid);
    ticks(&mut app, 20);
    assert_eq!(revision(&app, grid), before, "nothing moves, nothing is edited");
    app.world_mut().get_mut::<Transform>(one).unwrap().translation.x = 9.5;
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid), [GridCell::new(4, 2), GridCell::new(9, 2)]);
    app.world_mut().entity_mut(one).insert(Collider::rectangle(2.8, 0.8));
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid).len(), 4);
    app.world_mut().entity_mut(one).insert(CarvedCollider(Terrain::WATER));
    ticks(&mut app, 3);
    assert_eq!(terrain(&app, grid, GridCell::new(8, 2)), Terrain::WATER);
    // An obstacle over it goes before.
    app.world_mut().entity_mut(one).insert(Obstacle::cuboid(Vec3::splat(0.4)).carved());
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid), [GridCell::new(4, 2), GridCell::new(9, 2)]);
    app.world_mut().entity_mut(one).remove::<(Obstacle, CarvedCollider)>();
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid), [GridCell::new(4, 2)]);
    app.world_mut().get_mut::<Transform>(grid).unwrap().translation.x = -2.0;
    ticks(&mut app, 3);
    assert_eq!(walls(&app, grid), [GridCell::new(6, 2)], "the grid has moved");
}

#[test]
fn layers_say_which_static_and_kinematic_colliders_are_carved() {
    let (mut app, grid) = yard(Transform::IDENTITY);
    app.world_mut().resource_mut::<CarvedLayers>().0 = vec![(2, Terrain::WALL), (6, Terrain::WATER)];
    let spawn = |app: &mut App, kind: RigidBody, layers: u32, x: f32| {
        let layers = CollisionLayers::new(LayerMask(layers), LayerMask::ALL);
        let place = Transform::from_xyz(x, 2.5, 0.0);
        app.world_mut().spawn((kind, Collider::circle(0.3), layers, place)).id()
    };
    spawn(&mut app, RigidBody::Static, 2, 2.5);
    spawn(&mut app, RigidBody::Kinematic, 4, 4.5);
    spawn(&mut app, RigidBody::Static, 8, 6.5);
    spawn(&mut app, RigidBody::Dynamic, 2, 8.5);
    let sensor = spawn(&mut app, RigidBody::Static, 2, 10.5);
    app.world_mut().entity_mut(sensor).insert(Sensor);
    let parent = app.world_mut().spawn((RigidBody::Static, Transform::from_xyz(12.5, 0.0, 0.0))).id();
    let layers = CollisionLayers::new(LayerMask(2), LayerMask::ALL);
    app.world_mut().spawn((
        Collider::circle(0.3),
        layers,
        Transform::from_xyz(0.0, 2.5, 0.0),
        ChildOf(parent),
    ));
    ticks(&mut app, 4);
    assert_eq!(walls(&app, grid), [GridCell::new(2, 2), GridCell::new(12, 2)]);
    let at = |x| terrain(&app, grid, GridCell::new(x, 2));
    assert_eq!(
        [at(4), at(6), at(8), at(10)],
        [Terrain::WATER, Terrain::GROUND, Terrain::GROUND, Terrain::GROUND]
    );
    app.world_mut().resource_mut::<CarvedLayers>().0.clear();
    ticks(&mut app, 2);
    assert_eq!(walls(&app, grid), []);
}

#[test]
fn colliders_of_any_numbers_are_no_trouble() {
    let (mut app, grid) = yard(Transform::from_scale(Vec3::splat(0.001)));
    for size in [1e-30, 1e9, 1e30] {
        app.world_mut().spawn((
            RigidBody::Static,
            Collider::circle(size),
            CarvedCollider::default(),
            Transform::default(),
        ));
    }
    app.world_mut().spawn((
        Collider::circle(1.0),
        CarvedCollider::default(),
        Transform::from_xyz(1e30, 0.0, 0.0),
    ));
    ticks(&mut app, 5);
    assert!(app.world().get::<NavGrid>(grid).is_some());
}

#[test]
fn bodies_wait_for_no_glue_and_go_round_a_door_that_shuts() {
    let (mut app, grid) = yard(Transform::IDENTITY);
    let still = |x: f32, y: f32, width: f32, height: f32| {
        let place = Transform::from_xyz(x, y, 0.0);
        (RigidBody::Static, Collider::rectangle(width, height), CarvedCollider::default(), place)
    };
    // A wall across the yard with two doors; the near one is shut while the agents are on their way.
    app.world_mut().spawn(still(12.0, 10.0, 0.3, 12.0));
    app.world_mut().spawn(still(12.0, 23.0, 0.3, 2.0));
    let door = still(12.0, 19.0, 0.3, 6.0);
    let agent = |y: f32| {
        let place = Transform::from_xyz(2.5, y, 0.0);
        let body = (RigidBody::Dynamic, Collider::circle(0.4), LockedAxes::ROTATION_LOCKED);
        (Agent::new(4.0), Avoider::default(), body, PathRequest::to(Vec3::new(21.5, y, 0.0)), place)
    };
    let agents: Vec<Entity> = [15.5, 18.5].map(|y| app.world_mut().spawn(agent(y)).id()).into();
    ticks(&mut app, 60);
    let on_way = |app: &App, entity: Entity| app.world().get::<Transform>(entity).unwrap().translation;
    assert!(agents.iter().all(|&it| on_way(&app, it).x > 4.0), "they walk");
    app.world_mut().spawn(door);
    for _ in 0..1200 {
        app.update();
        for &agent in &agents {
            let at = on_way(&app, agent);
            let cell = GridCell::containing(at.truncate());
            assert_ne!(terrain(&app, grid, cell), Terrain::WALL, "it is in a wall at {at}");
        }
    }
    for &agent in &agents {
        assert_eq!(
            app.world().get::<PathStatus>(agent),
            Some(&PathStatus::Arrived),
            "at {}",
            on_way(&app, agent)
        );
        assert!(on_way(&app, agent).x > 20.0);
    }
}
