//! The terrain classes of a grid in as few bits as its number of different classes allows.

use super::Classes;

/// The terrain class of each cell, row by row, as an index into a palette. An index takes 0, 1, 2, 4 or 8 bits: none
/// where all cells have one class.
#[derive(Clone, Debug)]
pub(super) struct PackedTerrain {
    /// The classes, in the order in which they were first met. A class of which no cell is left stays.
    palette: Vec<u8>,
    bits: u32,
    /// The indices of 64 / `bits` cells in each word.
    words: Vec<u64>,
    cells: usize,
}

impl PackedTerrain {
    pub(super) fn of(terrain: &Classes) -> Self {
        let (rows, row_len) = (terrain.rows(), terrain.row_len());
        let first = terrain.get(0, 0);
        let mut packed = Self { palette: vec![first], bits: 0, words: Vec::new(), cells: rows * row_len };
        for row in 0..rows {
            let values = terrain.row(row);
            for column in 0..row_len {
                packed.set(row * row_len + column, values[column]);
            }
        }
        packed.words.shrink_to_fit();
        packed
    }

    /// The class of a cell, given by its place in the order of rows.
    pub(super) fn get(&self, cell: usize) -> u8 {
        self.palette[self.index(cell)]
    }

    pub(super) fn set(&mut self, cell: usize, class: u8) {
        let known = self.palette.iter().position(|&it| it == class);
        let index = known.unwrap_or_else(|| {
            self.palette.push(class);
            self.palette.len() - 1
        });
        if index >> self.bits > 0 {
            self.widen();
        }
        if self.bits > 0 {
            let (word, shift) = self.place(cell);
            let mask = ((1 << self.bits) - 1) << shift;
            self.words[word] = self.words[word] & !mask | (index as u64) << shift;
        }
    }

    /// Doubles the number of bits of an index.
    fn widen(&mut self) {
        let bits = (2 * self.bits).max(1);
        let mut words = vec![0; (self.cells * bits as usize).div_ceil(64)];
        let per_word = (64 / bits) as usize;
        for cell in 0..self.cells {
            words[cell / per_word] |= (self.index(cell) as u64) << (cell % per_word * bits as usize);
        }
        (self.bits, self.words) = (bits, words);
    }

    /// The index of a cell's class in the palette.
    fn index(&self, cell: usize) -> usize {
        if self.bits == 0 {
            return 0;
        }
        let (word, shift) = self.place(cell);
        (self.words[word] >> shift & ((1 << self.bits) - 1)) as usize
    }

    /// The word that holds a cell's index, and the index's first bit in it. There must be bits.
    const fn place(&self, cell: usize) -> (usize, usize) {
        let per_word = (64 / self.bits) as usize;
        (cell / per_word, cell % per_word * self.bits as usize)
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
