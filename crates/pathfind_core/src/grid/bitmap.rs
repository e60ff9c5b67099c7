//! Bitmaps of the cells that an agent may stand on, one bit for each cell, along rows or along columns.
//!
//! A line (a row or a column) is stored in words of 64 cells with an empty word before and after it,
//! and an empty line lies before the first and after the last. Empty means blocked, so a scan stops
//! at the border of the map without a bounds check.

use core::ops::Index;

use super::CellRect;
use super::copy_on_write_rows::{CopyOnWriteRows, Row, RowCursor, in_parts};

/// A bitmap whose lines are the rows (or, transposed, the columns) of a grid; 1 is walkable.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    words: Words64,
    len: u32,
}

/// Rows before the first line, all empty and shared: a whole band, so that a block of 64 lines is four bands.
const ABOVE: i32 = Words64::BAND as i32;

type Words64 = CopyOnWriteRows<u64, 1>;

/// The words of a line; cell `i` is bit `i % 64` of word `i / 64 + 1`.
pub(crate) type Line<'g> = Row<'g, u64, 1>;

/// A cursor on the same line of two bitmaps, which moves from line to line.
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

/// The row of words that holds a line.
#[inline]
fn row(line: i32) -> usize {
    (line + ABOVE) as usize
}

impl Bitmap {
    /// `lines` lines of `len` cells, all blocked.
    pub(crate) fn new(lines: u32, len: u32) -> Self {
        Self::filled(lines, len, 0)
    }

    /// `lines` lines of `len` cells, all empty: words of `fill`, and so are the empty words and lines around them.
    pub(super) fn filled(lines: u32, len: u32, fill: u64) -> Self {
        let [rows, words] = Self::size(lines, len);
        Self::padded(Words64::new(rows, words, fill), len)
    }

    /// The same bits on a canvas of other size, so many blocks of 64 lines and 64 cells farther; the rest is empty,
    /// and so are the cells that come to lie beyond the canvas.
    pub(crate) fn moved(&self, lines: u32, len: u32, by: [isize; 2]) -> Self {
        Self::padded(self.words.moved(Self::size(lines, len), [64 * by[0], by[1]]), len)
    }

    /// The numbers of rows of words and of words in a row.
    const fn size(lines: u32, len: u32) -> [usize; 2] {
        [ABOVE as usize + lines as usize + 1, len.div_ceil(64) as usize + 2]
    }

    /// Stores padding whole, so that `is_whole` depends only on lines of the map.
    fn padded(mut words: Words64, len: u32) -> Self {
        words.store_whole(0);
        words.store_whole(words.rows() - 1);
        Self { words, len }
    }

    /// Gives back the memory of what has become empty in a rectangle, whose x runs along the lines.
    pub(crate) fn release(&mut self, CellRect { min, max }: CellRect) {
        let columns = [min.x, max.x].map(|i| (i as usize >> 6) + 1);
        self.words.release([min.y, max.y].map(row), columns);
    }

    /// A square of 64×64 cells from a cell with multiples of 64 on, line by line. Cells beyond the map are blocked.
    pub(crate) fn block(&self, line: i32, i: i32) -> [u64; 64] {
        std::array::from_fn(
            |k| if line + (k as i32) < self.lines() { self.word(line + k as i32, i) } else { 0 },
        )
    }

    /// Updates this bitmap, the transpose of another, after a rectangle of cells changed in that one.
    pub(crate) fn set_transpose_of(&mut self, other: &Self, changed: CellRect) {
        for y in (changed.min.y & !63..=changed.max.y).step_by(64) {
            for x in (changed.min.x & !63..=changed.max.x).step_by(64) {
                let mut block = other.block(y, x);
                transpose(&mut block);
                for line in changed.min.x.max(x)..=changed.max.x.min(x + 63) {
                    self.set_word(line, y, block[(line & 63) as usize]);
                }
            }
        }
    }

