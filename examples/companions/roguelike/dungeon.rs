//! The dungeon: dug by chance, and drawn as far as the hero has seen it.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

use super::{Monster, Piece};

pub(crate) const SIZE: UVec2 = UVec2::new(44, 26);
pub(crate) const START: GridCell = GridCell::new(4, 4);

/// Digs rooms, and a corridor to each from the last. Returns the map, and the middle of each room but the first.
pub(crate) fn dig(mut seed: u32) -> Result<(NavGrid, Vec<GridCell>)> {
    let mut random = |count: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as i32 % count as i32
    };
    let (mut grid, mut rooms) = (NavGrid::from_fn(SIZE.x, SIZE.y, |_| Terrain::WALL)?, Vec::new());
    grid.fill(CellRect::new(START, START).grown(2), Terrain::GROUND);
    for _ in 0..14 {
        let last = *rooms.last().unwrap_or(&START);
        let room = GridCell::new(3 + random(SIZE.x - 6), 3 + random(SIZE.y - 6));
        let bend = GridCell::new(room.x, last.y);
        let hall = CellRect::new(room, room).grown(1 + random(2));
        for rect in [CellRect::new(last, bend), CellRect::new(bend, room), hall] {
            grid.fill(rect, Terrain::GROUND);
        }
        rooms.push(room);
    }
    Ok((grid, rooms))
}

/// A tilemap in which no tile is laid yet.
pub(crate) fn tiles(mut images: ResMut<Assets<Image>>) -> TilemapBundle {
    TilemapBundle {
        size: SIZE.into(),
        storage: TileStorage::empty(SIZE.into()),
        texture: TilemapTexture::Single(images.add(Image::default())), // one white pixel, which tiles tint
        tile_size: Vec2::ONE.into(),
        grid_size: Vec2::ONE.into(),
        anchor: TilemapAnchor::BottomLeft, // the origin of the tilemap is its corner, as that of the grid
        ..default()
    }
}

/// Lays the tiles that the hero sees for the first time, and hides the monsters that it does not see.
pub(crate) fn look(
    (nav, hero): (NavQuery, Single<&Piece, Without<Monster>>),
    map: Single<(Entity, &NavGrid, &GridTransform, &mut TileStorage)>,
    mut monsters: Query<(&Piece, &mut Visibility), With<Monster>>,
    mut commands: Commands,
) {
    let (layer, grid, place, mut tiles) = map.into_inner();
    let sees = |cell| {
        let [eye, at] = [hero.0, cell].map(|cell| place.cell_center(cell));
        // A wall hides what is behind it, but not itself.
        eye.distance(at) < 9.0 && nav.cast_ray(eye, at).is_none_or(|hit| hit.distance(at) < 0.75)
    };
    for (monster, mut visibility) in &mut monsters {
        *visibility = if sees(monster.0) { Visibility::Inherited } else { Visibility::Hidden };
    }
    for cell in grid.bounds().cells() {
        let position = TilePos::new(cell.x as u32, cell.y as u32);
        if tiles.get(&position).is_none() && sees(cell) {
            let tone = if grid.is_walkable(KindId::default(), cell) { 0.2 } else { 0.45 };
            let (tilemap_id, color) = (TilemapId(layer), TileColor(Color::hsl(30.0, 0.3, tone)));
            let tile = TileBundle { position, tilemap_id, color, ..default() };
            tiles.set(&position, commands.spawn(tile).id());
        }
    }
}
