//! The neighbour search of `pathfind_core` beside a k-d tree, `kiddo`, on the same places.
//!
//! `cargo run --release --bin near -- [--agents N] [--neighbors K] [--rounds R]`
//!
//! One thread. Agents are spread evenly at random over a square, then over a cube, so densely that each has K
//! others within reach on average. Each round builds the search and asks for all within reach of every agent, and
//! both must find as many. Rounds are interleaved, and the least of each counts.

use std::f32::consts::PI;
use std::time::{Duration, Instant};

use clap::Parser;
use core_glam::Vec3;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::{Body, CounterRng};

/// Within which distance others are looked for.
const REACH: f32 = 6.0;

/// Compares the search for neighbours with another crate's.
#[derive(Parser)]
struct Options {
    /// How many agents there are.
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// How many others each has within reach.
    #[arg(long, default_value_t = 12.0)]
    neighbors: f32,
    /// How often each is timed.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
}

fn main() {
    let options = Options::parse();
    compare::<2>(&options);
    compare::<3>(&options);
}

/// Times both in so many dimensions.
fn compare<const AXES: usize>(options: &Options) {
    let places = spread::<AXES>(options);
    let bodies: Vec<Body> = places.iter().map(|&place| Body::new(vector(place), Vec3::ZERO)).collect();
    let mut neighbors = Neighbors::default();
    let (mut own, mut theirs) = (Duration::MAX, Duration::MAX);
    let mut found = 0_usize;
    for _ in 0..options.rounds {
        let start = Instant::now();
        neighbors.build(REACH, &bodies, &[]);
        found = 0;
        for body in &bodies {
            neighbors.for_each_near(body.position, REACH, |_| found += 1);
        }
        own = own.min(start.elapsed());

        let start = Instant::now();
        let tree: ImmutableKdTree<f32, AXES> = ImmutableKdTree::new_from_slice(&places);
        let near = |place: &[f32; AXES]| tree.within_unsorted::<SquaredEuclidean>(place, REACH * REACH).len();
        let theirs_found: usize = places.iter().map(near).sum();
        theirs = theirs.min(start.elapsed());
        // Distances are added up in different orders: a few on the very edge may count for one only.
        assert!(found.abs_diff(theirs_found) <= found / 10_000, "{found} are found, and {theirs_found}");
    }
    let agents = options.agents;
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / agents as f64;
    let (own, theirs) = (nanoseconds(own), nanoseconds(theirs));
    let others = (found - agents) as f64 / agents as f64;
    println!("{agents} agents in {AXES}D, {others:.1} others within reach of each, ns an agent:");
    println!("  pathfind_core, built and asked {own:7.0}");
    println!("  kiddo, built and asked         {theirs:7.0}");
    println!("  ratio                          {:7.2}", theirs / own);
}

/// Places anywhere in a square or a cube.
fn spread<const AXES: usize>(options: &Options) -> Vec<[f32; AXES]> {
    let ball = if AXES == 2 { PI * REACH.powi(2) } else { 4.0 / 3.0 * PI * REACH.powi(3) };
    let half = 0.5 * (options.agents as f32 * ball / options.neighbors).powf(1.0 / AXES as f32);
    let mut rng = CounterRng::new(1, 0, 0);
    (0..options.agents).map(|_| [(); AXES].map(|()| rng.signed() * half)).collect()
}

fn vector<const AXES: usize>(place: [f32; AXES]) -> Vec3 {
    Vec3::new(place[0], place[1], if AXES == 3 { place[AXES - 1] } else { 0.0 })
}
