//! Cells whose cheapest paths a jump point search notes as its runs pass them.

use core::cell::RefCell;

use super::ends::{Axis, Ends};
use crate::grid::{CellRect, GridCell};
use crate::search::nodes::Node;

/// Direct paths are tried if there are at most this many cells.
const FEW: usize = 16;

/// Cells that runs pass without stopping, with the cheapest path to each so far. As they stop no run, none of them has
/// an effect on the search, nor on the path to another one.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    /// The cells, sorted by row and then by column.
    cells: Vec<Node>,
    /// The same with rows and columns exchanged.
    by_column: Vec<Node>,
    rect: Option<CellRect>,
    /// One bit for each row, and for each column: whether it has any of the cells.
    lines: [Vec<u64>; 2],
    /// For each cell the cost of the cheapest path found so far, and the parent; `u64::MAX` if there is none.
    paths: RefCell<Vec<(u64, Node)>>,
}

impl Arrivals {
    pub(crate) fn new(mut cells: Vec<Node>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        let mut by_column: Vec<Node> = cells.iter().map(|node| Node::new(node.y(), node.x())).collect();
        by_column.sort_unstable();
        let points = cells.iter().map(|node| CellRect::new(node.cell(), node.cell()));
        let rect = points.reduce(CellRect::union);
        let mut lines = [Vec::new(), Vec::new()];
        for node in &cells {
            for (bits, line) in lines.iter_mut().zip([node.y() as usize, node.x() as usize]) {
                bits.resize(bits.len().max(line / 64 + 1), 0u64);
                bits[line / 64] |= 1 << (line % 64);
            }
        }
        let paths = vec![(u64::MAX, Node::new(0, 0)); cells.len()];
        Self { cells, by_column, rect, lines, paths: RefCell::new(paths) }
    }

    /// The cost of the cheapest path to a cell so far, and the parent; `None` if there is none.
    pub(crate) fn path(&self, node: Node) -> Option<(u64, Node)> {
        let index = self.cells.binary_search(&node).ok()?;
        Some(self.paths.borrow()[index]).filter(|&(g, _)| g < u64::MAX)
    }

    /// The cost of the dearest of the paths; `u64::MAX` if a cell has none.
    pub(crate) fn greatest_cost(&self) -> u64 {
        self.paths.borrow().iter().map(|&(g, _)| g).max().unwrap_or(0)
    }

    /// The cells, sorted by row and then by column.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.cells
    }

    fn has_line(&self, axis: Axis, line: i32) -> bool {
        let line = line as usize;
        self.lines[axis as usize].get(line / 64).is_some_and(|word| word >> (line % 64) & 1 != 0)
    }
}

impl Ends for &Arrivals {
    const STOPS: bool = false;

    #[inline]
    fn contains(&self, cell: GridCell) -> bool {
        self.rect.is_some_and(|rect| rect.contains(cell))
            && self.has_line(Axis::Row, cell.y)
            && self.cells.binary_search(&cell.into()).is_ok()
    }

    #[inline]
    fn lines(&self, axis: Axis) -> (i32, u32) {
        self.rect.map_or((0, 0), |rect| axis.lines(rect))
    }

    #[inline]
    fn first_before<const UP: bool>(&self, axis: Axis, line: i32, i: i32, stop: i32) -> Option<i32> {
        if !self.has_line(axis, line) {
            return None;
        }
        let sorted = if axis == Axis::Row { &self.cells } else { &self.by_column };
        let place = Node::new(i, line).next_on_line::<UP>(sorted)?;
        (if UP { place < stop } else { stop < place }).then_some(place)
    }

    fn nearest(&self, _: GridCell, _: impl Fn(u32, u32) -> u64) -> Option<GridCell> {
        None
    }

    fn arrive_directly(&self, parent: Node, direct: impl Fn(GridCell) -> Option<u64>) -> bool {
        self.cells.len() <= FEW
            && self.cells.iter().fold(true, |all, &node| {
                let g = direct(node.cell());
                g.inspect(|&g| self.arrive(node, parent, g));
                all & g.is_some()
            })
    }

    fn arrive(&self, node: Node, parent: Node, g: u64) {
        let Ok(index) = self.cells.binary_search(&node) else { return };
        let path = &mut self.paths.borrow_mut()[index];
        if g < path.0 {
            *path = (g, parent);
        }
    }
}
