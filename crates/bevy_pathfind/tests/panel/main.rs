//! Tests of the panel as a user drives it: pointer and key events go into the egui context of a headless
//! application; values, files and the world are checked.

#[expect(dead_code, reason = "the rest of it is for the crate")]
#[path = "../../src/bevy_version.rs"]
mod bevy_version;
mod contexts;
mod cost;
mod opening;
mod presets;
mod reasons;
mod selecting;
mod support;
mod tuning;
