//! The records of the corners of cells: the best root at a corner, and the intervals expanded across the gap to its
//! right. They prune longer paths to a corner, and dominated parts of intervals.
//!
//! A gap is a run of at most [`WIDEST_GAP`] free cells ahead of a line, named by the corner at its left end.

use glam::{DVec2, Vec2};

use super::interval::{Corner, Interval, Root};
use crate::search::nodes::{Node, Nodes};

/// The most cells of a gap. Wider runs are not recorded: in them few intervals cover the same part of the line.
const WIDEST_GAP: i32 = 64;
/// A new interval is compared with at most this many crossings of its gap, the newest first, to bound the time of a
/// test.
const MAX_COMPARED: usize = 8;
/// Relative difference up to which one length may be less than another by rounding alone.
pub(super) const ROUNDING: f64 = 1e-12;
/// The index that stands for no root, or no crossing.
const NONE: u32 = u32::MAX;

/// An expanded interval across a gap: the root and the length of the path to it, and the part of the line that the root
/// sees.
#[derive(Copy, Clone, Debug)]
pub(super) struct Crossing {
    at: Vec2,
    g: f64,
    left: f64,
    right: f64,
    ahead: i32,
    /// The index of the previous crossing of the same gap, or `NONE`.
    before: u32,
}

/// The record of a corner, for which [`Nodes`] serves as a map from corners to 64 bits: in the lower half the index
/// of its best root, in the upper half that of the newest crossing of the gap to its right. An absent record is
/// `u64::MAX`, so that both halves are [`NONE`].
#[derive(Copy, Clone)]
struct Record(u64);

impl Record {
    fn of(corners: &Nodes, corner: Node) -> Self {
        Self(corners.record(corner))
    }

    fn root(self) -> u32 {
        self.0 as u32
    }

    fn crossing(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn with_root(self, root: u32) -> Self {
        Self(self.0 >> 32 << 32 | u64::from(root))
    }

    fn with_crossing(self, crossing: u32) -> Self {
        Self(u64::from(crossing) << 32 | u64::from(self.root()))
    }
}

/// The root at a corner with the shortest known path; `None` if no path is known.
fn best_root(corners: &Nodes, corner: Node) -> Option<u32> {
    let root = Record::of(corners, corner).root();
    (root != NONE).then_some(root)
}

/// The place of the root at a corner with the shortest known path.
pub(super) struct BestRoot<'c>(&'c mut u64);

impl<'c> BestRoot<'c> {
    #[inline]
    pub(super) fn of(corners: &'c mut Nodes, corner: Node) -> Self {
        Self(corners.record_mut(corner))
    }

    /// The root; `None` if no path to the corner is known.
    #[inline]
    pub(super) fn get(&self) -> Option<u32> {
        let root = Record(*self.0).root();
        (root != NONE).then_some(root)
    }

    #[inline]
    pub(super) fn set(self, root: u32) {
        *self.0 = Record(*self.0).with_root(root).0;
    }
}

/// The left corner of the gap that an interval crosses; `None` if the run is too wide.
fn gap_corner(interval: &Interval) -> Option<Node> {
    let (first, end) = interval.run;
    (end - first <= WIDEST_GAP).then(|| Node::new(first, interval.line()))
}

/// What other roots leave of an interval that is taken from the open list.
///
/// A part of the interval is dominated if another root reaches each of its points by a shorter path. No shortest path
/// crosses a dominated part straight from the interval's own root.
#[derive(Copy, Clone, Debug)]
pub(super) struct Undominated {
    /// The ends of three parts: those to the left of the run and to its right, still to be followed, and between
    /// them the part within the run.
    x: [f64; 4],
    /// One bit for each part that is not empty: whether it is not dominated.
    rest: u8,
}

impl Undominated {
    const WITHIN: u8 = 1 << 1;

    /// The whole interval.
    pub(super) fn new(part: &Interval) -> Self {
        let Interval { left, right, .. } = part.within_run();
        let x = [part.left, left, right, part.right];
        Self { x, rest: u8::from(x[0] < x[1]) | Self::WITHIN | u8::from(x[2] < x[3]) << 2 }
    }

    /// Whether the part within the run is left.
    pub(super) fn has_within(&self) -> bool {
        self.rest & Self::WITHIN != 0
    }

    /// The parts that are left beside the run.
    pub(super) fn beside(&self, part: &Interval) -> [Option<Interval>; 2] {
        [0, 2].map(|i| {
            let beside = Interval { left: self.x[i], right: self.x[i + 1], ..*part };
            (self.rest >> i & 1 != 0).then_some(beside)
        })
    }

    /// Takes away what `other` dominates of the part of the line that it sees. `own` holds the lengths of the root's
    /// paths to the ends of the part within the run.
    #[inline]
    fn subtract(&mut self, root: &Reach, own: [f64; 2], other: &Reach, seen: (f64, f64)) {
        // Each of the three parts ends at one of these two points.
        let shorter = [0, 1].map(|i| other.is_ahead(self.x[1 + i], own[i], seen));
        if shorter[0] | shorter[1] {
            self.subtract_part(root, shorter, other, seen);
        }
    }

