//! Rows of plain values in bands of 16 rows. Clones share a band until one of them writes to it, and long stretches
//! without data take no memory.
//!
//! A search on another thread holds a clone of the whole grid. If all rows were one allocation, the first edit after
//! cloning would copy the map; with bands it copies 16 rows of one layer. Smaller bands would copy less, but
//! every band has a reference count, and cloning a grid updates all of them.
//!
//! A piece of a band is as many columns as hold 64 cells. It is void if all its values are the fill value, as where
//! no chunk of a world is loaded. Most bands store all their values, row by row: they are whole. A band that is long
//! and mostly void is stored in parts: only the pieces that are not void.

mod cursor;
mod row;

use std::sync::Arc;

pub(crate) use cursor::RowCursor;
pub(crate) use row::{PartRow, Row};

/// Rows in a band; the last band may have fewer.
const BAND: usize = 16;
/// Bands with fewer pieces are always whole: to read a value of a band in parts takes one more look-up.
const MIN_PIECES: usize = 32;

/// `rows` rows of `row_len` values each, copied on write band by band. A piece has `PIECE` columns.
#[derive(Clone, Debug)]
pub(crate) struct CopyOnWriteRows<T, const PIECE: usize> {
    rows: usize,
    row_len: usize,
    fill: T,
    /// The values of each band, row by row; empty for a band in parts, which the bounds check so finds out.
    bands: Vec<Arc<[T]>>,
    /// The pieces of each band in parts; `None` for a whole band.
    parts: Vec<Option<Arc<Parts<T>>>>,
    /// The number of bands in parts: every search asks whether there are any.
    in_parts: usize,
    /// A band in parts all of whose pieces are void, shared by all such bands; `None` if bands are always whole.
    void: Option<Arc<Parts<T>>>,
}

/// The stored pieces of a band in parts.
#[derive(Clone, Debug)]
struct Parts<T> {
    /// For each piece of the band, its place in `values`, in pieces; 0 for a void one.
    index: Box<[u16]>,
    /// The stored pieces, each row by row. The first holds only the fill value, for all void pieces.
    values: Vec<T>,
}

impl<T: Copy + PartialEq, const PIECE: usize> CopyOnWriteRows<T, PIECE> {
    pub(crate) const BAND: usize = BAND;

    pub(crate) fn new(rows: usize, row_len: usize, fill: T) -> Self {
        let (pieces, count) = (row_len.div_ceil(PIECE), rows.div_ceil(BAND));
        // Bands share one allocation until they are written.
        if pieces >= MIN_PIECES {
            let void = Parts { index: vec![0; pieces].into(), values: vec![fill; BAND * PIECE] };
            let void = Some(Arc::new(void));
            let (bands, parts) = (vec![Arc::from([]); count], vec![void.clone(); count]);
            return Self { rows, row_len, fill, bands, parts, in_parts: count, void };
        }
        let full: Arc<[T]> = std::iter::repeat_n(fill, BAND.min(rows) * row_len).collect();
        let bands = (0..count)
            .map(|band| match BAND.min(rows - band * BAND) * row_len {
                len if len == full.len() => full.clone(),
                len => full[..len].into(),
            })
            .collect();
        Self { rows, row_len, fill, bands, parts: vec![None; count], in_parts: 0, void: None }
    }

    /// The same values on a canvas of `rows` rows of `row_len` values, shifted by `by`: a number of rows, which is a
    /// multiple of [`BAND`](Self::BAND), and a number of pieces. Values from beyond the old canvas are the fill value.
    pub(crate) fn moved(&self, [rows, row_len]: [usize; 2], by: [isize; 2]) -> Self {
        let mut moved = Self::new(rows, row_len, self.fill);
        for from in 0..self.bands.len() {
            let to = from.checked_add_signed(by[0] / BAND as isize).filter(|&to| to < moved.bands.len());
            let Some(to) = to else { continue };
            if by[1] == 0 && moved.row_len == self.row_len && self.rows_of(from) == moved.rows_of(to) {
                moved.bands[to] = self.bands[from].clone();
                moved.set_parts(to, self.parts[from].clone());
                continue;
            }
            let both = self.rows_of(from).min(moved.rows_of(to));
            let both = (from * BAND..from * BAND + both).zip(to * BAND..);
            let pieces: Vec<usize> = (0..self.pieces()).filter(|&piece| !self.is_void(from, piece)).collect();
            if self.parts[from].is_none() && moved.becomes_whole(pieces.len()) {
                let [first, place] = [-by[1], by[1]].map(|by| by.max(0) as usize * PIECE);
                let len = self.row_len.saturating_sub(first).min(moved.row_len.saturating_sub(place));
                for (row, to) in both.filter(|_| len > 0) {
                    moved.row_mut(to)[place..place + len]
                        .copy_from_slice(&self.whole_row(row)[first..first + len]);
                }
                continue;
            }
            for piece in pieces {
                let place = piece.checked_add_signed(by[1]).filter(|&place| place < moved.pieces());
                let Some(place) = place else { continue };
                let on_canvas = moved.row_len - place * PIECE;
                for (row, to) in both.clone() {
                    let (values, into) = (self.row(row).piece(piece), moved.piece_mut(to, place));
                    // The last piece of a band in parts extends beyond the canvas.
                    let len = values.len().min(into.len()).min(on_canvas);
                    into[..len].copy_from_slice(&values[..len]);
                }
            }
        }
        moved
    }

