//! Cliffs: the edges between passable cells whose heights differ by more than a kind of agent climbs. No step leads over a
//! cliff, neither up nor down, and no diagonal step through a corner at which a cliff ends.
//!
//! ```text
//!   0 0 0     heights of cells, for a climb of 1: the edges between 0 or 1 and 3 are cliffs. From the middle cell
//!   0 0 3     no step leads east, none north-east (a cliff ends at that corner) and none south-east
//!   0 1 3
//! ```
//!
//! Searches treat what lies beyond a cliff as blocked, seen from the cell before it. Jumps stop at every cell that touches
//! a cliff, as they do at borders between terrain costs.

use glam::Vec2;

use super::bitmap::Bitmap;
use super::cell::{Cell, CellRect};
use super::copy_on_write_rows::CopyOnWriteRows;

/// How near to the corner of a cell a segment counts as passing through the corner, in cells.
const CORNER: f64 = 2e-3;

/// The cliffs of one kind of agent.
#[derive(Clone, Debug)]
pub(crate) struct Cliffs {
    /// For each cell whether there is a cliff between it and the next cell of its row.
    east: Bitmap,
    /// For each cell whether there is a cliff between it and the next cell of its column; along rows.
    south: Bitmap,
    /// The number of all cliffs.
    count: u32,
}

