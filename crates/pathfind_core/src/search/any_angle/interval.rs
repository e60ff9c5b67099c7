//! What the search over intervals is made of.

use glam::{DVec2, Vec2};

use super::corners::Crossing;
use super::length::Length;
use crate::grid::{Cell, Grid};
use crate::search::nodes::Node;

/// A point where a path turns, in grid space.
#[derive(Copy, Clone, Debug)]
pub(super) struct Root {
    pub(super) at: DVec2,
    pub(super) g: Length,
    /// The root before it; the start is its own.
    pub(super) parent: u32,
}

/// A part of a line between rows that a root sees, and a run of free cells that lies ahead of it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Interval {
    pub(super) root: u32,
    pub(super) line: i32,
    /// 1 if the rows below the line lie ahead, -1 if those above do.
    pub(super) ahead: i32,
    pub(super) left: f64,
    pub(super) right: f64,
    /// First cell of the run, and the first after it.
    pub(super) run: (i32, i32),
}

impl Interval {
    /// The interval without what lies beyond its run. On the open list an interval is the whole part of the line that
    /// is still to be followed, with the run that lies best.
    pub(super) fn within_run(self) -> Self {
        let (left, right) = (self.left.max(f64::from(self.run.0)), self.right.min(f64::from(self.run.1)));
        Self { left, right, ..self }
    }

    pub(super) fn row_ahead(&self) -> i32 {
        if self.ahead > 0 { self.line } else { self.line - 1 }
    }

    pub(super) fn row_behind(&self) -> i32 {
        if self.ahead > 0 { self.line - 1 } else { self.line }
    }
}

/// What is seen of a line.
#[derive(Copy, Clone, Debug)]
pub(super) struct Seen {
    pub(super) line: i32,
    pub(super) left: f64,
    pub(super) right: f64,
}

/// The corner of a wall at one end of an interval.
#[derive(Copy, Clone, Debug)]
pub(super) struct Corner {
    pub(super) x: i32,
    /// Whether the wall lies behind the line, or ahead of it.
    pub(super) behind: bool,
    /// The cell beyond the end, along the line.
    pub(super) outer: i32,
    /// -1 at the left end, 1 at the right.
    pub(super) side: i32,
}

/// What the search remembers; memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    pub(super) roots: Vec<Root>,
    /// Those on the open list, in any order.
    pub(super) intervals: Vec<Interval>,
    /// Places among them that are free again.
    pub(super) free: Vec<u32>,
    /// Intervals that were expanded.
    pub(super) crossings: Vec<Crossing>,
    /// Most roots, intervals and crossings to keep, all together.
    pub(in crate::search) most: usize,
    /// Where the path crosses into the goal's row, once it is found.
    pub(super) end: Option<(u32, DVec2)>,
}

impl Intervals {
    /// Fewest roots, intervals and crossings that there is room for: less than 4 MiB.
    const FEWEST: usize = 1 << 16;

    /// Empties the memory for a search on a grid. There is room for one root, interval or crossing for each
    /// cell, so that this search takes at most some 80 bytes a cell, about ten times those on cells. Maps
    /// with as many corners as a random scatter need a fifth of it.
    pub(crate) fn begin(&mut self, grid: &Grid) {
        let cells = grid.width() as usize * grid.height() as usize;
        self.most = cells.max(Self::FEWEST);
        self.roots.clear();
        self.intervals.clear();
        self.free.clear();
        self.crossings.clear();
        self.end = None;
    }

    /// Whether there is no more room.
    pub(super) fn is_full(&self) -> bool {
        self.roots.len() + self.intervals.len() + self.crossings.len() > self.most
    }

    /// The path that was found: start, corners and goal; points on a straight line are left out.
    pub(crate) fn waypoints(&self, goal: Cell) -> Vec<Vec2> {
        let (last, crossing) = self.end.expect("a path was found");
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
        // It bends where it crosses into the goal's row only at a corner.
        if crossing.fract() == DVec2::ZERO {
            add(crossing);
        }
        roots().for_each(|root| add(self.roots[root as usize].at));
        points.reverse();
        points
    }
}

/// The shortest way from a root through an interval to the goal: where it crosses, and how long it is.
/// A goal on this side of the line is mirrored to the other.
pub(super) fn shortest(root: DVec2, interval: &Interval, goal: DVec2) -> (DVec2, f64) {
    let line = f64::from(interval.line);
    let beyond = (goal.y - line).abs() * f64::from(interval.ahead);
    let (before, after) = ((root.y - line).abs(), beyond.abs());
    let x =
        if before + after > 0.0 { root.x + (goal.x - root.x) * before / (before + after) } else { goal.x };
    let crossing = DVec2::new(x.clamp(interval.left, interval.right), line);
    let length = root.distance(crossing) + crossing.distance(DVec2::new(goal.x, line + beyond));
    (crossing, length)
}

/// A number that is meant to be whole, made so: crossings are ratios whose parts are far apart.
pub(super) fn snapped(x: f64) -> f64 {
    let whole = x.round();
    if (x - whole).abs() < 1e-7 { whole } else { x }
}

pub(super) fn center(cell: Cell) -> DVec2 {
    cell.center().as_dvec2()
}

pub(super) fn corner_node(at: DVec2) -> Node {
    Node::new(at.x as i32, at.y as i32)
}
