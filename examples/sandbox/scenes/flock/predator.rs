//! The predator: it wanders until the user flies it.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::AgentAvoidance};

use super::{FlockSettings, SCENE};
use crate::{
    keys::Keys,
    orbit::Orbit,
    scene3d::{SceneBuilder, flat},
    theme,
};

#[derive(Component)]
pub(super) struct Predator;

const SPEED: f32 = 17.0;
/// The box in which it wanders: half size and centre.
const RANGE: Vec3 = Vec3::new(52.0, 6.0, 44.0);
const HOME: Vec3 = Vec3::new(0.0, 20.0, 0.0);
/// Keys and the directions that they fly in, as seen on screen: right, up, towards the viewer.
const KEY_DIRECTIONS: [(KeyCode, KeyCode, Vec3); 6] = [
    (KeyCode::KeyW, KeyCode::ArrowUp, Vec3::NEG_Z),
    (KeyCode::KeyS, KeyCode::ArrowDown, Vec3::Z),
    (KeyCode::KeyA, KeyCode::ArrowLeft, Vec3::NEG_X),
    (KeyCode::KeyD, KeyCode::ArrowRight, Vec3::X),
    (KeyCode::KeyE, KeyCode::PageUp, Vec3::Y),
    (KeyCode::KeyQ, KeyCode::PageDown, Vec3::NEG_Y),
];

pub(super) fn spawn(builder: &mut SceneBuilder) -> Entity {
    let (mesh, paint) = (Mesh3d(builder.shared_meshes.bird.clone()), builder.paint(theme::HUNTER));
    builder
        .commands
        .spawn((
            Name::new("Predator"),
            Predator,
            FlockLeader { bound: RANGE, turn_speed: 1.6, ..default() },
            Avoider { walls: false, agents: AgentAvoidance::Ignore, ..default() },
            Agent { radius: 1.2, turn_rate: 5.0, ..Agent::new(SPEED).with_facing(AgentFacing::Forward) },
            Transform::from_translation(HOME),
            Visibility::default(),
            InterpolateTransform::default(),
            SCENE.despawn_on_exit(),
        ))
        .with_child((mesh, paint, Transform::from_scale(Vec3::splat(3.6))))
        .id()
}

/// Flies the predator by keys, relative to the camera.
pub(super) fn fly(
    predators: Query<(Entity, &Agent, Has<ManualVelocity>), With<Predator>>,
    camera: Query<&Transform, With<Orbit>>,
    keys: Keys,
    mut commands: Commands,
) {
    let yaw = camera.single().map_or(0.0, |camera| camera.rotation.to_euler(EulerRot::YXZ).0);
    let direction = Quat::from_rotation_y(yaw) * keys.direction(&KEY_DIRECTIONS);
    for (predator, agent, is_driven) in &predators {
        if direction != Vec3::ZERO {
            commands.entity(predator).try_insert(ManualVelocity(direction * agent.speed));
        } else if is_driven {
            commands.entity(predator).try_remove::<ManualVelocity>();
        }
    }
}

/// Draws the distance at which birds flee.
pub(super) fn show(
    predators: Query<&Transform, With<Predator>>,
    settings: Res<FlockSettings>,
    mut gizmos: Gizmos,
) {
    for at in &predators {
        let color = theme::HUNTER.with_alpha(0.35);
        gizmos.circle(Isometry3d::new(at.translation, flat()), settings.flee_distance, color).resolution(48);
    }
}
