//! Links: two floors side by side on the screen, with stairs, a one-way drop, a teleporter, and a door that opens and
//! shuts every six seconds. Walkers go from floor to floor.

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, LinkEnd},
};
use core::time::Duration;

const FLOOR: &str = "\
............#............
............#............
.........................
............#............
............#............
............#............";

/// The link that opens and shuts.
#[derive(Component)]
pub(crate) struct Door;

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { grid: true, links: true, paths: true, agents: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, open_and_shut.run_if(on_timer(Duration::from_secs(6))));
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(12.5, 8.0, 0.0).with_scale(Vec3::splat(0.025))));
    let floor =
        |y| (NavGrid::new(Grid::from_ascii(FLOOR).expect("it is a map")), Transform::from_xyz(0.0, y, 0.0));
    let (ground, upper) = (commands.spawn(floor(0.0)).id(), commands.spawn(floor(10.0)).id());
    let end = |grid, x, y| LinkEnd::new(grid, GridCell::new(x, y));
    let strip = |grid, y| LinkEnd::strip(grid, CellRect::new(GridCell::new(3, y), GridCell::new(5, y)));
    commands.spawn(NavLink::new(strip(ground, 5), strip(upper, 0)).with_cost(5.0));
    let drop =
        NavLink::new(end(upper, 15, 0), end(ground, 15, 5)).with_crossing(LinkMotion::Jump { height: 0.0 });
    commands.spawn(drop.with_both_ways(false));
    let teleporter = NavLink::new(end(ground, 24, 0), end(upper, 24, 5)).with_crossing(LinkMotion::Teleport);
    commands.spawn(teleporter.with_cost(3.0));
    commands.spawn((Door, NavLink::new(end(ground, 10, 5), end(upper, 10, 0)).with_cost(5.0)));
    for i in 0..12 {
        let (x, y) = ((i * 7 % 25) as f32 + 0.5, (i % 2 * 3) as f32 + 1.5);
        let (below, above) = (Vec3::new(x, y, 0.0), Vec3::new(24.5 - x, y + 10.0, 0.0));
        let body = (Agent::new(4.0), Avoider::default(), Transform::from_translation(below));
        commands.spawn((body, GoalQueue::ping_pong([above, below]).with_wait(0.5)));
    }
}

fn open_and_shut(mut door: Single<&mut NavLink, With<Door>>) {
    door.is_open = !door.is_open;
}
