//! Trucks that bring supply to and fro through a village full of soldiers, who make way. Trucks drive along arcs,
//! turn in three drives where there is no room, and wait for those who stand in their way. Right-click sends the red
//! truck.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

const SIZE: IVec2 = IVec2::new(48, 28);

/// The truck that obeys the mouse.
#[derive(Component)]
pub(crate) struct Courier;

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, (send, draw)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default()).add_systems(Startup, setup).add_observer(
        |failed: On<PathFailed>| warn!("the truck {} stays where it is: {}", failed.entity, failed.error),
    );
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.045))));
    // Houses of four by three cells, with streets between them that are four cells wide.
    let house = |cell: GridCell| cell.x % 8 > 3 && cell.y % 7 > 3 && (4..44).contains(&cell.x);
    let terrain = |cell| if house(cell) { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(SIZE.x as u32, SIZE.y as u32, terrain).expect("it is small");
    let square = |color, size| Sprite::from_color(color, size);
    for cell in grid.bounds().cells().filter(|&cell| house(cell)) {
        let at = Transform::from_translation(place(cell.x, cell.y));
        commands.spawn((square(Color::srgb(0.36, 0.42, 0.5), Vec2::ONE), at));
    }
    commands.spawn((NavGrid::new(grid), Transform::from_translation((SIZE.as_vec2() / -2.0).extend(0.0))));
    let vehicle = Vehicle { length: 2.2, width: 1.1, turning_radius: 2.5, reverses: true };
    let body = (Agent::new(4.0).with_radius(0.5).with_facing(AgentFacing::Right), vehicle);
    for (y, color) in [(2, Color::srgb(0.9, 0.75, 0.3)), (16, Color::srgb(1.0, 0.45, 0.4))] {
        let tour = GoalQueue::ping_pong([place(45, 25 - y), place(2, y)]);
        let at = Transform::from_translation(place(2, y));
        let mut truck = commands.spawn((body, tour, square(color, Vec2::new(2.2, 1.1)), at));
        if y > 2 {
            truck.insert(Courier);
        }
    }
    for i in 0..40 {
        let at = Transform::from_translation(place(3 + i % 10 * 4, i / 10 * 7 + 2));
        let soldier = (Agent::new(3.0), Avoider::default(), Behavior::wander(), at);
        commands.spawn((soldier, square(Color::srgb(0.35, 0.84, 0.77), Vec2::splat(0.7))));
    }
}

fn place(x: i32, y: i32) -> Vec3 {
    (IVec2::new(x, y).as_vec2() - SIZE.as_vec2() / 2.0 + 0.5).extend(0.0)
}

/// Sends the courier to the pointer, instead of on its tour.
fn send(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    courier: Single<Entity, With<Courier>>,
    mut commands: Commands,
) {
    let Some(at) = window.cursor_position().filter(|_| buttons.just_pressed(MouseButton::Right)) else {
        return;
    };
    if let Ok(point) = camera.0.viewport_to_world_2d(camera.1, at) {
        commands.entity(*courier).remove::<GoalQueue>().go_to(point.extend(0.0));
    }
}

/// Draws what is left of the paths of the trucks.
fn draw(trucks: Query<&NavPath, With<Vehicle>>, mut gizmos: Gizmos) {
    for path in &trucks {
        gizmos.linestrip(path.remaining().iter().copied(), Color::srgb(1.0, 1.0, 1.0));
    }
}
