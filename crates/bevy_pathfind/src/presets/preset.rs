//! A preset in memory: its values, and what of them is in its file.

use bevy::prelude::*;

use super::component::{PresetComponent, differ};
use super::disk::Fingerprint;

/// The settings of a `T`, as an asset.
///
/// Change [`values`](Self::values) and everyone who follows the preset changes with it; the file stays as it
/// is until [`PresetFiles::save`](super::PresetFiles::save).
#[derive(Asset, TypePath, Debug, Clone)]
pub struct Preset<T: PresetComponent> {
    /// The settings. What is no setting in them, such as a target, is never read.
    pub values: T,
    saved: T,
    fingerprint: Option<Fingerprint>,
}

impl<T: PresetComponent> Preset<T> {
    /// A preset that is in no file yet.
    #[must_use]
    pub fn new(values: T) -> Self {
        Self { saved: values.clone(), values, fingerprint: None }
    }

    /// What was read from a file with these bytes.
    pub(super) fn read(values: T, fingerprint: Fingerprint) -> Self {
        Self { fingerprint: Some(fingerprint), ..Self::new(values) }
    }

    /// The settings as they are in the file.
    #[must_use]
    pub const fn saved(&self) -> &T {
        &self.saved
    }

    /// Whether the values differ from what is in the file.
    #[must_use]
    pub fn is_edited(&self) -> bool {
        differ(&self.values, &self.saved)
    }

    /// What the file was like when it was read or written last.
    pub(super) const fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint
    }

    /// Notes that the values have been written.
    pub(super) fn mark_saved(&mut self, fingerprint: Fingerprint) {
        (self.saved, self.fingerprint) = (self.values.clone(), Some(fingerprint));
    }
}
