//! Diagonal runs (with four directions: runs along columns), with the straight runs from each of their cells.

use super::ends::{Axis, Ends};
use super::rule::Rule;
use super::scan::{bit, scan_words};
use super::{Jump, JumpTables};
use crate::grid::{GridCell, LineCursor};
use crate::search::nodes::Node;
use crate::search::strategy::{Expansion, SuccessorSink};

/// A diagonal run, from the cell beyond the expanded one.
#[derive(Copy, Clone)]
struct Diagonal {
    from: Expansion,
    dx: i32,
    dy: i32,
    /// The costs of a straight step, and of one step of the run.
    straight: u64,
    step: u64,
}

impl Diagonal {
    #[inline]
    fn cell(&self, steps: i32) -> GridCell {
        let GridCell { x, y } = self.from.node.cell();
        GridCell::new(x + steps * self.dx, y + steps * self.dy)
    }

    #[inline]
    fn g(&self, steps: i32) -> u64 {
        self.from.g + steps as u64 * self.step
    }
}

impl<R: Rule, E: Ends, O: SuccessorSink, const WEIGHTED: bool> Jump<'_, '_, R, E, O, WEIGHTED> {
    /// The most steps of a diagonal run that are followed at once. The cell after so many is relaxed like a jump
    /// point, and the run goes on when that cell's turn comes: seldom, where it leads away from the goal. A search in
    /// which runs do not stop at ends follows nearly all of them to their end in any case. Measured on 41 maps: 0.97 to
    /// 0.98 of the time without a limit with 48 and with 64 steps, 0.98 to 0.99 with 96.
    const MOST_STEPS: i32 = if R::FOUR || !E::STOPS { i32::MAX } else { 64 };

    /// Follows a diagonal (with four directions: a column) up to a jump point or an end of the search, which is
    /// relaxed; relaxes the jump points that straight runs reach from each cell of it. Before that, relaxes those from
    /// the expanded cell, which is not at a border then, along its row (`along[0]`) and its column (`along[1]`).
    #[inline]
    pub(super) fn diagonal(&mut self, dx: i32, dy: i32, along: [bool; 2]) {
        let from = self.from;
        let cell = from.node.cell();
        let begins_here = along != [false; 2];
        let has_tables = R::WHOLE && !R::CUTS;
        if !begins_here && (WEIGHTED || !has_tables) && !self.can_step(cell, dx, dy) {
            return;
        }
        // All cells of the run cost as much as its first, and as much as the expanded cell if that is not at a border.
        let first = if begins_here { cell } else { GridCell::new(cell.x + dx, cell.y + dy) };
        let [straight, diagonal] = self.step_costs(first);
        let run = Diagonal { from, dx, dy, straight, step: if R::FOUR { straight } else { diagonal } };
        if has_tables {
            return match (R::FOUR || dx > 0, !R::FOUR && dy > 0) {
                (true, true) => self.follow::<true, true>(&run, along),
                (true, false) => self.follow::<true, false>(&run, along),
                (false, true) => self.follow::<false, true>(&run, along),
                (false, false) => self.follow::<false, false>(&run, along),
            };
        }
        if along[0] {
            self.straight_to(Axis::Row, cell, dx, from.g);
        }
        if along[1] {
            self.straight_to(Axis::Column, cell, dy, from.g);
        }
        if begins_here && !self.can_step(cell, dx, dy) {
            return;
        }
        if !R::WHOLE {
            return self.step_by_step(run);
        }
        let (cells, has_end) = if dx > 0 {
            self.runs_beside::<true, true>(Axis::Row, run, i32::MAX)
        } else {
            self.runs_beside::<false, true>(Axis::Row, run, i32::MAX)
        };
        if cells > 0 && dy > 0 {
            self.runs_beside::<true, false>(Axis::Column, run, cells);
        } else if cells > 0 {
            self.runs_beside::<false, false>(Axis::Column, run, cells);
        }
        if has_end {
            // After the jump points beside the run: of equal keys the newest is expanded first, here the farthest cell.
            self.relax(run.cell(cells + 1), run.g(cells + 1));
        }
    }

