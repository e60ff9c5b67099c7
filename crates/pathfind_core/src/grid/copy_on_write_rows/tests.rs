use super::*;
use crate::steer::CounterRng;

/// All values, row by row.
fn read<const PIECE: usize>(rows: &CopyOnWriteRows<u8, PIECE>) -> Vec<Vec<u8>> {
    assert_eq!(rows.in_parts, rows.parts.iter().flatten().count());
    let mut buffer = Vec::new();
    (0..rows.rows())
        .map(|row| {
            let line = rows.row(row);
            let values = line.values(&mut buffer)[..rows.row_len()].to_vec();
            let one_by_one = |at: usize| [rows.get(row, at), line[at], line.piece(at / PIECE)[at % PIECE]];
            (0..rows.row_len()).for_each(|at| assert_eq!(one_by_one(at), [values[at]; 3]));
            values
        })
        .collect()
}

/// The pieces that a band stores, without the one that stands for void.
fn stored<const PIECE: usize>(rows: &CopyOnWriteRows<u8, PIECE>, band: usize) -> usize {
    let Some(parts) = &rows.parts[band] else { return rows.bands[band].len() / (BAND * PIECE) };
    assert_eq!((rows.bands[band].len(), parts.values.len() % (BAND * PIECE)), (0, 0));
    parts.values.len() / (BAND * PIECE) - 1
}

#[test]
fn on_another_canvas_values_lie_elsewhere() {
    let mut rng = CounterRng::new(3, 0, 0);
    for round in 0..60 {
        let mut below = |end: usize| rng.below(end as u32) as usize;
        let [from, to] = [(); 2].map(|()| [1 + below(70), 1 + below(150)]);
        let mut rows = CopyOnWriteRows::<u8, 2>::new(from[0], from[1], 9);
        for _ in 0..below(if round % 2 == 0 { 9 } else { 2_000 }) {
            rows.set(below(from[0]), below(from[1]), below(9) as u8);
        }
        let by = [below(5) as isize - 2, if round % 3 == 0 { 0 } else { below(9) as isize - 4 }];
        let moved = rows.moved(to, [16 * by[0], by[1]]);
        let old = read(&rows);
        let want = |row: usize, column: usize| {
            let row = row.checked_add_signed(-by[0] * BAND as isize)?;
            old.get(row)?.get(column.checked_add_signed(-2 * by[1])?).copied()
        };
        for (row, values) in read(&moved).into_iter().enumerate() {
            for (column, value) in values.into_iter().enumerate() {
                assert_eq!(value, want(row, column).unwrap_or(9), "round {round}: {row}, {column}");
            }
        }
    }
}

#[test]
fn a_write_copies_one_band_and_leaves_the_other_copy_alone() {
    let mut a = CopyOnWriteRows::<u8, 2>::new(34, 3, 0);
    let b = a.clone();
    a.row_mut(18)[1] = 9;
    assert_eq!((a.get(18, 1), b.get(18, 1)), (9, 0));
    let address = |rows: &CopyOnWriteRows<u8, 2>, row: usize| rows.row(row).piece(0).as_ptr();
    assert_eq!(address(&a, 0), address(&b, 0), "an untouched band stays shared");
    assert_ne!(address(&a, 17), address(&b, 17));
    assert_eq!(read(&a)[33], [0; 3], "the last, short band holds its rows");
}

/// The reference is a table of all values.
#[test]
fn a_band_stores_what_is_not_void() {
    let (rows, row_len) = (40, 2 * MIN_PIECES - 1);
    let mut rng = CounterRng::new(5, 0, 0);
    let mut all = CopyOnWriteRows::<u8, 2>::new(rows, row_len, 1);
    let mut table = vec![vec![1; row_len]; rows];
    let mut set = |all: &mut CopyOnWriteRows<u8, 2>, row: usize, column: usize, value: u8| {
        all.set(row, column, value);
        table[row][column] = value;
        assert_eq!(read(all), table);
    };
    assert_eq!([0, 1, 2].map(|band| stored(&all, band)), [0; 3]);
    // From nothing to all and back again, piece by piece.
    for piece in 0..MIN_PIECES {
        set(&mut all, 16 + rng.below(16) as usize, 2 * piece, 7);
        let want = if piece < MIN_PIECES / 2 { piece + 1 } else { MIN_PIECES - 1 };
        assert_eq!([0, 1, 2].map(|band| stored(&all, band)), [0, want, 0], "the others are untouched");
    }
    let clone = all.clone();
    for piece in 0..MIN_PIECES {
        for row in 16..32 {
            set(&mut all, row, 2 * piece, 1);
        }
        all.release([16, 31], [2 * piece, 2 * piece]);
        let left = MIN_PIECES - 1 - piece;
        let want = if left > 3 * MIN_PIECES / 8 { MIN_PIECES - 1 } else { left };
        assert_eq!(stored(&all, 1), want, "{left} are left");
    }
    assert_eq!(read(&all), vec![vec![1; row_len]; rows]);
    assert!(read(&clone)[16..32].iter().flatten().filter(|&&value| value == 7).count() == MIN_PIECES);
}
