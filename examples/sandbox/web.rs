//! The sandbox in a browser: what takes the place of the command line, the disk and the telemetry file.
//!
//! `examples/web/` has the page around it, and the script that builds both. The program asks the page by the
//! functions in [`page`]; the page never calls the program.

mod link;
pub(crate) mod page;
mod presets;
mod saved;

pub(crate) use presets::add_assets;
pub(crate) use saved::saved_presets;

use bevy::prelude::*;

use crate::session::Session;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (link::follow_link, link::show_link).chain()).add_systems(Last, show_canvas);
}

/// The frame after which the page shows the canvas: before it, panels are not in their places yet.
const FIRST_SHOWN: u32 = 5;

fn show_canvas(session: Res<Session>) {
    if session.frame == FIRST_SHOWN {
        page::ready();
    }
}
