//! The storm: agents on a map, their new goals, and edits of the map.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use pathfind_core::Steps;

use crate::measure::{Measured, add_clocks};
use crate::{Flags, RATE};

/// The most walls that the storm keeps standing at a time.
const MAX_WALLS: usize = 200;

/// A linear congruential generator with a fixed seed, so that all runs are alike.
#[derive(Resource)]
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: u32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as i32
    }

    /// A random cell that is connected with another.
    fn cell(&mut self, grid: &Grid, from: Cell) -> Cell {
        loop {
            let cell = Cell::new(self.below(grid.width()), self.below(grid.height()));
            if grid.connected(KindId::default(), Steps::default(), cell, from) {
                return cell;
            }
        }
    }
}

/// A cell of the largest connected region of the map, as far as random samples find it.
#[derive(Resource)]
struct ConnectedCell(Cell);

/// The tick in which an agent was last given a goal or had its path invalidated; `None` once it has its answer.
#[derive(Component)]
struct RequestedAt(Option<u32>);

/// The phase of the run.
#[derive(Resource, Clone, Copy, PartialEq)]
pub(crate) enum Phase {
    /// No new goals and no edits.
    Calm,
    /// All new goals at once, in the next tick.
    Burst,
    /// New goals every second, and edits.
    Storm,
}

/// The application: agents on a map, the storm's systems, and clocks between the stages.
pub(crate) fn storm(flags: &Flags, grid: Grid) -> App {
    let mut rng = Lcg(7);
    let mut connected_cell = || {
        let any = Cell::new(rng.below(grid.width()), rng.below(grid.height()));
        let joined = |other: Cell| grid.connected(KindId::default(), Steps::default(), any, other);
        let tries = (0..64).map(|_| Cell::new(rng.below(grid.width()), rng.below(grid.height())));
        (tries.filter(|&other| joined(other)).count(), any)
    };
    let connected_cell =
        (0..64).map(|_| connected_cell()).max_by_key(|&(count, _)| count).expect("it was tried 64 times").1;
    let starts: Vec<_> = (0..flags.agents).map(|_| rng.cell(&grid, connected_cell)).collect();
    let goals: Vec<_> = (0..flags.agents).map(|_| rng.cell(&grid, connected_cell)).collect();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
        .insert_resource(flags.clone())
        .insert_resource(rng)
        .insert_resource(ConnectedCell(connected_cell))
        .insert_resource(Phase::Calm)
        .add_observer(
            |on: On<PathInvalidated>, mut requested: Query<&mut RequestedAt>, measured: Res<Measured>| {
                if let Ok(mut requested) = requested.get_mut(on.entity) {
                    requested.0 = Some(measured.tick);
                }
            },
        )
        .add_observer(
            |on: On<PathFound>, mut requested: Query<&mut RequestedAt>, mut measured: ResMut<Measured>| {
                if let Some(tick) =
                    requested.get_mut(on.entity).ok().and_then(|mut requested| requested.0.take())
                {
                    let ticks = measured.tick - tick;
                    measured.latencies.push(f64::from(ticks));
                }
            },
        )
        .add_observer(send_on::<PathArrived>)
        .add_observer(send_on::<PathEndedShort>);
    add_clocks(&mut app, (give_orders, edit).chain());
    app.world_mut().spawn(NavGrid::new(grid));
    for (start, goal) in starts.into_iter().zip(goals) {
        let at = Transform::from_translation(start.center().extend(0.0));
        app.world_mut().spawn((Agent::default(), at, order(goal), RequestedAt(Some(0))));
    }
    app
}

fn order(goal: Cell) -> PathRequest {
    PathRequest::to(goal.center().extend(0.0))
}

/// Sends on an agent that is at the end of its path, at the goal or short of it.
fn send_on<E: EntityEvent>(
    on: On<E>,
    grid: Single<&NavGrid>,
    connected_cell: Res<ConnectedCell>,
    measured: Res<Measured>,
    mut rng: ResMut<Lcg>,
    mut commands: Commands,
) {
    let goal = rng.cell(grid.grid(), connected_cell.0);
    commands.entity(on.event().event_target()).insert((order(goal), RequestedAt(Some(measured.tick + 1))));
}

/// Gives the configured number of agents new goals: once in a burst, once per second in a storm.
fn give_orders(
    mut agents: Query<(&mut PathRequest, &mut RequestedAt)>,
    grid: Single<&NavGrid>,
    connected_cell: Res<ConnectedCell>,
    flags: Res<Flags>,
    (mut phase, mut measured): (ResMut<Phase>, ResMut<Measured>),
    mut rng: ResMut<Lcg>,
) {
    measured.tick += 1;
    match *phase {
        Phase::Calm => return,
        Phase::Burst => *phase = Phase::Calm,
        Phase::Storm if !measured.tick.is_multiple_of(RATE) => return,
        Phase::Storm => (),
    }
    for (mut request, mut requested) in agents.iter_mut().take(flags.orders) {
        *request = order(rng.cell(grid.grid(), connected_cell.0));
        requested.0 = Some(measured.tick);
    }
}

/// Turns cells into walls, and the oldest of them back into ground.
fn edit(
    mut grid: Single<&mut NavGrid>,
    connected_cell: Res<ConnectedCell>,
    (flags, phase): (Res<Flags>, Res<Phase>),
    mut measured: ResMut<Measured>,
    mut rng: ResMut<Lcg>,
    mut walls: Local<Vec<Cell>>,
    mut due: Local<u32>,
) {
    if *phase != Phase::Storm {
        return;
    }
    *due += flags.edits_per_second;
    while *due >= RATE {
        *due -= RATE;
        let (cell, terrain) = if walls.len() >= MAX_WALLS {
            (walls.remove(0), Terrain::GROUND)
        } else {
            let cell = rng.cell(grid.grid(), connected_cell.0);
            walls.push(cell);
            (cell, Terrain::WALL)
        };
        if cell != connected_cell.0 && grid.set(cell, terrain).is_ok() {
            measured.edits += 1;
        }
    }
}

/// Whether all agents have been answered.
pub(crate) fn all_are_answered(app: &mut App) -> bool {
    let mut all = app.world_mut().query::<&PathStatus>();
    let waits = |status: &PathStatus| {
        matches!(status, PathStatus::Idle | PathStatus::Waiting | PathStatus::Searching)
    };
    !all.iter(app.world()).any(waits)
}
