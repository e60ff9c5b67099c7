//! Diagonal runs (with four directions: runs along columns), with the straight runs from each of their cells.

use super::Jumps;
use super::ends::{Axis, Ends};
use super::rule::Rule;
use super::scan::{bit, scan_words};
use crate::grid::{Cell, LineCursor, first_bit, next_stop};
use crate::search::strategy::{Expansion, SuccessorSink};

/// A diagonal run, from the cell beyond the expanded one.
#[derive(Copy, Clone)]
struct Diagonal {
    from: Expansion,
    /// The offset of one step.
    dx: i32,
    dy: i32,
    /// The cost of one step.
    step: u64,
}

impl Diagonal {
    /// The cost of the cell so many steps on.
    #[inline]
    fn g(&self, steps: i32) -> u64 {
        self.from.g + steps as u64 * self.step
    }
}

impl<R: Rule, E: Ends, const WEIGHTED: bool> Jumps<'_, R, E, WEIGHTED> {
    /// The most steps of a diagonal run that are followed at once. The cell after so many is relaxed like a jump
    /// point, and the run goes on when that cell's turn comes: seldom, where it leads away from the goal. A search in
    /// which runs do not stop at ends follows nearly all of them to their end in any case. Measured on 41 maps: 0.97 to
    /// 0.98 of the time without a limit with 48 and with 64 steps, 0.98 to 0.99 with 96.
    const MOST_STEPS: i32 = if R::FOUR || !E::STOPS { i32::MAX } else { 64 };

    /// Follows a diagonal (with four directions: a column) up to a jump point or an end of the search, which is
    /// relaxed; relaxes the jump points that straight runs reach from each cell of it.
    #[inline]
    pub(super) fn diagonal(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        let cell = from.node.cell();
        if !self.can_step(cell, dx, dy) {
            return;
        }
        // All cells of the run cost as much as its first.
        let [straight, diagonal] = self.step_costs(cell.x + dx, cell.y + dy);
        let run = Diagonal { from, dx, dy, step: if R::FOUR { straight } else { diagonal } };
        if !R::WHOLE {
            return self.step_by_step(run, open);
        }
        let (cells, has_end) = if R::FOUR || dx > 0 {
            self.runs_beside::<true, true>(Axis::Row, run, i32::MAX, open)
        } else {
            self.runs_beside::<false, true>(Axis::Row, run, i32::MAX, open)
        };
        let (axis, ahead) = if R::FOUR { (Axis::Row, -1) } else { (Axis::Column, dy) };
        if cells > 0 && ahead > 0 {
            self.runs_beside::<true, false>(axis, run, cells, open);
        } else if cells > 0 {
            self.runs_beside::<false, false>(axis, run, cells, open);
        }
        if has_end {
            // After the jump points beside the run: of equal keys the newest is expanded first, here the farthest cell.
            let steps = cells + 1;
            let end = Cell::new(cell.x + steps * dx, cell.y + steps * dy);
            open.relax(end.into(), from.node, run.g(steps));
        }
    }

    /// The straight runs in one direction along an axis, from so many cells of a diagonal run at most. If it `LEADS`,
    /// this finds out where the diagonal run ends. Returns the number of cells from which straight runs begin, and
    /// whether the cell after them is still to be relaxed.
    #[inline]
    fn runs_beside<const UP: bool, const LEADS: bool>(
        &self,
        axis: Axis,
        run: Diagonal,
        most: i32,
        open: &mut impl SuccessorSink,
    ) -> (i32, bool) {
        if R::CUTS {
            self.runs_beside_cutting::<UP, LEADS>(axis, run, most, open)
        } else {
            (self.runs_beside_walls::<UP, LEADS>(axis, run, most, open), false)
        }
    }

    /// The same where no corners are cut: straight runs stop where the tables say. The cell at which the diagonal run
    /// stops is relaxed at once.
    fn runs_beside_walls<const UP: bool, const LEADS: bool>(
        &self,
        axis: Axis,
        run: Diagonal,
        most: i32,
        open: &mut impl SuccessorSink,
    ) -> i32 {
        let (axis_index, across) = match axis {
            Axis::Row => (0, run.dy),
            Axis::Column => (1, run.dx),
        };
        let (bits, first_line, first_place) = self.line(axis, run.from.node.cell());
        let step_along = if R::FOUR {
            0
        } else if UP {
            1
        } else {
            -1
        };
        let mut line = first_line + across;
        let mut words = self.tables.stops[axis_index].cursor::<UP>(bits, line, across);
        // Lines begin with a word of padding.
        let mut at = (first_place as isize + step_along + 64) as usize;
        let is_free = |words: &LineCursor<'_>, at: usize| words.get::<0>(at >> 6) >> (at & 63) & 1 != 0;
        let (first_end, end_lines) = self.ends.lines(axis);
        let mut steps = 1;
        loop {
            let has_ends = (line.wrapping_sub(first_end) as u32) < end_lines;
            let cell = Cell::new(at as i32 - 64, line);
            if LEADS && (steps == Self::MOST_STEPS || self.stops_at(cell, has_ends, run, steps)) {
                open.relax(cell.into(), run.from.node, run.g(steps));
                return steps - 1;
            }
            let (word, stops) = next_stop::<UP>(|word| words.get::<1>(word), at);
            let bit = first_bit::<UP>(stops);
            let is_jump_point = words.get::<0>(word) >> bit & 1 != 0;
            let stop = (word * 64) as i32 + bit as i32;
            if is_jump_point || has_ends {
                let place = (line, at as i32 - 64);
                self.relax_stop::<UP>(axis, place, (stop - 64, is_jump_point), run.from, run.g(steps), open);
            }
            if !LEADS && steps == most {
                return steps;
            }
            let next = at.wrapping_add_signed(step_along);
            // A blocked cell straight ahead bars the diagonal step.
            if LEADS && !R::FOUR && stop == next as i32 && !is_jump_point {
                return steps;
            }
            words.advance();
            if LEADS && !(is_free(&words, at) && (R::FOUR || is_free(&words, next))) {
                return steps;
            }
            line += across;
            at = next;
            steps += 1;
        }
    }

    /// The same where corners are cut: a line and those beside it tell where straight runs stop, and where the
    /// diagonal run has jump points of its own.
    fn runs_beside_cutting<const UP: bool, const LEADS: bool>(
        &self,
        axis: Axis,
        run: Diagonal,
        most: i32,
        open: &mut impl SuccessorSink,
    ) -> (i32, bool) {
        let across = if axis == Axis::Row { run.dy } else { run.dx };
        let along = if UP { 1 } else { -1 };
        let (bits, mut line, mut i) = self.line(axis, run.from.node.cell());
        let borders = self.borders(axis);
        let (first_end, end_lines) = self.ends.lines(axis);
        let mut lines = [line, line + across, line + 2 * across].map(|line| bits.whole_line(line));
        let mut steps = 1;
        loop {
            line += across;
            i += along;
            let [before, here, after] = lines;
            let has_ends = (line.wrapping_sub(first_end) as u32) < end_lines;
            if LEADS {
                // As in `forced_neighbors`: a wall ends behind the cell, or beside it.
                let (back, ahead) = (i - along, i + along);
                let is_jump_point = !bit(here, back) && bit(after, back) && (!R::NEEDS_ONE || bit(after, i))
                    || !bit(before, i) && bit(before, ahead) && (!R::NEEDS_ONE || bit(here, ahead));
                if self.stops_at(Cell::new(i, line), has_ends, run, steps)
                    || is_jump_point
                    || steps == Self::MOST_STEPS
                {
                    return (steps - 1, true);
                }
            }
            let borders = borders.map(|borders| borders.whole_line(line));
            let (stop, is_jump_point) = scan_words::<R, [u64], UP>(lines, borders, i);
            if is_jump_point || has_ends {
                self.relax_stop::<UP>(axis, (line, i), (stop, is_jump_point), run.from, run.g(steps), open);
            }
            let goes_on = if LEADS {
                bit(after, i + along) && (!R::NEEDS_ONE || bit(here, i + along) || bit(after, i))
            } else {
                steps < most
            };
            if !goes_on {
                return (steps, false);
            }
            lines = [here, after, bits.whole_line(line + 2 * across)];
            steps += 1;
        }
    }

    /// Whether a diagonal run ends so many steps on, at a cell at a border or at an end of the search (only if the
    /// cell's line `has_ends`). Notes the path to an end that the run passes.
    #[inline]
    fn stops_at(&self, cell: Cell, has_ends: bool, run: Diagonal, steps: i32) -> bool {
        let is_end = has_ends && self.ends.contains(cell);
        if !E::STOPS && is_end {
            self.ends.arrive(cell.into(), run.from.node, run.g(steps));
        }
        (E::STOPS && is_end) || (WEIGHTED && self.is_border(cell))
    }

    /// Follows a diagonal run cell by cell, where lines are stored in parts.
    #[inline]
    fn step_by_step(&self, run: Diagonal, open: &mut impl SuccessorSink) {
        let Diagonal { from, dx, dy, .. } = run;
        let mut cell = from.node.cell();
        let mut steps = 0;
        while self.can_step(cell, dx, dy) {
            cell = Cell::new(cell.x + dx, cell.y + dy);
            steps += 1;
            let g = run.g(steps);
            if self.stops_at(cell, true, run, steps)
                || self.forced_neighbors(cell, dx, dy) != (false, false)
                || steps == Self::MOST_STEPS
            {
                open.relax(cell.into(), from.node, g);
                return;
            }
            self.straight_to(Axis::Row, cell, if R::FOUR { 1 } else { dx }, from, g, open);
            let (axis, ahead) = if R::FOUR { (Axis::Row, -1) } else { (Axis::Column, dy) };
            self.straight_to(axis, cell, ahead, from, g, open);
        }
    }
}
