//! You drive a wolf with WASD or the arrow keys; a flock of sheep flees from it by path: through doors, round blocks, and
//! not into dead ends. A sheep that is cornered turns red. The remaining paths are drawn.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{Fugitive, FugitiveCornered},
    world::GridTransform,
};

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
const WOLF: Color = Color::srgb_u8(0x9a, 0xa5, 0xb1);
const SHEEP: Color = Color::srgb_u8(0xf5, 0xf0, 0xe6);
const CORNERED: Color = Color::srgb_u8(0xff, 0x6f, 0x61);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(ClearColor(VOID))
        .insert_resource(NavGizmos { paths: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, drive)
        .add_observer(|on: On<FugitiveCornered>, sprites: Query<&mut Sprite>| {
            paint(on.entity, CORNERED, sprites)
        })
        .add_observer(|on: On<PathFound>, sprites: Query<&mut Sprite>| paint(on.entity, SHEEP, sprites))
        .add_observer(|on: On<AgentArrived>, sprites: Query<&mut Sprite>| paint(on.entity, SHEEP, sprites))
        .run();
}

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

    let wolf = (body(WOLF), agent(200.0), ManualVelocity::default(), stand(19, 15));
    let wolf = commands.spawn(wolf).id();
    for i in 0..12 {
        let sheep = (body(SHEEP), agent(170.0), Avoider::default(), stand(8 + i * 2, 9 - i % 2));
        commands.spawn((Fugitive::from_threats([wolf], 8.0 * CELL), sheep));
    }
    commands.spawn(grid);
    commands.spawn(Camera2d);
}

/// The body of an agent with this speed, turned to its direction of motion.
fn agent(speed: f32) -> Agent {
    Agent::new(speed).with_radius(0.3 * CELL).with_facing(AgentFacing::Right)
}

fn drive(keys: Res<ButtonInput<KeyCode>>, wolf: Single<(&mut ManualVelocity, &Agent)>) {
    let axis = |less: [KeyCode; 2], more: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    let x = axis([KeyCode::KeyA, KeyCode::ArrowLeft], [KeyCode::KeyD, KeyCode::ArrowRight]);
    let y = axis([KeyCode::KeyS, KeyCode::ArrowDown], [KeyCode::KeyW, KeyCode::ArrowUp]);
    let (mut driven, agent) = wolf.into_inner();
    driven.0 = Vec3::new(x, y, 0.0).normalize_or_zero() * agent.speed;
}

fn paint(agent: Entity, color: Color, mut sprites: Query<&mut Sprite>) {
    if let Ok(mut sprite) = sprites.get_mut(agent) {
        sprite.color = color;
    }
}
