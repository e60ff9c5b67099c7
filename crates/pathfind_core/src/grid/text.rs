//! Maps as text: plain ASCII, and the `.map` files of the MovingAI benchmarks.
//!
//! In both, one character is a cell and one line a row: `.` and `G` ground, `@` and `O` wall, `T` trees, `S` shallow
//! water, `W` deep water. ASCII maps also have `#` for a wall, and the digits `1` to `9` ([`Terrain::weight`]).
//! Terrain classes without a character cannot be written. In ASCII maps with [fences](Grid::set_fence) the cells stand
//! apart, with the fences between them; other formats do not hold fences, and none holds heights or other rules of
//! edges.
//!
//! ```text
//!   ..#        . .|#
//!   .5.        -         the same cells with two fences: to the east of the second cell, and to the south of the first
//!              . 5 .
//! ```
//!
//! Format of `.map`: N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on
//! Computational Intelligence and AI in Games 4(2), 2012.

use thiserror::Error;

use super::{Grid, Terrain, fenced_text};

/// An error in the text of a map, or in writing a map as text, with its position.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[error("line {line}, column {column}: {kind}")]
pub struct TextError {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// The kind of error.
    pub kind: TextErrorKind,
}

/// The kinds of errors of reading and writing maps as text.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// A character that stands for no terrain.
    #[error("{0:?} stands for no terrain")]
    UnknownTerrain(char),
    /// A character between cells that is no fence.
    #[error("{0:?} stands for no fence here")]
    UnknownFence(char),
    /// A row is shorter than the others.
    #[error("the row has {found} cells, not {expected}")]
    ShortRow {
        /// Cells in the row.
        found: u32,
        /// Cells that it should have.
        expected: u32,
    },
    /// A row has more cells than expected.
    #[error("the row goes on after its {expected} cells")]
    LongRow {
        /// Cells that it should have.
        expected: u32,
    },
    /// The text ends before the last row.
    #[error("the map ends after {found} of {expected} rows")]
    MissingRows {
        /// Rows found.
        found: u32,
        /// Rows announced.
        expected: u32,
    },
    /// A line that is not blank follows the last row.
    #[error("the map goes on after its {expected} rows")]
    ExtraRows {
        /// Rows announced.
        expected: u32,
    },
    /// A line of the header is missing or differs from the format.
    #[error("the header should say \"{0}\" here")]
    Header(&'static str),
    /// A side is zero or longer than [`Grid::MAX_SIDE`].
    #[error("a side of {0} cells is not between 1 and {max}", max = Grid::MAX_SIDE)]
    BadSide(u64),
    /// The map has more cells than the reader allows.
    #[error("the map has {cells} cells, more than the {max} that are allowed")]
    TooManyCells {
        /// Cells announced.
        cells: u64,
        /// Cells allowed.
        max: u64,
    },
    /// A terrain class has no character, so the cell cannot be written.
    #[error("terrain class {0} has no character")]
    Unwritable(u8),
}

impl Grid {
    /// Reads a map of characters, one line a row; all lines must be equally long. If the second character is a space or
    /// a `|`, the cells stand apart and the map may have fences.
    ///
    /// ```
    /// use pathfind_core::{GridCell, Grid, Terrain};
    /// let grid = Grid::from_ascii("..#\n.5.")?;
    /// assert_eq!(grid.terrain(GridCell::new(2, 0)), Some(Terrain::WALL));
    /// assert_eq!(grid.to_ascii()?, "..#\n.5.\n");
    /// let fenced = Grid::from_ascii(". .|#\n-\n. 5 .")?;
    /// assert_eq!(fenced.fences().count(), 2);
    /// # Ok::<(), pathfind_core::TextError>(())
    /// ```
    ///
    /// # Errors
    /// A [`TextError`] with the place of the first character or row that does not fit.
    pub fn from_ascii(text: &str) -> Result<Self, TextError> {
        let lines: Vec<&str> = text.trim_end_matches(['\n', '\r']).lines().collect();
        if fenced_text::is_fenced(&lines) {
            return fenced_text::read(&lines);
        }
        Self::from_rows(&lines, u64::MAX, Terrain::from_char)
    }

