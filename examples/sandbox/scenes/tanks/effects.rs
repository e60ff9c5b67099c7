//! Visual effects: flashes, explosions, crumbling bricks and tracks are sprites that change size and fade; points
//! rise; the picture shakes.

use bevy::{math::ops, prelude::*};

use super::{
    SCENE,
    art::Art,
    tank::{SIDE, Tank},
};
use crate::{grid_picture::layer, theme, view::View};

/// Z coordinate of effects above the tanks.
pub(super) const HEIGHT: f32 = layer::ACTORS + 2.0;
/// Z coordinate of effects on the ground.
const FLAT: f32 = layer::CELLS + 0.2;

/// A sprite that fades and is despawned.
#[derive(Component, Debug)]
pub(super) struct Fading {
    age: f32,
    life: f32,
    /// Its side at the beginning and at the end, in world units.
    sides: [f32; 2],
    /// Its opacity at the beginning.
    alpha: f32,
    /// Its velocity, in world units per second.
    drift: Vec2,
}

/// The amplitude by which an effect shakes the picture, in logical pixels.
#[derive(Component, Debug)]
pub(super) struct ScreenShake(f32);

/// Where a tank left its last track mark.
#[derive(Component, Debug, Default)]
pub(super) struct LastTrackMark(Vec2);

/// Points that were just won, as a text that rises.
#[derive(Component, Debug)]
pub(super) struct PointsText {
    pub points: u32,
    pub at: Vec2,
    /// Seconds since they were won.
    pub age: f32,
}

/// How long the text is shown, in seconds, and how fast it rises, in world units per second.
pub(super) const POINTS_SHOWN: f32 = 1.1;
const RISE: f32 = 1.6;
/// Number of pieces of a brick, and their speed, in world units per second.
const CRUMBS: u32 = 7;
const FLIGHT: f32 = 3.5;
/// Numbers of sparks and clouds of an explosion.
const SPARKS: u32 = 12;
const CLOUDS: u32 = 7;
/// Distance between track marks, in world units, and how long they are shown, in seconds.
const STRIDE: f32 = 0.55;
const TRACKED: f32 = 5.0;
/// How long the scorch mark of an explosion is shown, in seconds.
const SCORCHED: f32 = 9.0;
/// The largest amplitude of shaking, in logical pixels.
const MAX_SHAKE: f32 = 6.0;

impl Fading {
    /// An effect with this lifetime in seconds, from one side to another.
    const fn over(life: f32, sides: [f32; 2]) -> Self {
        Self { age: 0.0, life, sides, alpha: 0.9, drift: Vec2::ZERO }
    }

    const fn with_alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    const fn with_drift(self, drift: Vec2) -> Self {
        Self { drift, ..self }
    }

    /// The effect as a sprite that points along `direction`.
    fn picture(
        self,
        art: &Art,
        image: &Handle<Image>,
        color: Color,
        at: Vec3,
        direction: Vec2,
    ) -> impl Bundle {
        let sprite = art.sprite(image, color.with_alpha(self.alpha), self.sides[0]);
        let place =
            Transform::from_translation(at).with_rotation(Quat::from_rotation_z(direction.to_angle()));
        (self, sprite, place, SCENE.despawn_on_exit())
    }
}

/// The i-th of several directions, and a number from 1 to 2: spread out, but not evenly.
fn scattered(i: u32, of: u32) -> (Vec2, f32) {
    let turn = (i as f32 + 0.3 * (i * 7 % 5) as f32) / of as f32 * core::f32::consts::TAU;
    (Vec2::from_angle(turn), 1.0 + (i * 5 % 7) as f32 / 6.0)
}

/// A flash where a tank appears.
pub(super) fn flash(commands: &mut Commands, art: &Art, at: Vec3, color: Color) {
    let at = at.with_z(HEIGHT);
    commands.spawn(Fading::over(0.5, [1.0, 4.0]).picture(art, &art.ring, color, at, Vec2::X));
    commands.spawn(Fading::over(0.4, [3.0, 1.0]).picture(art, &art.glow, color, at, Vec2::X));
}

/// The flame and smoke of a shot.
pub(super) fn muzzle(commands: &mut Commands, art: &Art, at: Vec3, direction: Vec2, color: Color) {
    let at = at.with_z(HEIGHT);
    let flame = Fading::over(0.1, [1.5, 2.1]);
    commands.spawn(flame.picture(art, &art.flame, color.mix(&theme::PREY, 0.5), at, direction));
    for i in 0..3 {
        let drift = Vec2::from_angle((i as f32 - 1.0) * 0.5).rotate(direction) * (1.2 + 0.5 * i as f32);
        let smoke = Fading::over(0.55, [0.5, 1.5]).with_alpha(0.35).with_drift(drift);
        commands.spawn(smoke.picture(art, &art.glow, theme::QUIET, at, direction));
    }
}

/// A shell that hits something hard: a flash, and sparks that fly back.
pub(super) fn strike(commands: &mut Commands, art: &Art, at: Vec3, back: Vec2, color: Color) {
    let at = at.with_z(HEIGHT);
    commands.spawn(Fading::over(0.16, [0.8, 1.7]).picture(art, &art.glow, color, at, back));
    for i in 0..5 {
        let direction = Vec2::from_angle((i as f32 - 2.0) * 0.45).rotate(back);
        let drift = direction * (4.0 + 1.5 * (i * 3 % 4) as f32);
        let spark = Fading::over(0.25, [0.34, 0.12]).with_drift(drift);
        commands.spawn(spark.picture(art, &art.shell, color.mix(&theme::PREY, 0.4), at, direction));
    }
}