    /// [`diagonal`](Self::diagonal) where no corners are cut: straight runs stop where the tables say. `A` and `B`:
    /// whether those along rows, and those along columns, lead towards larger indices (with four directions: both sorts
    /// are along rows).
    fn follow<const A: bool, const B: bool>(&mut self, run: &Diagonal, along: [bool; 2]) {
        let axes = [Axis::Row, if R::FOUR { Axis::Row } else { Axis::Column }];
        let mut a = StraightRuns::<A>::new(&self.search.tables, axes[0], run);
        let mut b = StraightRuns::<B>::new(&self.search.tables, axes[1], run);
        let [mut has_a, mut has_b] = along;
        let mut steps = 0;
        let mut next_check = self.next_check(axes, run, steps);
        loop {
            let (free_a, free_b) = (a.free(), b.free());
            if steps == next_check || (WEIGHTED && steps > 0 && self.is_border(run.cell(steps))) {
                if self.check::<A, B>(axes, run, steps, [has_a, has_b]) {
                    return;
                }
                next_check = self.next_check(axes, run, steps + 1);
            } else {
                if has_a && let Some(stop) = a.jump_point(free_a) {
                    self.relax_beside(axes[0], run, steps, [a.at, stop]);
                }
                if has_b && let Some(stop) = b.jump_point(free_b) {
                    self.relax_beside(axes[1], run, steps, [b.at, stop]);
                }
            }
            if !(R::FOUR || a.is_next_free(free_a) && b.is_next_free(free_b)) {
                return;
            }
            a.advance(!R::FOUR);
            b.advance(!R::FOUR);
            if !a.is_free() {
                return;
            }
            steps += 1;
            (has_a, has_b) = (true, true);
        }
    }

    /// The first step of a run, from `least` on, at whose cell more is to be done than to look for jump points: a line
    /// through the cell may have ends of the search, or it is the last step.
    #[inline]
    fn next_check(&self, axes: [Axis; 2], run: &Diagonal, least: i32) -> i32 {
        axes.into_iter().fold(Self::MOST_STEPS, |next, axis| {
            let (line, _) = axis.line_and_place(run.from.node.cell());
            let (first, count) = self.search.ends.lines(axis);
            let [first, last] = [first - line, first - line + count as i32 - 1];
            let across = if axis == Axis::Row { run.dy } else { run.dx };
            let [first, last] = if across > 0 { [first, last] } else { [-last, -first] };
            if least <= last { next.min(first.max(least)) } else { next }
        })
    }

    /// Whether a run ends at the cell so many steps on, which is relaxed then. If not, follows the straight runs from it
    /// up to a jump point or an end of the search.
    // Out of line, as `relax_beside`: so the loop of `follow` has registers for what it reads.
    #[inline(never)]
    fn check<const A: bool, const B: bool>(
        &mut self,
        axes: [Axis; 2],
        run: &Diagonal,
        steps: i32,
        [has_a, has_b]: [bool; 2],
    ) -> bool {
        let (cell, g) = (run.cell(steps), run.g(steps));
        if steps > 0 && (steps == Self::MOST_STEPS || self.stops_at(cell, true, *run, steps)) {
            self.relax(cell, g);
            return true;
        }
        if has_a {
            self.straight::<A>(axes[0], cell, g);
        }
        if has_b {
            self.straight::<B>(axes[1], cell, g);
        }
        false
    }

    /// Relaxes the jump point that a straight run from the cell so many steps on meets, by both places on their line.
    #[inline(never)]
    fn relax_beside(&mut self, axis: Axis, run: &Diagonal, steps: i32, [at, stop]: [usize; 2]) {
        let (GridCell { x, y }, place) = (run.cell(steps), stop as i32 - 64);
        // An index instead of a branch, which the processor could not predict.
        let node = [Node::new(place, y), Node::new(x, place)][axis as usize];
        self.relax(node, run.g(steps) + at.abs_diff(stop) as u64 * run.straight);
    }