    /// [`subtract`](Self::subtract), if `other` is shorter at the left or right end of the run.
    fn subtract_part(&mut self, root: &Reach, [left, right]: [bool; 2], other: &Reach, seen: (f64, f64)) {
        let is_ahead = |x: f64| other.is_ahead(x, root.length(x), seen);
        let [first, .., last] = self.x;
        let shorter = [left && is_ahead(first), left && right, right && is_ahead(last)];
        let mut dominated = (0..3).fold(0, |bits, i| bits | u8::from(shorter[i]) << i) & self.rest;
        // Between two points the advantage of `other` has at most one minimum, where `other` lies straight behind the
        // root. If `other` is no farther from the line than the root, there is none, and the points decide.
        if dominated != 0 && other.away > root.away {
            let x = other.x + (root.x - other.x) * other.away / (other.away - root.away);
            if !is_ahead(x) {
                for i in (0..3).filter(|&i| (self.x[i]..=self.x[i + 1]).contains(&x)) {
                    dominated &= !(1 << i);
                }
            }
        }
        self.rest &= !dominated;
    }
}

/// The paths to a line that go straight from a point.
struct Reach {
    x: f64,
    /// The distance from the point to the line.
    away: f64,
    /// The length of the path to the point.
    g: f64,
}

impl Reach {
    fn new(at: DVec2, line: i32, g: f64) -> Self {
        Self { x: at.x, away: (at.y - f64::from(line)).abs(), g }
    }

    /// The length of the path to a point on the line.
    #[inline]
    fn length(&self, x: f64) -> f64 {
        self.g + self.square(x).sqrt()
    }

    /// Whether the path to a point on the line is shorter than a length, by more than rounding, and the point lies in
    /// the part of the line that is seen. Without the square root.
    #[inline]
    fn is_ahead(&self, x: f64, length: f64, (left, right): (f64, f64)) -> bool {
        let rest = length * (1.0 - ROUNDING) - self.g;
        (left <= x) & (x <= right) & (rest > 0.0) & (self.square(x) < rest * rest)
    }

    /// The square of the distance to a point on the line.
    #[inline]
    fn square(&self, x: f64) -> f64 {
        (x - self.x) * (x - self.x) + self.away * self.away
    }
}

/// Whether the best root at a corner, column `x` of a line, dominates a part of the line that another root sees, and of
/// which the corner is an end.
pub(super) fn dominates_view(
    corners: &Nodes,
    roots: &[Root],
    x: i32,
    root: &Root,
    line: i32,
    ends: [i32; 2],
) -> bool {
    best_root(corners, Node::new(x, line)).is_some_and(|best| {
        let reach = Reach::new(root.at(), line, root.g.rounded());
        let corner = Reach { x: f64::from(x), away: 0.0, g: roots[best as usize].g.rounded() };
        let [left, right] = ends.map(f64::from);
        [left, right].into_iter().all(|x| corner.is_ahead(x, reach.length(x), (left, right)))
    })
}

/// Takes from an interval what is dominated by the best roots of the corners at its ends, and by earlier crossings of
/// its gap; records what is left within the run as a crossing.
pub(super) fn record_undominated(
    corners: &mut Nodes,
    crossings: &mut Vec<Crossing>,
    roots: &[Root],
    part: &Interval,
    ends: [Option<Corner>; 2],
) -> Undominated {
    let mut rest = Undominated::new(part);
    if part.left == part.right {
        return rest;
    }
    let root = &roots[part.root as usize];
    let reach = Reach::new(root.at(), part.line(), root.g.rounded());
    let own = [rest.x[1], rest.x[2]].map(|x| reach.length(x));
    for (corner, straight) in ends.into_iter().zip(own) {
        let Some(corner) = corner else { continue };
        if let Some(other) = best_root(corners, Node::new(corner.x, part.line())) {
            let other = Reach { x: f64::from(corner.x), away: 0.0, g: roots[other as usize].g.rounded() };
            // No path by way of a corner is shorter than the straight one, unless that to the corner is.
            if other.g < straight {
                // A path that has reached the corner can go on along the line as far as the root sees it.
                rest.subtract(&reach, own, &other, (part.left, part.right));
                if rest.rest == 0 {
                    return rest;
                }
            }
        }
    }
    let Some(gap) = gap_corner(part) else { return rest };
    let record = Record::of(corners, gap);
    // The list ends at `NONE`, which is no index.
    let known = std::iter::successors(crossings.get(record.crossing() as usize), |crossing| {
        crossings.get(crossing.before as usize)
    });
    for crossing in known.take(MAX_COMPARED) {
        if crossing.ahead == part.ahead() {
            let other = Reach::new(crossing.at.as_dvec2(), part.line(), crossing.g);
            rest.subtract(&reach, own, &other, (crossing.left, crossing.right));
            if rest.rest == 0 {
                return rest;
            }
        }
    }
    if rest.has_within() {
        let crossing = crossings.len() as u32;
        crossings.push(Crossing {
            at: root.at().as_vec2(),
            g: reach.g,
            left: part.left,
            right: part.right,
            ahead: part.ahead(),
            before: record.crossing(),
        });
        *corners.record_mut(gap) = record.with_crossing(crossing).0;
    }
    rest
}
