//! Animation by speed and heading: figures turn to where they go, the phase of their steps follows the distance that
//! they walk, and an event says when a figure sets off or stops.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// The walk cycle of a figure.
#[derive(Component, Default)]
pub(crate) struct Walk {
    /// The phase within a stride, from 0 up to 1.
    pub(crate) phase: f32,
    is_walking: bool,
}

/// A figure sets off, or has stopped.
#[derive(EntityEvent)]
pub(crate) struct Gait {
    entity: Entity,
    pub(crate) is_walking: bool,
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .add_systems(Update, walk)
        .add_observer(|gait: On<Gait>, mut looks: Query<&mut Sprite>| {
            let green = if gait.is_walking { 0.8 } else { 0.6 };
            looks.get_mut(gait.entity).map(|mut look| look.color = Color::srgb(0.5, green, 0.6)).ok();
        });
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(18.0, 10.0, 0.0).with_scale(Vec3::splat(0.03))));
    commands.spawn(NavGrid::new(Grid::new(36, 20).expect("it is small")));
    for (i, y) in (0..6).map(|i| (i as f32, i as f32 * 3.0 + 2.5)) {
        let posts = [Vec3::new(32.5, y, 0.0), Vec3::new(3.5, 20.0 - y, 0.0)];
        let body = (Agent::new(1.5 + i).with_facing(AgentFacing::Right), Avoider::default());
        let look = Sprite::from_color(Color::srgb(0.5, 0.6, 0.6), Vec2::new(0.9, 0.6));
        let at = Transform::from_translation(posts[1]);
        commands.spawn((body, GoalQueue::ping_pong(posts).with_wait(1.5), Walk::default(), look, at));
    }
}

/// A stride is 1.6 units of the distance that the body has moved, so that feet do not slide. The body bobs twice in
/// each stride.
fn walk(
    mut figures: Query<(Entity, &AgentVelocity, &mut Walk, &mut Sprite)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, &AgentVelocity(velocity), mut walk, mut look) in &mut figures {
        walk.phase = (walk.phase + velocity.length() * time.delta_secs() / 1.6).fract();
        let is_walking = velocity.length() > 0.05;
        if core::mem::replace(&mut walk.is_walking, is_walking) != is_walking {
            commands.trigger(Gait { entity, is_walking });
        }
        let bob = if is_walking { 0.12 * (walk.phase * 2.0 * core::f32::consts::TAU).sin() } else { 0.0 };
        look.custom_size = Some(Vec2::new(0.9, 0.6 + bob));
    }
}
