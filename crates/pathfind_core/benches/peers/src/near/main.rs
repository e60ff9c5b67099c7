//! Compares the neighbour search of `pathfind_core` with a k-d tree, `kiddo`, on the same points.
//!
//! `cargo run --release --bin near -- [--agents N] [--neighbors K] [--rounds R]`
//!
//! One thread. Agents are spread uniformly at random over a square, then over a cube, so densely that each has K
//! others within reach on average. Each round builds the search and queries all neighbours within reach of every
//! agent; both must find the same number. Rounds are interleaved, and the minimum of each counts.

use std::f32::consts::PI;
use std::time::{Duration, Instant};

use clap::Parser;
use core_glam::Vec3;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::{Body, CounterRng};

/// The search radius.
const REACH: f32 = 6.0;

/// Compares the neighbour search with another crate's.
#[derive(Parser)]
struct Options {
    /// Number of agents.
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// Mean number of neighbours of each agent.
    #[arg(long, default_value_t = 12.0)]
    neighbors: f32,
    /// Number of timed rounds.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
}

fn main() {
    let options = Options::parse();
    compare::<2>(&options);
    compare::<3>(&options);
}

/// Times both searches in two or three dimensions.
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
        // Distances are summed in different orders, so a few neighbours exactly at the radius may count for one
        // search only.
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

/// Random points in a square or a cube.
fn spread<const AXES: usize>(options: &Options) -> Vec<[f32; AXES]> {
    let ball = if AXES == 2 { PI * REACH.powi(2) } else { 4.0 / 3.0 * PI * REACH.powi(3) };
    let half = 0.5 * (options.agents as f32 * ball / options.neighbors).powf(1.0 / AXES as f32);
    let mut rng = CounterRng::new(1, 0, 0);
    (0..options.agents).map(|_| [(); AXES].map(|()| rng.signed() * half)).collect()
}

fn vector<const AXES: usize>(place: [f32; AXES]) -> Vec3 {
    Vec3::new(place[0], place[1], if AXES == 3 { place[AXES - 1] } else { 0.0 })
}
