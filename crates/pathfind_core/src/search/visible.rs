//! Shortest paths at any angle that touch no wall (`CornerRule::Never`): they turn at cells' centres.
//!
//! Where a path may not touch walls, it cannot turn at their corners, and the best centre to turn at can be some
//! cells away from the wall. This search is A* on the graph that joins every two centres that see each other. The
//! graph is never built: the cells visible from a cell are found when that cell is expanded, row by row in each of
//! eight octants, as the cells outside the shadows of blocked cells.
//!
//! ```text
//!   a a s s s s s     seen from u: the blocked cell # hides all cells s with slopes between its outermost
//!   a a # s s s a     corners. A centre exactly on the edge of this shadow is hidden too, for the line to
//!   u a a a a a a     it touches the wall. The cells a are visible
//! ```
//!
//! The paths are exact. The search is much slower than those that may touch corners: the time of an expansion is in
//! proportion to the number of visible cells.

use core::cell::RefCell;

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::Bitmap;

/// A* whose successors are all visible cells.
pub(crate) struct Visible<'g> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) costs: &'g StepCosts,
    pub(crate) sectors: &'g RefCell<VisibleSectors>,
}

/// The visible ranges of slopes at the row being scanned, and at the next. Searches reuse the memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisibleSectors {
    here: Vec<View>,
    next: Vec<View>,
}

/// A visible range of slopes: those between `low` and `high`, both excluded.
#[derive(Copy, Clone, Debug)]
struct View {
    low: Slope,
    high: Slope,
}

/// The slope of a line of sight, in cells along the rows for each row across: a fraction with a denominator above 0.
#[derive(Copy, Clone, Debug)]
struct Slope(i64, i64);

impl Slope {
    fn is_below(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    /// The first whole number of cells along that lies above the slope, `halves` half rows across.
    fn first_beyond(self, halves: i64) -> i64 {
        (self.0 * halves).div_euclid(2 * self.1) + 1
    }

    /// The last whole number of cells along that lies below the slope, `halves` half rows across.
    fn last_before(self, halves: i64) -> i64 {
        -(-self.0 * halves).div_euclid(2 * self.1) - 1
    }
}

impl Strategy for Visible<'_> {
    type ParentEncoding = AnyParent;

    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        let mut sectors = self.sectors.borrow_mut();
        let (x, y) = (from.node.x(), from.node.y());
        for (across, along) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let mut relax = |node: Node| {
                open.relax(node, from.node, from.g + self.costs.distance(from.node, node));
            };
            let rows = Octant { lines: self.rows, line: y, i: x, across, along };
            rows.scan(&mut sectors, |line, i| relax(Node::new(i, line)));
            let columns = Octant { lines: self.columns, line: x, i: y, across, along };
            columns.scan(&mut sectors, |line, i| relax(Node::new(line, i)));
        }
    }
}

/// One eighth of the directions from a cell: at least as many cells across the lines of a bitmap as along them.
/// `line` and `i` are the cell, `across` and `along` the signs of the octant's directions.
struct Octant<'g> {
    lines: &'g Bitmap,
    line: i32,
    i: i32,
    across: i32,
    along: i32,
}

impl Octant<'_> {
    /// Whether the cell at a distance along and across from the octant's cell is walkable.
    fn is_free(&self, along: i64, across: i64) -> bool {
        let i = i64::from(self.i) + along * i64::from(self.along);
        let line = self.line + across as i32 * self.across;
        (0..self.lines.len()).contains(&i) && self.lines.get(line, i as i32)
    }

    /// Calls `see` for every visible cell of the octant, with its line and its place on the line.
    fn scan(&self, sectors: &mut VisibleSectors, mut see: impl FnMut(i32, i32)) {
        sectors.here.clear();
        // Slopes from a little below 0 (straight across) to a little above 1 (the diagonal); or to 1, excluded, where
        // the cell beside the octant's own is blocked and hides the diagonal.
        let high = if self.is_free(1, 0) { Slope(5, 4) } else { Slope(1, 1) };
        sectors.here.push(View { low: Slope(-1, 4), high });
        let mut across = 0;
        while !sectors.here.is_empty() {
            across += 1;
            let line = self.line + across as i32 * self.across;
            if !(0..self.lines.lines()).contains(&line) {
                return;
            }
            sectors.next.clear();
            for &view in &sectors.here {
                let first = view.low.first_beyond(2 * across).max(0);
                let last = view.high.last_before(2 * across).min(across);
                for along in first..=last {
                    // The line to a cell on the diagonal passes the corner of the cell before it in its row.
                    let is_seen =
                        self.is_free(along, across) && (along < across || self.is_free(along - 1, across));
                    if is_seen {
                        see(line, self.i + along as i32 * self.along);
                    }
                }
                self.cut(view, across, &mut sectors.next);
            }
            core::mem::swap(&mut sectors.here, &mut sectors.next);
        }
    }

    /// Subtracts the shadows of a row's blocked cells from a visible range, and appends the rest to `next`.
    fn cut(&self, view: View, across: i64, next: &mut Vec<View>) {
        let mut low = view.low;
        // A blocked cell hides the slopes between its outermost corners, both included; its sides are at ±½.
        let first = (low.0 * (2 * across - 1) - low.1).div_euclid(2 * low.1).max(0);
        let last = (view.high.0 * (2 * across + 1) + view.high.1).div_euclid(2 * view.high.1).min(across + 1);
        for along in first..=last {
            if self.is_free(along, across) {
                continue;
            }
            let near = if along == 0 { 2 * across - 1 } else { 2 * across + 1 };
            let shadow = View { low: Slope(2 * along - 1, near), high: Slope(2 * along + 1, 2 * across - 1) };
            if low.is_below(shadow.low) {
                let high = if shadow.low.is_below(view.high) { shadow.low } else { view.high };
                next.push(View { low, high });
            }
            if low.is_below(shadow.high) {
                low = shadow.high;
            }
        }
        if low.is_below(view.high) {
            next.push(View { low, high: view.high });
        }
    }
}
