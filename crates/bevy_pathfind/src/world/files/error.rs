//! Errors of map files, with their position in the file.

use pathfind_core::{GridError, TextError, TextErrorKind};
use thiserror::Error;

/// An error in a map file, and its position.
#[derive(Error, Debug, Clone, PartialEq)]
#[error("{file}, line {line}, column {column}: {kind}")]
pub struct GridFileError {
    /// The path of the file, as it was requested.
    pub file: String,
    /// Line, counted from 1; the row of a picture.
    pub line: u32,
    /// Column in characters, counted from 1; in pixels for a picture.
    pub column: u32,
    /// What is wrong there.
    pub kind: GridFileErrorKind,
}

/// The kinds of errors in a map file.
#[derive(Error, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GridFileErrorKind {
    /// The file could not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The file extension is none that is read.
    #[error("its name ends in none of .map, .ron and .png; of levels: .ldtk and .tmx")]
    UnknownFormat,
    /// The file is larger than any map with the allowed number of cells.
    #[error("it is larger than the {max} bytes that {max_cells} cells may take")]
    TooLarge {
        /// Bytes allowed.
        max: u64,
        /// Cells allowed.
        max_cells: u64,
    },
    /// The file is not valid UTF-8.
    #[error("this byte is no UTF-8 text")]
    NotText,
    /// The text of the map is wrong: its header, the length of its rows, or a character.
    #[error(transparent)]
    Map(#[from] TextErrorKind),
    /// The file is not valid RON, or does not describe a map.
    #[error("{0}")]
    Ron(String),
    /// There is not one height for each cell.
    #[error("elevation needs {rows} rows of {columns} heights")]
    Elevation {
        /// The columns of the map.
        columns: u32,
        /// The rows of the map.
        rows: u32,
    },
    /// The file is not a PNG, or is damaged.
    #[error("{0}")]
    Png(String),
    /// The pixels are neither grey nor indexed.
    #[error("its pixels are {0}, neither grey nor indexed")]
    Colour(String),
    /// The file is not valid JSON, or no project of LDtk.
    #[error("{0}")]
    Json(String),
    /// The file is not valid XML, or no map of Tiled.
    #[error("{0}")]
    Tmx(String),
    /// A layer of a level does not have as many values as cells.
    #[error("the layer {layer} has {cells} cells, and values for {found}")]
    CellCount {
        /// The name of the layer.
        layer: String,
        /// The cells by its size.
        cells: u64,
        /// The values that it has.
        found: u64,
    },
    /// A name or a number stands for no terrain.
    #[error("'{0}' stands for no terrain: LevelSettings::terrain can say for which")]
    NoTerrain(String),
    /// The level is made in a manner that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// No grid can be made of the data.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl GridFileError {
    /// An error at a line and column of a file whose name is added later.
    pub(super) fn at(line: usize, column: usize, kind: impl Into<GridFileErrorKind>) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file: String::new(), line: count(line), column: count(column), kind: kind.into() }
    }

    /// An error at a byte offset of a text.
    pub(super) fn at_byte(text: &str, offset: usize, kind: impl Into<GridFileErrorKind>) -> Self {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        Self::at(line, before[line_start..].chars().count() + 1, kind)
    }

    /// The same error, with the name of the file.
    pub(super) fn in_file(self, file: &str) -> Self {
        Self { file: file.to_owned(), ..self }
    }
}

impl From<TextError> for GridFileError {
    fn from(error: TextError) -> Self {
        Self::at(error.line as usize, error.column as usize, error.kind)
    }
}

pub(super) fn text(bytes: &[u8]) -> Result<&str, GridFileError> {
    core::str::from_utf8(bytes).map_err(|error| {
        let good = core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        GridFileError::at_byte(good, good.len(), GridFileErrorKind::NotText)
    })
}
