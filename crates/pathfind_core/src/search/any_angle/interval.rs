//! The data of the search over intervals: roots, intervals, and the memory that holds them.

use glam::{DVec2, Vec2};

use super::corners::GapCrossings;
use super::length::Length;
use crate::grid::{Grid, GridCell};
use crate::search::open_list::{Buckets, Linked};

/// A point of grid space where a path starts or turns, and the length up to it. It takes half of a cache line.
#[derive(Copy, Clone, Debug)]
#[repr(align(32))]
pub(super) struct Root {
    /// Exact: a multiple of ½.
    at: Vec2,
    pub(super) g: Length,
    /// The index of the root before this one on the path; the start is its own parent.
    pub(super) parent: u32,
    /// How often a shorter path to the corner has been found, modulo 256. Intervals of another version are stale. One
    /// that is 256 versions old is expanded as well, which costs time and does no harm: the root still sees it.
    pub(super) version: u8,
}

impl Root {
    pub(super) fn new(at: DVec2, g: Length, parent: u32) -> Self {
        Self { at: at.as_vec2(), g, parent, version: 0 }
    }

    /// Replaces the path to the point by a shorter one.
    pub(super) fn shorten(&mut self, g: Length, parent: u32) {
        (self.g, self.parent, self.version) = (g, parent, self.version.wrapping_add(1));
    }

    #[inline]
    pub(super) fn at(&self) -> DVec2 {
        self.at.as_dvec2()
    }
}

/// The part of a line between two rows that a root sees, and a run of free cells in the row ahead of the line. It
/// takes half of a cache line.
#[derive(Copy, Clone, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Interval {
    pub(super) root: u32,
    /// The index of the interval below it on the open list.
    below: u32,
    pub(super) left: f64,
    pub(super) right: f64,
    line: i16,
    ahead: i8,
    /// The version of its root when it was opened.
    pub(super) version: u8,
    run: [i16; 2],
}

impl Linked for Interval {
    #[inline]
    fn below(&self) -> u32 {
        self.below
    }

    #[inline]
    fn link(&mut self, below: u32) {
        self.below = below;
    }
}

impl Interval {
    /// A part of a line, seen from the root of an index and a version. `ahead` is the direction of the search across
    /// rows: 1 towards greater y, -1 towards smaller y.
    #[inline]
    pub(super) fn new(
        (root, version): (u32, u8),
        (line, ahead): (i32, i32),
        (left, right): (f64, f64),
        run: (i32, i32),
    ) -> Self {
        let [line, first, end] = [line, run.0, run.1].map(|number| number as i16);
        Self { root, below: 0, left, right, line, ahead: ahead as i8, version, run: [first, end] }
    }

    #[inline]
    pub(super) fn line(&self) -> i32 {
        i32::from(self.line)
    }

    #[inline]
    pub(super) fn ahead(&self) -> i32 {
        i32::from(self.ahead)
    }

    /// The run: its first cell, and the first cell after it.
    #[inline]
    pub(super) fn run(&self) -> (i32, i32) {
        (i32::from(self.run[0]), i32::from(self.run[1]))
    }

    /// The interval, cut to its run. An interval on the open list is the whole part of the line that is still to be
    /// followed, together with the run through which the path to the goal may be shortest.
    pub(super) fn within_run(self) -> Self {
        let (left, right) = (self.left.max(f64::from(self.run[0])), self.right.min(f64::from(self.run[1])));
        Self { left, right, ..self }
    }

    pub(super) fn row_ahead(&self) -> i32 {
        row_ahead(self.line(), self.ahead())
    }

    pub(super) fn row_behind(&self) -> i32 {
        row_ahead(self.line(), -self.ahead())
    }
}

/// The row ahead of a line, down the map if `ahead` is 1 and up if it is -1.
#[inline]
pub(super) fn row_ahead(line: i32, ahead: i32) -> i32 {
    // `ahead >> 1` is 0 or -1.
    line + (ahead >> 1)
}

const _: () = assert!(size_of::<Root>() == 32 && size_of::<Interval>() == 32);

/// The corner of a wall at one end of an interval.
#[derive(Copy, Clone, Debug)]
pub(super) struct Corner {
    pub(super) x: i32,
    /// Whether the wall lies in the row behind the line; if not, in the row ahead.
    pub(super) behind: bool,
    /// The column of the cells just outside the interval's end.
    pub(super) outer: i32,
    /// -1 at the left end of the interval, 1 at the right end.
    pub(super) side: i32,
}

/// The end of a path: its last root, where it crosses the line of the last interval, and its length.
#[derive(Clone, Debug)]
pub(super) struct PathEnd {
    pub(super) root: u32,
    pub(super) crossing: DVec2,
    pub(super) length: f64,
}

/// The memory of the search over intervals; searches reuse it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    pub(super) roots: Vec<Root>,
    pub(super) open: Buckets<Interval>,
    /// For each row the last run found there that reaches beyond a word of the bitmap; (0, 0) if none.
    pub(super) long_runs: Vec<(i32, i32)>,
    /// The last expanded intervals across each gap.
    pub(super) crossings: Vec<GapCrossings>,
    /// Whether two paths to the same corner were found.
    pub(super) has_rivals: bool,
    /// The most roots, intervals and crossings to keep, all together. Each gap keeps two crossings.
    pub(in crate::search) most: usize,
    pub(super) end: Option<PathEnd>,
}

