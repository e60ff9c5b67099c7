//! The records of the corners of cells: the best root at a corner, and the intervals expanded across the gap to its
//! right. They prune longer paths to a corner, and dominated parts of intervals.
//!
//! A gap is a run of at most [`WIDEST_GAP`] free cells ahead of a line, named by the corner at its left end.

use glam::DVec2;

use super::interval::{Corner, Interval, Root};
use crate::search::nodes::{Node, Nodes, Nowhere};

/// The most cells of a gap. Wider runs are not recorded: in them few intervals cover the same part of the line.
const WIDEST_GAP: i32 = 64;
/// A new interval is compared with at most this many crossings of its gap, the newest first, to bound the time of a
/// test.
const MAX_COMPARED: usize = 8;
/// Relative difference up to which one length may be less than another by rounding alone.
const ROUNDING: f64 = 1e-12;
/// The index that stands for no root, or no crossing.
const NONE: u32 = u32::MAX;

/// An expanded interval across a gap: its root, and the part of the line that the root sees.
#[derive(Copy, Clone, Debug)]
pub(super) struct Crossing {
    root: u32,
    ahead: i32,
    left: f64,
    right: f64,
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
    (end - first <= WIDEST_GAP).then(|| Node::new(first, interval.line))
}

/// What other roots leave of an interval that is taken from the open list.
///
/// A part of the interval is dominated if another root reaches each of its points by a shorter path. No shortest path
/// crosses a dominated part straight from the interval's own root.
#[derive(Copy, Clone, Debug)]
pub(super) struct Undominated {
    /// The part within the run.
    pub(super) within: Option<Interval>,
    /// The parts to the left and to the right of the run, still to be followed.
    pub(super) beside: [Option<Interval>; 2],
}

impl Undominated {
    /// The whole interval.
    fn new(part: &Interval) -> Self {
        let within = part.within_run();
        let beside = [Interval { right: within.left, ..*part }, Interval { left: within.right, ..*part }];
        Self {
            within: Some(within),
            beside: beside.map(|beside| (beside.left < beside.right).then_some(beside)),
        }
    }

    /// Takes away what `other` dominates of the part of the line that it sees.
    fn subtract(&mut self, root: &Root, other: &Root, (left, right): (f64, f64)) {
        let Self { within, beside: [before, after] } = self;
        for part in [within, before, after] {
            if let Some(interval) = part
                && left <= interval.left
                && interval.right <= right
                && is_shorter(other, root, interval)
            {
                *part = None;
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.within.is_none() && self.beside.iter().all(Option::is_none)
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
    let root = &roots[part.root as usize];
    if part.left == part.right {
        return rest;
    }
    let whole_part = (part.left, part.right);
    for corner in ends.into_iter().flatten() {
        if let Some(other) = best_root(corners, Node::new(corner.x, part.line)) {
            let other = &roots[other as usize];
            // No path by way of a corner is shorter than the straight one, unless that to the corner is.
            if other.g.rounded() < root.g.rounded() + root.at.distance(other.at) {
                // A path that has reached the corner can go on along the line as far as the root sees it.
                rest.subtract(root, other, whole_part);
                if rest.is_empty() {
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
        if crossing.ahead == part.ahead && crossing.root != part.root {
            rest.subtract(root, &roots[crossing.root as usize], (crossing.left, crossing.right));
            if rest.is_empty() {
                return rest;
            }
        }
    }
    if rest.within.is_some() {
        let crossing = crossings.len() as u32;
        let &Interval { root, ahead, left, right, .. } = part;
        crossings.push(Crossing { root, ahead, left, right, before: newest.crossing });
        set_record(corners, gap, Record { crossing, ..newest });
    }
    rest
}

/// Whether the path by `other` to each point of an interval is shorter than that by `root`.
fn is_shorter(other: &Root, root: &Root, interval: &Interval) -> bool {
    let line = f64::from(interval.line);
    let is_shorter_at = |x: f64| {
        let point = DVec2::new(x, line);
        let length = root.g.rounded() + root.at.distance(point);
        other.g.rounded() + other.at.distance(point) < length * (1.0 - ROUNDING)
    };
    if !is_shorter_at(interval.left) || !is_shorter_at(interval.right) {
        return false;
    }
    // Between the ends the advantage of `other` has at most one minimum, where `other` lies straight behind `root`. If
    // `other` is no farther from the line than `root`, there is none, and the ends decide.
    let (root_distance, other_distance) = ((line - root.at.y).abs(), (line - other.at.y).abs());
    if other_distance <= root_distance {
        return true;
    }
    let aligned_x = other.at.x + (root.at.x - other.at.x) * other_distance / (other_distance - root_distance);
    !(interval.left..=interval.right).contains(&aligned_x) || is_shorter_at(aligned_x)
}
