//! Measures how long a tick of a crowd takes per agent.
//!
//! `cargo run --release --example crowd_bench -- [--behaviour flock|orca|separate] [--agents N] [--dim 2|3]
//! [--neighbours K] [--ticks T] [--threads N] [--ecs] [--json]`
//!
//! Agents start at random places in a square or a cube, so densely that each has K neighbours on average. A tick
//! sorts them (build), computes their steering (pass) and moves them (integrate); the time of each part is its
//! minimum over all ticks. For comparison the same model runs in a straightforward implementation over a `HashMap`
//! of cells, with at most 10,000 agents. With `--json` the last line is one object.
//!
//! With `--ecs` the whole plugin runs, headless, one tick per frame, and the parts are its stages: all stages
//! before steering (build), steering, which includes sorting the agents (pass), and motion, which writes
//! `Transform`s (integrate). The core's tick is measured in the same run.

// Options, and the agents.
mod crowd;
mod options;

// Implementations of a tick.
mod avoidance;
mod baseline;
mod ecs;
mod flock;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crowd::Crowd;
use options::{Behaviour, Options};

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The minimal time of each part of a tick.
#[derive(Copy, Clone)]
struct Times {
    build: Duration,
    pass: Duration,
    integrate: Duration,
}

impl Times {
    const NONE: Self = Self { build: Duration::MAX, pass: Duration::MAX, integrate: Duration::MAX };

    fn at_best(self, other: Self) -> Self {
        Self {
            build: self.build.min(other.build),
            pass: self.pass.min(other.pass),
            integrate: self.integrate.min(other.integrate),
        }
    }

    /// Nanoseconds per agent: build, pass, integrate, and total.
    fn per_agent(self, agents: usize) -> [f64; 4] {
        let ns = |time: Duration| time.as_secs_f64() * 1e9 / agents.max(1) as f64;
        let parts = [ns(self.build), ns(self.pass), ns(self.integrate)];
        [parts[0], parts[1], parts[2], parts.iter().sum()]
    }
}

fn run(options: &Options) -> Result<(), String> {
    options.check()?;
    let few = options.agents.min(10_000);
    let (crowd, small) = (Crowd::new(options, options.agents), Crowd::new(options, few));
    // The straightforward implementation is slow: three ticks are enough to warm up.
    let baseline_ticks = options.ticks.min(3);
    let (core, hash, baseline) = match options.behaviour {
        Behaviour::Flock => {
            let mut flock = flock::Flock::new(crowd, options);
            let times = best_of(options.ticks, || flock.tick());
            let mut baseline = baseline::Flock::new(small);
            (times, crowd::hash(flock.bodies()), best_of(baseline_ticks, || baseline.tick()))
        }
        Behaviour::Orca | Behaviour::Separate => {
            let mut avoidance = avoidance::Avoidance::new(crowd, options);
            let times = best_of(options.ticks, || avoidance.tick());
            let mut baseline = avoidance::Avoidance::new(small, options);
            (times, crowd::hash(avoidance.bodies()), best_of(baseline_ticks, || baseline.baseline_tick()))
        }
    };
    let core_ns = core.per_agent(options.agents);
    let baseline_ns = baseline.per_agent(few)[3];
    let Options { agents, dim, neighbours, threads, behaviour, .. } = options;
    println!("{behaviour}, {agents} agents, {dim}D, {neighbours} neighbours, {threads} threads");
    println!("ns an agent and tick:");
    print_parts("core", core_ns);
    println!(
        "  over a HashMap of cells, {few} agents: {baseline_ns:.1}, {:.1} times as long",
        baseline_ns / core_ns[3]
    );
    let (ns, hash) = if options.ecs { plugin(options, core_ns[3]) } else { (core_ns, hash) };
    if options.json {
        print_json(options, ns, hash);
    }
    Ok(())
}

/// Runs the same crowd in the whole plugin; the times of its parts, and a hash of the final state.
fn plugin(options: &Options, core: f64) -> ([f64; 4], u64) {
    let mut ecs = ecs::PluginCrowd::new(Crowd::new(options, options.agents), options);
    let ns = best_of(options.ticks, || ecs.tick()).per_agent(options.agents);
    let frame = (0..options.ticks).map(|_| ecs.frame()).min().unwrap_or_default();
    print_parts("plugin", ns);
    println!(
        "  {:.2} times the core; a tick takes {:.2} ms, a frame with all of Bevy {:.2} ms",
        ns[3] / core,
        ns[3] * options.agents as f64 / 1e6,
        frame.as_secs_f64() * 1e3
    );
    let bodies = ecs.bodies();
    (ns, crowd::hash(bodies.iter().map(|(id, body)| (*id, body))))
}

/// The minimal time of each part over `ticks` ticks.
fn best_of(ticks: usize, mut tick: impl FnMut() -> Times) -> Times {
    (0..ticks).fold(Times::NONE, |best, _| best.at_best(tick()))
}

fn print_parts(what: &str, [build, pass, integrate, total]: [f64; 4]) {
    println!("  {what}: build {build:.1}, pass {pass:.1}, integrate {integrate:.1}, total {total:.1}");
}

fn print_json(options: &Options, [build, pass, integrate, total]: [f64; 4], hash: u64) {
    let Options { agents, dim, neighbours, ticks, threads, behaviour, .. } = options;
    println!(
        "{}",
        serde_json::json!({
            "behaviour": behaviour.to_string(), "agents": agents, "dim": dim, "neighbours": neighbours,
            "ticks": ticks, "threads": threads, "build_ns": build,
            "pass_ns": pass, "integrate_ns": integrate, "total_ns": total, "hash": format!("{hash:016x}"),
        })
    );
}
