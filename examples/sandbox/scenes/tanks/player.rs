//! The player's tank: driven by keys, aimed with the pointer.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{
    art::Art,
    shells::Side,
    tank::{self, Tank},
};
use crate::{drive::KeyboardControl, keys::Keys, pointer::Pointer, theme, view::View};

/// The player's tank.
#[derive(Component, Debug, Default)]
pub(super) struct Player {
    /// Remaining seconds of invulnerability.
    pub shield: f32,
    /// Remaining seconds of fast fire.
    pub rapid: f32,
    /// Seconds until it comes back, while it is destroyed.
    pub dead_for: Option<f32>,
}

/// Hits that the player's tank can take.
pub(super) const ARMOUR: u32 = 3;
/// How long the player's tank stays destroyed, in seconds.
pub(super) const REVIVAL: f32 = 2.5;
/// Speed of the player's tank, in world units per second.
const SPEED: f32 = 7.5;
/// Seconds between two shells, normally and with fast fire.
const RELOAD: [f32; 2] = [0.42, 0.18];

pub(super) fn spawn(commands: &mut Commands, art: &Art, kind: KindId, at: Vec3) {
    let tank =
        Tank { armour: ARMOUR, reload: 0.0, fired: RELOAD[0], aim: core::f32::consts::FRAC_PI_2, turn: 9.0 };
    let player = Player { shield: 3.0, ..Player::default() };
    let body = tank::bundle(art, kind, at, SPEED, theme::FRIEND);
    commands.spawn((Name::new("You"), player, tank, KeyboardControl::default())).insert(body);
}

/// Turns the gun to the pointer, and fires while the button or the key is down.
pub(super) fn aim_and_fire(
    mut players: Query<(&mut Player, &mut Tank, &Transform)>,
    pointer: Res<Pointer>,
    keys: Keys,
    time: Res<Time>,
    mut commands: Commands,
    art: Res<Art>,
) {
    let dt = time.delta_secs();
    let fires = pointer.is_dragging(MouseButton::Left) || keys.any_pressed([KeyCode::KeyF]);
    for (mut player, mut tank, at) in &mut players {
        player.shield = (player.shield - dt).max(0.0);
        player.rapid = (player.rapid - dt).max(0.0);
        tank.turn_to(pointer.world - at.translation.truncate(), dt);
        if fires && tank.reload == 0.0 && player.dead_for.is_none() {
            let reload = RELOAD[usize::from(player.rapid > 0.0)];
            tank.fire(&mut commands, &art, at.translation, Side::Ours, reload);
        }
    }
}

/// Brings the destroyed tank back to its start.
pub(super) fn revive(
    mut players: Query<(Entity, &mut Player, &mut Tank)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, mut player, mut tank) in &mut players {
        let Some(left) = player.dead_for else { continue };
        let left = left - time.delta_secs();
        player.dead_for = (left > 0.0).then_some(left);
        if player.dead_for.is_none() {
            tank.armour = ARMOUR;
            (player.shield, player.rapid) = (4.0, 0.0);
            commands.entity(entity).insert(Visibility::Inherited);
        }
    }
}

/// Draws the shield, and a cross at the aim.
pub(super) fn show_aim(
    players: Query<(&Player, &Transform)>,
    pointer: Res<Pointer>,
    view: Res<View>,
    mut gizmos: Gizmos,
) {
    for (player, at) in players.iter().filter(|(player, _)| player.dead_for.is_none()) {
        let at = at.translation.truncate();
        if player.shield > 0.0 {
            let strength = (player.shield / 2.0).min(1.0) * 0.8;
            gizmos.circle_2d(at, 1.5, theme::FRIEND.with_alpha(strength)).resolution(40);
        }
        if !pointer.is_over_panel {
            let color = if player.rapid > 0.0 { theme::PREY } else { theme::TEXT };
            gizmos.circle_2d(pointer.world, 7.0 * view.scale, color.with_alpha(0.8)).resolution(24);
            gizmos.cross_2d(pointer.world, 10.0 * view.scale, color);
        }
    }
}
