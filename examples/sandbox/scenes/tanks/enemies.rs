//! Enemies: they follow paths in four directions, and fire at what they see.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Directions, PathOutcome},
    prelude::*,
};

use super::{
    arena::Field,
    art::Art,
    game::{Game, TanksSettings},
    player::Player,
    shells::Side,
    tank::{self, Tank},
};
use crate::{actors::remaining_length, theme};

/// The breed of an enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breed {
    /// Hunts the player.
    Hunter,
    /// Attacks the base.
    Raider,
    /// Hunts the player, slowly, with thick armour.
    Heavy,
}

/// An enemy, and its plan.
#[derive(Component, Debug)]
#[require(PathStatus)]
pub(super) struct Enemy {
    breed: Breed,
    /// Seconds until its next decision.
    next_decision_in: f32,
    /// The goal of its request, and the revision of the map then.
    sent: Option<(Vec3, u64)>,
    /// The length of its path when the map changed, in cells.
    old_length: Option<f32>,
}

/// Seconds between two decisions.
const DECISION_INTERVAL: f32 = 0.5;
/// Range of sight, in world units.
const SIGHT: f32 = 24.0;
/// An enemy stops within this distance of what it fires at, in world units.
const NEAR: f32 = 8.0;
/// A goal that has moved farther than this gets a new request, in world units.
const GOAL_TOLERANCE: f32 = 3.0;

impl Breed {
    /// The breed of the next enemy of a wave.
    pub(super) fn of(wave: u32, random: u32) -> Self {
        match (wave, random % 6) {
            (2.., 0 | 1) => Self::Raider,
            (3.., 2) => Self::Heavy,
            _ => Self::Hunter,
        }
    }

    /// Its armour, its speed in world units per second, the points for it, and its colour.
    const fn traits(self) -> (u32, f32, u32, Color) {
        match self {
            Self::Hunter => (1, 5.0, 100, theme::HUNTER),
            Self::Raider => (1, 5.5, 150, theme::OPENED),
            Self::Heavy => (4, 3.0, 300, theme::CLOSED[1]),
        }
    }
}

impl Enemy {
    /// The points for destroying it, and its colour.
    pub(super) const fn reward(&self) -> (u32, Color) {
        let (_, _, points, color) = self.breed.traits();
        (points, color)
    }
}

/// Spawns an enemy at a gate.
pub(super) fn spawn(
    commands: &mut Commands,
    art: &Art,
    kind: KindId,
    at: Vec3,
    (breed, number, fierceness): (Breed, u32, f32),
) {
    let (armour, speed, _, color) = breed.traits();
    let speed = speed * fierceness.max(0.1).sqrt();
    let enemy = Enemy { breed, next_decision_in: 0.1, sent: None, old_length: None };
    let tank =
        Tank { armour, reload: 1.0, fired: 1.0, aim: -core::f32::consts::FRAC_PI_2, turn: 3.0 * fierceness };
    commands
        .spawn((Name::new(format!("Enemy {number}")), enemy, tank))
        .insert(tank::bundle(art, kind, at, speed, color));
}

/// Search options for streets: four directions, without straightening.
fn in_streets() -> SearchOptions {
    SearchOptions { directions: Directions::Four, straighten: false, ..SearchOptions::default() }
}

/// Requests new paths for enemies whose goal has moved, and for all when the map has changed.
pub(super) fn request_paths(
    mut enemies: Query<(Entity, &mut Enemy, &Transform, &PathStatus, Option<&NavPath>)>,
    players: Query<(&Player, &Transform)>,
    field: Field,
    time: Res<Time>,
    mut commands: Commands,
) {
    let (Ok((player, you)), Some(base)) = (players.single(), field.base()) else { return };
    let revision = field.revision();
    for (entity, mut enemy, at, status, path) in &mut enemies {
        enemy.next_decision_in -= time.delta_secs();
        if enemy.next_decision_in > 0.0 {
            continue;
        }
        enemy.next_decision_in = DECISION_INTERVAL;
        // Nobody waits where the player will come back.
        let hunts = enemy.breed != Breed::Raider && player.dead_for.is_none();
        let goal = if hunts { you.translation } else { base };
        let is_there = goal.distance(at.translation) < NEAR && field.is_clear(at.translation, goal);
        if is_there && player.dead_for.is_none() {
            commands.entity(entity).remove::<PathRequest>();
            enemy.sent = None;
            continue;
        }
        let is_idle = matches!(status, PathStatus::Idle);
        let is_old = enemy.sent.is_none_or(|(to, map)| map != revision || to.distance(goal) > GOAL_TOLERANCE);
        if is_idle || is_old {
            let knows_old_map =
                enemy.sent.is_some_and(|(to, map)| map != revision && to.distance(goal) <= GOAL_TOLERANCE);
            enemy.old_length =
                path.filter(|_| knows_old_map).map(|path| remaining_length(at.translation, path));
            enemy.sent = Some((goal, revision));
            commands.entity(entity).insert(PathRequest::to(goal).with_options(in_streets()));
        }
    }
}