    /// Reads a map from its rows, with custom characters and at most `max_cells` cells; all rows must be
    /// equally long. Lines of errors are counted from the first row.
    ///
    /// ```
    /// use pathfind_core::{GridCell, Grid, Terrain};
    /// let legend = |character| (character == '~').then_some(Terrain::WATER);
    /// let pond = Grid::from_rows(&["~~~", "~~~"], 100, legend)?;
    /// assert_eq!(pond.terrain(GridCell::new(2, 1)), Some(Terrain::WATER));
    /// # Ok::<(), pathfind_core::TextError>(())
    /// ```
    ///
    /// # Errors
    /// A [`TextError`] with the place of the first character or row that does not fit.
    pub fn from_rows(
        rows: &[&str],
        max_cells: u64,
        terrain_for: impl Fn(char) -> Option<Terrain>,
    ) -> Result<Self, TextError> {
        let width = rows.first().map_or(0, |row| row.chars().count());
        let (width, height) = (side(width as u64, 1, 1)?, side(rows.len() as u64, 1, 1)?);
        check_cells(width, height, max_cells, 1)?;
        read_rows(width, height, rows.iter().copied(), 1, terrain_for)
    }

    /// Writes the map row by row, with custom characters. Fences are not written: see [`fences`](Self::fences).
    ///
    /// # Errors
    /// [`TextErrorKind::Unwritable`] at the first cell whose class has no character.
    pub fn to_rows(&self, character_for: impl Fn(Terrain) -> Option<char>) -> Result<Vec<String>, TextError> {
        let text = self.write_rows(String::new(), 1, character_for)?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Writes the map as characters, as [`from_ascii`](Self::from_ascii) reads it: one line a row, or with the cells
    /// apart if there are fences.
    ///
    /// # Errors
    /// [`TextErrorKind::Unwritable`] at the first cell whose class has no character.
    pub fn to_ascii(&self) -> Result<String, TextError> {
        let text = self.write_rows(String::new(), 1, Terrain::to_char)?;
        Ok(if self.fences().next().is_some() { fenced_text::write(self, &text) } else { text })
    }

    /// Reads a MovingAI `.map` file.
    ///
    /// # Errors
    /// A [`TextError`] with the place of the first line or character that does not fit.
    pub fn from_map(text: &str) -> Result<Self, TextError> {
        Self::from_map_within(text, u64::MAX)
    }

    /// Reads a MovingAI `.map` file from an untrusted source: a file whose header announces more cells than
    /// `max_cells` is refused before memory is allocated for them.
    ///
    /// # Errors
    /// A [`TextError`] with the place of the first line or character that does not fit.
    pub fn from_map_within(text: &str, max_cells: u64) -> Result<Self, TextError> {
        let mut lines = text.lines();
        header(lines.next(), 1, "type octile")?;
        let height = header_side(lines.next(), 2, "height")?;
        let width = header_side(lines.next(), 3, "width")?;
        header(lines.next(), 4, "map")?;
        check_cells(width, height, max_cells, 2)?;
        read_rows(width, height, lines, 5, map_terrain)
    }

    /// Writes a MovingAI `.map` file. The format has no fences: they are not written.
    ///
    /// # Errors
    /// [`TextErrorKind::Unwritable`] at the first cell whose class has no character in the format.
    pub fn to_map(&self) -> Result<String, TextError> {
        let header = format!("type octile\nheight {}\nwidth {}\nmap\n", self.height(), self.width());
        self.write_rows(header, 5, map_character)
    }

    fn write_rows(
        &self,
        mut text: String,
        first_line: u32,
        character: impl Fn(Terrain) -> Option<char>,
    ) -> Result<String, TextError> {
        for y in 0..self.height() as i32 {
            for x in 0..self.width() as i32 {
                let class = self.class(x, y);
                let kind = TextErrorKind::Unwritable(class);
                text.push(character(Terrain(class)).ok_or(TextError {
                    line: first_line + y as u32,
                    column: x as u32 + 1,
                    kind,
                })?);
            }
            text.push('\n');
        }
        Ok(text)
    }
}

/// The characters of `.map` files; of several for one class the first is written.
const MAP_CHARACTERS: [(char, Terrain); 7] = [
    ('.', Terrain::GROUND),
    ('G', Terrain::GROUND),
    ('@', Terrain::WALL),
    ('O', Terrain::WALL),
    ('T', Terrain::TREES),
    ('S', Terrain::SHALLOW),
    ('W', Terrain::WATER),
];

fn map_terrain(character: char) -> Option<Terrain> {
    MAP_CHARACTERS.iter().find(|it| it.0 == character).map(|it| it.1)
}

fn map_character(terrain: Terrain) -> Option<char> {
    MAP_CHARACTERS.iter().find(|it| it.1 == terrain).map(|it| it.0)
}

impl Terrain {
    /// The terrain that a character of an ASCII map stands for.
    #[must_use]
    pub fn from_char(character: char) -> Option<Self> {
        match character {
            '#' => Some(Self::WALL),
            '1'..='9' => Some(Self::weight(character as u8 - b'0')),
            other => map_terrain(other),
        }
    }

