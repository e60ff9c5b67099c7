//! Rows of a band, as they are read.

use std::ops::Index;

use super::BAND;

#[derive(Copy, Clone, Debug)]
pub(crate) enum Row<'g, T, const PIECE: usize> {
    Whole(&'g [T]),
    Parts(PartRow<'g, T, PIECE>),
}

/// A row of a band that is stored in parts.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PartRow<'g, T, const PIECE: usize> {
    index: &'g [u16],
    /// The pieces, from this row of the first one on.
    values: &'g [T],
}

impl<'g, T, const PIECE: usize> PartRow<'g, T, PIECE> {
    /// A row of a band, by the places of its pieces and the stored ones.
    pub(super) fn new(index: &'g [u16], values: &'g [T], row: usize) -> Self {
        Self { index, values: &values[row * PIECE..] }
    }
}

impl<'g, T: Copy, const PIECE: usize> Row<'g, T, PIECE> {
    /// The number of values; of a row in parts, with the padding of its last piece.
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Parts(parts) => parts.index.len() * PIECE,
        }
    }

    /// A piece of the row; the last one may be longer than the row.
    #[inline]
    pub(crate) fn piece(self, piece: usize) -> &'g [T] {
        match self {
            Self::Whole(values) => &values[piece * PIECE..values.len().min((piece + 1) * PIECE)],
            Self::Parts(parts) => {
                let start = usize::from(parts.index[piece]) * BAND * PIECE;
                &parts.values[start..start + PIECE]
            }
        }
    }

    /// The values of the row, copied to a buffer if they do not lie next to one another.
    pub(crate) fn values<'b>(self, buffer: &'b mut Vec<T>) -> &'b [T]
    where
        'g: 'b,
    {
        match self {
            Self::Whole(values) => values,
            Self::Parts(parts) => {
                buffer.clear();
                (0..parts.index.len()).for_each(|piece| buffer.extend_from_slice(self.piece(piece)));
                buffer
            }
        }
    }
}

impl<T, const PIECE: usize> Index<usize> for Row<'_, T, PIECE> {
    type Output = T;

    #[inline]
    fn index(&self, column: usize) -> &T {
        match self {
            Self::Whole(values) => &values[column],
            Self::Parts(parts) => &parts[column],
        }
    }
}

impl<T, const PIECE: usize> Index<usize> for PartRow<'_, T, PIECE> {
    type Output = T;

    #[inline]
    fn index(&self, column: usize) -> &T {
        &self.values[usize::from(self.index[column / PIECE]) * BAND * PIECE + column % PIECE]
    }
}
