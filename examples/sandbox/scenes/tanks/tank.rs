//! Common parts of all tanks: armour, a gun, a turret that turns.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{AgentAvoidance, ObstacleAvoidance},
};

use super::{
    SCENE,
    arena::{Field, RADIUS},
    art::Art,
    effects::{LastTrackMark, explode, spawn_points_text},
    enemies::Enemy,
    game::Game,
    pickups,
    player::{Player, REVIVAL},
    shells::{self, Side},
};
use crate::theme;

/// A tank.
#[derive(Component, Debug)]
pub(super) struct Tank {
    /// Hits that it can still take.
    pub armour: u32,
    /// Seconds until it can fire again.
    pub reload: f32,
    /// Seconds since it last fired.
    pub fired: f32,
    /// Direction of the gun, in radians from +X in the world.
    pub aim: f32,
    /// Turn rate of the gun, in radians per second.
    pub turn: f32,
}

/// The turret of a tank, a child that turns independently.
#[derive(Component)]
pub(super) struct Turret;

/// The side of a tank's picture, in world units.
pub(super) const SIDE: f32 = RADIUS * 2.3;

/// Length of a turret's recoil, in world units, and its duration, in seconds.
const RECOIL: f32 = 0.22;
const RECOVERY: f32 = 0.2;

impl Tank {
    /// Turns the gun towards a direction; returns the remaining angle, in radians.
    pub(super) fn turn_to(&mut self, direction: Vec2, dt: f32) -> f32 {
        if direction.length_squared() < 1e-6 {
            return 0.0;
        }
        let off = Vec2::from_angle(self.aim).angle_to(direction);
        self.aim += off.clamp(-self.turn * dt, self.turn * dt);
        Vec2::from_angle(self.aim).angle_to(direction).abs()
    }

    /// Fires, and needs `reload` seconds until the next shell.
    pub(super) fn fire(&mut self, commands: &mut Commands, art: &Art, at: Vec3, side: Side, reload: f32) {
        (self.reload, self.fired) = (reload, 0.0);
        let direction = Vec2::from_angle(self.aim);
        shells::spawn(commands, art, at + (direction * RADIUS).extend(0.0), direction, side);
    }
}

/// A tank of this speed and colour.
pub(super) fn bundle(art: &Art, kind: KindId, at: Vec3, speed: f32, color: Color) -> impl Bundle {
    let agent = Agent { radius: RADIUS, turn_rate: 7.0, kind, ..Agent::new(speed) };
    let turret = art.sprite(&art.turret, color.mix(&theme::TEXT, 0.4), SIDE);
    // It avoids neither obstacles nor agents, but contacts keep tanks from driving through each other.
    let bumper = Avoider { obstacles: ObstacleAvoidance::Off, agents: AgentAvoidance::Contact, ..default() };
    (
        (agent.with_facing(AgentFacing::Right), bumper),
        LastTrackMark::default(),
        InterpolateTransform::default().with_jump(3.0),
        art.sprite(&art.hull, color, SIDE),
        Transform::from_translation(at),
        children![(Turret, turret, Transform::from_xyz(0.0, 0.0, 0.5))],
        SCENE.despawn_on_exit(),
    )
}

/// Advances the reload times of guns.
pub(super) fn reload(mut tanks: Query<&mut Tank>, time: Res<Time>) {
    for mut tank in &mut tanks {
        tank.reload = (tank.reload - time.delta_secs()).max(0.0);
        tank.fired += time.delta_secs();
    }
}

/// Turns turrets to the direction of their guns, independently of the hulls, and applies recoil.
pub(super) fn turn_turrets(
    tanks: Query<(&Tank, &Transform), Without<Turret>>,
    mut turrets: Query<(&ChildOf, &mut Transform), With<Turret>>,
) {
    for (hull, mut turret) in &mut turrets {
        if let Ok((tank, place)) = tanks.get(hull.parent()) {
            turret.rotation = place.rotation.inverse() * Quat::from_rotation_z(tank.aim);
            let back = RECOIL * (1.0 - tank.fired / RECOVERY).clamp(0.0, 1.0);
            turret.translation = (turret.rotation * Vec3::NEG_X * back).with_z(turret.translation.z);
        }
    }
}

/// Draws a dash for each remaining hit, over enemies that take more than one.
pub(super) fn show_armour(tanks: Query<(&Tank, &Transform), With<Enemy>>, mut gizmos: Gizmos) {
    let (dash, step) = (Vec2::X * 0.36, Vec2::X * 0.5);
    for (tank, at) in tanks.iter().filter(|(tank, _)| tank.armour > 1) {
        let first = at.translation.truncate() + Vec2::Y * 1.5 - step * (tank.armour - 1) as f32 / 2.0;
        for i in 0..tank.armour {
            let middle = first + step * i as f32;
            gizmos.line_2d(middle - dash / 2.0, middle + dash / 2.0, theme::TEXT);
        }
    }
}

/// Destroys tanks without armour.
pub(super) fn destroy_tanks(
    tanks: Query<(Entity, &Tank, &Transform, Option<&Enemy>), Changed<Tank>>,
    enemies: Query<&Transform, With<Enemy>>,
    mut players: Query<&mut Player>,
    mut game: ResMut<Game>,
    field: Field,
    mut commands: Commands,
    art: Res<Art>,
) {
    for (entity, tank, at, enemy) in &tanks {
        if tank.armour > 0 {
            continue;
        }
        if let Some(enemy) = enemy {
            let (points, color) = enemy.reward();
            explode(&mut commands, &art, at.translation, color);
            game.kills += 1;
            game.award(points);
            spawn_points_text(&mut commands, at.translation, points);
            pickups::maybe_drop(&mut commands, &art, &mut game, at.translation);
            commands.entity(entity).despawn();
        } else if let (Ok(mut player), Some(arena)) = (players.get_mut(entity), field.arena())
            && player.dead_for.is_none()
        {
            explode(&mut commands, &art, at.translation, theme::FRIEND);
            game.lives = game.lives.saturating_sub(1);
            player.dead_for = Some(REVIVAL);
            // Hidden, at a start away from the enemies, until it comes back.
            let gap = |start: &Vec3| {
                let gaps = enemies.iter().map(|enemy| enemy.translation.distance(*start));
                gaps.fold(f32::INFINITY, f32::min)
            };
            let start = arena.starts.iter().copied().max_by(|a, b| gap(a).total_cmp(&gap(b)));
            let away = Transform::from_translation(start.unwrap_or_default());
            commands.entity(entity).insert((Visibility::Hidden, away, ManualVelocity::default()));
        }
    }
}
