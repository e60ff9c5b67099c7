//! Rows of plain values in bands of 16 rows, which clones share until one of them writes.
//!
//! A search on another thread holds a clone of the whole grid. If all rows were one allocation, the first edit after
//! cloning would copy the map; with bands it copies 16 rows of one layer. Smaller bands would copy less, but
//! every band has a reference count, and cloning a grid updates all of them.

use std::sync::Arc;

/// Rows in a band; the last band may have fewer.
const BAND: usize = 16;

/// `rows` rows of `row_len` values each, copied on write band by band.
#[derive(Clone, Debug)]
pub(crate) struct CopyOnWriteRows<T> {
    rows: usize,
    row_len: usize,
    bands: Vec<Arc<[T]>>,
}

impl<T: Copy> CopyOnWriteRows<T> {
    pub(crate) fn new(rows: usize, row_len: usize, fill: T) -> Self {
        let bands = (0..rows.div_ceil(BAND))
            .map(|band| {
                let rows_here = BAND.min(rows - band * BAND);
                std::iter::repeat_n(fill, rows_here * row_len).collect()
            })
            .collect();
        Self { rows, row_len, bands }
    }

    pub(crate) fn row_len(&self) -> usize {
        self.row_len
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        let start = (row % BAND) * self.row_len;
        &self.bands[row / BAND][start..start + self.row_len]
    }

    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> T {
        debug_assert!(column < self.row_len, "a column beyond the row's end would read the next row");
        self.bands[row / BAND][(row % BAND) * self.row_len + column]
    }

    /// A row for writing; copies the band of the row if another clone shares the band.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        let start = (row % BAND) * self.row_len;
        &mut Arc::make_mut(&mut self.bands[row / BAND])[start..start + self.row_len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_copies_one_band_and_leaves_the_other_copy_alone() {
        let mut a = CopyOnWriteRows::new(34, 3, 0u8);
        let b = a.clone();
        a.row_mut(18)[1] = 9;
        assert_eq!((a.get(18, 1), b.get(18, 1)), (9, 0));
        assert_eq!(a.row(33).len(), 3, "the last, short band holds its rows");
        assert!(Arc::ptr_eq(&a.bands[0], &b.bands[0]), "an untouched band stays shared");
        assert!(!Arc::ptr_eq(&a.bands[1], &b.bands[1]));
    }
}
