//! From meshes to agents: a level with a bridge over a road is baked in the background, walkers cross over and under
//! the bridge, and a crate slides along the road. Where the crate comes and goes, only its cells are baked again, and
//! walkers whose path it blocks go round it.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

/// Something of the level that moves.
#[derive(Component)]
pub(crate) struct Crate;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, game))
        .add_systems(Startup, look)
        .add_systems(Update, paint)
        .run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { grid: true, links: true, paths: true, agents: true, ..default() })
        .add_systems(Startup, build)
        .add_systems(FixedUpdate, slide.before(NavSystems::World))
        .add_observer(populate);
}

/// Boxes, all below one entity whose `BakeTerrain` makes them geometry of the level, as a scene of glTF would be.
fn build(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
    commands.spawn((NavGridBake::new(Vec3::new(14.0, 4.0, 9.0)), Transform::from_xyz(0.0, 3.5, 0.0)));
    let level = commands.spawn((BakeTerrain::default(), Transform::default(), Visibility::default())).id();
    let mut add = |size: Vec3, at: Transform| {
        commands.spawn((Mesh3d(meshes.add(Cuboid::from_size(size))), at, ChildOf(level))).id()
    };
    add(Vec3::new(28.0, 1.0, 18.0), Transform::from_xyz(0.0, -0.5, 0.0)); // the ground
    add(Vec3::new(6.0, 0.3, 4.0), Transform::from_xyz(0.0, 2.85, 0.0)); // the deck of the bridge
    for side in [-1.0, 1.0] {
        let ramp =
            Transform::from_xyz(7.0 * side, 1.4, 0.0).with_rotation(Quat::from_rotation_z(-0.3588 * side));
        add(Vec3::new(8.544, 0.2, 4.0), ramp);
        add(Vec3::new(0.4, 2.0, 7.0), Transform::from_xyz(5.0 * side, 1.0, 5.5)); // walls along the road
        add(Vec3::new(0.4, 2.0, 7.0), Transform::from_xyz(5.0 * side, 1.0, -5.5));
    }
    let sliding = add(Vec3::new(2.0, 1.5, 2.0), Transform::from_xyz(0.0, 0.75, -5.0));
    commands.entity(sliding).insert(Crate);
}

/// The walkers come when the ground is there; the later events are those of the crate.
fn populate(baked: On<GridBaked>, walkers: Query<(), With<Agent>>, mut commands: Commands) {
    if !walkers.is_empty() || baked.floors < 2 {
        return;
    }
    for i in 0..6 {
        let off = i as f32 * 0.7 - 1.75;
        let over = [Vec3::new(-12.5, 0.0, off), Vec3::new(12.5, 0.0, off)];
        let under = [Vec3::new(off, 0.0, -8.0), Vec3::new(off, 0.0, 8.0)];
        for way in [over, under] {
            let body =
                (Agent::new(3.0).with_radius(0.25), Avoider::default(), Transform::from_translation(way[0]));
            commands.spawn((body, GoalQueue::ping_pong([way[1], way[0]])));
        }
    }
}

fn slide(time: Res<Time>, mut crates: Query<&mut Transform, With<Crate>>) {
    for mut at in &mut crates {
        // It stands still for half of the time.
        at.translation.z = -(6.0 * ops::sin(0.4 * time.elapsed_secs())).clamp(-4.5, 4.5);
    }
}

fn look(mut commands: Commands) {
    let eye = Transform::from_xyz(-12.0, 16.0, 20.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
    commands.spawn((
        DirectionalLight::default(),
        Transform::from_xyz(4.0, 9.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

type Unpainted = (With<Mesh3d>, Without<MeshMaterial3d<StandardMaterial>>);

/// Gives boxes and walkers something to be seen by.
fn paint(
    boxes: Query<(Entity, Has<Crate>), Unpainted>,
    walkers: Query<Entity, (With<Agent>, Without<Mesh3d>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    for (entity, moves) in &boxes {
        let color = if moves { Color::srgb(0.85, 0.5, 0.25) } else { Color::srgb(0.45, 0.48, 0.55) };
        commands.entity(entity).insert(MeshMaterial3d(materials.add(color)));
    }
    for entity in &walkers {
        let body =
            (Mesh3d(meshes.add(Capsule3d::new(0.25, 0.6))), MeshMaterial3d(materials.add(Color::WHITE)));
        commands.entity(entity).insert(body);
    }
}
