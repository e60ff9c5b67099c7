//! The state of the game, and the conditions of its end.

use bevy::prelude::*;
use pathfind_core::steer::CounterRng;

use crate::hud::Notice;

/// Settings of the game.
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
    /// How fast enemies aim and fire, relative to the usual; their driving speed follows, less steeply. Range: 0.3
    /// to 2. Default: 1.
    #[reflect(@0.3..=2.0_f32)]
    pub fierceness: f32,
}

impl Default for TanksSettings {
    fn default() -> Self {
        Self { waves: 5, lives: 3, enemies: 3, fierceness: 1.0 }
    }
}

/// Whether the game is running, won or lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Playing,
    Won,
    Lost,
}

/// The state of the current game.
#[derive(Resource, Debug)]
pub(super) struct Game {
    pub phase: Phase,
    /// The current wave, from 1; 0 before the first.
    pub wave: u32,
    pub waves: u32,
    /// The number of enemies still to come in this wave, and seconds until the next one.
    pub to_come: u32,
    pub next_in: f32,
    pub lives: u32,
    /// Hits that the base can still take.
    pub base: u32,
    pub score: u32,
    pub best: u32,
    pub kills: u32,
    /// Brick cells that were destroyed.
    pub fallen: u32,
    /// How often that gave an enemy a shorter path, and the most that it saved, in cells.
    pub short_cuts: u32,
    pub saved: f32,
    pub rng: CounterRng,
}

/// Hits that the base can take.
pub(super) const BASE: u32 = 4;

impl Game {
    /// A new game.
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
            rng: CounterRng::new(seed, 0, 0),
        }
    }

    /// Adds points.
    pub(super) fn award(&mut self, points: u32) {
        self.score += points;
        self.best = self.best.max(self.score);
    }
}

/// A run condition: whether the game is neither won nor lost.
pub(super) fn is_on(game: Res<Game>) -> bool {
    game.phase == Phase::Playing
}

/// Ends the game when the player's last tank or the base is lost.
pub(super) fn check_defeat(mut game: ResMut<Game>, mut notice: ResMut<Notice>) {
    if game.lives == 0 || game.base == 0 {
        let what = if game.base == 0 { "The base has fallen." } else { "Your last tank is gone." };
        notice.show(what);
        game.phase = Phase::Lost;
    }
}
