//! Polling of preset files for changes on disk, and the errors of files that fail to load.
//!
//! The files are polled because Bevy's own `file_watcher` is an optional feature.

use std::time::Duration;

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;

use super::component::PresetComponent;
use super::files::{PresetError, PresetFiles, key};
use super::loader::LoadError;
use super::preset::Preset;
use super::store::fingerprint;

/// The interval between two checks of the files: short enough that a saved file seems to be reloaded at once, and
/// long enough that reading the metadata of every file costs little.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Run condition: whether the files are watched.
pub(super) fn is_on(files: Option<Res<PresetFiles>>) -> bool {
    files.is_some_and(|files| files.watch && files.store.is_some())
}

/// Reloads the presets whose files have changed on disk. A preset with unsaved edits is not reloaded, but gets the
/// error [`PresetError::Conflict`]; a preset whose file is gone gets [`PresetError::Gone`].
///
/// All loaded presets are checked, and those that entities follow, loaded or not. A file is read only if its
/// [stamp](super::PresetStore::stamp) has changed.
pub(super) fn reload_changed<T: PresetComponent>(
    presets: Res<Assets<Preset<T>>>,
    server: Res<AssetServer>,
    mut files: ResMut<PresetFiles>,
    followers: Query<&super::PresetOf<T>>,
) {
    let ids = presets.ids().chain(followers.iter().map(|follower| follower.handle.id()));
    let mut presets_with_paths: Vec<_> =
        ids.filter_map(|id| Some((key(&server.get_path(id)?)?, id))).collect();
    presets_with_paths.sort();
    presets_with_paths.dedup();
    for (path, id) in presets_with_paths {
        let Some(store) = files.store.clone() else { continue };
        let Some(stamp) = store.stamp(&path) else {
            files.errors.insert(path, PresetError::Gone);
            continue;
        };
        if files.errors.get(&path) == Some(&PresetError::Gone) {
            files.errors.remove(&path);
        }
        let last_seen = files.seen.get(&path).copied();
        if last_seen == Some(stamp) {
            continue;
        }
        let Ok(Some(bytes)) = store.read(&path) else { continue };
        files.seen.insert(path.clone(), stamp);
        let preset = presets.get(id);
        if preset.is_some_and(|preset| preset.fingerprint == Some(fingerprint(&bytes))) {
            // The content is what this application has last read or written.
            files.errors.remove(&path);
            continue;
        }
        if last_seen.is_none() && preset.is_none() {
            // The first load is still running, or has failed and was reported by `note_failures`.
            continue;
        }
        if preset.is_some_and(Preset::is_edited) {
            files.errors.insert(path, PresetError::Conflict);
        } else {
            server.reload(path);
        }
    }
}

/// Stores the errors of files that could not be loaded, as [`PresetError::Broken`].
pub(super) fn note_failures<T: PresetComponent>(
    mut failures: MessageReader<AssetLoadFailedEvent<Preset<T>>>,
    mut files: ResMut<PresetFiles>,
) {
    for failure in failures.read() {
        let Some(path) = key(&failure.path) else { continue };
        let reason = match &failure.error {
            // An error of the preset loader is shown without Bevy's text about loaders around it.
            bevy::asset::AssetLoadError::AssetLoaderError(error) => error
                .error()
                .downcast_ref::<LoadError>()
                .map_or_else(|| error.to_string(), ToString::to_string),
            error => error.to_string(),
        };
        files.errors.insert(path, PresetError::Broken(reason));
    }
}

/// Clears the errors of files that were loaded, except where the preset has unsaved edits.
pub(super) fn note_loads<T: PresetComponent>(
    mut events: MessageReader<AssetEvent<Preset<T>>>,
    presets: Res<Assets<Preset<T>>>,
    server: Res<AssetServer>,
    mut files: ResMut<PresetFiles>,
) {
    for event in events.read() {
        let AssetEvent::LoadedWithDependencies { id } = *event else { continue };
        if let Some(path) = server.get_path(id).and_then(|path| key(&path))
            && presets.get(id).is_some_and(|preset| !preset.is_edited())
        {
            files.errors.remove(&path);
        }
    }
}
