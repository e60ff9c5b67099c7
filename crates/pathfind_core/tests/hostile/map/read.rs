//! Properties of any text that is read as a map.

use pathfind_core::{Grid, Terrain, TextError};

/// The most cells that a file may have in these tests.
const MAX_CELLS: u64 = 4096;

/// Reads bytes as a map with every reader, and panics if a result is invalid.
pub(crate) fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    match Grid::from_map_within(&text, MAX_CELLS) {
        Ok(grid) => {
            check_size(&grid);
            let written = grid.to_map().expect("what was read can be written");
            let again = Grid::from_map_within(&written, MAX_CELLS).expect("what was written can be read");
            assert_eq!(again.to_map().as_ref(), Ok(&written), "reading and writing change nothing");
        }
        Err(error) => check_place(error, &lines),
    }
    match Grid::from_rows(&lines, MAX_CELLS, Terrain::from_char) {
        Ok(grid) => {
            check_size(&grid);
            let written = grid.to_ascii().expect("what was read can be written");
            let again = Grid::from_ascii(&written).expect("what was written can be read");
            assert_eq!(again.to_ascii(), Ok(written), "reading and writing change nothing");
        }
        Err(error) => check_place(error, &lines),
    }
}

fn check_size(grid: &Grid) {
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    assert!((1..=MAX_CELLS).contains(&cells), "{cells} cells were not allowed");
}

/// Checks that the position of an error is in the text, or just behind its end.
fn check_place(error: TextError, lines: &[&str]) {
    let (line, column) = (error.line as usize, error.column as usize);
    assert!((1..=lines.len() + 1).contains(&line), "{error}: there are {} lines", lines.len());
    let long = lines.get(line - 1).map_or(0, |line| line.chars().count());
    assert!((1..=long + 1).contains(&column), "{error}: the line has {long} characters");
}
