//! The terrain classes of a grid in as few bits as its number of different classes allows.

use super::Classes;

/// The terrain class of each cell, row by row, as an index into a palette. An index takes as many bits as the palette
/// needs: none where all cells have one class.
#[derive(Clone, Debug)]
pub(super) struct PackedTerrain {
    /// The classes, in the order in which they were first met. A class of which no cell is left stays.
    palette: Vec<u8>,
    /// The lowest bit of each cell's index, 64 cells to a word, then the next bit of each, and so on.
    planes: Vec<u64>,
    /// The words of each bit.
    words: usize,
}

impl PackedTerrain {
    pub(super) fn of(terrain: &Classes) -> Self {
        let (rows, row_len) = (terrain.rows(), terrain.row_len());
        let words = (rows * row_len).div_ceil(64);
        let mut packed = Self { palette: vec![terrain.get(0, 0)], planes: Vec::new(), words };
        for row in 0..rows {
            let values = terrain.row(row);
            for column in 0..row_len {
                packed.set(row * row_len + column, values[column]);
            }
        }
        packed.planes.shrink_to_fit();
        packed
    }

    /// The class of a cell, given by its place in the order of rows.
    pub(super) fn get(&self, cell: usize) -> u8 {
        let bits = self.planes.chunks_exact(self.words).map(|plane| plane[cell / 64] >> (cell % 64) & 1);
        self.palette[bits.rev().fold(0, |index, bit| index << 1 | bit as usize)]
    }

    pub(super) fn set(&mut self, cell: usize, class: u8) {
        let known = self.palette.iter().position(|&it| it == class);
        let index = known.unwrap_or_else(|| {
            self.palette.push(class);
            self.palette.len() - 1
        });
        if index >> (self.planes.len() / self.words) > 0 {
            self.planes.resize(self.planes.len() + self.words, 0);
        }
        for (bit, plane) in self.planes.chunks_exact_mut(self.words).enumerate() {
            let word = &mut plane[cell / 64];
            *word = *word & !(1 << (cell % 64)) | (index as u64 >> bit & 1) << (cell % 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Terrain;
    use super::*;
    use crate::steer::CounterRng;

    #[test]
    fn packed_classes_are_as_they_were_set() {
        let mut rng = CounterRng::new(8, 0, 0);
        for classes in [1, 2, 3, 4, 5, 16, 17, 256] {
            let (rows, row_len) = (1 + rng.below(70) as usize, 1 + rng.below(70) as usize);
            let mut terrain = Classes::new(rows, row_len, Terrain::VOID.0);
            for cell in 0..rows * row_len {
                terrain.set(cell / row_len, cell % row_len, rng.below(classes) as u8);
            }
            let mut packed = PackedTerrain::of(&terrain);
            for _ in 0..200 {
                let (cell, class) = (rng.below((rows * row_len) as u32) as usize, rng.below(256) as u8);
                terrain.set(cell / row_len, cell % row_len, class);
                packed.set(cell, class);
            }
            for cell in 0..rows * row_len {
                assert_eq!(packed.get(cell), terrain.get(cell / row_len, cell % row_len));
            }
        }
    }
}
