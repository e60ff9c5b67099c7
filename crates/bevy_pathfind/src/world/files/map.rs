//! Reads and writes MovingAI's `.map` format.

use pathfind_core::{Grid, TextError};

use super::super::NavGrid;
use super::error::text;
use super::{GridFileError, GridFileSettings};

/// Reads a `.map`.
pub(super) fn read(bytes: &[u8], settings: &GridFileSettings) -> Result<NavGrid, GridFileError> {
    let grid = Grid::from_map_within(text(bytes)?, settings.max_cells)?;
    Ok(NavGrid::new(grid).with_cell_size(settings.cell_size).with_plane(settings.plane))
}

impl NavGrid {
    /// The terrain in MovingAI's `.map` format, without what obstacles cover.
    ///
    /// # Errors
    /// [`TextErrorKind::Unwritable`](pathfind_core::TextErrorKind) at the first cell whose class has no
    /// character there.
    pub fn to_map(&self) -> Result<String, TextError> {
        self.bare().to_map()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GridFileErrorKind, GridFormat};
    use super::*;

    #[test]
    fn maps_survive_writing_and_reading() {
        let nav = NavGrid::new(Grid::from_ascii("..#\nTSW").unwrap());
        let file = nav.to_map().unwrap();
        let settings = GridFileSettings { cell_size: 2.0, ..Default::default() };
        let back = NavGrid::from_file("a.map", GridFormat::Map, file.as_bytes(), &settings).unwrap();
        assert_eq!(back.grid().to_ascii(), nav.grid().to_ascii());
        assert_eq!(back.cell_size(), 2.0, "what the file does not say, the settings do");
    }

    #[test]
    fn errors_name_file_line_and_column() {
        let read = |bytes: &[u8], max_cells| {
            let settings = GridFileSettings { max_cells, ..Default::default() };
            NavGrid::from_file("mods/a.map", GridFormat::Map, bytes, &settings).unwrap_err()
        };
        let error = read(b"type octile\nheight 1\nwidth 3\nmap\n.x.\n", 99);
        assert_eq!(error.to_string(), "mods/a.map, line 5, column 2: 'x' stands for no terrain");
        let error = read(b"type octile\nheight 1\nwidth 3\nmap\n...\n", 2);
        assert_eq!((error.line, error.column), (2, 1), "the header says too much: {error}");
        let error = read(b"type octile\nhe\xff", 99);
        assert_eq!((error.line, error.column, error.kind), (2, 3, GridFileErrorKind::NotText));
    }
}
