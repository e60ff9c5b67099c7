//! A list of candidates, as long as there is room.

use std::ops::Range;

/// How many there is room for.
pub(super) const CAPACITY: usize = 192;

/// Slots in their order.
pub(super) struct List {
    len: usize,
    slots: [u32; CAPACITY],
    /// Where a block's own members lie in it.
    own: Range<usize>,
}

impl List {
    pub(super) fn new() -> Self {
        Self { len: 0, slots: [0; CAPACITY], own: 0..0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.len, self.own) = (0, 0..0);
    }

    /// Adds a block's own members.
    #[inline(always)]
    pub(super) fn push_own(&mut self, slots: Range<usize>) {
        let start = if self.own.is_empty() { self.len } else { self.own.start };
        for slot in slots {
            self.push_if(slot, true);
        }
        self.own = start..self.len;
    }

    /// Adds one, or not. That is not to be foreseen, so nothing waits to know it.
    #[inline(always)]
    pub(super) fn push_if(&mut self, slot: usize, is_in: bool) {
        self.slots[self.len] = slot as u32;
        self.len += usize::from(is_in);
    }

    /// Those before a block's own members, these, and those behind; whether they are its own.
    #[inline(always)]
    pub(super) fn parts(&self) -> [(&[u32], bool); 3] {
        let slots = &self.slots[..self.len];
        let Range { start, end } = self.own;
        [(&slots[..start], false), (&slots[start..end], true), (&slots[end..], false)]
    }
}
