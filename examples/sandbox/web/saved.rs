//! The part of the panel that lists the user's own presets in the browser's storage: as files to take along.

use bevy_egui::egui;

use super::page;
use crate::{theme::caption, widgets::button};

/// Draws the list, if there are any.
pub(crate) fn saved_presets(ui: &mut egui::Ui) {
    let mut names = page::stored_names();
    if names.is_empty() {
        return;
    }
    names.sort();
    caption(ui, "Your presets");
    for path in names {
        let name = path.rsplit('/').next().unwrap_or(&path);
        ui.horizontal_wrapped(|ui| {
            ui.label(name);
            if button(ui, &format!("saved.{name}.download"), "Download", "as a file, to share or keep")
                && let Some(text) = page::stored(&path)
            {
                page::download(name, &text);
            }
            if button(ui, &format!("saved.{name}.forget"), "Forget", "remove it from the browser's storage") {
                page::forget(&path);
            }
        });
    }
}
