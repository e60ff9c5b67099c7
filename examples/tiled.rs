//! A map of Tiled: agents walk between the points that the map names, round its walls, its cart and its fence.
//!
//! `assets/levels/village.tmx` can be edited in Tiled. Its tiles say by their class or their property `terrain` what
//! they are; its objects are obstacles, goals, and a link over the river.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::files::{LevelGoal, LevelSettings, LevelSource},
};

const TILE: f32 = 16.0;

fn main() {
    App::new()
        .add_plugins((
            // The folder of the repository, not of this package.
            DefaultPlugins.set(AssetPlugin { file_path: "../assets".into(), ..default() }),
            PathfindPlugins::default(),
        ))
        .insert_resource(NavGizmos { grid: true, paths: true, agents: true, ..default() })
        .add_systems(Startup, load)
        .add_systems(Update, send)
        .add_observer(walk_on)
        .run();
}

fn load(mut commands: Commands, server: Res<AssetServer>) {
    commands
        .spawn((Camera2d, Transform::from_xyz(14.0 * TILE, -8.0 * TILE, 0.0).with_scale(Vec3::splat(0.5))));
    // The map calls a terrain mud that only this game knows: it costs three times as much as grass.
    let mud = |settings: &mut LevelSettings| _ = settings.terrain.insert("mud".into(), Terrain::weight(3));
    commands.spawn(LevelSource(server.load_builder().with_settings(mud).load("levels/village.tmx")));
}

/// An agent starts at each goal.
fn send(goals: Query<&GlobalTransform, Added<LevelGoal>>, mut commands: Commands) {
    for at in &goals {
        let look = Sprite::from_color(examples::FRIEND, Vec2::splat(0.6 * TILE));
        let place = Transform::from_translation(at.translation().with_z(1.0));
        let agent = Agent::new(5.0 * TILE).with_radius(0.3 * TILE);
        commands.spawn((agent, look, place, PathRequest::to(place.translation)));
    }
}

/// An agent that has arrived goes to the next goal.
fn walk_on(
    arrived: On<AgentArrived>,
    goals: Query<&GlobalTransform, With<LevelGoal>>,
    agents: Query<&Transform>,
    mut commands: Commands,
) -> Result {
    let at = agents.get(arrived.entity)?.translation.truncate();
    let points: Vec<Vec2> = goals.iter().map(|goal| goal.translation().truncate()).collect();
    // Where others stand on the goal, it has come to a cell beside that.
    let near = |&at_goal: &usize| points[at_goal].distance_squared(at);
    if let Some(here) = (0..points.len()).min_by(|a, b| near(a).total_cmp(&near(b))) {
        let next = points[(here + 1) % points.len()];
        commands.entity(arrived.entity).insert(PathRequest::to(next.extend(0.0)));
    }
    Ok(())
}
