//! Reads grey and indexed PNG pictures, one pixel per cell.

use std::io::Cursor;

use pathfind_core::{Grid, GridError, Terrain, TextErrorKind};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use super::super::NavGrid;
use super::{Grey, GridFileError, GridFileErrorKind, GridFileSettings};

/// Reads a picture.
pub(super) fn read(bytes: &[u8], settings: &GridFileSettings) -> Result<NavGrid, GridFileError> {
    let whole = |kind: GridFileErrorKind| GridFileError::at(1, 1, kind);
    let broken = |error: DecodingError| whole(GridFileErrorKind::Png(error.to_string()));
    let most = usize::try_from(settings.max_bytes()).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: most });
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = reader.info().size();
    let cells = u64::from(width) * u64::from(height);
    if cells > settings.max_cells {
        let kind = TextErrorKind::TooManyCells { cells, max: settings.max_cells };
        return Err(whole(kind.into()));
    }
    if width.max(height) > Grid::MAX_SIDE {
        return Err(whole(GridError::TooLarge { width, height }.into()));
    }
    let (colour, depth) = reader.output_color_type();
    if !matches!(colour, ColorType::Grayscale | ColorType::Indexed) {
        return Err(whole(GridFileErrorKind::Colour(format!("{colour:?}"))));
    }
    let size =
        reader.output_buffer_size().ok_or_else(|| whole(GridFileErrorKind::Png("it is too large".into())))?;
    let mut pixels = vec![0; size];
    let bytes_per_row = reader.next_frame(&mut pixels).map_err(broken)?.line_size;
    let terrain = |value: u8| match (colour, settings.grey) {
        (ColorType::Grayscale, Grey::DarkIsWall) if scaled(value, depth) < 128 => Terrain::WALL,
        (ColorType::Grayscale, Grey::DarkIsWall) => Terrain::GROUND,
        (ColorType::Grayscale, Grey::IsClass) => Terrain(scaled(value, depth)),
        _ => Terrain(value),
    };
    let grid = Grid::from_fn(width, height, |cell| {
        terrain(sample(&pixels[cell.y as usize * bytes_per_row..], cell.x as usize, depth))
    });
    let grid = grid.map_err(|error| whole(error.into()))?;
    Ok(NavGrid::new(grid).with_cell_size(settings.cell_size).with_plane(settings.plane))
}

/// The stored value of a pixel in a row; of 16 bits the more significant byte.
fn sample(row: &[u8], x: usize, depth: BitDepth) -> u8 {
    match depth as usize {
        16 => row[2 * x],
        8 => row[x],
        bits => {
            let per_byte = 8 / bits;
            let shift = 8 - bits * (x % per_byte + 1);
            row[x / per_byte] >> shift & ((1 << bits) - 1)
        }
    }
}

/// A grey level of 1, 2 or 4 bits, scaled to 0 to 255.
const fn scaled(value: u8, depth: BitDepth) -> u8 {
    match depth {
        BitDepth::One => value * 255,
        BitDepth::Two => value * 85,
        BitDepth::Four => value * 17,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::GridCell;
    use png::Encoder;

    use super::super::GridFormat;
    use super::*;

    fn picture(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == ColorType::Indexed {
            encoder.set_palette([7; 3 * 16].as_slice());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    fn load(bytes: &[u8], settings: &GridFileSettings) -> Result<NavGrid, GridFileError> {
        NavGrid::from_file("a.png", GridFormat::Png, bytes, settings)
    }

    #[test]
    fn grey_and_indexed_pictures_of_every_depth() {
        let plain = GridFileSettings::default();
        let ascii = |bytes: &[u8]| load(bytes, &plain).unwrap().grid().to_ascii().unwrap();
        let grey = ColorType::Grayscale;
        assert_eq!(ascii(&picture(3, 2, grey, BitDepth::Eight, &[255, 0, 128, 127, 200, 3])), ".#.\n#.#\n");
        assert_eq!(ascii(&picture(3, 1, grey, BitDepth::Sixteen, &[255, 0, 0, 255, 128, 0])), ".#.\n");
        assert_eq!(ascii(&picture(10, 1, grey, BitDepth::One, &[0b1010_0000, 0b0100_0000])), ".#.######.\n");
        assert_eq!(ascii(&picture(3, 1, grey, BitDepth::Two, &[0b0110_1100])), "#..\n");
        let indexed = ColorType::Indexed;
        assert_eq!(ascii(&picture(4, 1, indexed, BitDepth::Four, &[0x01, 0x4b])), ".#W1\n");
        let classes = GridFileSettings { grey: Grey::IsClass, ..plain };
        let nav = load(&picture(2, 1, grey, BitDepth::Eight, &[200, 3]), &classes).unwrap();
        assert_eq!(nav.grid().terrain(GridCell::new(0, 0)), Some(Terrain(200)));
    }

    #[test]
    fn what_is_no_map_is_refused() {
        let settings = GridFileSettings { max_cells: 5, ..Default::default() };
        let large = picture(3, 2, ColorType::Grayscale, BitDepth::Eight, &[0; 6]);
        let kind = TextErrorKind::TooManyCells { cells: 6, max: 5 };
        assert_eq!(load(&large, &settings).unwrap_err().kind, GridFileErrorKind::Map(kind));
        let colour = picture(1, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3]);
        assert!(matches!(load(&colour, &settings).unwrap_err().kind, GridFileErrorKind::Colour(_)));
        let whole = picture(2, 2, ColorType::Grayscale, BitDepth::Eight, &[0; 4]);
        for cut in 0..whole.len() - 12 {
            let error = load(&whole[..cut], &settings).map(|_| ()).expect_err("it is cut short");
            assert!(matches!(error.kind, GridFileErrorKind::Png(_)), "{cut} bytes of a picture: {error}");
        }
    }
}
