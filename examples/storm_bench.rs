//! A storm of orders and edits, headless: what it costs the main thread, and how soon answers come.
//!
//! `cargo run --release --example storm_bench -- --agents 10000 --orders 800 --edits-per-second 20 --json`
//!
//! Agents walk all over the map; who arrives is sent on. Once a second so many of them are ordered elsewhere
//! at once; single cells become walls and ground again all the time. Frames are paced to 60 a second, with
//! one tick each. Measuring begins when everybody has been answered for the first time.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use clap::Parser;
use pathfind_core::Steps;
use serde_json::json;

/// Ticks and frames a second.
const RATE: u32 = 60;
/// For how long everybody may wait for the first answer.
const WARM_UP: Duration = Duration::from_secs(60);
/// How many of the walls that the storm has built stand at a time.
const WALLS: usize = 200;

/// Orders and edits on a map full of agents.
#[derive(Parser, Resource, Clone)]
struct Flags {
    /// A MovingAI .map file; without it a square of scattered blocks
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How many cells wide and high that square is
    #[arg(long, value_name = "N", default_value_t = 512)]
    side: u32,
    /// How many agents are under way
    #[arg(long, value_name = "N", default_value_t = 1000)]
    agents: usize,
    /// How many orders are given at once, each second
    #[arg(long, value_name = "N", default_value_t = 800)]
    orders: usize,
    /// How many cells change in a second
    #[arg(long, value_name = "N", default_value_t = 20)]
    edits_per_second: u32,
    /// For how long is measured
    #[arg(long, value_name = "S", default_value_t = 10)]
    seconds: u32,
    /// Print one JSON object as the last line
    #[arg(long)]
    json: bool,
}

/// What happens by chance; a seed of its own makes every run alike.
#[derive(Resource)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as i32
    }

    /// A cell that can be reached from another.
    fn cell(&mut self, grid: &Grid, from: Cell) -> Cell {
        loop {
            let cell = Cell::new(self.below(grid.width()), self.below(grid.height()));
            if grid.connected(KindId::default(), Steps::default(), cell, from) {
                return cell;
            }
        }
    }
}

/// A cell of the largest open part of the map, as far as chance finds it.
#[derive(Resource)]
struct Home(Cell);

/// The tick in which an agent was last told to go, or that its way was shut.
#[derive(Component)]
struct AskedAt(u32);

