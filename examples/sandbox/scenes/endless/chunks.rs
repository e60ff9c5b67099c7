//! The chunks of the endless world: loaded where they are needed, painted, and unloaded.

use bevy::{
    platform::collections::{HashMap, HashSet},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_pathfind::prelude::*;

use super::{
    EndlessSettings, Herds, SCENE, SHOWN,
    terrain::{Landscape, SIDE},
};
use crate::{
    grid_picture::{Pictures, TEXELS, layer, picture_of, ring},
    theme,
    view::View,
};

/// How many chunks at most are loaded in a frame: the nearest come first.
const LOADS: usize = 3;
/// The widest part of the world that is shown, in cells: so that not too many chunks are loaded.
pub(super) const WIDEST: f32 = 10.0 * SIDE as f32;
/// How far beyond what is needed a chunk stays, in chunks.
const SLACK: i32 = 1;
/// How many cells round a chunk its picture is computed from.
const MARGIN: i32 = 3;

/// The chunks that are loaded, by their column and row.
#[derive(Resource, Default)]
pub(super) struct Chunks {
    pub(super) land: Landscape,
    pub(super) loaded: HashMap<GridCell, Entity>,
    pub(super) loads: u32,
}

impl Chunks {
    /// A place near a point where an animal can stand.
    pub(super) fn open_place(&self, near: Vec2) -> Vec2 {
        open_places(self.land, near, 1).next().unwrap_or(near)
    }

    /// Spawns the grid of a chunk, at its place.
    pub(super) fn load(&mut self, chunk: GridCell, commands: &mut Commands) {
        let corner = Vec3::new((chunk.x * SIDE) as f32, (chunk.y * SIDE) as f32, layer::GROUND);
        let grid = commands.spawn((
            Name::new(format!("Chunk {}, {}", chunk.x, chunk.y)),
            NavGrid::new(self.land.chunk(chunk, 0)),
            Transform::from_translation(corner),
            Visibility::default(),
            Unpainted,
            SCENE.despawn_on_exit(),
        ));
        self.loaded.insert(chunk, grid.id());
    }
}

/// Places round a point where animals can stand, two cells apart.
pub(super) fn open_places(land: Landscape, near: Vec2, count: usize) -> impl Iterator<Item = Vec2> {
    let middle = near.floor() + 0.5;
    (0..80)
        .flat_map(|far| ring(GridCell::default(), far))
        .map(move |at| middle + 2.0 * Vec2::new(at.x as f32, at.y as f32))
        .filter(move |&at| !matches!(land.terrain(GridCell::containing(at)), Terrain::WATER | Terrain::TREES))
        .take(count)
}

/// On a chunk whose picture has still to be painted.
#[derive(Component)]
pub(super) struct Unpainted;

/// Over a chunk that has just been painted: it fades, so that the chunk fades in.
#[derive(Component)]
pub(super) struct Veil;

/// How long a chunk takes to fade in, in seconds.
const FADE: f32 = 0.6;

pub(super) fn lift_veils(
    mut veils: Query<(Entity, &mut Sprite), With<Veil>>,
    time: Res<Time<Real>>,
    mut commands: Commands,
) {
    for (veil, mut sprite) in &mut veils {
        let alpha = sprite.color.alpha() - time.delta_secs() / FADE;
        sprite.color.set_alpha(alpha.max(0.0));
        if alpha <= 0.0 {
            commands.entity(veil).try_despawn();
        }
    }
}

/// The chunks in view, and those round the herds.
pub(super) fn needed(herds: &Herds, settings: &EndlessSettings, shown: Rect) -> HashSet<GridCell> {
    let chunks = |rect: Rect, more: i32| {
        let chunk = |at: Vec2| (at / SIDE as f32).floor().as_ivec2();
        let (min, max) = (chunk(rect.min) - more, chunk(rect.max) + more);
        CellRect::new(GridCell::new(min.x, min.y), GridCell::new(max.x, max.y)).cells()
    };
    let round_herds = herds
        .herds
        .iter()
        .flat_map(|herd| chunks(Rect { min: herd.center, max: herd.center }, settings.reach as i32));
    round_herds.chain(chunks(shown, 0)).collect()
}

/// Loads chunks that are needed, paints their pictures, and unloads those that are not needed any more.
pub(super) fn stream(
    mut commands: Commands,
    (mut chunks, herds): (ResMut<Chunks>, Res<Herds>),
    (settings, view): (Res<EndlessSettings>, Res<View>),
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    unpainted: Query<(Entity, &NavGrid, &Transform), With<Unpainted>>,
    mut pictures: Pictures,
) {
    let shown = window.map_or(Rect::from_center_size(view.center, SHOWN), |window| view.shown(window.size()));
    let needed = needed(&herds, &settings, shown);
    let middle = |chunk: GridCell| (Vec2::new(chunk.x as f32, chunk.y as f32) + 0.5) * SIDE as f32;
    let far = |chunk: GridCell| middle(chunk).distance_squared(view.center);
    let mut missing: Vec<GridCell> =
        needed.iter().copied().filter(|chunk| !chunks.loaded.contains_key(chunk)).collect();
    missing.sort_unstable_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
    for chunk in missing.into_iter().take(LOADS) {
        chunks.load(chunk, &mut commands);
        chunks.loads += 1;
    }
    let mut unpainted: Vec<_> = unpainted.iter().collect();
    let place = |at: &Transform| at.translation.truncate() + SIDE as f32 / 2.0;
    unpainted.sort_by(|a, b| {
        place(a.2).distance_squared(view.center).total_cmp(&place(b.2).distance_squared(view.center))
    });
    for (entity, nav, &transform) in unpainted.into_iter().take(LOADS) {
        let corner = (transform.translation.truncate() / SIDE as f32).round().as_ivec2();
        let land = chunks.land.chunk(GridCell::new(corner.x, corner.y), MARGIN);
        let part =
            CellRect::new(GridCell::new(MARGIN, MARGIN), GridCell::new(MARGIN + SIDE - 1, MARGIN + SIDE - 1));
        let image = pictures.images.add(picture_of(&land, part, TEXELS));
        let drawn = pictures.over((nav, transform), image, layer::GROUND);
        let veil = Sprite::from_color(theme::VOID, Vec2::splat(SIDE as f32 + 0.1));
        let middle = Transform::from_xyz(SIDE as f32 / 2.0, SIDE as f32 / 2.0, layer::CELLS);
        commands.entity(entity).try_remove::<Unpainted>().with_child(drawn).with_child((Veil, veil, middle));
    }
    // Last, so that no picture is added to a chunk that is gone.
    let is_near =
        |chunk: GridCell| CellRect::new(chunk, chunk).grown(SLACK).cells().any(|near| needed.contains(&near));
    chunks.loaded.retain(|&chunk, &mut entity| {
        let stays = is_near(chunk);
        if !stays {
            commands.entity(entity).try_despawn();
        }
        stays
    });
}
