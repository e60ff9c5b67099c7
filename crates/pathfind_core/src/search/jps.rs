//! Jump point search on the grid's bitmaps, for uniform terrain and any corner rule.
//!
//! On a grid most cheapest paths differ only in the order of their steps. Of each family of paths that differ so, the
//! search keeps one, that with its diagonal steps first (the canonical ordering of N. R. Sturtevant and S. Rabin,
//! "Canonical Orderings on Grids", IJCAI 2016). A path in a straight run can then turn only where a wall beside
//! the run ends, at a jump point:
//!
//! ```text
//!   # # . .      J is a jump point under `Never`: no path to the cells above it is cheaper than the one
//!   → → J .      by J. Where corners are cut, the cell before J is the jump point, and diagonal runs
//!   . . . .      have jump points too
//! ```
//!
//! The next stop of a straight run is found 64 cells at a time: shift, and, count zeros. A diagonal run goes step by
//! step, and scans along row and column from each cell; the jump points found there become successors of the
//! expanded node itself, so that a cell where a path merely bends is never put on the open list.
//!
//! D. Harabor and A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", AAAI 2011, and
//! "Improving Jump Point Search", ICAPS 2014: JPS (B+P), with block-based scanning and pruned intermediate points.

use core::marker::PhantomData;

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::{Bitmap, Cell, CellRect, CornerRule, JumpStops};

/// Jump point search to one goal, under one corner rule.
pub(crate) struct Jumps<'g, R> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    /// The stops of runs along rows and along columns, kept by the grid; for `CornerRule::Never` only.
    pub(crate) stops: [&'g JumpStops; 2],
    pub(crate) costs: &'g StepCosts,
    pub(crate) goal: Cell,
    pub(crate) rule: PhantomData<R>,
}

/// A corner rule as a type, so that the code is compiled for each rule.
pub(crate) trait Rule {
    /// The corner rule as a value.
    const CORNERS: CornerRule;
    /// Whether a diagonal step may pass a blocked cell beside it.
    const CUTS: bool = !matches!(Self::CORNERS, CornerRule::Never);
    /// Whether that step needs the other cell beside it to be free.
    const NEEDS_ONE: bool = matches!(Self::CORNERS, CornerRule::OneFree);
}

/// [`CornerRule::Never`].
pub(crate) struct Never;
/// [`CornerRule::OneFree`].
pub(crate) struct OneFree;
/// [`CornerRule::Always`].
pub(crate) struct Always;

impl Rule for Never {
    const CORNERS: CornerRule = CornerRule::Never;
}

impl Rule for OneFree {
    const CORNERS: CornerRule = CornerRule::OneFree;
}

impl Rule for Always {
    const CORNERS: CornerRule = CornerRule::Always;
}

impl<R: Rule> Strategy for Jumps<'_, R> {
    type ParentEncoding = AnyParent;

    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let cell = from.node.cell();
        if from.parent == from.node {
            if let Some(g) = self.direct(from) {
                open.relax(self.goal.into(), from.node, g);
                return;
            }
            for axis in [Axis::Row, Axis::Column] {
                self.straight::<true>(axis, cell, from, from.g, open);
                self.straight::<false>(axis, cell, from, from.g, open);
            }
            for (dx, dy) in [(1, 1), (-1, 1), (-1, -1), (1, -1)] {
                self.diagonal(from, dx, dy, open);
            }
            return;
        }
        // A jump goes diagonally first, so it arrives by straight steps along the longer of columns and rows.
        let (dx, dy) = (cell.x - from.parent.x(), cell.y - from.parent.y());
        if dx.abs() > dy.abs() {
            self.go_on(Axis::Row, from, dx.signum(), open);
        } else if dx.abs() < dy.abs() {
            self.go_on(Axis::Column, from, dy.signum(), open);
        } else {
            self.go_on_diagonally(from, dx.signum(), dy.signum(), open);
        }
    }
}

/// Whether a scan runs along a row or along a column.
#[derive(Copy, Clone, PartialEq)]
enum Axis {
    Row,
    Column,
}

