//! What is known at the corners of cells: the best way there, and what crossed the gap that begins there.

use glam::DVec2;

use super::interval::{Interval, Root};
use crate::search::nodes::{Node, Nodes, Nowhere};

/// Runs of at most so many cells count as gaps. In wider ones few intervals cover the same part of the line.
const WIDEST_GAP: i32 = 64;
/// The newest intervals of a gap, compared with one that follows.
const COMPARED: usize = 8;
/// What is shorter by less than this part of its length may be so by rounding.
const ROUNDING: f64 = 1e-12;
/// No root, or no crossing.
const NONE: u32 = u32::MAX;

/// An interval that was expanded: the root, and the part of the gap that the root sees.
#[derive(Copy, Clone, Debug)]
pub(super) struct Crossing {
    root: u32,
    ahead: i32,
    left: f64,
    right: f64,
    /// The crossing of the same gap before this one.
    before: u32,
}

/// The record of a corner: the index of its root, and that of the newest crossing of the gap to its right.
#[derive(Copy, Clone)]
struct Record {
    root: u32,
    crossing: u32,
}

fn record(corners: &Nodes, corner: Node) -> Record {
    let bits = corners.g::<Nowhere>(corner);
    Record { root: bits as u32, crossing: (bits >> 32) as u32 }
}

fn set_record(corners: &mut Nodes, corner: Node, Record { root, crossing }: Record) {
    corners.relink::<Nowhere>(corner, u64::from(crossing) << 32 | u64::from(root), corner);
}

/// The root of a corner: of the shortest way there that is known.
pub(super) fn best_root(corners: &Nodes, corner: Node) -> Option<u32> {
    let root = record(corners, corner).root;
    (root != NONE).then_some(root)
}

/// Makes a root the best of its corner.
pub(super) fn set_best_root(corners: &mut Nodes, corner: Node, root: u32) {
    set_record(corners, corner, Record { root, ..record(corners, corner) });
}

/// The left corner of the gap that an interval covers a part of; a single point covers none.
fn gap(interval: &Interval) -> Option<Node> {
    let (first, end) = interval.run;
    let is_part = end - first <= WIDEST_GAP && interval.left < interval.right;
    is_part.then(|| Node::new(first, interval.line))
}

/// Remembers that an interval is expanded, unless every point of it is reached by a shorter way: no shortest path
/// crosses there straight from the root. Says whether it is to be expanded.
pub(super) fn crosses_gap(
    corners: &mut Nodes,
    crossings: &mut Vec<Crossing>,
    roots: &[Root],
    interval: &Interval,
) -> bool {
    let Some(corner) = gap(interval) else { return true };
    let &Interval { root, ahead, left, right, .. } = interval;
    let newest = record(corners, corner);
    let known = std::iter::successors(crossings.get(newest.crossing as usize), |crossing| {
        crossings.get(crossing.before as usize)
    });
    let is_dominated = known.take(COMPARED).any(|crossing| {
        crossing.ahead == ahead
            && crossing.root != root
            && crossing.left <= left
            && crossing.right >= right
            && is_shorter(&roots[crossing.root as usize], &roots[root as usize], interval)
    });
    if is_dominated {
        return false;
    }
    let crossing = crossings.len() as u32;
    crossings.push(Crossing { root, ahead, left, right, before: newest.crossing });
    set_record(corners, corner, Record { crossing, ..newest });
    true
}

/// Whether the way from `other` to each point of an interval is shorter than that from `root`.
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
    // Along the line the difference has one minimum at most: where `other` lies straight behind `root`.
    let (near, far) = ((line - root.at.y).abs(), (line - other.at.y).abs());
    if far <= near {
        return true;
    }
    let behind = other.at.x + (root.at.x - other.at.x) * far / (far - near);
    !(interval.left..=interval.right).contains(&behind) || is_shorter_at(behind)
}
