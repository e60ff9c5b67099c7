//! Click a cell, and an agent walks there, round the walls: the smallest use of the plugin.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};
use examples::bevy_version::PointerClick; // Bevy 0.20 has it in the prelude; before, `Pointer<Click>`.

const MAP: &str = "
....................
.....#..............
.....#.....#######..
.....#...........#..
.....#######.....#..
....................";

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .insert_resource(NavGizmos { paths: true, ..default() })
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    let square = |color, side| Sprite::from_color(color, Vec2::splat(side));
    let agent = (Agent::new(240.0).with_radius(19.2), Transform::from_xyz(-456.0, 24.0, 1.0));
    let agent = commands.spawn((agent, square(Color::srgb(1.0, 0.8, 0.4), 24.0))).id();

    let grid = NavGrid::from_ascii(MAP).expect("the map is sound").with_cell_size(48.0).centered();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    for cell in grid.bounds().cells() {
        let is_open = grid.is_walkable(KindId::default(), cell);
        let color = if is_open { Color::srgb(0.17, 0.2, 0.26) } else { Color::srgb(0.36, 0.42, 0.5) };
        let center = place.cell_center(cell);
        let tile = (square(color, 46.0), Transform::from_translation(center), Pickable::default());
        commands.spawn(tile).observe(move |_: On<PointerClick>, mut commands: Commands| {
            commands.entity(agent).go_to(center);
        });
    }
    commands.spawn(grid);
}
