//! The views of a root: how far a part of a line reaches across free rows, and the intervals that are opened for it.

use super::corners::{StraightPaths, dominated_part};
use super::interval::{Interval, MirroredGoal, Root, cell_before, cell_from, center, row_ahead, snapped};
use super::{AnyAngle, key};
use crate::grid::CornerRule;
use crate::search::SearchObserver;

impl<L: SearchObserver> AnyAngle<'_, L> {
    /// Opens the part of a line that a root sees, for the runs of free cells ahead of the line. `run` is the run
    /// behind the line that the root sees it through.
    pub(super) fn cross(&mut self, root: u32, line: i32, ahead: i32, left: f64, right: f64, run: (i32, i32)) {
        let (run_left, run_right) = (f64::from(run.0), f64::from(run.1));
        // A view of the whole run is cut by the next row: all rows in which the run is the same were crossed at once.
        let (line, left, right) = if left == run_left && right == run_right {
            // It is often dominated by the root at one of its ends, and then best left out at once.
            if self.memory.has_rivals && self.is_view_dominated(root, line, run) {
                return;
            }
            (line, left, right)
        } else {
            self.glide(root, (line, ahead), (left, right), run)
        };
        if self.corners == CornerRule::Always {
            if left == run_left {
                self.slip(root, line, ahead, run.0, -1);
            }
            if right == run_right {
                self.slip(root, line, ahead, run.1, 1);
            }
        }
        if left < right {
            self.follow(root, (line, ahead), (left, right));
        }
    }

    /// Whether the best root at a corner of a run dominates the view of a line through all of the run.
    fn is_view_dominated(&self, root: u32, line: i32, run: (i32, i32)) -> bool {
        let roots = &self.memory.roots;
        let view = &roots[root as usize];
        let view = StraightPaths::new(view.at(), line, view.g.rounded());
        let (left, right) = (f64::from(run.0), f64::from(run.1));
        [run.0, run.1].into_iter().any(|x| {
            dominated_part(self.corner_records, roots, x, line, &view)
                .is_some_and(|(low, high)| low < left && right < high)
        })
    }

    /// Under `Always`: if two walls meet at the end of a run, opens the run that begins beyond their corner.
    fn slip(&mut self, root: u32, line: i32, ahead: i32, corner: i32, side: i32) {
        let row = if ahead > 0 { line } else { line - 1 };
        let (inner, outer) = if side < 0 { (corner, corner - 1) } else { (corner - 1, corner) };
        if self.rows.get(row, inner) || !self.rows.get(row, outer) {
            return;
        }
        let from = self.memory.roots[root as usize];
        if let Some(slipped) = self.root(root, from, corner, line) {
            let run = self.run(row, outer);
            self.push_corner(slipped, line, ahead, corner, run);
        }
    }

    /// Opens the interval of a root that lies on the line itself: a single point.
    pub(super) fn push_corner(&mut self, root: u32, line: i32, ahead: i32, corner: i32, run: (i32, i32)) {
        let at = f64::from(corner);
        let from = self.memory.roots[root as usize];
        let length = from.g.rounded() + from.at().distance(center(self.goal));
        self.push((root, from.version), (line, ahead), (at, at), run, length);
    }

    /// Opens a part of a line with that run ahead of it through which the path to the goal is shortest. The runs on
    /// either side of that run have no shorter path: they are opened when it is expanded.
    #[inline(never)]
    pub(super) fn follow(&mut self, root: u32, (line, ahead): (i32, i32), (left, right): (f64, f64)) {
        let row = row_ahead(line, ahead);
        let (first, last) = (cell_from(left), cell_before(right));
        let word = self.rows.word(row, first);
        // Many parts end at the wall beside a run.
        if first >> 6 == last >> 6 && word & u64::MAX << (first & 63) & u64::MAX >> (63 - (last & 63)) == 0 {
            return;
        }
        let from = self.memory.roots[root as usize];
        let (seen_from, aim) = ((root, from.version), self.aim(from, line));
        let best = aim.crossing(left, right);
        let cell = cell_from(best).min(last);
        let word = if cell >> 6 == first >> 6 { word } else { self.rows.word(row, cell) };
        if word >> (cell & 63) & 1 != 0 {
            // The shortest path crosses the run of this cell.
            let run = self.run_in(word, row, cell);
            self.push(seen_from, (line, ahead), (left, right), run, from.g.rounded() + aim.length(best));
            return;
        }
        // Of a run to the left the path crosses the right end, of one to the right the left end.
        let lower = self.rows.next(row, cell, -1, true, first - 1);
        let upper = self.rows.next(row, cell, 1, true, last + 1);
        let (to_lower, to_upper) = (|| aim.length(f64::from(lower + 1)), || aim.length(f64::from(upper)));
        let (nearest, length) = match (lower >= first, upper <= last) {
            (true, true) => {
                let (to_lower, to_upper) = (to_lower(), to_upper());
                if to_upper < to_lower { (upper, to_upper) } else { (lower, to_lower) }
            }
            (true, false) => (lower, to_lower()),
            (false, true) => (upper, to_upper()),
            (false, false) => return,
        };
        let run = self.run(row, nearest);
        self.push(seen_from, (line, ahead), (left, right), run, from.g.rounded() + length);
    }

    /// Projects the part of a line that a root sees across all rows in which no path turns: at each of its ends,
    /// either no wall touches the view, not even at a corner, or a straight wall bounds it. `run` is the run behind the
    /// line. Returns the line reached, and the part of it that the root sees.
    fn glide(
        &self,
        root: u32,
        (mut line, ahead): (i32, i32),
        (mut left, mut right): (f64, f64),
        run: (i32, i32),
    ) -> (i32, f64, f64) {
        let at = self.memory.roots[root as usize].at();
        // Among many walls most views are cut by the next row, which is sooner seen than projected to.
        if !self.rows.all_walkable(row_ahead(line, ahead), cell_from(left), cell_before(right)) {
            return (line, left, right);
        }
        // The columns of the walls that bound the view.
        let wall_left = (left == f64::from(run.0)).then_some(run.0 - 1);
        let wall_right = (right == f64::from(run.1)).then_some(run.1);
        loop {
            let row = row_ahead(line, ahead);
            let is_straight = |wall: Option<i32>| wall.is_none_or(|x| !self.rows.get(row, x));
            if row == self.goal.y || !is_straight(wall_left) || !is_straight(wall_right) {
                break;
            }
            let stretch = (f64::from(line + ahead) - at.y) / (f64::from(line) - at.y);
            let cast = |x: f64| snapped(at.x + (x - at.x) * stretch);
            // A projection may lie far beyond the grid, which has one blocked cell on each side.
            let next_left = if wall_left.is_some() { left } else { cast(left) };
            let next_right = if wall_right.is_some() { right } else { cast(right) };
            let first = wall_left
                .map_or_else(|| cell_before(left.min(next_left).max(0.0) + 1.0) - 1, |wall| wall + 1);
            let last = wall_right
                .map_or_else(|| (right.max(next_right) as i32).min(self.rows.len() as i32), |wall| wall - 1);
            if next_left >= next_right || !self.rows.all_walkable(row, first, last) {
                break;
            }
            (line, left, right) = (line + ahead, next_left, next_right);
        }
        (line, left, right)
    }

    pub(super) fn aim(&self, root: Root, line: i32) -> MirroredGoal {
        MirroredGoal::new(root.at(), line, center(self.goal))
    }

    /// Puts an interval on the open list, given the length of the shortest path through it to the goal. Its fields are
    /// passed one by one, in registers, and written where they are kept: to read an interval right after its fields
    /// were written one by one makes the processor wait.
    fn push(
        &mut self,
        seen_from: (u32, u8),
        line: (i32, i32),
        (left, right): (f64, f64),
        run: (i32, i32),
        length: f64,
    ) {
        self.metrics.generated += 1;
        self.metrics.pushes += 1;
        self.memory.open.add(key(length), Interval::new(seen_from, line, (left, right), run));
    }

    /// The run of free cells that contains a cell: its first cell, and the first cell after it.
    pub(super) fn run(&mut self, row: i32, cell: i32) -> (i32, i32) {
        self.run_in(self.rows.word(row, cell), row, cell)
    }

    /// [`run`](Self::run), given the cell's word: mostly the run lies within. A longer run is kept until another one
    /// of its row is asked for: intervals that lie in one wide free row have the same run.
    #[inline]
    fn run_in(&mut self, word: u64, row: i32, cell: i32) -> (i32, i32) {
        let (base, blocked) = (cell & !63, !word);
        let (before, after) = (blocked & !(u64::MAX << (cell & 63)), blocked & u64::MAX << (cell & 63));
        let is_long = before == 0 || after == 0;
        if is_long {
            let (first, end) = self.memory.long_runs[row as usize];
            if (first..end).contains(&cell) {
                return (first, end);
            }
        }
        let first = match before {
            0 => self.rows.next(row, base - 1, -1, false, i32::MIN) + 1,
            before => base + 64 - before.leading_zeros() as i32,
        };
        let end = match after {
            0 => self.rows.next(row, base + 64, 1, false, i32::MAX),
            after => base + after.trailing_zeros() as i32,
        };
        if is_long {
            self.memory.long_runs[row as usize] = (first, end);
        }
        (first, end)
    }
}
