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
//! # Levels
//!
//! A file of an editor is a level file, and `LevelSource` spawns what it holds: a grid for each level, as a child that
//! lies where the level lies, with what is drawn on it as children of the grid.
//!
//! | file | feature | terrain | objects |
//! |---|---|---|---|
//! | `.ldtk`, with levels inside or in files of their own | `ldtk` | the values of IntGrid layers | entities with the tag `obstacle`, `link` or `goal` |
//! | `.tmx`, with tilesets inside or in files of their own | `tiled` | what tiles or their layer say by their property `terrain`, their property `blocked`, or their class | objects of the class `obstacle`, `link` or `goal` |
//!
//! **Terrain.** `LevelSettings::terrain` says what a name or number stands for. Else the names ground, floor, wall,
//! blocked, solid, trees, shallow, water and void mean what they say, in any case, and a number is a class: an unnamed
//! IntGrid value 1 is [`Terrain::WALL`](crate::world::Terrain::WALL). A property `terrain` or an IntGrid value that
//! means nothing is an error; a class of a tile that means nothing says nothing. The topmost layer that says something
//! of a cell counts; 0 in LDtk, and no tile in Tiled, say nothing. A tile that says nothing is ground. Where an
//! infinite or a staggered map of Tiled has no tiles, its grid is void.
//!
//! **Objects.** An obstacle is carved as a wall, or as the terrain in its field or property `terrain`; a polygon or
//! polyline of Tiled becomes the walls along its lines. A link leads to what its field or property `to` refers to (an
//! entity, also of another level, or a point; an object), or from the first to the last point of its line; `cost` and
//! `both_ways` are those of a [`NavLink`](crate::world::NavLink). A goal is a point, with the name of the object, or of
//! LDtk's field `name`.
//!
//! **Place.** One pixel is one world unit, unless `LevelSettings::pixel_size` says otherwise. The levels of LDtk lie as
//! in its world, of several worlds in the first; in linear layouts each begins where the one before ends, so that they
//! join. Maps of Tiled may be orthogonal with square tiles, isometric or staggered; the last two are seen from above,
//! with cells as wide as a tile is high. Not read are projects of LDtk before 0.8, and of Tiled hexagonal and oblique
//! maps, offsets of layers, templates, worlds of several maps, `.tmj`, the compression zstd, and files with a DOCTYPE.
//!
//! # Errors
//!
//! Files may come from untrusted sources: a map with more cells than [`GridFileSettings::max_cells`] is refused
//! before memory is allocated for it, and every error is a [`GridFileError`] with file, line and column. (Of what is
//! wrong in LDtk's data, not in its JSON, the message names level and layer instead of the line.)

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
pub use level::{LevelFile, LevelSettings};
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level_loader::LevelLoader;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub use level_objects::LevelGoal;
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
