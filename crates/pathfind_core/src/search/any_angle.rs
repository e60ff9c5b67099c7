//! Shortest paths at any angle that turn at the corners of walls, after the Anya algorithm.
//!
//! The nodes of this search are not cells but intervals of the lines between rows. An interval belongs to a *root*,
//! the point where the path last turned, and is a part of a line that the root sees through the rows between. An
//! expanded interval is projected from its root onto the next line, where walls cut it into the intervals that
//! follow. Where an end of the interval is the corner of a wall, the path may turn there, and the corner becomes
//! a root:
//!
//! ```text
//!   next line    +-----[=======]#####      [=] seen from the root
//!                |     /      / #####
//!   line         ##[==/======/]-+          the left end is a corner: a path may turn there,
//!                ##  /     /               and see the rest of the next line, to the left
//!                  root
//! ```
//!
//! The estimate of an interval is exact if the goal lies in the row ahead of it. The search ends when no open
//! interval can lead to a shorter path than the best one found. Runs of free cells are found on the grid's bitmaps:
//! the search needs no preprocessing, and nothing has to be updated after an edit.
//!
//! Four rules keep the number of intervals small where walls stand in regular rows:
//!
//! - *One path to a corner.* Of equally short paths to a corner, the one found first is kept. This loses no shortest
//!   path: in one that goes on from the corner, the part up to the corner can be replaced by the path kept, which
//!   is as long. Lengths have 106 bits, so that equal lengths compare equal; two that differ by less
//!   than one part in 2⁹⁰ count as equal, which lengthens a path by at most that part for each turn.
//! - *One interval a line.* Of all runs that a root sees on a line, only that with the shortest path to the goal is
//!   opened. Path lengths are convex along a line, so that runs further out have no shorter one; a run is opened
//!   when its neighbour towards the best run is expanded.
//! - *One corner a slide.* A path that slides along a line turns at the first corner, or goes on from there.
//! - *No dominated intervals.* If another root reaches each point of a part of a line by a shorter path, then no
//!   shortest path crosses the part straight from this root. The other root sees the part through the same rows, or is
//!   a corner at an end of the part, from which a path goes on along the line. Not only the run is compared, but all
//!   that is left of the line beside it: where pillars stand in rows, a root sees a gap between every two of them.
//!
//! D. Harabor, A. Grastien, D. Öz and V. Aksakalli, "Optimal Any-Angle Pathfinding In Practice" (Anya),
//! Journal of Artificial Intelligence Research 56, 2016.
//!
//! The open list holds intervals, not cells, in buckets of nearly equal lengths, and of a bucket the newest interval is
//! expanded first: what it needs is still in the cache. For this reason the search has a loop of its own beside that of
//! the [kernel](super::strategy).

mod corners;
mod interval;
mod length;

use glam::DVec2;

use corners::{BestRoot, ROUNDING, Undominated, dominates_view, record_undominated};
pub(crate) use interval::Intervals;
use interval::{Aim, Corner, End, Interval, Root, Seen, center, snapped, whole};
use length::Length;

use super::nodes::{Node, Nodes};
use super::open_list::{Buckets, OpenList};
use super::strategy::Stop;
use super::{Metrics, SearchEvent, SearchEventKind, SearchObserver};
use crate::grid::{Bitmap, Cell, CornerRule, Line};
use crate::simd::prefetch;

/// Buckets of the open list for each cell of length. With a quarter as many, up to a tenth more intervals are
/// expanded among regular pillars, because a shorter path to their root comes later; more buckets take more memory,
/// and are slower.
const BUCKETS_A_CELL: f64 = 64.0;
/// The number of buckets.
const WINDOW: u64 = 1 << 15;

/// The key of an interval through which a path of this length leads.
fn key(length: f64) -> u64 {
    // The sum has no bits left for a fraction: this rounds half less than the number, which is to round down, and takes
    // less time than a conversion.
    const NO_FRACTION: f64 = (1_u64 << 52) as f64;
    ((length * BUCKETS_A_CELL - 0.5).max(0.0) + NO_FRACTION).to_bits() - NO_FRACTION.to_bits()
}

