//! Two kinds of obstacle avoidance: click to send both teams to the pointer.
//!
//! One team casts a single ray ahead, as the tutorials do. The other sweeps its own width, and also avoids other
//! agents. The probes of both teams are drawn.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{AvoidProbe, BehaviorTarget, ObstacleAvoidance},
};

const VOID: Color = Color::srgb_u8(0x0d, 0x11, 0x17);
const STONE: Color = Color::srgb_u8(0x6b, 0x7c, 0x92);
const RAY: Color = Color::srgb_u8(0xff, 0x6f, 0x61);
const SWEEP: Color = Color::srgb_u8(0x58, 0xd6, 0xc4);

const RADIUS: f32 = 12.0; // Of an agent, in world units, which are pixels here.

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(ClearColor(VOID))
        .insert_resource(NavSettings::default().with_up(Vec3::Z)) // flat, though there is no grid
        .add_systems(Startup, setup)
        .add_systems(Update, (send, draw))
        .run();
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    let mut paint = |color: Color| MeshMaterial2d(materials.add(color));
    let (stone, ray, sweep) = (paint(STONE), paint(RAY), paint(SWEEP));
    for i in 0..40_i16 {
        let (column, row) = (f32::from(i % 8), f32::from(i / 8));
        let at = Vec3::new(-385.0 + column * 110.0 + row * 17.0, -240.0 + row * 120.0 + column * 9.0, 0.0);
        let size = 18.0 + f32::from(i * 7 % 23);
        let shape = Mesh2d(meshes.add(Circle::new(size)));
        commands.spawn((Obstacle::sphere(size), shape, stone.clone(), Transform::from_translation(at)));
    }
    let shape = Mesh2d(meshes.add(Circle::new(RADIUS)));
    for i in 0..12_i16 {
        let at = Transform::from_xyz(-600.0 + f32::from(i / 6) * 40.0, -250.0 + f32::from(i % 6) * 90.0, 1.0);
        let agent = Agent { radius: RADIUS, ..Agent::new(150.0) };
        let (avoider, paint) =
            if i % 2 == 0 { (Avoider::ray(90.0), ray.clone()) } else { (Avoider::default(), sweep.clone()) };
        let goal = at.translation.with_x(600.0);
        let goal = Behavior::arrive(goal);
        commands.spawn((agent, avoider, goal, at, shape.clone(), paint));
    }
}

/// Sends every agent to the pointer, side by side.
fn send(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut agents: Query<&mut Behavior>,
) {
    let (camera, eye) = *camera;
    let pointer = window.cursor_position().and_then(|at| camera.viewport_to_world_2d(eye, at).ok());
    let Some(pointer) = pointer.filter(|_| buttons.just_pressed(MouseButton::Left)) else { return };
    for (i, mut behavior) in agents.iter_mut().enumerate() {
        let beside = Vec2::new((i % 4) as f32 - 1.5, (i / 4) as f32 - 1.0) * 3.0 * RADIUS;
        behavior.target = BehaviorTarget::Point((pointer + beside).extend(1.0));
    }
}

/// Draws each agent's probe, and the normal of the surface that it hit.
fn draw(probes: Query<(&AvoidProbe, &Avoider)>, mut gizmos: Gizmos) {
    for (probe, avoider) in &probes {
        let color = if avoider.obstacles == ObstacleAvoidance::Ray { RAY } else { SWEEP };
        gizmos.line(probe.from, probe.from + probe.look, color.with_alpha(0.4));
        if let Some(hit) = probe.hit {
            gizmos.line(hit, hit + probe.normal * 2.0 * RADIUS, color);
        }
    }
}
