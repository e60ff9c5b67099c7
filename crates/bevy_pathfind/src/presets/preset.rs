//! The preset asset: values in memory, and those last read from or written to its file.

use bevy::prelude::*;

use super::component::{PresetComponent, differ};

/// The settings of a `T`, as an asset.
///
/// A change of [`values`](Self::values) reaches every entity that follows the preset; the file stays unchanged
/// until [`PresetFiles::save`](super::PresetFiles::save).
#[derive(Asset, TypePath, Debug, Clone)]
pub struct Preset<T: PresetComponent> {
    /// The settings. Fields that are not settings, such as a target, are ignored.
    pub values: T,
    pub(super) saved: T,
    /// The fingerprint of the file when it was last read or written; `None` if it never was.
    pub(super) fingerprint: Option<u64>,
}

impl<T: PresetComponent> Preset<T> {
    /// A preset that has no file yet.
    #[must_use]
    pub fn new(values: T) -> Self {
        Self { saved: values.clone(), values, fingerprint: None }
    }

    /// The settings as last read from or written to the file.
    #[must_use]
    pub const fn saved(&self) -> &T {
        &self.saved
    }

    /// Whether the values have unsaved edits.
    #[must_use]
    pub fn is_edited(&self) -> bool {
        differ(&self.values, &self.saved)
    }
}
