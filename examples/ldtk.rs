//! A world of LDtk: three levels, each in a file of its own, one below the other. Their grids join, and agents walk
//! from level to level.
//!
//! `assets/levels/SeparateLevelFiles.ldtk` is a sample project of LDtk, whose levels are the letters A, B and C.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::files::LevelSource};

const TILE: f32 = 16.0;
/// The size of the world, in cells.
const WORLD: Vec2 = Vec2::new(15.0, 44.0);

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
        .add_observer(walk_back)
        .run();
}

fn load(mut commands: Commands, server: Res<AssetServer>) {
    let middle = (WORLD * TILE / 2.0 * Vec2::new(1.0, -1.0)).extend(0.0);
    commands.spawn((Camera2d, Transform::from_translation(middle)));
    commands.spawn(LevelSource(server.load("levels/SeparateLevelFiles.ldtk")));
}

/// Agents start once the levels are there.
fn send(levels: Query<&Name, Added<NavGrid>>, mut commands: Commands) {
    if levels.is_empty() {
        return;
    }
    info!("levels: {:?}", levels.iter().collect::<Vec<_>>());
    for column in [1.5, 7.5, 13.5] {
        let look = Sprite::from_color(examples::FRIEND, Vec2::splat(0.6 * TILE));
        let start = Transform::from_xyz(column * TILE, -0.5 * TILE, 1.0);
        let agent = Agent::new(6.0 * TILE).with_radius(0.3 * TILE);
        commands.spawn((agent, look, start, PathRequest::to(other_end(start.translation))));
    }
}

/// The point on the other side of the world.
fn other_end(at: Vec3) -> Vec3 {
    Vec3::new(WORLD.x * TILE - at.x, -WORLD.y * TILE - at.y, 0.0)
}

fn walk_back(arrived: On<AgentArrived>, places: Query<&Transform>, mut commands: Commands) -> Result {
    let at = places.get(arrived.entity)?.translation;
    commands.entity(arrived.entity).insert(PathRequest::to(other_end(at)));
    Ok(())
}
