//! The map, drawn as one textured rectangle; only changed cells are repainted.

use bevy::{
    asset::RenderAssetUsages,
    ecs::system::SystemParam,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    sprite_render::AlphaMode2d,
};
use bevy_pathfind::{
    prelude::*,
    world::{Grid, GridTransform},
};

use pathfind_core::Direction;

use crate::theme;

/// Bricks: a terrain of the sandbox. It blocks a kind of agent only if that kind says so.
pub(crate) const BRICK: Terrain = Terrain(20);
/// Steel, likewise.
pub(crate) const STEEL: Terrain = Terrain(21);
/// Grass and sand: ground that looks so.
pub(crate) const GRASS: Terrain = Terrain(22);
pub(crate) const SAND: Terrain = Terrain(23);

/// Put it beside a `NavGrid`, and the grid is drawn.
#[derive(Component, Default)]
#[require(Visibility)]
pub(crate) struct GridPicture {
    drawn: Option<Drawn>,
}

struct Drawn {
    /// The revision of the grid that it shows.
    revision: u64,
    image: Handle<Image>,
    /// Texels along each side of a cell.
    texels: u32,
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (draw_grids, repaint_changed_cells).chain());
}

/// Z coordinates of the layers.
pub(crate) mod layer {
    pub(crate) const GROUND: f32 = 0.0;
    pub(crate) const CELLS: f32 = 1.0;
    pub(crate) const ACTORS: f32 = 10.0;
}

/// Texels along each side of a cell.
pub(crate) const TEXELS: u32 = 4;
/// On a map with more cells than this, a cell is one texel, without edges and shadows.
const DETAILED: u32 = 400 * 400;

/// Creates pictures of grids.
#[derive(SystemParam)]
pub(crate) struct Pictures<'w> {
    pub images: ResMut<'w, Assets<Image>>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
}

impl Pictures<'_> {
    /// An image over all cells of a grid, for a child of the grid's entity.
    pub(crate) fn over(
        &mut self,
        (nav, place): (&NavGrid, Transform),
        image: Handle<Image>,
        height: f32,
    ) -> (Mesh2d, MeshMaterial2d<ColorMaterial>) {
        let alpha_mode = if height == layer::GROUND { AlphaMode2d::Opaque } else { AlphaMode2d::Blend };
        let material = ColorMaterial { texture: Some(image), alpha_mode, ..default() };
        let mesh = self.meshes.add(quad(nav, place, height));
        (Mesh2d(mesh), MeshMaterial2d(self.materials.add(material)))
    }
}

fn draw_grids(
    mut commands: Commands,
    mut drawn: Query<(Entity, &NavGrid, &Transform, &mut GridPicture), Added<GridPicture>>,
    mut pictures: Pictures,
) {
    for (entity, nav, &place, mut picture) in &mut drawn {
        let grid = nav.grid();
        let texels = if grid.width() * grid.height() > DETAILED { 1 } else { TEXELS };
        let image = pictures.images.add(picture_of(grid, grid.bounds(), texels));
        commands.spawn((ChildOf(entity), pictures.over((nav, place), image.clone(), layer::GROUND)));
        picture.drawn = Some(Drawn { revision: nav.revision(), image, texels });
    }
}

fn repaint_changed_cells(
    mut pictures: Query<(&NavGrid, &mut GridPicture), Changed<NavGrid>>,
    mut images: ResMut<Assets<Image>>,
) {
    for (nav, mut picture) in &mut pictures {
        let Some(drawn) = &mut picture.drawn else { continue };
        let before = std::mem::replace(&mut drawn.revision, nav.revision());
        if before == nav.revision() {
            continue;
        }
        let bounds = nav.grid().bounds();
        let changed: Vec<_> = nav.changes_since(before).map_or_else(|| vec![bounds], |all| all.collect());
        let Some(mut image) = images.get_mut(&drawn.image) else { continue };
        let Some(data) = &mut image.data else { continue };
        // A wall's shade depends on cells that are up to `DEPTH` away.
        for cell in changed.into_iter().flat_map(|rect| rect.grown(DEPTH).cells()) {
            paint_cell(data, nav.grid(), (cell, bounds), drawn.texels);
        }
    }
}