    /// Replaces the word of a line that holds cell `i`, if it is another.
    pub(crate) fn set_word(&mut self, line: i32, i: i32, word: u64) {
        debug_assert!(i < self.len as i32, "the empty words at the ends stay empty");
        if self.word(line, i) != word {
            self.words.set(row(line), ((i + 64) >> 6) as usize, word);
        }
    }

    pub(crate) fn len(&self) -> i64 {
        i64::from(self.len)
    }

    pub(crate) fn lines(&self) -> i32 {
        self.words.rows() as i32 - ABOVE - 1
    }

    /// The words of a line, see [`Line`]; `line` may be one beyond the map on either side.
    #[inline]
    pub(crate) fn line(&self, line: i32) -> Line<'_> {
        self.words.row(row(line))
    }

    /// Whether the words of every line are stored one after the other: not in wide worlds that are mostly blocked.
    pub(crate) fn is_whole(&self) -> bool {
        self.words.are_whole()
    }

    /// The words of a line that is stored [whole](Self::is_whole).
    #[inline]
    pub(crate) fn whole_line(&self, line: i32) -> &[u64] {
        self.words.whole_row(row(line))
    }

    /// A cursor on one line of two bitmaps of one size, stored [whole](Self::is_whole); it goes by `step` lines (1 or
    /// -1).
    #[inline]
    pub(super) fn cursor<'g>(bitmaps: [&'g Self; 2], line: i32, step: i32) -> LineCursor<'g> {
        RowCursor::new(bitmaps.map(|bits| &bits.words), row(line), step)
    }

    /// Whether a cell is walkable, of a line that is stored [whole](Self::is_whole).
    #[inline]
    pub(crate) fn get_in_whole(&self, line: i32, i: i32) -> bool {
        (self.words.get_in_whole(row(line), ((i + 64) >> 6) as usize) >> (i & 63)) & 1 != 0
    }

    /// The word of a line that holds cell `i`.
    #[inline]
    pub(crate) fn word(&self, line: i32, i: i32) -> u64 {
        self.words.get(row(line), ((i + 64) >> 6) as usize)
    }

    /// Whether a cell is walkable; both coordinates may be one beyond the map on either side.
    #[inline]
    pub(crate) fn get(&self, line: i32, i: i32) -> bool {
        (self.word(line, i) >> (i & 63)) & 1 != 0
    }

    /// Whether cells `first` to `last` of a line are all walkable; true if `first > last`.
    #[inline]
    pub(crate) fn all_walkable(&self, line: i32, first: i32, last: i32) -> bool {
        if first > last {
            return true;
        }
        match self.words.row_if_whole(row(line)) {
            Some(words) => all_walkable(words, first, last),
            None => in_parts(move || all_walkable(&self.words.part_row(row(line)), first, last)),
        }
    }

    /// The first cell, from `i` on in the direction of `step` (1 or -1), that is walkable or, if `walkable` is
    /// false, blocked; `end` if there is no such cell before `end`.
    #[inline]
    pub(crate) fn next(&self, line: i32, i: i32, step: i32, walkable: bool, end: i32) -> i32 {
        match self.words.row_if_whole(row(line)) {
            Some(words) => next(words, words.len(), i, step, walkable, end),
            None => in_parts(move || {
                next(&self.words.part_row(row(line)), self.words.row_len(), i, step, walkable, end)
            }),
        }
    }

    /// Cells `i - 1`, `i` and `i + 1` of a line in the three lowest bits.
    #[inline]
    pub(crate) fn window3(&self, line: i32, i: i32) -> u32 {
        match self.words.row_if_whole(row(line)) {
            Some(words) => window3(words, i),
            None => in_parts(move || window3(&self.words.part_row(row(line)), i)),
        }
    }

    /// Which of the eight neighbours of cell `i` of a line are walkable, as an index into the tables of
    /// [`moves`](super::moves): bits 0 to 2 are the line before, 3 and 4 the cells before and after, 5 to 7 the
    /// line after.
    #[inline]
    pub(crate) fn neighbor_mask(&self, line: i32, i: i32) -> usize {
        match [line - 1, line, line + 1].map(|line| self.words.row_if_whole(row(line))) {
            [Some(above), Some(middle), Some(below)] => {
                packed([window3(above, i), window3(middle, i), window3(below, i)])
            }
            _ => in_parts(move || packed([line - 1, line, line + 1].map(|line| self.window3(line, i)))),
        }
    }

    /// The bit of the neighbour (`dx`, `dy`) in a [mask](Self::neighbor_mask).
    #[inline]
    pub(crate) const fn neighbor_bit(dx: i32, dy: i32) -> i32 {
        let place = 4 + 3 * dy + dx;
        place - (place > 4) as i32
    }
}

