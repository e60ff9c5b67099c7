//! Files from anyone: whatever is in them, they are read, or refused with a place; nothing panics.
//!
//! A moment in the ordinary run; `NAV_FUZZ_MINUTES=60 cargo test --release --workspace --test nav hostile --
//! --nocapture` goes on for an hour. A failure names its seed, which `NAV_FUZZ_SEED` plays again.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::reflect::TypeRegistry;
use bevy_pathfind::prelude::*;
use bevy_pathfind::presets::{Tunable, from_ron, to_ron};
use bevy_pathfind::world::files::GridFormat;

use crate::support::*;

const MAX_CELLS: u64 = 4096;

const MAP: &str = "(cell_size: 2.0, plane: Xz, legend: {'.': (class: 0), '#': (class: 1, blocked: true),\n\
    'm': (class: 20, cost: 4.5)}, kinds: [(size: Square(2), costs: [(20, Some(9.0)), (3, None)]),\n\
    (size: Disc(0.5), costs: [])], rows: [\n\"..mm.\",\n\".##..\",\n])";

/// Words that a mutation may put anywhere.
const WORDS: [&str; 12] = [
    "NaN",
    "-inf",
    "1e39",
    "-0.0",
    "99999999999999999999",
    "((((",
    "]",
    "'",
    "\"",
    "\\u{d800}",
    "/*",
    "Some(",
];

/// Tries something with chance from seed after seed.
fn try_all(name: &str, seeds: u64, mut tried: impl FnMut(&mut Random)) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<f64>().ok());
    let end = variable("NAV_FUZZ_MINUTES").map(|m| Instant::now() + Duration::from_secs_f64(m * 60.0));
    let first = variable("NAV_FUZZ_SEED").map_or(0, |seed| seed as u64);
    let mut count = 0;
    while count < seeds || end.is_some_and(|end| Instant::now() < end) {
        let seed = first + count;
        let told = OnPanic(name, seed);
        tried(&mut Random(seed));
        core::mem::forget(told);
        count += 1;
    }
    println!("{name}: {count} inputs tried");
}

/// Tells which seed it was, when the stack unwinds.
struct OnPanic<'a>(&'a str, u64);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        eprintln!("{}: NAV_FUZZ_SEED={} plays this again", self.0, self.1);
    }
}

/// Changes bytes here and there.
fn bite(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(5) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        match random.below(5) {
            0 => bytes.insert(at, random.below(256) as u8),
            1 => drop(bytes.splice(at..at, WORDS[random.below(12) as usize].bytes())),
            2 => drop(bytes.drain(at..(at + random.below(9) as usize).min(bytes.len()))),
            _ if at < bytes.len() => bytes[at] = random.below(256) as u8,
            _ => bytes.truncate(at / 2),
        }
    }
}

/// Reads a file, and looks at what comes out.
fn read(file: &str, format: GridFormat, bytes: &[u8]) -> Option<NavGrid> {
    let settings = GridFileSettings { max_cells: MAX_CELLS, ..default() };
    match NavGrid::from_file(file, format, bytes, &settings) {
        Ok(nav) => {
            let cells = u64::from(nav.grid().width()) * u64::from(nav.grid().height());
            assert!((1..=MAX_CELLS).contains(&cells), "{cells} cells were not allowed");
            Some(nav)
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "places are counted from 1: {error}");
            assert!(error.to_string().starts_with(file), "the file is named: {error}");
            None
        }
    }
}

#[test]
fn any_grid_ron_is_a_grid_or_an_error() {
    let mut sound = 0;
    try_all(".grid.ron", 2000, |random| {
        let mut bytes = MAP.as_bytes().to_vec();
        bite(&mut bytes, random);
        let Some(nav) = read("a.grid.ron", GridFormat::Ron, &bytes) else { return };
        sound += 1;
        let written = nav.to_grid_ron();
        let again = read("again", GridFormat::Ron, written.as_bytes()).expect("what was written can be read");
        assert_eq!(again.to_grid_ron(), written, "reading and writing change nothing");
    });
    assert!(sound > 10, "some files stay sound: {sound}");
    for deep in ["(", "[", "{", "Some(", "(rows: [", "(kinds: [(size: "] {
        assert!(
            read("deep", GridFormat::Ron, deep.repeat(100_000).as_bytes()).is_none(),
            "{deep} has no end"
        );
    }
}

#[test]
fn any_picture_is_a_grid_or_an_error() {
    let mut sound = 0;
    try_all(".png", 500, |random| {
        let mut bytes = picture(random);
        for _ in 0..random.below(4) {
            let at = 8 + random.below(bytes.len() as u32 - 8) as usize;
            bytes[at] = random.below(256) as u8;
        }
        if random.below(4) == 0 {
            let side = [0, 1, 63, 64, 65, 16_384, 16_385, u32::MAX][random.below(8) as usize].to_be_bytes();
            let at = 16 + 4 * random.below(2) as usize;
            bytes[at..at + 4].copy_from_slice(&side);
        }
        if random.below(8) == 0 {
            bytes.truncate(random.below(bytes.len() as u32) as usize);
        }
        sign(&mut bytes);
        sound += u32::from(read("a.png", GridFormat::Png, &bytes).is_some());
    });
    assert!(sound > 10, "some pictures stay sound: {sound}");
}

/// A small picture of any kind.
fn picture(random: &mut Random) -> Vec<u8> {
    use png::{BitDepth, ColorType, Encoder};
    let (width, height) = (1 + random.below(20), 1 + random.below(20));
    let depth = [BitDepth::One, BitDepth::Two, BitDepth::Four, BitDepth::Eight][random.below(4) as usize];
    let color = if random.below(2) == 0 { ColorType::Grayscale } else { ColorType::Indexed };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette([7; 3 * 256].as_slice());
    }
    let line = (width as usize * depth as usize).div_ceil(8);
    let pixels: Vec<u8> = (0..line * height as usize).map(|_| random.below(256) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

/// Gives every chunk the sum that it should have, so that what is wrong is found farther in.
fn sign(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else { return };
        let sum = crc(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// CRC-32, as PNG has it.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(
            sum ^ u32::from(byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 },
        )
    })
}

#[test]
fn any_preset_is_one_or_an_error() {
    let app = app(SolveMode::Inline);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    bite_presets::<Agent>(&registry);
    bite_presets::<Flock>(&registry);
    bite_presets::<Avoider>(&registry);
    bite_presets::<Pursuer>(&registry);
}

fn bite_presets<T: Tunable>(registry: &TypeRegistry) {
    let good = to_ron(&T::default(), registry).expect("defaults can be written");
    let mut sound = 0;
    try_all(T::TITLE, 500, |random| {
        let mut bytes = good.clone().into_bytes();
        bite(&mut bytes, random);
        let Ok(text) = core::str::from_utf8(&bytes) else { return };
        match from_ron::<T>(text, registry) {
            Ok(values) => {
                sound += 1;
                let written = to_ron(&values, registry).expect("what was read can be written");
                let again = from_ron::<T>(&written, registry).expect("what was written can be read");
                assert_eq!(to_ron(&again, registry), Ok(written), "reading and writing change nothing");
            }
            Err(error) => assert!(error.line >= 1 && error.column >= 1, "places are counted from 1: {error}"),
        }
    });
    assert!(sound > 5, "some presets stay sound: {sound}");
    assert!(from_ron::<T>(&"(speed:".repeat(100_000), registry).is_err(), "it has no end");
}
