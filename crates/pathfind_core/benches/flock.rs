//! Times of the parts of a flock's tick: `cargo bench -p pathfind_core --bench flock`.
//!
//! 10,000 members with 12 neighbours each, in a plane and in space. Other searches for neighbours are timed in
//! `benches/peers` and, with 100,000 members, in `examples/crowd_bench`.

use std::f32::consts::PI;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::{
    FlockGroup, FlockMember, FlockMoved, FlockPass, FlockRules, FlockSettings, FlockStep,
};
use pathfind_core::steer::{Body, CounterRng, MovementPlane};

const MEMBERS: usize = 10_000;
const MATES: f32 = 12.0;

criterion_main!(benches);
criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = ticks
}

/// Times sorting, steering, moving, and the whole tick.
fn ticks(criterion: &mut Criterion) {
    for (name, is_flat) in [("2d", true), ("3d", false)] {
        let mut flock = Flock::new(is_flat);
        let mut group = criterion.benchmark_group(format!("flock/{name}"));
        group.throughput(Throughput::Elements(MEMBERS as u64));
        // From the second tick on, neighbours are close in memory.
        flock.tick();
        assert!(flock.bodies.iter().all(Body::is_finite), "after a tick all bodies are finite");
        group.bench_function("build", |bencher| bencher.iter(|| flock.build()));
        group.bench_function("pass", |bencher| bencher.iter(|| flock.pass()));
        group.bench_function("integrate", |bencher| bencher.iter(|| flock.integrate()));
        group.bench_function("tick", |bencher| bencher.iter(|| flock.tick()));
    }
}

/// A flock in a square or a cube, so dense that each member has its neighbours.
struct Flock {
    bodies: Vec<Body>,
    members: Vec<FlockMember>,
    moved: (Vec<Body>, Vec<FlockMember>),
    steps: Vec<FlockStep>,
    neighbors: Neighbors,
    rules: [FlockRules; 1],
    plane: Option<MovementPlane>,
    tick: u64,
}

impl Flock {
    fn new(is_flat: bool) -> Self {
        let settings = FlockSettings::default();
        let radius = settings.alignment_radius;
        let ball = if is_flat { PI * radius * radius } else { 4.0 / 3.0 * PI * radius * radius * radius };
        let room = MEMBERS as f32 * ball / MATES;
        let half = 0.5 * if is_flat { room.sqrt() } else { libm::cbrtf(room) };
        let bodies: Vec<Body> = (0..MEMBERS as u64)
            .map(|id| {
                let mut rng = CounterRng::new(1, id, 0);
                let mut vector = || {
                    let z = if is_flat { 0.0 } else { rng.signed() };
                    Vec3::new(rng.signed(), rng.signed(), z)
                };
                Body::new(vector() * half, vector() * 8.0)
            })
            .collect();
        let members: Vec<_> =
            (0..MEMBERS as u64).map(|id| FlockMember { id, ..FlockMember::default() }).collect();
        Self {
            moved: (bodies.clone(), members.clone()),
            steps: vec![FlockStep::default(); MEMBERS],
            neighbors: Neighbors::default(),
            rules: [settings.rules(1.0 / 60.0)],
            plane: is_flat.then_some(MovementPlane::XY),
            tick: 0,
            bodies,
            members,
        }
    }

    fn build(&mut self) {
        self.neighbors.build(self.rules[0].reach(), &self.bodies, &[]);
    }

    fn pass(&mut self) {
        let groups = [FlockGroup::of(MEMBERS, Vec3::ZERO, None, self.plane)];
        FlockPass::new(&self.neighbors, &self.members, &self.rules, &groups)
            .with_plane(self.plane)
            .run(0..MEMBERS, &mut self.steps)
            .unwrap();
    }

    /// Moves all members, into separate buffers.
    fn integrate(&mut self) {
        let moved = FlockMoved { bodies: &mut self.moved.0, members: &mut self.moved.1 };
        FlockPass::new(&self.neighbors, &self.members, &self.rules, &[])
            .with_plane(self.plane)
            .advance(0..MEMBERS, &self.bodies, &self.steps, (1, self.tick), moved)
            .unwrap();
    }

    fn tick(&mut self) {
        self.build();
        self.pass();
        self.integrate();
        std::mem::swap(&mut self.bodies, &mut self.moved.0);
        std::mem::swap(&mut self.members, &mut self.moved.1);
        self.tick += 1;
    }
}
