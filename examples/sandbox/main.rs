//! The sandbox: a window to try everything in.
//!
//! `cargo run --release --example sandbox -- --help` lists the flags; F1 in the window lists the keys.
//!
//! A scene is one file under `scenes/`, all of the same form. Everything else here is a tool that scenes
//! share: what an entity carries decides which tools apply to it.

// What was asked for, and what is shown.
mod flags;
mod scenes;

// Seeing: the camera, the ground, what moves on it, what was searched.
mod actors;
mod ground;
mod overlay;
mod view;

// Doing: the pointer and the keys, and what they do.
mod brush;
mod drive;
mod keys;
mod orders;
mod pointer;

// Saying: panels, texts, records.
mod hud;
mod panel;
mod session;
mod telemetry;
mod theme;

use bevy::{prelude::*, window::PresentMode};
use bevy_egui::EguiPlugin;
use bevy_pathfind::prelude::*;

fn main() -> AppExit {
    let flags = flags::Flags::from_arguments();
    let window = Window {
        title: "bevy_pathfind sandbox".into(),
        resolution: flags.size.into(),
        present_mode: PresentMode::AutoVsync,
        ..default()
    };
    App::new()
        .insert_resource(ClearColor(theme::VOID))
        .add_plugins((
            DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }),
            EguiPlugin::default(),
            PathfindPlugins::default(),
        ))
        .insert_resource(flags)
        .add_plugins((view::plugin, ground::plugin, actors::plugin, overlay::plugin))
        .add_plugins((pointer::plugin, keys::plugin, drive::plugin, orders::plugin, brush::plugin))
        .add_plugins((theme::plugin, panel::plugin, hud::plugin, telemetry::plugin, session::plugin))
        .add_plugins(scenes::plugin)
        .run()
}