/// What is measured.
#[derive(Resource, Default)]
struct Measured {
    tick: u32,
    /// When measuring began.
    began: Option<Instant>,
    mark: Option<Instant>,
    frames: Vec<f64>,
    stages: [Vec<f64>; 5],
    latencies: Vec<f64>,
    edits: u64,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    let grid = match load(&flags) {
        Ok(grid) => grid,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut app = storm(&flags, grid);
    let began = Instant::now();
    while began.elapsed() < WARM_UP && !everybody_walks(&mut app) {
        frame(&mut app);
    }
    let before = app.world().resource::<SolveStats>().clone();
    *app.world_mut().resource_mut::<Measured>() =
        Measured { tick: app.world().resource::<Measured>().tick, began: Some(Instant::now()), ..default() };
    let began = Instant::now();
    (0..flags.seconds * RATE).for_each(|_| frame(&mut app));
    report(&flags, &mut app, &before, began.elapsed());
    ExitCode::SUCCESS
}

fn load(flags: &Flags) -> Result<Grid, String> {
    let Some(path) = &flags.map else {
        // One block of seven, scattered so that they shut nobody in.
        let scatter =
            |x: i32, y: i32| (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        let block = |cell: Cell| (scatter(cell.x / 3, cell.y / 3).wrapping_mul(0x2c1b_3c6d) >> 16) % 7 == 0;
        let terrain = |cell| if block(cell) { Terrain::WALL } else { Terrain::GROUND };
        return Grid::from_fn(flags.side, flags.side, terrain).map_err(|error| error.to_string());
    };
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Grid::from_map(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The application: agents on a map, what befalls them, and clocks between the stages.
fn storm(flags: &Flags, grid: Grid) -> App {
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
        .init_resource::<Measured>()
        .add_systems(FixedUpdate, (give_orders, edit, start_clock).chain().before(NavSystems::World))
        .add_systems(
            FixedUpdate,
            (
                clock::<0>.after(NavSystems::World).before(NavSystems::Request),
                clock::<1>.after(NavSystems::Request).before(NavSystems::Solve),
                clock::<2>.after(NavSystems::Solve).before(NavSystems::Steer),
                clock::<3>.after(NavSystems::Steer).before(NavSystems::Motion),
                clock::<4>.after(NavSystems::Motion),
            ),
        )
        .add_observer(|on: On<PathReplanned>, mut asked: Query<&mut AskedAt>, measured: Res<Measured>| {
            if let Ok(mut asked) = asked.get_mut(on.entity) {
                asked.0 = measured.tick;
            }
        })
        .add_observer(|on: On<PathFound>, asked: Query<&AskedAt>, mut measured: ResMut<Measured>| {
            if let Ok(asked) = asked.get(on.entity) {
                let ticks = measured.tick - asked.0;
                measured.latencies.push(f64::from(ticks));
            }
        })
        .add_observer(go_on);
    app.world_mut().spawn(NavGrid::new(grid));
    for (start, goal) in starts.into_iter().zip(goals) {
        let at = Transform::from_translation(start.center().extend(0.0));
        app.world_mut().spawn((Agent::default(), at, order(goal), AskedAt(0)));
    }
    app
}

fn order(goal: Cell) -> PathRequest {
    PathRequest::to(goal.center().extend(0.0))
}

/// Who has arrived is sent on.
fn go_on(
    on: On<PathArrived>,
    grid: Single<&NavGrid>,
    home: Res<Home>,
    measured: Res<Measured>,
    mut chance: ResMut<Chance>,
    mut commands: Commands,
) {
    let goal = chance.cell(grid.grid(), home.0);
    commands.entity(on.entity).insert((order(goal), AskedAt(measured.tick + 1)));
}

/// Once a second so many are ordered elsewhere at once.
fn give_orders(
    mut agents: Query<(&mut PathRequest, &mut AskedAt)>,
    grid: Single<&NavGrid>,
    home: Res<Home>,
    flags: Res<Flags>,
    mut measured: ResMut<Measured>,
    mut chance: ResMut<Chance>,
) {
    measured.tick += 1;
    if measured.began.is_none() || !measured.tick.is_multiple_of(RATE) {
        return;
    }
    for (mut request, mut asked) in agents.iter_mut().take(flags.orders) {
        *request = order(chance.cell(grid.grid(), home.0));
        asked.0 = measured.tick;
    }
}

/// Cells become walls, and ground again when their time has come.
fn edit(
    mut grid: Single<&mut NavGrid>,
    home: Res<Home>,
    flags: Res<Flags>,
    mut measured: ResMut<Measured>,
    mut chance: ResMut<Chance>,
    mut walls: Local<Vec<Cell>>,
    mut due: Local<u32>,
) {
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

fn start_clock(mut measured: ResMut<Measured>) {
    measured.mark = Some(Instant::now());
    measured.frames.push(0.0);
}

/// Notes what a stage has taken.
fn clock<const STAGE: usize>(mut measured: ResMut<Measured>) {
    let now = Instant::now();
    let Some(mark) = measured.mark.replace(now) else { return };
    let ms = (now - mark).as_secs_f64() * 1e3;
    measured.stages[STAGE].push(ms);
    if let Some(frame) = measured.frames.last_mut() {
        *frame += ms;
    }
}

/// One frame of a sixtieth of a second.
fn frame(app: &mut App) {
    let began = Instant::now();
    app.update();
    let left = Duration::from_secs(1) / RATE;
    std::thread::sleep(left.saturating_sub(began.elapsed()));
}

fn everybody_walks(app: &mut App) -> bool {
    let mut all = app.world_mut().query::<&PathStatus>();
    let waits = |status: &PathStatus| {
        matches!(status, PathStatus::Idle | PathStatus::Waiting | PathStatus::Searching)
    };
    !all.iter(app.world()).any(waits)
}

fn report(flags: &Flags, app: &mut App, before: &SolveStats, taken: Duration) {
    let now = app.world().resource::<SolveStats>().clone();
    let mut measured = core::mem::take(&mut *app.world_mut().resource_mut::<Measured>());
    let [frame_p50, frame_p99, frame_max] = quantiles(&mut measured.frames);
    let [latency_p50, latency_p99, _] = quantiles(&mut measured.latencies);
    let searches = (now.finished - before.finished) as f64 / taken.as_secs_f64();
    let replans = (now.replanned - before.replanned) as f64 / measured.edits.max(1) as f64;
    let peak = peak_mib();
    for (name, times) in ["world", "request", "solve", "steer", "motion"].iter().zip(&mut measured.stages) {
        let [p50, p99, max] = quantiles(times);
        println!("{name:<8} {p50:>8.3} ms p50 {p99:>8.3} ms p99 {max:>8.3} ms max");
    }
    println!("frame    {frame_p50:>8.3} ms p50 {frame_p99:>8.3} ms p99 {frame_max:>8.3} ms max");
    println!(
        "answers  {latency_p50:>8} ticks p50 {latency_p99:>5} ticks p99, {} of them; {searches:.0} searches a second, {} shared, {} known",
        measured.latencies.len(),
        now.shared_requests - before.shared_requests,
        now.cache_hits - before.cache_hits,
    );
    println!("edits    {} with {replans:.2} plans made again each; peak {peak:.0} MiB", measured.edits);
    if flags.json {
        let line = json!({
            "frame_ms_p50": frame_p50,
            "frame_ms_p99": frame_p99,
            "frame_ms_max": frame_max,
            "latency_ticks_p50": latency_p50,
            "latency_ticks_p99": latency_p99,
            "searches_per_second": searches,
            "replans_per_edit": replans,
            "peak_mib": peak,
        });
        println!("{line}");
    }
}

/// The middle one, the one that 99 of 100 do not exceed, and the greatest; zeros without any.
fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let index = (values.len() as f64 * part).ceil() as usize;
        values.get(index.saturating_sub(1)).copied().unwrap_or(0.0)
    };
    [at(0.5), at(0.99), at(1.0)]
}

/// The most memory that the process ever held; 0 where the system does not say.
fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}
