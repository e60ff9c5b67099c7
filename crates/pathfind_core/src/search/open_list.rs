//! The two open lists, buckets and a binary heap. Both pop the least key first, and of equal keys the newest entry.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::nodes::Node;
use crate::grid::ones;
use crate::simd::prefetch;

pub(crate) trait OpenList {
    fn push(&mut self, key: u64, node: Node);
    /// Removes the node of least key, of equal keys the one pushed last.
    fn pop(&mut self) -> Option<(u64, Node)>;
}

/// An entry of [`Buckets`], which holds the index of the entry below it: the next older one of its bucket.
pub(crate) trait Linked: Copy {
    fn below(&self) -> u32;
    fn link(&mut self, below: u32);
}

#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LinkedNode {
    below: u32,
    node: Node,
}

impl Linked for LinkedNode {
    #[inline]
    fn below(&self) -> u32 {
        self.below
    }

    #[inline]
    fn link(&mut self, below: u32) {
        self.below = below;
    }
}

/// A bucket queue (Dial, 1969): one bucket for every key, and both operations in constant time. For keys that are
/// never less than the last one popped.
///
/// A bucket is a stack, a linked list in a pool of entries; two levels of bitmaps find the next bucket that is not
/// empty. Buckets hold the keys from the last one popped up to a fixed window above it; the few keys beyond are in
/// a heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<E = LinkedNode> {
    now: u64,
    /// The number of buckets, a power of two, less 1: `key & mask` is the key's bucket.
    mask: u64,
    /// The index of each bucket's newest entry, or `NONE`.
    heads: Vec<u32>,
    /// The pool of entries, those of each bucket linked with each other, and those that are free.
    entries: Vec<E>,
    /// The head of the list of free entries, or `NONE`.
    free: u32,
    /// One bit for each bucket: whether it has entries.
    filled: Vec<u64>,
    /// One bit for each word of `filled`: whether it has ones.
    filled_words: Vec<u64>,
    /// The indices of the entries whose keys were beyond the window when they were pushed.
    far: Heap,
}

impl<E: Linked> Buckets<E> {
    const NONE: u32 = u32::MAX;
    /// The most buckets: 1 MiB of heads.
    const MAX_WINDOW: u64 = 1 << 18;

    /// Empties the list, for keys from `first` up, most of them less than `window` above the last one popped.
    pub(crate) fn begin(&mut self, first: u64, window: u64) {
        self.far.begin();
        for (top, words) in self.filled_words.iter_mut().enumerate() {
            for word in ones(std::mem::take(words)).map(|bit| top * 64 + bit) {
                for bucket in ones(std::mem::take(&mut self.filled[word])).map(|bit| word * 64 + bit) {
                    self.heads[bucket] = Self::NONE;
                }
            }
        }
        self.entries.clear();
        self.free = Self::NONE;
        self.now = first;
        let size = window.min(Self::MAX_WINDOW).next_power_of_two().max(4096) as usize;
        if self.heads.len() < size {
            self.heads.resize(size, Self::NONE);
            self.filled.resize(size / 64, 0);
            self.filled_words.resize(size / 4096, 0);
        }
        self.mask = self.heads.len() as u64 - 1;
    }

    /// The entry that is taken next if it has the last key and none is added. Prefetches the one after it.
    #[inline]
    pub(crate) fn upcoming(&self) -> Option<&E> {
        let next = self.entries.get(self.heads[(self.now & self.mask) as usize] as usize)?;
        prefetch(&self.entries, next.below() as usize);
        Some(next)
    }

    /// The most entries that were on the list at once.
    pub(crate) fn most_entries(&self) -> usize {
        self.entries.len()
    }

    /// The last key popped, or the first one that the list was emptied for.
    pub(crate) fn last_key(&self) -> u64 {
        self.now
    }

    /// The first filled bucket at or after that of `now`, wrapping round at the end.
    #[inline]
    fn next_filled(&self) -> Option<usize> {
        if self.filled.is_empty() {
            return None;
        }
        let bucket = (self.now & self.mask) as usize;
        let (word, bit) = (bucket / 64, bucket % 64);
        let here = self.filled[word] >> bit;
        if here != 0 {
            return Some(bucket + here.trailing_zeros() as usize);
        }
        let (top, bit) = (word / 64, word % 64);
        let beyond = self.filled_words[top] & !(u64::MAX >> (63 - bit));
        let word =
            if beyond != 0 { top * 64 + beyond.trailing_zeros() as usize } else { self.word_after(top)? };
        Some(word * 64 + self.filled[word].trailing_zeros() as usize)
    }

    /// The first word of `filled` that is not 0, by the words of `filled_words` after `top`, wrapping round to `top`.
    #[inline]
    fn word_after(&self, top: usize) -> Option<usize> {
        // Their number is a power of two.
        let tops = self.filled_words.len();
        let mut after = (1..=tops).map(|i| (top + i) & (tops - 1));
        let top = after.find(|&top| self.filled_words[top] != 0)?;
        Some(top * 64 + self.filled_words[top].trailing_zeros() as usize)
    }

    #[cold]
    #[inline(never)]
    fn add_far(&mut self, key: u64, entry: E) {
        let at = self.place(entry);
        self.far.push(key, Node::from_bits(at));
    }

    /// Takes an entry from the heap of far keys: no bucket holds a lower key.
    #[cold]
    fn take_far(&mut self) -> Option<(u64, u32)> {
        let (key, at) = self.far.pop()?;
        self.now = key;
        Some((key, at.bits()))
    }

