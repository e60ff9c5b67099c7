//! What a search knows of each cell: cost so far, parent, open or closed.

use crate::grid::{Cell, Grid};

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

/// How far from a node its parent may lie, and so how many bits say where it does.
pub(crate) trait ParentEncoding {
    /// Bits for columns, and as many for rows.
    const AXIS: u32;
    /// Bits below the cost.
    const BITS: u32 = 2 * Self::AXIS;
    /// The dearest path that a record holds; more is beyond every limit.
    const MAX_COST: u64 = (u64::MAX >> Self::BITS) - 1;
}

/// One step at most.
pub(crate) struct AdjacentParent;
/// Anywhere on the grid.
pub(crate) struct AnyParent;
/// Nowhere: parents are not asked for.
pub(crate) struct Nowhere;

impl ParentEncoding for AdjacentParent {
    const AXIS: u32 = 2;
}

impl ParentEncoding for AnyParent {
    const AXIS: u32 = Grid::MAX_SIDE.ilog2() + 1;
}

impl ParentEncoding for Nowhere {
    const AXIS: u32 = 0;
}

/// The nodes of one search, in 8 bytes for each cell that it comes near.
///
/// A record is one number: the cost so far, and below that how far the parent lies from here, column and
/// row. Records lie in blocks of 8×4 cells, each made when the first of its cells is opened: a search
/// takes memory for what it sees of the grid, and the next one has only to strike out the list of its
/// blocks.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// For every block of the grid, row by row.
    slots: Vec<Slot>,
    /// The first is that of all cells not yet near.
    blocks: Vec<Block>,
    /// The slot of each of them but the first.
    used: Vec<u32>,
    /// Blocks in a row of the grid.
    across: usize,
}

/// Where the records of a block are, and which of its cells are closed, one bit each.
#[derive(Copy, Clone, Debug, Default)]
struct Slot {
    block: u32,
    closed: u32,
}

impl Slot {
    #[inline]
    fn is_closed(self, cell: usize) -> bool {
        self.closed >> cell & 1 != 0
    }
}

/// The records of a block: a cache line for each row.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Block([u64; 32]);

impl Block {
    /// Dearer than any path.
    const FRESH: Self = Self([Nodes::FRESH; 32]);
}

impl Nodes {
    const FRESH: u64 = u64::MAX;

    /// Makes room for a search on a grid of this size.
    pub(crate) fn begin(&mut self, width: u32, height: u32) {
        for slot in self.used.drain(..) {
            self.slots[slot as usize] = Slot::default();
        }
        self.across = width.div_ceil(8) as usize;
        let count = self.across * height.div_ceil(4) as usize;
        if self.slots.len() < count {
            self.slots.resize(count, Slot::default());
        }
    }

    /// The slot of a node's block, and the node's place in there.
    #[inline]
    fn place(&self, node: Node) -> (usize, usize) {
        let Node(bits) = node;
        let (row, column) = (bits >> 18, bits >> 3 & 0x1fff);
        (row as usize * self.across + column as usize, (bits >> 13 & 24 | bits & 7) as usize)
    }

    #[inline]
    fn record(&self, node: Node) -> u64 {
        let (slot, cell) = self.place(node);
        self.blocks[self.slots[slot].block as usize].0[cell]
    }

    /// Takes a path to a node that costs `g` if it is the first or cheaper than the one known, and the
    /// node is not closed. `None` if it is not taken, else whether the node was known before.
    #[inline]
    pub(crate) fn relax<L: ParentEncoding>(&mut self, node: Node, g: u64, parent: Node) -> Option<bool> {
        debug_assert!(g <= L::MAX_COST, "costs stay below what a record holds");
        let (at, cell) = self.place(node);
        let slot = self.slots[at];
        let old = self.blocks[slot.block as usize].0[cell];
        if slot.is_closed(cell) || g >= old >> L::BITS {
            return None;
        }
        let record = packed::<L>(node, g, parent);
        if slot.block == 0 {
            self.make_block(at).0[cell] = record;
            return Some(false);
        }
        self.blocks[slot.block as usize].0[cell] = record;
        Some(old != Self::FRESH)
    }

    #[cold]
    fn make_block(&mut self, slot: usize) -> &mut Block {
        self.used.push(slot as u32);
        let index = self.used.len();
        self.slots[slot].block = index as u32;
        match self.blocks.get_mut(index) {
            Some(block) => *block = Block::FRESH,
            None => {
                if index == self.blocks.capacity() {
                    // By an eighth, not twice: memory that nobody needs would be the most of it.
                    let left = self.slots.len() + 1 - index;
                    self.blocks.reserve_exact((index / 8 + 16).min(left));
                }
                self.blocks.push(Block::FRESH);
            }
        }
        &mut self.blocks[index]
    }

    /// What a path to a node has to cost less than to be taken: nothing does if the node is closed.
    #[inline]
    pub(crate) fn acceptance_limit<L: ParentEncoding>(&self, node: Node) -> u64 {
        if self.is_closed(node) { 0 } else { self.g::<L>(node) }
    }

    /// What the path to an open node costs, and where it comes from; `None` if the node is closed.
    #[inline]
    pub(crate) fn open<L: ParentEncoding>(&self, node: Node) -> Option<(u64, Node)> {
        let (at, cell) = self.place(node);
        let slot = self.slots[at];
        debug_assert_ne!(slot.block, 0, "only known nodes are on the open list");
        let record = self.blocks[slot.block as usize].0[cell];
        (!slot.is_closed(cell)).then(|| (record >> L::BITS, parent::<L>(node, record)))
    }

