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
//!   shortest path crosses the part straight from this root. The other root sees the part through the same rows, or
//!   is a corner at an end of the part, from which a path goes on along the line. Not only the run is compared, but
//!   all that is left of the line beside it: where pillars stand in rows, a root sees a gap between every two of
//!   them. If the other path is shorter only up to some point of the run, the interval is cut there. A part is
//!   dominated, too, if the paths to one of its ends differ by less than one part in 10¹²: regular rows have many
//!   such ends, and what a cut leaves beside them would be expanded for nothing.
//!
//! D. Harabor, A. Grastien, D. Öz and V. Aksakalli, "Optimal Any-Angle Pathfinding In Practice" (Anya),
//! Journal of Artificial Intelligence Research 56, 2016.
//!
//! The open list holds intervals, not cells, in buckets of nearly equal lengths, and of a bucket the newest interval
//! is expanded first: what it needs is still in the cache. For this reason the search has a loop of its own beside
//! that of the [kernel](super::strategy).

mod corners;
mod interval;
mod length;
mod successors;
mod views;

use glam::DVec2;

use corners::{Undominated, record_undominated};
pub(crate) use interval::Intervals;
use interval::{PathEnd, Root, center};
use length::Length;

use super::nodes::{Node, Nodes};
use super::strategy::Stop;
use super::{Metrics, SearchEvent, SearchEventKind, SearchObserver};
use crate::grid::{Bitmap, CornerRule, GridCell};
use crate::simd::prefetch;

/// Buckets of the open list for each cell of length. With a quarter as many, up to a tenth more intervals are
/// expanded among regular pillars, because a shorter path to their root comes later; more buckets take more memory,
/// and are slower.
const BUCKETS_A_CELL: f64 = 64.0;
const WINDOW: u64 = 1 << 15;

/// The key of an interval through which a path of this length leads.
fn key(length: f64) -> u64 {
    // The sum has no bits left for a fraction: this rounds half less than the number, which is to round down, and
    // takes less time than a conversion.
    const NO_FRACTION: f64 = (1_u64 << 52) as f64;
    ((length * BUCKETS_A_CELL - 0.5).max(0.0) + NO_FRACTION).to_bits() - NO_FRACTION.to_bits()
}

/// A search over intervals, for one slice.
pub(crate) struct AnyAngle<'s, L> {
    pub(crate) rows: &'s Bitmap,
    /// `OneFree`, or `Always`, under which a path may pass between two walls that meet at a corner.
    pub(crate) corners: CornerRule,
    pub(crate) goal: GridCell,
    pub(crate) memory: &'s mut Intervals,
    /// The record of each corner of a cell: its best root, and the intervals expanded across the gap to its right.
    pub(crate) corner_records: &'s mut Nodes,
    pub(crate) metrics: &'s mut Metrics,
    /// Receives a new root as an opened cell (that to the lower right of the corner), and an expanded interval as a
    /// closed cell (that ahead of its middle).
    pub(crate) observer: &'s mut L,
}

impl<L: SearchObserver> AnyAngle<'_, L> {
    /// Opens the intervals that the start sees above and below its row; `Some` if the goal lies in the start's run.
    pub(crate) fn open(&mut self, start: GridCell) -> Option<Stop> {
        let at = center(start);
        self.memory.roots.push(Root::new(at, Length::default(), 0));
        self.memory.open.begin(key(at.distance(center(self.goal))), WINDOW);
        let run = self.run(start.y, start.x);
        if start.y == self.goal.y && (run.0..run.1).contains(&self.goal.x) {
            self.memory.end = Some(PathEnd { root: 0, crossing: at, length: 0.0 });
            return Some(Stop::Found(self.goal.into()));
        }
        for (line, ahead) in [(start.y, -1), (start.y + 1, 1)] {
            self.cross(0, line, ahead, f64::from(run.0), f64::from(run.1), run);
        }
        None
    }

    /// Expands intervals until the shortest path is found, none is left, or memory or budget is used up.
    pub(crate) fn run_slice(&mut self, budget: u32) -> Stop {
        for _ in 0..budget {
            if self.memory.is_full() {
                return Stop::Full;
            }
            let shortest_known = self.memory.end.as_ref().map(|end| key(end.length));
            let next = self.memory.open.take();
            let next = next.filter(|&(least, _)| shortest_known.is_none_or(|known| least <= known));
            let Some((_, at)) = next else {
                return shortest_known.map_or(Stop::Exhausted, |_| Stop::Found(self.goal.into()));
            };
            self.metrics.pops += 1;
            // The interval after the next is prefetched, and the root of the next one and the record of its gap.
            if let Some(next) = self.memory.open.upcoming() {
                prefetch(&self.memory.roots, next.root as usize);
                self.corner_records.prefetch(Node::new(next.run().0, next.line()));
            }
            let part = *self.memory.open.entry(at);
            self.memory.open.release(at);
            let root = self.memory.roots[part.root as usize];
            // Stale: a shorter path to the root's corner was found since the interval was opened.
            if root.version != part.version {
                continue;
            }
            let mut interval = part.within_run();
            // Of the last bucket, only intervals that may lead to a shorter path.
            if let Some(end) = &self.memory.end
                && root.g.rounded() + self.aim(root, interval.line()).shortest(&interval).0 >= end.length
            {
                continue;
            }
            let mut ends = self.ends(&interval);
            // Where no two paths have met, as in a maze without loops, nothing is dominated.
            let rest = if self.memory.has_rivals {
                let gap = self.gap(&interval);
                let Intervals { roots, crossings, .. } = &mut *self.memory;
                record_undominated(self.corner_records, crossings, roots, &part, ends, gap)
            } else {
                Undominated::new(&part)
            };
            for beside in [Undominated::LEFT, Undominated::RIGHT] {
                if let Some(ends) = rest.part(beside) {
                    self.follow(part.root, (part.line(), part.ahead()), ends);
                }
            }
            let Some((left, right)) = rest.part(Undominated::WITHIN) else { continue };
            // A corner that was cut off is not turned at: another path to it is shorter.
            ends[0] = ends[0].filter(|_| left == interval.left);
            ends[1] = ends[1].filter(|_| right == interval.right);
            (interval.left, interval.right) = (left, right);
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
                    self.memory.end = Some(PathEnd { root: interval.root, crossing, length });
                }
                continue;
            }
            self.expand(&interval, root, rows, ends);
        }
        Stop::Budget
    }

    /// Sends an event for a point of grid space to the observer.
    fn tell(&mut self, kind: SearchEventKind, at: DVec2, parent: Root, g: Length) {
        let g = g.rounded();
        let h = at.distance(center(self.goal));
        let cell = |at: DVec2| GridCell::containing(at.as_vec2());
        self.observer.event(SearchEvent { kind, cell: cell(at), parent: cell(parent.at()), g, h });
    }
}
