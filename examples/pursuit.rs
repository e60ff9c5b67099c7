//! A prey that you drive with WASD or the arrow keys, and three pursuers that hunt it round walls.
//!
//! They run straight at the prey while they see it and by path while they do not; whoever catches it makes
//! it begin again. Lines from pursuers to the prey and the rest of their paths are drawn.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

const MAP: &str = "\
......................................
......................................
....##########..........##########....
....#........#..........#........#....
....#........#..........#........#....
....#............................#....
....#........#....##....#........#....
....##########....##....##########....
..................##..................
......................................
....##########....##....##########....
....#........#....##....#........#....
....#.............##.............#....
....#........#..........#........#....
....####..####..........####..####....
......................................
......................................";

/// The side of a cell, in world units.
const CELL: f32 = 30.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(ClearColor(examples::VOID))
        .insert_resource(ShowSettings { paths: true, targets: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, drive)
        .add_observer(start_again)
        .run();
}

/// With the place where it begins.
#[derive(Component)]
struct Prey(Vec3);

fn setup(mut commands: Commands) {
    let grid = NavGrid::new(Grid::from_ascii(MAP).expect("the map above is sound")).with_cell_size(CELL);
    // Rows run down the screen, as in the text above; the camera looks at the middle.
    let grid = grid.with_plane(Plane::XyDown);
    let size = grid.grid().size().as_vec2() * CELL;
    let at = Transform::from_xyz(-size.x / 2.0, size.y / 2.0, 0.0);
    let place = GlobalTransform::from(at);
    for cell in grid.grid().bounds().cells() {
        let is_open = grid.grid().is_walkable(KindId::default(), cell);
        let color = if is_open { examples::GROUND } else { examples::WALL };
        let tile = Sprite::from_color(color, Vec2::splat(CELL));
        commands.spawn((tile, Transform::from_translation(grid.cell_to_world(&place, cell))));
    }
    let stand = |x, y| Transform::from_translation(grid.cell_to_world(&place, Cell::new(x, y)).with_z(1.0));
    let body = |color| Sprite::from_color(color, Vec2::new(0.8, 0.5) * CELL);

    let home = stand(19, 15);
    let prey = (Prey(home.translation), body(examples::PREY), agent(220.0), Driven::default(), home);
    let prey = commands.spawn(prey).id();
    for (x, y) in [(6, 4), (30, 4), (8, 12)] {
        let pursuer = Pursuer::line_of_sight(prey).with_catch_radius(0.8 * CELL);
        commands.spawn((pursuer, body(examples::HUNTER), agent(180.0), stand(x, y)));
    }
    commands.spawn((grid, at));
    commands.spawn(Camera2d);
}

/// A body of this speed that faces its way; lengths suit cells of 30 units.
fn agent(speed: f32) -> Agent {
    Agent { radius: 0.3 * CELL, arrive_radius: 0.1 * CELL, ..Agent::with_speed(speed) }.facing(Facing::Right)
}

fn drive(keys: Res<ButtonInput<KeyCode>>, prey: Single<(&mut Driven, &Agent), With<Prey>>) {
    let axis = |less: [KeyCode; 2], more: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    let x = axis([KeyCode::KeyA, KeyCode::ArrowLeft], [KeyCode::KeyD, KeyCode::ArrowRight]);
    let y = axis([KeyCode::KeyS, KeyCode::ArrowDown], [KeyCode::KeyW, KeyCode::ArrowUp]);
    let (mut driven, agent) = prey.into_inner();
    driven.0 = Vec3::new(x, y, 0.0).normalize_or_zero() * agent.speed;
}

fn start_again(caught: On<TargetCaught>, mut prey: Query<(&Prey, &mut Transform)>) {
    if let Ok((&Prey(home), mut transform)) = prey.get_mut(caught.target) {
        transform.translation = home;
    }
}
