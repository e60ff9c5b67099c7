//! Tests of the panel as a user drives it: pointer and key events go into the egui context of a headless
//! application; values, files and the world are checked.

mod contexts;
mod cost;
mod opening;
mod presets;
mod reasons;
mod selecting;
mod support;
mod tuning;
