//! Grid obstacles: entities that cover cells while they exist.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

fn picture(app: &App, nav: Entity) -> String {
    nav_grid(app, nav).grid().to_ascii().unwrap()
}

fn obstacle(app: &mut App, shape: Obstacle, place: Transform) -> Entity {
    app.world_mut().spawn((shape, place)).id()
}

#[test]
fn an_obstacle_covers_cells_and_restores_them() {
    let (mut app, nav) = app_on(grid("......\n.55...\n......"));
    let shape = Obstacle::cuboid(Vec3::new(1.0, 0.5, 0.0)).carved();
    let cart = obstacle(&mut app, shape, Transform::from_xyz(2.0, 1.5, 0.0));
    app.update();
    assert_eq!(picture(&app, nav), "......\n.##...\n......\n");
    edit(&mut app, nav, (1, 1), Terrain::weight(7));
    assert_eq!(picture(&app, nav), "......\n.##...\n......\n", "the new ground does not show yet");
    app.world_mut().get_mut::<Transform>(cart).unwrap().translation.x = 4.0;
    app.update();
    assert_eq!(picture(&app, nav), "......\n.75##.\n......\n", "it moved on, and the ground shows");
    app.world_mut().get_mut::<Obstacle>(cart).unwrap().carved = Some(Terrain::weight(2));
    app.update();
    assert_eq!(picture(&app, nav), "......\n.7522.\n......\n", "it is of mud now");
    app.world_mut().despawn(cart);
    app.update();
    assert_eq!(picture(&app, nav), "......\n.75...\n......\n", "it is gone, and so is its mark");
}

#[test]
fn scale_rotation_parents_and_planes_count() {
    let mut app = app(SolveMode::Inline);
    let nav = NavGrid::new(Grid::new(6, 4).unwrap()).with_plane(GridPlane::Xz).with_cell_size(2.0);
    let nav = app.world_mut().spawn(nav).id();
    let parent = app.world_mut().spawn(Transform::from_xyz(4.0, 5.0, 2.0).with_scale(Vec3::splat(2.0))).id();
    // One unit by three, rotated by 90° and scaled by two: six by two units, which are three cells by one.
    let quarter = Quat::from_rotation_y(core::f32::consts::FRAC_PI_2);
    let wall = Obstacle::cuboid(Vec3::new(0.5, 0.5, 1.5)).carved();
    let place = Transform::from_xyz(0.5, 0.0, 0.5).with_rotation(quarter);
    let wall = app.world_mut().spawn((wall, place, ChildOf(parent))).id();
    app.update();
    assert_eq!(picture(&app, nav), "......\n.###..\n......\n......\n");
    app.world_mut().get_mut::<Transform>(parent).unwrap().translation.x += 2.0;
    app.update();
    assert_eq!(picture(&app, nav), "......\n..###.\n......\n......\n", "its parent takes it along");
    app.world_mut().despawn(wall);
    let pillar = Obstacle::sphere(1.0).carved();
    app.world_mut().spawn((pillar, Transform::from_xyz(5.0, 0.0, 5.0).with_scale(Vec3::new(5.0, 9.0, 1.0))));
    app.update();
    assert_eq!(picture(&app, nav), "......\n......\n#####.\n......\n", "a pillar ten units long");
}

#[test]
fn only_a_change_of_cells_is_an_edit() {
    let (mut app, nav) = app_on(Grid::new(20, 20).unwrap());
    let small = Obstacle::sphere(0.3).carved();
    let ball = obstacle(&mut app, small, Transform::from_xyz(5.35, 5.5, 0.0));
    app.world_mut().spawn_batch((0..5).map(move |i| (small, Transform::from_xyz(9.5, 2.5 * i as f32, 0.0))));
    app.update();
    assert_eq!(nav_grid(&app, nav).revision(), 1, "all that came in one tick is one edit");
    for _ in 0..6 {
        app.world_mut().get_mut::<Transform>(ball).unwrap().translation.x += 0.05;
        app.update();
    }
    assert_eq!(nav_grid(&app, nav).revision(), 1, "it moved within its cell");
    app.world_mut().get_mut::<Transform>(ball).unwrap().translation.x += 0.5;
    app.update();
    assert_eq!(nav_grid(&app, nav).revision(), 2, "now it left it");
}

#[test]
fn an_obstacle_on_a_path_makes_agents_go_round() {
    let (mut app, nav) = app_on(Grid::new(30, 9).unwrap());
    let agents = [4, 0].map(|row| send(&mut app, (1, row), (28, row)));
    let agent = agents[0];
    ticks(&mut app, 30);
    let shape = Obstacle::cuboid(Vec3::new(1.0, 1.5, 0.0)).carved();
    let cart = obstacle(&mut app, shape, Transform::from_xyz(15.0, 4.5, 0.0));
    app.update();
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Invalidated(agent))), [1, 0]);
    for tick in 0..64 * 8 {
        // The cart rolls back and forth, so that it is always in an agent's path.
        let mut place = app.world_mut().get_mut::<Transform>(cart).unwrap();
        place.translation.y = 4.5 + ops::sin(tick as f32 / 40.0);
        app.update();
        assert!(stands_free(&app, nav, agent), "nobody stands in the cart");
    }
    assert_eq!(status(&app, agent), PathStatus::Arrived);
}

#[test]
fn an_obstacle_covers_cells_of_a_new_grid() {
    let (mut app, nav) = app_on(Grid::new(3, 3).unwrap());
    obstacle(&mut app, Obstacle::default().carved(), Transform::from_xyz(1.5, 1.5, 0.0));
    app.update();
    app.world_mut().entity_mut(nav).insert(NavGrid::new(Grid::new(4, 3).unwrap()));
    app.update();
    assert_eq!(picture(&app, nav), "....\n.#..\n....\n", "it is laid on the new grid");
    let saved = ron::to_string(nav_grid(&app, nav)).unwrap();
    let back: NavGrid = ron::from_str(&saved).unwrap();
    assert_eq!(back.grid().to_ascii().unwrap(), "....\n....\n....\n", "the file holds the ground");
}

#[test]
fn an_invalid_obstacle_covers_nothing_and_is_warned_of_once() {
    let mut app = app(SolveMode::Inline);
    warnings();
    let nav = spawn_grid(&mut app, Grid::new(8, 8).unwrap());
    for radius in [f32::NAN, f32::INFINITY] {
        app.world_mut().spawn((Obstacle::sphere(radius).carved(), Name::new(format!("fog of {radius}"))));
    }
    obstacle(&mut app, Obstacle::default().carved(), Transform::from_translation(Vec3::NAN));
    ticks(&mut app, 20);
    assert_eq!(nav_grid(&app, nav).revision(), 0, "nothing is covered");
    let heard = warnings().lock().unwrap().iter().filter(|text| text.contains("fog")).count();
    assert_eq!(heard, 2, "each is told of once");
}

#[test]
fn the_velocity_of_an_agent_in_an_obstacle_of_astronomical_size_is_a_number() {
    let mut app = app(SolveMode::Inline);
    spawn_grid(&mut app, Grid::new(8, 8).unwrap());
    let agent = spawn_agent(&mut app, (3, 3));
    app.world_mut().spawn((Obstacle::sphere(3e38), Transform::from_xyz(4.0, 2.0, 0.0)));
    for _ in 0..3 {
        ticks(&mut app, 1);
        assert!(velocity(&app, agent).is_finite(), "{}", velocity(&app, agent));
    }
}
