//! A storm of path requests and map edits, headless: its cost on the main thread, and the latency of answers.
//!
//! `cargo run --release --example storm_bench -- --agents 10000 --orders 800 --edits-per-second 20 --json`
//!
//! Agents walk all over the map; an agent that arrives is sent on. First a burst: the given number of agents get a
//! new goal in one tick, and the run continues until all are answered. Then the storm: the same once per second,
//! while single cells become walls and ground again all the time. Frames are paced to 60 per second, with one tick
//! each.
//!
//! With `--floors 8 --links 200` goals lie on any floor, and paths lead over links. With `--chunks` the map is one of
//! many grids that touch, some of which are unloaded and loaded again all the time.
//!
//! With `--field` there are no requests: all agents follow one flow field.
//!
//! `--sealed` runs another scene: all agents are sent to one goal that is walled in.

mod measure;
mod sealed;
mod storm;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveStats, world::Grid};
use clap::Parser;
use serde_json::json;

use measure::{Measured, print_stages, quantiles};
use storm::{Phase, all_are_answered, storm};

/// Ticks and frames per second.
pub(crate) const RATE: u32 = 60;
/// Time limit for answering all requests.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Path requests and edits on a map full of agents.
#[derive(Parser, Resource, Clone)]
struct Flags {
    /// A MovingAI .map file; without it a square of scattered blocks
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Width and height of that square, in cells
    #[arg(long, value_name = "N", default_value_t = 512)]
    side: u32,
    /// Number of floors, each with the same map
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    floors: u16,
    /// Number of links between floors next to each other, at random places
    #[arg(long, value_name = "N", default_value_t = 0)]
    links: usize,
    /// Cut the map into chunks of 64 by 64 cells, each a grid of its own
    #[arg(long)]
    chunks: bool,
    /// Number of chunks that are unloaded and loaded again per second
    #[arg(long, value_name = "N", default_value_t = 1)]
    reloads_per_second: u32,
    /// Number of agents
    #[arg(long, value_name = "N", default_value_t = 1000)]
    agents: usize,
    /// Number of new goals that are set at once, each second
    #[arg(long, value_name = "N", default_value_t = 800)]
    orders: usize,
    /// Number of cells that change per second
    #[arg(long, value_name = "N", default_value_t = 20)]
    edits_per_second: u32,
    /// Duration of the measurement, in seconds
    #[arg(long, value_name = "S", default_value_t = 10)]
    seconds: u32,
    /// Number of threads that may work on a tick, the main thread included; all if it is not given
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Let all agents follow one flow field to one goal, instead of a path each
    #[arg(long, conflicts_with_all = ["floors", "links", "chunks", "orders"])]
    field: bool,
    /// Instead, send all agents to a goal that none can reach, and measure the cost
    #[arg(long)]
    sealed: bool,
    /// Print one JSON object as the last line
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    if flags.sealed {
        sealed::run(&flags);
        return ExitCode::SUCCESS;
    }
    let grid = match load(&flags) {
        Ok(grid) => grid,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut app = storm(&flags, grid);
    answer_all(&mut app);
    burst(&flags, &mut app);
    app.insert_resource(Phase::Storm);
    let before = app.world().resource::<SolveStats>().clone();
    Measured::restart(&mut app);
    let began = Instant::now();
    (0..flags.seconds * RATE).for_each(|_| frame(&mut app));
    report(&flags, &mut app, &before, began.elapsed());
    ExitCode::SUCCESS
}

/// Runs frames until no request waits for an answer.
fn answer_all(app: &mut App) {
    let began = Instant::now();
    frame(app);
    while began.elapsed() < TIME_LIMIT && !all_are_answered(app) {
        frame(app);
    }
}

/// The burst: all new goals at once, without edits.
fn burst(flags: &Flags, app: &mut App) {
    (0..RATE).for_each(|_| frame(app));
    Measured::restart(app);
    app.insert_resource(Phase::Burst);
    answer_all(app);
    let mut measured = Measured::restart(app);
    let [frame_p50, _, frame_max] = quantiles(&mut measured.frames);
    let [answer_p50, _, answer_max] = quantiles(&mut measured.latencies);
    println!(
        "burst    {} orders at once: answers {answer_p50} ticks p50 {answer_max} ticks max; frame {frame_p50:.3} ms p50 {frame_max:.3} ms max",
        flags.orders.min(flags.agents),
    );
}

fn load(flags: &Flags) -> Result<Grid, String> {
    let Some(path) = &flags.map else {
        // One block of 3 × 3 cells in seven is a wall, scattered so that no area is enclosed.
        let scatter =
            |x: i32, y: i32| (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        let block =
            |cell: GridCell| (scatter(cell.x / 3, cell.y / 3).wrapping_mul(0x2c1b_3c6d) >> 16) % 7 == 0;
        let terrain = |cell| if block(cell) { Terrain::WALL } else { Terrain::GROUND };
        return Grid::from_fn(flags.side, flags.side, terrain).map_err(|error| error.to_string());
    };
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Grid::from_map(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Prints the results of the storm.
fn report(flags: &Flags, app: &mut App, before: &SolveStats, taken: Duration) {
    let now = app.world().resource::<SolveStats>().clone();
    let mut measured = Measured::restart(app);
    let [frame_p50, frame_p99, frame_max] = quantiles(&mut measured.frames);
    let [latency_p50, latency_p99, latency_max] = quantiles(&mut measured.latencies);
    let searches = (now.finished - before.finished) as f64 / taken.as_secs_f64();
    let replans = (now.replanned - before.replanned) as f64 / measured.edits.max(1) as f64;
    let peak = peak_mib();
    print_stages(&mut measured);
    println!(
        "answers  {latency_p50:>8} ticks p50 {latency_p99:>5} ticks p99 {latency_max:>5} ticks max, {} of them; {searches:.0} searches a second, {} shared, {} from the cache",
        measured.latencies.len(),
        now.shared_requests - before.shared_requests,
        now.cache_hits - before.cache_hits,
    );
    println!("edits    {} with {replans:.2} replans each; peak {peak:.0} MiB", measured.edits);
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

/// Runs one frame, and sleeps for the rest of a sixtieth of a second.
pub(crate) fn frame(app: &mut App) {
    let began = Instant::now();
    app.update();
    let left = Duration::from_secs(1) / RATE;
    std::thread::sleep(left.saturating_sub(began.elapsed()));
}

/// Peak memory of the process, in MiB; 0 if the system does not report it.
fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}
