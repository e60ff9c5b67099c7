//! The journal of a grid's latest edits. Whether an edit touches a path is tested in
//! [`edits_since`](super::edits_since).

use std::collections::VecDeque;

use bevy::math::{IVec2, Vec2};
use pathfind_core::{CellRect, GridCell};

/// How many entries are kept. A path that is older than the oldest entry counts as touched.
const CAPACITY: usize = 4096;

/// The latest edits of one grid, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    /// Each edit with the revision that it made.
    entries: VecDeque<(u64, CellRect)>,
    /// The newest revision that is no longer in the journal.
    forgotten: u64,
}

impl Edits {
    /// An empty journal that begins after `revision`.
    pub(crate) fn since(revision: u64) -> Self {
        Self { entries: VecDeque::new(), forgotten: revision }
    }

    /// Records that `revision` changed something within `rect`.
    ///
    /// A rectangle that continues the one before it along the same rows is merged with it, so that a row painted cell
    /// by cell stays one entry.
    pub(crate) fn record(&mut self, revision: u64, rect: CellRect) {
        if let Some((last, grown)) = self.entries.back_mut()
            && grown.min.y == rect.min.y
            && grown.max.y == rect.max.y
            && grown.max.x.saturating_add(1) == rect.min.x
        {
            // The merged entry has the newer revision. A path made between the two is checked although only the older
            // part of the rectangle may touch it, which is correct but not needed.
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

    /// The newest revision in the journal, or the one since which it is kept.
    pub(crate) fn latest(&self) -> u64 {
        self.entries.back().map_or(self.forgotten, |&(made, _)| made)
    }

    /// Moves all entries, after all cells have moved.
    pub(crate) fn shift(&mut self, by: IVec2) {
        for (_, CellRect { min, max }) in &mut self.entries {
            for cell in [min, max] {
                (cell.x, cell.y) = (cell.x + by.x, cell.y + by.y);
            }
        }
    }

    /// The edits after `revision`; `None` if some of them are no longer in the journal.
    pub(crate) fn after(&self, revision: u64) -> Option<impl Iterator<Item = CellRect>> {
        let from = self.entries.partition_point(|&(made, _)| made <= revision);
        (revision >= self.forgotten).then(|| self.entries.range(from..).map(|&(_, rect)| rect))
    }

    /// Whether an edit after `revision` lies at most `reach` columns and rows from a cell.
    pub(crate) fn are_near(&self, revision: u64, cell: GridCell, reach: i32) -> bool {
        let mut newer = self.entries.iter().rev().take_while(|&&(made, _)| made > revision);
        revision < self.forgotten || newer.any(|(_, rect)| rect.grown(reach).contains(cell))
    }

    /// Whether a path from `a` to `b` through an edit after `revision` can be shorter than `length`. `reach` is how
    /// far from a path an edit still matters, in cells.
    pub(crate) fn may_shorten(&self, revision: u64, a: Vec2, b: Vec2, length: f32, reach: f32) -> bool {
        let distance = |point: Vec2, rect: CellRect| (rect.distance_to(point) - reach).max(0.0);
        self.after(revision)
            .is_none_or(|mut edits| edits.any(|rect| distance(a, rect) + distance(b, rect) < length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(x: i32, y: i32) -> CellRect {
        CellRect::new(GridCell::new(x, y), GridCell::new(x, y))
    }

    #[test]
    fn only_newer_edits_count() {
        let mut edits = Edits::since(10);
        edits.record(11, cell(2, 0));
        edits.record(12, cell(0, 3));
        let after = |revision| edits.after(revision).map(|edits| edits.collect::<Vec<_>>());
        assert_eq!(after(10), Some(vec![cell(2, 0), cell(0, 3)]));
        assert_eq!(after(11), Some(vec![cell(0, 3)]));
        assert_eq!(after(12), Some(vec![]), "the edits of that revision itself do not count");
        assert_eq!(after(9), None, "the journal begins later");
    }

    #[test]
    fn newer_edits_near_a_cell_are_found() {
        let mut edits = Edits::since(10);
        edits.record(11, cell(2, 0));
        edits.record(12, cell(0, 3));
        assert!(edits.are_near(10, GridCell::new(2, 0), 0));
        assert!(!edits.are_near(10, GridCell::new(3, 1), 0), "it is another cell");
        assert!(edits.are_near(10, GridCell::new(3, 1), 1), "it is the cell beside it");
        assert!(!edits.are_near(11, GridCell::new(2, 0), 0), "that edit is older");
        assert!(edits.are_near(9, GridCell::new(7, 7), 0), "the journal begins later");
    }

    #[test]
    fn only_edits_near_enough_can_shorten_a_path() {
        let (a, b) = (Vec2::new(0.5, 0.5), Vec2::new(10.5, 0.5));
        let mut edits = Edits::since(0);
        edits.record(1, cell(5, 6));
        assert!(!edits.may_shorten(0, a, b, 10.0, 0.0), "no path is shorter than the straight one");
        assert!(!edits.may_shorten(0, a, b, 14.0, 0.0), "over the edit it is longer than fourteen");
        assert!(edits.may_shorten(0, a, b, 16.0, 0.0));
        assert!(edits.may_shorten(0, a, b, 14.0, 2.0), "an edit opens more to large agents");
        assert!(!edits.may_shorten(1, a, b, 16.0, 0.0), "the edits of that revision itself do not count");
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
        assert_eq!(edits.forgotten, 200, "and records what it has dropped");
    }
}
