//! Words of 64 cells, line by line: the layout of bitmaps.

use std::ops::Index;

use super::cell::CellRect;
use super::copy_on_write_rows::{CopyOnWriteRows, PartRow, Row, RowCursor};

/// Lines of words, with an empty word before and after each, and an empty line before the first
/// and after the last.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    words: Words64,
    lines: u32,
}

/// Rows before the first line, all empty: a whole band, so that a block of 64 lines is four bands. It is never
/// written, and shared.
const ABOVE: i32 = Words64::BAND as i32;

type Words64 = CopyOnWriteRows<u64, 1>;

/// The words of a line; cell `i` is bit `i % 64` of word `i / 64 + 1`.
pub(crate) type Line<'g> = Row<'g, u64, 1>;
pub(super) type PartLine<'g> = PartRow<'g, u64, 1>;

/// A cursor on the same line of two layers, which moves from line to line.
pub(crate) type LineCursor<'g> = RowCursor<'g, u64, 1>;

/// The words of a line, however they are stored.
pub(crate) trait Words: Index<usize, Output = u64> {
    /// A word, or an empty one beyond the line's ends.
    fn word_if_any(&self, word: usize) -> u64;
}

impl Words for [u64] {
    #[inline]
    fn word_if_any(&self, word: usize) -> u64 {
        self.get(word).copied().unwrap_or(0)
    }
}

impl Words for Line<'_> {
    #[inline]
    fn word_if_any(&self, word: usize) -> u64 {
        if word < self.len() { self[word] } else { 0 }
    }
}

impl Lines {
    /// `lines` lines of `len` cells, all empty: words of `fill`.
    pub(super) fn new(lines: u32, len: u32, fill: u64) -> Self {
        let words = len.div_ceil(64) as usize + 2;
        let mut words = Words64::new(ABOVE as usize + lines as usize + 1, words, fill);
        // Padding is stored whole, so that `are_whole` depends only on lines of the map.
        words.store_whole(0);
        words.store_whole(ABOVE as usize + lines as usize);
        Self { words, lines }
    }

    /// The same lines on a canvas of other size, so many blocks of 64 lines and 64 cells farther; the rest is empty,
    /// and so are the cells that come to lie beyond the canvas.
    pub(super) fn moved(&self, lines: u32, len: u32, by: [isize; 2]) -> Self {
        let mut moved = Self::new(lines, len, self.words.fill());
        self.words.move_to(&mut moved.words, [64 * by[0], by[1]]);
        moved
    }

    pub(super) fn count(&self) -> i32 {
        self.lines as i32
    }

    pub(super) fn are_whole(&self) -> bool {
        self.words.are_whole()
    }

    /// A line, which may be one beyond the map on either side.
    #[inline]
    pub(super) fn line(&self, line: i32) -> Line<'_> {
        self.words.row(row(line))
    }

    /// The words of a line that is stored whole.
    #[inline]
    pub(super) fn whole_line(&self, line: i32) -> &[u64] {
        self.words.whole_row(row(line))
    }

    /// A cursor on the same line of two layers, which goes by `step` lines (1 or -1). All lines must be stored whole.
    #[inline]
    pub(super) fn cursor<'g>(layers: [&'g Self; 2], line: i32, step: i32) -> LineCursor<'g> {
        RowCursor::new(layers.map(|lines| &lines.words), row(line), step)
    }

    /// The words of a line, if it is stored whole.
    #[inline]
    pub(super) fn line_if_whole(&self, line: i32) -> Option<&[u64]> {
        self.words.row_if_whole(row(line))
    }

    /// The words of a line of a band that is stored in parts.
    pub(super) fn part_line(&self, line: i32) -> PartLine<'_> {
        self.words.part_row(row(line))
    }

    /// A word of a line; the first of the map is word 1.
    #[inline]
    pub(super) fn word(&self, line: i32, word: usize) -> u64 {
        self.words.get(row(line), word)
    }

    /// A word of a line that is stored whole.
    #[inline]
    pub(super) fn word_in_whole(&self, line: i32, word: usize) -> u64 {
        self.words.get_in_whole(row(line), word)
    }

    /// Replaces a word, if it is another.
    pub(super) fn set_word(&mut self, line: i32, word: usize, value: u64) {
        if self.word(line, word) != value {
            self.words.set(row(line), word, value);
        }
    }

    /// Gives back the memory of what has become empty in a rectangle, whose x runs along the lines.
    pub(super) fn release(&mut self, CellRect { min, max }: CellRect) {
        let columns = [min.x, max.x].map(|i| (i as usize >> 6) + 1);
        self.words.release([min.y, max.y].map(row), columns);
    }
}

/// The row that holds a line.
#[inline]
fn row(line: i32) -> usize {
    (line + ABOVE) as usize
}
