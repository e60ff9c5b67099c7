//! Compares the reciprocal avoidance of `pathfind_core` with `dodgy_2d`, on the same crowd.
//!
//! `cargo run --release --bin crowd -- [--agents N] [--neighbors K] [--rounds R] [--dense]`
//!
//! One thread. Agents of radius 0.5 are spread uniformly at random, so densely that each has K others within 10
//! units on average; both libraries consider the nearest K of those, with a time horizon of 2 seconds. With
//! `--dense` discs cover a fifth of the area, and the range is as large as K neighbours need. Ours is timed with
//! building and querying the neighbour search; theirs without, with neighbours found beforehand. Rounds are
//! interleaved, and the minimum of each counts.

// The agents, and the two libraries.
mod agents;
mod own;
mod theirs;

use std::time::{Duration, Instant};

use clap::Parser;

use agents::Agents;

/// Compares reciprocal avoidance with another crate's.
#[derive(Parser)]
struct Options {
    /// Number of agents.
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// Most neighbours of each agent.
    #[arg(long, default_value_t = 10)]
    neighbors: usize,
    /// Number of timed rounds.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Place agents close together.
    #[arg(long)]
    dense: bool,
}

fn main() {
    let options = Options::parse();
    let agents = Agents::spread(options.agents, options.neighbors, options.dense);
    let mut own = own::Own::new(&agents);
    let theirs = theirs::Theirs::new(&agents);
    let (mut build, mut whole, mut bare) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..options.rounds {
        let start = Instant::now();
        own.build();
        build = build.min(start.elapsed());
        own.decide();
        whole = whole.min(start.elapsed());
        let start = Instant::now();
        std::hint::black_box(theirs.decide());
        bare = bare.min(start.elapsed());
    }
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / options.agents as f64;
    let (build, whole, bare) = (nanoseconds(build), nanoseconds(whole), nanoseconds(bare));
    let (apart, disturbed) = agents.compare(&own.decided(), &theirs.decide());
    println!("{} agents, {:.1} neighbours each, ns an agent:", options.agents, theirs.neighbors());
    println!("  pathfind_core, search and all  {whole:7.0}   (of it building the search {build:.0})");
    println!("  dodgy_2d, bare                 {bare:7.0}");
    println!("  ratio                          {:7.2}", bare / whole);
    println!("  {:.0} % are disturbed; of all, {:.1} % decide otherwise", 100.0 * disturbed, 100.0 * apart);
}
