//! Thinning: cells are taken away as long as that changes neither the holes nor the connections of what is left.
//!
//! A cell is *simple* if taking it away leaves as many pieces and as many holes as before, which its eight neighbours
//! alone tell: those that are left hang together round the cell, and a side of it is open (T. Y. Kong and A. Rosenfeld,
//! "Digital Topology: Introduction and Survey", Computer Vision, Graphics, and Image Processing 48, 1989). Without
//! simple cells, what is left are rings round holes, and lines between cells that were kept.

use crate::grid::{CellRect, Direction, GridCell};

/// Cells of a rectangle, with what thinning does with each.
pub(super) struct Thinning {
    rect: CellRect,
    width: usize,
    /// Row by row.
    roles: Vec<Role>,
    /// Whether two cells that meet only at a corner hang together.
    joins_corners: bool,
}

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

impl Thinning {
    /// All cells of the rectangle gone.
    pub(super) fn new(rect: CellRect, joins_corners: bool) -> Self {
        let width = (rect.max.x - rect.min.x + 1) as usize;
        let height = (rect.max.y - rect.min.y + 1) as usize;
        Self { rect, width, roles: vec![Role::Gone; width * height], joins_corners }
    }

    pub(super) fn set(&mut self, cell: GridCell, role: Role) {
        if let Some(index) = self.index(cell) {
            self.roles[index] = role;
        }
    }

    /// What a cell is; a cell outside the rectangle is gone.
    pub(super) fn role(&self, cell: GridCell) -> Role {
        self.index(cell).map_or(Role::Gone, |index| self.roles[index])
    }

    /// Takes loose cells away until none is simple. `order` lists the loose cells: of those that are simple the first
    /// goes first.
    pub(super) fn run(&mut self, order: &[GridCell]) {
        // A cell that was not simple in its turn is looked at again when a neighbour goes. Cells whose turn is to come
        // need no second look: their turn comes.
        let mut seen = vec![false; self.roles.len()];
        let mut open = Vec::new();
        for &cell in order {
            open.push(cell);
            while let Some(cell) = open.pop() {
                let Some(index) = self.index(cell) else { continue };
                seen[index] = true;
                if self.roles[index] != Role::Loose || !self.is_simple(cell) {
                    continue;
                }
                self.roles[index] = Role::Gone;
                let around = Direction::ALL.map(|direction| cell.step(direction));
                open.extend(around.into_iter().filter(|&cell| self.index(cell).is_some_and(|i| seen[i])));
            }
        }
    }

    fn is_simple(&self, cell: GridCell) -> bool {
        let left = Direction::ALL.map(|direction| self.role(cell.step(direction)) != Role::Gone);
        if self.joins_corners { is_one_run(left.map(|is_left| !is_left)) } else { is_one_run(left) }
    }

    fn index(&self, cell: GridCell) -> Option<usize> {
        let CellRect { min, max } = self.rect;
        let is_inside = (min.x..=max.x).contains(&cell.x) && (min.y..=max.y).contains(&cell.y);
        is_inside.then(|| (cell.y - min.y) as usize * self.width + (cell.x - min.x) as usize)
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
