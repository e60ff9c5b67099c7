//! Theta* and Lazy Theta*: any-angle searches over cells, in which a node's parent may be any cell that it sees.
//!
//! Theta* tests the line of sight to the parent's parent whenever it opens a node (A. Nash, K. Daniel, S. Koenig
//! and A. Felner, "Theta*: Any-Angle Path Planning on Grids", AAAI 2007). Lazy Theta* assumes the line of sight, and
//! tests it only when the node is expanded (A. Nash, S. Koenig and C. Tovey, "Lazy Theta*: Any-Angle Path Planning and
//! Path Length Analysis in 3D", AAAI 2010). Paths turn at cells' centres and are near the shortest, with no bound.

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node, Nodes};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{Bitmap, CornerRule, StepRules, directions_of, steps_to};
use crate::sight::{Solid, cells_see};

/// How far [`Theta::sees_nearby`] follows a line of sight before the whole line is tested: for one cell, and for one
/// more per so many lines of the bitmap that the test of the whole line would read. One cell of every line took 1.5
/// times as long on large open maps; eight cells of every line took 1.1 times as long on maps full of walls, where
/// lines of sight are short.
const LINES_A_PROBE: i32 = 4;

/// The keys of open nodes leave out so many of the lowest bits of a cost, which leaves 64 to a cell (6 on the largest
/// grids). Of nearly equal nodes the newest is then expanded first: what it needs is still in the cache, and the path
/// is as long.
pub(super) const KEY_SHIFT: u32 = 6;

/// Theta*, or Lazy Theta* if `LAZY`. For uniform terrain.
pub(crate) struct Theta<'g, const LAZY: bool> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) corners: CornerRule,
    pub(crate) costs: &'g StepCosts,
    /// The walls, and the radius, if the agent is a disc: the line of sight then has to leave room for the disc.
    pub(crate) disc: Option<(Solid<'g>, f32)>,
}

impl<const LAZY: bool> Theta<'_, LAZY> {
    /// Whether a node sees its possible parent; `sees_parent` says which other nodes are known to see that one.
    #[inline]
    fn sees(&self, node: Node, parent: Node, sees_parent: impl Fn(Node) -> bool) -> bool {
        let known = if self.disc.is_none() { self.sees_nearby(node, parent, sees_parent) } else { None };
        known.unwrap_or_else(|| self.line_is_free(node, parent))
    }

    /// Whether a node sees its possible parent, if the line's first cells from the node tell: a wall blocks the line
    /// there, or the line comes between two neighbours that see the parent (or over one) before it meets a wall.
    ///
    /// In the second case the node sees the parent too, for the triangle between the two and the parent is less than
    /// a cell wide but for its base, which lies within the two neighbours' cells. So no blocked cell reaches into it.
    #[inline]
    fn sees_nearby(&self, node: Node, parent: Node, sees_parent: impl Fn(Node) -> bool) -> Option<bool> {
        let (dx, dy) = (node.x() - parent.x(), node.y() - parent.y());
        let (long, short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
        let is_wide = dx.abs() == long;
        let cell = |long: i32, short: i32| {
            let (x, y) = if is_wide { (long, short) } else { (short, long) };
            Node::new(parent.x() + x * dx.signum(), parent.y() + y * dy.signum())
        };
        let is_free = |node: Node| self.rows.get(node.y(), node.x());
        let columns = (0..long).rev().take(1 + (short / LINES_A_PROBE) as usize);
        if long == short {
            for along in columns {
                let before = cell(along, along);
                let beside = [cell(along + 1, along), cell(along, along + 1)].map(is_free);
                let passes = match self.corners {
                    CornerRule::Never => beside[0] & beside[1],
                    CornerRule::OneFree => beside[0] | beside[1],
                    CornerRule::Always => true,
                };
                if !passes || !is_free(before) {
                    return Some(false);
                }
                if along == 0 || sees_parent(before) {
                    return Some(true);
                }
            }
            return None;
        }
        // Where the line crosses the middle of a column of cells (if it is not wide, of a row), counted from the
        // parent: `short`, and `rest / long` of a cell more.
        let (mut across, mut rest) = (short, 0);
        for along in columns {
            rest -= short;
            if rest < 0 {
                (across, rest) = (across - 1, rest + long);
            }
            let near = cell(along, across);
            let far = if rest > 0 { cell(along, across + 1) } else { near };
            if along == 0 || sees_parent(near) && sees_parent(far) {
                return Some(true);
            }
            // In this column the line can meet no other cells than these two. How far it stays from each, in parts of a
            // cell (`2 * long` to a cell): at 0 it touches the cell, below 0 it enters it.
            let away = [2 * rest - short - long, long - 2 * rest - short];
            let is_blocked = [!is_free(near), !is_free(far)];
            if is_blocked[0] & (away[0] < 0) | is_blocked[1] & (away[1] < 0) {
                return Some(false);
            }
            // Whether a touch is allowed depends on the corner rule, and on the next cells.
            if is_blocked[0] & (away[0] == 0) | is_blocked[1] & (away[1] == 0) {
                return None;
            }
        }
        None
    }

    /// Whether the line from a node to its possible parent is free, tested as a whole.
    fn line_is_free(&self, node: Node, parent: Node) -> bool {
        let (a, b) = (parent.cell(), node.cell());
        cells_see(self.rows, self.columns, self.corners, a, b)
            && self.disc.is_none_or(|(solid, radius)| solid.lets_pass(radius, a.center(), b.center()))
    }

    /// The neighbours of a node by those of some steps that are legal, with the cost of each step.
    #[inline]
    fn neighbors(&self, node: Node, steps: u8) -> impl Iterator<Item = (Node, u64)> {
        let legal = steps & StepRules::eight(self.corners).legal(self.rows, node.x(), node.y());
        let costs = [self.costs.straight, self.costs.diagonal];
        directions_of(legal)
            .map(move |direction| (node.neighbor(direction), costs[usize::from(direction.is_diagonal())]))
    }
}

