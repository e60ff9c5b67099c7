//! Reciprocal avoidance of `pathfind_core` beside `dodgy_2d`, on the same crowd.
//!
//! `cargo run --release --bin crowd -- [--agents N] [--neighbors K] [--rounds R] [--dense]`
//!
//! One thread. Agents of radius 0.5 are spread evenly at random, so densely that each has K others within 10
//! units on average, and both look at the nearest K of those, 2 seconds ahead; with `--dense` they stand so
//! close that one in five of the disc that each occupies is taken, and look as far as that takes. Ours is timed
//! whole: building the neighbour search, asking it, and deciding; theirs bare, with the neighbours found and
//! laid ready beforehand. Rounds are interleaved, and the least of each counts.

// Who is there, and who decides.
mod agents;
mod own;
mod theirs;

use std::time::{Duration, Instant};

use clap::Parser;

use agents::Agents;

/// Compares reciprocal avoidance with another crate's.
#[derive(Parser)]
struct Options {
    /// How many agents there are.
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// How many others each looks at.
    #[arg(long, default_value_t = 10)]
    neighbors: usize,
    /// How often each is timed.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Stand close together.
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
