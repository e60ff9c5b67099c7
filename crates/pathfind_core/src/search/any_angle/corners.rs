//! The records of the corners of cells: the best root at a corner, and the intervals expanded across the gap to its
//! right. They prune longer paths to a corner, and dominated parts of intervals.
//!
//! A gap is a run of at most [`WIDEST_GAP`] free cells ahead of a line, or behind it if the run ahead is wider. It is
//! named by the corner at its left end.

use glam::{DVec2, Vec2};

use super::interval::{Corner, Interval, Root};
use crate::search::nodes::{Node, Nodes};

/// The most cells of a gap. Wider runs are not recorded: in them few intervals cover the same part of the line.
pub(super) const WIDEST_GAP: i32 = 64;
/// Relative difference up to which one length may be less than another by rounding alone.
pub(super) const ROUNDING: f64 = 1e-12;
/// The length of the dominated part that a cut leaves, in cells: more than snapping to integers moves an end.
const LEFT_UNCUT: f64 = 1e-4;
/// The part of a line that is all of it.
const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// The index that stands for no root, or no crossings.
const NONE: u32 = u32::MAX;

/// An expanded interval across a gap: the root, the length of the path to it, and the part that the root sees.
#[derive(Copy, Clone, Debug)]
pub(super) struct Crossing {
    at: Vec2,
    g: f64,
    left: f64,
    right: f64,
}

impl Crossing {
    /// Stands for no crossing: it sees nothing.
    const NONE: Self = Self { at: Vec2::ZERO, g: f64::INFINITY, left: 0.0, right: 0.0 };
}

/// The last two crossings of a gap, the newer one first. A new interval is compared only with these, to bound the
/// time and the memory: older ones seldom dominate what these leave.
#[derive(Copy, Clone, Debug)]
#[repr(align(64))]
pub(super) struct GapCrossings([Crossing; 2]);

const _: () = assert!(size_of::<GapCrossings>() == 64, "one cache line");

/// The root at a corner with the shortest known path, by the corner's record; `None` if no path is known.
///
/// [`Nodes`] serves as a map from corners to 64 bits: in the lower half the index of the best root, in the upper half
/// that of the crossings of the gap to the corner's right. An absent record is `u64::MAX`, so that both halves are
/// [`NONE`].
#[inline]
pub(super) fn best_root(record: u64) -> Option<u32> {
    let root = record as u32;
    (root != NONE).then_some(root)
}

/// The record of a corner with another best root.
#[inline]
pub(super) fn with_root(record: u64, root: u32) -> u64 {
    record >> 32 << 32 | u64::from(root)
}

/// What other roots leave of an interval that is taken from the open list.
///
/// A part of the interval is dominated if another root reaches each of its points by a shorter path. No shortest path
/// crosses a dominated part straight from the interval's own root.
#[derive(Copy, Clone, Debug)]
pub(super) struct Undominated {
    /// The ends of three parts: that to the left of the run, that within the run, and that to its right. Those beside
    /// the run are still to be followed. Left and right ends lie apart, because a cut writes only one of the two: to
    /// read both at once right after that makes the processor wait.
    left: [f64; 3],
    right: [f64; 3],
    /// One bit for each part that is neither empty nor dominated.
    rest: u8,
}

impl Undominated {
    pub(super) const LEFT: usize = 0;
    pub(super) const WITHIN: usize = 1;
    pub(super) const RIGHT: usize = 2;

    pub(super) fn new(part: &Interval) -> Self {
        let Interval { left, right, .. } = part.within_run();
        // The cells beside the run are walls: there is nothing to follow that does not reach beyond them.
        let (is_left, is_right) = (part.left < left - 1.0, right + 1.0 < part.right);
        let rest = u8::from(is_left) | 1 << Self::WITHIN | u8::from(is_right) << Self::RIGHT;
        Self { left: [part.left, left, right], right: [left, right, part.right], rest }
    }

    /// The ends of what is left of a part; `None` if it is empty or dominated.
    #[inline]
    pub(super) fn part(&self, part: usize) -> Option<(f64, f64)> {
        (self.rest >> part & 1 != 0).then(|| self.ends(part))
    }

    #[inline]
    fn ends(&self, part: usize) -> (f64, f64) {
        (self.left[part], self.right[part])
    }