impl<const LAZY: bool> Strategy for Theta<'_, LAZY> {
    type ParentEncoding = AnyParent;

    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        (g + h) >> KEY_SHIFT
    }

    /// Lazy Theta*: a node that does not see its parent gets the best of its closed neighbours as parent instead.
    #[inline]
    fn validate_parent(
        &self,
        node: Node,
        path: (u64, Node),
        nodes: &mut Nodes,
        most: u64,
    ) -> Option<(u64, Node)> {
        if !LAZY {
            return Some(path);
        }
        // A node whose parent was replaced here before may still be above the limit of cost.
        let sees_parent = |next| nodes.is_closed(next) && nodes.has_parent::<AnyParent>(next, path.1);
        if self.sees(node, path.1, sees_parent) {
            return (path.0 <= most).then_some(path);
        }
        let closed = self.neighbors(node, steps_to(nodes.closed_neighbors(node)));
        let links = closed.map(|(neighbor, step)| (nodes.g::<AnyParent>(neighbor) + step, neighbor));
        let (g, parent) = links.min().expect("a node is opened by a neighbour that was closed");
        nodes.relink::<AnyParent>(node, g, parent);
        (g <= most).then_some((g, parent))
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let parent_g = open.nodes().g::<AnyParent>(from.parent);
        let closed = open.nodes().closed_neighbors(from.node);
        for (node, step) in self.neighbors(from.node, !steps_to(closed)) {
            // Most open neighbours have the same parent, so that the path costs the same (limit 0): skip them before
            // a distance is computed.
            let acceptance_limit = open.nodes().acceptance_limit::<AnyParent>(node, from.parent);
            if parent_g >= acceptance_limit {
                continue;
            }
            let direct = parent_g + self.costs.distance(from.parent, node);
            // The line-of-sight test is expensive: skip it where the path would be rejected anyway.
            if direct >= acceptance_limit {
                continue;
            }
            let sees_parent = |next| open.nodes().has_parent::<AnyParent>(next, from.parent);
            if LAZY || self.sees(node, from.parent, sees_parent) {
                open.relax(node, from.parent, direct);
            } else {
                open.relax(node, from.node, from.g + step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{KindId, Layer};
    use crate::rng::CounterRng;
    use crate::testing::walled;

    /// On random maps, for each pair of cells, where of the cells that see the parent each second one is known.
    #[test]
    fn what_joins_cells_that_see_the_parent_sees_it() {
        let mut rng = CounterRng::new(5, 0, 0);
        for walls in [1, 2, 4, 7].repeat(3) {
            let grid = walled(19, 18, |_| rng.below(20) < walls);
            let kind = KindId::default();
            let Layer { rows, columns, .. } = grid.known(kind);
            let mut spared = [0; 2];
            for &corners in CornerRule::ALL {
                let theta =
                    Theta::<false> { rows, columns, corners, costs: &StepCosts::default(), disc: None };
                let free = || grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell));
                for (parent, node) in free().flat_map(|parent| free().map(move |node| (parent, node))) {
                    let (parent, node) = (Node::from(parent), Node::from(node));
                    let is_known = rng.bits();
                    let sees_parent = |next: Node| {
                        is_known >> ((next.x() + 8 * next.y()) & 63) & 1 != 0
                            && grid.is_walkable(kind, next.cell())
                            && theta.line_is_free(next, parent)
                    };
                    if let Some(known) = theta.sees_nearby(node, parent, sees_parent) {
                        let sees = theta.line_is_free(node, parent);
                        assert_eq!(known, sees, "{node:?} from {parent:?}, {corners:?}");
                        spared[usize::from(known)] += 1;
                    }
                }
            }
            assert!(spared.iter().all(|&lines| lines > 1000), "{spared:?} lines were spared");
        }
    }
}
