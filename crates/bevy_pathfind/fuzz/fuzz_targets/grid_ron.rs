//! Any text as a grid: `cargo +nightly fuzz run grid_ron`, in `crates/bevy_pathfind`.
#![no_main]

use bevy_pathfind::world::files::GridFormat;

#[expect(dead_code, reason = "presets have their own target")]
#[path = "../../tests/nav/hostile/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read::read_grid("a.grid.ron", GridFormat::Ron, bytes);
});
