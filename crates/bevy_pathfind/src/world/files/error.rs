//! What can be wrong with a file.

use pathfind_core::{GridError, TextError, TextErrorKind};
use thiserror::Error;

/// What is wrong with the file of a map, and where.
#[derive(Error, Debug, Clone, PartialEq)]
#[error("{file}, line {line}, column {column}: {kind}")]
pub struct GridFileError {
    /// The file, as it was asked for.
    pub file: String,
    /// Line, counted from 1; of a picture, the row.
    pub line: u32,
    /// Column in characters, counted from 1; of a picture, in pixels.
    pub column: u32,
    /// What is wrong there.
    pub kind: GridFileErrorKind,
}

/// What can be wrong with the file of a map.
#[derive(Error, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GridFileErrorKind {
    /// The file could not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Its name says no format.
    #[error("its name ends in none of .map, .ron and .png")]
    UnknownFormat,
    /// It is larger than any map with as many cells as are allowed.
    #[error("it is larger than the {max} bytes that {max_cells} cells may take")]
    TooLarge {
        /// Bytes allowed.
        max: u64,
        /// Cells allowed.
        max_cells: u64,
    },
    /// It is no text.
    #[error("this byte is no UTF-8 text")]
    NotText,
    /// The rows of the map do not fit.
    #[error(transparent)]
    Map(#[from] TextErrorKind),
    /// It is no RON, or not that of a map.
    #[error("{0}")]
    Ron(String),
    /// It is no PNG, or a broken one.
    #[error("{0}")]
    Png(String),
    /// The pixels are neither grey nor indexed.
    #[error("its pixels are {0}, neither grey nor indexed")]
    Colour(String),
    /// The grid cannot be made.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl GridFileError {
    /// An error at a place of a file that is not named yet.
    pub(super) fn at(line: usize, column: usize, kind: impl Into<GridFileErrorKind>) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file: String::new(), line: count(line), column: count(column), kind: kind.into() }
    }

    /// An error at a byte of a text.
    pub(super) fn at_byte(text: &str, offset: usize, kind: impl Into<GridFileErrorKind>) -> Self {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        Self::at(line, before[line_start..].chars().count() + 1, kind)
    }

    /// The same error in a file of this name.
    pub(super) fn in_file(self, file: &str) -> Self {
        Self { file: file.to_owned(), ..self }
    }
}

impl From<TextError> for GridFileError {
    fn from(error: TextError) -> Self {
        Self::at(error.line as usize, error.column as usize, error.kind)
    }
}

/// The text of a file.
pub(super) fn text(bytes: &[u8]) -> Result<&str, GridFileError> {
    core::str::from_utf8(bytes).map_err(|error| {
        let good = core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        GridFileError::at_byte(good, good.len(), GridFileErrorKind::NotText)
    })
}
