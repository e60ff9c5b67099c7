//! Fingerprints of preset files, and atomic writes: a file is written completely or not at all.
//! The text format is in the module `text`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::SystemTime;
use std::{fs, io};

use thiserror::Error;

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
    /// The assets have no folder on disk that could be written to.
    #[error("the assets lie in no folder that can be written to")]
    NoFolder,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// The fingerprint of a file's present content; `None` if the file does not exist.
    pub(super) fn of_file(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(Self::of(&bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Modification time and length of a file: a cheap check for changes, without reading the content.
pub(super) type Glance = (SystemTime, u64);

/// The [`Glance`] of a file; `None` if its metadata cannot be read.
pub(super) fn glance(path: &Path) -> Option<Glance> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Writes a temporary file beside the target and renames it over the target, so that readers never see a
/// half-written file.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("it lies in no folder"))?;
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::File::create(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Remove the incomplete temporary file; the first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("bevy_pathfind_disk_{}", std::process::id()));
        let path = folder.join("inner/one.flock.ron");
        write_whole(&path, "(first)").expect("folders are made");
        write_whole(&path, "(second)").expect("a file is replaced");
        assert_eq!(fs::read_to_string(&path).unwrap(), "(second)");
        let fingerprint = Fingerprint::of_file(&path).unwrap();
        assert_eq!(fingerprint, Some(Fingerprint::of(b"(second)")));
        // A folder has the name of the target file, so the rename fails.
        let taken = folder.join("taken.flock.ron");
        fs::create_dir_all(taken.join("full")).unwrap();
        assert!(write_whole(&taken, "(third)").is_err(), "what cannot be written is an error");
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(
            left.iter().all(|name| !name.to_string_lossy().ends_with(".part")),
            "nothing is left over: {left:?}"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