/// A search over intervals, for one slice.
pub(crate) struct AnyAngle<'s, L> {
    pub(crate) rows: &'s Bitmap,
    /// `OneFree`, or `Always`, under which a path may pass between two walls that meet at a corner.
    pub(crate) corners: CornerRule,
    pub(crate) goal: Cell,
    pub(crate) memory: &'s mut Intervals,
    pub(crate) queue: &'s mut Buckets,
    /// The record of each corner of a cell: its best root, and the intervals expanded across the gap to its right.
    pub(crate) corner_records: &'s mut Nodes,
    pub(crate) metrics: &'s mut Metrics,
    /// Receives a new root as an opened cell (that to the lower right of the corner), and an expanded interval as a
    /// closed cell (that ahead of its middle).
    pub(crate) observer: &'s mut L,
}

impl<L: SearchObserver> AnyAngle<'_, L> {
    /// Opens the intervals that the start sees above and below its row; `Some` if the goal lies in the start's run.
    pub(crate) fn open(&mut self, start: Cell) -> Option<Stop> {
        let at = center(start);
        self.memory.roots.push(Root::new(at, Length::default(), 0));
        self.queue.begin(key(at.distance(center(self.goal))), WINDOW);
        let run = self.run(start.y, start.x);
        if start.y == self.goal.y && (run.0..run.1).contains(&self.goal.x) {
            self.memory.end = Some(End { root: 0, crossing: at, length: 0.0 });
            return Some(Stop::Found(self.goal.into()));
        }
        for (line, ahead) in [(start.y, -1), (start.y + 1, 1)] {
            self.cross(0, line, ahead, f64::from(run.0), f64::from(run.1), run);
        }
        None
    }

    /// Expands intervals until the path to the goal is the shortest, none is left, the memory is full, or the budget
    /// is spent.
    pub(crate) fn run_slice(&mut self, budget: u32) -> Stop {
        for _ in 0..budget {
            if self.memory.is_full() {
                return Stop::Full;
            }
            let shortest_known = self.memory.end.as_ref().map(|end| key(end.length));
            let next =
                self.queue.pop().filter(|&(least, _)| shortest_known.is_none_or(|known| least <= known));
            let Some((_, index)) = next else {
                return shortest_known.map_or(Stop::Exhausted, |_| Stop::Found(self.goal.into()));
            };
            self.metrics.pops += 1;
            // The interval after the next is prefetched, and the root of the next one.
            let [next, after] = self.queue.upcoming().map(|next| next.map(|next| next.bits() as usize));
            if let Some(after) = after {
                prefetch(&self.memory.intervals, after);
            }
            if let Some(next) = next {
                prefetch(&self.memory.roots, self.memory.intervals[next].root as usize);
            }
            let part = self.memory.intervals[index.bits() as usize];
            self.memory.free.push(index.bits());
            let root = self.memory.roots[part.root as usize];
            // Stale: a shorter path to the root's corner was found since the interval was opened.
            if root.is_superseded {
                continue;
            }
            let interval = part.within_run();
            // Of the last bucket, only intervals that may lead to a shorter path.
            if let Some(end) = &self.memory.end
                && root.g.rounded() + self.aim(root, interval.line()).shortest(&interval).0 >= end.length
            {
                continue;
            }
            let ends = self.ends(&interval);
            let Intervals { roots, crossings, has_rivals, .. } = &mut *self.memory;
            // Where no two paths have met, as in a maze without loops, nothing is dominated.
            let rest = if *has_rivals {
                record_undominated(self.corner_records, crossings, roots, &part, ends)
            } else {
                Undominated::new(&part)
            };
            for beside in rest.beside(&part).into_iter().flatten() {
                self.follow(beside);
            }
            if !rest.has_within() {
                continue;
            }
            self.metrics.expanded += 1;
            if L::ACTIVE {
                let middle = (interval.left + interval.right) / 2.0;
                let row = f64::from(interval.row_ahead());
                self.tell(SearchEventKind::Closed, DVec2::new(middle, row), root, root.g);
            }
            let rows = self.height(&interval);
            if self.holds_goal(&interval, rows) {
                let (rest, x) = self.aim(root, interval.line()).shortest(&interval);
                let length = root.g.rounded() + rest;
                if self.memory.end.as_ref().is_none_or(|best| length < best.length) {
                    let crossing = DVec2::new(x, f64::from(interval.line()));
                    self.memory.end = Some(End { root: interval.root, crossing, length });
                }
                continue;
            }
            self.expand(&interval, root, rows, ends);
        }
        Stop::Budget
    }

    /// How many rows ahead of an interval have the same run: these rows are a free rectangle, crossed at once.
    fn height(&self, interval: &Interval) -> i32 {
        let (first, end) = interval.run;
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
    fn holds_goal(&self, interval: &Interval, rows: i32) -> bool {
        let beyond = (self.goal.y - interval.row_ahead()) * interval.ahead();
        (0..rows).contains(&beyond) && (interval.run.0..interval.run.1).contains(&self.goal.x)
    }

    /// Opens the successors of an interval, `rows` rows ahead and at its corners.
    fn expand(&mut self, interval: &Interval, root: Root, rows: i32, ends: [Option<Corner>; 2]) {
        let Interval { left, right, run, .. } = *interval;
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
        let beside = [
            Seen { line: next, left: run_left, right: cast_left.min(run_right) },
            Seen { line: next, left: cast_right.max(run_left), right: run_right },
        ];
        for (corner, seen) in ends.into_iter().zip(beside) {
            if let Some(corner) = corner
                && (corner.behind || seen.left < seen.right)
            {
                self.turn(interval, root, corner, seen);
            }
        }
    }

    /// The corners of walls at the left and the right end of an interval: one of the two cells just outside the end is
    /// blocked. None if the root is the corner.
    fn ends(&self, interval: &Interval) -> [Option<Corner>; 2] {
        if interval.left == interval.right {
            return [None; 2];
        }
        let (behind, ahead) = (self.rows.line(interval.row_behind()), self.rows.line(interval.row_ahead()));
        let corner = |end: f64, side: i32| {
            let x = whole(end)?;
            let outer = if side < 0 { x - 1 } else { x };
            let (behind, ahead) = (!is_free(behind, outer), !is_free(ahead, outer));
            (behind != ahead).then_some(Corner { x, behind, outer, side })
        };
        [corner(interval.left, -1), corner(interval.right, 1)]
    }

    /// Makes a corner a root. Opens the part of the next line that the corner sees and the old root does not, and, if
    /// the wall lies behind the line, the turns that are reached by sliding along the line.
    fn turn(&mut self, interval: &Interval, root: Root, corner: Corner, seen: Seen) {
        let (line, ahead, run) = (interval.line(), interval.ahead(), interval.run);
        let Some(turned) = self.root(interval.root, root, corner.x, line) else { return };
        if seen.left < seen.right || (seen.left == seen.right && self.corners == CornerRule::Always) {
            self.cross(turned, seen.line, ahead, seen.left, seen.right, run);
        }
        if corner.behind {
            let beyond = if corner.side < 0 { run.0 - 1 } else { run.1 };
            self.slide(turned, (line, ahead), (corner.outer, corner.side), beyond);
        }
    }

    /// Follows a line from a cell to one side, no further than `beyond`, to the end of the first wall in the row behind
    /// the line, and makes that end a root to turn round. Later corners on the line are reached from that root.
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
    fn root(&mut self, parent: u32, from: Root, x: i32, y: i32) -> Option<u32> {
        let at = DVec2::new(f64::from(x), f64::from(y));
        let best = BestRoot::of(self.corner_records, Node::new(x, y));
        let Intervals { roots, has_rivals, .. } = &mut *self.memory;
        let index = roots.len() as u32;
        let root = match best.get() {
            None => Root::new(at, from.g.plus(from.at(), at), parent),
            Some(known) => {
                *has_rivals = true;
                let known = &mut roots[known as usize];
                if from.g.rounded() + from.at().distance(at) > known.g.rounded() * (1.0 + ROUNDING) {
                    return None;
                }
                let root = Root::new(at, from.g.plus(from.at(), at), parent);
                if !root.g.is_shorter(known.g) {
                    return None;
                }
                known.is_superseded = true;
                root
            }
        };
        best.set(index);
        roots.push(root);
        if L::ACTIVE {
            self.tell(SearchEventKind::Opened, at, from, root.g);
        }
        Some(index)
    }

    /// Sends an event for a point of grid space to the observer.
    fn tell(&mut self, kind: SearchEventKind, at: DVec2, parent: Root, g: Length) {
        let g = g.rounded();
        let h = at.distance(center(self.goal));
        let cell = |at: DVec2| Cell::containing(at.as_vec2());
        self.observer.event(SearchEvent { kind, cell: cell(at), parent: cell(parent.at()), g, h });
    }

    /// Opens the part of a line that a root sees, for the runs of free cells ahead of the line. `run` is the run behind
    /// the line that the root sees it through.
    fn cross(&mut self, root: u32, line: i32, ahead: i32, left: f64, right: f64, run: (i32, i32)) {
        let (run_left, run_right) = (f64::from(run.0), f64::from(run.1));
        // A view of the whole run is cut by the next row: all rows in which the run is the same were crossed at once.
        let (line, left, right) = if left == run_left && right == run_right {
            // It is often dominated by the root at one of its ends, and then best left out at once.
            if self.memory.has_rivals && self.is_view_dominated(root, line, run) {
                return;
            }
            (line, left, right)
        } else {
            self.glide(root, line, ahead, left, right)
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
            self.follow(Interval::new(root, (line, ahead), left, right));
        }
    }

    /// Whether the best root at a corner of a run dominates the view that a root has of a line through all of the run.
    fn is_view_dominated(&self, root: u32, line: i32, run: (i32, i32)) -> bool {
        let Intervals { roots, .. } = &*self.memory;
        let ends = [run.0, run.1];
        ends.into_iter()
            .any(|x| dominates_view(self.corner_records, roots, x, &roots[root as usize], line, ends))
    }

    /// Opens a part of a line with that run ahead of it through which the path to the goal is shortest. The runs on
    /// either side of that run have no shorter path: they are opened when it is expanded.
    #[inline(never)]
    fn follow(&mut self, part: Interval) {
        let row = part.row_ahead();
        let root = self.memory.roots[part.root as usize];
        let aim = self.aim(root, part.line());
        let best = aim.crossing(part.left, part.right);
        // Coordinates are not negative, so that truncation rounds down.
        let (first, last) = (part.left as i32, before(part.right));
        let cell = (best as i32).min(last);
        let word = self.rows.word(row, cell);
        if word >> (cell & 63) & 1 != 0 {
            // The shortest path crosses the run of this cell.
            let run = self.run_in(word, row, cell);
            self.push(Interval { run, ..part }, root.g, aim.length(best));
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
        self.push(Interval { run, ..part }, root.g, length);
    }

    /// The way from a root across a line to the goal.
    fn aim(&self, root: Root, line: i32) -> Aim {
        Aim::new(root.at(), line, center(self.goal))
    }

    /// Projects the part of a line that a root sees across all rows in which no path turns: at each of its ends, either
    /// no wall touches the view, or a straight wall bounds it. Returns the line reached, and the part of it that the
    /// root sees.
    fn glide(&self, root: u32, line: i32, ahead: i32, left: f64, right: f64) -> (i32, f64, f64) {
        let at = self.memory.roots[root as usize].at();
        let row_of = |line: i32| if ahead > 0 { line } else { line - 1 };
        // Among many walls most views are cut by the next row, which is sooner seen than projected to.
        if !self.rows.all_walkable(row_of(line), left as i32, before(right)) {
            return (line, left, right);
        }
        // The columns of the walls that bound the view.
        let behind = row_of(line - ahead);
        let wall = |end: f64, outer: i32| Some(whole(end)? + outer).filter(|&x| !self.rows.get(behind, x));
        let (wall_left, wall_right) = (wall(left, -1), wall(right, 0));
        let (mut line, mut left, mut right) = (line, left, right);
        loop {
            let row = row_of(line);
            let is_straight = |wall: Option<i32>| wall.is_none_or(|x| !self.rows.get(row, x));
            if row == self.goal.y || !is_straight(wall_left) || !is_straight(wall_right) {
                break;
            }
            let stretch = (f64::from(line + ahead) - at.y) / (f64::from(line) - at.y);
            let cast = |x: f64| snapped(at.x + (x - at.x) * stretch);
            // A projection may lie far beyond the grid, which has one blocked cell on each side.
            let (first, next_left) = wall_left.map_or_else(
                || {
                    let next = cast(left);
                    ((left.min(next) as i32 - 1).max(-1), next)
                },
                |x| (x + 1, left),
            );
            let (last, next_right) = wall_right.map_or_else(
                || {
                    let next = cast(right);
                    ((before(right.max(next)) + 1).min(self.rows.len() as i32), next)
                },
                |x| (x - 1, right),
            );
            if next_left >= next_right || !self.rows.all_walkable(row, first, last) {
                break;
            }
            (line, left, right) = (line + ahead, next_left, next_right);
        }
        (line, left, right)
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
    fn push_corner(&mut self, root: u32, line: i32, ahead: i32, corner: i32, run: (i32, i32)) {
        let at = f64::from(corner);
        let interval = Interval { run, ..Interval::new(root, (line, ahead), at, at) };
        let root = self.memory.roots[root as usize];
        self.push(interval, root.g, root.at().distance(center(self.goal)));
    }

    /// Puts an interval on the open list; `g` is the length of the path to its root, and `length` that of the shortest
    /// path from there through the interval to the goal.
    fn push(&mut self, interval: Interval, g: Length, length: f64) {
        self.metrics.generated += 1;
        self.metrics.pushes += 1;
        let index = match self.memory.free.pop() {
            Some(index) => {
                self.memory.intervals[index as usize] = interval;
                index
            }
            None => {
                self.memory.intervals.push(interval);
                self.memory.intervals.len() as u32 - 1
            }
        };
        let index = Node::from_bits(index);
        self.queue.push(key(g.rounded() + length), index);
    }

    /// The run of free cells that contains a cell: its first cell, and the first cell after it.
    fn run(&self, row: i32, cell: i32) -> (i32, i32) {
        self.run_in(self.rows.word(row, cell), row, cell)
    }

    /// [`run`](Self::run), given the cell's word: mostly the run lies within.
    #[inline]
    fn run_in(&self, word: u64, row: i32, cell: i32) -> (i32, i32) {
        let (base, blocked) = (cell & !63, !word);
        let (before, after) = (blocked & !(u64::MAX << (cell & 63)), blocked & u64::MAX << (cell & 63));
        let first = match before {
            0 => self.rows.next(row, base - 1, -1, false, i32::MIN) + 1,
            before => base + 64 - before.leading_zeros() as i32,
        };
        let end = match after {
            0 => self.rows.next(row, base + 64, 1, false, i32::MAX),
            after => base + after.trailing_zeros() as i32,
        };
        (first, end)
    }
}

/// Whether a cell of a line of the bitmap is free.
#[inline]
fn is_free(words: Line<'_>, cell: i32) -> bool {
    words[(cell + 64) as usize >> 6] >> (cell & 63) & 1 != 0
}

/// The last cell of a part of a line that ends at the coordinate `end`.
fn before(end: f64) -> i32 {
    let cell = end as i32;
    if f64::from(cell) == end { cell - 1 } else { cell }
}
