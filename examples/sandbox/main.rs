//! The sandbox: a window with scenes that show all features of the plugin.
//!
//! `cargo run --release --example sandbox -- --help` lists the flags; F1 in the window lists the keys.
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
mod line_width;
mod orbit;
mod overlay;
mod paint;
mod quality;
mod scene3d;
mod view;

// Input: pointer and keys, and what they do.
mod brush;
mod clock;
mod drive;
mod keys;
mod orders;
mod pointer;

// Random number generator.
mod rng;

// Output: panels, texts, screenshots, telemetry.
mod chrome;
mod hud;
mod menu;
mod panel;
mod screenshot;
mod session;
mod telemetry;
mod theme;
mod widgets;

use bevy::prelude::*;

fn main() -> AppExit {
    host::app(flags::Flags::from_arguments()).run()
}
