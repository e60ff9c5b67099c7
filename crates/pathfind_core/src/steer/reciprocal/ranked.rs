//! A short list of the entries with the least distances, in order.

/// Keeps at most `N` entries, those with the least distances, least first; of entries at the same distance those
/// inserted first. Allocates nothing.
pub(super) struct Ranked<T, const N: usize> {
    entries: [(f32, T); N],
    len: usize,
}

impl<T: Copy + Default, const N: usize> Ranked<T, N> {
    /// An empty list.
    pub(super) fn new() -> Self {
        Self { entries: [(0.0, T::default()); N], len: 0 }
    }

    /// Empties the list.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Inserts an entry in order, if it is among the nearest.
    #[inline]
    pub(super) fn insert(&mut self, distance: f32, entry: T) {
        let mut place = self.len;
        if place == N {
            if self.entries[N - 1].0 <= distance {
                return;
            }
            place -= 1;
        } else {
            self.len += 1;
        }
        while place > 0 && self.entries[place - 1].0 > distance {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = (distance, entry);
    }

    /// The entries, nearest first.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries[..self.len].iter().map(|(_, entry)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_nearest_in_order_whatever_comes_first() {
        let mut list = Ranked::<u32, 3>::new();
        for order in [[5, 1, 4, 2, 3], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]] {
            list.clear();
            order.iter().for_each(|&number| list.insert(number as f32, number));
            assert_eq!(list.iter().copied().collect::<Vec<_>>(), [1, 2, 3], "inserted as {order:?}");
        }
        list.clear();
        [9, 7, 8, 6].iter().for_each(|&number| list.insert(1.0, number));
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), [9, 7, 8], "of equally far ones the first");
    }
}
