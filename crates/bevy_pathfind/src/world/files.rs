//! Maps in files: reading, writing, loading as assets, and reloading when files change.
//!
//! | format | holds | written by |
//! |---|---|---|
//! | `.map` | terrain, as the MovingAI benchmarks have it | [`NavGrid::to_map`] |
//! | `.grid.ron` | rows of characters, a legend of terrain classes and their costs, kinds of agents, elevation, links inside the grid | [`NavGrid::to_grid_ron`] |
//! | `.png` | terrain by grey level or by colour index | an image editor |
//!
//! ```ron
//! // village.grid.ron
//! (
//!     cell_size: 16.0,                            // default: 1.0
//!     plane: Xz,                                  // default: XyDown
//!     legend: {                                   // default: that of ASCII maps
//!         '.': (class: 0),
//!         '#': (class: 1, blocked: true),
//!         'm': (class: 20, cost: 4.5),            // mud, for the default kind of agent
//!     },
//!     kinds: [ (size: Square(2), costs: [(20, 9.0)]) ],
//!     climb: 0.5,                                 // how steep the default kind climbs; default: 1.0
//!     elevation: [                                // the height of each cell, in cells; default: flat
//!         [0.0, 0.0, 0.0, 0.5, 1.0],
//!         [0.0, 0.0, 0.0, 0.5, 1.0],
//!     ],
//!     links: [ (from: (0, 1), to: (4, 1), cost: 3.0, crossing: Teleport) ],
//!     rows: [
//!         "..mm.",
//!         ".##..",
//!     ],
//! )
//! ```
//!
//! Files may come from untrusted sources: a map with more cells than [`GridFileSettings::max_cells`] is refused
//! before memory is allocated for it, and every error is a [`GridFileError`] with file, line and column.

mod asset;
mod error;
#[cfg(feature = "ldtk")]
mod ldtk;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod level;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod level_loader;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod level_objects;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod level_source;
mod map;
mod picture;
mod settings;
mod source;
mod text;
#[cfg(feature = "tiled")]
mod tmx;

use bevy::prelude::*;

pub use asset::GridLoader;
pub use error::{GridFileError, GridFileErrorKind};
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level::{FileLevel, LevelFile, LevelSettings};
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level_loader::LevelLoader;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level_objects::{LevelGoal, LevelObject, LevelObjectKind};
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level_source::LevelSource;
pub use settings::{Grey, GridFileSettings, GridFormat};
pub use source::NavGridSource;

use super::NavGrid;
use crate::stage::{NavStage, NavSystems};

impl NavGrid {
    /// Reads a map from the bytes of a file; `file` is its name, for errors.
    ///
    /// # Errors
    /// A [`GridFileError`] with the position of the first error.
    pub fn from_file(
        file: &str,
        format: GridFormat,
        bytes: &[u8],
        settings: &GridFileSettings,
    ) -> Result<Self, GridFileError> {
        let read = match format {
            GridFormat::Map => map::read(bytes, settings),
            GridFormat::Ron => text::read(bytes, settings),
            GridFormat::Png => picture::read(bytes, settings),
        };
        read.map_err(|error| error.in_file(file))
    }
}

/// Registers `NavGrid` as an asset with its loader, if the application has an `AssetPlugin`.
pub(super) fn plug_in(app: &mut App) {
    app.register_type::<NavGridSource>();
    if app.is_plugin_added::<AssetPlugin>() {
        app.init_asset::<NavGrid>().init_asset_loader::<GridLoader>().add_systems(
            NavStage(NavSystems::World),
            source::follow_files.before(super::grid_transform::place_grids),
        );
        #[cfg(any(feature = "ldtk", feature = "tiled"))]
        app.init_asset::<LevelFile>()
            .init_asset_loader::<LevelLoader>()
            .register_type::<LevelSource>()
            .register_type::<LevelGoal>()
            .add_systems(
                NavStage(NavSystems::World),
                level_source::follow_levels.before(source::follow_files),
            );
    }
}
