//! The tiles of a layer or chunk: as elements, as numbers between commas, or packed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use super::super::{GridFileError, GridFileErrorKind};
use super::{Element, at, children, number};

/// The numbers of the tiles, `count` of them.
///
/// # Errors
/// [`GridFileErrorKind::CellCount`] if there are more or fewer.
pub(super) fn tiles(node: Element, count: u64) -> Result<Vec<u32>, GridFileError> {
    let tmx = |what: String| at(node, GridFileErrorKind::Tmx(what));
    // A chunk is packed as the element around it says.
    let data = node.ancestors().find(|it| it.has_tag_name("data")).unwrap_or(node);
    let words = node.text().unwrap_or_default();
    let tiles = match (data.attribute("encoding"), data.attribute("compression").unwrap_or_default()) {
        (None, _) => {
            let gid = |tile| tile_number(tile);
            children(node, "tile").map(gid).collect::<Result<Vec<u32>, _>>()?
        }
        (Some("csv"), _) => {
            let numbers = words.split(',').map(|word| word.trim().parse());
            let read: Result<Vec<u32>, _> = numbers.collect();
            read.map_err(|error| tmx(format!("a tile's number is wrong: {error}")))?
        }
        (Some("base64"), packing) => {
            let words: Vec<u8> = words.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            let bytes = BASE64_STANDARD.decode(words).map_err(|error| tmx(error.to_string()))?;
            let most = usize::try_from(count.saturating_mul(4)).unwrap_or(usize::MAX);
            let bytes = unpack(bytes, packing, most).map_err(tmx)?;
            bytes
                .chunks(4)
                .map(|part| part.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte)))
                .collect()
        }
        (Some(other), _) => return Err(tmx(format!("its encoding {other} is not known"))),
    };
    let found = tiles.len() as u64;
    if found != count {
        let layer = node.ancestors().find(|it| it.has_tag_name("layer")).and_then(|it| it.attribute("name"));
        let layer = layer.unwrap_or_default().into();
        return Err(at(node, GridFileErrorKind::CellCount { layer, cells: count, found }));
    }
    Ok(tiles)
}

/// The number of a tile that is an element; 0 if it has none.
fn tile_number(tile: Element) -> Result<u32, GridFileError> {
    if tile.has_attribute("gid") { number(tile, "gid") } else { Ok(0) }
}

/// Unpacks bytes; more than `most` are an error.
fn unpack(bytes: Vec<u8>, packing: &str, most: usize) -> Result<Vec<u8>, String> {
    let unpacked = match packing {
        "" => return Ok(bytes),
        "zlib" => decompress_to_vec_zlib_with_limit(&bytes, most),
        "gzip" => decompress_to_vec_with_limit(gzip_body(&bytes).ok_or("its gzip header is broken")?, most),
        other => return Err(format!("its compression {other} is not read: save the map as CSV or zlib")),
    };
    unpacked.map_err(|error| error.to_string())
}

/// What follows the header of a gzip file (RFC 1952).
fn gzip_body(bytes: &[u8]) -> Option<&[u8]> {
    let (&flags, mut rest) = (bytes.get(3)?, bytes.get(10..)?);
    if !bytes.starts_with(&[0x1f, 0x8b, 8]) {
        return None;
    }
    if flags & 4 != 0 {
        let length = u16::from_le_bytes([*rest.first()?, *rest.get(1)?]);
        rest = rest.get(2 + usize::from(length)..)?;
    }
    // The name and the comment end with a zero.
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        rest = &rest[rest.iter().position(|&byte| byte == 0)? + 1..];
    }
    rest.get(usize::from(flags & 2)..)
}
