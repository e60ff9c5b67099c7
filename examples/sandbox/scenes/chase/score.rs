//! The score: how often and how soon each mode has caught the prey.

use bevy::prelude::*;
use bevy_egui::egui;

use super::HUNTERS;
use crate::theme::{self, egui_color};

/// The score of all modes.
#[derive(Resource, Debug, Default)]
pub(super) struct Score {
    /// Completed rounds.
    pub rounds: u32,
    /// The tallies, in the order of [`HUNTERS`].
    pub modes: [Tally; HUNTERS.len()],
}

/// The catches of one mode.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub caught: u32,
    /// Seconds until the catch: of the last one, and in total.
    pub last: Option<f32>,
    total: f32,
}

impl Tally {
    /// Counts a catch after this many seconds.
    pub(super) fn add(&mut self, seconds: f32) {
        self.caught += 1;
        self.last = Some(seconds);
        self.total += seconds;
    }

    fn mean(&self) -> Option<f32> {
        (self.caught > 0).then(|| self.total / self.caught as f32)
    }
}

/// Draws the table in the panel.
pub(super) fn show(ui: &mut egui::Ui, score: &Score) {
    let seconds = |time: Option<f32>| time.map_or_else(|| "–".to_owned(), |time| format!("{time:.1} s"));
    egui::Grid::new("score").spacing([14.0, 4.0]).min_col_width(40.0).show(ui, |ui| {
        let rounds = format!("{} round{}", score.rounds, if score.rounds == 1 { "" } else { "s" });
        theme::header(ui, [&rounds, "caught", "last", "mean"]);
        for ((_, name, color), tally) in HUNTERS.iter().zip(&score.modes) {
            ui.label(egui::RichText::new(*name).color(egui_color(*color)));
            ui.monospace(tally.caught.to_string());
            ui.monospace(seconds(tally.last));
            ui.monospace(seconds(tally.mean()));
            ui.end_row();
        }
    });
}
