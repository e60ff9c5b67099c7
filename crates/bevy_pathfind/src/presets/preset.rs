//! The preset asset: values in memory, and those last read from or written to its file.

use bevy::prelude::*;

use super::component::{PresetComponent, differ};
use super::store::Fingerprint;

/// The settings of a `T`, as an asset.
///
/// A change of [`values`](Self::values) reaches every entity that follows the preset; the file stays unchanged
/// until [`PresetFiles::save`](super::PresetFiles::save).
#[derive(Asset, TypePath, Debug, Clone)]
pub struct Preset<T: PresetComponent> {
    /// The settings. Fields that are not settings, such as a target, are ignored.
    pub values: T,
    saved: T,
    fingerprint: Option<Fingerprint>,
}

impl<T: PresetComponent> Preset<T> {
    /// A preset that has no file yet.
    #[must_use]
    pub fn new(values: T) -> Self {
        Self { saved: values.clone(), values, fingerprint: None }
    }

    /// A preset that was read from a file with this fingerprint.
    pub(super) fn read(values: T, fingerprint: Fingerprint) -> Self {
        Self { fingerprint: Some(fingerprint), ..Self::new(values) }
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

    /// The fingerprint of the file when it was last read or written; `None` if it never was.
    pub(super) const fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint
    }

    /// Records that the present values have been written to a file with this fingerprint.
    pub(super) fn mark_saved(&mut self, fingerprint: Fingerprint) {
        (self.saved, self.fingerprint) = (self.values.clone(), Some(fingerprint));
    }
}
