//! A tilemap that agents walk on: click a tile to change it, and paths follow at once.
//!
//! A closure that gives the terrain of each tile makes the grid ([`NavGrid::from_fn`]), and a changed tile is one
//! [`NavGrid::set`]. It suits any tilemap; see also the example `ecs_tilemap`.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveSettings, world::GridTransform};
use examples::bevy_version::PointerClick;

const TILE: f32 = 32.0;
const LEVEL: [&str; 12] = [
    "........................",
    "..####......~~~.........",
    "..#..#.....~~~~~....mm..",
    "..#.........~~~....mmm..",
    "..####..............mm..",
    "...........##...........",
    "....mm.....##.....####..",
    "...mmmm...........#..#..",
    "....mm.....~~........#..",
    "..........~~~~....####..",
    "...........~~...........",
    "........................",
];

/// Mud costs three times as much as grass.
const MUD: Terrain = Terrain::weight(3);

/// The game's own map. Code that draws it needs no knowledge of grids.
#[derive(Resource)]
struct Level {
    tiles: Vec<Vec<u8>>,
}

fn terrain(tile: u8) -> Terrain {
    match tile {
        b'#' => Terrain::WALL,
        b'~' => Terrain::WATER,
        b'm' => MUD,
        _ => Terrain::GROUND,
    }
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(NavGizmos { paths: true, ..default() })
        .insert_resource(SolveSettings { seek_shortcuts: true, ..default() })
        .insert_resource(Level { tiles: LEVEL.map(|row| row.as_bytes().to_vec()).to_vec() })
        .add_systems(Startup, setup)
        .add_observer(walk_back)
        .run();
}

fn color(tile: u8) -> Color {
    match tile {
        b'#' => examples::WALL,
        b'~' => Color::srgb_u8(0x2b, 0x5d, 0x8f),
        b'm' => Color::srgb_u8(0x5a, 0x47, 0x38),
        _ => examples::GROUND,
    }
}

fn setup(mut commands: Commands, level: Res<Level>) {
    commands.spawn((Camera2d, Transform::from_xyz(12.0 * TILE, -6.0 * TILE, 0.0)));
    let tiles = &level.tiles;
    let nav = NavGrid::from_fn(tiles[0].len() as u32, tiles.len() as u32, |cell| {
        terrain(tiles[cell.y as usize][cell.x as usize])
    })
    .expect("the level has tiles");
    let nav = nav.with_cell_size(TILE).with_plane(GridPlane::XyDown);
    let place = GridTransform::new(&nav, Transform::IDENTITY);
    let center = |cell: GridCell| place.cell_center(cell);
    for cell in nav.grid().bounds().cells() {
        let look =
            Sprite::from_color(color(level.tiles[cell.y as usize][cell.x as usize]), Vec2::splat(TILE - 1.0));
        let tile = (look, Transform::from_translation(center(cell)), Pickable::default());
        commands.spawn(tile).observe(
            move |click: On<PointerClick>,
                  tiles: Query<&mut Sprite>,
                  level: ResMut<Level>,
                  grids: Query<&mut NavGrid>| { change(cell, click.entity, tiles, level, grids) },
        );
    }
    for (row, kind) in [(0, examples::FRIEND), (5, examples::PREY), (11, examples::HUNTER)] {
        let look = Sprite::from_color(kind, Vec2::splat(TILE * 0.5));
        let place = Transform::from_translation(center(GridCell::new(0, row)).with_z(1.0));
        let goal = center(GridCell::new(23, 11 - row));
        commands.spawn((Agent::new(5.0 * TILE).with_radius(0.4 * TILE), look, place, PathRequest::to(goal)));
    }
    commands.spawn(nav);
}

/// Changes a tile to the next kind: grass to wall, wall to mud, mud to water, water to grass.
fn change(
    cell: GridCell,
    tile: Entity,
    mut looks: Query<&mut Sprite>,
    mut level: ResMut<Level>,
    mut grids: Query<&mut NavGrid>,
) -> Result {
    let kind = &mut level.tiles[cell.y as usize][cell.x as usize];
    *kind = match *kind {
        b'.' => b'#',
        b'#' => b'm',
        b'm' => b'~',
        _ => b'.',
    };
    looks.get_mut(tile)?.color = color(*kind);
    grids.single_mut()?.set(cell, terrain(*kind))?;
    Ok(())
}

/// Sends an agent that has arrived back to the other side.
fn walk_back(arrived: On<AgentArrived>, places: Query<&Transform>, mut commands: Commands) -> Result {
    let at = places.get(arrived.entity)?.translation;
    let side = if at.x > 12.0 * TILE { 0.5 } else { 23.5 } * TILE;
    commands.entity(arrived.entity).insert(PathRequest::to(Vec3::new(side, -12.0 * TILE - at.y, 0.0)));
    Ok(())
}
