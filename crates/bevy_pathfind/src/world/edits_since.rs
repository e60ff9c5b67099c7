//! Tests paths that were found on an older revision of a grid against the edits since then.

use bevy::prelude::*;
use pathfind_core::{CellRect, SIGHT_ROUNDING};

use super::outline::{Area, Outline};

/// The edits of a grid since a revision, grown by the size of one kind of agent.
pub(crate) struct EditsSince {
    /// Each edit with the area in which an agent touches it; `None` if the journal no longer holds all edits, so that
    /// every path counts as touched.
    edits: Option<Vec<(CellRect, Area)>>,
    /// How far from a path an edit still matters, in cells.
    reach: f32,
}

impl EditsSince {
    /// The edits of a grid that is `size` cells wide and high. `reach` is how far an agent's body extends from its
    /// position, in cells.
    pub(super) fn new(size: Vec2, edits: Option<impl Iterator<Item = CellRect>>, reach: f32) -> Self {
        // The line-of-sight test rounds. The margin keeps it from finding a wall on a path that counts as untouched.
        let reach = reach + SIGHT_ROUNDING;
        let with_area = |rect: CellRect| {
            let (min, max) = (rect.min.center() - 0.5 - reach, rect.max.center() + 0.5 + reach);
            (rect, Area::new(size, Rect { min, max }))
        };
        Self { edits: edits.map(|edits| edits.map(with_area).collect()), reach }
    }

    /// Whether a path with this outline may be touched: a cheap test, without false negatives.
    pub(crate) fn may_touch(&self, outline: &Outline) -> bool {
        self.edits.as_ref().is_none_or(|edits| edits.iter().any(|(_, area)| outline.may_meet(area)))
    }

    /// Whether a leg of a path with this outline may be touched: a cheap test, without false negatives.
    pub(crate) fn may_touch_leg(&self, outline: &Outline, leg: usize) -> bool {
        self.edits.as_ref().is_none_or(|edits| edits.iter().any(|(_, area)| outline.may_leg_meet(area, leg)))
    }

    /// Whether an edit touches the leg between two points.
    pub(crate) fn touches(&self, a: Vec2, b: Vec2) -> bool {
        let is_near = |(rect, _): &(CellRect, Area)| rect.is_near_segment(a, b, self.reach);
        self.edits.as_ref().is_none_or(|edits| edits.iter().any(is_near))
    }

    /// The index of the first waypoint whose leg is touched by an edit; the legs begin at `here`. `None` if no leg
    /// is.
    pub(crate) fn first_touched(&self, here: Vec2, waypoints: &[Vec2]) -> Option<usize> {
        let starts = core::iter::once(&here).chain(waypoints);
        starts.zip(waypoints).position(|(&a, &b)| self.touches(a, b))
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::GridCell;

    use super::*;

    const SIZE: Vec2 = Vec2::splat(8.0);

    fn edits_since(cells: &[(i32, i32)], reach: f32) -> EditsSince {
        let cell = |&(x, y): &(i32, i32)| CellRect::new(GridCell::new(x, y), GridCell::new(x, y));
        EditsSince::new(SIZE, Some(cells.iter().map(cell)), reach)
    }

    fn first_touched(cells: &[(i32, i32)], path: &[Vec2]) -> Option<usize> {
        edits_since(cells, 0.0).first_touched(path[0], &path[1..])
    }

    #[test]
    fn the_first_leg_that_an_edit_lies_on_is_touched() {
        let path = [Vec2::new(0.5, 0.5), Vec2::new(4.5, 0.5), Vec2::new(4.5, 4.5)];
        assert_eq!(first_touched(&[(0, 3), (4, 2)], &path), Some(1), "the first leg is not touched");
        assert_eq!(
            first_touched(&[(4, 2), (2, 0)], &path),
            Some(0),
            "the order of the edits does not matter"
        );
        assert_eq!(first_touched(&[(0, 3)], &path), None);
        assert_eq!(first_touched(&[], &path), None);
    }

    #[test]
    fn a_corner_counts_and_a_neighbour_does_not() {
        let diagonal = [Vec2::new(0.5, 0.5), Vec2::new(1.5, 1.5)];
        assert_eq!(first_touched(&[(1, 0)], &diagonal), Some(0), "the diagonal runs through its corner");
        let row = [Vec2::new(0.5, 1.5), Vec2::new(3.5, 1.5)];
        assert_eq!(first_touched(&[(1, 0)], &row), None, "the row beside it is half a cell away");
        let near_edge = [Vec2::new(0.5, 0.5), Vec2::new(1.99995, 0.5)];
        assert_eq!(
            first_touched(&[(2, 0)], &near_edge),
            Some(0),
            "the end is within the rounding of the sight test"
        );
    }

    #[test]
    fn an_edit_beside_the_outline_of_a_path_cannot_touch_it() {
        let path = [Vec2::new(0.5, 0.5), Vec2::new(4.5, 0.5), Vec2::new(4.5, 4.5)];
        let may_touch = |reach, margin| {
            let outline = Outline::of_points(SIZE, &path, margin);
            edits_since(&[(6, 2)], reach).may_touch(&outline)
        };
        assert!(!may_touch(0.5, 0.0), "the cell begins one and a half cells away");
        assert!(may_touch(2.0, 0.0), "which a large agent reaches");
        assert!(may_touch(0.5, 1.5), "and an agent that has left its path");
    }

    #[test]
    fn without_a_journal_every_leg_counts_as_touched() {
        let unknown = EditsSince::new(SIZE, None::<core::iter::Empty<_>>, 0.0);
        assert!(unknown.may_touch(&Outline::default()));
        assert_eq!(unknown.first_touched(Vec2::ZERO, &[Vec2::ONE]), Some(0));
        assert_eq!(unknown.first_touched(Vec2::ZERO, &[]), None, "an agent at its goal has no leg left");
    }
}
