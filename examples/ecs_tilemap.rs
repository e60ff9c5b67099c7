//! A tilemap of `bevy_ecs_tilemap` that agents walk on: click a tile to change it, and paths follow at once.
//!
//! `cargo run --release --example ecs_tilemap --features ecs_tilemap`
//!
//! The grid is a component of the tilemap's own entity, so that both move together. The material of a tile is a
//! component of the tile; one system writes changes of it to the grid.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_ecs_tilemap::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveSettings, world::GridTransform};

const TILE: f32 = 32.0;
const SIZE: UVec2 = UVec2::new(24, 12);

/// The material of a tile.
#[derive(Component, Clone, Copy, PartialEq)]
enum Material {
    Grass,
    Wall,
    Water,
}

impl Material {
    fn terrain(self) -> Terrain {
        match self {
            Self::Grass => Terrain::GROUND,
            Self::Wall => Terrain::WALL,
            Self::Water => Terrain::WATER,
        }
    }

    fn color(self) -> TileColor {
        TileColor(match self {
            Self::Grass => examples::GROUND,
            Self::Wall => examples::WALL,
            Self::Water => Color::srgb_u8(0x2b, 0x5d, 0x8f),
        })
    }

    fn next(self) -> Self {
        match self {
            Self::Grass => Self::Wall,
            Self::Wall => Self::Water,
            Self::Water => Self::Grass,
        }
    }
}

/// The tilemap, as a source of terrain for a grid.
#[derive(SystemParam)]
struct Map<'w, 's> {
    layer: Single<'w, 's, (Entity, &'static TileStorage)>,
    materials: Query<'w, 's, &'static Material>,
}

impl Map<'_, '_> {
    fn terrain(&self, cell: GridCell) -> Terrain {
        let tile = self.layer.1.checked_get(&TilePos { x: cell.x as u32, y: cell.y as u32 });
        let material = tile.and_then(|tile| self.materials.get(tile).ok());
        material.map_or(Terrain::WALL, |material| material.terrain())
    }
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, TilemapPlugin, PathfindPlugins::default()))
        .insert_resource(NavGizmos { paths: true, ..default() })
        .insert_resource(SolveSettings { seek_shortcuts: true, ..default() })
        .add_systems(Startup, (lay_tiles, lay_grid, send_agents).chain())
        .add_systems(Update, (change_tile, follow_tiles).chain())
        .add_observer(walk_back)
        .run();
}

fn lay_tiles(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    commands.spawn((Camera2d, Transform::from_translation((SIZE.as_vec2() * TILE / 2.0).extend(0.0))));
    let layer = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(SIZE.into());
    for (x, y) in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| (x, y))) {
        let material = match (x, y) {
            (8, 2..10) | (16, 0..5) => Material::Wall,
            (11..14, 5..9) => Material::Water,
            _ => Material::Grass,
        };
        let position = TilePos { x, y };
        let look = TileBundle { position, tilemap_id: TilemapId(layer), ..default() };
        storage.set(&position, commands.spawn((look, material)).id());
    }
    // One white tile, tinted with the colour of each material.
    let white = Image::new_fill(
        Extent3d { width: TILE as u32, height: TILE as u32, depth_or_array_layers: 1 },
        TextureDimension::D2,
        &[255; 4],
        TextureFormat::Rgba8UnormSrgb,
        default(),
    );
    commands.entity(layer).insert(TilemapBundle {
        size: SIZE.into(),
        storage,
        texture: TilemapTexture::Single(images.add(white)),
        tile_size: Vec2::splat(TILE).into(),
        grid_size: Vec2::splat(TILE).into(),
        // So the tilemap's origin is its outer corner, as the grid's is.
        anchor: TilemapAnchor::BottomLeft,
        ..default()
    });
}

fn lay_grid(map: Map, mut commands: Commands) -> Result {
    commands
        .entity(map.layer.0)
        .insert(NavGrid::from_fn(SIZE.x, SIZE.y, |cell| map.terrain(cell))?.with_cell_size(TILE));
    Ok(())
}

fn send_agents(mut commands: Commands) {
    for (row, color) in [(1.0, examples::FRIEND), (6.0, examples::PREY), (10.0, examples::HUNTER)] {
        let [start, goal] =
            [Vec2::new(0.5, row + 0.5), Vec2::new(23.5, 11.5 - row)].map(|at| (at * TILE).extend(1.0));
        let look = Sprite::from_color(color, Vec2::splat(TILE * 0.5));
        let place = Transform::from_translation(start);
        commands.spawn((Agent::new(5.0 * TILE).with_radius(0.4 * TILE), look, place, PathRequest::to(goal)));
    }
}

/// A click changes a tile to the next material.
fn change_tile(
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    grid: Single<(&NavGrid, &GridTransform, &TileStorage)>,
    mut materials: Query<&mut Material>,
) {
    let (camera, eye) = *camera;
    let (nav, place, storage) = *grid;
    let pointer = window.cursor_position().filter(|_| mouse.just_pressed(MouseButton::Left));
    let Some(at) = pointer.and_then(|pointer| camera.viewport_to_world_2d(eye, pointer).ok()) else { return };
    let GridCell { x, y } = place.cell_at(at.extend(0.0));
    let tile = nav.grid().contains(GridCell::new(x, y)).then_some(TilePos { x: x as u32, y: y as u32 });
    if let Some(mut material) =
        tile.and_then(|tile| storage.get(&tile)).and_then(|tile| materials.get_mut(tile).ok())
    {
        *material = material.next();
    }
}

/// Writes changed tiles to the grid, and tints them.
fn follow_tiles(
    mut changed: Query<(&Material, &TilePos, &mut TileColor), Changed<Material>>,
    mut grid: Single<&mut NavGrid>,
) -> Result {
    for (material, &TilePos { x, y }, mut color) in &mut changed {
        *color = material.color();
        let cell = GridCell::new(x as i32, y as i32);
        grid.set(cell, material.terrain())?;
    }
    Ok(())
}

/// Sends an agent that has arrived back to the other side.
fn walk_back(arrived: On<AgentArrived>, places: Query<&Transform>, mut commands: Commands) -> Result {
    let at = places.get(arrived.entity)?.translation;
    let goal = (SIZE.as_vec2() * TILE).extend(2.0) - at;
    commands.entity(arrived.entity).insert(PathRequest::to(goal));
    Ok(())
}
