//! You drive a prey with WASD or the arrow keys; three pursuers hunt it round walls.
//!
//! A pursuer runs straight at the prey while it sees it, and follows a path otherwise. After a catch all agents go
//! back to their starts. Lines from the pursuers to the prey and their remaining paths are drawn.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

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

const CELL: f32 = 30.0; // The side of a cell, in world units.

const VOID: Color = Color::srgb_u8(0x0d, 0x11, 0x17);
const GROUND: Color = Color::srgb_u8(0x32, 0x3d, 0x4b);
const WALL: Color = Color::srgb_u8(0x6b, 0x7c, 0x92);
const HUNTER: Color = Color::srgb_u8(0xff, 0x6f, 0x61);
const PREY: Color = Color::srgb_u8(0xff, 0xd1, 0x66);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(ClearColor(VOID))
        .insert_resource(NavGizmos { paths: true, targets: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, drive)
        .add_observer(start_again)
        .run();
}

/// The start position of an agent.
#[derive(Component)]
struct Home(Transform);

fn setup(mut commands: Commands) {
    let grid = NavGrid::from_ascii(MAP).expect("the map above is sound").with_cell_size(CELL).centered();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    for cell in grid.bounds().cells() {
        let is_open = grid.is_walkable(KindId::default(), cell);
        let color = if is_open { GROUND } else { WALL };
        let tile = Sprite::from_color(color, Vec2::splat(CELL));
        commands.spawn((tile, Transform::from_translation(place.cell_center(cell))));
    }
    let stand = |x, y| Transform::from_translation(place.cell_center(GridCell::new(x, y)).with_z(1.0));
    let body = |color| Sprite::from_color(color, Vec2::new(0.8, 0.5) * CELL);

    let home = stand(19, 15);
    let prey = commands.spawn((Home(home), body(PREY), agent(220.0), ManualVelocity::default(), home)).id();
    for (x, y) in [(6, 4), (30, 4), (8, 12)] {
        let pursuer = Pursuer::line_of_sight(prey).with_catch_radius(0.8 * CELL);
        let home = stand(x, y);
        commands.spawn((pursuer, Home(home), body(HUNTER), agent(180.0), home));
    }
    commands.spawn(grid);
    commands.spawn(Camera2d);
}

/// The body of an agent with this speed, turned to its direction of motion; its lengths are in proportion to a
/// cell.
fn agent(speed: f32) -> Agent {
    Agent { radius: 0.3 * CELL, arrive_radius: 0.1 * CELL, ..Agent::new(speed) }
        .with_facing(AgentFacing::Right)
}

fn drive(keys: Res<ButtonInput<KeyCode>>, prey: Single<(&mut ManualVelocity, &Agent)>) {
    let axis = |less: [KeyCode; 2], more: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    let x = axis([KeyCode::KeyA, KeyCode::ArrowLeft], [KeyCode::KeyD, KeyCode::ArrowRight]);
    let y = axis([KeyCode::KeyS, KeyCode::ArrowDown], [KeyCode::KeyW, KeyCode::ArrowUp]);
    let (mut driven, agent) = prey.into_inner();
    driven.0 = Vec3::new(x, y, 0.0).normalize_or_zero() * agent.speed;
}

fn start_again(_caught: On<CaughtTarget>, all: Query<(Entity, &Home)>, mut commands: Commands) {
    for (entity, home) in &all {
        commands.entity(entity).insert(home.0).teleport_to(home.0.translation);
    }
}
