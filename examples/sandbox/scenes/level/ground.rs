//! The ground that was found: a tile on each cell that can be walked on, in the colour of its floor, and the links.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{BakedGround, GridTransform, LinkEnd},
};

use super::{LevelSettings, SCENE};
use crate::{scene3d::SceneBuilder, theme};

/// On the tiles of a floor: its grid.
#[derive(Component)]
pub(super) struct Tiles(Entity);

/// How much smaller a tile is than a cell, as a share of its side, and how high it lies above the ground.
const GAP: f32 = 0.1;
const LIFT: f32 = 0.04;
const COLORS: [Color; 4] = [theme::FRIEND, theme::SKY, theme::PREY, theme::CLOSED[1]];

/// Lays new tiles on the floors that have changed, and takes those away of floors that are gone.
pub(super) fn tint_changed(
    floors: Query<(Ref<NavGrid>, &GridTransform)>,
    ground: Query<&BakedGround>,
    tiles: Query<(Entity, &Tiles)>,
    settings: Res<LevelSettings>,
    mut builder: SceneBuilder,
) {
    let found: Vec<Entity> = ground.iter().flat_map(|it| it.floors.iter().copied()).collect();
    let is_old = |floor: Entity| match floors.get(floor) {
        Ok((nav, _)) => nav.is_changed() || settings.is_changed() || !found.contains(&floor),
        Err(_) => true,
    };
    for (entity, _) in tiles.iter().filter(|(_, tiles)| is_old(tiles.0)) {
        builder.commands.entity(entity).despawn();
    }
    for (number, &floor) in found.iter().enumerate().filter(|(_, floor)| settings.cells && is_old(**floor)) {
        let Ok((nav, place)) = floors.get(floor) else { continue };
        let walkable = nav.bounds().cells().filter(|&cell| nav.is_walkable(KindId::default(), cell));
        let triangles: Vec<[Vec3; 3]> = walkable.flat_map(|cell| tile(&nav, place, cell)).collect();
        if triangles.is_empty() {
            continue;
        }
        let mesh = builder.triangles(&triangles);
        let paint = builder.paint(COLORS[number % COLORS.len()].mix(&theme::GROUND, 0.45));
        builder.commands.spawn((Tiles(floor), mesh, paint, Transform::default(), SCENE.despawn_on_exit()));
    }
}

/// The two triangles of the tile on a cell.
fn tile(nav: &NavGrid, place: &GridTransform, cell: GridCell) -> [[Vec3; 3]; 2] {
    let height = nav.elevation(cell) + LIFT / place.cell_size();
    let at = |x: f32, y: f32| place.to_world(cell.center() + Vec2::new(x, y) * (1.0 - GAP) / 2.0, height);
    let [a, mut b, c, mut d] = [at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, 1.0), at(1.0, -1.0)];
    if (b - a).cross(c - a).y < 0.0 {
        std::mem::swap(&mut b, &mut d);
    }
    [[a, b, c], [a, c, d]]
}

/// Draws the links between floors, and the jumps.
pub(super) fn draw_links(
    links: Query<&NavLink>,
    floors: NavQuery,
    settings: Res<LevelSettings>,
    mut gizmos: Gizmos,
) {
    if !settings.cells {
        return;
    }
    let end = |end: &LinkEnd| floors.center(end.grid, end.cells.min);
    for link in &links {
        if let (Some(from), Some(to)) = (end(&link.from), end(&link.to)) {
            let top = from.midpoint(to).with_y(from.y.max(to.y) + 0.5);
            gizmos.linestrip([from, top, to], theme::OPENED.with_alpha(0.5));
        }
    }
}
