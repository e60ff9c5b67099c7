//! The records of a search for the cells that it has reached: cost so far, parent, and whether the cell is closed.

mod node;

use crate::grid::Grid;
use crate::simd::prefetch;
pub(crate) use node::Node;

/// How a record stores the parent: column and row modulo 2^`AXIS`; the node's own position resolves the rest.
pub(crate) trait ParentEncoding {
    /// Bits of the column, and of the row.
    const AXIS: u32;
    /// Bits of both, below those of the cost.
    const BITS: u32 = 2 * Self::AXIS;
    /// The greatest cost that a record holds. A query's limit of cost is lowered to it, so that no record overflows.
    const MAX_COST: u64 = (u64::MAX >> Self::BITS) - 1;
}

/// The parent is a neighbour, or the node itself.
pub(crate) struct AdjacentParent;
/// The parent can be any cell of the grid.
pub(crate) struct AnyParent;

impl ParentEncoding for AdjacentParent {
    const AXIS: u32 = 2;
}

impl ParentEncoding for AnyParent {
    const AXIS: u32 = Grid::MAX_SIDE.ilog2() + 1;
}

/// The records of one search: 8 bytes for each cell of the blocks that it touches.
///
/// A record is one integer: the cost so far in the upper bits, below it the row and the column of the parent. Records
/// lie in blocks of 8×4 cells, and a block is allocated when the first of its cells is opened, so that memory is taken
/// only for the part of the grid that a search reaches. To forget a search, it is enough to clear the slots of the
/// blocks that it used.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// One slot for every block of the grid, row by row.
    slots: Vec<Slot>,
    /// The blocks in use. Block 0 is shared by all slots without a block of their own, and never written.
    blocks: Vec<RecordBlock>,
    /// The index of the slot of each block in use, from block 1 up.
    used: Vec<u32>,
    across: usize,
    down: usize,
}

/// Index of the block of records (0 for none yet), and one bit for each of its cells: whether the cell is closed.
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

/// The records of 8×4 cells: a cache line of 64 bytes for each row of 8.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct RecordBlock([u64; 32]);

impl RecordBlock {
    /// A block without any path: its costs exceed those of all paths.
    const FRESH: Self = Self([Nodes::FRESH; 32]);
}

impl Nodes {
    const FRESH: u64 = u64::MAX;

    /// Forgets the last search, and prepares for one on a grid of this size.
    pub(crate) fn begin(&mut self, width: u32, height: u32) {
        for slot in self.used.drain(..) {
            self.slots[slot as usize] = Slot::default();
        }
        self.across = width.div_ceil(8) as usize;
        self.down = height.div_ceil(4) as usize;
        let count = self.across * self.down;
        if self.slots.len() < count {
            self.slots.resize(count, Slot::default());
        }
    }

    /// The index of a node's slot, and that of its cell within the block.
    #[inline]
    fn place(&self, node: Node) -> (usize, usize) {
        let bits = node.bits();
        let (row, column) = (bits >> 18, bits >> 3 & 0x1fff);
        (row as usize * self.across + column as usize, (bits >> 13 & 24 | bits & 7) as usize)
    }

    /// The record of a node, of all ones if none was written.
    #[inline]
    pub(crate) fn record(&self, node: Node) -> u64 {
        let (slot, cell) = self.place(node);
        self.blocks[self.slots[slot].block as usize].0[cell]
    }

    #[inline]
    pub(crate) fn prefetch(&self, node: Node) {
        let (slot, cell) = self.place(node);
        prefetch(&self.blocks[self.slots[slot].block as usize].0, cell);
    }

    /// Keeps a path to a node that costs `g`, if the node is not closed and the path is its first or cheaper than the
    /// one known. `None` if the path is not kept, else whether an earlier path was known.
    #[inline]
    pub(crate) fn relax<L: ParentEncoding>(&mut self, node: Node, g: u64, parent: Node) -> Option<bool> {
        debug_assert!(g <= L::MAX_COST, "costs stay below what a record holds");
        let (at, cell) = self.place(node);
        let slot = self.slots[at];
        let old = self.blocks[slot.block as usize].0[cell];
        if slot.is_closed(cell) || g >= old >> L::BITS {
            return None;
        }
        let record = packed::<L>(g, parent);
        if slot.block == 0 {
            self.make_block(at).0[cell] = record;
            return Some(false);
        }
        self.blocks[slot.block as usize].0[cell] = record;
        Some(old != Self::FRESH)
    }

    #[cold]
    fn make_block(&mut self, slot: usize) -> &mut RecordBlock {
        self.used.push(slot as u32);
        let index = self.used.len();
        self.slots[slot].block = index as u32;
        match self.blocks.get_mut(index) {
            Some(block) => *block = RecordBlock::FRESH,
            None => {
                if index == self.blocks.capacity() {
                    // Grow by an eighth instead of doubling, which could leave half of the memory unused.
                    let left = self.slots.len() + 1 - index;
                    self.blocks.reserve_exact((index / 8 + 16).min(left));
                }
                self.blocks.push(RecordBlock::FRESH);
            }
        }
        &mut self.blocks[index]
    }

