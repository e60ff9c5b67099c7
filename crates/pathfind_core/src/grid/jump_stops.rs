//! The cells at which a straight jump of jump point search has to stop if corners are never cut: blocked cells, cells
//! beside which a wall ends, and cells at the border between areas of different costs.
//!
//! ```text
//!   # # . .
//!   → → S .      a jump to the right stops at S, where the wall above ends
//!   . . . .
//! ```
//!
//! For each direction along a line there is one bit for each cell, so that the next stop is found by counting zeros.

use core::ops::Index;

use super::{Bitmap, CellRect, Line, LineCursor};

/// The stops along the lines of one bitmap, in the same layout as the [`Bitmap`].
#[derive(Clone, Debug)]
pub(crate) struct JumpStops {
    /// Stops of jumps towards larger indices.
    up: Bitmap,
    /// Stops of jumps towards smaller indices.
    down: Bitmap,
}

impl JumpStops {
    /// The stops of a bitmap on which every cell is blocked: all cells.
    pub(crate) fn new(lines: u32, len: u32) -> Self {
        let all = Bitmap::filled(lines, len, u64::MAX);
        Self { up: all.clone(), down: all }
    }

    pub(super) fn bitmaps_mut(&mut self) -> [&mut Bitmap; 2] {
        [&mut self.up, &mut self.down]
    }

    /// Updates the stops after a rectangle of cells changed in `bits` or in `borders`, the bitmap of the cells at
    /// borders between areas of different costs (`None` if costs are uniform). The rectangle's x runs along the lines,
    /// its y across them.
    pub(crate) fn refresh(&mut self, bits: &Bitmap, borders: Option<&Bitmap>, changed: CellRect) {
        // A cell also decides whether its neighbours are stops.
        for line in (changed.min.y - 1).max(0)..=(changed.max.y + 1).min(bits.lines() - 1) {
            let (previous_line, this_line, next_line) =
                (bits.line(line - 1), bits.line(line), bits.line(line + 1));
            let borders = borders.map(|borders| borders.line(line));
            // From the cell just before the rectangle to that just after it, on the map.
            let (first, last) = ((changed.min.x - 1).max(0), (changed.max.x + 1).min(bits.len() as i32 - 1));
            for i in (first & !63..=last).step_by(64) {
                let word = (i as usize >> 6) + 1;
                let at_previous_cell = |words: Line<'_>| words[word] << 1 | words[word - 1] >> 63;
                let at_next_cell = |words: Line<'_>| words[word] >> 1 | words[word + 1] << 63;
                // Blocked cells and borders are stops in both directions.
                let is_stop_anyway = !this_line[word] | borders.map_or(0, |borders| borders[word]);
                // A jump stops where the cell beside it is free and the one before that, seen in the jump's direction,
                // is blocked: the wall ends there.
                let up = previous_line[word] & !at_previous_cell(previous_line)
                    | next_line[word] & !at_previous_cell(next_line)
                    | is_stop_anyway;
                let down = previous_line[word] & !at_next_cell(previous_line)
                    | next_line[word] & !at_next_cell(next_line)
                    | is_stop_anyway;
                self.up.set_word(line, i, up);
                self.down.set_word(line, i, down);
            }
        }
    }

    /// A cursor on a line of the bitmap (layer 0) and on its stops of jumps in one direction (layer 1), which goes by
    /// `step` lines (1 or -1). All lines must be stored [whole](Self::is_whole).
    #[inline]
    pub(crate) fn cursor<'r, const UP: bool>(
        &'r self,
        bits: &'r Bitmap,
        line: i32,
        step: i32,
    ) -> LineCursor<'r> {
        Bitmap::cursor([bits, if UP { &self.up } else { &self.down }], line, step)
    }

    /// The first stop beyond cell `i` of a [whole](Self::is_whole) line, towards larger indices (`UP`) or smaller
    /// ones.
    // Not left to the compiler: called out of line, it makes jump point search a tenth slower.
    #[inline(always)]
    pub(crate) fn next<const UP: bool>(&self, line: i32, i: i32) -> i32 {
        next::<UP>(if UP { &self.up } else { &self.down }.whole_line(line), i)
    }

    /// The same where the line may be stored in parts.
    #[inline]
    pub(crate) fn next_in_parts<const UP: bool>(&self, line: i32, i: i32) -> i32 {
        next::<UP>(&if UP { &self.up } else { &self.down }.line(line), i)
    }

    /// Whether the words of every line are stored one after the other.
    pub(crate) fn is_whole(&self) -> bool {
        self.up.is_whole() && self.down.is_whole()
    }
}

/// [`JumpStops::next`] in the words of a line.
#[inline(always)]
fn next<const UP: bool>(words: &(impl Index<usize, Output = u64> + ?Sized), i: i32) -> i32 {
    // A line begins with a word of padding.
    let first = (i + if UP { 65 } else { 63 }) as usize;
    let mut word = first >> 6;
    let mut stops = words[word] & if UP { u64::MAX << (first & 63) } else { u64::MAX >> (63 - (first & 63)) };
    // Cells beyond the map are blocked and therefore stops, so the search ends.
    while stops == 0 {
        word = if UP { word + 1 } else { word - 1 };
        stops = words[word];
    }
    let bit = if UP { stops.trailing_zeros() } else { 63 - stops.leading_zeros() };
    (word as i32 - 1) * 64 + bit as i32
}
