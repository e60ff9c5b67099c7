//! Where preset files lie: the trait of such a place, fingerprints of contents, and the errors of saving.

use core::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

use thiserror::Error;

/// A place for preset files: a folder on disk ([`PresetFolder`](super::PresetFolder)), or one of your own, such as a
/// browser's storage. Paths are asset paths, relative to the folder of the assets. The presets themselves are loaded
/// by Bevy's asset server, whose reader has to see the same files.
pub trait PresetStore: Debug + Send + Sync + 'static {
    /// The names of the files in a folder, in any order.
    fn list(&self, folder: &str) -> Vec<String>;

    /// The content of a file; `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file exists, but cannot be read.
    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file, completely or not at all, and the folders that it lies in.
    ///
    /// # Errors
    /// If the file cannot be written; then its content is the same as before.
    fn write(&self, path: &str, text: &str) -> io::Result<()>;

    /// A number that changes when the content of a file does; `None` if the file does not exist. It is asked for four
    /// times a second for every preset, so it should be cheaper than reading the file.
    fn stamp(&self, path: &str) -> Option<u64>;
}

/// Why a preset was not saved. The file on disk is unchanged.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The file has been changed by another program since it was last read or written.
    #[error("{0} has changed on disk since it was read")]
    ChangedOnDisk(String),
    /// A new preset would replace an existing file.
    #[error("{0} exists already")]
    Exists(String),
    /// The name is not a valid file name.
    #[error("`{0}` cannot be the name of a file: use letters, digits, spaces, `-` and `_`")]
    BadName(String),
    /// There is no [`PresetStore`] to write to.
    #[error("there is no place to which presets can be written")]
    NoStore,
    /// The preset asset does not exist (any more), or has no path.
    #[error("there is no such preset")]
    Gone,
    /// The values cannot be serialized.
    #[error("the values cannot be written: {0}")]
    Text(String),
    /// The file could not be written.
    #[error("{0} could not be written: {1}")]
    Io(String, String),
}

/// A hash of the content of a file, which tells one content from another.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