    pub(crate) fn are_whole(&self) -> bool {
        self.in_parts == 0
    }

    /// Makes a band whole if `row` is its first row.
    pub(crate) fn store_whole(&mut self, row: usize) {
        if row.is_multiple_of(BAND) && self.parts[row / BAND].is_some() {
            self.make_whole(row / BAND);
        }
    }

    pub(crate) fn row_len(&self) -> usize {
        self.row_len
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The values of a row of a whole band.
    #[inline]
    pub(crate) fn whole_row(&self, row: usize) -> &[T] {
        let start = (row % BAND) * self.row_len;
        &self.bands[row / BAND][start..start + self.row_len]
    }

    /// The values of a row; `None` if its band is in parts.
    #[inline]
    pub(crate) fn row_if_whole(&self, row: usize) -> Option<&[T]> {
        let start = (row % BAND) * self.row_len;
        self.bands[row / BAND].get(start..start + self.row_len)
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> Row<'_, T, PIECE> {
        self.row_if_whole(row).map_or_else(|| Row::Parts(self.part_row(row)), Row::Whole)
    }

    /// A row of a band in parts.
    pub(crate) fn part_row(&self, row: usize) -> PartRow<'_, T, PIECE> {
        let parts = self.parts[row / BAND].as_ref().expect("a band is in parts or whole");
        PartRow::new(&parts.index, &parts.values, row % BAND)
    }

    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> T {
        debug_assert!(column < self.row_len, "a column beyond the row's end would read the next row");
        match self.bands[row / BAND].get((row % BAND) * self.row_len + column) {
            Some(&value) => value,
            None => in_parts(move || self.part_row(row)[column]),
        }
    }

    /// A value of a whole band.
    #[inline]
    pub(crate) fn get_in_whole(&self, row: usize, column: usize) -> T {
        self.bands[row / BAND][(row % BAND) * self.row_len + column]
    }

    /// Replaces a value; copies the band of the row if a clone shares it.
    pub(crate) fn set(&mut self, row: usize, column: usize, value: T) {
        self.piece_mut(row, column / PIECE)[column % PIECE] = value;
    }