impl<R: Rule> Jumps<'_, R> {
    /// The cost of the path of diagonal steps and then straight ones to the goal, if that path is legal. Its cost is
    /// the estimate, a lower bound, so that the start needs no other successor.
    fn direct(&self, from: Expansion) -> Option<u64> {
        let start = from.node.cell();
        let (across, down) = (self.goal.x - start.x, self.goal.y - start.y);
        let (dx, dy) = (across.signum(), down.signum());
        let diagonals = across.abs().min(down.abs());
        let mut cell = start;
        for _ in 0..diagonals {
            if !self.can_step(cell, dx, dy) {
                return None;
            }
            cell = Cell::new(cell.x + dx, cell.y + dy);
        }
        let (low, high) = (CellRect::new(cell, self.goal).min, CellRect::new(cell, self.goal).max);
        let clear = if cell.y == self.goal.y {
            self.rows.all_walkable(cell.y, low.x, high.x)
        } else {
            self.columns.all_walkable(cell.x, low.y, high.y)
        };
        let straights = u64::from(cell.x.abs_diff(self.goal.x) + cell.y.abs_diff(self.goal.y));
        clear.then(|| {
            from.g
                + u64::from(diagonals.unsigned_abs()) * self.costs.diagonal
                + straights * self.costs.straight
        })
    }

    #[inline]
    fn is_free(&self, x: i32, y: i32) -> bool {
        self.rows.get(y, x)
    }

    /// Whether a diagonal step from a walkable cell is legal.
    #[inline]
    fn can_step(&self, cell: Cell, dx: i32, dy: i32) -> bool {
        let beside = || (self.is_free(cell.x + dx, cell.y), self.is_free(cell.x, cell.y + dy));
        self.is_free(cell.x + dx, cell.y + dy)
            && match (R::CORNERS, beside()) {
                (CornerRule::Never, (a, b)) => a && b,
                (CornerRule::OneFree, (a, b)) => a || b,
                (CornerRule::Always, _) => true,
            }
    }

    /// Whether a cell reached by the diagonal step `(dx, dy)` has forced neighbours, round a blocked cell: the one at
    /// `(-dx, dy)`, and the one at `(dx, -dy)`. Neither under `Never`.
    #[inline]
    fn turns(&self, cell: Cell, dx: i32, dy: i32) -> (bool, bool) {
        if !R::CUTS {
            return (false, false);
        }
        let Cell { x, y } = cell;
        let along_columns = !self.is_free(x - dx, y)
            && self.is_free(x - dx, y + dy)
            && (!R::NEEDS_ONE || self.is_free(x, y + dy));
        let along_rows = !self.is_free(x, y - dy)
            && self.is_free(x + dx, y - dy)
            && (!R::NEEDS_ONE || self.is_free(x + dx, y));
        (along_columns, along_rows)
    }

    /// Expands a jump point that was reached by straight steps in the direction `ahead` (1 or -1) of an axis: straight
    /// on, and round each wall that ends beside the jump point.
    #[inline]
    fn go_on(&self, axis: Axis, from: Expansion, ahead: i32, open: &mut impl SuccessorSink) {
        let cell = from.node.cell();
        let (bits, line, i) = self.line(axis, cell);
        self.straight_to(axis, cell, ahead, from, from.g, open);
        for side in [-1, 1] {
            let is_free = |place| bits.get(line + side, place);
            let ends = if R::CUTS {
                !is_free(i) && is_free(i + ahead) && (!R::NEEDS_ONE || bits.get(line, i + ahead))
            } else {
                !is_free(i - ahead) && is_free(i)
            };
            if !ends {
                continue;
            }
            let (across, dx, dy) = match axis {
                Axis::Row => (Axis::Column, ahead, side),
                Axis::Column => (Axis::Row, side, ahead),
            };
            if !R::CUTS {
                self.straight_to(across, cell, side, from, from.g, open);
            }
            self.diagonal(from, dx, dy, open);
        }
    }

    /// Expands a jump point that was reached by diagonal steps `(dx, dy)`: along row and column, diagonally on, and
    /// towards its forced neighbours.
    fn go_on_diagonally(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        let cell = from.node.cell();
        self.straight_to(Axis::Row, cell, dx, from, from.g, open);
        self.straight_to(Axis::Column, cell, dy, from, from.g, open);
        self.diagonal(from, dx, dy, open);
        let (along_columns, along_rows) = self.turns(cell, dx, dy);
        if along_columns {
            self.diagonal(from, -dx, dy, open);
        }
        if along_rows {
            self.diagonal(from, dx, -dy, open);
        }
    }

    /// The bitmap that has the axis as its lines, and a cell's line and place in that bitmap.
    fn line(&self, axis: Axis, cell: Cell) -> (&Bitmap, i32, i32) {
        match axis {
            Axis::Row => (self.rows, cell.y, cell.x),
            Axis::Column => (self.columns, cell.x, cell.y),
        }
    }

    #[inline]
    fn straight_to(
        &self,
        axis: Axis,
        cell: Cell,
        ahead: i32,
        from: Expansion,
        g: u64,
        open: &mut impl SuccessorSink,
    ) {
        if ahead > 0 {
            self.straight::<true>(axis, cell, from, g, open);
        } else {
            self.straight::<false>(axis, cell, from, g, open);
        }
    }

    /// Relaxes the next jump point straight ahead of a cell, or the goal if that comes first; `g` is the cell's cost.
    #[inline]
    fn straight<const UP: bool>(
        &self,
        axis: Axis,
        cell: Cell,
        from: Expansion,
        g: u64,
        open: &mut impl SuccessorSink,
    ) {
        let (bits, line, i) = self.line(axis, cell);
        let (goal_line, goal_i) = match axis {
            Axis::Row => (self.goal.y, self.goal.x),
            Axis::Column => (self.goal.x, self.goal.y),
        };
        let (stop, is_jump_point) = if R::CUTS {
            scan::<R, UP>(bits, line, i)
        } else {
            let stop = self.stops[axis as usize].next::<UP>(line, i);
            (stop, bits.get(line, stop))
        };
        let passes_goal =
            goal_line == line && if UP { i < goal_i && goal_i < stop } else { stop < goal_i && goal_i < i };
        let end = match (passes_goal, is_jump_point) {
            (true, _) => goal_i,
            (false, true) => stop,
            (false, false) => return,
        };
        let end_node = match axis {
            Axis::Row => Node::new(end, line),
            Axis::Column => Node::new(line, end),
        };
        open.relax(end_node, from.node, g + u64::from(end.abs_diff(i)) * self.costs.straight);
    }

    /// Follows a diagonal up to the goal or a jump point, which is relaxed; relaxes the jump points that straight runs
    /// reach from each cell of the diagonal.
    #[inline]
    fn diagonal(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        let (mut cell, mut g) = (from.node.cell(), from.g);
        while self.can_step(cell, dx, dy) {
            cell = Cell::new(cell.x + dx, cell.y + dy);
            g += self.costs.diagonal;
            if cell == self.goal || self.turns(cell, dx, dy) != (false, false) {
                open.relax(cell.into(), from.node, g);
                return;
            }
            self.straight_to(Axis::Row, cell, dx, from, g, open);
            self.straight_to(Axis::Column, cell, dy, from, g, open);
        }
    }
}

