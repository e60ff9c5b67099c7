//! Support of all tests: a headless application, grids from pictures, and an event log.

use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use bevy::ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy::log::tracing;
use bevy::log::tracing_subscriber::{self, Layer, layer::SubscriberExt};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    order::{Algorithm, PartialReason, PathInvalidated, PathOutcome},
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    world::Grid,
};

/// All modes of search.
pub(crate) const MODES: [SolveMode; 3] = [SolveMode::Inline, SolveMode::Sliced, SolveMode::Background];

/// A small map without walls.
pub(crate) const ROOM: &str = "..........\n..........\n..........\n..........";

/// A logged event, with its entity.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LoggedEvent {
    Found(Entity, PathOutcome),
    Failed(Entity, PathError),
    Arrived(Entity),
    EndedShort(Entity, PartialReason),
    Invalidated(Entity),
    Caught(Entity, Entity),
    Lost(Entity, Entity),
}

#[derive(Resource, Default)]
pub(crate) struct EventLog(pub(crate) Vec<LoggedEvent>);

type Log<'w> = ResMut<'w, EventLog>;

/// An application with one fixed tick per update, with this search mode.
pub(crate) fn app(mode: SolveMode) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode, ..default() })
        .insert_resource(exhaustive_search())
        .init_resource::<EventLog>()
        .add_observer(|on: On<PathFound>, mut log: Log| log.0.push(LoggedEvent::Found(on.entity, on.outcome)))
        .add_observer(|on: On<PathFailed>, mut log: Log| log.0.push(LoggedEvent::Failed(on.entity, on.error)))
        .add_observer(|on: On<AgentArrived>, mut log: Log| log.0.push(LoggedEvent::Arrived(on.entity)))
        .add_observer(|on: On<PathEndedShort>, mut log: Log| {
            log.0.push(LoggedEvent::EndedShort(on.entity, on.reason));
        })
        .add_observer(|on: On<PathInvalidated>, mut log: Log| log.0.push(LoggedEvent::Invalidated(on.entity)))
        .add_observer(|on: On<CaughtTarget>, mut log: Log| {
            log.0.push(LoggedEvent::Caught(on.entity, on.target));
        })
        .add_observer(|on: On<LostTarget>, mut log: Log| log.0.push(LoggedEvent::Lost(on.entity, on.target)));
    // Single-threaded: waking other threads takes longer than their work.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.update(); // the first update has no tick
    app
}

/// An application with inline searches and one grid; and the entity of the grid.
pub(crate) fn app_on(map: Grid) -> (App, Entity) {
    let mut app = app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, map);
    (app, nav)
}

/// An application with one worker and this many expansions per frame.
pub(crate) fn limited_app(mode: SolveMode, expansions_per_frame: u32) -> App {
    let mut app = app(mode);
    app.insert_resource(SolveSettings { mode, workers: Some(1), expansions_per_frame, ..default() });
    app
}

/// An application that expands so few cells per tick that searches take many ticks.
pub(crate) fn slow_app() -> App {
    limited_app(SolveMode::Sliced, 1)
}

pub(crate) fn set_expansions(app: &mut App, per_frame: u32) {
    app.world_mut().resource_mut::<SolveSettings>().expansions_per_frame = per_frame;
}

/// Options of a search that expands all cells, so that slices and recordings are long.
pub(crate) fn exhaustive_search() -> SearchOptions {
    SearchOptions { algorithm: Algorithm::Dijkstra, ..default() }
}

pub(crate) fn grid(map: &str) -> Grid {
    Grid::from_ascii(map).expect("the picture is a map")
}

/// A grid without walls.
pub(crate) fn open(width: u32, height: u32) -> Grid {
    Grid::new(width, height).expect("the size is within the limits")
}

/// An open grid with a wall down the middle that has a gap at the far end.
pub(crate) fn walled(side: u32) -> Grid {
    let middle = side as i32 / 2;
    let last = side as i32 - 1;
    Grid::from_fn(
        side,
        side,
        |cell| {
            if cell.x == middle && cell.y < last { Terrain::WALL } else { Terrain::GROUND }
        },
    )
    .expect("the size is within the limits")
}

