//! What the level formats have in common: settings, and the asset that both become.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{Grid, GridCell, Terrain, TextErrorKind};
use serde::{Deserialize, Serialize};

use super::super::{GridPlane, NavGrid};
use super::GridFileErrorKind;
use super::level_objects::LevelObject;

/// How a level file is read.
#[derive(Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelSettings {
    /// The most cells that all levels of the file may have together; more are refused before memory is allocated for
    /// them. Unit: cells. Range: 1 and up. Default: `16_777_216`, which is 4096 by 4096.
    pub max_cells: u64,
    /// The side of a pixel of the editor. Unit: world units. Range: above 0. Default: `1.0`, so that a cell of 16
    /// pixels is 16 world units wide.
    pub pixel_size: f32,
    /// The plane of the grids. Default: [`GridPlane::XyDown`], the first row on top.
    pub plane: GridPlane,
    /// The names of the layers that are read for terrain; all of them if it is empty. Default: empty.
    pub layers: Vec<String>,
    /// The terrain that a name, or the number of an IntGrid value, stands for. Default: empty; see
    /// [`files`](super#levels) for what names and numbers mean by themselves.
    pub terrain: BTreeMap<String, Terrain>,
    /// The terrain of cells of which no layer says anything. Default: [`Terrain::GROUND`].
    pub empty: Terrain,
}

impl Default for LevelSettings {
    fn default() -> Self {
        Self {
            max_cells: 4096 * 4096,
            pixel_size: 1.0,
            plane: GridPlane::XyDown,
            layers: Vec::new(),
            terrain: BTreeMap::new(),
            empty: Terrain::GROUND,
        }
    }
}

impl LevelSettings {
    /// The most bytes that a file may have: four per cell, and 1 MiB for the rest.
    pub(super) const fn max_bytes(&self) -> u64 {
        self.max_cells.saturating_mul(4).saturating_add(1 << 20)
    }

    pub(super) fn reads_layer(&self, name: &str) -> bool {
        self.layers.is_empty() || self.layers.iter().any(|layer| layer == name)
    }

    /// The terrain that any of these words stands for: by the table, else as a name of the crate's own, else as the
    /// number of a class.
    pub(super) fn terrain_of(&self, words: &[&str]) -> Option<Terrain> {
        let find = |meaning: &dyn Fn(&str) -> Option<Terrain>| words.iter().find_map(|word| meaning(word));
        find(&|word| self.terrain.get(word).copied())
            .or_else(|| find(&own_name))
            .or_else(|| find(&|word| word.trim().parse().ok().map(Terrain)))
    }

    /// A grid whose cells are `pixels` wide. `spent` is the number of cells of the file's earlier levels, and is
    /// raised by those of this one.
    pub(super) fn grid(
        &self,
        (width, height, pixels): (u32, u32, u32),
        spent: &mut u64,
        terrain: impl FnMut(GridCell) -> Terrain,
    ) -> Result<NavGrid, GridFileErrorKind> {
        let cells = spent.saturating_add(u64::from(width) * u64::from(height));
        if cells > self.max_cells {
            return Err(TextErrorKind::TooManyCells { cells, max: self.max_cells }.into());
        }
        *spent = cells;
        let cell_size = pixels as f32 * self.pixel_size;
        if !(cell_size > 0.0 && cell_size.is_finite()) {
            return Err(GridFileErrorKind::Unsupported(format!("its cells are {cell_size} wide")));
        }
        Ok(NavGrid::new(Grid::from_fn(width, height, terrain)?)
            .with_cell_size(cell_size)
            .with_plane(self.plane))
    }
}

/// The class that the crate has under a name, in any case and number.
fn own_name(word: &str) -> Option<Terrain> {
    Some(match word.to_ascii_lowercase().trim_end_matches('s') {
        "ground" | "floor" => Terrain::GROUND,
        "wall" | "blocked" | "solid" => Terrain::WALL,
        "tree" => Terrain::TREES,
        "shallow" => Terrain::SHALLOW,
        "water" => Terrain::WATER,
        "void" => Terrain::VOID,
        _ => return None,
    })
}

/// The levels of a file of LDtk or Tiled; [`LevelSource`](super::LevelSource) spawns them. Each level's grid is an
/// asset of its own as well, labelled with the level's name, `map` for a Tiled map: `server.load("world.ldtk#Cellar")`
/// gives a handle for [`NavGridSource`](super::NavGridSource).
#[derive(Asset, TypePath, Debug, Clone)]
pub struct LevelFile {
    /// Shared, so that a file that was loaded again is told from the one before by its address.
    pub(super) levels: Arc<[FileLevel]>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct FileLevel {
    pub(super) name: String,
    pub(super) grid: Handle<NavGrid>,
    /// Where the outer corner of its first cell lies, relative to the file's origin.
    pub(super) position: Vec3,
    pub(super) objects: Vec<LevelObject>,
}

/// A level as it was read, before its grid is an asset.
pub(super) struct ReadLevel {
    pub(super) name: String,
    pub(super) grid: NavGrid,
    pub(super) position: Vec3,
    pub(super) objects: Vec<LevelObject>,
}
