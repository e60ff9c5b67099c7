//! Agents among the bodies of a physics engine: avoiders probe avian's colliders, and avian moves the agents, because
//! they have a `RigidBody`.
//!
//! `cargo run --release --example physics --features avian3d`

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::BehaviorTarget};

/// Half the length of the field, in world units.
const FIELD: f32 = 12.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PhysicsPlugins::default(), PathfindPlugins::default()))
        .insert_resource(NavSettings::default().with_up(Vec3::Y))
        .insert_resource(Gravity(Vec3::ZERO))
        .add_systems(Startup, (spawn_camera_and_light, place_obstacles, place_agents))
        .add_systems(Update, turn_back)
        .run();
}

fn spawn_camera_and_light(mut commands: Commands) {
    commands
        .spawn((Camera3d::default(), Transform::from_xyz(0.0, 24.0, 14.0).looking_at(Vec3::ZERO, Vec3::Y)));
    commands.spawn((
        DirectionalLight::default(),
        Transform::from_xyz(4.0, 9.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// Boxes that can be pushed: ordinary bodies of the engine.
fn place_obstacles(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mesh = meshes.add(Cuboid::new(1.6, 1.0, 1.6));
    let material = materials.add(Color::srgb(0.45, 0.48, 0.55));
    for (x, z) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
        let at = Vec3::new(x as f32 * 4.0 + z as f32 * 0.7, 0.0, z as f32 * 3.0);
        commands.spawn((
            RigidBody::Dynamic,
            LockedAxes::new().lock_translation_y().lock_rotation_x().lock_rotation_z(),
            (LinearDamping(4.0), AngularDamping(4.0)),
            Collider::cuboid(1.6, 1.0, 1.6),
            (Mesh3d(mesh.clone()), MeshMaterial3d(material.clone()), Transform::from_translation(at)),
        ));
    }
}

fn place_agents(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mesh = meshes.add(Capsule3d::new(0.35, 0.5));
    let material = materials.add(Color::srgb(0.95, 0.62, 0.25));
    for i in -5..=5 {
        commands.spawn((
            (Agent { radius: 0.35, ..Agent::new(4.0) }, Avoider::contact()),
            Behavior::arrive(Vec3::new(FIELD, 0.0, i as f32 * 1.5)),
            (RigidBody::Dynamic, Collider::sphere(0.35)),
            LockedAxes::new().lock_translation_y().lock_rotation_x().lock_rotation_z(),
            (Mesh3d(mesh.clone()), MeshMaterial3d(material.clone())),
            Transform::from_xyz(-FIELD, 0.0, i as f32 * 1.5),
        ));
    }
}

/// An agent that has arrived goes back to the other side.
fn turn_back(mut agents: Query<(&Transform, &mut Behavior)>) {
    for (transform, mut behavior) in &mut agents {
        if let BehaviorTarget::Point(point) = behavior.target
            && transform.translation.distance(point) < 1.0
        {
            behavior.target = BehaviorTarget::Point(Vec3::new(-point.x, point.y, point.z));
        }
    }
}
