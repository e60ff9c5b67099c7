//! ASCII maps with fences: the cells of a row stand apart, with `|` for a fence between two of them, and `-` in a line
//! between two rows is a fence between the cells above and below it.
//!
//! ```text
//!   . .|.
//!   - -        a fence east of the second cell of the first row, and fences south of the first two
//!   . . .
//! ```

use super::{Direction, Grid, GridCell, Terrain, TextError, TextErrorKind};

/// Whether the cells of a map stand apart.
pub(super) fn is_fenced(lines: &[&str]) -> bool {
    let is_between = |character| matches!(character, ' ' | '|');
    let mut first = lines.first().into_iter().flat_map(|line| line.chars().skip(1));
    // In a map of one column there are only the lines between rows to tell.
    first.next().map_or_else(|| matches!(lines.get(1), Some(&(" " | "-"))), is_between)
}

/// Reads a map whose cells stand apart. Ends of lines without fences may be missing, and at the corners of cells `+` may
/// stand.
pub(super) fn read(lines: &[&str]) -> Result<Grid, TextError> {
    let rows: Vec<String> = lines.iter().step_by(2).map(|line| line.chars().step_by(2).collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut grid = Grid::from_rows(&rows, u64::MAX, Terrain::from_char).map_err(|error| TextError {
        line: 2 * error.line - 1,
        column: 2 * error.column - 1,
        ..error
    })?;
    let (width, height) = (grid.width(), grid.height());
    grid.edit(|edit| {
        for (y, line) in (0..).zip(lines) {
            for (x, character) in (0..).zip(line.chars()) {
                let error = |kind| TextError { line: y + 1, column: x + 1, kind };
                let direction = match (y % 2, x % 2, character) {
                    (0, 0, _) | (_, _, ' ') | (1, 1, '+') => continue,
                    (0, 1, '|') => Direction::E,
                    (1, 0, '-') => Direction::S,
                    _ => return Err(error(TextErrorKind::UnknownFence(character))),
                };
                let cell = GridCell::new(x as i32 / 2, y as i32 / 2);
                let kind = match direction {
                    Direction::S if x / 2 < width => TextErrorKind::ExtraRows { expected: height },
                    _ => TextErrorKind::LongRow { expected: width },
                };
                edit.set_fence(cell, direction, true).map_err(|_| error(kind))?;
            }
        }
        Ok(())
    })?;
    Ok(grid)
}

/// Sets the cells of a written map apart, with the fences between them.
pub(super) fn write(grid: &Grid, plain: &str) -> String {
    let mut text = String::new();
    for (y, row) in (0..).zip(plain.lines()) {
        let mut below = String::new();
        for (x, character) in (0..).zip(row.chars()) {
            let cell = GridCell::new(x, y);
            let mark = |line: &mut String, direction, fence| {
                line.push(if grid.has_fence(cell, direction) { fence } else { ' ' });
            };
            text.push(character);
            mark(&mut below, Direction::S, '-');
            if cell.x < grid.bounds().max.x {
                mark(&mut text, Direction::E, '|');
                below.push(' ');
            }
        }
        text.push('\n');
        if y < grid.bounds().max.y {
            text.push_str(&below);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{assert_same_grid, scattered};

    #[test]
    fn maps_with_fences_survive_writing_and_reading() {
        let mut rng = CounterRng::new(23, 0, 0);
        for round in 0..300 {
            let mut grid = {
                let [width, height] = [(); 2].map(|()| 1 + rng.below(7));
                scattered(&mut rng, width, height, 0.3)
            };
            let is_fenced = |_: &(GridCell, Direction)| rng.below(4) == 0;
            let bounds = grid.bounds();
            let edges = bounds.cells().flat_map(|cell| [Direction::E, Direction::S].map(|to| (cell, to)));
            for (cell, direction) in edges.filter(is_fenced) {
                _ = grid.set_fence(cell, direction, true);
            }
            let text = grid.to_ascii().unwrap();
            assert_same_grid(&Grid::from_ascii(&text).unwrap(), &grid, &format!("round {round}:\n{text}"));
        }
    }

    #[test]
    fn fences_stand_where_they_are_drawn() {
        let grid = Grid::from_ascii(". .|#\n-+\n. . .\n\n5 T W").unwrap();
        let fences = [((1, 0), Direction::E), ((0, 0), Direction::S)];
        assert!(grid.fences().eq(fences.map(|(cell, direction)| (GridCell::from(cell), direction))));
        assert_eq!(grid.terrain(GridCell::new(2, 0)), Some(Terrain::WALL));
        let place = |text| {
            let error = Grid::from_ascii(text).expect_err("the text is broken");
            (error.line, error.column, error.kind)
        };
        use TextErrorKind as Kind;
        assert_eq!(place(". .x."), (1, 4, Kind::UnknownFence('x')));
        assert_eq!(place(". .\n|\n. ."), (2, 1, Kind::UnknownFence('|')));
        assert_eq!(place(". .|"), (1, 4, Kind::LongRow { expected: 2 }));
        assert_eq!(place(". .\n-"), (2, 1, Kind::ExtraRows { expected: 1 }));
        assert_eq!(place(". .\n    -\n. ."), (2, 5, Kind::LongRow { expected: 2 }));
        assert_eq!(place(". .\n\n. x"), (3, 3, Kind::UnknownTerrain('x')));
        assert_eq!(place(". .\n\n."), (3, 3, Kind::ShortRow { found: 1, expected: 2 }));
    }
}
