//! A list of ranges of slots that is stored on the stack while it is short.

use std::ops::Range;

/// The number of ranges stored on the stack: three rows in each of four layers, as many as the lower cells of a wrapped
/// grid need, each in two parts at most, and a few more around a block.
const CAPACITY: usize = 32;

/// The largest length of a range; longer ones are split.
const LONGEST: usize = 64;

/// A range of slots.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// What a pass knows of each body of the range: how many bodies it stands for, or the radius of the widest.
    pub(crate) number: f32,
}

impl Span {
    pub(crate) const fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Ranges of slots, in the order in which they were added.
pub(crate) struct RangeList {
    len: usize,
    few: [Span; CAPACITY],
    /// All ranges, if there are more than [`CAPACITY`]; else empty.
    many: Vec<Span>,
}

impl RangeList {
    pub(crate) fn new() -> Self {
        Self { len: 0, few: [Span { start: 0, end: 0, number: 1.0 }; CAPACITY], many: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.many.clear();
    }

    /// Adds a range, unless it is empty; a range longer than [`LONGEST`] is split.
    #[inline(always)]
    pub(crate) fn push(&mut self, range: Range<usize>) {
        self.push_with(range, 1.0);
    }

    /// [`push`](Self::push) with the [number](Span::number) of the range.
    #[inline(always)]
    pub(crate) fn push_with(&mut self, range: Range<usize>, number: f32) {
        if range.is_empty() {
            return;
        }
        let mut span = Span { start: range.start as u32, end: range.end as u32, number };
        while span.len() > LONGEST {
            let start = span.start + LONGEST as u32;
            self.push_short(Span { end: start, ..span });
            span.start = start;
        }
        self.push_short(span);
    }

    #[inline(always)]
    fn push_short(&mut self, span: Span) {
        if let Some(place) = self.few.get_mut(self.len) {
            *place = span;
            self.len += 1;
        } else {
            self.push_many(span);
        }
    }

    #[cold]
    fn push_many(&mut self, span: Span) {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(span);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Span] {
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
            let span = |start: u32, end: u32| Span { start, end, number: 1.0 };
            let expected: Vec<_> = (0..count as u32).map(|at| span(10 * at, 10 * at + 3)).collect();
            assert_eq!(ranges.as_slice(), expected, "{count} ranges");
            ranges.clear();
            ranges.push(5..5 + 2 * LONGEST);
            assert_eq!(ranges.as_slice(), [span(5, 69), span(69, 133)], "a long one in two parts");
        }
    }
}
