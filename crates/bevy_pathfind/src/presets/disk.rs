//! Reading and writing files: whole or not at all.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::SystemTime;
use std::{fs, io};

use thiserror::Error;

/// Why a preset was not saved. The file is as it was.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The file is not what was read from it last; somebody else has written it.
    #[error("{0} has changed on disk since it was read")]
    ChangedOnDisk(String),
    /// There is such a file already.
    #[error("{0} exists already")]
    Exists(String),
    /// A name that cannot be a file's.
    #[error("`{0}` cannot be the name of a file: use letters, digits, spaces, `-` and `_`")]
    BadName(String),
    /// The assets lie in no folder that could be written to.
    #[error("the assets lie in no folder that can be written to")]
    NoFolder,
    /// The preset is not there (any more).
    #[error("there is no such preset")]
    Gone,
    /// The values cannot be written as text.
    #[error("the values cannot be written: {0}")]
    Text(String),
    /// The file could not be written.
    #[error("{0} could not be written: {1}")]
    Io(String, String),
}

/// What tells the content of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// Of the file as it is now; `None` if there is none.
    pub(super) fn of_file(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(Self::of(&bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// When a file was written last, and how long it is: what can be asked often.
pub(super) type Glance = (SystemTime, u64);

/// A glance at a file; `None` if it cannot be had.
pub(super) fn glance(path: &Path) -> Option<Glance> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Writes a file beside its place and moves it there, so that nobody ever sees half of it.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("it lies in no folder"))?;
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::File::create(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left of it is of no use; the first error is the one to tell.
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
        // A folder stands where the file should go: nothing can be moved there.
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
