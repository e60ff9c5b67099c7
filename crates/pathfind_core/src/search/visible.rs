//! Shortest paths at any angle that touch nothing: they turn at cells' centres.
//!
//! Where walls may not even be touched, no path hugs their corners, and the best place to turn can be a
//! centre some way off. So every centre counts: this is A* on the graph that joins all centres which see
//! each other. The graph is never built: what a cell sees is worked out when it is expanded, row by row
//! in each of eight octants, as shadows that blocked cells cast.
//!
//! ```text
//!   . a a . . . .     seen from u, a blocked cell # hides the slopes between its outermost corners;
//!   . a # s s . .     centres on the edge of the footprint are hidden too, for there the view touches it
//!   u a a a s s s
//! ```
//!
//! Exact, and much dearer than searches that may touch corners: an expansion takes time in proportion to
//! the cells that are seen.

use core::cell::RefCell;

use super::costs::StepCosts;
use super::nodes::{AnyParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use crate::grid::Bitmap;

/// Goes to every centre in sight.
pub(crate) struct Visible<'g> {
    pub(crate) rows: &'g Bitmap,
    pub(crate) columns: &'g Bitmap,
    pub(crate) costs: &'g StepCosts,
    pub(crate) sectors: &'g RefCell<VisibleSectors>,
}

/// Slopes still open to view, on this row and on the next; memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisibleSectors {
    here: Vec<View>,
    next: Vec<View>,
}

/// Slopes between two, neither included.
#[derive(Copy, Clone, Debug)]
struct View {
    low: Slope,
    high: Slope,
}

/// Cells along the row for each row away: a fraction whose denominator is above 0.
#[derive(Copy, Clone, Debug)]
struct Slope(i64, i64);

impl Slope {
    fn is_below(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    /// The first whole place beyond the slope, so many halves of a row away.
    fn first_beyond(self, halves: i64) -> i64 {
        (self.0 * halves).div_euclid(2 * self.1) + 1
    }

    /// The last whole place before the slope, so many halves of a row away.
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
            rows.look(&mut sectors, |line, i| relax(Node::new(i, line)));
            let columns = Octant { lines: self.columns, line: x, i: y, across, along };
            columns.look(&mut sectors, |line, i| relax(Node::new(line, i)));
        }
    }
}

/// An eighth of the view: as far across the lines as along them, or further.
struct Octant<'g> {
    lines: &'g Bitmap,
    line: i32,
    i: i32,
    across: i32,
    along: i32,
}

impl Octant<'_> {
    /// Whether the cell so far along and across can be stood on.
    fn is_free(&self, along: i64, across: i64) -> bool {
        let i = i64::from(self.i) + along * i64::from(self.along);
        let line = self.line + across as i32 * self.across;
        (0..self.lines.len()).contains(&i) && self.lines.get(line, i as i32)
    }

    /// Hands over every cell in sight by line and place.
    fn look(&self, sectors: &mut VisibleSectors, mut see: impl FnMut(i32, i32)) {
        sectors.here.clear();
        // From a little before straight across to a little beyond the diagonal; or short of it, where the
        // cell beside the first casts its shadow.
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
                    // On the diagonal the view passes the corner of the cell before.
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

    /// Cuts the shadows of a row's blocked cells out of a view.
    fn cut(&self, view: View, across: i64, next: &mut Vec<View>) {
        let mut low = view.low;
        // A cell from i - ½ to i + ½ hides what lies between its outer corners, both included.
        let first = (low.0 * (2 * across - 1) - low.1).div_euclid(2 * low.1).max(0);
        let last = (view.high.0 * (2 * across + 1) + view.high.1).div_euclid(2 * view.high.1).min(across + 1);
        for along in first..=last {
            if self.is_free(along, across) {
                continue;
            }
            let near = if along == 0 { 2 * across - 1 } else { 2 * across + 1 };
            let footprint =
                View { low: Slope(2 * along - 1, near), high: Slope(2 * along + 1, 2 * across - 1) };
            if low.is_below(footprint.low) {
                let high = if footprint.low.is_below(view.high) { footprint.low } else { view.high };
                next.push(View { low, high });
            }
            if low.is_below(footprint.high) {
                low = footprint.high;
            }
        }
        if low.is_below(view.high) {
            next.push(View { low, high: view.high });
        }
    }
}
