//! The journal of a grid's latest edits: enough to say whether a path is touched by what changed.

use std::collections::VecDeque;

use bevy::math::{Rect, Vec2};
use pathfind_core::CellRect;

/// How many edits are remembered. A path older than the journal counts as touched.
const CAPACITY: usize = 4096;

/// The latest edits of one grid, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    /// Each with the revision that it made.
    entries: VecDeque<(u64, CellRect)>,
    /// The newest revision that has been forgotten.
    forgotten: u64,
}

impl Edits {
    /// A journal that knows nothing of what happened up to `revision`.
    pub(crate) fn since(revision: u64) -> Self {
        Self { entries: VecDeque::new(), forgotten: revision }
    }

    /// Remembers that `revision` changed something within `rect`.
    ///
    /// An edit that continues the row of the one before it joins it, so that a painted line stays short.
    pub(crate) fn record(&mut self, revision: u64, rect: CellRect) {
        if let Some((last, grown)) = self.entries.back_mut()
            && grown.min.y == rect.min.y
            && grown.max.y == rect.max.y
            && grown.max.x.saturating_add(1) == rect.min.x
        {
            // The joined entry counts as the newer one: too careful for a path made between the two.
            *last = revision;
            grown.max.x = rect.max.x;
            return;
        }
        if self.entries.len() == CAPACITY
            && let Some((dropped, _)) = self.entries.pop_front()
        {
            self.forgotten = dropped;
        }
        self.entries.push_back((revision, rect));
    }

    /// The first stretch of the polyline `points` that an edit after `revision` touches, as the index of
    /// its starting point; `reach` is how far from the line an edit still matters, in cells.
    pub(crate) fn first_touched(&self, revision: u64, points: &[Vec2], reach: f32) -> Option<usize> {
        if points.is_empty() {
            return None;
        }
        if revision < self.forgotten {
            return Some(0);
        }
        let from = self.entries.partition_point(|&(made, _)| made <= revision);
        let news = || self.entries.range(from..).map(|&(_, rect)| rect);
        let stretches = points.len().saturating_sub(1).max(1);
        (0..stretches).find(|&i| {
            let (a, b) = (points[i], points[(i + 1).min(points.len() - 1)]);
            news().any(|rect| rect.is_near_segment(a, b, reach))
        })
    }

    /// Whether an edit after `revision` may touch a way that lies in `bounds`; `reach` as above.
    pub(crate) fn may_touch(&self, revision: u64, bounds: Rect, reach: f32) -> bool {
        let from = self.entries.partition_point(|&(made, _)| made <= revision);
        let is_near = |rect: CellRect| {
            let (low, high) = (rect.min.center() - 0.5 - reach, rect.max.center() + 0.5 + reach);
            bounds.min.cmple(high).all() && low.cmple(bounds.max).all()
        };
        revision < self.forgotten || self.entries.range(from..).any(|&(_, rect)| is_near(rect))
    }

    /// Whether a way from `a` to `b` by the place of an edit after `revision` can be shorter than `length`;
    /// `reach` as above.
    pub(crate) fn may_shorten(&self, revision: u64, a: Vec2, b: Vec2, length: f32, reach: f32) -> bool {
        let from = self.entries.partition_point(|&(made, _)| made <= revision);
        let away = |point: Vec2, rect: CellRect| (rect.distance_to(point) - reach).max(0.0);
        revision < self.forgotten
            || self.entries.range(from..).any(|&(_, rect)| away(a, rect) + away(b, rect) < length)
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::Cell;

    use super::*;

    fn cell(x: i32, y: i32) -> CellRect {
        CellRect::new(Cell::new(x, y), Cell::new(x, y))
    }

    #[test]
    fn only_newer_edits_on_the_line_touch_it() {
        let line = [Vec2::new(0.5, 0.5), Vec2::new(4.5, 0.5), Vec2::new(4.5, 4.5)];
        let mut edits = Edits::since(10);
        edits.record(11, cell(2, 0));
        edits.record(12, cell(0, 3));
        edits.record(13, cell(4, 2));
        assert_eq!(edits.first_touched(10, &line, 0.0), Some(0), "the first edit lies on the first stretch");
        assert_eq!(edits.first_touched(11, &line, 0.0), Some(1), "only the last edit is news to revision 11");
        assert_eq!(edits.first_touched(13, &line, 0.0), None, "a path of the newest revision is untouched");
        assert_eq!(edits.first_touched(9, &line, 0.0), Some(0), "a path older than the journal is touched");
    }

    #[test]
    fn what_lies_beside_the_bounds_of_a_way_cannot_touch_it() {
        let mut edits = Edits::since(10);
        edits.record(11, cell(6, 2));
        let bounds = Rect::new(0.5, 0.5, 4.5, 4.5);
        assert!(!edits.may_touch(10, bounds, 1.0), "the cell begins one and a half cells away");
        assert!(edits.may_touch(10, bounds, 2.0), "which a large agent reaches");
        assert!(!edits.may_touch(11, bounds, 2.0), "what is known is no news");
        assert!(edits.may_touch(9, bounds, 0.0), "of what is forgotten anything may be");
    }

    #[test]
    fn only_edits_near_enough_can_shorten_a_way() {
        let (a, b) = (Vec2::new(0.5, 0.5), Vec2::new(10.5, 0.5));
        let mut edits = Edits::since(0);
        edits.record(1, cell(5, 6));
        assert!(!edits.may_shorten(0, a, b, 10.0, 0.0), "no way is shorter than the straight one");
        assert!(!edits.may_shorten(0, a, b, 14.0, 0.0), "by way of the edit it is over fourteen");
        assert!(edits.may_shorten(0, a, b, 16.0, 0.0));
        assert!(edits.may_shorten(0, a, b, 14.0, 2.0), "an edit opens more to large agents");
        assert!(!edits.may_shorten(1, a, b, 16.0, 0.0), "what is known is no news");
    }

    #[test]
    fn a_corner_counts_and_a_neighbour_does_not() {
        let diagonal = [Vec2::new(0.5, 0.5), Vec2::new(1.5, 1.5)];
        let mut edits = Edits::since(0);
        edits.record(1, cell(1, 0));
        assert_eq!(edits.first_touched(0, &diagonal, 0.0), Some(0), "the diagonal runs through its corner");
        let row = [Vec2::new(0.5, 1.5), Vec2::new(3.5, 1.5)];
        assert_eq!(edits.first_touched(0, &row, 0.0), None, "the row beside it is half a cell away");
    }

    #[test]
    fn a_painted_line_is_one_entry_and_old_edits_are_forgotten() {
        let mut edits = Edits::since(0);
        for x in 0..100 {
            edits.record(x as u64 + 1, cell(x, 5));
        }
        assert_eq!(edits.entries.len(), 1, "a row painted left to right is one rectangle");
        for i in 0..(CAPACITY as i32 + 1) {
            edits.record(200 + i as u64, cell(0, i * 2));
        }
        assert_eq!(edits.entries.len(), CAPACITY, "the journal is bounded");
        assert_eq!(edits.forgotten, 200, "and knows what it forgot");
    }
}