/// Scans along a line, from the cell next to `i`, for the first cell that is blocked or a jump point, under a rule that
/// allows corners to be cut. Returns the cell's place on the line, and whether the cell is a jump point.
#[inline]
fn scan<R: Rule, const UP: bool>(bits: &Bitmap, line: i32, i: i32) -> (i32, bool) {
    let (before, middle, after) = (bits.line(line - 1), bits.line(line), bits.line(line + 1));
    let at = (i + 64 + if UP { 1 } else { -1 }) as usize;
    let mut word = at >> 6;
    let mut mask = if UP { u64::MAX << (at & 63) } else { u64::MAX >> (63 - (at & 63)) };
    loop {
        // Lines have a word of blocked cells at both ends; beyond these words, 0 means blocked too.
        let ahead = |side: &[u64]| {
            if UP {
                side[word] >> 1 | side.get(word + 1).copied().unwrap_or(0) << 63
            } else {
                side[word] << 1 | side.get(word.wrapping_sub(1)).copied().unwrap_or(0) >> 63
            }
        };
        // A cell beside the line is blocked, and the next one ahead is free: a wall ends.
        let turns = (!before[word] & ahead(before)) | (!after[word] & ahead(after));
        let needed = if R::NEEDS_ONE { ahead(middle) } else { u64::MAX };
        let stops = (turns & needed | !middle[word]) & mask;
        if stops != 0 {
            let bit = if UP { stops.trailing_zeros() } else { 63 - stops.leading_zeros() };
            let stop = (word as i32 - 1) * 64 + bit as i32;
            return (stop, middle[word] >> bit & 1 != 0);
        }
        mask = u64::MAX;
        word = if UP { word + 1 } else { word - 1 };
    }
}
