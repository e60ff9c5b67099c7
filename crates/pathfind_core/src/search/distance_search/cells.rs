//! What the search by single cells reads beforehand: which neighbours of each cell are walkable, and what it costs.

use super::{DistanceScratch, MIXED};
use crate::grid::{Bitmap, Cliffs, Grid, KindId, ones};
use crate::search::costs::StepCosts;

impl DistanceScratch {
    /// Reads which neighbours are walkable, and not beyond a cliff.
    pub(super) fn begin(&mut self, grid: &Grid, rows: &Bitmap, cliffs: Option<&Cliffs>) {
        let width = grid.width() as usize;
        self.masks.clear();
        self.masks.resize(width * grid.height() as usize, 0);
        read_masks(rows, width, &mut self.masks);
        let Some(cliffs) = cliffs else { return };
        for (y, masks) in (0..).zip(self.masks.chunks_exact_mut(width)) {
            for (x, masks) in (0..).step_by(64).zip(masks.chunks_mut(64)) {
                for bit in ones(cliffs.near_word(y, x) & rows.word(y, x)) {
                    masks[bit] &= !cliffs.beyond(x + bit as i32, y);
                }
            }
        }
    }

    /// Sets the code of each cell; returns the costs of a straight and of a diagonal step for each code. `borders` are
    /// the cells whose surroundings cost something else, and those at cliffs.
    pub(super) fn read_codes(
        &mut self,
        (grid, kind): (&Grid, KindId),
        borders: &Bitmap,
        costs: &StepCosts,
    ) -> Vec<[u64; 2]> {
        let mut pairs = Vec::new();
        let mut of_class = [0; 256];
        for (class, code) in
            of_class.iter_mut().enumerate().filter(|&(class, _)| grid.has_cost_class(kind, class as u8))
        {
            let pair = costs.by_class[class].map(u64::from);
            *code = pairs.iter().position(|&other| other == pair).unwrap_or_else(|| {
                pairs.push(pair);
                pairs.len() - 1
            }) as u16;
        }
        self.codes.clear();
        let mut buffer = Vec::new();
        for y in 0..grid.height() as i32 {
            let classes = grid.cost_classes(kind).row(y as usize).values(&mut buffer);
            let borders = borders.line(y);
            self.codes.extend((0..grid.width() as usize).map(|x| {
                let is_border = borders[x / 64 + 1] >> (x % 64) & 1 != 0;
                of_class[usize::from(classes[x])] | if is_border { MIXED } else { 0 }
            }));
        }
        pairs
    }
}

/// Writes which neighbours are walkable for every walkable cell, row by row.
fn read_masks(rows: &Bitmap, width: usize, masks: &mut [u8]) {
    /// The bits of the cells of a word and of the cell before and after it.
    const WHOLE: u128 = (1 << 66) - 1;
    for (line, out) in (0..).zip(masks.chunks_exact_mut(width)) {
        let lines = [line - 1, line, line + 1].map(|line| rows.line(line));
        for (word, out) in (1..).zip(out.chunks_mut(64)) {
            if lines[1][word] == 0 {
                continue;
            }
            let windows = lines.map(|words| {
                u128::from(words[word - 1] >> 63)
                    | u128::from(words[word]) << 1
                    | u128::from(words[word + 1] & 1) << 65
            });
            if windows == [WHOLE; 3] {
                out.fill(u8::MAX);
                continue;
            }
            let [mut above, mut middle, mut below] = windows;
            for mask in out {
                let beside = (middle & 1 | middle >> 1 & 2) as u8;
                *mask = (above & 7) as u8 | beside << 3 | (below as u8) << 5;
                (above, middle, below) = (above >> 1, middle >> 1, below >> 1);
            }
        }
    }
}
