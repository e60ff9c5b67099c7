//! A list of ranges of slots that is stored on the stack while it is short.

use std::ops::Range;

/// The number of ranges stored on the stack: three rows in each of three layers, each in two parts at most, and a few
/// more around a block.
const CAPACITY: usize = 22;

/// The largest length of a range; longer ones are split.
const LONGEST: usize = 64;

/// Ranges of slots, in the order in which they were added.
pub(crate) struct RangeList {
    len: usize,
    few: [Range<u32>; CAPACITY],
    /// All ranges, if there are more than [`CAPACITY`]; else empty.
    many: Vec<Range<u32>>,
}

impl RangeList {
    pub(crate) fn new() -> Self {
        Self { len: 0, few: [const { 0..0 }; CAPACITY], many: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.many.clear();
    }

    /// Adds a range, unless it is empty; a range longer than [`LONGEST`] is split.
    #[inline(always)]
    pub(crate) fn push(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let mut range = range.start as u32..range.end as u32;
        while range.len() > LONGEST {
            let start = range.start + LONGEST as u32;
            self.push_short(range.start..start);
            range.start = start;
        }
        self.push_short(range);
    }

    #[inline(always)]
    fn push_short(&mut self, range: Range<u32>) {
        if let Some(place) = self.few.get_mut(self.len) {
            *place = range;
            self.len += 1;
        } else {
            self.push_many(range);
        }
    }

    #[cold]
    fn push_many(&mut self, range: Range<u32>) {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(range);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Range<u32>] {
        if self.many.is_empty() { &self.few[..self.len] } else { &self.many }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_kept_in_order() {
        let mut ranges = RangeList::new();
        for count in [0, 1, CAPACITY, CAPACITY + 1, 5, 3 * CAPACITY] {
            ranges.clear();
            (0..count).for_each(|at| ranges.push(10 * at..10 * at + 3));
            ranges.push(7..7);
            let expected: Vec<_> = (0..count as u32).map(|at| 10 * at..10 * at + 3).collect();
            assert_eq!(ranges.as_slice(), expected, "{count} ranges");
            ranges.clear();
            ranges.push(5..5 + 2 * LONGEST);
            assert_eq!(ranges.as_slice(), [5..69, 69..133], "a long one in two parts");
        }
    }
}
