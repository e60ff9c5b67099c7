//! The presets in a browser: those that ship with the sandbox, and the user's own in the browser's storage, which
//! take precedence. Both are in memory while the sandbox runs, so that assets are loaded without requests to the
//! server.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    prelude::*,
};
use bevy_pathfind::{
    prelude::*,
    presets::{PresetFiles, PresetStore},
};

use super::page;
use crate::shipped::PRESETS;

/// The files by asset path, and the folder in memory from which Bevy loads them.
#[derive(Debug, Default)]
struct BrowserPresets {
    files: Mutex<BTreeMap<String, String>>,
    folder: Dir,
}

impl BrowserPresets {
    fn keep(&self, path: &str, text: &str) {
        self.folder.insert_asset_text(Path::new(path), text);
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), text.to_owned());
    }

    fn text(&self, path: &str) -> Option<String> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }
}

impl PresetStore for BrowserPresets {
    fn list(&self, folder: &str) -> Vec<String> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let inside = |path: &String| Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned());
        files.keys().filter_map(inside).collect()
    }

    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.text(path).map(String::into_bytes))
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        if !page::store(path, text) {
            return Err(io::Error::other("the browser's storage is full, or not allowed for this page"));
        }
        self.keep(path, text);
        Ok(())
    }

    fn stamp(&self, path: &str) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        self.text(path)?.hash(&mut hasher);
        Some(hasher.finish())
    }
}

/// Makes the presets the application's assets. Bevy's `AssetPlugin` has to be added later.
pub(crate) fn add_assets(app: &mut App) {
    let presets = BrowserPresets::default();
    for (name, text) in PRESETS {
        presets.keep(&format!("presets/{name}"), text);
    }
    for path in page::stored_names() {
        if let Some(text) = page::stored(&path) {
            presets.keep(&path, &text);
        }
    }
    let root = presets.folder.clone();
    let reader = move || Box::new(MemoryAssetReader { root: root.clone() }) as Box<_>;
    app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader));
    let mut files = PresetFiles::default();
    files.store = Some(Arc::new(presets));
    app.insert_resource(files);
}