    /// A path to an open node is kept if it costs less than this; 0 if the node has this parent already.
    #[inline]
    pub(crate) fn acceptance_limit<L: ParentEncoding>(&self, node: Node, parent: Node) -> u64 {
        let record = self.record(node);
        if is_over::<L>(record, parent) { 0 } else { record >> L::BITS }
    }

    /// Whether the best known path to a node leads over this parent.
    #[inline]
    pub(crate) fn has_parent<L: ParentEncoding>(&self, node: Node, parent: Node) -> bool {
        is_over::<L>(self.record(node), parent)
    }

    /// Cost and parent of the path to an open node; `None` if the node is closed.
    #[inline]
    pub(crate) fn open<L: ParentEncoding>(&self, node: Node) -> Option<(u64, Node)> {
        let (at, cell) = self.place(node);
        let slot = self.slots[at];
        debug_assert_ne!(slot.block, 0, "only known nodes are on the open list");
        let record = self.blocks[slot.block as usize].0[cell];
        (!slot.is_closed(cell)).then(|| (record >> L::BITS, parent::<L>(node, record)))
    }

    #[inline]
    pub(crate) fn close(&mut self, node: Node) {
        let (slot, cell) = self.place(node);
        self.slots[slot].closed |= 1 << cell;
    }

    /// Sets the path to a node, even if it costs more than the one known or the node is closed.
    pub(crate) fn relink<L: ParentEncoding>(&mut self, node: Node, g: u64, parent: Node) {
        *self.record_mut(node) = packed::<L>(g, parent);
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, node: Node) -> &mut u64 {
        let (slot, cell) = self.place(node);
        let block = match self.slots[slot].block {
            0 => self.make_block(slot),
            block => &mut self.blocks[block as usize],
        };
        &mut block.0[cell]
    }

    #[inline]
    pub(crate) fn is_closed(&self, node: Node) -> bool {
        let (slot, cell) = self.place(node);
        self.slots[slot].is_closed(cell)
    }

    /// The closed nodes, one square of 8×8 cells after the other, in rows of squares.
    pub(crate) fn closed(&self) -> impl Iterator<Item = Node> {
        let across = self.across as u32;
        let mut slots = self.used.clone();
        slots.sort_unstable_by_key(|slot| (slot / across / 2, slot % across, slot / across));
        slots.into_iter().flat_map(move |slot| {
            let (closed, x, y) = (self.slots[slot as usize].closed, slot % across * 8, slot / across * 4);
            let cells = (0..32).filter(move |cell| closed >> cell & 1 != 0);
            cells.map(move |cell| Node::new((x + cell % 8) as i32, (y + cell / 8) as i32))
        })
    }

    /// Which of the eight neighbours of a node are closed, in the order of [`Bitmap::neighbor_mask`]; of those
    /// outside the grid any.
    ///
    /// [`Bitmap::neighbor_mask`]: crate::grid::Bitmap::neighbor_mask
    #[inline]
    pub(crate) fn closed_neighbors(&self, node: Node) -> usize {
        let (x, y) = (node.x() as usize, node.y() as usize);
        // The slots of the neighbours, of which two or all four are the same if none of them lies in another block.
        let (left, right) = (x.saturating_sub(1) >> 3, ((x + 1) >> 3).min(self.across - 1));
        let (above, below) = (y.saturating_sub(1) >> 2, ((y + 1) >> 2).min(self.down - 1));
        let [above, below] = [above, below]
            .map(|row| [left, right].map(|column| self.slots[row * self.across + column].closed));
        let window = |[left, right]: [u32; 2], y: usize| {
            let row = 8 * (y & 3);
            (left >> row & 0xff | (right >> row & 0xff) << 8) >> (x.wrapping_sub(1) & 7) & 7
        };
        let middle = window(if y & 3 == 0 { below } else { above }, y);
        let packed = window(above, y.wrapping_sub(1))
            | (middle & 1) << 3
            | (middle & 4) << 2
            | window(below, y + 1) << 5;
        packed as usize
    }

    /// The cost of the best known path to a node; above [`MAX_COST`](ParentEncoding::MAX_COST) if none is known.
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
        Self { slots: Vec::new(), blocks: vec![RecordBlock::FRESH], used: Vec::new(), across: 0, down: 0 }
    }
}

/// The record of a path to a node: its cost and its parent.
#[inline]
fn packed<L: ParentEncoding>(g: u64, parent: Node) -> u64 {
    let mask = (1 << L::AXIS) - 1;
    let (columns, rows) = (parent.x() as u32 & mask, parent.y() as u32 & mask);
    g << L::BITS | u64::from(rows << L::AXIS | columns)
}

