//! The state of play: what counts, and when it is over.

use bevy::prelude::*;
use bevy_pathfind::pathfind_core::steer::CounterRng;

use crate::{hud::Notice, telemetry::Facts};

/// What can be set before a game.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct TanksSettings {
    /// Waves to survive; for the next game. Range: 1 to 9. Default: 5.
    #[reflect(@1..=9_u32)]
    pub waves: u32,
    /// Tanks that you have; for the next game. Range: 1 to 9. Default: 3.
    #[reflect(@1..=9_u32)]
    pub lives: u32,
    /// Enemies in the first wave; each further wave has two more. Range: 1 to 9. Default: 3.
    #[reflect(@1..=9_u32)]
    pub enemies: u32,
    /// How fast enemies aim and fire, as a share of the usual; how fast they drive follows, less steeply. Range: 0.3 to 2. Default: 1.
    #[reflect(@0.3..=2.0_f32)]
    pub fierceness: f32,
}

impl Default for TanksSettings {
    fn default() -> Self {
        Self { waves: 5, lives: 3, enemies: 3, fierceness: 1.0 }
    }
}

/// How far the game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Playing,
    Won,
    Lost,
}

/// The game that is played.
#[derive(Resource, Debug)]
pub(super) struct Game {
    pub phase: Phase,
    /// Counted from 1; 0 before the first.
    pub wave: u32,
    pub waves: u32,
    /// How many are still to come in this wave, and in how many seconds the next one does.
    pub to_come: u32,
    pub next_in: f32,
    pub lives: u32,
    /// Hits that the base still takes.
    pub base: u32,
    pub score: u32,
    pub best: u32,
    pub kills: u32,
    /// Cells of brick that have fallen.
    pub fallen: u32,
    /// How often that has given an enemy a shorter way, and the longest way that it saved, in cells.
    pub short_cuts: u32,
    pub saved: f32,
    pub chance: CounterRng,
}

/// Hits that the base takes.
pub(super) const BASE: u32 = 4;

impl Default for Game {
    fn default() -> Self {
        Self::new(&TanksSettings::default(), 0, 0)
    }
}

impl Game {
    /// A game about to begin.
    pub(super) fn new(settings: &TanksSettings, seed: u64, best: u32) -> Self {
        Self {
            phase: Phase::Playing,
            wave: 0,
            waves: settings.waves,
            to_come: 0,
            next_in: 1.5,
            lives: settings.lives,
            base: BASE,
            score: 0,
            best,
            kills: 0,
            fallen: 0,
            short_cuts: 0,
            saved: 0.0,
            chance: CounterRng::new(seed, 0, 0),
        }
    }

    /// Gives points.
    pub(super) fn award(&mut self, points: u32) {
        self.score += points;
        self.best = self.best.max(self.score);
    }

    /// Tells the record how it stands.
    pub(super) fn tell(&self, facts: &mut Facts) {
        let phase = match self.phase {
            Phase::Playing => "playing",
            Phase::Won => "won",
            Phase::Lost => "lost",
        };
        facts.set("phase", phase);
        facts.set("wave", self.wave);
        facts.set("lives", self.lives);
        facts.set("base", self.base);
        facts.set("score", self.score);
        facts.set("kills", self.kills);
        facts.set("fallen", self.fallen);
        facts.set("short_cuts", self.short_cuts);
        facts.set("saved", self.saved);
    }
}

/// Whether nobody has won or lost yet.
pub(super) fn is_on(game: Res<Game>) -> bool {
    game.phase == Phase::Playing
}

/// Ends the game when the last tank or the base is gone.
pub(super) fn judge(mut game: ResMut<Game>, mut notice: ResMut<Notice>, time: Res<Time<Real>>) {
    if game.lives == 0 || game.base == 0 {
        let what = if game.base == 0 { "The base has fallen." } else { "Your last tank is gone." };
        notice.say(what, &time);
        game.phase = Phase::Lost;
    }
}