    /// Closes a node.
    #[inline]
    pub(crate) fn close(&mut self, node: Node) {
        let (slot, cell) = self.place(node);
        self.slots[slot].closed |= 1 << cell;
    }

    /// Sets the path to a node, be it dearer than the one known.
    pub(crate) fn relink<L: ParentEncoding>(&mut self, node: Node, g: u64, parent: Node) {
        let (slot, cell) = self.place(node);
        let block = match self.slots[slot].block {
            0 => self.make_block(slot),
            block => &mut self.blocks[block as usize],
        };
        block.0[cell] = packed::<L>(node, g, parent);
    }

    /// Whether this search has closed a node.
    #[inline]
    pub(crate) fn is_closed(&self, node: Node) -> bool {
        let (slot, cell) = self.place(node);
        self.slots[slot].is_closed(cell)
    }

    /// The cost of the best known path to a node; more than any costs if none is known.
    #[inline]
    pub(crate) fn g<L: ParentEncoding>(&self, node: Node) -> u64 {
        self.record(node) >> L::BITS
    }

    #[inline]
    pub(crate) fn parent<L: ParentEncoding>(&self, node: Node) -> Node {
        parent::<L>(node, self.record(node))
    }
}

impl Default for Nodes {
    fn default() -> Self {
        Self { slots: Vec::new(), blocks: vec![Block::FRESH], used: Vec::new(), across: 0 }
    }
}

/// The record of a path to a node.
#[inline]
fn packed<L: ParentEncoding>(node: Node, g: u64, parent: Node) -> u64 {
    let mask = (1 << L::AXIS) - 1;
    let columns = (parent.x() - node.x()) as u32 & mask;
    let rows = (parent.y() - node.y()) as u32 & mask;
    g << L::BITS | u64::from(rows << L::AXIS | columns)
}

/// Where a record's path comes from.
#[inline]
fn parent<L: ParentEncoding>(node: Node, record: u64) -> Node {
    let signed = |end: u32| ((record as u32) << (32 - end)) as i32 >> (32 - L::AXIS);
    Node::new(node.x() + signed(L::AXIS), node.y() + signed(L::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_sees_nothing_of_the_last() {
        let mut nodes = Nodes::default();
        let (a, b) = (Node::new(0, 0), Node::new(13, 6));
        nodes.begin(14, 7);
        assert_eq!(nodes.relax::<AnyParent>(b, 7, a), Some(false), "it is new");
        assert_eq!(nodes.relax::<AnyParent>(b, 7, b), None, "equal is not better");
        assert_eq!(nodes.relax::<AnyParent>(b, 5, a), Some(true), "it was known");
        assert_eq!((nodes.acceptance_limit::<AnyParent>(b), nodes.parent::<AnyParent>(b)), (5, a));
        assert!(!nodes.is_closed(b));
        assert_eq!(nodes.open::<AnyParent>(b), Some((5, a)));
        nodes.close(b);
        assert!(nodes.is_closed(b) && nodes.open::<AnyParent>(b).is_none());
        assert_eq!(nodes.acceptance_limit::<AnyParent>(b), 0);
        assert_eq!(nodes.relax::<AnyParent>(b, 1, a), None, "closed nodes stay as they are");
        nodes.begin(14, 7);
        assert!(!nodes.is_closed(b));
        assert_eq!(nodes.relax::<AdjacentParent>(b, 1_000, Node::new(12, 5)), Some(false), "it is new again");
        assert_eq!(nodes.parent::<AdjacentParent>(b), Node::new(12, 5));
        nodes.begin(3, 40);
        assert_eq!(
            nodes.acceptance_limit::<AdjacentParent>(Node::new(2, 39)),
            AdjacentParent::MAX_COST + 1,
            "nor on another grid"
        );
    }

    #[test]
    fn parents_lie_in_every_direction_and_as_far_as_grids_reach() {
        let mut nodes = Nodes::default();
        let last = Grid::MAX_SIDE as i32 - 1;
        let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|(x, y)| Node::new(x, y));
        nodes.begin(Grid::MAX_SIDE, Grid::MAX_SIDE);
        for (from, to) in corners.into_iter().flat_map(|from| corners.map(|to| (from, to))) {
            nodes.relax::<AnyParent>(from, 1, from);
            nodes.relink::<AnyParent>(from, AnyParent::MAX_COST, to);
            assert_eq!(
                (nodes.g::<AnyParent>(from), nodes.parent::<AnyParent>(from)),
                (AnyParent::MAX_COST, to)
            );
        }
        let middle = Node::new(9, 9);
        nodes.relax::<AdjacentParent>(middle, 1, middle);
        for step in (8..=10).flat_map(|x| (8..=10).map(move |y| Node::new(x, y))) {
            nodes.relink::<AdjacentParent>(middle, AdjacentParent::MAX_COST, step);
            assert_eq!(
                (nodes.g::<AdjacentParent>(middle), nodes.parent::<AdjacentParent>(middle)),
                (AdjacentParent::MAX_COST, step)
            );
        }
    }

    #[test]
    fn memory_is_taken_for_what_is_near() {
        let mut nodes = Nodes::default();
        nodes.begin(1024, 1024);
        for x in 0..1024 {
            nodes.relax::<AdjacentParent>(Node::new(x, 5), 1, Node::new(x, 5));
        }
        assert_eq!(nodes.blocks.len(), 1 + 128, "a row of blocks");
        nodes.begin(1024, 1024);
        nodes.relax::<AdjacentParent>(Node::new(700, 700), 1, Node::new(700, 700));
        assert_eq!(nodes.blocks.len(), 1 + 128, "blocks are used again");
    }
}