/// A picture of a part of a grid: what lies round the part decides on its edges and shadows.
pub(crate) fn picture_of(grid: &Grid, part: CellRect, texels: u32) -> Image {
    let size = IVec2::new(part.max.x - part.min.x + 1, part.max.y - part.min.y + 1).as_uvec2();
    let mut image = blank_image(size * texels);
    if let Some(data) = &mut image.data {
        part.cells().for_each(|cell| paint_cell(data, grid, (cell, part), texels));
    }
    image
}

/// A transparent image of this size, with nearest sampling.
pub(crate) fn blank_image(size: UVec2) -> Image {
    let mut image = Image::new_fill(
        Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 },
        TextureDimension::D2,
        &[0, 0, 0, 0],
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    );
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Nearest,
        min_filter: ImageFilterMode::Linear,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

/// A rectangle over all cells of a grid, in the frame of the grid's entity.
fn quad(nav: &NavGrid, transform: Transform, height: f32) -> Mesh {
    let (place, back) = (GridTransform::new(nav, transform), transform.to_matrix().inverse());
    let size = nav.grid().size().as_vec2();
    let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let positions = corners.map(|corner| {
        let world = place.to_world(corner * size, 0.0) + Vec3::Z * height;
        back.transform_point3(world).to_array()
    });
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.to_vec())
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, corners.map(|corner| corner.to_array()).to_vec())
        .with_inserted_indices(Indices::U32(vec![0, 1, 2, 0, 2, 3]))
}

/// The cells at a given Chebyshev distance.
pub(crate) fn ring(cell: GridCell, far: i32) -> impl Iterator<Item = GridCell> {
    let all = (-far..=far).flat_map(move |dy| (-far..=far).map(move |dx| (dx, dy)));
    all.filter(move |(dx, dy)| dx.abs().max(dy.abs()) == far)
        .map(move |(dx, dy)| GridCell::new(cell.x + dx, cell.y + dy))
}

fn is_open(grid: &Grid, cell: GridCell) -> bool {
    grid.is_walkable(KindId::default(), cell) && !matches!(grid.terrain(cell), Some(BRICK | STEEL))
}

/// Paints the texels of a cell of the pictured part of a grid: its terrain, an edge where a wall borders walkable
/// terrain, and the shadow of that wall.
fn paint_cell(data: &mut [u8], grid: &Grid, (cell, part): (GridCell, CellRect), texels: u32) {
    let Some(terrain) = grid.terrain(cell).filter(|_| part.contains(cell)) else { return };
    let width = (part.max.x - part.min.x + 1) as usize;
    let open = is_open(grid, cell);
    let opposite = |dx: i32, dy: i32| is_open(grid, GridCell::new(cell.x + dx, cell.y + dy)) != open;
    let (fill, edge) = if open {
        let floor = floor(grid, cell, terrain);
        (floor, floor.mix(&theme::VOID, 0.28))
    } else {
        wall(grid, cell, terrain)
    };
    let [plain, grooved, edge] =
        [fill, fill.mix(&theme::VOID, 0.25), edge].map(|color| color.to_srgba().to_u8_array());
    let fence = theme::OPENED.to_srgba().to_u8_array();
    let last = texels as i32 - 1;
    for y in 0..texels as i32 {
        for x in 0..texels as i32 {
            // The direction of the neighbour that this texel touches, along both axes.
            let (dx, dy) = ((x == last) as i32 - (x == 0) as i32, (y == last) as i32 - (y == 0) as i32);
            let at_edge = texels > 1
                && ((dx != 0 && opposite(dx, 0))
                    || (dy != 0 && opposite(0, dy))
                    || (dx != 0 && dy != 0 && opposite(dx, dy)));
            let color = if texels > 1 && is_fence(grid, cell, dx, dy) {
                fence
            } else if at_edge {
                edge
            } else if is_grooved(terrain, cell, x, y) {
                grooved
            } else {
                plain
            };
            let column = (cell.x - part.min.x) as usize * texels as usize + x as usize;
            let row = (cell.y - part.min.y) as usize * texels as usize + y as usize;
            let at = (row * width * texels as usize + column) * 4;
            data[at..at + 4].copy_from_slice(&color);
        }
    }
}

