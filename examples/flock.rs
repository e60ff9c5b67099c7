//! A flock behind a wandering leader, in three dimensions. Space changes to the next of four sets of
//! flock settings.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::FlockStats};

/// Number of followers.
const COUNT: u32 = 300;

const SKY: Color = Color::srgb_u8(0x0d, 0x11, 0x17);
const LEADER: Color = Color::srgb_u8(0xff, 0xd1, 0x66);
const MATE: Color = Color::srgb_u8(0x58, 0xd6, 0xc4);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(ClearColor(SKY))
        .add_systems(Startup, setup)
        .add_systems(Update, (change, read))
        .run();
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let eye = Transform::from_xyz(0.0, 45.0, 95.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
    commands.spawn((DirectionalLight::default(), eye));
    commands.spawn((Text::default(), Node { margin: UiRect::all(px(12)), ..default() }));

    // A cone that points along -Z, as models do.
    let cone = Cone::new(0.35, 1.4).mesh().build().rotated_by(Quat::from_rotation_x(-90_f32.to_radians()));
    let cone = Mesh3d(meshes.add(cone));
    let mut paint = |color: Color| MeshMaterial3d(materials.add(color));
    let (gold, green) = (paint(LEADER), paint(MATE));
    let body = |speed| Agent::new(speed).with_facing(AgentFacing::Forward);

    let leader = commands.spawn((FlockLeader::default(), body(8.0), cone.clone(), gold)).id();
    for i in 0..COUNT {
        // Points spread over a ball, by multiples of the golden angle.
        let (turn, far) = (i as f32 * 2.399_963, (i as f32 / COUNT as f32).cbrt() * 12.0);
        let at = Vec3::new(turn.cos(), (turn * 0.7).sin(), turn.sin()) * far;
        let mate = (Flock::default(), FlockOf(leader), body(40.0), Transform::from_translation(at));
        commands.spawn((mate, cone.clone(), MeshMaterial3d(green.0.clone())));
    }
}

fn change(keys: Res<ButtonInput<KeyCode>>, mut flock: Query<&mut Flock>, mut preset: Local<usize>) {
    if keys.just_pressed(KeyCode::Space) {
        *preset = (*preset + 1) % 4;
        let settings = [Flock::default(), Flock::seagull(), Flock::unity_flock(), Flock::reynolds()][*preset];
        flock.iter_mut().for_each(|mut flock| *flock = settings);
    }
}

fn read(flock: Single<&FlockStats>, mut text: Single<&mut Text>) {
    let &FlockStats { polarization, nearest, gyration, .. } = *flock;
    text.0 = format!(
        "polarization {polarization:.2}   nearest {nearest:.1}   gyration {gyration:.1}\nSpace: the next settings"
    );
}
