//! Reads maps of Tiled (<https://doc.mapeditor.org/en/stable/reference/tmx-map-format/>): what tiles and layers say
//! about the terrain, and objects of the classes that are known.

mod data;
mod layout;
mod objects;
mod tilesets;

use std::collections::HashMap;
use std::str::FromStr;

use bevy::prelude::*;
use pathfind_core::{GridCell, Terrain};
use roxmltree::{Document, Node, ParsingOptions};

use self::layout::TileLayout;
use self::tilesets::Tilesets;
use super::error::text;
use super::level::ReadLevel;
use super::{GridFileError, GridFileErrorKind, LevelSettings};

/// The files of external tilesets, by the paths that the map has for them; each with its name for errors.
pub(super) type TilesetFiles = HashMap<String, (String, Vec<u8>)>;

/// An element of the file.
type Element<'a> = Node<'a, 'a>;

/// A piece of a layer: a chunk of an infinite map, or the whole layer.
struct TilePiece<'a> {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    /// What holds the tiles.
    tiles: Element<'a>,
}

/// The paths of the map's external tilesets.
pub(super) fn external_tilesets(bytes: &[u8]) -> Result<Vec<String>, GridFileError> {
    let document = parse(text(bytes)?)?;
    let sources = children(document.root_element(), "tileset").filter_map(|it| it.attribute("source"));
    Ok(sources.map(String::from).collect())
}

/// The level that a map is.
pub(super) fn level(
    bytes: &[u8],
    files: &TilesetFiles,
    settings: &LevelSettings,
) -> Result<ReadLevel, GridFileError> {
    let document = parse(text(bytes)?)?;
    let map = document.root_element();
    if !map.has_tag_name("map") {
        return Err(at(map, GridFileErrorKind::Tmx("it is no map of Tiled".into())));
    }
    let tilesets = Tilesets::read(map, files, settings)?;
    let mut layers = Vec::new();
    for layer in map.descendants().filter(|it| it.has_tag_name("layer")) {
        if settings.reads_layer(layer.attribute("name").unwrap_or_default()) {
            layers.push((layer, pieces(map, layer)?));
        }
    }
    let area = |piece: &TilePiece| [piece.x, piece.y, piece.width as i32, piece.height as i32];
    let areas = layers.iter().flat_map(|(_, pieces)| pieces).map(area);
    let layout = TileLayout::new(map, areas, settings.max_cells)?;
    let mut ground = vec![None; layout.cells()];
    for (layer, pieces) in &layers {
        let whole = said(*layer, settings)?;
        pieces.iter().try_for_each(|piece| piece.lay(whole, &tilesets, &layout, &mut ground))?;
    }
    let terrain = |cell: GridCell| {
        let said: Option<Option<Terrain>> =
            ground[cell.x as usize + cell.y as usize * layout.columns as usize];
        said.map_or(Terrain::VOID, |said| said.unwrap_or(settings.empty))
    };
    let size = (layout.columns, layout.rows, layout.side);
    let grid = settings.grid(size, &mut 0, terrain).map_err(|kind| at(map, kind))?;
    let position = grid.plane().axes() * (layout.corner() * grid.cell_size()).extend(0.0);
    let objects = objects::read(map, &layout, &grid, settings)?;
    Ok(ReadLevel { name: "map".into(), grid, position, objects })
}

impl TilePiece<'_> {
    /// Adds what the tiles say to what is said of each cell by the layers below; `None` is a cell that no layer has.
    /// `whole` is what the piece's layer says.
    fn lay(
        &self,
        whole: Option<Terrain>,
        tilesets: &Tilesets,
        layout: &TileLayout,
        ground: &mut [Option<Option<Terrain>>],
    ) -> Result<(), GridFileError> {
        let tiles = data::tiles(self.tiles, u64::from(self.width) * u64::from(self.height))?;
        for (index, &gid) in tiles.iter().enumerate() {
            let (column, row) = (index % self.width as usize, index / self.width as usize);
            let Some(cell) = layout.index(self.x + column as i32, self.y + row as i32) else { continue };
            let below = ground[cell].flatten();
            // A tile that says nothing is ground, unless a tile below says otherwise.
            let said = |tile: Option<Terrain>| tile.or(whole).or(below).or(Some(Terrain::GROUND));
            let unknown =
                |gid| at(self.tiles, GridFileErrorKind::Tmx(format!("its tile {gid} is in no tileset")));
            ground[cell] = Some(tilesets.terrain(gid).map_err(unknown)?.map_or(below, said));
        }
        Ok(())
    }
}

