//! Presets in a folder on disk, and atomic writes: a file is written completely or not at all.
//! The text format is in the module `text`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::store::PresetStore;

/// Presets in a folder on disk.
#[derive(Debug, Clone)]
pub struct PresetFolder {
    /// The folder of the assets.
    pub root: PathBuf,
}

impl PresetStore for PresetFolder {
    fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.root.join(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        write_whole(&self.root.join(path), text)
    }

    /// A hash of the modification time and the length: the content is not read.
    fn stamp(&self, path: &str) -> Option<u64> {
        let about = fs::metadata(self.root.join(path)).ok()?;
        let mut hasher = DefaultHasher::new();
        (about.modified().ok()?, about.len()).hash(&mut hasher);
        Some(hasher.finish())
    }
}

/// Writes a temporary file beside the target and renames it over the target, so that readers never see a
/// half-written file.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
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
        let store = PresetFolder { root: folder.clone() };
        assert_eq!(store.read("inner/one.flock.ron").unwrap().as_deref(), Some(&b"(second)"[..]));
        assert_eq!(store.list("inner"), ["one.flock.ron"]);
        assert_eq!(
            store.read("inner/none.flock.ron").unwrap(),
            None,
            "a file that does not exist is no error"
        );
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
