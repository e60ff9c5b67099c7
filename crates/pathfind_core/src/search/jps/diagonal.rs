//! Diagonal runs (with four directions: runs along columns), with the straight runs from each of their cells.

use super::{Jumps, scan_words};
use super::ends::{Axis, Ends};
use super::rule::Rule;
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

impl<R: Rule, E: Ends, const WEIGHTED: bool> Jumps<'_, R, E, WEIGHTED> {
    /// Follows a diagonal (with four directions: a column) up to a jump point or an end of the search, which is
    /// relaxed; relaxes the jump points that straight runs reach from each cell of it.
    #[inline]
    pub(super) fn diagonal(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        if !R::WHOLE {
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
        if R::CUTS {
            let steps = if dx > 0 {
                self.runs_beside_cutting::<true, true>(Axis::Row, run, i32::MAX, open)
            } else {
                self.runs_beside_cutting::<false, true>(Axis::Row, run, i32::MAX, open)
            };
            if dy > 0 {
                self.runs_beside_cutting::<true, false>(Axis::Column, run, steps, open);
            } else {
                self.runs_beside_cutting::<false, false>(Axis::Column, run, steps, open);
            }
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
        let is_free = |words: &LineCursor<'_>, at: usize| words.get::<0>(at >> 6) >> (at & 63) & 1 != 0;
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

    /// The same where corners are cut: the run also ends at jump points of its own.
    fn runs_beside_cutting<const UP: bool, const LEADS: bool>(
        &self,
        axis: Axis,
        run: Diagonal,
        most: i32,
        open: &mut impl SuccessorSink,
    ) -> i32 {
        if !LEADS && most == 0 {
            return 0;
        }
        let across = if axis == Axis::Row { run.dy } else { run.dx };
        let (bits, mut line, mut i) = self.line(axis, run.from.node.cell());
        let borders = self.tables.areas.filter(|_| WEIGHTED).map(|areas| areas.borders);
        let borders = borders.map(|it| if axis == Axis::Row { &it.rows } else { &it.columns });
        let step_along = if UP { 1 } else { -1 };
        let is_free = |words: &[u64], i: i32| words[((i + 64) >> 6) as usize] >> (i & 63) & 1 != 0;
        let (first_end, end_lines) = self.ends.lines(axis);
        let mut steps = 1;
        // The line of the cell before, that of the cell, and the next.
        let mut lines = [line, line + across, line + 2 * across].map(|line| bits.whole_line(line));
        loop {
            line += across;
            i += step_along;
            let [before, here, after] = lines;
            let has_ends = (line.wrapping_sub(first_end) as u32) < end_lines;
            let g = || run.from.g + steps as u64 * run.step;
            if LEADS {
                let cell = Cell::new(i, line);
                let is_end = has_ends && self.ends.contains(cell);
                if !E::STOPS && is_end {
                    self.ends.arrive(cell.into(), run.from.node, g());
                }
                // As `turns` has it.
                let (back, ahead) = (i - step_along, i + step_along);
                let turns = (!is_free(here, back)
                    && is_free(after, back)
                    && (!R::NEEDS_ONE || is_free(after, i)))
                    || (!is_free(before, i)
                        && is_free(before, ahead)
                        && (!R::NEEDS_ONE || is_free(here, ahead)));
                if (E::STOPS && is_end) || (WEIGHTED && self.is_border(cell)) || turns {
                    open.relax(cell.into(), run.from.node, g());
                    return steps - 1;
                }
            }
            let borders = borders.map(|borders| borders.whole_line(line));
            let (stop, is_jump_point) = scan_words::<R, [u64], UP>(lines, borders, i);
            if is_jump_point || has_ends {
                self.offer::<UP>(axis, (line, i), (stop, is_jump_point), run.from, g(), open);
            }
            if if LEADS {
                let ahead = i + step_along;
                !is_free(after, ahead) || (R::NEEDS_ONE && !is_free(here, ahead) && !is_free(after, i))
            } else {
                steps == most
            } {
                return steps;
            }
            lines = [here, after, bits.whole_line(line + 2 * across)];
            steps += 1;
        }
    }

    /// The same where corners are cut (the run also ends at jump points of its own, for which each of its cells is looked at),
    /// and where lines are stored in parts.
    #[inline]
    fn step_by_step(&self, from: Expansion, dx: i32, dy: i32, open: &mut impl SuccessorSink) {
        let (mut cell, mut g) = (from.node.cell(), from.g);
        let mut step = if R::FOUR { self.tables.costs.straight } else { self.tables.costs.diagonal };
        let mut is_first = true;
        while self.can_step(cell, dx, dy) {
            cell = Cell::new(cell.x + dx, cell.y + dy);
            if WEIGHTED && is_first {
                // All further cells of the run cost as much as its first.
                let [straight, diagonal] = self.step_costs(cell.x, cell.y);
                (step, is_first) = (if R::FOUR { straight } else { diagonal }, false);
            }
            g += step;
            let is_end = self.ends.contains(cell);
            if !E::STOPS && is_end {
                self.ends.arrive(cell.into(), from.node, g);
            }
            if (E::STOPS && is_end)
                || (WEIGHTED && self.is_border(cell))
                || self.turns(cell, dx, dy) != (false, false)
            {
                open.relax(cell.into(), from.node, g);
                return;
            }
            if R::FOUR {
                self.straight::<true>(Axis::Row, cell, from, g, open);
                self.straight::<false>(Axis::Row, cell, from, g, open);
                continue;
            }
            self.straight_to(Axis::Row, cell, dx, from, g, open);
            self.straight_to(Axis::Column, cell, dy, from, g, open);
        }
    }
}