/// Whether a record holds this parent. The fresh record holds none, for no row or column has so high a number.
#[inline]
fn is_over<L: ParentEncoding>(record: u64, parent: Node) -> bool {
    const { assert!(1 << L::AXIS > Grid::MAX_SIDE + 1, "the encoding tells all cells from each other") };
    (record ^ packed::<L>(0, parent)) & ((1 << L::BITS) - 1) == 0
}

#[inline]
fn parent<L: ParentEncoding>(node: Node, record: u64) -> Node {
    // The difference to the node, whose bits above the lowest are shifted out, as a two's complement.
    let near = |from: i32, end: u32| {
        let difference = ((record >> (end - L::AXIS)) as i32).wrapping_sub(from);
        from + ((difference << (32 - L::AXIS)) >> (32 - L::AXIS))
    };
    Node::new(near(node.x(), L::AXIS), near(node.y(), L::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Bitmap, Direction};

    #[test]
    fn a_new_search_sees_nothing_of_the_last() {
        let mut nodes = Nodes::default();
        let (a, b) = (Node::new(0, 0), Node::new(13, 6));
        nodes.begin(14, 7);
        assert_eq!(nodes.relax::<AnyParent>(b, 7, a), Some(false), "it is new");
        assert_eq!(nodes.relax::<AnyParent>(b, 7, b), None, "equal is not better");
        assert_eq!(nodes.relax::<AnyParent>(b, 5, a), Some(true), "it was known");
        assert_eq!(nodes.acceptance_limit::<AnyParent>(b, b), 5);
        assert_eq!(nodes.acceptance_limit::<AnyParent>(b, a), 0, "it has this parent");
        assert!(nodes.has_parent::<AnyParent>(b, a) && !nodes.has_parent::<AnyParent>(b, b));
        assert!(!nodes.is_closed(b));
        assert_eq!(nodes.open::<AnyParent>(b), Some((5, a)));
        nodes.close(b);
        assert!(nodes.is_closed(b) && nodes.open::<AnyParent>(b).is_none());
        assert_eq!(nodes.relax::<AnyParent>(b, 1, a), None, "closed nodes stay as they are");
        nodes.begin(14, 7);
        assert!(!nodes.is_closed(b));
        assert_eq!(nodes.relax::<AdjacentParent>(b, 1_000, Node::new(12, 5)), Some(false), "it is new again");
        assert_eq!(nodes.parent::<AdjacentParent>(b), Node::new(12, 5));
        nodes.begin(3, 40);
        let limit = nodes.acceptance_limit::<AnyParent>(Node::new(2, 39), Node::new(1, 38));
        assert_eq!(limit, AnyParent::MAX_COST + 1, "nor on another grid");
    }

    fn keeps<L: ParentEncoding>(nodes: &mut Nodes, node: Node, parent: Node) {
        nodes.relax::<L>(node, 1, node);
        nodes.relink::<L>(node, L::MAX_COST, parent);
        assert_eq!((nodes.g::<L>(node), nodes.parent::<L>(node)), (L::MAX_COST, parent));
    }

    #[test]
    fn parents_lie_in_every_direction_and_as_far_as_grids_reach() {
        let mut nodes = Nodes::default();
        nodes.begin(Grid::MAX_SIDE, Grid::MAX_SIDE);
        let last = Grid::MAX_SIDE as i32 - 1;
        let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|(x, y)| Node::new(x, y));
        for from in corners {
            corners.into_iter().for_each(|to| keeps::<AnyParent>(&mut nodes, from, to));
        }
        for step in (8..=10).flat_map(|x| (8..=10).map(move |y| Node::new(x, y))) {
            keeps::<AdjacentParent>(&mut nodes, Node::new(9, 9), step);
        }
    }

    #[test]
    fn closed_neighbours_are_read_across_blocks() {
        let mut nodes = Nodes::default();
        nodes.begin(25, 14);
        let is_closed = |x: i32, y: i32| (x * x + 3 * x * y + 5 * y + y * y) % 7 < 3;
        let cells = || (0..14).flat_map(|y| (0..25).map(move |x| (x, y)));
        for (x, y) in cells().filter(|&(x, y)| is_closed(x, y)) {
            nodes.relax::<AnyParent>(Node::new(x, y), 1, Node::new(0, 0));
            nodes.close(Node::new(x, y));
        }
        for (x, y) in cells() {
            let closed = nodes.closed_neighbors(Node::new(x, y));
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                if (0..25).contains(&(x + dx)) && (0..14).contains(&(y + dy)) {
                    let bit = Bitmap::neighbor_bit(dx, dy);
                    assert_eq!(
                        closed >> bit & 1 != 0,
                        is_closed(x + dx, y + dy),
                        "{direction:?} of ({x}, {y})"
                    );
                }
            }
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