    /// Takes away what lies between two points.
    fn cut(&mut self, (low, high): (f64, f64)) {
        for (i, (left, right)) in self.left.iter_mut().zip(&mut self.right).enumerate() {
            match (low <= *left, *right <= high) {
                (true, true) => self.rest &= !(1 << i),
                (true, false) => *left = left.max(high),
                (false, true) => *right = right.min(low),
                (false, false) => {}
            }
        }
    }

    /// Takes away what `other` dominates of the part of the line that it sees: the parts beside the run as a whole,
    /// that within the run also from one end on. `own` holds the lengths of the root's paths to the ends of the part
    /// within the run.
    #[inline]
    fn subtract(
        &mut self,
        root: &StraightPaths,
        own: &mut [f64; 2],
        other: &StraightPaths,
        seen: (f64, f64),
    ) {
        let (left, right) = self.ends(Self::WITHIN);
        let shorter = [other.is_ahead(left, own[0], seen), other.is_ahead(right, own[1], seen)];
        if shorter[0] | shorter[1] {
            self.subtract_parts(root, own, shorter, other, seen);
        }
    }

    /// [`subtract`](Self::subtract), if `other` is shorter at the left or right end of the part within the run.
    fn subtract_parts(
        &mut self,
        root: &StraightPaths,
        own: &mut [f64; 2],
        [left, right]: [bool; 2],
        other: &StraightPaths,
        seen: (f64, f64),
    ) {
        let is_ahead = |x: f64| other.is_ahead(x, root.length(x), seen);
        for (i, is_near) in [(Self::LEFT, left), (Self::RIGHT, right)] {
            let ends = self.ends(i);
            if is_near
                && self.rest >> i & 1 != 0
                && is_ahead(ends.0)
                && is_ahead(ends.1)
                && other.is_ahead_between(root, ends)
            {
                self.rest &= !(1 << i);
            }
        }
        let ends = self.ends(Self::WITHIN);
        // At one end the two paths may be equally long: the interval that was expanded earlier keeps that point.
        let is_tie = |x: f64, own: f64| other.is_below(x, own * (1.0 + ROUNDING), seen);
        if (left || is_tie(ends.0, own[0])) && (right || is_tie(ends.1, own[1])) {
            let is_dominated = other.is_ahead_between(root, ends);
            self.rest &= !(u8::from(is_dominated) << Self::WITHIN);
        } else if left {
            let end = other.lead_end(root, ends.0, ends.1.min(seen.1));
            if end > ends.0 {
                self.left[Self::WITHIN] = end;
                own[0] = root.length(end);
            }
        } else {
            let end = other.lead_end(root, ends.1, ends.0.max(seen.0));
            if end < ends.1 {
                self.right[Self::WITHIN] = end;
                own[1] = root.length(end);
            }
        }
    }
}

/// The paths to a line that go straight from a point.
pub(super) struct StraightPaths {
    x: f64,
    away: f64,
    /// The length of the path to the point.
    g: f64,
}

impl StraightPaths {
    pub(super) fn new(at: DVec2, line: i32, g: f64) -> Self {
        Self { x: at.x, away: (at.y - f64::from(line)).abs(), g }
    }

    /// The length of the path to a point on the line.
    #[inline]
    fn length(&self, x: f64) -> f64 {
        self.g + self.square(x).sqrt()
    }

    /// Whether the path to a point on the line is shorter than a length, by more than rounding, and the point lies in
    /// the part of the line that is seen.
    #[inline]
    fn is_ahead(&self, x: f64, length: f64, seen: (f64, f64)) -> bool {
        self.is_below(x, length * (1.0 - ROUNDING), seen)
    }

    /// [`is_ahead`](Self::is_ahead), but by any difference. Without the square root.
    #[inline]
    fn is_below(&self, x: f64, length: f64, (left, right): (f64, f64)) -> bool {
        let rest = length - self.g;
        (left <= x) & (x <= right) & (rest > 0.0) & (self.square(x) < rest * rest)
    }

    /// Whether all paths between two points are shorter than those from another root, if those to the two are.
    fn is_ahead_between(&self, root: &Self, (left, right): (f64, f64)) -> bool {
        // Between two points the lead has at most one minimum, where the first root lies straight behind the other.
        // If it is no farther from the line than the other, there is none, and the points decide.
        let farther = self.away - root.away;
        let from = (root.x - self.x) * self.away;
        if farther <= 0.0 || from < (left - self.x) * farther || from > (right - self.x) * farther {
            return true;
        }
        let least = self.x + from / farther;
        self.is_ahead(least, root.length(least), EVERYWHERE)
    }

