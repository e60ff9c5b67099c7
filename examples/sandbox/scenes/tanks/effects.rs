//! Flashes and explosions: pictures that grow, fade and are gone.

use bevy::prelude::*;

use super::{SCENE, art::Art};
use crate::ground::layer;

/// Above everybody.
pub(super) const HEIGHT: f32 = layer::ACTORS + 2.0;

/// Something that is soon gone.
#[derive(Component, Debug)]
pub(super) struct Fading {
    age: f32,
    life: f32,
    /// Its side at first and at last, in world units.
    sides: [f32; 2],
}

/// A flash, as of a gun.
pub(super) fn flash(commands: &mut Commands, art: &Art, at: Vec3, color: Color) {
    let fading = Fading { age: 0.0, life: 0.14, sides: [0.5, 1.3] };
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
        commands.spawn((Fading { age: 0.0, life, sides }, art.sprite(image, color, 1.0), place, SCENE.own()));
    }
}

/// Lets them grow and fade.
pub(super) fn fade(
    mut fading: Query<(Entity, &mut Fading, &mut Sprite)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, mut fading, mut sprite) in &mut fading {
        fading.age += time.delta_secs();
        let share = fading.age / fading.life;
        if share >= 1.0 {
            commands.entity(entity).despawn();
            continue;
        }
        sprite.custom_size = Some(Vec2::splat(fading.sides[0].lerp(fading.sides[1], share.sqrt())));
        sprite.color = sprite.color.with_alpha(0.9 * (1.0 - share));
    }
}
