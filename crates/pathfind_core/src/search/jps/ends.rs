//! The cells where jump point search may end: one goal, or any of several. A run stops at the first of them.

use crate::grid::{CellRect, GridCell};
use crate::search::nodes::Node;
use crate::search::targets::Targets;

/// Whether a scan runs along a row or along a column.
#[derive(Copy, Clone, PartialEq)]
pub(crate) enum Axis {
    Row,
    Column,
}

impl Axis {
    /// The line of this axis on which a cell lies, and the cell's place on it.
    #[inline]
    pub(super) fn line_and_place(self, cell: GridCell) -> (i32, i32) {
        match self {
            Self::Row => (cell.y, cell.x),
            Self::Column => (cell.x, cell.y),
        }
    }

    /// The first line that meets a rectangle, and the number of them.
    #[inline]
    pub(super) fn lines(self, CellRect { min, max }: CellRect) -> (i32, u32) {
        let [(first, _), (last, _)] = [min, max].map(|cell| self.line_and_place(cell));
        (first, last.abs_diff(first) + 1)
    }
}

pub(crate) trait Ends {
    /// Whether a run stops at an end. If not, it notes the path to each end that it passes
    /// ([`arrive`](Self::arrive)), and the search ends by another condition.
    const STOPS: bool = true;

    fn contains(&self, cell: GridCell) -> bool;

    /// A range of lines that holds all ends: the first line, and how many there are.
    fn lines(&self, axis: Axis) -> (i32, u32);

    /// The first end beyond place `i` of a line, towards larger indices (`UP`) or smaller ones, and before
    /// `stop`. A line is a row, and a place a column, or the other way round.
    fn first_before<const UP: bool>(&self, axis: Axis, line: i32, i: i32, stop: i32) -> Option<i32>;

    /// The end to which a path without walls is cheapest, by an estimate from the offsets in columns and rows. `None`
    /// if there are too many to look at each.
    fn nearest(&self, from: GridCell, estimate: impl Fn(u32, u32) -> u64) -> Option<GridCell>;

    /// Notes a path to an end, if runs do not stop there.
    fn arrive(&self, _end: Node, _parent: Node, _g: u64) {}

    /// Notes the paths without detours from a node to the ends, which `direct` finds, if runs do not stop at the ends
    /// and there are few. Returns whether all ends have such a path: no other path from the node is cheaper.
    fn arrive_directly(&self, _parent: Node, _direct: impl Fn(GridCell) -> Option<u64>) -> bool {
        false
    }
}

impl Ends for GridCell {
    #[inline]
    fn contains(&self, cell: GridCell) -> bool {
        *self == cell
    }

    #[inline]
    fn lines(&self, axis: Axis) -> (i32, u32) {
        (axis.line_and_place(*self).0, 1)
    }

    #[inline]
    fn first_before<const UP: bool>(&self, axis: Axis, line: i32, i: i32, stop: i32) -> Option<i32> {
        let (own_line, place) = axis.line_and_place(*self);
        let lies_between = if UP { i < place && place < stop } else { stop < place && place < i };
        (own_line == line && lies_between).then_some(place)
    }

    fn nearest(&self, _: GridCell, _: impl Fn(u32, u32) -> u64) -> Option<GridCell> {
        Some(*self)
    }
}

impl Ends for &Targets {
    #[inline]
    fn contains(&self, cell: GridCell) -> bool {
        Targets::contains(self, cell.into())
    }

    #[inline]
    fn lines(&self, axis: Axis) -> (i32, u32) {
        axis.lines(self.bounds())
    }

    #[inline]
    fn first_before<const UP: bool>(&self, axis: Axis, line: i32, i: i32, stop: i32) -> Option<i32> {
        let place = self.first_beyond::<UP>(axis == Axis::Column, line, i)?;
        (if UP { place < stop } else { stop < place }).then_some(place)
    }

    fn nearest(&self, from: GridCell, estimate: impl Fn(u32, u32) -> u64) -> Option<GridCell> {
        self.few()?.min_by_key(|cell| estimate(cell.x.abs_diff(from.x), cell.y.abs_diff(from.y)))
    }
}
