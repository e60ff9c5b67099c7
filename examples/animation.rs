//! Animation by speed and heading: figures take steps as long as their speed asks for, lean into turns, and are told when
//! they set off and when they stop.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

/// How far a figure goes with two steps, in world units.
const STRIDE: f32 = 1.6;
/// Below this speed a figure stands, in world units per second.
const STANDING: f32 = 0.05;

/// The walk of a figure.
#[derive(Component, Default)]
pub(crate) struct Walk {
    /// Where it is between two steps: from 0 to 1, and then from 0 again.
    pub(crate) phase: f32,
    pub(crate) is_walking: bool,
}

/// A figure sets off, or has stopped.
#[derive(EntityEvent)]
pub(crate) struct Gait {
    pub(crate) entity: Entity,
    pub(crate) is_walking: bool,
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .add_systems(Update, (walk, pose).chain())
        .add_observer(|gait: On<Gait>, mut looks: Query<&mut Sprite>| {
            if let Ok(mut sprite) = looks.get_mut(gait.entity) {
                sprite.color =
                    if gait.is_walking { Color::srgb(0.35, 0.84, 0.77) } else { Color::srgb(0.6, 0.6, 0.65) };
            }
        });
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.03))));
    commands.spawn((
        NavGrid::new(Grid::new(36, 20).expect("it is small")),
        Transform::from_xyz(-18.0, -10.0, 0.0),
    ));
    for i in 0..6 {
        let y = i as f32 * 3.0 - 7.5;
        let queue = GoalQueue::patrol([Vec3::new(14.0, y, 0.0), Vec3::new(-14.0, -y, 0.0)]).with_wait(1.5);
        let body = Agent::with_speed(1.5 + i as f32).with_facing(Facing::Right);
        let look = Sprite::from_color(Color::srgb(0.6, 0.6, 0.65), Vec2::new(0.9, 0.6));
        commands.spawn((
            body,
            Avoider::reciprocal(),
            queue,
            Walk::default(),
            look,
            Transform::from_xyz(-14.0, -y, 0.0),
        ));
    }
}

/// The phase follows the way that the body has made, so that feet do not slide.
fn walk(mut figures: Query<(Entity, &AgentVelocity, &mut Walk)>, time: Res<Time>, mut commands: Commands) {
    for (entity, &AgentVelocity(velocity), mut walk) in &mut figures {
        let speed = velocity.length();
        walk.phase = (walk.phase + speed * time.delta_secs() / STRIDE).fract();
        let is_walking = speed > STANDING;
        if walk.is_walking != is_walking {
            walk.is_walking = is_walking;
            commands.trigger(Gait { entity, is_walking });
        }
    }
}

/// The body bobs twice with each stride.
fn pose(mut figures: Query<(&Walk, &mut Sprite)>) {
    for (walk, mut sprite) in &mut figures {
        let bob =
            (walk.phase * 2.0 * core::f32::consts::TAU).sin() * if walk.is_walking { 0.12 } else { 0.0 };
        sprite.custom_size = Some(Vec2::new(0.9, 0.6 + bob));
    }
}
