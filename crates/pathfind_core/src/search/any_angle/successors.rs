//! The successors of an expanded interval: the views of its root beyond it, and the corners at which paths turn.

use glam::DVec2;

use super::AnyAngle;
use super::corners::{ROUNDING, WIDEST_GAP, best_root, with_root};
use super::interval::{Corner, Interval, Intervals, Root, cell_from, snapped, whole};
use crate::grid::{CornerRule, Line};
use crate::search::nodes::Node;
use crate::search::{SearchEventKind, SearchObserver};

impl<L: SearchObserver> AnyAngle<'_, L> {
    /// How many rows ahead of an interval have the same run: these rows are a free rectangle, crossed at once.
    pub(super) fn height(&self, interval: &Interval) -> i32 {
        let (first, end) = interval.run();
        let mut row = interval.row_ahead();
        let mut rows = 0;
        loop {
            rows += 1;
            row += interval.ahead();
            let words = self.rows.line(row);
            let is_same = !is_free(words, first - 1)
                && !is_free(words, end)
                && self.rows.all_walkable(row, first, end - 1);
            if !is_same {
                return rows;
            }
        }
    }

    /// Whether the goal lies in the first `rows` rows of an interval's run.
    pub(super) fn holds_goal(&self, interval: &Interval, rows: i32) -> bool {
        let beyond = (self.goal.y - interval.row_ahead()) * interval.ahead();
        (0..rows).contains(&beyond) && (interval.run().0..interval.run().1).contains(&self.goal.x)
    }

    /// The corners of walls at the left and the right end of an interval: one of the two cells just outside the end
    /// is blocked. None if the root is the corner.
    pub(super) fn ends(&self, interval: &Interval) -> [Option<Corner>; 2] {
        if interval.left == interval.right {
            return [None; 2];
        }
        let corner = |end: f64, side: i32| {
            let x = whole(end)?;
            let outer = if side < 0 { x - 1 } else { x };
            // The run ahead reaches from wall to wall.
            let ahead = x == if side < 0 { interval.run().0 } else { interval.run().1 };
            let behind = !self.rows.get(interval.row_behind(), outer);
            (behind != ahead).then_some(Corner { x, behind, outer, side })
        };
        [corner(interval.left, -1), corner(interval.right, 1)]
    }

    /// The left corner of the gap that an interval crosses; `None` if the runs ahead of the line and behind it are too
    /// wide. Below a row of walls the run ahead is that of a free row, but the interval is seen through a gap.
    pub(super) fn gap(&mut self, interval: &Interval) -> Option<Node> {
        let is_gap = |&(first, end): &(i32, i32)| end - first <= WIDEST_GAP;
        let gap = Some(interval.run())
            .filter(is_gap)
            .or_else(|| Some(self.run(interval.row_behind(), cell_from(interval.left))).filter(is_gap));
        gap.map(|(first, _)| Node::new(first, interval.line()))
    }

    /// Opens the successors of an interval, `rows` rows ahead and at its corners.
    pub(super) fn expand(&mut self, interval: &Interval, root: Root, rows: i32, ends: [Option<Corner>; 2]) {
        let (Interval { left, right, .. }, run) = (*interval, interval.run());
        let (line, ahead, at) = (interval.line(), interval.ahead(), root.at());
        let next = line + ahead * rows;
        let (run_left, run_right) = (f64::from(run.0), f64::from(run.1));
        if at.y == f64::from(line) {
            // A root on the line itself is a corner of the run: it sees the whole run, and along the line.
            self.cross(interval.root, next, ahead, run_left, run_right, run);
            let corner = at.x as i32;
            let (inner, side) = if corner == run.0 { (corner, 1) } else { (corner - 1, -1) };
            let beyond = if side < 0 { run.0 - 1 } else { run.1 };
            self.slide(interval.root, (line, ahead), (inner, side), beyond);
            // Beyond the wall that ends at the root, the path may go on along the line to the next wall behind it.
            let behind = interval.row_behind();
            if self.rows.get(behind, inner) {
                let beyond =
                    self.rows.next(behind, inner, side, false, if side < 0 { i32::MIN } else { i32::MAX });
                self.slide(interval.root, (line, -ahead), (inner, side), beyond);
            }
            return;
        }
        let stretch = (f64::from(next) - at.y) / (f64::from(line) - at.y);
        let cast = |x: f64| snapped(at.x + (x - at.x) * stretch);
        let (cast_left, cast_right) = (cast(left), cast(right));
        let (seen_left, seen_right) = (cast_left.max(run_left), cast_right.min(run_right));
        if seen_left <= seen_right {
            self.cross(interval.root, next, ahead, seen_left, seen_right, run);
        }
        let beside = [(run_left, cast_left.min(run_right)), (cast_right.max(run_left), run_right)];
        for (corner, seen) in ends.into_iter().zip(beside) {
            if let Some(corner) = corner
                && (corner.behind || seen.0 < seen.1)
            {
                self.turn(interval, root, corner, next, seen);
            }
        }
    }

    /// Makes a corner a root. Opens the part of the line `next` that the corner sees and the old root does not, and, if
    /// the wall lies behind the line, the turns that are reached by sliding along the line.
    fn turn(
        &mut self,
        interval: &Interval,
        root: Root,
        corner: Corner,
        next: i32,
        (left, right): (f64, f64),
    ) {
        let (line, ahead, run) = (interval.line(), interval.ahead(), interval.run());
        let Some(turned) = self.root(interval.root, root, corner.x, line) else { return };
        if left < right || (left == right && self.corners == CornerRule::Always) {
            self.cross(turned, next, ahead, left, right, run);
        }
        if corner.behind {
            let beyond = if corner.side < 0 { run.0 - 1 } else { run.1 };
            self.slide(turned, (line, ahead), (corner.outer, corner.side), beyond);
        }
    }

    /// Follows a line from a cell to one side, no further than `beyond`, to the end of the first wall in the row
    /// behind the line, and makes that end a root to turn round. Later corners on the line are reached from that
    /// root.
    fn slide(&mut self, from: u32, (line, ahead): (i32, i32), (cell, side): (i32, i32), beyond: i32) {
        let (row_ahead, behind) = if ahead > 0 { (line, line - 1) } else { (line - 1, line) };
        let wall = self.rows.next(behind, cell, side, false, beyond);
        if wall == beyond {
            return;
        }
        // The first free cell after the wall.
        let free = self.rows.next(behind, wall, side, true, beyond);
        if !self.rows.get(behind, free) {
            return;
        }
        // At the end of the run two walls may meet at a corner: only `Always` lets a path pass between them.
        let slips = self.corners == CornerRule::Always && !self.rows.get(row_ahead, free);
        if free == beyond && !slips {
            return;
        }
        let end = if side < 0 { free + 1 } else { free };
        if let Some(turned) = self.root(from, self.memory.roots[from as usize], end, line) {
            let run = self.run(behind, free);
            self.push_corner(turned, line, -ahead, end, run);
        }
    }

    /// Makes a corner a root and returns its index; `None` if a path to the corner is known that is as short.
    pub(super) fn root(&mut self, parent: u32, from: Root, x: i32, y: i32) -> Option<u32> {
        let at = DVec2::new(f64::from(x), f64::from(y));
        let record = self.corner_records.record_mut(Node::new(x, y));
        let Intervals { roots, has_rivals, .. } = &mut *self.memory;
        let (index, g) = match best_root(*record) {
            None => {
                let (index, g) = (roots.len() as u32, from.g.plus(from.at(), at));
                *record = with_root(*record, index);
                roots.push(Root::new(at, g, parent));
                (index, g)
            }
            Some(index) => {
                *has_rivals = true;
                let known = &mut roots[index as usize];
                if from.g.rounded() + from.at().distance(at) > known.g.rounded() * (1.0 + ROUNDING) {
                    return None;
                }
                let g = from.g.plus(from.at(), at);
                if !g.is_shorter(known.g) {
                    return None;
                }
                known.shorten(g, parent);
                (index, g)
            }
        };
        if L::ACTIVE {
            self.tell(SearchEventKind::Opened, at, from, g);
        }
        Some(index)
    }
}

#[inline]
fn is_free(words: Line<'_>, cell: i32) -> bool {
    words[(cell + 64) as usize >> 6] >> (cell & 63) & 1 != 0
}