    /// A row for writing; makes its band whole.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        let (start, len) = ((row % BAND) * self.row_len, self.row_len);
        &mut self.make_whole(row / BAND)[start..start + len]
    }

    /// Frees the memory of the void pieces in a range of rows and columns; both ends are included.
    pub(crate) fn release(&mut self, rows: [usize; 2], columns: [usize; 2]) {
        if self.pieces() < MIN_PIECES {
            return;
        }
        for band in rows[0] / BAND..=rows[1] / BAND {
            for piece in columns[0] / PIECE..=columns[1] / PIECE {
                let is_stored = self.parts[band].as_ref().is_none_or(|parts| parts.index[piece] > 0);
                if is_stored && self.is_void(band, piece) && !self.release_piece(band, piece) {
                    break;
                }
            }
        }
    }

    /// Frees the memory of a void piece of a band in parts; or stores a whole band in parts if enough of it is void.
    /// Returns false if the band stays whole.
    fn release_piece(&mut self, at: usize, piece: usize) -> bool {
        if let Some(parts) = &mut self.parts[at] {
            let parts = Arc::make_mut(parts);
            parts.remove(piece, BAND * PIECE);
            if parts.values.len() == BAND * PIECE {
                self.parts[at] = self.void.clone();
            }
            return true;
        }
        // A band becomes whole when more than half of its pieces are stored, and is stored in parts again only when
        // at most three eighths are: so loading and unloading one chunk in turn does not copy the band each time.
        let mut not_void = (0..self.pieces()).filter(|&piece| !self.is_void(at, piece));
        let stored: Vec<usize> = not_void.by_ref().take(3 * self.pieces() / 8).collect();
        if not_void.next().is_some() {
            return false;
        }
        let mut index = vec![0; self.pieces()];
        let mut values = Vec::with_capacity((stored.len() + 1) * BAND * PIECE);
        values.resize(BAND * PIECE, self.fill);
        for (place, piece) in (1..).zip(stored) {
            index[piece] = place;
            for row in 0..BAND {
                let row = at * BAND + row;
                let own = if row < self.rows { self.row(row).piece(piece) } else { &[] };
                values.extend(own.iter().copied().chain(std::iter::repeat(self.fill)).take(PIECE));
            }
        }
        self.bands[at] = Arc::from([]);
        self.set_parts(at, Some(Arc::new(Parts { index: index.into(), values })));
        true
    }

    fn pieces(&self) -> usize {
        self.row_len.div_ceil(PIECE)
    }

    fn rows_of(&self, band: usize) -> usize {
        BAND.min(self.rows - band * BAND)
    }

    /// Whether a band that has to store `pieces` pieces is whole.
    fn becomes_whole(&self, pieces: usize) -> bool {
        2 * pieces > self.pieces() || self.pieces() < MIN_PIECES
    }

    fn is_void(&self, band: usize, piece: usize) -> bool {
        if self.parts[band].as_ref().is_some_and(|parts| parts.index[piece] == 0) {
            return true;
        }
        let mut rows = band * BAND..band * BAND + self.rows_of(band);
        rows.all(|row| self.row(row).piece(piece).iter().all(|&value| value == self.fill))
    }

    /// A row of a piece, for writing. In a band in parts it has `PIECE` values, even where the canvas ends before.
    fn piece_mut(&mut self, row: usize, piece: usize) -> &mut [T] {
        let at = row / BAND;
        let is_full = |parts: &Parts<T>| self.becomes_whole(parts.values.len() / (BAND * PIECE));
        if self.parts[at].as_ref().is_some_and(|parts| parts.index[piece] == 0 && is_full(parts)) {
            self.make_whole(at);
        }
        let (row_len, fill) = (self.row_len, self.fill);
        let Some(parts) = &mut self.parts[at] else {
            let (start, first) = ((row % BAND) * row_len, piece * PIECE);
            return &mut Arc::make_mut(&mut self.bands[at])
                [start + first..start + row_len.min(first + PIECE)];
        };
        let parts = Arc::make_mut(parts);
        if parts.index[piece] == 0 {
            parts.add(piece, BAND * PIECE, fill);
        }
        let start = (usize::from(parts.index[piece]) * BAND + row % BAND) * PIECE;
        &mut parts.values[start..start + PIECE]
    }

    /// Replaces the parts of a band, and returns those before.
    fn set_parts(&mut self, at: usize, parts: Option<Arc<Parts<T>>>) -> Option<Arc<Parts<T>>> {
        let are_some = parts.is_some();
        let before = std::mem::replace(&mut self.parts[at], parts);
        self.in_parts = self.in_parts + usize::from(are_some) - usize::from(before.is_some());
        before
    }

    /// Makes a band whole, and returns its values.
    fn make_whole(&mut self, at: usize) -> &mut [T] {
        if let Some(parts) = self.set_parts(at, None) {
            let mut values: Arc<[T]> =
                std::iter::repeat_n(self.fill, self.rows_of(at) * self.row_len).collect();
            let rows = Arc::make_mut(&mut values).chunks_exact_mut(self.row_len);
            for (row, values) in rows.enumerate() {
                let row: Row<'_, T, PIECE> = Row::Parts(PartRow::new(&parts.index, &parts.values, row));
                for (piece, values) in
                    values.chunks_mut(PIECE).enumerate().filter(|&(it, _)| parts.index[it] > 0)
                {
                    values.copy_from_slice(&row.piece(piece)[..values.len()]);
                }
            }
            self.bands[at] = values;
        }
        Arc::make_mut(&mut self.bands[at])
    }
}

/// Work on a band in parts, kept out of line, as most bands are whole: so the loops that read them stay small.
#[cold]
#[inline(never)]
pub(super) fn in_parts<R>(work: impl FnOnce() -> R) -> R {
    work()
}

impl<T: Copy> Parts<T> {
    /// Stores one more piece of `len` values.
    fn add(&mut self, piece: usize, len: usize, fill: T) {
        let stored = self.values.len() / len;
        if self.values.len() == self.values.capacity() {
            // Grow by a sixteenth: if it doubled, a quarter of the memory would be empty on average.
            self.values.reserve_exact((stored / 16 + 1) * len);
        }
        self.index[piece] = stored as u16;
        self.values.resize((stored + 1) * len, fill);
    }

    /// Removes a stored piece of `len` values; the last one moves to its place.
    fn remove(&mut self, piece: usize, len: usize) {
        let place = core::mem::take(&mut self.index[piece]);
        let last = self.values.len() - len;
        if let Some(moved) = self.index.iter_mut().find(|at| usize::from(**at) * len == last) {
            *moved = place;
            self.values.copy_within(last.., usize::from(place) * len);
        }
        self.values.truncate(last);
        if self.values.capacity() > self.values.len() + self.values.len() / 4 {
            self.values.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests;
