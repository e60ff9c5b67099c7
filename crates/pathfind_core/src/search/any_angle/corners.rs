//! The records of the corners of cells: the best root at a corner, and the intervals expanded across the gap to its
//! right. They prune longer paths to a corner, and dominated parts of intervals.
//!
//! A gap is a run of at most [`WIDEST_GAP`] free cells ahead of a line, named by the corner at its left end.

use glam::{DVec2, Vec2};

use super::interval::{Corner, Interval, Root};
use crate::search::nodes::{Node, Nodes, Nowhere};

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

/// The record of a corner: the index of its best root, and that of the newest crossing of the gap to its right.
#[derive(Copy, Clone)]
struct Record {
    root: u32,
    crossing: u32,
}

/// The record of a corner. [`Nodes`] serves as a map from corners to 64 bits, in which [`Nowhere`] stores no parent. An
/// absent record reads as `u64::MAX`, so that both halves are [`NONE`].
fn record(corners: &Nodes, corner: Node) -> Record {
    let bits = corners.g::<Nowhere>(corner);
    Record { root: bits as u32, crossing: (bits >> 32) as u32 }
}

fn set_record(corners: &mut Nodes, corner: Node, Record { root, crossing }: Record) {
    corners.relink::<Nowhere>(corner, u64::from(crossing) << 32 | u64::from(root), corner);
}

/// The root at a corner with the shortest known path; `None` if no path is known.
pub(super) fn best_root(corners: &Nodes, corner: Node) -> Option<u32> {
    let root = record(corners, corner).root;
    (root != NONE).then_some(root)
}

/// Records a root as the best at its corner.
pub(super) fn set_best_root(corners: &mut Nodes, corner: Node, root: u32) {
    set_record(corners, corner, Record { root, ..record(corners, corner) });
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
    /// paths to the ends of the parts.
    #[inline]
    fn subtract(&mut self, root: &Reach, own: &[f64; 4], other: &Reach, (left, right): (f64, f64)) {
        let is_shorter =
            |x: f64, own: f64| (left <= x) & (x <= right) & other.is_shorter(x, own * (1.0 - ROUNDING));
        let shorter = (0..4).fold(0, |shorter, i| shorter | u8::from(is_shorter(self.x[i], own[i])) << i);
        let mut dominated = shorter & shorter >> 1 & self.rest;
        // Between two points the advantage of `other` has at most one minimum, where `other` lies straight behind the
        // root. If `other` is no farther from the line than the root, there is none, and the points decide.
        if dominated != 0 && other.away > root.away {
            let x = other.x + (root.x - other.x) * other.away / (other.away - root.away);
            if !is_shorter(x, root.length(x)) {
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

    /// Whether the path to a point on the line is shorter than a length: without the square root.
    #[inline]
    fn is_shorter(&self, x: f64, length: f64) -> bool {
        let rest = length - self.g;
        (rest > 0.0) & (self.square(x) < rest * rest)
    }

    /// The square of the distance to a point on the line.
    #[inline]
    fn square(&self, x: f64) -> f64 {
        (x - self.x) * (x - self.x) + self.away * self.away
    }
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
    let own = rest.x.map(|x| reach.length(x));
    for (corner, straight) in ends.into_iter().zip([own[1], own[2]]) {
        let Some(corner) = corner else { continue };
        if let Some(other) = best_root(corners, Node::new(corner.x, part.line())) {
            let other = Reach { x: f64::from(corner.x), away: 0.0, g: roots[other as usize].g.rounded() };
            // No path by way of a corner is shorter than the straight one, unless that to the corner is.
            if other.g < straight {
                // A path that has reached the corner can go on along the line as far as the root sees it.
                rest.subtract(&reach, &own, &other, (part.left, part.right));
                if rest.rest == 0 {
                    return rest;
                }
            }
        }
    }
    let Some(gap) = gap_corner(part) else { return rest };
    let newest = record(corners, gap);
    // The list ends at `NONE`, which is no index.
    let known = std::iter::successors(crossings.get(newest.crossing as usize), |crossing| {
        crossings.get(crossing.before as usize)
    });
    for crossing in known.take(MAX_COMPARED) {
        if crossing.ahead == part.ahead() {
            let other = Reach::new(crossing.at.as_dvec2(), part.line(), crossing.g);
            rest.subtract(&reach, &own, &other, (crossing.left, crossing.right));
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
            before: newest.crossing,
        });
        set_record(corners, gap, Record { crossing, ..newest });
    }
    rest
}
