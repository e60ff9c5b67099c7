//! The field of battle: a river with a bridge and a ford, a wood, a village.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::{grid_picture::BRICK, rng::SplitMix64};

/// The size of the field, in cells.
pub(super) const SIZE: IVec2 = IVec2::new(104, 58);
/// The columns of the river, and how far it swings to either side.
const RIVER: (i32, i32) = (50, 55);
const SWING: f32 = 2.5;
/// The rows of the bridge and of the ford.
const BRIDGE: core::ops::Range<i32> = 26..32;
const FORD: core::ops::Range<i32> = 6..14;
/// The lower left cells of the houses of the village, and their size.
const HOUSES: [(i32, i32); 7] = [(66, 22), (75, 20), (67, 30), (76, 29), (85, 25), (68, 37), (78, 37)];
const HOUSE: (i32, i32) = (5, 4);
/// The middles of the woods, and their radii.
const WOODS: [(f32, f32, f32); 4] =
    [(31.0, 46.0, 8.0), (20.0, 9.0, 7.0), (66.0, 50.0, 6.0), (88.0, 8.0, 7.0)];
/// The share of the cells of a wood that have a tree.
const TREES: f32 = 0.17;

/// The place of the map: its middle is the origin.
pub(super) fn corner() -> Transform {
    Transform::from_translation((SIZE.as_vec2() / -2.0).extend(0.0))
}

/// The map. The seed says where the trees stand.
pub(super) fn grid(seed: u64) -> Grid {
    let mut rng = SplitMix64(seed);
    let trees: Vec<bool> = (0..SIZE.x * SIZE.y).map(|_| rng.in_range(0.0..1.0) < TREES).collect();
    Grid::from_fn(SIZE.x as u32, SIZE.y as u32, |cell| {
        let swing = (bevy::math::ops::sin(cell.y as f32 * 0.16) * SWING).round() as i32;
        let is_in = |x: i32, y: i32, size: (i32, i32)| {
            (x..x + size.0).contains(&cell.x) && (y..y + size.1).contains(&cell.y)
        };
        let is_wood = |&(x, y, radius): &(f32, f32, f32)| cell.center().distance(Vec2::new(x, y)) < radius;
        if (RIVER.0 + swing..RIVER.1 + swing).contains(&cell.x) {
            return match cell.y {
                y if BRIDGE.contains(&y) => BRICK,
                y if FORD.contains(&y) => Terrain::SHALLOW,
                _ => Terrain::WATER,
            };
        }
        if HOUSES.iter().any(|&(x, y)| is_in(x, y, HOUSE)) {
            return Terrain::WALL;
        }
        let has_tree = trees[(cell.y * SIZE.x + cell.x) as usize];
        if has_tree && WOODS.iter().any(is_wood) { Terrain::TREES } else { Terrain::GROUND }
    })
    .expect("the field is no giant")
}
