//! The error of passes over many bodies whose arrays do not fit together.

use thiserror::Error;

/// Arrays that belong together are not of one length. Nothing was computed or changed.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[error("{what}: {found} given, {needed} needed")]
#[non_exhaustive]
pub struct LengthError {
    /// The array that has another length than the rest.
    pub what: &'static str,
    /// The length that it should have, or the least one. Unit: entries. Range: 0 and up.
    pub needed: usize,
    /// The length that it has. Unit: entries. Range: 0 and up.
    pub found: usize,
}

impl LengthError {
    /// An error unless `found` is `needed`.
    pub(super) fn unless_equal(what: &'static str, needed: usize, found: usize) -> Result<(), Self> {
        if found == needed { Ok(()) } else { Err(Self { what, needed, found }) }
    }

    /// An error unless `found` is at least `needed`.
    pub(super) fn unless_enough(what: &'static str, needed: usize, found: usize) -> Result<(), Self> {
        if found >= needed { Ok(()) } else { Err(Self { what, needed, found }) }
    }
}