/// The distance at which an enemy waits behind another, in world units.
const GAP: f32 = 2.4;

/// Stops enemies behind another one. Of two that face each other, the one with the smaller entity index goes on.
///
/// A waiting tank holds its position; its top speed stays unchanged, because that is a setting, which the tuning panel
/// edits.
pub(super) fn stop_behind_others(
    enemies: Query<(Entity, &Transform, Has<HoldPosition>), With<Enemy>>,
    mut commands: Commands,
) {
    let places: Vec<_> =
        enemies.iter().map(|(entity, at, _)| (entity, at.translation, at.rotation * Vec3::X)).collect();
    for (entity, at, holds) in &enemies {
        let (here, ahead) = (at.translation, at.rotation * Vec3::X);
        let blocks = |&(other, there, their_direction): &(Entity, Vec3, Vec3)| {
            let offset = there - here;
            let is_ahead = offset.length() < GAP && offset.dot(ahead) > 0.5 * offset.length();
            let faces_us = -offset.dot(their_direction) > 0.5 * offset.length();
            other != entity && is_ahead && (!faces_us || other.index_u32() < entity.index_u32())
        };
        let is_blocked = places.iter().any(blocks);
        if is_blocked && !holds {
            commands.entity(entity).try_insert(HoldPosition);
        } else if holds && !is_blocked {
            commands.entity(entity).try_remove::<HoldPosition>();
        }
    }
}

/// Counts enemies that have a shorter path since a wall was destroyed.
pub(super) fn count_short_cut(
    found: On<PathFound>,
    mut enemies: Query<(&mut Enemy, &NavPath, &Transform)>,
    mut game: ResMut<Game>,
) {
    let Ok((mut enemy, path, at)) = enemies.get_mut(found.entity) else { return };
    let now = remaining_length(at.translation, path);
    if let Some(before) = enemy.old_length.take().filter(|before| before - now > 2.0)
        && found.outcome == PathOutcome::Complete
    {
        game.short_cuts += 1;
        game.saved = game.saved.max(before - now);
    }
}

/// Aims and fires: at the player or the base if in sight, else at what blocks the path.
pub(super) fn aim_and_fire(
    mut enemies: Query<(&Enemy, &mut Tank, &Transform, &AgentVelocity, &PathStatus), Without<Player>>,
    players: Query<(&Player, &Transform)>,
    field: Field,
    settings: Res<TanksSettings>,
    mut game: ResMut<Game>,
    (time, art): (Res<Time>, Res<Art>),
    mut commands: Commands,
) {
    let (Ok((player, you)), Some(base)) = (players.single(), field.base()) else { return };
    for (enemy, mut tank, at, velocity, status) in &mut enemies {
        let here = at.translation;
        let sees = |target: Vec3| target.distance(here) < SIGHT && field.is_clear(here, target);
        let (you, is_alive) = (you.translation, player.dead_for.is_none());
        let target = if sees(base) && (enemy.breed == Breed::Raider || !sees(you)) {
            Some(base)
        } else if is_alive && sees(you) {
            Some(you)
        } else {
            // A path that ends at a wall: fire at the wall in the direction of the goal.
            let goal = if enemy.breed == Breed::Raider { base } else { you };
            matches!(status, PathStatus::Arrived | PathStatus::EndedShort(_)).then_some(goal)
        };
        let ahead = if velocity.0 == Vec3::ZERO { Vec2::from_angle(tank.aim) } else { velocity.0.truncate() };
        let direction = target.map_or(ahead, |target| (target - here).truncate());
        let off = tank.turn_to(direction, time.delta_secs());
        if target.is_some() && off < 0.06 && tank.reload == 0.0 {
            let pause = (1.3 + 0.8 * game.rng.unit()) / settings.fierceness.max(0.1);
            tank.fire(&mut commands, &art, here, Side::Theirs, pause);
        }
    }
}
