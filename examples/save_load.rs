//! Saving and loading: S writes the map and the units to a file, L reads it again, in this run or a later one.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// What is kept of a unit: components that serde writes, and that are a bundle when they are read.
type Unit = (AgentId, Agent, Transform, AgentVelocity, GoalQueue);

#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Save {
    map: (NavGrid, Transform),
    pub(crate) units: Vec<Unit>,
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, keys).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { grid: true, paths: true, agents: true, ..default() })
        .add_systems(Startup, setup);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(20.0, 11.0, 0.0).with_scale(Vec3::splat(0.04))));
    commands.spawn(NavGrid::new(Grid::new(40, 22).expect("it is small")));
    for y in (0..10).map(|i| i as f32 * 2.0 + 1.5) {
        let orders = GoalQueue::ping_pong([Vec3::new(38.5, 20.5 - y, 0.0), Vec3::new(1.5, y, 0.0)]);
        commands.spawn((Agent::new(4.0), orders, Transform::from_xyz(1.5, y, 0.0)));
    }
}

pub(crate) fn save(
    map: Single<(&NavGrid, &Transform)>,
    units: Query<(&AgentId, &Agent, &Transform, &AgentVelocity, &GoalQueue)>,
) -> Save {
    let units = units.iter().map(|(&id, &agent, &at, &motion, queue)| (id, agent, at, motion, queue.clone()));
    Save { map: (map.0.clone(), *map.1), units: units.collect() }
}

pub(crate) fn load(
    In(save): In<Save>,
    (maps, units): (Query<Entity, With<NavGrid>>, Query<Entity, With<Agent>>),
    mut commands: Commands,
) {
    maps.iter().chain(&units).for_each(|entity| commands.entity(entity).despawn());
    commands.spawn(save.map);
    commands.spawn_batch(save.units);
}

fn keys(world: &mut World) -> Result {
    let keys = world.resource::<ButtonInput<KeyCode>>();
    if keys.just_pressed(KeyCode::KeyS) {
        std::fs::write("save.json", serde_json::to_string(&world.run_system_cached(save)?)?)?;
    } else if keys.just_pressed(KeyCode::KeyL) {
        world.run_system_cached_with(load, serde_json::from_str(&std::fs::read_to_string("save.json")?)?)?;
    }
    Ok(())
}
