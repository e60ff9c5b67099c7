//! The folder of presets: which files are in it, which of them have errors, and saving to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::asset::AssetPath;
use bevy::prelude::*;

use super::component::PresetComponent;
use super::preset::Preset;
use super::store::{PresetStore, SaveError, fingerprint};
use super::text::to_ron;

/// An error of a preset's file. The values in memory are the last good ones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PresetError {
    /// The file cannot be parsed as a preset: the reason, with line and column.
    Broken(String),
    /// The file has changed on disk while the values in memory have unsaved edits.
    Conflict,
    /// The file no longer exists.
    Gone,
}

/// Where preset files are, and their errors. Insert it before the plugin to start with other values.
#[derive(Resource, Debug, Clone)]
pub struct PresetFiles {
    /// The place of the assets. Default: the folder on disk of Bevy's `AssetPlugin`; `None` on the web.
    pub store: Option<Arc<dyn PresetStore>>,
    /// The folder of presets, relative to that of the assets. Default: `"presets"`.
    pub folder: String,
    /// Whether files that change on disk are reloaded. Default: `true`.
    pub watch: bool,
    pub(super) errors: BTreeMap<String, PresetError>,
    /// The stamp of each file, by asset path, when it was last read or written.
    pub(super) seen: BTreeMap<String, u64>,
}

impl Default for PresetFiles {
    fn default() -> Self {
        Self {
            store: None,
            folder: "presets".into(),
            watch: true,
            errors: BTreeMap::new(),
            seen: BTreeMap::new(),
        }
    }
}

impl PresetFiles {
    /// The error of a preset's file, by asset path; `None` if there is none.
    #[must_use]
    pub fn error(&self, path: &str) -> Option<&PresetError> {
        self.errors.get(path)
    }

    /// The asset paths of all presets whose files have an error, each with its error.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &PresetError)> {
        self.errors.iter().map(|(path, error)| (path.as_str(), error))
    }

    /// The asset path of the preset with a given name.
    ///
    /// # Errors
    /// [`SaveError::BadName`] if the name is empty or has other characters than letters, digits, spaces, `-` and
    /// `_`.
    pub fn path_of<T: PresetComponent>(&self, name: &str) -> Result<String, SaveError> {
        let name = name.trim();
        let is_sound = |letter: char| letter.is_alphanumeric() || [' ', '-', '_'].contains(&letter);
        if name.is_empty() || !name.chars().all(is_sound) {
            return Err(SaveError::BadName(name.to_owned()));
        }
        Ok(format!("{}/{name}.{}", self.folder, T::EXTENSION))
    }

    /// The name of a preset, from its asset path: the file name without the extension.
    #[must_use]
    pub fn name_of<T: PresetComponent>(path: &str) -> &str {
        let file = path.rsplit('/').next().unwrap_or(path);
        file.strip_suffix(T::EXTENSION).map_or(file, |name| name.trim_end_matches('.'))
    }

    /// The asset paths of all presets of a `T` in the folder, sorted by name.
    #[must_use]
    pub fn list<T: PresetComponent>(&self) -> Vec<String> {
        let Some(store) = &self.store else { return Vec::new() };
        let end = format!(".{}", T::EXTENSION);
        let names = store.list(&self.folder).into_iter();
        let mut paths: Vec<_> = names
            .filter(|name| name.ends_with(&end) && !name.starts_with('.'))
            .map(|name| format!("{}/{name}", self.folder))
            .collect();
        paths.sort();
        paths
    }

    /// A name that no preset of a `T` has yet: the given one, or that with a number appended, from 2 up.
    #[must_use]
    pub fn free_name<T: PresetComponent>(&self, name: &str) -> String {
        let is_free = |name: &String| {
            let path = self.path_of::<T>(name).ok();
            path.and_then(|path| self.store.as_ref()?.stamp(&path)).is_none()
        };
        (1_u32..)
            .map(|number| if number == 1 { name.to_owned() } else { format!("{name} {number}") })
            .find(is_free)
            .expect("there are more numbers than files")
    }

    /// Writes the values of a preset to its file, completely or not at all.
    ///
    /// # Errors
    /// [`SaveError::ChangedOnDisk`] if the file has changed since it was last read, and [`SaveError::Exists`] if a
    /// preset that was never saved would replace a file, both unless `force` is set; [`SaveError::NoStore`],
    /// [`SaveError::Text`] or [`SaveError::Io`] if it cannot be written.
    pub fn save<T: PresetComponent>(
        &mut self,
        path: &str,
        preset: &mut Preset<T>,
        force: bool,
    ) -> Result<(), SaveError> {
        let store = self.store.clone().ok_or(SaveError::NoStore)?;
        let io = |error: std::io::Error| SaveError::Io(path.to_owned(), error.to_string());
        let now = store.read(path).map_err(io)?.map(|bytes| fingerprint(&bytes));
        if !force && now.is_some() && now != preset.fingerprint {
            return Err(match preset.fingerprint {
                Some(_) => SaveError::ChangedOnDisk(path.to_owned()),
                None => SaveError::Exists(path.to_owned()),
            });
        }
        let text = to_ron(&preset.values).map_err(|error| SaveError::Text(error.to_string()))?;
        store.write(path, &text).map_err(io)?;
        (preset.saved, preset.fingerprint) = (preset.values.clone(), Some(fingerprint(text.as_bytes())));
        self.errors.remove(path);
        if let Some(stamp) = store.stamp(path) {
            self.seen.insert(path.to_owned(), stamp);
        }
        Ok(())
    }
}

/// The form of an asset path that [`PresetFiles`] uses as key; `None` for labelled assets and for those of named
/// asset sources.
pub(super) fn key(path: &AssetPath) -> Option<String> {
    let is_plain = path.label().is_none() && path.source().as_str().is_none();
    is_plain.then(|| path.path().to_string_lossy().replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::Flock;

    #[test]
    fn names_and_paths_belong_together() {
        let files = PresetFiles::default();
        let path = files.path_of::<Flock>(" grey gulls ").expect("a sound name");
        assert_eq!(path, "presets/grey gulls.flock.ron");
        assert_eq!(PresetFiles::name_of::<Flock>(&path), "grey gulls");
        for bad in ["", "  ", "../up", "a/b", "c:d", "dot.dot"] {
            assert!(files.path_of::<Flock>(bad).is_err(), "`{bad}` is no name");
        }
    }
}
