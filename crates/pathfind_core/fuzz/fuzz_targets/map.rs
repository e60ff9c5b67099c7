//! Any text as a map: `cargo +nightly fuzz run map`, in `crates/pathfind_core`.
#![no_main]

#[path = "../../tests/hostile/map/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read::read(bytes));