    /// The character of a terrain class in ASCII maps, or `None` if it has no character.
    #[must_use]
    pub fn to_char(self) -> Option<char> {
        match self {
            Self::WALL => Some('#'),
            Self(class @ 11..=19) => Some(char::from(b'0' + (class - 10))),
            other => map_character(other),
        }
    }
}

/// Reads exactly `height` rows of `width` cells; the caller has checked the size.
fn read_rows<'a>(
    width: u32,
    height: u32,
    mut lines: impl Iterator<Item = &'a str>,
    first_line: u32,
    terrain: impl Fn(char) -> Option<Terrain>,
) -> Result<Grid, TextError> {
    // Memory grows with the rows that are read, not with the size that the header announces.
    let mut cells = Vec::new();
    for y in 0..height {
        let line = first_line + y;
        let error = |column: u32, kind| TextError { line, column: column + 1, kind };
        let Some(row) = lines.next() else {
            return Err(error(0, TextErrorKind::MissingRows { found: y, expected: height }));
        };
        let mut found = 0;
        for character in row.chars() {
            if found == width {
                return Err(error(found, TextErrorKind::LongRow { expected: width }));
            }
            let terrain =
                terrain(character).ok_or_else(|| error(found, TextErrorKind::UnknownTerrain(character)))?;
            cells.push(terrain);
            found += 1;
        }
        if found < width {
            return Err(error(found, TextErrorKind::ShortRow { found, expected: width }));
        }
    }
    if let Some(extra) = lines.position(|line| !line.trim().is_empty()) {
        let line = first_line + height + extra as u32;
        return Err(TextError { line, column: 1, kind: TextErrorKind::ExtraRows { expected: height } });
    }
    let mut cells = cells.into_iter();
    let grid = Grid::from_fn(width, height, |_| cells.next().expect("every row is full"));
    Ok(grid.expect("the size was checked"))
}

fn header(line: Option<&str>, number: u32, expected: &'static str) -> Result<(), TextError> {
    if line.is_some_and(|line| line.split_whitespace().eq(expected.split_whitespace())) {
        return Ok(());
    }
    Err(TextError { line: number, column: 1, kind: TextErrorKind::Header(expected) })
}

fn header_side(line: Option<&str>, number: u32, name: &'static str) -> Result<u32, TextError> {
    let value = line.and_then(|line| line.trim_end().strip_prefix(name)?.trim_start().parse::<u64>().ok());
    let bad = TextError { line: number, column: 1, kind: TextErrorKind::Header(name) };
    side(value.ok_or(bad)?, number, name.len() as u32 + 2)
}

