//! Hostile input: for any file and any sequence of edits, nothing panics and no answer is wrong.
//!
//! The ordinary run is short. `NAV_FUZZ_MINUTES=60 cargo test --release -p pathfind_core --test hostile --
//! --nocapture` runs for an hour and prints the number of cases. The same two properties are targets of cargo-fuzz
//! in `crates/pathfind_core/fuzz`.

mod edits;
mod map;
mod runner;