pub(crate) fn spawn_grid(app: &mut App, grid: Grid) -> Entity {
    app.world_mut().spawn(NavGrid::new(grid)).id()
}

/// Spawns an agent in the middle of a cell, for a grid on XY with cells of one unit.
pub(crate) fn spawn_agent(app: &mut App, cell: (i32, i32)) -> Entity {
    spawn_with(app, cell, ())
}

/// The same with these components too, which replace those that every agent has.
pub(crate) fn spawn_with(app: &mut App, cell: (i32, i32), components: impl Bundle) -> Entity {
    app.world_mut().spawn((Agent::default(), Transform::from_translation(at(cell)))).insert(components).id()
}

/// Spawns an agent in the middle of a cell, with an order to go to another.
pub(crate) fn send(app: &mut App, from: (i32, i32), to: (i32, i32)) -> Entity {
    spawn_with(app, from, PathRequest::to(at(to)))
}

pub(crate) fn at(cell: (i32, i32)) -> Vec3 {
    GridCell::from(cell).center().extend(0.0)
}

pub(crate) fn order(app: &mut App, agent: Entity, goal: Vec3) {
    app.world_mut().entity_mut(agent).insert(PathRequest::to(goal));
}

pub(crate) fn ticks(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

/// Ticks until a condition holds. Fails after more than a minute of game time and ten seconds of real time, so that
/// neither a slow machine nor a slow search alone makes it fail.
pub(crate) fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    let (began, mut tick) = (Instant::now(), 0);
    while !holds(app) {
        let is_over = tick > 64 * 60 && began.elapsed() > Duration::from_secs(10);
        assert!(!is_over, "it never came to pass that {what}");
        app.update();
        tick += 1;
    }
}