fn side(value: u64, line: u32, column: u32) -> Result<u32, TextError> {
    match u32::try_from(value) {
        Ok(side) if (1..=Grid::MAX_SIDE).contains(&side) => Ok(side),
        _ => Err(TextError { line, column, kind: TextErrorKind::BadSide(value) }),
    }
}

fn check_cells(width: u32, height: u32, max: u64, line: u32) -> Result<(), TextError> {
    let cells = u64::from(width) * u64::from(height);
    if cells <= max {
        return Ok(());
    }
    Err(TextError { line, column: 1, kind: TextErrorKind::TooManyCells { cells, max } })
}

#[cfg(test)]
mod tests {
    use super::super::GridCell;
    use super::*;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.G@\nTSW\n";

    fn place(result: Result<Grid, TextError>) -> (u32, u32, TextErrorKind) {
        let error = result.expect_err("the text is broken");
        (error.line, error.column, error.kind)
    }

    #[test]
    fn maps_survive_writing_and_reading() {
        let grid = Grid::from_map(MAP).unwrap();
        assert_eq!(grid.to_map().unwrap(), MAP.replace('G', "."), "ground has one character");
        assert_eq!(grid.to_ascii().unwrap(), "..#\nTSW\n");
        let again = Grid::from_map(&MAP.replace('\n', "\r\n")).unwrap();
        assert_eq!(again.to_map(), grid.to_map(), "line ends of either kind");
        assert_eq!(again.terrain(GridCell::new(1, 1)), Some(Terrain::SHALLOW));
    }

    #[test]
    fn broken_maps_name_the_place() {
        use TextErrorKind as Kind;
        let ascii = Grid::from_ascii;
        assert_eq!(place(ascii("...\n.x.")), (2, 2, Kind::UnknownTerrain('x')));
        assert_eq!(place(ascii("...\n..")), (2, 3, Kind::ShortRow { found: 2, expected: 3 }));
        assert_eq!(place(ascii("..\n...")), (2, 3, Kind::LongRow { expected: 2 }));
        assert_eq!(place(ascii("")), (1, 1, Kind::BadSide(0)));
        let map = |from: &str, to: &str| Grid::from_map(&MAP.replace(from, to));
        assert_eq!(place(map("octile", "hex")), (1, 1, Kind::Header("type octile")));
        assert_eq!(place(map("height 2", "height two")), (2, 1, Kind::Header("height")));
        assert_eq!(place(map("height 2", "height 0")), (2, 8, Kind::BadSide(0)));
        assert_eq!(place(map("width 3", "width 99999999999")), (3, 7, Kind::BadSide(99_999_999_999)));
        assert_eq!(place(map("height 2", "height 3")), (7, 1, Kind::MissingRows { found: 2, expected: 3 }));
        assert_eq!(place(map("height 2", "height 1")), (6, 1, Kind::ExtraRows { expected: 1 }));
        assert_eq!(place(map("TSW", "T5W")), (6, 2, Kind::UnknownTerrain('5')));
    }

    #[test]
    fn a_map_with_too_many_cells_is_refused() {
        let kind = TextErrorKind::TooManyCells { cells: 6, max: 5 };
        assert_eq!(place(Grid::from_map_within(MAP, 5)), (2, 1, kind), "the header announces too many");
        assert_eq!(place(Grid::from_rows(&["...", "..."], 5, Terrain::from_char)), (1, 1, kind));
        assert!(Grid::from_map_within(MAP, 6).is_ok(), "as many as are allowed are not too many");
    }

    #[test]
    fn a_class_without_a_character_is_not_written() {
        let mut grid = Grid::new(2, 2).unwrap();
        grid.set(GridCell::new(1, 1), Terrain(200)).unwrap();
        let error = grid.to_map().unwrap_err();
        assert_eq!((error.line, error.column, error.kind), (6, 2, TextErrorKind::Unwritable(200)));
    }
}
