//! Sets of edges between cells: where fences stand, where cliffs are, and which edges have a rule.

use glam::DVec2;

use super::{Bitmap, CellRect, Direction, GridCell};

/// A set of edges between the cells of a grid.
#[derive(Clone, Debug)]
pub(crate) struct EdgeSet {
    /// For each cell whether the edge to the next cell of its row is in the set.
    pub(super) east: Bitmap,
    /// The same for the next cell of its column; along rows, too.
    pub(super) south: Bitmap,
}

/// The edge of a cell to the next cell of its row or column.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) cell: GridCell,
    /// To the next cell of the column, not of the row.
    pub(crate) is_south: bool,
}

impl Edge {
    /// The edge at a straight side of a cell; `None` for a diagonal direction.
    pub(crate) fn beside(cell: GridCell, direction: Direction) -> Option<Self> {
        let is_south = matches!(direction, Direction::N | Direction::S);
        let is_far = matches!(direction, Direction::N | Direction::W);
        (!direction.is_diagonal())
            .then(|| Self { cell: if is_far { cell.step(direction) } else { cell }, is_south })
    }

    /// The direction from its cell over the edge.
    pub(crate) const fn direction(self) -> Direction {
        if self.is_south { Direction::S } else { Direction::E }
    }

    /// The cells on its two sides.
    pub(crate) const fn cells(self) -> [GridCell; 2] {
        [self.cell, self.cell.step(self.direction())]
    }

    /// Its ends, in grid space: of the smaller coordinates, and of the greater ones.
    pub(crate) fn ends(self) -> [DVec2; 2] {
        let corner = DVec2::new(f64::from(self.cell.x), f64::from(self.cell.y)) + 1.0;
        [corner - if self.is_south { DVec2::X } else { DVec2::Y }, corner]
    }
}

impl EdgeSet {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let none = Bitmap::new(height, width);
        Self { east: none.clone(), south: none }
    }

    const fn bits(&self, is_south: bool) -> &Bitmap {
        if is_south { &self.south } else { &self.east }
    }

    /// Whether an edge between two cells of the grid is in the set.
    pub(super) fn has(&self, Edge { cell, is_south }: Edge) -> bool {
        self.bits(is_south).get(cell.y, cell.x)
    }

    /// Adds an edge between two cells of the grid, or takes it away.
    pub(super) fn put(&mut self, Edge { cell: GridCell { x, y }, is_south }: Edge, is_in: bool) {
        let bits = if is_south { &mut self.south } else { &mut self.east };
        let (word, bit) = (bits.word(y, x), 1 << (x & 63));
        bits.set_word(y, x, if is_in { word | bit } else { word & !bit });
    }

    /// Gives back the memory of what has become empty in a rectangle.
    pub(super) fn release(&mut self, rect: CellRect) {
        [&mut self.east, &mut self.south].into_iter().for_each(|bits| bits.release(rect));
    }

    /// See [`Bitmap::moved`].
    pub(super) fn moved(&self, width: u32, height: u32, [columns, rows]: [isize; 2]) -> Self {
        let [east, south] = [&self.east, &self.south].map(|bits| bits.moved(height, width, [rows, columns]));
        Self { east, south }
    }

    /// The edges at any side of a cell of a rectangle, row by row; first those between cells of a row.
    pub(crate) fn around(&self, rect: CellRect) -> impl Iterator<Item = Edge> {
        [false, true].into_iter().flat_map(move |is_south| {
            let bits = self.bits(is_south);
            let (before, above) = (i32::from(!is_south), i32::from(is_south));
            let min = GridCell::new(rect.min.x.saturating_sub(before), rect.min.y.saturating_sub(above));
            let (first, end) = (min.x.max(0), rect.max.x.saturating_add(1).min(bits.len() as i32));
            (min.y.max(0)..=rect.max.y.min(bits.lines() - 1)).flat_map(move |y| {
                let next = move |x: i32| Some(bits.next(y, x, 1, true, end)).filter(|&x| x < end);
                let columns =
                    std::iter::successors(Some(first).filter(|&x| x < end).and_then(next), move |&x| {
                        next(x + 1)
                    });
                columns.map(move |x| Edge { cell: GridCell::new(x, y), is_south })
            })
        })
    }

    /// Whether an edge of the set lies between two cells of a rectangle, which lies on the grid.
    pub(crate) fn are_within(&self, CellRect { min, max }: CellRect) -> bool {
        let holds = |bits: &Bitmap, y: i32, end: i32| bits.next(y, min.x, 1, true, end) < end;
        (min.y..=max.y).any(|y| holds(&self.east, y, max.x) || y < max.y && holds(&self.south, y, max.x + 1))
    }

    /// The cells of a word from whose 3×3 cells an edge of the set leads to another of them.
    pub(super) fn near_word(&self, y: i32, x: i32) -> u64 {
        let word = x as usize / 64 + 1;
        let all = |bits: &Bitmap, lines: &[i32], word: usize| {
            lines.iter().fold(0, |all, &line| all | bits.line(line)[word])
        };
        let [before, east] = [word - 1, word].map(|word| all(&self.east, &[y - 1, y, y + 1], word));
        let [left, south, right] = [word - 1, word, word + 1].map(|word| all(&self.south, &[y - 1, y], word));
        east | east << 1 | before >> 63 | south | south << 1 | left >> 63 | south >> 1 | right << 63
    }
}