/// A tank that is hit lights up.
pub(super) fn light_up(commands: &mut Commands, art: &Art, tank: Entity) {
    let light = Fading::over(0.2, [SIDE, SIDE]);
    let above = Vec3::Z * 0.6;
    commands.entity(tank).with_child(light.picture(art, &art.hull, Color::WHITE, above, Vec2::X));
}

/// An explosion: fire, a ring, sparks, smoke, and a scorch mark. It shakes the picture.
pub(super) fn explode(commands: &mut Commands, art: &Art, at: Vec3, color: Color) {
    let (above, ground) = (at.with_z(HEIGHT), at.with_z(FLAT));
    let scorch = Fading::over(SCORCHED, [3.4, 3.4]).with_alpha(0.55);
    commands.spawn(scorch.picture(art, &art.glow, theme::VOID, ground, Vec2::X));
    for i in 0..CLOUDS {
        let (direction, much) = scattered(i, CLOUDS);
        let cloud =
            Fading::over(0.6 + 0.3 * much, [1.0, 2.4]).with_alpha(0.4).with_drift(direction * 1.3 * much);
        commands.spawn(cloud.picture(art, &art.glow, theme::WALL, above, direction));
    }
    for (paint, life, sides) in
        [(color, 0.45, [1.6, 5.0]), (theme::PREY, 0.35, [1.4, 3.6]), (theme::TEXT, 0.2, [1.4, 2.2])]
    {
        commands.spawn(Fading::over(life, sides).picture(art, &art.glow, paint, above, Vec2::X));
    }
    commands.spawn((
        Fading::over(0.5, [1.0, 6.0]).picture(art, &art.ring, color, above, Vec2::X),
        ScreenShake(5.0),
    ));
    for i in 0..SPARKS {
        let (direction, much) = scattered(i, SPARKS);
        let spark = Fading::over(0.3 + 0.12 * much, [0.42, 0.1]).with_drift(direction * 5.0 * much);
        let paint = if i % 3 == 0 { color } else { theme::PREY };
        commands.spawn(spark.picture(art, &art.shell, paint, above, direction));
    }
}

/// Pieces of a brick that fly away from the hit, and dust.
pub(super) fn crumble(commands: &mut Commands, art: &Art, at: Vec3, away: Vec2) {
    let at = at.with_z(HEIGHT);
    for i in 0..CRUMBS {
        let turn = (i as f32 / (CRUMBS - 1) as f32 - 0.5) * 2.6;
        let direction = Vec2::from_angle(turn).rotate(away);
        let drift = direction * FLIGHT * (1.0 + 0.5 * (i * 3 % 4) as f32);
        let color = if i % 2 == 0 { theme::BRICK_EDGE } else { theme::BRICK };
        let crumb = Fading::over(0.45, [0.7, 0.3]).with_drift(drift);
        commands.spawn(crumb.picture(art, &art.crumb, color, at, direction));
    }
    let dust = Fading::over(0.7, [1.2, 3.2]).with_alpha(0.35).with_drift(away * 0.8);
    commands.spawn(dust.picture(art, &art.glow, theme::BRICK_EDGE, at, away));
}

/// Leaves track marks behind tanks.
pub(super) fn leave_track_marks(
    mut tanks: Query<(&Transform, &mut LastTrackMark), With<Tank>>,
    art: Res<Art>,
    mut commands: Commands,
) {
    for (at, mut last_mark) in &mut tanks {
        let here = at.translation.truncate();
        let direction = here - last_mark.0;
        if direction.length() < STRIDE {
            continue;
        }
        last_mark.0 = here;
        // A tank that was just placed leaves no mark for that move.
        if direction.length() < 3.0 * STRIDE {
            let mark = Fading::over(TRACKED, [SIDE, SIDE]).with_alpha(0.4);
            let ahead = (at.rotation * Vec3::X).truncate();
            commands.spawn(mark.picture(&art, &art.tread, theme::VOID, at.translation.with_z(FLAT), ahead));
        }
    }
}

/// Shakes the picture while a shaking effect is visible.
pub(super) fn shake(shakes: Query<(&Fading, &ScreenShake)>, time: Res<Time>, mut view: ResMut<View>) {
    let left = |fading: &Fading| (1.0 - fading.age / fading.life).max(0.0);
    let strength: f32 = shakes.iter().map(|(fading, shake)| shake.0 * left(fading) * left(fading)).sum();
    if strength > 0.0 {
        let at = time.elapsed_secs();
        view.jolt = Vec2::new(ops::sin(at * 71.0), ops::sin(at * 53.0 + 1.0)) * strength.min(MAX_SHAKE);
    }
}

/// Shows points where they were won.
pub(super) fn spawn_points_text(commands: &mut Commands, at: Vec3, points: u32) {
    commands.spawn((PointsText { points, at: at.truncate(), age: 0.0 }, SCENE.despawn_on_exit()));
}

/// Moves the texts of points up, and removes old ones.
pub(super) fn raise_points_texts(
    mut texts: Query<(Entity, &mut PointsText)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, mut text) in &mut texts {
        text.age += time.delta_secs();
        text.at.y += RISE * time.delta_secs();
        if text.age > POINTS_SHOWN {
            commands.entity(entity).despawn();
        }
    }
}

/// Changes size and opacity of effects, and removes old ones.
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
        sprite.color = sprite.color.with_alpha(fading.alpha * (1.0 - share));
    }
}
