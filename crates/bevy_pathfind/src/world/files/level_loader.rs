//! The asset loader for level files.

use std::collections::HashSet;
use std::sync::Arc;

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, AssetPath, LoadContext};
use bevy::prelude::*;

use super::asset::read_within;
use super::level::{FileLevel, LevelFile, LevelSettings, ReadLevel};
use super::{GridFileError, GridFileErrorKind};

/// Loads a [`LevelFile`] from a project of LDtk (feature `ldtk`) or a map of Tiled (feature `tiled`), and its external
/// levels or tilesets.
#[derive(Debug, Default, TypePath)]
pub struct LevelLoader;

impl AssetLoader for LevelLoader {
    type Asset = LevelFile;
    type Settings = LevelSettings;
    type Error = GridFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &LevelSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<LevelFile, GridFileError> {
        let file = context.path().to_string();
        let error = |kind| GridFileError::at(1, 1, kind).in_file(&file);
        let bytes = read_within(reader, settings.max_bytes(), settings.max_cells).await.map_err(error)?;
        let levels = match file.to_ascii_lowercase() {
            #[cfg(feature = "ldtk")]
            name if name.ends_with(".ldtk") => ldtk_levels(&bytes, settings, context).await,
            #[cfg(feature = "tiled")]
            name if name.ends_with(".tmx") => tiled_level(&bytes, settings, context).await,
            _ => return Err(error(GridFileErrorKind::UnknownFormat)),
        };
        let levels =
            levels.map_err(|error| if error.file.is_empty() { error.in_file(&file) } else { error })?;
        label(levels, context).map_err(error)
    }

    fn extensions(&self) -> &[&str] {
        &[
            #[cfg(feature = "ldtk")]
            "ldtk",
            #[cfg(feature = "tiled")]
            "tmx",
        ]
    }
}

/// Makes the grid of each level an asset of its own.
fn label(levels: Vec<ReadLevel>, context: &mut LoadContext<'_>) -> Result<LevelFile, GridFileErrorKind> {
    let (mut labelled, mut names) = (Vec::new(), HashSet::new());
    for ReadLevel { name, grid, position, objects } in levels {
        if !names.insert(name.clone()) {
            return Err(GridFileErrorKind::Unsupported(format!("two of its levels have the name {name}")));
        }
        let grid = context.add_labeled_asset(name.clone(), grid);
        labelled.push(FileLevel { name, grid, position, objects });
    }
    Ok(LevelFile { levels: Arc::from(labelled) })
}

/// The bytes of a file that a level file names by its path relative to itself; and that path, for errors.
async fn beside(
    relative: &str,
    settings: &LevelSettings,
    context: &mut LoadContext<'_>,
) -> Result<(String, Vec<u8>), GridFileError> {
    let error = |kind| GridFileError::at(1, 1, kind).in_file(relative);
    let unreadable = |cause: String| error(GridFileErrorKind::Unreadable(cause));
    let path: AssetPath<'static> =
        context.path().resolve_embed_str(relative).map_err(|cause| unreadable(cause.to_string()))?;
    let file = path.to_string();
    let bytes = context.read_asset_bytes(path).await.map_err(|cause| unreadable(cause.to_string()))?;
    let (max, max_cells) = (settings.max_bytes(), settings.max_cells);
    match bytes.len() as u64 > max {
        true => Err(error(GridFileErrorKind::TooLarge { max, max_cells })),
        false => Ok((file, bytes)),
    }
}

#[cfg(feature = "ldtk")]
async fn ldtk_levels(
    bytes: &[u8],
    settings: &LevelSettings,
    context: &mut LoadContext<'_>,
) -> Result<Vec<ReadLevel>, GridFileError> {
    use super::ldtk;
    let mut project = ldtk::project(bytes)?;
    for level in project.levels_mut().iter_mut().filter(|level| level.layer_instances.is_none()) {
        if let Some(path) = &level.external_rel_path {
            let (file, bytes) = beside(path, settings, context).await?;
            let read = ldtk::level(&bytes).map_err(|error| error.in_file(&file))?;
            level.layer_instances = read.layer_instances;
        }
    }
    ldtk::levels(&project, settings).map_err(|kind| GridFileError::at(1, 1, kind))
}

#[cfg(feature = "tiled")]
async fn tiled_level(
    bytes: &[u8],
    settings: &LevelSettings,
    context: &mut LoadContext<'_>,
) -> Result<Vec<ReadLevel>, GridFileError> {
    use super::tmx;
    let mut files = tmx::TilesetFiles::default();
    for source in tmx::external_tilesets(bytes)? {
        let file = beside(&source, settings, context).await?;
        files.insert(source, file);
    }
    Ok(vec![tmx::level(bytes, &files, settings)?])
}