    /// A point between two on the line, so far from the first that the paths to it and to all points before it are
    /// shorter than those from another root; at the first point it is. If none is found, the first point is returned.
    ///
    /// With x measured from this root's column, both paths are equally long where
    /// `√(x² + away²) = ahead + √((x - shift)² + root.away²)`. Squared twice, this is a quadratic equation. Its other
    /// solutions do not solve the first equation: for their sake the lead is tested.
    fn lead_end(&self, root: &Self, from: f64, to: f64) -> f64 {
        let (shift, ahead) = (root.x - self.x, root.g - self.g);
        let (square, ahead_square) = (shift * shift, ahead * ahead);
        let (own, other) = (self.away * self.away, root.away * root.away);
        let half = 0.5 * (own - other - square - ahead_square);
        // The coefficients: of x², half of that of x, and the constant.
        let (a, b, c) = (
            square - ahead_square,
            shift * (half + ahead_square),
            half * half - ahead_square * (square + other),
        );
        // The solutions, of which neither is computed as a difference of nearly equal numbers.
        let sum = b + (b * b - a * c).max(0.0).sqrt().copysign(b);
        let side = (to - from).signum();
        // How far a solution is from the first point; infinite in the other direction.
        let distance = |x: f64| {
            let distance = (self.x + x - from) * side;
            if distance > 0.0 { distance } else { f64::INFINITY }
        };
        let nearest = distance(-sum / a).min(distance(-c / sum)).min((to - from).abs());
        let end = from + (nearest - LEFT_UNCUT) * side;
        let is_ahead = nearest > LEFT_UNCUT
            && self.is_ahead(end, root.length(end), EVERYWHERE)
            && self.is_ahead_between(root, (from.min(end), from.max(end)));
        if is_ahead { end } else { from }
    }

    /// The square of the distance to a point on the line.
    #[inline]
    fn square(&self, x: f64) -> f64 {
        (x - self.x) * (x - self.x) + self.away * self.away
    }
}

/// The part of a line around a corner to which the path by way of the corner, and from there along the line, is
/// shorter than the straight one: its two ends, which may be infinite. `None` if the straight path to the corner is
/// as short.
///
/// Both paths are equally long where `g + |x - corner| = root.g + √((x - root.x)² + root.away²)`; the squares of x
/// cancel out. `x` is the corner's column, `g` the length of the path to it.
fn dominated_by_corner(root: &StraightPaths, x: f64, g: f64) -> Option<(f64, f64)> {
    let beyond = x - root.x;
    let ahead = root.g - g - ROUNDING * (root.g + root.away + beyond.abs());
    let square = root.away * root.away;
    if ahead < 0.0 && ahead * ahead >= beyond * beyond + square {
        return None;
    }
    let reach = |lag: f64| {
        if lag > 0.0 { (square - lag * lag) / (2.0 * lag) - LEFT_UNCUT } else { f64::INFINITY }
    };
    let (low, high) = (root.x - reach(beyond - ahead), root.x + reach(-beyond - ahead));
    (low < x && x < high).then_some((low, high))
}

/// The part of a line that the best root at its corner in column `x` dominates of the view of another root.
pub(super) fn dominated_part(
    corners: &Nodes,
    roots: &[Root],
    x: i32,
    line: i32,
    root: &StraightPaths,
) -> Option<(f64, f64)> {
    let best = best_root(corners.record(Node::new(x, line)))?;
    dominated_by_corner(root, f64::from(x), roots[best as usize].g.rounded())
}