    /// Puts an entry into the pool, and returns its index.
    #[inline]
    fn place(&mut self, entry: E) -> u32 {
        if self.free == Self::NONE {
            self.entries.push(entry);
            return self.entries.len() as u32 - 1;
        }
        let at = self.free;
        self.free = self.entries[at as usize].below();
        self.entries[at as usize] = entry;
        at
    }

    #[inline]
    pub(crate) fn entry(&self, at: u32) -> &E {
        &self.entries[at as usize]
    }

    /// Frees the place of an entry that was taken.
    #[inline]
    pub(crate) fn release(&mut self, at: u32) {
        self.entries[at as usize].link(self.free);
        self.free = at;
    }

    #[inline]
    fn unfill(&mut self, bucket: usize) {
        let word = &mut self.filled[bucket / 64];
        *word &= !(1 << (bucket % 64));
        if *word == 0 {
            self.filled_words[bucket / 4096] &= !(1 << (bucket / 64 % 64));
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, key: u64, mut entry: E) {
        // Rounding can put a Euclidean key slightly below the last one popped: it is raised to that one.
        let key = key.max(self.now);
        if key - self.now > self.mask {
            self.add_far(key, entry);
            return;
        }
        let bucket = (key & self.mask) as usize;
        entry.link(self.heads[bucket]);
        self.heads[bucket] = self.place(entry);
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        self.filled_words[bucket / 4096] |= 1 << (bucket / 64 % 64);
    }

    /// Takes the entry of least key off the list, of equal keys the one added last. Returns its index in the pool,
    /// where it stays until it is released.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(u64, u32)> {
        let Some(bucket) = self.next_filled() else { return self.take_far() };
        let key = self.now + ((bucket as u64).wrapping_sub(self.now) & self.mask);
        // Of equal keys the entries in the heap are the older, so the bucket goes first.
        if self.far.least().is_some_and(|far| far < key) {
            return self.take_far();
        }
        self.now = key;
        let at = self.heads[bucket];
        let below = self.entry(at).below();
        self.heads[bucket] = below;
        if below == Self::NONE {
            self.unfill(bucket);
        }
        Some((key, at))
    }
}

impl OpenList for Buckets {
    #[inline]
    fn push(&mut self, key: u64, node: Node) {
        self.add(key, LinkedNode { below: Self::NONE, node });
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Node)> {
        let (key, at) = self.take()?;
        let node = self.entry(at).node;
        self.release(at);
        Some((key, node))
    }
}

/// A binary heap, for keys in any order.
///
/// An entry is one integer, whose order is that of the list: the key in the upper 64 bits, then the inverted count
/// of pushes, so that the newest of equal keys comes first, then the node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    entries: BinaryHeap<Reverse<u128>>,
    /// The least entry if it is not in `entries`: what was just pushed is often popped next.
    first: Option<u128>,
    pushed: u32,
}

impl Heap {
    pub(crate) fn begin(&mut self) {
        self.entries.clear();
        self.first = None;
        self.pushed = 0;
    }

    fn least_entry(&self) -> Option<u128> {
        self.first.or_else(|| self.entries.peek().map(|&Reverse(entry)| entry))
    }

    fn least(&self) -> Option<u64> {
        self.least_entry().map(|entry| (entry >> 64) as u64)
    }
}

impl OpenList for Heap {
    #[inline]
    fn push(&mut self, key: u64, node: Node) {
        // A count that wraps after 2³² pushes changes only the order of equal keys.
        self.pushed = self.pushed.wrapping_add(1);
        let low = u64::from(!self.pushed) << 32 | u64::from(node.bits());
        let entry = u128::from(key) << 64 | u128::from(low);
        if self.least_entry().is_some_and(|least| entry > least) {
            self.entries.push(Reverse(entry));
        } else if let Some(second) = self.first.replace(entry) {
            self.entries.push(Reverse(second));
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Node)> {
        let entry = match self.first.take() {
            Some(first) => first,
            None => self.entries.pop()?.0,
        };
        Some(((entry >> 64) as u64, Node::from_bits(entry as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    /// Pushes and pops at random, and compares with a sorted list: the least key comes first, and of equal keys the
    /// newest. `now` is the least key to push. `foreseen` are the key and the node that the list says come next.
    fn play<L: OpenList>(
        list: &mut L,
        (mut now, keys, is_monotone): (u64, u32, bool),
        foreseen: impl Fn(&L) -> (Option<u64>, Option<Node>),
    ) {
        let (mut sorted, mut rng) = (Vec::new(), CounterRng::new(12345, 0, 0));
        for round in 0..5000u32 {
            if rng.below(16) < 9 {
                let key = now + u64::from(rng.below(keys));
                list.push(key, Node::from_bits(round));
                let at = sorted.partition_point(|&(other, _)| other >= key);
                sorted.insert(at, (key, Node::from_bits(round)));
            } else {
                let (key, node) = foreseen(list);
                let next = sorted.pop();
                assert!(key.is_none() || key == next.map(|(key, _)| key), "its key was foreseen");
                assert!(node.is_none() || node == next.map(|(_, node)| node), "it was foreseen");
                assert_eq!(list.pop(), next);
                now = next.map_or(now, |(key, _)| if is_monotone { key } else { now });
            }
        }
    }

    #[test]
    fn lists_pop_the_least_key_and_of_equal_keys_the_newest() {
        let (mut buckets, mut heap) = (Buckets::default(), Heap::default());
        for keys in [3, 5, 40, 4096, 20_000, 1 << 20] {
            buckets.begin(77, u64::from(keys).min(20_000));
            play(&mut buckets, (77, keys, true), |it| (None, it.upcoming().map(|entry| entry.node)));
            heap.begin();
            play(&mut heap, (0, keys, false), |it| (it.least(), None));
        }
    }
}
