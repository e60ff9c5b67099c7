//! The sandbox: a window with scenes that show all features of the plugin.
//!
//! `cargo run --release --example sandbox -- --help` lists the flags; F1 in the window lists the keys. As a web page
//! it is built by `examples/web/build.sh`.
//!
//! A scene is one file or folder under `scenes/`, all of the same form. The other modules are tools that scenes
//! share: the components of an entity decide which tools apply to it.

// Command line, application and scenes.
mod flags;
mod host;
mod scenes;

// Drawing: cameras, map, agents, searched cells.
mod actors;
mod grid_picture;
mod heat_map;
mod line_width;
mod orbit;
mod overlay;
mod paint;
mod pulse;
mod quality;
mod scene3d;
mod tint;
mod view;

// Input: pointer and keys, and what they do.
mod brush;
mod clock;
mod drive;
mod drops;
mod keys;
mod orders;
mod pointer;
mod strokes;
mod touch;

// Random number generator.
mod rng;

// Output: panels, texts, screenshots, telemetry.
mod chrome;
mod hud;
mod menu;
mod panel;
#[cfg(not(target_arch = "wasm32"))]
mod screenshot;
mod session;
mod telemetry;
mod theme;
mod widgets;

// In a browser.
#[cfg(any(target_arch = "wasm32", test))]
mod shipped;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> bevy::app::AppExit {
    host::app(flags::Flags::from_arguments()).run()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    match flags::Flags::from_link(&web::page::link()) {
        Ok(flags) => drop(host::app(flags).run()),
        Err(fault) => web::page::fail(&fault),
    }
}
