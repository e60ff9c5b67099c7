//! The ground of the endless world: for every cell of the plane its terrain, from the seed alone.

use bevy_pathfind::{prelude::*, world::Grid};

use crate::{
    grid_picture::{GRASS, SAND},
    rng::{mixed, share},
};

/// Cells along the side of a chunk.
pub(super) const SIDE: i32 = 64;

/// The landscape of a seed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Landscape(pub u64);

impl Landscape {
    /// The terrain of a cell: lakes in the hollows, woods and grass where it is wet, marsh and sand round the lakes.
    pub(super) fn terrain(self, cell: GridCell) -> Terrain {
        let height =
            0.65 * self.noise(cell, 52, 1) + 0.25 * self.noise(cell, 23, 2) + 0.1 * self.noise(cell, 9, 3);
        let growth = 0.6 * self.noise(cell, 31, 4) + 0.4 * self.noise(cell, 7, 5);
        match (height, growth) {
            (..0.34, _) => Terrain::WATER,
            (..0.37, _) => Terrain::SHALLOW,
            (..0.43, 0.45..) => Terrain::weight(3),
            (_, 0.66..) => Terrain::TREES,
            (..0.42, _) => SAND,
            (_, 0.45..) => GRASS,
            _ => Terrain::GROUND,
        }
    }

    /// A grid of the cells of a chunk, and of so many more on each side.
    pub(super) fn chunk(self, chunk: GridCell, margin: i32) -> Grid {
        let side = (SIDE + 2 * margin) as u32;
        let corner = GridCell::new(chunk.x * SIDE - margin, chunk.y * SIDE - margin);
        Grid::from_fn(side, side, |cell| self.terrain(GridCell::new(corner.x + cell.x, corner.y + cell.y)))
            .expect("the size of a chunk is one of a grid")
    }

    /// Smooth noise from 0 to 1, with hills of so many cells: random values on a lattice, blended between its points.
    fn noise(self, cell: GridCell, spacing: i32, octave: u64) -> f32 {
        let split = |at: i32| (at.div_euclid(spacing), at.rem_euclid(spacing) as f32 / spacing as f32);
        let ((column, x), (row, y)) = (split(cell.x), split(cell.y));
        let value = |dx: i32, dy: i32| self.value(column + dx, row + dy, octave);
        let smooth = |at: f32| at * at * (3.0 - 2.0 * at);
        let blend = |from: f32, to: f32, at: f32| from + (to - from) * smooth(at);
        blend(blend(value(0, 0), value(1, 0), x), blend(value(0, 1), value(1, 1), x), y)
    }

    /// The random value of a point of the lattice, from 0 to 1.
    fn value(self, column: i32, row: i32, octave: u64) -> f32 {
        let place = u64::from(column as u32) << 32 | u64::from(row as u32);
        let seed = self.0.wrapping_add(octave).wrapping_mul(0xd6e8_feb8_6659_fd93);
        share(mixed(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_continues_its_neighbours() {
        let land = Landscape(3);
        let (west, wide) = (land.chunk(GridCell::new(-1, 2), 0), land.chunk(GridCell::new(0, 2), 1));
        for y in 0..SIDE {
            assert_eq!(
                west.terrain(GridCell::new(SIDE - 1, y)),
                wide.terrain(GridCell::new(0, y + 1)),
                "row {y}"
            );
        }
    }

    #[test]
    fn most_of_the_world_can_be_walked_on() {
        for seed in [0, 1, 2, 3, u64::MAX] {
            let land = Landscape(seed);
            let cells = (-100..100).flat_map(|y| (-100..100).map(move |x| GridCell::new(5 * x, 5 * y)));
            let is_open = |cell: &GridCell| !matches!(land.terrain(*cell), Terrain::WATER | Terrain::TREES);
            let open = cells.filter(is_open).count();
            assert!((20_000..38_000).contains(&open), "{open} of 40,000 cells are open");
        }
    }
}
