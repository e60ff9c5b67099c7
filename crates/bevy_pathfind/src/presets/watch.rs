//! Polling of preset files for changes on disk, and the errors of files that fail to load.

use std::time::Duration;

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;

use super::component::PresetComponent;
use super::disk::{Fingerprint, glance};
use super::files::{PresetError, PresetFiles, key};
use super::loader::LoadError;
use super::preset::Preset;

/// The interval between two checks of the files.
const PAUSE: Duration = Duration::from_millis(250);

/// Run condition: whether the files are to be checked in this frame.
pub(super) fn is_time(
    files: Option<Res<PresetFiles>>,
    time: Option<Res<Time<Real>>>,
    mut passed: Local<Duration>,
) -> bool {
    let Some(time) = time else { return false };
    *passed += time.delta();
    if *passed < PAUSE {
        return false;
    }
    *passed = Duration::ZERO;
    files.is_some_and(|files| files.watch && files.root.is_some())
}

/// Reloads presets whose files have changed on disk. A preset with unsaved edits gets [`PresetError::Both`]
/// instead.
pub(super) fn look<T: PresetComponent>(
    presets: Res<Assets<Preset<T>>>,
    server: Res<AssetServer>,
    mut files: ResMut<PresetFiles>,
    followers: Query<&super::PresetOf<T>>,
) {
    let loaded = presets.ids().chain(followers.iter().map(|follower| follower.handle.id()));
    let mut paths: Vec<_> = loaded.filter_map(|id| Some((key(&server.get_path(id)?)?, id))).collect();
    paths.sort();
    paths.dedup();
    for (path, id) in paths {
        let Some(file) = files.on_disk(&path) else { continue };
        let Some(seen) = glance(&file) else {
            files.errors.insert(path, PresetError::Gone);
            continue;
        };
        if files.errors.get(&path) == Some(&PresetError::Gone) {
            files.errors.remove(&path);
        }
        let before = files.seen.get(&path).copied();
        if before.is_some_and(|(glance, _)| glance == seen) {
            continue;
        }
        let Ok(Some(fingerprint)) = Fingerprint::of_file(&file) else { continue };
        files.seen.insert(path.clone(), (seen, fingerprint));
        let preset = presets.get(id);
        if preset.is_some_and(|preset| preset.fingerprint() == Some(fingerprint)) {
            // The content is what was last read, or what this application has written.
            files.errors.remove(&path);
            continue;
        }
        if before.is_none() && preset.is_none() {
            // The first load is still running, or has failed and was reported by `note_failures`.
            continue;
        }
        if preset.is_some_and(Preset::is_edited) {
            files.errors.insert(path, PresetError::Both);
        } else {
            server.reload(path);
        }
    }
}

/// Stores the errors of files that could not be loaded.
pub(super) fn note_failures<T: PresetComponent>(
    mut failures: MessageReader<AssetLoadFailedEvent<Preset<T>>>,
    mut files: ResMut<PresetFiles>,
) {
    for failure in failures.read() {
        let Some(path) = key(&failure.path) else { continue };
        let reason = match &failure.error {
            bevy::asset::AssetLoadError::AssetLoaderError(error) => error
                .error()
                .downcast_ref::<LoadError>()
                .map_or_else(|| error.to_string(), ToString::to_string),
            error => error.to_string(),
        };
        files.errors.insert(path, PresetError::Broken(reason));
    }
}

/// Clears the errors of files that were loaded.
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
