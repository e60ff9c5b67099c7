//! Pooling: runners that have arrived are disabled, not despawned, and used again. Once there are as many as the game
//! needs, no more are spawned.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// How many runners are under way at once.
pub(crate) const RUNNERS: usize = 40;

#[derive(Component)]
pub(crate) struct Runner;

/// How many runners have arrived.
#[derive(Resource, Default)]
pub(crate) struct Arrivals(pub(crate) u32);

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .init_resource::<Arrivals>()
        .insert_resource(NavGizmos { grid: true, agents: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, send.before(NavSystems::World))
        .add_observer(|arrived: On<AgentArrived>, mut arrivals: ResMut<Arrivals>, mut commands: Commands| {
            arrivals.0 += 1;
            commands.entity(arrived.entity).insert(Disabled);
        });
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(24.0, 13.0, 0.0).with_scale(Vec3::splat(0.05))));
    let is_wall = |cell: GridCell| cell.x % 6 == 3 && cell.y % 9 < 5;
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    commands.spawn(NavGrid::new(Grid::from_fn(48, 26, terrain).expect("it is small")));
}

/// Sends a runner every fifth tick, until enough are under way: a disabled one, or a new one if there is none.
fn send(
    runners: Query<(), With<Runner>>,
    pool: Query<Entity, (With<Runner>, With<Disabled>)>,
    mut tick: Local<u32>,
    mut commands: Commands,
) {
    *tick += 1;
    if !tick.is_multiple_of(5) || runners.iter().count() >= RUNNERS {
        return;
    }
    let row = (*tick * 7 % 26) as f32 + 0.5;
    let run = (PathRequest::to(Vec3::new(47.5, 26.0 - row, 0.0)), Transform::from_xyz(0.5, row, 0.0));
    match pool.iter().next() {
        // Its velocity is that of its last run.
        Some(old) => _ = commands.entity(old).insert((run, AgentVelocity::default())).remove::<Disabled>(),
        None => _ = commands.spawn((Runner, Agent::new(6.0), Avoider::default(), run)),
    }
}
