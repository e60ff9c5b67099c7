//! Diagonal runs (with four directions: runs along columns), with the straight runs from each of their cells.

use super::Jumps;
use super::ends::{Axis, Ends};
use super::rule::Rule;
use crate::grid::{Cell, RowCursor, first_bit, next_stop};
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

impl<R: Rule, E: Ends, const WEIGHTED: bool> Jumps<'_, R, E, WEIGHTED> {
    /// Follows a diagonal (with four directions: a column) up to a jump point or an end of the search, which is
    /// relaxed; relaxes the jump points that straight runs reach from each cell of it.
    #[inline]
    pub(super) fn diagonal(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        if R::CUTS {
            return self.step_by_step(from, dx, dy, open);
        }
        let cell = from.node.cell();
        if !self.can_step(cell, dx, dy) {
            return;
        }
        // All cells of the run cost as much as its first.
        let [straight, diagonal] = self.step_costs(cell.x + dx, cell.y + dy);
        let run = Diagonal { from, dx, dy, step: if R::FOUR { straight } else { diagonal } };
        if R::FOUR {
            let steps = self.runs_beside::<true, true>(Axis::Row, run, i32::MAX, open);
            self.runs_beside::<false, false>(Axis::Row, run, steps, open);
            return;
        }
        let steps = if dx > 0 {
            self.runs_beside::<true, true>(Axis::Row, run, i32::MAX, open)
        } else {
            self.runs_beside::<false, true>(Axis::Row, run, i32::MAX, open)
        };
        if dy > 0 {
            self.runs_beside::<true, false>(Axis::Column, run, steps, open);
        } else {
            self.runs_beside::<false, false>(Axis::Column, run, steps, open);
        }
    }

    /// The straight runs in one direction along an axis, from so many cells of a diagonal run at most. If it `LEADS`, this
    /// finds out where the diagonal run ends, and relaxes the end of the search there or the cell at a border. Returns the
    /// number of cells from which straight runs begin.
    fn runs_beside<const UP: bool, const LEADS: bool>(
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
        if !LEADS && most == 0 {
            return 0;
        }
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
        let is_free = |words: &RowCursor<'_, u64>, at: usize| words.get::<0>(at >> 6) >> (at & 63) & 1 != 0;
        let (first_end, end_lines) = self.ends.lines(axis);
        let mut steps = 1;
        loop {
            let has_ends = (line.wrapping_sub(first_end) as u32) < end_lines;
            let g = || run.from.g + steps as u64 * run.step;
            if LEADS && (has_ends || WEIGHTED) {
                let cell = Cell::new(at as i32 - 64, line);
                let is_end = has_ends && self.ends.contains(cell);
                if !E::STOPS && is_end {
                    self.ends.arrive(cell.into(), run.from.node, g());
                }
                if (E::STOPS && is_end) || (WEIGHTED && self.is_border(cell)) {
                    open.relax(cell.into(), run.from.node, g());
                    return steps - 1;
                }
            }
            let (word, stops) = next_stop::<UP>(|word| words.get::<1>(word), at);
            let bit = first_bit::<UP>(stops);
            let is_jump_point = words.get::<0>(word) >> bit & 1 != 0;
            let stop = (word * 64) as i32 + bit as i32;
            if is_jump_point || has_ends {
                let place = (line, at as i32 - 64);
                self.offer::<UP>(axis, place, (stop - 64, is_jump_point), run.from, g(), open);
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

    /// The same where corners are cut: the run also ends at jump points of its own, round which cells are blocked.
    #[inline]
    fn step_by_step(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        let mut cell = from.node.cell();
        if !self.can_step(cell, dx, dy) {
            return;
        }
        // All cells of the run cost as much as its first.
        let [_, step] = self.step_costs(cell.x + dx, cell.y + dy);
        let mut g = from.g;
        // Neighbours of a cell, as bits of its neighbour mask.
        let at = |dx: i32, dy: i32| match dy {
            -1 => 1 << (dx + 1),
            0 => 8 << ((dx + 1) / 2),
            _ => 32 << (dx + 1),
        };
        let [ahead, beside_x, beside_y] = [at(dx, dy), at(dx, 0), at(0, dy)];
        let needed = |beside: usize| if R::NEEDS_ONE { beside } else { 0 };
        // A jump point has one of these neighbours blocked, and all of those beside it free (see `turns`).
        let [round_x, round_y] = [at(-dx, dy) | needed(beside_y), at(dx, -dy) | needed(beside_x)];
        let [wall_x, wall_y] = [at(-dx, 0), at(0, -dy)];
        loop {
            cell = Cell::new(cell.x + dx, cell.y + dy);
            g += step;
            let is_end = self.ends.contains(cell);
            if !E::STOPS && is_end {
                self.ends.arrive(cell.into(), from.node, g);
            }
            let free = self.tables.rows.neighbor_mask(cell.y, cell.x);
            if (E::STOPS && is_end)
                || (WEIGHTED && self.is_border(cell))
                || free & (wall_x | round_x) == round_x
                || free & (wall_y | round_y) == round_y
            {
                open.relax(cell.into(), from.node, g);
                return;
            }
            self.straight_to(Axis::Row, cell, dx, from, g, open);
            self.straight_to(Axis::Column, cell, dy, from, g, open);
            let is_legal = !R::NEEDS_ONE || free & (beside_x | beside_y) != 0;
            if free & ahead == 0 || !is_legal {
                return;
            }
        }
    }
}
