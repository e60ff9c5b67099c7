//! Any text as a preset of each kind: `cargo +nightly fuzz run preset`, in `crates/bevy_pathfind`.
#![no_main]

use bevy_pathfind::prelude::{Agent, Avoider, Flock, Pursuer};

#[expect(dead_code, reason = "grids have their own targets")]
#[path = "../../tests/nav/hostile/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|text: &str| {
    read::read_preset::<Agent>(text);
    read::read_preset::<Avoider>(text);
    read::read_preset::<Flock>(text);
    read::read_preset::<Pursuer>(text);
});
