//! The replay: how many expansions of the searches are shown.

use bevy::prelude::*;

use super::results::{LabSettings, SearchResults};

/// How many expansions of both searches are shown, and whether the replay is running.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(super) struct Replay {
    /// Expansions shown; a shorter search stays at its end.
    pub at: f32,
    /// The number of expansions of the longer search.
    pub last: u32,
    pub is_running: bool,
}

impl Replay {
    /// Starts from the beginning.
    pub(super) fn begin(&mut self) {
        *self = Self { at: 0.0, last: self.last, is_running: true };
    }

    /// Adapts to new results of the searches.
    pub(super) fn results_changed(&mut self, last: u32, to_the_end: bool) {
        self.last = last;
        if to_the_end && !self.is_running {
            self.at = last as f32;
        }
        self.at = self.at.min(last as f32);
    }

    /// Moves by this many expansions, forwards or backwards, and stops.
    pub(super) fn step(&mut self, by: i32) {
        self.is_running = false;
        self.go(self.at.floor() + by as f32);
    }

    /// Moves to a number of expansions.
    pub(super) fn go(&mut self, to: f32) {
        self.at = to.clamp(0.0, self.last as f32);
    }

    /// How many expansions are shown.
    pub(super) fn shown(&self) -> u32 {
        self.at as u32
    }
}

/// Advances with the clock; on a paused clock, a single tick is one step.
pub(super) fn advance(
    mut replay: ResMut<Replay>,
    results: Res<SearchResults>,
    settings: Res<LabSettings>,
    time: Res<Time>,
    clock: Res<Time<Virtual>>,
) {
    if clock.is_paused() {
        replay.step(1);
        return;
    }
    if !replay.is_running || results.version == 0 {
        return;
    }
    let pace = results.last() as f32 / settings.seconds.max(0.1);
    let to = replay.at + pace * time.delta_secs();
    replay.go(to);
    replay.is_running = to < replay.last as f32;
}
