//! The replay: how far into the searches one looks.

use bevy::prelude::*;

use super::bench::{Bench, LabSettings};

/// How many expansions of both searches are shown, and whether more are to come.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(super) struct Replay {
    /// Expansions shown; those of a search that was over before stay.
    pub at: f32,
    /// How many there are.
    pub last: u32,
    pub is_running: bool,
}

impl Replay {
    /// Runs from the beginning.
    pub(super) fn begin(&mut self) {
        *self = Self { at: 0.0, last: self.last, is_running: true };
    }

    /// The searches are others now.
    pub(super) fn answered(&mut self, last: u32, to_the_end: bool) {
        self.last = last;
        if to_the_end && !self.is_running {
            self.at = last as f32;
        }
        self.at = self.at.min(last as f32);
    }

    /// Goes so many expansions on, or back, and stops there.
    pub(super) fn step(&mut self, by: i32) {
        self.is_running = false;
        self.go(self.at.floor() + by as f32);
    }

    /// Goes to a place.
    pub(super) fn go(&mut self, to: f32) {
        self.at = to.clamp(0.0, self.last as f32);
    }

    /// How many expansions are shown.
    pub(super) fn shown(&self) -> u32 {
        self.at as u32
    }
}

/// Goes on by a tick; on a clock that stands still, a tick is one step.
pub(super) fn advance(
    mut replay: ResMut<Replay>,
    bench: Res<Bench>,
    settings: Res<LabSettings>,
    time: Res<Time>,
    clock: Res<Time<Virtual>>,
) {
    if clock.is_paused() {
        replay.step(1);
        return;
    }
    if !replay.is_running || bench.version == 0 {
        return;
    }
    let pace = bench.last() as f32 / settings.seconds.max(0.1);
    let to = replay.at + pace * time.delta_secs();
    replay.go(to);
    replay.is_running = to < replay.last as f32;
}