/// Whether a texel of a cell that touches the neighbours in these directions lies on a fence.
fn is_fence(grid: &Grid, cell: GridCell, dx: i32, dy: i32) -> bool {
    let sides =
        [(dx > 0, Direction::E), (dx < 0, Direction::W), (dy > 0, Direction::S), (dy < 0, Direction::N)];
    sides.into_iter().any(|(is_there, side)| is_there && grid.has_fence(cell, side))
}

/// Approximate number of tiles along the longer side of the map.
const TILES: u32 = 24;

/// The colour of walkable terrain: the higher the cost, the browner; in tiles that give a sense of scale.
fn floor(grid: &Grid, cell: GridCell, terrain: Terrain) -> Color {
    let tile = (grid.size().max_element() + TILES / 2).div_euclid(TILES).max(1) as i32;
    let is_lifted = (cell.x / tile + cell.y / tile) % 2 != 0;
    let base = match terrain {
        Terrain::SHALLOW => theme::SHALLOW,
        GRASS => theme::GROUND.mix(&theme::GROWTH_EDGE, 0.3),
        SAND => theme::GROUND.mix(&theme::OPENED, 0.2),
        _ => theme::GROUND,
    };
    let cost = grid.cost(KindId::default(), cell).unwrap_or(1.0);
    let heavy = ((cost - 1.0) / 8.0).clamp(0.0, 1.0);
    base.mix(&theme::WALL, if is_lifted { 0.05 } else { 0.0 }).mix(&theme::HEAVY, heavy)
}

/// How many cells deep a wall is shaded, and the darkness at each depth.
const DEPTH: i32 = 3;
const DARKNESS: [f32; DEPTH as usize] = [0.2, 0.42, 0.6];

/// The colours of a blocked cell and of its edge. Walls grow darker from their edge inwards, down to the colour of
/// the void.
fn wall(grid: &Grid, cell: GridCell, terrain: Terrain) -> (Color, Color) {
    let rim = theme::WALL.mix(&theme::TEXT, 0.35);
    match terrain {
        BRICK => (theme::BRICK, theme::BRICK_EDGE),
        STEEL => (theme::WALL.mix(&theme::VOID, 0.2), rim),
        Terrain::TREES => (theme::GROWTH, theme::GROWTH_EDGE),
        Terrain::WATER => (theme::WATER, theme::WATER_EDGE),
        _ => {
            let has = |far: i32, what: &dyn Fn(GridCell) -> bool| ring(cell, far).any(what);
            let is_behind_trees =
                || (1..=DEPTH).any(|far| has(far, &|near| grid.terrain(near) == Some(Terrain::TREES)));
            let depth = (1..=DEPTH).find(|&far| has(far, &|near| is_open(grid, near)));
            let depth = depth.filter(|&depth| depth == 1 || !is_behind_trees());
            let darkness = depth.map_or(1.0, |depth| DARKNESS[depth as usize - 1]);
            (theme::WALL.mix(&theme::VOID, darkness), rim)
        }
    }
}

/// Whether a texel of a blocked cell is darker than others: joints between bricks, rivets, waves.
fn is_grooved(terrain: Terrain, cell: GridCell, x: i32, y: i32) -> bool {
    match terrain {
        // Courses one cell high, of bricks two cells long; every other course is shifted by one cell.
        BRICK => y == 0 || (x == 0 && (cell.x + cell.y) % 2 == 0),
        STEEL => (x, y) == (1, 1) && (cell.x + cell.y) % 2 == 0,
        Terrain::WATER => y == 1 && (x + 2 * cell.x + 3 * cell.y) % 7 < 3,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_has_an_edge_and_throws_a_shadow() {
        let grid = Grid::from_ascii(".#\n.#\n").unwrap();
        let data = picture_of(&grid, grid.bounds(), 4).data.unwrap();
        // Of the third row of texels, which is eight texels wide.
        let at = |x: usize| &data[(2 * 8 + x) * 4..][..4];
        assert_eq!(at(1), theme::GROUND.to_srgba().to_u8_array(), "open ground is plain");
        assert_ne!(at(3), at(1), "beside the wall it is darker");
        assert!(at(4)[0] > at(1)[0], "the wall begins with its edge");
        assert!(at(6)[0] < at(4)[0], "and goes on darker");
    }
}
