//! Times of avoiding obstacles: `cargo bench -p pathfind_core --bench obstacles`.
//!
//! 5,000 bodies among 120 boxes and spheres, in a plane and in space: the sweep ahead ([`Sweep::steer`]), and a
//! step that ends outside of all obstacles ([`slide`]).

use std::f32::consts::TAU;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use pathfind_core::steer::avoid::{AvoidState, AvoidanceInput, Sweep};
use pathfind_core::steer::contact::Step;
use pathfind_core::steer::contact::obstacles::slide;
use pathfind_core::steer::obstacle::{LayerMask, Obstacles, Shape};
use pathfind_core::steer::{Body, CounterRng, MovementPlane};

const BODIES: u64 = 5_000;
const SHAPES: u64 = 120;
/// Half the side of the world.
const REACH: f32 = 100.0;
const TICK: f32 = 1.0 / 60.0;

criterion_main!(benches);
criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = crowds
}

/// Times the sweep ahead, and the step.
fn crowds(criterion: &mut Criterion) {
    for (name, plane) in [("2d", Some(MovementPlane::XZ)), ("3d", None)] {
        let crowd = Crowd::new(plane);
        let (turned, pushed) = (crowd.steer(), crowd.slide());
        assert!((100..2_000).contains(&turned), "some have something ahead, not {turned}");
        assert!((10..1_000).contains(&pushed), "few touch anything, not {pushed}");
        let mut group = criterion.benchmark_group(format!("obstacles/{name}"));
        group.throughput(Throughput::Elements(BODIES));
        group.bench_function("steer", |bencher| bencher.iter(|| black_box(crowd.steer())));
        group.bench_function("slide", |bencher| bencher.iter(|| black_box(crowd.slide())));
    }
}

/// Moving bodies among obstacles.
struct Crowd {
    bodies: Vec<Body>,
    obstacles: Obstacles,
    plane: Option<MovementPlane>,
}

impl Crowd {
    fn new(plane: Option<MovementPlane>) -> Self {
        let flat = |at: Vec3| if plane.is_some() { at.with_y(0.0) } else { at.with_y(0.1 * at.y) };
        let place =
            |rng: &mut CounterRng| flat(Vec3::from_array([(); 3].map(|()| rng.unit() * 2.0 - 1.0)) * REACH);
        let shapes = (0..SHAPES).map(|i| {
            let mut rng = CounterRng::new(1, i, 0);
            let (at, size) = (place(&mut rng), 1.0 + 3.0 * rng.unit());
            let turn = Quat::from_rotation_y(TAU * rng.unit());
            match i % 3 {
                0 => Shape::sphere(at, size),
                1 => Shape::cuboid(at, Vec3::new(size, 3.0 * size, 0.5 * size)),
                _ => Shape::cuboid(at, Vec3::new(size, 3.0 * size, 0.5 * size)).with_rotation(turn),
            }
        });
        let mut obstacles = Obstacles::new(plane);
        obstacles.rebuild(shapes, 1.0);
        let bodies = (0..BODIES).map(|i| {
            let mut rng = CounterRng::new(2, i, 0);
            let (position, velocity) = (place(&mut rng), 8.0 * flat(rng.direction()));
            Body { position, velocity, radius: 0.4 }
        });
        // No body starts inside an obstacle.
        let bodies = bodies.map(|body| {
            let position = slide(step(&body, Vec3::ZERO), &obstacles);
            Body { position, ..body }
        });
        Self { bodies: bodies.collect(), obstacles, plane }
    }

    /// The number of bodies that have an obstacle ahead.
    fn steer(&self) -> usize {
        let sweep = Sweep::default();
        let turned = self.bodies.iter().filter(|body| {
            let input =
                AvoidanceInput { body: **body, desired: body.velocity, goal: None, plane: self.plane };
            let avoidance = sweep.steer(input, &mut AvoidState::default(), TICK, &self.obstacles);
            avoidance.hit.is_some()
        });
        turned.count()
    }

    /// The number of bodies that are stopped or pushed.
    fn slide(&self) -> usize {
        let held = self.bodies.iter().filter(|body| {
            let step = step(body, body.velocity * TICK);
            slide(step, &self.obstacles) != step.to
        });
        held.count()
    }
}

fn step(body: &Body, displacement: Vec3) -> Step {
    let (from, to) = (body.position, body.position + displacement);
    Step { from, to, radius: body.radius, mask: LayerMask::ALL, except: None, dt: TICK, since: 0.0 }
}