/// [`Bitmap::neighbor_mask`] from the windows of three lines.
#[inline]
fn packed([above, middle, below]: [u32; 3]) -> usize {
    (above | (middle & 1) << 3 | (middle & 4) << 2 | below << 5) as usize
}

/// [`Bitmap::all_walkable`] in the words of a line.
#[inline]
fn all_walkable(words: &(impl Index<usize, Output = u64> + ?Sized), first: i32, last: i32) -> bool {
    let (start, end) = ((first + 64) as usize, (last + 64) as usize);
    let (low, high) = (u64::MAX << (start & 63), u64::MAX >> (63 - (end & 63)));
    let (from, to) = (start >> 6, end >> 6);
    if from == to {
        let mask = low & high;
        return words[from] & mask == mask;
    }
    words[from] & low == low && words[to] & high == high && (from + 1..to).all(|word| words[word] == u64::MAX)
}

/// [`Bitmap::window3`] in the words of a line.
#[inline]
fn window3(words: &(impl Index<usize, Output = u64> + ?Sized), i: i32) -> u32 {
    let at = (i + 63) as usize;
    let (word, shift) = (at >> 6, at & 63);
    let pair = words[word] >> shift | (words[word + 1] << 1) << (63 - shift);
    pair as u32 & 7
}

/// [`Bitmap::next`] in the words of a line.
#[inline]
fn next(
    words: &(impl Index<usize, Output = u64> + ?Sized),
    len: usize,
    i: i32,
    step: i32,
    walkable: bool,
    end: i32,
) -> i32 {
    let flip = if walkable { 0 } else { u64::MAX };
    let at = (i + 64) as usize;
    let (mut word, bit) = (at >> 6, at & 63);
    if step > 0 {
        let mut found = (words[word] ^ flip) & u64::MAX << bit;
        while found == 0 {
            word += 1;
            // A search for a blocked cell ends in the empty last word; one for a walkable cell may not.
            if word == len || (word as i32 - 1) * 64 >= end {
                return end;
            }
            found = words[word] ^ flip;
        }
        ((word as i32 - 1) * 64 + found.trailing_zeros() as i32).min(end)
    } else {
        let mut found = (words[word] ^ flip) & u64::MAX >> (63 - bit);
        while found == 0 {
            if word == 0 || (word as i32 - 1) * 64 <= end {
                return end;
            }
            word -= 1;
            found = words[word] ^ flip;
        }
        ((word as i32 - 1) * 64 + 63 - found.leading_zeros() as i32).max(end)
    }
}

/// The positions of the one bits of a word, lowest first.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        lowest
    })
}

/// Transposes a 64×64 bit matrix: swaps halves, then quarters, and so on (H. S. Warren,
/// *Hacker's Delight*, section 7-3).
fn transpose(block: &mut [u64; 64]) {
    let mut half = 32;
    let mut mask = u64::MAX >> 32;
    while half != 0 {
        let mut line = 0;
        while line < 64 {
            let swap = (block[line] >> half ^ block[line + half]) & mask;
            block[line] ^= swap << half;
            block[line + half] ^= swap;
            line = (line + half + 1) & !half;
        }
        half >>= 1;
        mask ^= mask << half;
    }
}