    /// The straight runs in one direction along an axis, from so many cells of a diagonal run at most, where corners are
    /// cut: a line and those beside it tell where straight runs stop. If it `LEADS`, this finds out where the diagonal
    /// run ends, which has jump points of its own. Returns the number of cells from which straight runs begin, and
    /// whether the cell after them is still to be relaxed.
    fn runs_beside<const UP: bool, const LEADS: bool>(
        &mut self,
        axis: Axis,
        run: Diagonal,
        most: i32,
    ) -> (i32, bool) {
        let across = if axis == Axis::Row { run.dy } else { run.dx };
        let along = if UP { 1 } else { -1 };
        let (bits, mut line, mut i) = self.line(axis, run.from.node.cell());
        let borders = self.borders(axis);
        let (first_end, end_lines) = self.search.ends.lines(axis);
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
                if self.stops_at(GridCell::new(i, line), has_ends, run, steps)
                    || is_jump_point
                    || steps == Self::MOST_STEPS
                {
                    return (steps - 1, true);
                }
            }
            let borders = borders.map(|borders| borders.whole_line(line));
            let (stop, is_jump_point) = scan_words::<R, [u64], UP>(lines, borders, i);
            if is_jump_point || has_ends {
                self.relax_stop::<UP>(axis, (line, i), (stop, is_jump_point), run.g(steps));
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
    fn stops_at(&self, cell: GridCell, has_ends: bool, run: Diagonal, steps: i32) -> bool {
        let is_end = has_ends && self.search.ends.contains(cell);
        if !E::STOPS && is_end {
            self.search.ends.arrive(cell.into(), run.from.node, run.g(steps));
        }
        (E::STOPS && is_end) || (WEIGHTED && self.is_border(cell))
    }

    /// Follows a diagonal run cell by cell, where lines are stored in parts.
    #[inline]
    fn step_by_step(&mut self, run: Diagonal) {
        let Diagonal { from, dx, dy, .. } = run;
        let mut cell = from.node.cell();
        let mut steps = 0;
        while self.can_step(cell, dx, dy) {
            cell = GridCell::new(cell.x + dx, cell.y + dy);
            steps += 1;
            let g = run.g(steps);
            if self.stops_at(cell, true, run, steps)
                || self.forced_neighbors(cell, dx, dy) != (false, false)
                || steps == Self::MOST_STEPS
            {
                return self.relax(cell, g);
            }
            self.straight_to(Axis::Row, cell, if R::FOUR { 1 } else { dx }, g);
            let (axis, ahead) = if R::FOUR { (Axis::Row, -1) } else { (Axis::Column, dy) };
            self.straight_to(axis, cell, ahead, g);
        }
    }
}

/// The straight runs in one direction from the cells of a diagonal run.
struct StraightRuns<'g, const UP: bool> {
    words: LineCursor<'g>,
    /// The place of the cell on its line, counting the word of padding.
    at: usize,
}

impl<'g, const UP: bool> StraightRuns<'g, UP> {
    /// The bit of the cell in a word [from here](Self::bits_from_here), and that of the next cell.
    const HERE: u64 = if UP { 1 } else { 1 << 63 };
    const NEXT: u64 = if UP { 2 } else { 1 << 62 };

    #[inline(always)]
    fn new(tables: &JumpTables<'g>, axis: Axis, run: &Diagonal) -> Self {
        let (bits, across) = if axis == Axis::Row { (tables.rows, run.dy) } else { (tables.columns, run.dx) };
        let (line, place) = axis.line_and_place(run.from.node.cell());
        let words = tables.stops[axis as usize].cursor::<UP>(bits, line, across);
        Self { words, at: (place + 64) as usize }
    }

    /// A word, shifted so that the cell's bit is the first in the direction of the runs.
    #[inline(always)]
    fn bits_from_here(&self, word: u64) -> u64 {
        if UP { word >> (self.at & 63) } else { word << (!self.at & 63) }
    }

    /// Which cells are free, from this one to the end of its word.
    #[inline(always)]
    fn free(&self) -> u64 {
        self.bits_from_here(self.words.get::<0>(self.at >> 6))
    }

    /// The next word in the direction of the runs.
    #[inline(always)]
    fn after(word: usize) -> usize {
        if UP { word + 1 } else { word - 1 }
    }

    #[inline(always)]
    fn is_free(&self) -> bool {
        self.free() & Self::HERE != 0
    }

    #[inline(always)]
    fn is_next_free(&self, free: u64) -> bool {
        free & Self::NEXT != 0
            // It is the first of the next word.
            || (self.at & 63 == if UP { 63 } else { 0 }
                && self.words.get::<0>(Self::after(self.at >> 6)) & Self::HERE != 0)
    }

    /// The place of the jump point that the run meets before any wall. `free` is [`free`](Self::free).
    #[inline(always)]
    fn jump_point(&self, mut free: u64) -> Option<usize> {
        let (mut word, mut first) = (self.at >> 6, self.at);
        let mut stops = self.bits_from_here(self.words.get::<1>(word)) & !Self::HERE;
        while stops == 0 {
            word = Self::after(word);
            first = word * 64 + if UP { 0 } else { 63 };
            stops = self.words.get::<1>(word);
            free = self.words.get::<0>(word);
        }
        // The first stop decides: the lowest bit, or the highest.
        let jump_points = stops & free;
        if UP {
            (jump_points & stops.wrapping_neg() != 0).then(|| first + stops.trailing_zeros() as usize)
        } else {
            (jump_points > stops ^ jump_points).then(|| first - stops.leading_zeros() as usize)
        }
    }

    /// Goes to the next line, and one cell along it if `along`.
    #[inline(always)]
    fn advance(&mut self, along: bool) {
        self.words.advance();
        if along {
            self.at = self.at.wrapping_add_signed(if UP { 1 } else { -1 });
        }
    }
}
