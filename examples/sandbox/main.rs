//! The sandbox: a window to try everything in.
//!
//! `cargo run --release --example sandbox -- --help` lists the flags; F1 in the window lists the keys.
//!
//! A scene is one file or folder under `scenes/`, all of the same form. Everything else here is a tool that
//! scenes share: what an entity carries decides which tools apply to it.

// What was asked for, and what is shown.
mod flags;
mod host;
mod scenes;

// Seeing: the cameras, the ground, what moves on it, what was searched.
mod actors;
mod ground;
mod lines;
mod orbit;
mod overlay;
mod paint;
mod power;
mod solid;
mod view;

// Doing: the pointer and the keys, and what they do.
mod brush;
mod clock;
mod drive;
mod keys;
mod orders;
mod pointer;

// Chance, seeded.
mod chance;

// Saying: panels, texts, pictures, records.
mod chrome;
mod hud;
mod marks;
mod menu;
mod panel;
mod picture;
mod session;
mod telemetry;
mod theme;

use bevy::prelude::*;

fn main() -> AppExit {
    host::app(flags::Flags::from_arguments()).run()
}