impl Cliffs {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let none = Bitmap::new(height, width);
        Self { east: none.clone(), south: none, count: 0 }
    }

    /// The same cliffs on a canvas of other size, so many blocks of 64 cells farther.
    pub(super) fn moved(&self, width: u32, height: u32, [columns, rows]: [isize; 2]) -> Self {
        let by = [64 * rows, columns];
        let [east, south] = [&self.east, &self.south].map(|bits| bits.moved(height, width, by));
        Self { east, south, count: self.count }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Updates the cliffs round a rectangle of cells in which elevation or passable cells have changed.
    pub(super) fn refresh(
        &mut self,
        passable: &Bitmap,
        elevation: &CopyOnWriteRows<f32>,
        climb: f32,
        rect: CellRect,
    ) {
        for y in (rect.min.y - 1).max(0)..=rect.max.y {
            for x in ((rect.min.x - 1).max(0) & !63..=rect.max.x).step_by(64) {
                let [mut east, mut south] = [0, 0];
                let mut left = passable.word(y, x);
                while left != 0 {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    let at = x + bit as i32;
                    let own = elevation.get(y as usize, at as usize);
                    let is_cliff = |to_x: i32, to_y: i32| {
                        passable.get(to_y, to_x)
                            && (elevation.get(to_y as usize, to_x as usize) - own).abs() > climb
                    };
                    east |= u64::from(is_cliff(at + 1, y)) << bit;
                    south |= u64::from(is_cliff(at, y + 1)) << bit;
                }
                for (bits, word) in [(&mut self.east, east), (&mut self.south, south)] {
                    let old = bits.word(y, x);
                    if word != old {
                        self.count = self.count - old.count_ones() + word.count_ones();
                        bits.set_word(y, x, word);
                    }
                }
            }
        }
    }

    /// The neighbours that lie beyond a cliff, as seen from a cell, in the order of [`Bitmap::neighbor_mask`].
    #[inline]
    pub(crate) fn beyond(&self, x: i32, y: i32) -> u8 {
        let [above, middle, below] = [y - 1, y, y + 1].map(|line| self.east.window3(line, x));
        let [north, south] = [y - 1, y].map(|line| self.south.window3(line, x));
        let (w, e, n, s) = (middle, middle >> 1, north >> 1, south >> 1);
        let corners = [w | n | above | north, e | n | above >> 1 | north >> 2];
        let others = [w | s | below | south, e | s | below >> 1 | south >> 2];
        let bits = [corners[0], n, corners[1], w, e, others[0], s, others[1]];
        bits.into_iter().zip(0..).fold(0, |mask, (bit, place)| mask | ((bit & 1) as u8) << place)
    }

    /// Whether a cliff parts a cell from one of its eight neighbours.
    pub(crate) fn are_between(&self, cell: Cell, neighbor: Cell) -> bool {
        let place = 4 + 3 * (neighbor.y - cell.y) + neighbor.x - cell.x;
        let bit = if place > 4 { place - 1 } else { place };
        place != 4 && self.beyond(cell.x, cell.y) >> bit & 1 != 0
    }

    /// Whether a segment of grid space, whose ends are finite, crosses no cliff, and passes no corner at which a cliff ends.
    ///
    /// The cells on the way are visited one by one, as in a ray cast.
    pub(crate) fn lets_pass(&self, from: Vec2, to: Vec2) -> bool {
        let (mut cell, last) = (Cell::containing(from), Cell::containing(to));
        let (start, along) = (from.as_dvec2(), (to - from).as_dvec2());
        let step = Cell::new(along.x.signum() as i32, along.y.signum() as i32);
        // The fraction of the segment at which it leaves the column or the row of a cell.
        let leaves = |at: f64, along: f64, cell: i32| match along {
            0.0 => f64::INFINITY,
            _ => (f64::from(cell + i32::from(along > 0.0)) - at) / along,
        };
        let most = cell.x.abs_diff(last.x) + cell.y.abs_diff(last.y);
        for _ in 0..most {
            if cell == last {
                break;
            }
            let (x, y) = (leaves(start.x, along.x, cell.x), leaves(start.y, along.y, cell.y));
            let at = start + along * x.min(y);
            let is_corner =
                along.x != 0.0 && along.y != 0.0 && (at - at.round()).abs().max_element() < CORNER;
            let next = match (x < y, is_corner) {
                (_, true) => Cell::new(cell.x + step.x, cell.y + step.y),
                (true, false) => Cell::new(cell.x + step.x, cell.y),
                (false, false) => Cell::new(cell.x, cell.y + step.y),
            };
            if self.are_between(cell, next) {
                return false;
            }
            cell = next;
        }
        true
    }

    /// Of the 64 cells of a word those from which any step is kept by a cliff.
    pub(crate) fn near_word(&self, y: i32, x: i32) -> u64 {
        let word = x as usize / 64 + 1;
        let all = |bits: &Bitmap, lines: &[i32], word: usize| {
            lines.iter().fold(0, |all, &line| all | bits.line(line).get(word).copied().unwrap_or(0))
        };
        let [before, east] = [word - 1, word].map(|word| all(&self.east, &[y - 1, y, y + 1], word));
        let [left, south, right] = [word - 1, word, word + 1].map(|word| all(&self.south, &[y - 1, y], word));
        east | east << 1 | before >> 63 | south | south << 1 | left >> 63 | south >> 1 | right << 63
    }

    /// The cliffs along the rows of a block of 64×64 cells: to the next cell of the row, and to that of the column.
    pub(super) fn block(&self, y: i32, x: i32) -> [[u64; 64]; 2] {
        [self.east.block(y, x), self.south.block(y, x)]
    }

    /// The cells of a word from which a cliff leads to the next cell of the row.
    #[inline]
    pub(super) fn east_word(&self, y: i32, x: i32) -> u64 {
        self.east.word(y, x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, KindId, SUCCESSORS, Steps};
    use super::*;
    use crate::steer::CounterRng;

    /// Every step, and every word of cells near cliffs, is as the heights say.
    #[test]
    fn steps_follow_from_elevation() {
        let mut rng = CounterRng::new(3, 0, 0);
        for (width, height) in [(3, 3), (64, 5), (65, 7), (130, 66)] {
            let mut grid = Grid::new(width, height).unwrap().with_elevation(|_| rng.below(3) as f32).unwrap();
            grid.edit(|edit| {
                for cell in edit.bounds().cells() {
                    if rng.below(6) == 0 {
                        edit.set(cell, super::super::Terrain::WALL).unwrap();
                    }
                }
            });
            let kind = KindId::default();
            let is_free = |cell: Cell| grid.is_walkable(kind, cell);
            let is_cliff = |a: Cell, b: Cell| {
                is_free(a) && is_free(b) && (grid.elevation(a) - grid.elevation(b)).abs() > 1.0
            };
            let parts = |cell: Cell, step: super::super::Direction| {
                let to = cell.step(step);
                let [a, b] = [Cell::new(to.x, cell.y), Cell::new(cell.x, to.y)];
                [(cell, a), (cell, b), (a, to), (b, to)].into_iter().any(|(a, b)| is_cliff(a, b))
            };
            let mut near = 0;
            for cell in grid.bounds().cells().filter(|&cell| is_free(cell)) {
                let flat = Steps::default().legal(grid.rows(kind).unwrap(), cell.x, cell.y);
                let found: Vec<_> = grid.steps_from(kind, Steps::default(), cell).collect();
                for (bit, step) in SUCCESSORS.into_iter().enumerate() {
                    let legal = flat >> bit & 1 != 0 && !parts(cell, step);
                    assert_eq!(found.contains(&step), legal, "{step:?} from {cell}");
                }
                let cliffs = grid.cliffs(kind).expect("three heights make cliffs");
                let is_near = SUCCESSORS.into_iter().any(|step| parts(cell, step));
                assert_eq!(cliffs.near_word(cell.y, cell.x) >> (cell.x & 63) & 1 != 0, is_near, "{cell}");
                near += usize::from(is_near);
            }
            assert!(near > 0, "something was tested");
        }
    }
}
