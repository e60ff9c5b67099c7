//! Fences: walls without width, on the edge between two cells. No agent steps over a fence, sees through it or touches
//! it, as if it were a wall; the cells on both sides stay free.
//!
//! ```text
//!   a | b     a fence between a and b: no step leads from one to the other. It ends at the corner of the four cells,
//!     +       so that no diagonal step through the corner is legal either, from a to d or from b to c: each would cut
//!   c   d     the end of the fence, whatever the corner rule. From a to c, c to d and d to b all steps are legal
//! ```
//!
//! For a kind of one cell a fence between passable cells is a [cliff](super::cliffs): so all that honours cliffs
//! honours fences. A wider agent may not stand where a fence runs between two cells that it covers, or where it would
//! touch a fence on the way to the next cell. A fence at the side of a wall changes nothing.

use glam::DVec2;

use super::{Bitmap, CellRect, Direction, Grid, GridCell, GridError};

/// The fences of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Fences {
    /// For each cell whether there is a fence between it and the next cell of its row.
    pub(super) east: Bitmap,
    /// For each cell whether there is a fence between it and the next cell of its column; along rows, too.
    pub(super) south: Bitmap,
}

/// The edge of a cell to the next cell of its row or column, where a fence can stand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) cell: GridCell,
    /// To the next cell of the column, not of the row.
    pub(crate) is_south: bool,
}

impl Fence {
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

impl Fences {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let none = Bitmap::new(height, width);
        Self { east: none.clone(), south: none }
    }

    const fn bits(&self, is_south: bool) -> &Bitmap {
        if is_south { &self.south } else { &self.east }
    }

    /// Whether a fence stands on an edge between two cells of the grid.
    fn has(&self, Fence { cell, is_south }: Fence) -> bool {
        self.bits(is_south).get(cell.y, cell.x)
    }

    /// Puts a fence on an edge between two cells of the grid, or takes it away.
    pub(super) fn put(&mut self, Fence { cell: GridCell { x, y }, is_south }: Fence, is_fenced: bool) {
        let bits = if is_south { &mut self.south } else { &mut self.east };
        let (word, bit) = (bits.word(y, x), 1 << (x & 63));
        bits.set_word(y, x, if is_fenced { word | bit } else { word & !bit });
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

    /// The fences at any side of a cell of a rectangle, row by row; first those between cells of a row.
    pub(crate) fn around(&self, rect: CellRect) -> impl Iterator<Item = Fence> {
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
                columns.map(move |x| Fence { cell: GridCell::new(x, y), is_south })
            })
        })
    }

    /// Whether a fence stands between two cells of a rectangle, which lies on the grid.
    pub(crate) fn are_within(&self, CellRect { min, max }: CellRect) -> bool {
        let holds = |bits: &Bitmap, y: i32, end: i32| bits.next(y, min.x, 1, true, end) < end;
        (min.y..=max.y).any(|y| holds(&self.east, y, max.x) || y < max.y && holds(&self.south, y, max.x + 1))
    }
}

impl Grid {
    /// Puts a fence on the edge between a cell and the next one in a straight direction, or takes it away; returns
    /// whether that changed the grid. A fence is a wall without width, for every kind of agent; it has no direction,
    /// and is the same seen from either cell.
    ///
    /// No step leads over a fence, and no diagonal step past its end, whatever the [`CornerRule`](super::CornerRule).
    /// Lines of sight, rays, discs and bodies stop at it, and agents of more than one cell do not stand across it.
    ///
    /// ```
    /// use pathfind_core::{Direction, Grid, GridCell, KindId, StepRules};
    /// let mut yard = Grid::new(3, 1)?;
    /// let (start, gate) = (GridCell::new(0, 0), GridCell::new(1, 0));
    /// assert!(yard.set_fence(gate, Direction::E, true)?);
    /// assert!(yard.has_fence(GridCell::new(2, 0), Direction::W), "the same edge");
    /// assert!(!yard.connected(KindId::default(), StepRules::default(), start, GridCell::new(2, 0)));
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::DiagonalFence`], and [`GridError::Outside`] if one of the two cells does not lie on the grid.
    pub fn set_fence(
        &mut self,
        cell: GridCell,
        direction: Direction,
        is_fenced: bool,
    ) -> Result<bool, GridError> {
        self.edit(|edit| edit.set_fence(cell, direction, is_fenced))
    }

    /// Whether a fence stands on the edge between a cell and the next one in a direction. `false` for a diagonal
    /// direction, and at the border and outside of the grid.
    #[must_use]
    pub fn has_fence(&self, cell: GridCell, direction: Direction) -> bool {
        self.fences.as_ref().zip(Fence::beside(cell, direction)).is_some_and(|(fences, fence)| {
            fence.cells().into_iter().all(|cell| self.contains(cell)) && fences.has(fence)
        })
    }

    /// The fences, each once: the cell of smaller coordinates, and the direction over the fence, `E` or `S`. First
    /// those between cells of a row, row by row, then those between cells of a column. For saving and drawing.
    pub fn fences(&self) -> impl Iterator<Item = (GridCell, Direction)> {
        self.fences_around(self.bounds()).map(|fence| (fence.cell, fence.direction()))
    }

    /// See [`Fences::around`].
    pub(crate) fn fences_around(&self, rect: CellRect) -> impl Iterator<Item = Fence> {
        self.fences.iter().flat_map(move |fences| fences.around(rect))
    }
}