impl Intervals {
    /// The least value of `most`, for small grids: less than 4 MiB.
    const FEWEST: usize = 1 << 16;

    /// Empties the memory for a search on a grid. The limit is one root, interval or crossing for each cell, so that
    /// the search takes at most some 80 bytes a cell (60 for each of these, and the record of its corner), about ten
    /// times as much as a search over cells. Maps with as many corners as a random scatter of walls need a fifth of
    /// that.
    pub(crate) fn begin(&mut self, grid: &Grid) {
        let cells = grid.width() as usize * grid.height() as usize;
        self.most = cells.max(Self::FEWEST);
        self.roots.clear();
        self.long_runs.clear();
        self.long_runs.resize(grid.height() as usize, (0, 0));
        self.crossings.clear();
        self.has_rivals = false;
        self.end = None;
    }

    pub(super) fn is_full(&self) -> bool {
        self.roots.len() + self.open.most_entries() + 2 * self.crossings.len() > self.most
    }

    /// The path found: start, corners and goal. Points on a straight line between others are left out.
    pub(crate) fn waypoints(&self, goal: GridCell) -> Vec<Vec2> {
        let &PathEnd { root: last, crossing, .. } = self.end.as_ref().expect("a path was found");
        let roots = || {
            std::iter::successors(Some(last), |&root| {
                let parent = self.roots[root as usize].parent;
                (parent != root).then_some(parent)
            })
        };
        let mut points = Vec::with_capacity(roots().count() + 2);
        points.push(center(goal).as_vec2());
        let mut add = |point: DVec2| {
            let point = point.as_vec2();
            if let [.., before, last] = points[..]
                && (last - before).perp_dot(point - last) == 0.0
            {
                points.pop();
            }
            if points.last() != Some(&point) {
                points.push(point);
            }
        };
        // The path can turn at the crossing only if that is a corner, with integer coordinates.
        if crossing.fract() == DVec2::ZERO {
            add(crossing);
        }
        roots().for_each(|root| add(self.roots[root as usize].at()));
        points.reverse();
        points
    }
}

/// The way from a root across a line to the goal, mirrored to the line's other side, without walls.
pub(super) struct MirroredGoal {
    from: f64,
    to: f64,
    /// The squares of the distances of the root and of the goal from the line.
    square_before: f64,
    square_after: f64,
    /// Where the straight way crosses the line.
    straight: f64,
}

impl MirroredGoal {
    pub(super) fn new(root: DVec2, line: i32, goal: DVec2) -> Self {
        let line = f64::from(line);
        let (before, after) = ((root.y - line).abs(), (goal.y - line).abs());
        let straight = if before + after > 0.0 {
            root.x + (goal.x - root.x) * before / (before + after)
        } else {
            goal.x
        };
        let (square_before, square_after) = (before * before, after * after);
        Self { from: root.x, to: goal.x, square_before, square_after, straight }
    }

    /// Where the shortest way through a part of the line crosses it.
    #[inline]
    pub(super) fn crossing(&self, left: f64, right: f64) -> f64 {
        let x = if self.straight < left { left } else { self.straight };
        if x > right { right } else { x }
    }

    /// The length of the way that crosses the line there.
    #[inline]
    pub(super) fn length(&self, x: f64) -> f64 {
        let (before, after) = (x - self.from, self.to - x);
        (before * before + self.square_before).sqrt() + (after * after + self.square_after).sqrt()
    }

    /// The length of the shortest way through an interval, and where it crosses the line.
    #[inline]
    pub(super) fn shortest(&self, interval: &Interval) -> (f64, f64) {
        let x = self.crossing(interval.left, interval.right);
        (self.length(x), x)
    }
}

/// The number, rounded if it is within 1e-7 of an integer: a projection onto a corner is inexact by rounding.
pub(super) fn snapped(x: f64) -> f64 {
    let rest = x - nearest(x).0;
    // Branchless: whether a projection meets a corner is hard to predict.
    let mask = u64::from(rest.abs() < 1e-7).wrapping_neg();
    x - f64::from_bits(rest.to_bits() & mask)
}

/// The nearest integer, as a number and converted.
#[inline]
fn nearest(x: f64) -> (f64, i32) {
    // The sum has no bits left for a fraction, and ends in the bits of the integer: this takes less time than a
    // conversion, and rounds without the call that `round` is on some processors.
    const NO_FRACTION: f64 = (3_u64 << 51) as f64;
    let sum = x + NO_FRACTION;
    (sum - NO_FRACTION, sum.to_bits() as i32)
}

/// The number, if it is an integer.
#[inline]
pub(super) fn whole(x: f64) -> Option<i32> {
    let (nearest, whole) = nearest(x);
    (nearest == x).then_some(whole)
}

/// The cell of a line that a part begins in which starts at a coordinate.
#[inline]
pub(super) fn cell_from(start: f64) -> i32 {
    let (nearest, whole) = nearest(start);
    whole - i32::from(nearest > start)
}

/// The last cell of a part of a line that ends at a coordinate.
#[inline]
pub(super) fn cell_before(end: f64) -> i32 {
    let (nearest, whole) = nearest(end);
    whole - i32::from(nearest >= end)
}

pub(super) fn center(cell: GridCell) -> DVec2 {
    cell.center().as_dvec2()
}
