//! The asset loader for grids.

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, AsyncReadExt, LoadContext};
use bevy::prelude::*;

use super::super::NavGrid;
use super::{GridFileError, GridFileErrorKind, GridFileSettings, GridFormat};

/// Loads [`NavGrid`]s from `.map` and `.grid.ron` files and, where a `Handle<NavGrid>` is asked for, from `.png`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::world::files::GridFileSettings;
/// # use bevy_pathfind::prelude::*;
/// fn load(mut commands: Commands, server: Res<AssetServer>) {
///     let harbour = server.load("maps/harbour.grid.ron");
///     commands.spawn(NavGridSource(harbour));
///     let paint = |settings: &mut GridFileSettings| settings.cell_size = 64.0;
///     let island = server.load_builder().with_settings(paint).load("maps/island.png");
///     commands.spawn((NavGridSource(island), Transform::from_xyz(-500.0, 0.0, 0.0)));
/// }
/// ```
#[derive(Debug, Default, TypePath)]
pub struct GridLoader;

impl AssetLoader for GridLoader {
    type Asset = NavGrid;
    type Settings = GridFileSettings;
    type Error = GridFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &GridFileSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<NavGrid, GridFileError> {
        let file = context.path().to_string();
        let error = |kind| GridFileError::at(1, 1, kind).in_file(&file);
        let format = GridFormat::of(&file).ok_or_else(|| error(GridFileErrorKind::UnknownFormat))?;
        let bytes = read_within(reader, settings.max_bytes(), settings.max_cells).await.map_err(error)?;
        NavGrid::from_file(&file, format, &bytes, settings)
    }

    fn extensions(&self) -> &[&str] {
        // Not "png": an untyped load of a picture shall give an image.
        &["map", "grid.ron"]
    }
}

/// All bytes of a file of at most `max` bytes; no more are read of a larger one.
pub(super) async fn read_within(
    reader: &mut dyn Reader,
    max: u64,
    max_cells: u64,
) -> Result<Vec<u8>, GridFileErrorKind> {
    let mut bytes = Vec::new();
    let read = reader.take(max.saturating_add(1)).read_to_end(&mut bytes).await;
    read.map_err(|cause| GridFileErrorKind::Unreadable(cause.to_string()))?;
    if bytes.len() as u64 > max { Err(GridFileErrorKind::TooLarge { max, max_cells }) } else { Ok(bytes) }
}
