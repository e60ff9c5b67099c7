//! Thinning: cells are taken away as long as that changes neither the holes nor the connections of what is left.
//!
//! A cell is *simple* if taking it away leaves as many pieces and as many holes as before, which its eight neighbours
//! alone tell: those that are left hang together round the cell, and a side of it is open (T. Y. Kong and A. Rosenfeld,
//! "Digital Topology: Introduction and Survey", Computer Vision, Graphics, and Image Processing 48, 1989). Without
//! simple cells, what is left are rings round holes, and lines between cells that were kept.

use crate::grid::{CellRect, Direction, GridCell};

/// What thinning does with a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The cell counts as a wall.
    Gone,
    /// The cell is taken away if it is simple.
    Loose,
    /// The cell stays.
    Kept,
}

/// A value for every cell of a rectangle.
#[derive(Clone)]
pub(super) struct CellMap<T> {
    rect: CellRect,
    width: usize,
    /// Row by row.
    values: Vec<T>,
}

impl<T: Copy> CellMap<T> {
    pub(super) fn new(rect: CellRect, fill: T) -> Self {
        let width = (rect.max.x - rect.min.x + 1) as usize;
        let height = (rect.max.y - rect.min.y + 1) as usize;
        Self { rect, width, values: vec![fill; width * height] }
    }

    /// The value of a cell; `None` outside the rectangle.
    pub(super) fn get(&self, cell: GridCell) -> Option<T> {
        self.index(cell).map(|index| self.values[index])
    }

    /// Sets the value of a cell of the rectangle; does nothing outside.
    pub(super) fn set(&mut self, cell: GridCell, value: T) {
        if let Some(index) = self.index(cell) {
            self.values[index] = value;
        }
    }

    fn index(&self, cell: GridCell) -> Option<usize> {
        let (x, y) = ((cell.x - self.rect.min.x) as usize, (cell.y - self.rect.min.y) as usize);
        // A negative difference becomes a number that exceeds every width and index.
        (x < self.width)
            .then(|| y.wrapping_mul(self.width).wrapping_add(x))
            .filter(|_| y < self.values.len() / self.width)
    }
}

impl CellMap<Role> {
    /// Takes loose cells away until none is simple. `order` lists the loose cells: of those that are simple the first
    /// goes first. Whether two cells that meet only at a corner hang together, `joins_corners` says.
    pub(super) fn thin(&mut self, order: impl Iterator<Item = GridCell>, joins_corners: bool) {
        // A cell that was not simple in its turn is looked at again when a neighbour goes.
        let mut had_turn = CellMap::new(self.rect, false);
        let mut open = Vec::new();
        for cell in order {
            had_turn.set(cell, true);
            open.push(cell);
            while let Some(cell) = open.pop() {
                if self.get(cell) != Some(Role::Loose) {
                    continue;
                }
                let around = Direction::ALL.map(|direction| cell.step(direction));
                let left = around.map(|cell| self.get(cell).is_some_and(|role| role != Role::Gone));
                if is_one_run(if joins_corners { left.map(|is_left| !is_left) } else { left }) {
                    self.set(cell, Role::Gone);
                    open.extend(around.into_iter().filter(|&cell| had_turn.get(cell) == Some(true)));
                }
            }
        }
    }
}

/// Whether, of the neighbours of a cell, clockwise from E, those of one colour that share a side with the cell hang
/// together by their sides, and some neighbour has the other colour.
fn is_one_run(colour: [bool; 8]) -> bool {
    let sides = (0..8).step_by(2).filter(|&i| colour[i]).count();
    // Two sides next to each other hang together over the corner between them.
    let joints = (1..8).step_by(2).filter(|&i| colour[i - 1] && colour[i] && colour[(i + 1) % 8]).count();
    sides == joints + 1
}
