//! Pick-ups that destroyed enemies leave: a life, fast fire, a shield.

use bevy::prelude::*;

use super::{
    SCENE,
    arena::RADIUS,
    art::Art,
    effects::spawn_points_text,
    game::Game,
    player::{ARMOUR, Player},
    tank::Tank,
};
use crate::{grid_picture::layer, hud::Notice, theme};

/// A pick-up.
#[derive(Component, Debug)]
pub(super) struct PickUp {
    kind: PickUpKind,
    /// Seconds until it disappears.
    left: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PickUpKind {
    Life,
    Rapid,
    Shield,
}

/// Points for a pick-up.
const PICK_UP_POINTS: u32 = 50;
/// How long a pick-up stays, in seconds.
const LIFE: f32 = 12.0;

/// Leaves a pick-up after the first of every four kills, and after any other with a chance of one in five.
pub(super) fn maybe_drop(commands: &mut Commands, art: &Art, game: &mut Game, at: Vec3) {
    let bits = game.rng.bits();
    if game.kills % 4 != 1 && !bits.is_multiple_of(5) {
        return;
    }
    let (kind, image, color) = match (bits >> 32) % 3 {
        0 => (PickUpKind::Life, &art.plus, theme::GROWTH_EDGE.mix(&theme::TEXT, 0.3)),
        1 => (PickUpKind::Rapid, &art.bolt, theme::PREY),
        _ => (PickUpKind::Shield, &art.shield, theme::FRIEND),
    };
    let place = Transform::from_translation(at.with_z(layer::ACTORS - 1.0));
    let pick_up = (PickUp { kind, left: LIFE }, art.sprite(image, color, 1.7), place);
    commands.spawn((pick_up, SCENE.despawn_on_exit()));
}

/// Gives the player the pick-ups that the tank drives over.
pub(super) fn collect(
    mut pick_ups: Query<(Entity, &mut PickUp, &Transform)>,
    mut players: Query<(&mut Player, &mut Tank, &Transform)>,
    mut game: ResMut<Game>,
    mut notice: ResMut<Notice>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let Ok((mut player, mut tank, you)) = players.single_mut() else { return };
    for (entity, mut pick_up, at) in &mut pick_ups {
        pick_up.left -= time.delta_secs();
        let gap = at.translation.truncate().distance(you.translation.truncate());
        if gap < RADIUS + 0.8 && player.dead_for.is_none() {
            notice.show(give(pick_up.kind, &mut player, &mut tank, &mut game));
            game.award(PICK_UP_POINTS);
            spawn_points_text(&mut commands, at.translation, PICK_UP_POINTS);
        } else if pick_up.left > 0.0 {
            continue;
        }
        commands.entity(entity).despawn();
    }
}

fn give(kind: PickUpKind, player: &mut Player, tank: &mut Tank, game: &mut Game) -> &'static str {
    match kind {
        PickUpKind::Life => {
            (tank.armour, game.lives) = (ARMOUR, game.lives + 1);
            "One more tank, and new armour for this one."
        }
        PickUpKind::Rapid => {
            player.rapid = 10.0;
            "Ten seconds of fast fire."
        }
        PickUpKind::Shield => {
            player.shield = 8.0;
            "Eight seconds under a shield."
        }
    }
}

/// Makes pick-ups pulse, and flicker before they disappear.
pub(super) fn pulse(mut pick_ups: Query<(&PickUp, &mut Transform, &mut Sprite)>) {
    for (pick_up, mut transform, mut sprite) in &mut pick_ups {
        let left = pick_up.left;
        transform.scale = Vec3::splat(1.0 + 0.12 * (left * 4.0).sin());
        let alpha = if left < 3.0 { 0.6 + 0.4 * (left * 12.0).sin() } else { 1.0 };
        sprite.color = sprite.color.with_alpha(alpha);
    }
}