/// The most elements and texts of a file: they take many times the memory of their words.
const MAX_NODES: u32 = 1 << 22;
/// The greatest side of a layer, and distance of a chunk from the origin, in tiles.
const FARTHEST: i32 = 1 << 24;

fn pieces<'a>(map: Element<'a>, layer: Element<'a>) -> Result<Vec<TilePiece<'a>>, GridFileError> {
    let piece = |node: Element<'a>, x, y, tiles| {
        let (width, height): (u32, u32) = (number(node, "width")?, number(node, "height")?);
        let far = |side: u32| side > FARTHEST as u32;
        let is_far = |at: i32| !(-FARTHEST..=FARTHEST).contains(&at);
        if is_far(x)
            || is_far(y)
            || far(width)
            || far(height)
            || u64::from(width) * u64::from(height) > 1 << 30
        {
            return Err(at(node, GridFileErrorKind::Tmx("it is too large, or too far away".into())));
        }
        Ok(TilePiece { x, y, width, height, tiles })
    };
    let Some(data) = children(layer, "data").next() else { return Ok(Vec::new()) };
    if map.attribute("infinite") == Some("1") {
        children(data, "chunk")
            .map(|chunk| piece(chunk, number(chunk, "x")?, number(chunk, "y")?, chunk))
            .collect()
    } else {
        Ok(vec![piece(layer, 0, 0, data)?])
    }
}

/// The terrain that a tile or a layer says it is: by its property `terrain`, its property `blocked`, or its class.
fn said(node: Element, settings: &LevelSettings) -> Result<Option<Terrain>, GridFileError> {
    if let Some(name) = property(node, "terrain") {
        let terrain = settings.terrain_of(&[name]);
        return terrain.map(Some).ok_or_else(|| at(node, GridFileErrorKind::NoTerrain(name.into())));
    }
    if property(node, "blocked") == Some("true") {
        return Ok(Some(Terrain::WALL));
    }
    Ok(class(node).and_then(|class| settings.terrain_of(&[class])))
}

fn class<'a>(node: Element<'a>) -> Option<&'a str> {
    node.attribute("class").or_else(|| node.attribute("type")).filter(|class| !class.is_empty())
}

fn property<'a>(node: Element<'a>, name: &str) -> Option<&'a str> {
    let mut all = children(node, "properties").flat_map(|all| children(all, "property"));
    let found = all.find(|it| it.attribute("name").is_some_and(|it| it.eq_ignore_ascii_case(name)))?;
    found.attribute("value").or_else(|| found.text())
}

fn parse(text: &str) -> Result<Document<'_>, GridFileError> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        GridFileError::at(place.row as usize, place.col as usize, GridFileErrorKind::Tmx(error.to_string()))
    })
}

fn children<'a>(node: Element<'a>, name: &'static str) -> impl Iterator<Item = Element<'a>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// The number that an attribute holds.
fn number<T: FromStr>(node: Element, name: &str) -> Result<T, GridFileError> {
    let value = node.attribute(name).and_then(|value| value.trim().parse().ok());
    let what = || format!("the attribute {name} of <{}> is no number that it can be", node.tag_name().name());
    value.ok_or_else(|| at(node, GridFileErrorKind::Tmx(what())))
}

/// An error at the position of an element.
fn at(node: Element, kind: GridFileErrorKind) -> GridFileError {
    let place = node.document().text_pos_at(node.range().start);
    GridFileError::at(place.row as usize, place.col as usize, kind)
}
