//! What the tiles of a map's tilesets say about the terrain.

use std::collections::HashMap;

use pathfind_core::Terrain;

use super::super::error::text;
use super::super::{GridFileError, LevelSettings};
use super::{Element, TilesetFiles, children, number, parse, said};

/// The bits of a tile's number that do not say that it is flipped or turned.
const NUMBER: u32 = 0x0fff_ffff;

/// The tiles that say something, by tileset, with the number of its first tile.
pub(super) struct Tilesets(Vec<(u32, HashMap<u32, Terrain>)>);

impl Tilesets {
    pub(super) fn read(
        map: Element,
        files: &TilesetFiles,
        settings: &LevelSettings,
    ) -> Result<Self, GridFileError> {
        let mut sets = Vec::new();
        for node in children(map, "tileset") {
            let tiles = match node.attribute("source").and_then(|source| files.get(source)) {
                Some((file, bytes)) => external(bytes, settings).map_err(|error| error.in_file(file))?,
                None => tiles(node, settings)?,
            };
            sets.push((number(node, "firstgid")?, tiles));
        }
        sets.sort_by_key(|&(first, _)| first);
        Ok(Self(sets))
    }

    /// What a tile says, by its number in a layer: `None` for no tile, `Some(None)` for one that says nothing.
    ///
    /// # Errors
    /// The number, if it belongs to no tileset.
    pub(super) fn terrain(&self, gid: u32) -> Result<Option<Option<Terrain>>, u32> {
        let gid = gid & NUMBER;
        if gid == 0 {
            return Ok(None);
        }
        let (first, tiles) = self.0.iter().rfind(|(first, _)| *first <= gid).ok_or(gid)?;
        Ok(Some(tiles.get(&(gid - first)).copied()))
    }
}

fn external(bytes: &[u8], settings: &LevelSettings) -> Result<HashMap<u32, Terrain>, GridFileError> {
    tiles(parse(text(bytes)?)?.root_element(), settings)
}

fn tiles(set: Element, settings: &LevelSettings) -> Result<HashMap<u32, Terrain>, GridFileError> {
    let mut found = HashMap::new();
    for tile in children(set, "tile") {
        if let Some(terrain) = said(tile, settings)? {
            found.insert(number(tile, "id")?, terrain);
        }
    }
    Ok(found)
}
