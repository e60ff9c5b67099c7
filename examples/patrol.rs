//! Guards on patrol, and a worker whose orders are queued: a click sends it somewhere, a click with Shift adds a
//! goal.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// The width of a cell, in pixels.
const CELL: f32 = 32.0;
const MAP: &str = "\
..............................
.####.####..####.####..####...
.#.......#..#.......#..#..#...
.#.......#..#.......#.....#...
.####.####..####.####..####...
..............................
..............................
.####.####..####.####..####...
.#.......#..#.......#..#..#...
.#.......#..#.......#.....#...
.####.####..####.####..####...
..............................";

#[derive(Component)]
pub(crate) struct Worker;

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, click).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { paths: true, ..default() })
        .add_systems(Startup, setup);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(15.0 * CELL, 6.0 * CELL, 0.0)));
    let grid = Grid::from_ascii(MAP).expect("the map is sound");
    for cell in grid.bounds().cells().filter(|&cell| !grid.is_walkable(KindId::default(), cell)) {
        let look = Sprite::from_color(Color::srgb(0.36, 0.42, 0.5), Vec2::splat(CELL));
        commands.spawn((look, Transform::from_translation(center(cell.x, cell.y))));
    }
    commands.spawn(NavGrid::new(grid).with_cell_size(CELL));
    let body = (Agent::new(4.0 * CELL).with_radius(0.4 * CELL), Avoider::default());
    let square = |color| Sprite::from_color(color, Vec2::splat(CELL * 0.6));
    let rounds = GoalQueue::looped([(0, 0), (10, 0), (10, 5), (0, 5)].map(|(x, y)| center(x, y)));
    let patrol = GoalQueue::ping_pong([(11, 6), (29, 6), (29, 11)].map(|(x, y)| center(x, y))).with_wait(1.0);
    for (queue, at, color) in [
        (rounds, center(0, 2), Color::srgb(1.0, 0.45, 0.4)),
        (patrol, center(11, 11), Color::srgb(1.0, 0.8, 0.4)),
    ] {
        commands.spawn((body, queue, square(color), Transform::from_translation(at)));
    }
    let goals = GoalQueue::to([(3, 8), (14, 2), (25, 9)].map(|(x, y)| center(x, y)));
    let at = Transform::from_translation(center(15, 6));
    commands.spawn((Worker, body, goals, square(Color::srgb(0.35, 0.84, 0.77)), at));
}

fn center(x: i32, y: i32) -> Vec3 {
    Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0) * CELL
}

fn click(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    (window, camera): (Single<&Window>, Single<(&Camera, &GlobalTransform)>),
    worker: Single<(Entity, &mut GoalQueue), With<Worker>>,
    mut commands: Commands,
) -> Result {
    let Some(pointer) = window.cursor_position().filter(|_| buttons.just_pressed(MouseButton::Left)) else {
        return Ok(());
    };
    let goal = camera.0.viewport_to_world_2d(camera.1, pointer)?.extend(0.0);
    let (worker, mut queue) = worker.into_inner();
    if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        queue.goals.push(goal.into());
    } else {
        commands.entity(worker).insert(GoalQueue::to([goal]));
    }
    Ok(())
}
