//! The asset loader that reads preset files for Bevy's asset server.

use core::marker::PhantomData;

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, AsyncReadExt, LoadContext};
use bevy::prelude::*;

use super::component::PresetComponent;
use super::preset::Preset;
use super::store::fingerprint;
use super::text::{PresetTextError, from_ron};

/// The maximal length of a preset file, in bytes. A file with all fields has about a thousand.
const MAX_BYTES: u64 = 1 << 16;

/// Loads the presets of a `T`, from files of at most 64 KiB.
#[derive(TypePath, Debug, Default)]
pub struct PresetLoader<T: PresetComponent>(PhantomData<fn() -> T>);

/// Why a file could not be loaded as a preset.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The file is too large for a preset.
    #[error("it has more than {max} bytes, too many for a preset")]
    TooLarge {
        /// The maximal length, in bytes.
        max: u64,
    },
    /// The file is not UTF-8 text.
    #[error("it is not UTF-8 text: {0}")]
    Encoding(#[from] core::str::Utf8Error),
    /// The text is not a valid preset.
    #[error(transparent)]
    Text(#[from] PresetTextError),
}

impl<T: PresetComponent> AssetLoader for PresetLoader<T> {
    type Asset = Preset<T>;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Preset<T>, LoadError> {
        let bytes = read_within(reader, MAX_BYTES).await?;
        let values = from_ron(core::str::from_utf8(&bytes)?)?;
        Ok(Preset { fingerprint: Some(fingerprint(&bytes)), ..Preset::new(values) })
    }

    fn extensions(&self) -> &[&str] {
        const { &[T::EXTENSION] }
    }
}

/// All bytes of a file of at most `max` bytes. Reading stops after `max + 1` bytes, so that an endless file is an
/// error, too.
async fn read_within(reader: &mut dyn Reader, max: u64) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    reader.take(max + 1).read_to_end(&mut bytes).await?;
    if bytes.len() as u64 > max { Err(LoadError::TooLarge { max }) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use bevy::asset::io::VecReader;
    use bevy::tasks::block_on;

    use super::*;

    #[test]
    fn a_file_without_end_is_no_preset() {
        let read = |len, max| block_on(read_within(&mut VecReader::new(vec![b' '; len]), max));
        assert_eq!(read(5, 5).expect("so many are allowed").len(), 5, "nothing is left out");
        assert!(matches!(read(6, 5), Err(LoadError::TooLarge { max: 5 })), "one more is too many");
    }
}
