//! Hostile files: any content is either read, or refused with an error that has a position; nothing panics.
//!
//! The ordinary run is short; `NAV_FUZZ_MINUTES=60 cargo test --release --workspace --test nav hostile --
//! --nocapture` runs for an hour. A failure prints its seed, which `NAV_FUZZ_SEED` repeats. The same properties are
//! targets of cargo-fuzz in `crates/bevy_pathfind/fuzz`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    presets::{PresetComponent, from_ron, to_ron},
    world::files::GridFormat,
};

use self::read::{read_grid, read_preset, sign};
use crate::support::*;

mod read;

const MAP: &str = "(cell_size: 2.0, plane: Xz, legend: {'.': (class: 0), '#': (class: 1, blocked: true),\n\
    'm': (class: 20, cost: 4.5)}, kinds: [(size: Square(2), costs: [(20, Some(9.0)), (3, None)]),\n\
    (size: Disc(0.5), costs: [])], rows: [\n\"..mm.\",\n\".##..\",\n])";

/// Words that a mutation may insert anywhere.
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

/// Tries a property with random numbers, seed after seed.
fn try_all(name: &str, seeds: u64, mut tried: impl FnMut(&mut Random)) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<f64>().ok());
    let end = variable("NAV_FUZZ_MINUTES").map(|m| Instant::now() + Duration::from_secs_f64(m * 60.0));
    let first = variable("NAV_FUZZ_SEED").map_or(0, |seed| seed as u64);
    let mut count = 0;
    while count < seeds || end.is_some_and(|end| Instant::now() < end) {
        let seed = first + count;
        let guard = OnPanic(name, seed);
        tried(&mut Random(seed));
        core::mem::forget(guard);
        count += 1;
    }
    println!("{name}: {count} inputs tried");
}

/// Tries a property on every file in the corpus of a cargo-fuzz target; returns how many files were sound.
fn try_corpus(target: &str, is_sound: impl Fn(&[u8]) -> bool) -> usize {
    let folder = Path::new("fuzz/corpus").join(target);
    let files = fs::read_dir(folder).expect("the target has a corpus");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let sound = paths.filter(|path| {
        println!("{}", path.display()); // shown if it panics
        is_sound(&fs::read(path).expect("the file can be read"))
    });
    sound.count()
}

/// Prints the seed when the stack unwinds.
struct OnPanic<'a>(&'a str, u64);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        eprintln!("{}: NAV_FUZZ_SEED={} plays this again", self.0, self.1);
    }
}

/// Changes random bytes.
fn corrupt(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(5) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        match random.below(5) {
            0 => bytes.insert(at, random.below(256) as u8),
            1 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len() as u32) as usize].bytes())),
            2 => drop(bytes.drain(at..(at + random.below(9) as usize).min(bytes.len()))),
            _ if at < bytes.len() => bytes[at] = random.below(256) as u8,
            _ => bytes.truncate(at / 2),
        }
    }
}

#[test]
fn any_grid_ron_is_a_grid_or_an_error() {
    let mut sound = 0;
    try_all(".grid.ron", 2000, |random| {
        let mut bytes = MAP.as_bytes().to_vec();
        corrupt(&mut bytes, random);
        sound += u32::from(read_grid("a.grid.ron", GridFormat::Ron, &bytes));
    });
    assert!(sound > 10, "some files stay sound: {sound}");
    for deep in ["(", "[", "{", "Some(", "(rows: [", "(kinds: [(size: "] {
        let endless = deep.repeat(100_000);
        assert!(!read_grid("deep", GridFormat::Ron, endless.as_bytes()), "{deep} has no end");
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
        sound += u32::from(read_grid("a.png", GridFormat::Png, &bytes));
    });
    assert!(sound > 10, "some pictures stay sound: {sound}");
}

/// A small picture of a random size and format.
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

#[test]
fn any_preset_is_one_or_an_error() {
    corrupt_presets::<Agent>();
    corrupt_presets::<Flock>();
    corrupt_presets::<Avoider>();
    corrupt_presets::<Pursuer>();
}

fn corrupt_presets<T: PresetComponent>() {
    let good = to_ron(&T::default()).expect("defaults can be written");
    let mut sound = 0;
    try_all(T::TITLE, 500, |random| {
        let mut bytes = good.clone().into_bytes();
        corrupt(&mut bytes, random);
        let Ok(text) = core::str::from_utf8(&bytes) else { return };
        sound += u32::from(read_preset::<T>(text));
    });
    assert!(sound > 5, "some presets stay sound: {sound}");
    assert!(from_ron::<T>(&"(speed:".repeat(100_000)).is_err(), "it has no end");
}

#[test]
fn kept_files_are_read_or_refused() {
    let grids = try_corpus("grid_ron", |bytes| read_grid("kept", GridFormat::Ron, bytes));
    let pictures = try_corpus("png", |bytes| read_grid("kept", GridFormat::Png, bytes));
    let presets = try_corpus("preset", |bytes| {
        let text = core::str::from_utf8(bytes).expect("presets are kept as text");
        let kinds = [
            read_preset::<Agent>(text),
            read_preset::<Avoider>(text),
            read_preset::<Flock>(text),
            read_preset::<Pursuer>(text),
        ];
        kinds.contains(&true)
    });
    assert!(
        grids >= 3 && pictures >= 4 && presets >= 4,
        "sound are {grids} grids, {pictures} pictures and {presets} presets"
    );
}
