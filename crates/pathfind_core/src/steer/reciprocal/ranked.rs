//! A short list of the entries with the least keys, in order.

/// Keeps at most `N` entries, those with the least keys, least first. Allocates nothing.
pub(super) struct Ranked<T, const N: usize> {
    entries: [(Key, T); N],
    len: usize,
    limit: usize,
}

/// A sorting key: a distance (not negative), then an id to settle ties, packed into one integer for fast
/// comparison. Of the id it keeps 32 bits, which tell apart ids below 2³² and the bits of entities.
#[derive(Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

impl Key {
    #[inline]
    pub(super) fn new(distance: f32, name: u64) -> Self {
        // Bit patterns of floats from 0 up sort as the floats do.
        let name = (name ^ (name >> 32)) & u64::from(u32::MAX);
        Self((u64::from(distance.max(0.0).to_bits()) << 32) | name)
    }
}

impl<T: Copy + Default, const N: usize> Ranked<T, N> {
    /// An empty list that keeps at most `limit` entries.
    pub(super) fn new(limit: usize) -> Self {
        Self { entries: [(Key::default(), T::default()); N], len: 0, limit: limit.min(N) }
    }

    /// Empties the list.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Inserts an entry in order, if it is among the least.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, entry: T) {
        let mut place = self.len;
        if place == self.limit {
            if place == 0 || self.entries[place - 1].0 <= key {
                return;
            }
            place -= 1;
        } else {
            self.len += 1;
        }
        while place > 0 && self.entries[place - 1].0 > key {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = (key, entry);
    }

    /// The entries, least key first.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries[..self.len].iter().map(|(_, entry)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_least_in_order_whatever_comes_first() {
        let mut list = Ranked::<u32, 4>::new(3);
        for order in [[5, 1, 4, 2, 3], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]] {
            list.clear();
            order.iter().for_each(|&number| list.insert(Key::new(number as f32, 0), number));
            assert_eq!(list.iter().copied().collect::<Vec<_>>(), [1, 2, 3], "inserted as {order:?}");
        }
        list.clear();
        [9, 7, 8].iter().for_each(|&name| list.insert(Key::new(1.0, name), name as u32));
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), [7, 8, 9], "names settle ties");
    }

    #[test]
    fn a_list_of_none_stays_empty() {
        let mut list = Ranked::<u32, 4>::new(0);
        list.insert(Key::new(1.0, 1), 1);
        assert_eq!(list.iter().count(), 0);
    }
}
