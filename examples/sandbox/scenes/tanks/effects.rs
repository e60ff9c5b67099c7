//! Flashes, explosions, crumbling bricks: pictures that grow or shrink, fade and are gone; and points that rise.

use bevy::prelude::*;

use super::{SCENE, art::Art};
use crate::{ground::layer, theme};

/// Above everybody.
pub(super) const HEIGHT: f32 = layer::ACTORS + 2.0;

/// Something that is soon gone.
#[derive(Component, Debug)]
pub(super) struct Fading {
    age: f32,
    life: f32,
    /// Its side at first and at last, in world units.
    sides: [f32; 2],
    /// Where it flies, in world units per second.
    drift: Vec2,
}

/// Points that have just been won, and rise from where.
#[derive(Component, Debug)]
pub(super) struct Praise {
    pub points: u32,
    pub at: Vec2,
    /// Seconds since.
    pub age: f32,
}

/// How long points are seen, in seconds, and how fast they rise, in world units per second.
pub(super) const PRAISED: f32 = 1.1;
const RISE: f32 = 1.6;
/// How many pieces a brick falls into, and how fast they fly, in world units per second.
const CRUMBS: u32 = 7;
const FLIGHT: f32 = 3.5;

/// A flash, as of a gun.
pub(super) fn flash(commands: &mut Commands, art: &Art, at: Vec3, color: Color) {
    let fading = Fading { age: 0.0, life: 0.14, sides: [0.5, 1.3], drift: Vec2::ZERO };
    commands.spawn((
        fading,
        art.sprite(&art.shell, color, 0.5),
        Transform::from_translation(at.with_z(HEIGHT)),
        SCENE.own(),
    ));
}

/// An explosion: a ring, and a ball of fire inside it.
pub(super) fn explode(commands: &mut Commands, art: &Art, at: Vec3, color: Color) {
    for (image, life, sides) in [(&art.shell, 0.35, [1.0, 3.0]), (&art.ring, 0.6, [1.0, 6.0])] {
        let place = Transform::from_translation(at.with_z(HEIGHT));
        let fading = Fading { age: 0.0, life, sides, drift: Vec2::ZERO };
        commands.spawn((fading, art.sprite(image, color, 1.0), place, SCENE.own()));
    }
}

/// Bricks that fall to pieces, away from what has struck them.
pub(super) fn crumble(commands: &mut Commands, art: &Art, at: Vec3, away: Vec2) {
    for i in 0..CRUMBS {
        let turn = (i as f32 / (CRUMBS - 1) as f32 - 0.5) * 2.6;
        let drift = Vec2::from_angle(turn).rotate(away) * FLIGHT * (1.0 + 0.5 * (i * 3 % 4) as f32);
        let fading = Fading { age: 0.0, life: 0.45, sides: [0.7, 0.3], drift };
        let color = if i % 2 == 0 { theme::BRICK_EDGE } else { theme::BRICK };
        let place = Transform::from_translation(at.with_z(HEIGHT));
        commands.spawn((fading, art.sprite(&art.crumb, color, 0.7), place, SCENE.own()));
    }
}

/// Points, where they were won.
pub(super) fn praise(commands: &mut Commands, at: Vec3, points: u32) {
    commands.spawn((Praise { points, at: at.truncate(), age: 0.0 }, SCENE.own()));
}

/// Lets points rise.
pub(super) fn rise(mut praises: Query<(Entity, &mut Praise)>, time: Res<Time>, mut commands: Commands) {
    for (entity, mut praise) in &mut praises {
        praise.age += time.delta_secs();
        praise.at.y += RISE * time.delta_secs();
        if praise.age > PRAISED {
            commands.entity(entity).despawn();
        }
    }
}

/// Lets them grow and fade.
pub(super) fn fade(
    mut fading: Query<(Entity, &mut Fading, &mut Sprite, &mut Transform)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, mut fading, mut sprite, mut place) in &mut fading {
        fading.age += time.delta_secs();
        let share = fading.age / fading.life;
        if share >= 1.0 {
            commands.entity(entity).despawn();
            continue;
        }
        place.translation += (fading.drift * time.delta_secs()).extend(0.0);
        sprite.custom_size = Some(Vec2::splat(fading.sides[0].lerp(fading.sides[1], share.sqrt())));
        sprite.color = sprite.color.with_alpha(0.9 * (1.0 - share));
    }
}
