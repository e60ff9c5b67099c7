//! What a search knows of each cell: cost so far, parent, open or closed.

use crate::grid::Cell;

/// A cell in 32 bits: row in the upper half, column in the lower.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    pub(crate) fn cell(self) -> Cell {
        Cell::new(self.x(), self.y())
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl From<Cell> for Node {
    fn from(cell: Cell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

/// The nodes of one search, in 12 bytes a cell.
///
/// Nothing is cleared between searches. A record is one number: the search's stamp, an "open" bit and
/// the cost so far, from the top down. Stamps count down, so that a record of an older search is
/// larger than any of this one, and a closed one smaller than any open one; one comparison decides
/// whether a cell is new, improved, or to be left alone.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    width: usize,
    records: Vec<u64>,
    parents: Vec<Node>,
    stamp: u64,
}

impl Nodes {
    const OPEN: u64 = 1 << 43;
    const COST: u64 = Self::OPEN - 1;
    /// The dearest path that a record holds; more is beyond every limit.
    pub(crate) const MAX_COST: u64 = Self::COST;
    const STAMP_SHIFT: u32 = 44;
    const FRESH: u64 = u64::MAX >> Self::STAMP_SHIFT;

    /// Makes room for a search on a grid of this size.
    pub(crate) fn begin(&mut self, width: u32, height: u32) {
        self.width = width as usize;
        let len = width as usize * height as usize;
        if self.records.len() < len {
            self.records.resize(len, u64::MAX);
            self.parents.resize(len, Node(0));
        }
        if self.stamp == 0 {
            self.records.fill(u64::MAX);
            self.stamp = Self::FRESH;
        }
        self.stamp -= 1;
    }

    #[inline]
    fn index(&self, node: Node) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    /// Takes a path to a node that costs `g` if it is the first or cheaper than the one known, and the
    /// node is not closed. `None` if it is not taken, else whether the node was known before.
    #[inline]
    pub(crate) fn improve(&mut self, node: Node, g: u64, parent: Node) -> Option<bool> {
        debug_assert!(g <= Self::COST, "costs stay below 2^43 units");
        let index = self.index(node);
        let record = self.stamp << Self::STAMP_SHIFT | Self::OPEN | g;
        let old = self.records[index];
        if record >= old {
            return None;
        }
        self.records[index] = record;
        self.parents[index] = parent;
        Some(old >> Self::STAMP_SHIFT == self.stamp)
    }

    /// Whether a path that costs `g` would be taken.
    #[inline]
    pub(crate) fn improves(&self, node: Node, g: u64) -> bool {
        (self.stamp << Self::STAMP_SHIFT | Self::OPEN | g) < self.records[self.index(node)]
    }

    /// Replaces the path to an open node, be it dearer.
    pub(crate) fn replace(&mut self, node: Node, g: u64, parent: Node) {
        let index = self.index(node);
        self.records[index] = self.stamp << Self::STAMP_SHIFT | Self::OPEN | g;
        self.parents[index] = parent;
    }

    /// Whether this search has closed a node.
    #[inline]
    pub(crate) fn is_closed(&self, node: Node) -> bool {
        let record = self.records[self.index(node)];
        record & Self::OPEN == 0 && record >> Self::STAMP_SHIFT == self.stamp
    }

    /// Closes an open node and returns its cost.
    #[inline]
    pub(crate) fn close(&mut self, node: Node) -> u64 {
        let index = self.index(node);
        let record = &mut self.records[index];
        debug_assert_eq!(*record >> Self::STAMP_SHIFT, self.stamp, "only known nodes are closed");
        *record &= !Self::OPEN;
        *record & Self::COST
    }

    /// The cost of the best known path to a node of this search.
    #[inline]
    pub(crate) fn g(&self, node: Node) -> u64 {
        self.records[self.index(node)] & Self::COST
    }

    #[inline]
    pub(crate) fn parent(&self, node: Node) -> Node {
        self.parents[self.index(node)]
    }
}

impl Default for Nodes {
    fn default() -> Self {
        Self { width: 0, records: Vec::new(), parents: Vec::new(), stamp: Self::FRESH }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_sees_nothing_of_the_last() {
        let mut nodes = Nodes::default();
        let (a, b) = (Node::new(0, 0), Node::new(3, 2));
        nodes.begin(4, 3);
        assert_eq!(nodes.improve(b, 7, a), Some(false), "it is new");
        assert_eq!(nodes.improve(b, 7, b), None, "equal is not better");
        assert_eq!(nodes.improve(b, 5, b), Some(true), "it was known");
        assert_eq!((nodes.g(b), nodes.parent(b)), (5, b));
        assert!(nodes.improves(b, 4) && !nodes.improves(b, 5) && !nodes.is_closed(b));
        assert_eq!(nodes.close(b), 5);
        assert!(nodes.is_closed(b) && !nodes.improves(b, 1));
        assert_eq!(nodes.improve(b, 1, a), None, "closed nodes stay as they are");
        nodes.begin(4, 3);
        assert!(!nodes.is_closed(b));
        assert_eq!(nodes.improve(b, 1_000, a), Some(false), "it is new again");
    }

    #[test]
    fn stamps_wrap_round() {
        let mut nodes = Nodes::default();
        nodes.begin(1, 1);
        nodes.improve(Node::new(0, 0), 0, Node::new(0, 0));
        nodes.stamp = 0;
        nodes.begin(1, 1);
        assert_eq!(nodes.improve(Node::new(0, 0), 9, Node::new(0, 0)), Some(false));
    }
}
