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
        // Bands share one allocation until they are written.
        let full: Arc<[T]> = std::iter::repeat_n(fill, BAND.min(rows) * row_len).collect();
        let bands = (0..rows.div_ceil(BAND))
            .map(|band| match BAND.min(rows - band * BAND) {
                rows_here if rows_here * row_len == full.len() => full.clone(),
                rows_here => std::iter::repeat_n(fill, rows_here * row_len).collect(),
            })
            .collect();
        Self { rows, row_len, bands }
    }

    /// The same values on another canvas: `rows` rows of `row_len` values, on which each value lies so many rows and
    /// columns farther. What comes from beyond this canvas is `fill`. The outermost `margin` rows and columns of both are
    /// padding, and not moved.
    pub(crate) fn moved(&self, [rows, row_len]: [usize; 2], fill: T, margin: usize, by: [isize; 2]) -> Self {
        // Along one axis: the first value that stays, where it comes to lie, and the number of those that stay.
        let span = |old: usize, new: usize, by: isize| {
            let from = margin.max(margin.saturating_add_signed(-by));
            let to = from.saturating_add_signed(by);
            (from, to, (old - margin).saturating_sub(from).min((new - margin).saturating_sub(to)))
        };
        let mut moved = Self::new(rows, row_len, fill);
        let (row_from, row_to, rows) = span(self.rows, rows, by[0]);
        let (from, to, len) = span(self.row_len, row_len, by[1]);
        for row in (0..rows).filter(|_| len > 0) {
            moved.row_mut(row_to + row)[to..to + len]
                .copy_from_slice(&self.row(row_from + row)[from..from + len]);
        }
        moved
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

/// The same row of two layers of the same size, and the way to the rows after it or before it: cheaper than to look up each
/// by its index.
#[derive(Clone, Debug)]
pub(crate) struct RowCursor<'r, T> {
    layers: [&'r CopyOnWriteRows<T>; 2],
    /// The row's band in both, in which the row begins at `start`.
    bands: [&'r [T]; 2],
    start: usize,
    row: usize,
    /// 1 or -1.
    step: isize,
    /// The length of a row, with the sign of `step`.
    stride: isize,
}

impl<'r, T: Copy> RowCursor<'r, T> {
    /// A cursor on a row, which [`advance`](Self::advance) moves by `step` rows (1 or -1).
    #[inline]
    pub(crate) fn new(layers: [&'r CopyOnWriteRows<T>; 2], row: usize, step: i32) -> Self {
        let step = step as isize;
        let [a, b] = layers.map(|layer| &*layer.bands[row / BAND]);
        // One length for both, so that one comparison tells whether an index is in range of both.
        let len = a.len().min(b.len());
        let row_len = layers[0].row_len;
        Self {
            layers,
            bands: [&a[..len], &b[..len]],
            start: (row % BAND) * row_len,
            row,
            step,
            stride: step * row_len as isize,
        }
    }

    /// The values of a column in both layers.
    #[inline]
    pub(crate) fn get<const LAYER: usize>(&self, column: usize) -> T {
        debug_assert!(
            column < self.stride.unsigned_abs(),
            "a column beyond the row's end would read the next row"
        );
        self.bands[LAYER][self.start + column]
    }

    /// Goes to the next row, or to the one before; there must be one.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.row = self.row.wrapping_add_signed(self.step);
        self.start = self.start.wrapping_add_signed(self.stride);
        if self.start >= self.bands[0].len() {
            *self = Self::new(self.layers, self.row, self.step as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_another_canvas_values_lie_elsewhere_and_padding_stays() {
        let mut rows = CopyOnWriteRows::new(4, 5, 0u8);
        for (row, column) in (1..3).flat_map(|row| (1..4).map(move |column| (row, column))) {
            rows.row_mut(row)[column] = (10 * row + column) as u8;
        }
        let read = |rows: &CopyOnWriteRows<u8>| {
            (0..rows.rows()).map(|row| rows.row(row).to_vec()).collect::<Vec<_>>()
        };
        let larger = rows.moved([5, 6], 7, 1, [1, 1]);
        let want = [[7; 6], [7; 6], [7, 7, 11, 12, 13, 7], [7, 7, 21, 22, 23, 7], [7; 6]];
        assert_eq!(read(&larger), want);
        assert_eq!(read(&rows.moved([4, 5], 7, 1, [-1, -2])), [[7; 5], [7, 23, 7, 7, 7], [7; 5], [7; 5]]);
        assert_eq!(read(&rows.moved([4, 5], 7, 1, [9, 0])), [[7; 5]; 4], "all of it is beyond the canvas");
    }

    #[test]
    fn cursors_cross_bands_both_ways() {
        let [mut a, mut b] = [0u8, 0].map(|fill| CopyOnWriteRows::new(40, 3, fill));
        for row in 0..40 {
            a.row_mut(row)[2] = row as u8;
            b.row_mut(row)[1] = 100 + row as u8;
        }
        let seen = |from, step| -> Vec<[u8; 2]> {
            let mut cursor = RowCursor::new([&a, &b], from, step);
            let mut seen = vec![[cursor.get::<0>(2), cursor.get::<1>(1)]];
            for _ in 1..40 {
                cursor.advance();
                seen.push([cursor.get::<0>(2), cursor.get::<1>(1)]);
            }
            seen
        };
        assert_eq!(seen(0, 1), (0..40).map(|row| [row, 100 + row]).collect::<Vec<_>>());
        assert_eq!(seen(39, -1), (0..40).rev().map(|row| [row, 100 + row]).collect::<Vec<_>>());
    }

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
