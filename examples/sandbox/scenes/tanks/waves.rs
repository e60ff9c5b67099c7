//! The waves: when enemies come, and that the game is won after the last wave.

use bevy::prelude::*;

use super::{
    arena::Field,
    art::Art,
    effects::flash,
    enemies::{self, Breed, Enemy},
    game::{Game, Phase, TanksSettings},
};
use crate::{hud::Notice, theme};

/// Seconds between two enemies, and between two waves.
const PAUSES: [f32; 2] = [2.0, 3.0];
/// How fierce the enemies of the first waves are, relative to the setting; those of later ones are as the third.
const FIERCENESS: [f32; 3] = [0.5, 0.75, 1.0];
/// The most enemies at a time.
const CROWD: usize = 7;
/// An enemy comes only through a gate with no other enemy within this distance, in world units.
const ROOM: f32 = 3.0;

/// Spawns the next enemy, begins the next wave, or ends the game.
pub(super) fn run(
    enemies: Query<&Transform, With<Enemy>>,
    field: Field,
    settings: Res<TanksSettings>,
    mut game: ResMut<Game>,
    mut notice: ResMut<Notice>,
    (time, art): (Res<Time>, Res<Art>),
    mut commands: Commands,
) {
    game.next_in -= time.delta_secs();
    if game.next_in > 0.0 {
        return;
    }
    let alive = enemies.iter().count();
    if game.to_come == 0 {
        if alive == 0 {
            begin_wave(&mut game, &settings, &mut notice);
        }
        return;
    }
    let Some(arena) = field.arena().filter(|_| alive < CROWD) else { return };
    let first = game.rng.bits() as usize;
    let gates = (0..arena.gates.len()).map(|i| arena.gates[(first + i) % arena.gates.len()]);
    let is_free = |gate: &Vec3| enemies.iter().all(|at| at.translation.distance(*gate) > ROOM);
    let Some(gate) = gates.into_iter().find(is_free) else { return };
    let breed = Breed::of(game.wave, (game.rng.bits() >> 32) as u32);
    let number = game.kills + alive as u32 + 1;
    enemies::spawn(
        &mut commands,
        &art,
        arena.tank,
        gate,
        (breed, number, settings.fierceness * FIERCENESS[(game.wave as usize - 1).min(2)]),
    );
    flash(&mut commands, &art, gate, theme::HUNTER);
    game.to_come -= 1;
    game.next_in = PAUSES[0];
}

fn begin_wave(game: &mut Game, settings: &TanksSettings, notice: &mut Notice) {
    if game.wave > 0 {
        game.award(200 * game.wave);
    }
    if game.wave == game.waves {
        game.phase = Phase::Won;
        return;
    }
    game.wave += 1;
    game.to_come = settings.enemies + 2 * (game.wave - 1);
    game.next_in = if game.wave == 1 { 0.5 } else { PAUSES[1] };
    notice.show(format!("Wave {} of {}", game.wave, game.waves));
}
