//! The storm: agents on a map, their new goals, and edits of the map.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use pathfind_core::Steps;

use crate::measure::{Measured, add_clocks};
use crate::{Flags, RATE};

/// The most walls that the storm keeps standing at a time.
const WALLS: usize = 200;

/// Random numbers from a fixed seed, so that all runs are alike.
#[derive(Resource)]
struct Chance(u64);

impl Chance {
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
struct Home(Cell);

/// The tick in which an agent was last given a goal or had its path invalidated; `None` once it has its answer.
#[derive(Component)]
struct AskedAt(Option<u32>);

/// The phase of the run.
#[derive(Resource, Clone, Copy, PartialEq)]
pub(crate) enum Weather {
    /// No new goals and no edits.
    Calm,
    /// All new goals at once, in the next tick.
    Burst,
    /// New goals every second, and edits.
    Storm,
}

/// The application: agents on a map, the storm's systems, and clocks between the stages.
pub(crate) fn storm(flags: &Flags, grid: Grid) -> App {
    let mut chance = Chance(7);
    let mut home = || {
        let any = Cell::new(chance.below(grid.width()), chance.below(grid.height()));
        let joined = |other: Cell| grid.connected(KindId::default(), Steps::default(), any, other);
        let tries = (0..64).map(|_| Cell::new(chance.below(grid.width()), chance.below(grid.height())));
        (tries.filter(|&other| joined(other)).count(), any)
    };
    let home = (0..64).map(|_| home()).max_by_key(|&(count, _)| count).expect("it was tried 64 times").1;
    let starts: Vec<_> = (0..flags.agents).map(|_| chance.cell(&grid, home)).collect();
    let goals: Vec<_> = (0..flags.agents).map(|_| chance.cell(&grid, home)).collect();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
        .insert_resource(flags.clone())
        .insert_resource(chance)
        .insert_resource(Home(home))
        .insert_resource(Weather::Calm)
        .add_observer(|on: On<PathInvalidated>, mut asked: Query<&mut AskedAt>, measured: Res<Measured>| {
            if let Ok(mut asked) = asked.get_mut(on.entity) {
                asked.0 = Some(measured.tick);
            }
        })
        .add_observer(|on: On<PathFound>, mut asked: Query<&mut AskedAt>, mut measured: ResMut<Measured>| {
            if let Some(tick) = asked.get_mut(on.entity).ok().and_then(|mut asked| asked.0.take()) {
                let ticks = measured.tick - tick;
                measured.latencies.push(f64::from(ticks));
            }
        })
        .add_observer(go_on::<PathArrived>)
        .add_observer(go_on::<PathEndedShort>);
    add_clocks(&mut app, (give_orders, edit).chain());
    app.world_mut().spawn(NavGrid::new(grid));
    for (start, goal) in starts.into_iter().zip(goals) {
        let at = Transform::from_translation(start.center().extend(0.0));
        app.world_mut().spawn((Agent::default(), at, order(goal), AskedAt(Some(0))));
    }
    app
}

fn order(goal: Cell) -> PathRequest {
    PathRequest::to(goal.center().extend(0.0))
}

/// Sends on an agent that is at the end of its path, at the goal or short of it.
fn go_on<E: EntityEvent>(
    on: On<E>,
    grid: Single<&NavGrid>,
    home: Res<Home>,
    measured: Res<Measured>,
    mut chance: ResMut<Chance>,
    mut commands: Commands,
) {
    let goal = chance.cell(grid.grid(), home.0);
    commands.entity(on.event().event_target()).insert((order(goal), AskedAt(Some(measured.tick + 1))));
}

/// Gives the configured number of agents new goals: once in a burst, once per second in a storm.
fn give_orders(
    mut agents: Query<(&mut PathRequest, &mut AskedAt)>,
    grid: Single<&NavGrid>,
    home: Res<Home>,
    flags: Res<Flags>,
    (mut weather, mut measured): (ResMut<Weather>, ResMut<Measured>),
    mut chance: ResMut<Chance>,
) {
    measured.tick += 1;
    match *weather {
        Weather::Calm => return,
        Weather::Burst => *weather = Weather::Calm,
        Weather::Storm if !measured.tick.is_multiple_of(RATE) => return,
        Weather::Storm => (),
    }
    for (mut request, mut asked) in agents.iter_mut().take(flags.orders) {
        *request = order(chance.cell(grid.grid(), home.0));
        asked.0 = Some(measured.tick);
    }
}

/// Turns cells into walls, and the oldest of them back into ground.
fn edit(
    mut grid: Single<&mut NavGrid>,
    home: Res<Home>,
    (flags, weather): (Res<Flags>, Res<Weather>),
    mut measured: ResMut<Measured>,
    mut chance: ResMut<Chance>,
    mut walls: Local<Vec<Cell>>,
    mut due: Local<u32>,
) {
    if *weather != Weather::Storm {
        return;
    }
    *due += flags.edits_per_second;
    while *due >= RATE {
        *due -= RATE;
        let (cell, terrain) = if walls.len() >= WALLS {
            (walls.remove(0), Terrain::GROUND)
        } else {
            let cell = chance.cell(grid.grid(), home.0);
            walls.push(cell);
            (cell, Terrain::WALL)
        };
        if cell != home.0 && grid.set(cell, terrain).is_ok() {
            measured.edits += 1;
        }
    }
}

/// Whether all agents have been answered.
pub(crate) fn everybody_walks(app: &mut App) -> bool {
    let mut all = app.world_mut().query::<&PathStatus>();
    let waits = |status: &PathStatus| {
        matches!(status, PathStatus::Idle | PathStatus::Waiting | PathStatus::Searching)
    };
    !all.iter(app.world()).any(waits)
}
