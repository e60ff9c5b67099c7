//! Files of presets as Bevy's asset server reads them.

use core::marker::PhantomData;

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;

use super::disk::Stamp;
use super::preset::Preset;
use super::text::{PresetError, from_ron};
use super::tunable::Tunable;

/// Loads the presets of a `T`.
#[derive(TypePath)]
pub struct PresetLoader<T: Tunable> {
    registry: AppTypeRegistry,
    extensions: [&'static str; 1],
    kind: PhantomData<fn() -> T>,
}

impl<T: Tunable> FromWorld for PresetLoader<T> {
    fn from_world(world: &mut World) -> Self {
        let registry = world.resource::<AppTypeRegistry>().clone();
        Self { registry, extensions: [T::EXTENSION], kind: PhantomData }
    }
}

/// Why a file gave no preset.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is no text.
    #[error("it is not UTF-8 text: {0}")]
    Encoding(#[from] core::str::Utf8Error),
    /// It is no preset.
    #[error(transparent)]
    Text(#[from] PresetError),
}

impl<T: Tunable> AssetLoader for PresetLoader<T> {
    type Asset = Preset<T>;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Preset<T>, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let values = from_ron(core::str::from_utf8(&bytes)?, &self.registry.read())?;
        Ok(Preset::read(values, Stamp::of(&bytes)))
    }

    fn extensions(&self) -> &[&str] {
        &self.extensions
    }
}
