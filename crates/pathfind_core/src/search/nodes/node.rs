//! A cell as searches write it down.

use crate::grid::{Direction, GridCell};

/// A cell of the grid in 32 bits: row in the upper 16, column in the lower 16.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    #[inline]
    pub(crate) fn new(x: i32, y: i32) -> Self {
        Self((y as u32) << 16 | x as u32)
    }

    #[inline]
    pub(crate) fn x(self) -> i32 {
        (self.0 & 0xffff) as i32
    }

    #[inline]
    pub(crate) fn y(self) -> i32 {
        (self.0 >> 16) as i32
    }

    #[inline]
    pub(crate) fn cell(self) -> GridCell {
        GridCell::new(self.x(), self.y())
    }

    #[inline]
    pub(crate) fn neighbor(self, direction: Direction) -> Self {
        let (dx, dy) = direction.offset();
        Self(self.0.wrapping_add(((dy << 16) + dx) as u32))
    }

    /// The column of the next node of this row among sorted nodes, towards larger indices (`UP`) or smaller ones.
    #[inline]
    pub(crate) fn next_on_line<const UP: bool>(self, sorted: &[Self]) -> Option<i32> {
        let found = if UP {
            sorted.get(sorted.partition_point(|&node| node <= self))
        } else {
            sorted[..sorted.partition_point(|&node| node < self)].last()
        };
        found.filter(|node| node.y() == self.y()).map(|node| node.x())
    }

    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl From<GridCell> for Node {
    #[inline]
    fn from(cell: GridCell) -> Self {
        Self::new(cell.x, cell.y)
    }
}
