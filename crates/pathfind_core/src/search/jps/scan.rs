//! What straight runs read in the bitmaps: bits, and the next stop where corners are cut.

use super::Rule;
use crate::grid::{Bitmap, Words};

/// Scans along a line, from the cell next to `i`, for the first cell that is blocked, a border or a jump point, under a
/// rule that allows corners to be cut. Returns the cell's place on the line, and whether the cell is a jump point.
#[inline]
pub(super) fn scan<R: Rule, const UP: bool>(
    bits: &Bitmap,
    borders: Option<&Bitmap>,
    line: i32,
    i: i32,
) -> (i32, bool) {
    if R::WHOLE {
        let lines = [line - 1, line, line + 1].map(|line| bits.whole_line(line));
        return scan_words::<R, [u64], UP>(lines, borders.map(|borders| borders.whole_line(line)), i);
    }
    let lines = [line - 1, line, line + 1].map(|line| bits.line(line));
    let borders = borders.map(|borders| borders.line(line));
    scan_words::<R, _, UP>(lines.each_ref(), borders.as_ref(), i)
}

/// Whether a cell of a line is walkable.
#[inline]
pub(super) fn is_set<R: Rule>(bits: &Bitmap, line: i32, i: i32) -> bool {
    if R::WHOLE { bits.get_in_whole(line, i) } else { bits.get(line, i) }
}

/// Whether a cell is walkable, in the words of its line.
#[inline]
pub(super) fn bit(words: &[u64], i: i32) -> bool {
    words[((i + 64) >> 6) as usize] >> (i & 63) & 1 != 0
}

/// [`scan`] in the words of a line and of those before and after it.
#[inline]
pub(super) fn scan_words<R: Rule, W: Words + ?Sized, const UP: bool>(
    [before, middle, after]: [&W; 3],
    borders: Option<&W>,
    i: i32,
) -> (i32, bool) {
    let at = (i + 64 + if UP { 1 } else { -1 }) as usize;
    let mut word = at >> 6;
    let mut mask = if UP { u64::MAX << (at & 63) } else { u64::MAX >> (63 - (at & 63)) };
    loop {
        // Lines have a word of blocked cells at both ends; beyond these words, 0 means blocked too.
        let ahead = |side: &W| {
            if UP {
                side[word] >> 1 | side.word_if_any(word + 1) << 63
            } else {
                side[word] << 1 | side.word_if_any(word.wrapping_sub(1)) >> 63
            }
        };
        // A cell beside the line is blocked, and the next one ahead is free: a wall ends.
        let turns = (!before[word] & ahead(before)) | (!after[word] & ahead(after));
        let needed = if R::NEEDS_ONE { ahead(middle) } else { u64::MAX };
        let border = borders.map_or(0, |borders| borders[word]);
        let stops = (turns & needed | !middle[word] | border) & mask;
        if stops != 0 {
            let bit = if UP { stops.trailing_zeros() } else { 63 - stops.leading_zeros() };
            let stop = (word as i32 - 1) * 64 + bit as i32;
            return (stop, middle[word] >> bit & 1 != 0);
        }
        mask = u64::MAX;
        word = if UP { word + 1 } else { word - 1 };
    }
}
