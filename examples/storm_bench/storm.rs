//! The storm: agents on a map, their new goals, and edits of the map.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    order::{FlowFieldValues, PathInvalidated},
    prelude::*,
    world::{Grid, LinkEnd},
};
use pathfind_core::StepRules;

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
    fn cell(&mut self, grid: &Grid, from: GridCell) -> GridCell {
        loop {
            let cell = GridCell::new(self.below(grid.width()), self.below(grid.height()));
            if grid.connected(KindId::default(), StepRules::default(), cell, from) {
                return cell;
            }
        }
    }
}

/// The floors, which are all alike at first, from the lowest.
#[derive(Resource)]
struct Floors {
    /// The map of one floor as it was in the beginning.
    map: Grid,
    /// For each floor its grids: one, or chunk by chunk, row by row.
    grids: Vec<Vec<Entity>>,
    /// Columns and rows of a chunk, and the number of chunks in a row.
    chunk: [i32; 2],
    across: i32,
}

impl Floors {
    /// Cuts each floor into chunks, if the flags say so.
    fn spawn(flags: &Flags, map: Grid, app: &mut App) -> Self {
        let whole = map.size().as_ivec2();
        let chunk = if flags.chunks { [CHUNK; 2] } else { [whole.x, whole.y] };
        let mut floors = Self { map, grids: Vec::new(), chunk, across: (whole.x + chunk[0] - 1) / chunk[0] };
        let count = floors.across * ((whole.y + chunk[1] - 1) / chunk[1]);
        for floor in 0..usize::from(flags.floors) {
            let chunks =
                (0..count).map(|index| app.world_mut().spawn(floors.grid(floor, index)).id()).collect();
            floors.grids.push(chunks);
        }
        floors
    }

    fn count(&self) -> usize {
        self.grids.len()
    }

    /// A grid of a floor as it was in the beginning.
    fn grid(&self, floor: usize, index: i32) -> impl Bundle + use<> {
        let corner = IVec2::new(index % self.across * self.chunk[0], index / self.across * self.chunk[1]);
        let size = IVec2::from(self.chunk).min(self.map.size().as_ivec2() - corner).as_uvec2();
        let terrain = |cell: GridCell| self.map.terrain(GridCell::new(cell.x + corner.x, cell.y + corner.y));
        let cells = Grid::from_fn(size.x, size.y, |cell| terrain(cell).expect("chunks are cut to the map"));
        let place = Transform::from_translation(corner.as_vec2().extend(floor as f32 * STOREY));
        (NavGrid::new(cells.expect("chunks have cells")), place)
    }

    /// The grid and the cell on it of a place.
    fn at(&self, Place { floor, cell }: Place) -> (Entity, GridCell) {
        let [width, height] = self.chunk;
        let index = cell.y / height * self.across + cell.x / width;
        (self.grids[floor][index as usize], GridCell::new(cell.x % width, cell.y % height))
    }

    /// The cells of the lowest floor as they are now; in chunks as they were in the beginning.
    fn cells<'a>(&'a self, grids: &'a Query<&mut NavGrid>) -> &'a Grid {
        match self.grids[0][..] {
            [only] => grids.get(only).map_or(&self.map, |nav| nav.grid()),
            _ => &self.map,
        }
    }
}

/// Columns and rows of a chunk.
const CHUNK: i32 = 64;

/// The distance between two floors, in world units.
const STOREY: f32 = 10.0;

/// A place on a floor.
#[derive(Clone, Copy)]
struct Place {
    floor: usize,
    cell: GridCell,
}

impl Place {
    /// A random place that is connected with a cell of its floor. Of a single floor the random numbers are those of
    /// the cell alone.
    fn random(rng: &mut Lcg, grid: &Grid, from: GridCell, floors: usize) -> Self {
        let floor = if floors > 1 { rng.below(floors as u32) as usize } else { 0 };
        Self { floor, cell: rng.cell(grid, from) }
    }

    fn point(self) -> Vec3 {
        self.cell.center().extend(self.floor as f32 * STOREY)
    }
}

