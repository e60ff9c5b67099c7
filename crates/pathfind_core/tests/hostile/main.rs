//! Hostile input: whatever a file says, and however a map is edited, nothing panics and no answer is wrong.
//!
//! A moment in the ordinary run. `NAV_FUZZ_MINUTES=60 cargo test --release -p pathfind_core --test hostile --
//! --nocapture` goes on for an hour and tells how much it tried. The same two properties are targets of
//! cargo-fuzz in `crates/pathfind_core/fuzz`.

mod edits;
mod map;
mod runner;
