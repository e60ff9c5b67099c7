//! Cursors that go through two layers of the same size, row by row.

use super::{BAND, CopyOnWriteRows};

/// A cursor on the same row of two layers of the same size, which moves from row to row: cheaper than looking up each
/// row by its index. Both layers must store all bands whole ([`CopyOnWriteRows::are_whole`]), not in parts.
#[derive(Clone, Debug)]
pub(crate) struct RowCursor<'r, T, const PIECE: usize> {
    layers: [&'r CopyOnWriteRows<T, PIECE>; 2],
    /// The row's band (16 rows) in each layer, in which the row begins at `start`.
    bands: [&'r [T]; 2],
    start: usize,
    row: usize,
    /// 1 or -1.
    step: isize,
    /// The length of a row, with the sign of `step`.
    stride: isize,
}

impl<'r, T: Copy, const PIECE: usize> RowCursor<'r, T, PIECE> {
    /// A cursor on a row, which [`advance`](Self::advance) moves by `step` rows (1 or -1).
    #[inline]
    pub(crate) fn new(layers: [&'r CopyOnWriteRows<T, PIECE>; 2], row: usize, step: i32) -> Self {
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
