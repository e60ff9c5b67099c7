//! The panel, driven as a user does: real pointer and key events into the real egui context of a headless
//! application; values, files and the world out.

mod contexts;
mod cost;
mod opening;
mod presets;
mod reasons;
mod selecting;
mod support;
mod tuning;