/// Takes from an interval what is dominated by the best roots of the corners at its ends, and by earlier crossings of
/// its gap; records what is left within the run as a crossing.
pub(super) fn record_undominated(
    corners: &mut Nodes,
    crossings: &mut Vec<GapCrossings>,
    roots: &[Root],
    part: &Interval,
    ends: [Option<Corner>; 2],
    gap: Option<Node>,
) -> Undominated {
    let mut rest = Undominated::new(part);
    if part.left == part.right {
        return rest;
    }
    let root = &roots[part.root as usize];
    let reach = StraightPaths::new(root.at(), part.line(), root.g.rounded());
    for corner in ends.into_iter().flatten() {
        // A path that has reached the corner can go on along the line as far as the root sees it.
        if let Some(dominated) = dominated_part(corners, roots, corner.x, part.line(), &reach) {
            rest.cut(dominated);
            if rest.rest == 0 {
                return rest;
            }
        }
    }
    let Some(gap) = gap else { return rest };
    let (left, right) = rest.ends(Undominated::WITHIN);
    let mut own = [left, right].map(|x| reach.length(x));
    let line = f64::from(part.line());
    let record = corners.record(gap);
    let known_at = (record >> 32) as usize;
    let known = crossings.get(known_at).map_or(&[][..], |known| &known.0);
    for crossing in known {
        // Both roots must lie on the same side of the line.
        if (f64::from(crossing.at.y) < line) == (part.ahead() > 0) {
            let other = StraightPaths::new(crossing.at.as_dvec2(), part.line(), crossing.g);
            rest.subtract(&reach, &mut own, &other, (crossing.left, crossing.right));
            if rest.rest == 0 {
                return rest;
            }
        }
    }
    if rest.part(Undominated::WITHIN).is_some() {
        let new = Crossing { at: root.at().as_vec2(), g: reach.g, left: part.left, right: part.right };
        if let Some(known) = crossings.get_mut(known_at) {
            *known = GapCrossings([new, known.0[0]]);
        } else {
            *corners.record_mut(gap) = (crossings.len() as u64) << 32 | u64::from(record as u32);
            crossings.push(GapCrossings([new, Crossing::NONE]));
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    const LINE: i32 = 40;

    /// A root behind the line, not far from column 50, and its paths to the line.
    fn reach(rng: &mut CounterRng) -> StraightPaths {
        let mut below = |limit| f64::from(rng.below(limit));
        StraightPaths::new(DVec2::new(30.0 + below(40), 20.0 + below(20)), LINE, below(900) / 30.0)
    }

    /// Compares lengths at points every 1/16 of a cell; those near an end of the dominated part may count as either.
    #[test]
    fn a_corner_dominates_the_part_of_the_line_that_is_shorter_by_way_of_it() {
        let mut rng = CounterRng::new(71, 0, 0);
        let mut found = 0;
        for _ in 0..2000 {
            let root = reach(&mut rng);
            let (x, g) = (30.0 + f64::from(rng.below(40)), f64::from(rng.below(1500)) / 30.0);
            let part = dominated_by_corner(&root, x, g);
            found += u32::from(part.is_some_and(|(low, high)| low > 0.0 || high < 100.0));
            for point in (0..1600).map(|i| f64::from(i) / 16.0) {
                let lead = root.length(point) - (g + (point - x).abs());
                let is_inside = part.is_some_and(|(low, high)| (low..=high).contains(&point));
                assert!(lead > 0.0 || !is_inside, "{point} in {part:?} of {x}: longer by {}", -lead);
                assert!(lead < 1e-3 || is_inside, "{point} not in {part:?} of {x}: shorter by {lead}");
            }
        }
        assert!(found > 200, "only {found} parts had an end");
    }

    #[test]
    fn what_is_cut_off_is_shorter_from_the_other_root() {
        let mut rng = CounterRng::new(72, 0, 0);
        let mut cut = 0;
        for _ in 0..4000 {
            let (root, other) = (reach(&mut rng), reach(&mut rng));
            let left = 40.0 + f64::from(rng.below(20));
            let right = left + 1.0 + f64::from(rng.below(8));
            let seen = (left - f64::from(rng.below(2)), right - f64::from(rng.below(3)) / 4.0);
            let whole = Interval::new((0, 0), (LINE, 1), (left, right), (0, 100));
            let mut rest = Undominated::new(&whole);
            rest.subtract(&root, &mut [left, right].map(|x| root.length(x)), &other, seen);
            let kept = rest.part(Undominated::WITHIN);
            let is_cut = |point: &f64| kept.is_none_or(|(left, right)| !(left..=right).contains(point));
            let points = (0..=64).map(|i| left + (right - left) * f64::from(i) / 64.0);
            for point in points.filter(is_cut) {
                let is_seen = (seen.0..=seen.1).contains(&point);
                assert!(is_seen && other.length(point) < root.length(point), "{point} of {whole:?} is cut");
            }
            cut += u32::from(kept.is_some_and(|kept| kept != (left, right)));
        }
        assert!(cut > 100, "only {cut} intervals were cut");
    }
}