/// A cell of the largest connected region of the map, as far as random samples find it.
#[derive(Resource)]
struct ConnectedCell(GridCell);

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
    let (mut rng, floor_count) = (Lcg(7), usize::from(flags.floors));
    let mut connected_cell = || {
        let any = GridCell::new(rng.below(grid.width()), rng.below(grid.height()));
        let joined = |other: GridCell| grid.connected(KindId::default(), StepRules::default(), any, other);
        let tries = (0..64).map(|_| GridCell::new(rng.below(grid.width()), rng.below(grid.height())));
        (tries.filter(|&other| joined(other)).count(), any)
    };
    let connected_cell =
        (0..64).map(|_| connected_cell()).max_by_key(|&(count, _)| count).expect("it was tried 64 times").1;
    let mut places = |count: usize| -> Vec<Place> {
        (0..count).map(|_| Place::random(&mut rng, &grid, connected_cell, floor_count)).collect()
    };
    let (starts, goals) = (places(flags.agents), places(flags.agents));
    let (link_ends, link_targets) = (places(flags.links), places(flags.links));
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
        .insert_resource(NavSettings { threads: flags.threads, ..default() })
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
                let requested = requested.get_mut(on.entity).ok();
                if let Some(tick) = requested.and_then(|mut requested| requested.0.take()) {
                    let ticks = measured.tick - tick;
                    measured.latencies.push(f64::from(ticks));
                }
            },
        )
        .add_observer(send_on::<AgentArrived>)
        .add_observer(send_on::<PathEndedShort>);
    add_clocks(&mut app, (give_orders, edit, reload).chain());
    let floors = Floors::spawn(flags, grid, &mut app);
    // Each link joins two floors next to each other.
    for (link, (from, to)) in link_ends.into_iter().zip(link_targets).enumerate() {
        let floor = link % (floor_count - 1).max(1);
        let ends = [(floor, from.cell), ((floor + 1).min(floor_count - 1), to.cell)];
        let [from, to] = ends.map(|(floor, cell)| {
            let (grid, cell) = floors.at(Place { floor, cell });
            LinkEnd::new(grid, cell)
        });
        app.world_mut().spawn(NavLink::new(from, to).with_cost(STOREY));
    }
    app.insert_resource(floors);
    let field = flags.field.then(|| {
        let goal = Place { floor: 0, cell: connected_cell };
        app.world_mut().spawn(FlowField::to(goal.point())).id()
    });
    for (start, goal) in starts.into_iter().zip(goals) {
        let at = Transform::from_translation(start.point());
        match field {
            Some(field) => app.world_mut().spawn((Agent::default(), at, FollowField(field))),
            None => app.world_mut().spawn((Agent::default(), at, order(goal), RequestedAt(Some(0)))),
        };
    }
    app
}

fn order(goal: Place) -> PathRequest {
    PathRequest::to(goal.point())
}

/// Sends on an agent that is at the end of its path, at the goal or short of it.
fn send_on<E: EntityEvent>(
    on: On<E>,
    (grids, floors): (Query<&mut NavGrid>, Res<Floors>),
    connected_cell: Res<ConnectedCell>,
    measured: Res<Measured>,
    mut rng: ResMut<Lcg>,
    mut commands: Commands,
) {
    let goal = Place::random(&mut rng, floors.cells(&grids), connected_cell.0, floors.count());
    commands.entity(on.event().event_target()).insert((order(goal), RequestedAt(Some(measured.tick + 1))));
}

/// Gives the configured number of agents new goals: once in a burst, once per second in a storm.
fn give_orders(
    mut agents: Query<(&mut PathRequest, &mut RequestedAt)>,
    (grids, floors): (Query<&mut NavGrid>, Res<Floors>),
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
    let grid = floors.cells(&grids);
    for (mut request, mut requested) in agents.iter_mut().take(flags.orders) {
        *request = order(Place::random(&mut rng, grid, connected_cell.0, floors.count()));
        requested.0 = Some(measured.tick);
    }
}

/// Turns cells into walls, and the oldest of them back into ground.
fn edit(
    (mut grids, floors): (Query<&mut NavGrid>, Res<Floors>),
    connected_cell: Res<ConnectedCell>,
    (flags, phase): (Res<Flags>, Res<Phase>),
    mut measured: ResMut<Measured>,
    mut rng: ResMut<Lcg>,
    mut walls: Local<Vec<Place>>,
    mut due: Local<u32>,
) {
    if *phase != Phase::Storm {
        return;
    }
    *due += flags.edits_per_second;
    while *due >= RATE {
        *due -= RATE;
        let (place, terrain) = if walls.len() >= MAX_WALLS {
            (walls.remove(0), Terrain::GROUND)
        } else {
            let place = Place::random(&mut rng, floors.cells(&grids), connected_cell.0, floors.count());
            walls.push(place);
            (place, Terrain::WALL)
        };
        let (grid, cell) = floors.at(place);
        // Its chunk may be unloaded just now.
        let Ok(mut nav) = grids.get_mut(grid) else { continue };
        if place.cell != connected_cell.0 && nav.set(cell, terrain).is_ok() {
            measured.edits += 1;
        }
    }
}

/// Despawns random chunks, and spawns them again in the tick after.
fn reload(
    mut floors: ResMut<Floors>,
    (flags, phase): (Res<Flags>, Res<Phase>),
    mut rng: ResMut<Lcg>,
    mut due: Local<u32>,
    mut unloaded: Local<Vec<(usize, i32)>>,
    mut commands: Commands,
) {
    for (floor, index) in unloaded.drain(..) {
        let chunk = commands.spawn(floors.grid(floor, index)).id();
        floors.grids[floor][index as usize] = chunk;
    }
    if *phase != Phase::Storm || !flags.chunks {
        return;
    }
    *due += flags.reloads_per_second;
    while *due >= RATE {
        *due -= RATE;
        let (floor, index) =
            (rng.below(floors.count() as u32) as usize, rng.below(floors.grids[0].len() as u32));
        if !unloaded.contains(&(floor, index)) {
            commands.entity(floors.grids[floor][index as usize]).despawn();
            unloaded.push((floor, index));
        }
    }
}

/// Whether all agents have been answered, and all fields made.
pub(crate) fn all_are_answered(app: &mut App) -> bool {
    let mut all = app.world_mut().query::<&PathStatus>();
    let waits = |status: &PathStatus| {
        matches!(status, PathStatus::Idle | PathStatus::Waiting | PathStatus::Searching)
    };
    let mut fields = app.world_mut().query::<&FlowFieldValues>();
    let are_made = fields.iter(app.world()).all(|values| values.field().is_some());
    are_made && !all.iter(app.world()).any(waits)
}
