//! The score: how often and how soon each mode has caught the prey.

use bevy_egui::egui;

use super::HUNTERS;
use crate::theme;

/// The score of all modes.
#[derive(Debug, Default)]
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
    let rounds = format!("{} round{}", score.rounds, if score.rounds == 1 { "" } else { "s" });
    let rows = HUNTERS.into_iter().zip(&score.modes).map(|((_, name, color), tally)| {
        let values = vec![tally.caught.to_string(), seconds(tally.last), seconds(tally.mean())];
        (theme::colored(name, color), values)
    });
    theme::table(ui, "score", &[rounds.as_str(), "caught", "last", "mean"], rows);
}
