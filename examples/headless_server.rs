//! A server without window, renderer and input: porters carry ore to a store, twenty ticks a second. The state of the
//! map is printed once a second; Ctrl+C ends the server.

use bevy::app::{ScheduleRunnerPlugin, TerminalCtrlCHandlerPlugin};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_pathfind::{prelude::*, world::GridTransform};
use core::time::Duration;

const MAP: &str = "
........................................
.......#####............................
...........#.......############.........
...........#..................#.........
.....#######......#######.....#.........
..................#...........#.........
..................#...####..............
........................................";

const MINE: Vec3 = Vec3::new(1.5, -6.5, 0.0);
const STORE: Vec3 = Vec3::new(38.5, -1.5, 0.0);

/// An agent that fetches ore. It has a load on its way to the store, and none on its way to the mine.
#[derive(Component)]
pub(crate) struct Porter {
    has_load: bool,
}

/// The loads of ore in the store.
#[derive(Resource, Default)]
pub(crate) struct Stock(pub(crate) u32);

fn main() {
    let tick = Duration::from_millis(50);
    // The loop sleeps between ticks: a server that has nothing to do takes no processor time.
    let engine = MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(tick));
    App::new()
        .add_plugins((engine, LogPlugin::default(), TerminalCtrlCHandlerPlugin, TransformPlugin, game))
        .insert_resource(Time::<Fixed>::from_duration(tick))
        .add_systems(Update, report.run_if(on_timer(Duration::from_secs(1))))
        .run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .init_resource::<Stock>()
        .add_systems(Startup, setup)
        .add_observer(turn_back);
}

fn setup(mut commands: Commands) -> Result {
    commands.spawn(NavGrid::from_ascii(MAP)?);
    for i in 0..12 {
        let at = Transform::from_xyz(1.5 + (i % 6) as f32, -0.5 - (i / 6) as f32, 0.0);
        commands.spawn((Porter { has_load: false }, Agent::new(4.0), Avoider::default(), at)).go_to(MINE);
    }
    Ok(())
}

/// A porter that has arrived, at its goal or beside others there, loads or unloads and goes to the other end.
fn turn_back(
    arrived: On<AgentArrived>,
    mut porters: Query<&mut Porter>,
    mut stock: ResMut<Stock>,
    mut commands: Commands,
) -> Result {
    let mut porter = porters.get_mut(arrived.entity)?;
    stock.0 += u32::from(porter.has_load);
    porter.has_load = !porter.has_load;
    commands.entity(arrived.entity).go_to(if porter.has_load { STORE } else { MINE });
    Ok(())
}

/// Prints the map: walls, porters (`o`, with a load `@`), and the stock.
fn report(map: Single<(&NavGrid, &GridTransform)>, porters: Query<(&Transform, &Porter)>, stock: Res<Stock>) {
    let (grid, place) = *map;
    let mut picture = vec![vec!['.'; grid.width() as usize]; grid.height() as usize];
    for cell in grid.bounds().cells().filter(|&cell| !grid.is_walkable(KindId::default(), cell)) {
        picture[cell.y as usize][cell.x as usize] = '#';
    }
    for (at, porter) in &porters {
        let cell = place.cell_at(at.translation);
        picture[cell.y as usize][cell.x as usize] = if porter.has_load { '@' } else { 'o' };
    }
    // The first row of the map lies on top.
    let rows = picture.iter().map(|row| row.iter().collect::<String>());
    println!("{}\nin the store: {}\n", rows.collect::<Vec<_>>().join("\n"), stock.0);
}
