//! A list of candidate slots of fixed capacity.

use std::ops::Range;

/// Capacity of the list, in slots.
pub(super) const CAPACITY: usize = 192;

/// Slots in the order found, and which of them are the block's own members.
pub(super) struct List {
    len: usize,
    slots: [u32; CAPACITY],
    /// Where the block's own members lie in `slots`.
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

    /// Adds `slot` if `is_in`. Branchless: the condition is unpredictable.
    #[inline(always)]
    pub(super) fn push_if(&mut self, slot: usize, is_in: bool) {
        self.slots[self.len] = slot as u32;
        self.len += usize::from(is_in);
    }

    /// The slots before the block's own members, these members, and the slots behind them; the flag is true for
    /// the members.
    #[inline(always)]
    pub(super) fn parts(&self) -> [(&[u32], bool); 3] {
        let slots = &self.slots[..self.len];
        let Range { start, end } = self.own;
        [(&slots[..start], false), (&slots[start..end], true), (&slots[end..], false)]
    }
}
