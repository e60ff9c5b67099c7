//! Any picture as a grid, with the sums that its chunks should have: `cargo +nightly fuzz run png`, in
//! `crates/bevy_pathfind`.
#![no_main]

use bevy_pathfind::world::files::GridFormat;

#[expect(dead_code, reason = "presets have their own target")]
#[path = "../../tests/nav/hostile/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    read::sign(&mut bytes);
    read::read_grid("a.png", GridFormat::Png, &bytes);
});
