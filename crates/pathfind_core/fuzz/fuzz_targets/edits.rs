//! Any sequence of edits and questions: `cargo +nightly fuzz run edits`, in `crates/pathfind_core`.
#![no_main]

#[path = "../../tests/hostile/edits/play.rs"]
mod play;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| play::play(bytes));
