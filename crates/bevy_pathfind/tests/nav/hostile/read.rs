//! Properties of any file that is read, shared by the tests here and the targets of cargo-fuzz.

use bevy_pathfind::presets::{PresetComponent, from_ron, to_ron};
use bevy_pathfind::world::NavGrid;
use bevy_pathfind::world::files::{GridFileSettings, GridFormat};

/// The most cells that a file may have in these tests.
const MAX_CELLS: u64 = 4096;

/// Reads a file as a grid, and panics if the result is invalid; returns whether the file was a grid.
pub(crate) fn read_grid(file: &str, format: GridFormat, bytes: &[u8]) -> bool {
    let settings = GridFileSettings { max_cells: MAX_CELLS, ..GridFileSettings::default() };
    match NavGrid::from_file(file, format, bytes, &settings) {
        Ok(nav) => {
            let cells = u64::from(nav.grid().width()) * u64::from(nav.grid().height());
            assert!((1..=MAX_CELLS).contains(&cells), "{cells} cells were not allowed");
            let written = nav.to_grid_ron();
            let again = NavGrid::from_file("again", GridFormat::Ron, written.as_bytes(), &settings)
                .expect("what was written can be read");
            assert_eq!(again.to_grid_ron(), written, "reading and writing change nothing");
            true
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "places are counted from 1: {error}");
            assert!(error.to_string().starts_with(file), "the file is named: {error}");
            false
        }
    }
}

/// Reads text as a preset, and panics if the result is invalid; returns whether the text was a preset.
pub(crate) fn read_preset<T: PresetComponent>(text: &str) -> bool {
    match from_ron::<T>(text) {
        Ok(values) => {
            let written = to_ron(&values).expect("what was read can be written");
            let again = from_ron::<T>(&written).expect("what was written can be read");
            assert_eq!(to_ron(&again), Ok(written), "reading and writing change nothing");
            true
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "places are counted from 1: {error}");
            false
        }
    }
}

/// Corrects the checksum of every chunk of a picture, so that errors behind the checksum are reached.
pub(crate) fn sign(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else { return };
        let sum = crc(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// CRC-32, as PNG uses it.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(
            sum ^ u32::from(byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 },
        )
    })
}