/// Ticks until an agent has arrived, near a point.
pub(crate) fn arrives(app: &mut App, agent: Entity, goal: Vec3) {
    app.update(); // it sees its order
    until(app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
    let place = position(app, agent);
    assert!(place.distance(goal) < 0.6, "it stands at {place}, not at {goal}");
}

/// Ticks until all have arrived.
pub(crate) fn all_arrive(app: &mut App, agents: &[Entity]) {
    until(app, "all arrive", |app| agents.iter().all(|&agent| status(app, agent) == PathStatus::Arrived));
}

/// Ticks until no search waits or runs.
pub(crate) fn searches_end(app: &mut App) {
    until(app, "all searches end", |app| stats(app).waiting + stats(app).running == 0);
}

/// Checks that an agent stands in the middle of a cell, but for this distance.
pub(crate) fn stands_at(app: &App, agent: Entity, cell: (i32, i32), tolerance: f32) {
    let place = position(app, agent);
    assert!(place.distance(at(cell)) < tolerance, "{agent} stands at {place}, not on {cell:?}");
}

pub(crate) fn position(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("the entity has a transform").translation
}

pub(crate) fn velocity(app: &App, agent: Entity) -> Vec3 {
    app.world().get::<AgentVelocity>(agent).expect("it is an agent").0
}

pub(crate) fn stats(app: &App) -> &SolveStats {
    app.world().resource::<SolveStats>()
}

pub(crate) fn nav_grid(app: &App, nav: Entity) -> &NavGrid {
    app.world().get::<NavGrid>(nav).expect("the grid is there")
}

pub(crate) fn has_path(app: &App, agent: Entity) -> bool {
    app.world().get::<NavPath>(agent).is_some()
}

pub(crate) fn path(app: &App, agent: Entity) -> &NavPath {
    app.world().get::<NavPath>(agent).expect("the agent has a path")
}

/// The last waypoint of an agent's path.
pub(crate) fn path_end(app: &App, agent: Entity) -> Vec3 {
    *path(app, agent).waypoints().last().expect("a path has points")
}

pub(crate) fn status(app: &App, entity: Entity) -> PathStatus {
    *app.world().get::<PathStatus>(entity).expect("the entity has a status")
}

pub(crate) fn logged_events(app: &App) -> &[LoggedEvent] {
    &app.world().resource::<EventLog>().0
}

pub(crate) fn count(app: &App, what: &LoggedEvent) -> usize {
    logged_events(app).iter().filter(|&logged| logged == what).count()
}

/// The agents that were told of a path, in this order.
pub(crate) fn found(app: &App) -> Vec<Entity> {
    let agent = |event: &LoggedEvent| if let LoggedEvent::Found(it, _) = event { Some(*it) } else { None };
    logged_events(app).iter().filter_map(agent).collect()
}

pub(crate) fn edit(app: &mut App, grid: Entity, cell: (i32, i32), terrain: Terrain) {
    let mut grid = app.world_mut().get_mut::<NavGrid>(grid).expect("the grid is there");
    grid.set(cell, terrain).expect("the cell lies on the grid");
}

/// Fills a rectangle of a grid with walls, from one corner to the other.
pub(crate) fn wall(app: &mut App, grid: Entity, min: (i32, i32), max: (i32, i32)) {
    let mut grid = app.world_mut().get_mut::<NavGrid>(grid).expect("the grid is there");
    grid.fill(CellRect::new(min.into(), max.into()), Terrain::WALL);
}

/// Whether the cell under an entity is walkable, for a grid on XY with cells of one unit.
pub(crate) fn stands_free(app: &App, nav: Entity, entity: Entity) -> bool {
    let cell = GridCell::containing(position(app, entity).truncate());
    nav_grid(app, nav).grid().is_walkable(KindId::default(), cell)
}

/// Spawns one of several separate grids of one size, so that many cases share one run; returns its corner.
pub(crate) fn plot(app: &mut App, number: usize, grid: Grid) -> Vec3 {
    let size = grid.size() + 2;
    let corner = (UVec2::new(number as u32 % 8, number as u32 / 8) * size).as_vec2().extend(0.0);
    app.world_mut().spawn((NavGrid::new(grid), Transform::from_translation(corner)));
    corner
}

/// All warnings of this test binary since the first call: search them for a name that is unique to the test.
pub(crate) fn warnings() -> &'static Mutex<Vec<String>> {
    static WARNINGS: OnceLock<Mutex<Vec<String>>> = OnceLock::new();
    WARNINGS.get_or_init(|| {
        let subscriber = tracing_subscriber::registry().with(WarningCollector);
        tracing::subscriber::set_global_default(subscriber).expect("no other subscriber is set");
        Mutex::default()
    })
}

struct WarningCollector;

impl<S: tracing::Subscriber> Layer<S> for WarningCollector {
    fn on_event(&self, event: &tracing::Event<'_>, _: bevy::log::tracing_subscriber::layer::Context<'_, S>) {
        struct Text(String);
        impl tracing::field::Visit for Text {
            fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                self.0 += &format!("{value:?}");
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        if *event.metadata().level() == tracing::Level::WARN {
            warnings().lock().expect("no test panicked while it wrote").push(text.0);
        }
    }
}

/// Ticks, with real time for the task pool in between, until a condition holds; returns the number of ticks, at
/// most `most`.
pub(crate) fn ticks_until(app: &mut App, most: usize, mut holds: impl FnMut(&App) -> bool) -> usize {
    for tick in 0..most {
        if holds(app) {
            return tick;
        }
        app.update();
        std::thread::sleep(Duration::from_millis(10));
    }
    most
}

/// An order-dependent checksum of positions (FNV-1a): equal runs have equal checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checksum(pub(crate) u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    pub(crate) fn add(&mut self, place: Vec3) {
        for part in place.to_array() {
            self.0 = (self.0 ^ u64::from(part.to_bits())).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A linear congruential generator with Knuth's constants.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }

    pub(crate) fn pick(&mut self, of: &[Entity]) -> Option<Entity> {
        (!of.is_empty()).then(|| of[self.below(of.len() as u32) as usize])
    }
}
