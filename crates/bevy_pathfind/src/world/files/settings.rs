//! Settings and formats for reading map files.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::GridPlane;

/// How a map file is read.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GridFileSettings {
    /// The most cells that the map may have; a larger one is refused before memory is allocated for it.
    /// A grid takes about three bytes a cell. Unit: cells. Range: 1 and up. Default: `16_777_216`, which is
    /// 4096 by 4096.
    pub max_cells: u64,
    /// The side of a cell, if the file does not say. Unit: world units. Range: above 0. Default: `1.0`.
    pub cell_size: f32,
    /// The plane of the grid, if the file does not say. Default: [`GridPlane::XyDown`], the first row on
    /// top.
    pub plane: GridPlane,
    /// What the pixels of grey pictures mean. Default: [`Grey::DarkIsWall`].
    pub grey: Grey,
}

impl Default for GridFileSettings {
    fn default() -> Self {
        Self { max_cells: 4096 * 4096, cell_size: 1.0, plane: GridPlane::XyDown, grey: Grey::default() }
    }
}

impl GridFileSettings {
    /// The most bytes that a file with `max_cells` cells may have: four per character, and 1 MiB for the rest.
    pub(super) const fn max_bytes(&self) -> u64 {
        self.max_cells.saturating_mul(4).saturating_add(1 << 20)
    }
}

/// What the pixels of grey pictures mean. The pixels of indexed pictures are terrain classes.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Grey {
    /// The darker half of the levels is wall, the lighter half ground.
    #[default]
    DarkIsWall,
    /// The level, 0 to 255, is the terrain class.
    IsClass,
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridFormat {
    /// MovingAI's `.map`.
    Map,
    /// Rows of characters with a legend, in RON.
    Ron,
    /// A grey or indexed picture, one pixel per cell, the first row at the top.
    Png,
}

impl GridFormat {
    /// The format of a file by its extension; `None` if it is unknown.
    #[must_use]
    pub fn of(file: &str) -> Option<Self> {
        let ends_in = |end: &str| {
            file.len() >= end.len()
                && file.as_bytes()[file.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
        };
        [(".map", Self::Map), (".ron", Self::Ron), (".png", Self::Png)]
            .into_iter()
            .find_map(|(end, format)| ends_in(end).then_some(format))
    }
}
