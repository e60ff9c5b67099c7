//! Tests of whole flocks: the formulas in [`flock`](super), independence of threads and instructions, limits,
//! special cases.

mod formulas;

use std::f32::consts::PI;
use std::ops::Range;

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::neighbors::Neighbors;
use crate::simd::Simd;
use crate::steer::{Body, CounterRng, MovementPlane};
use crate::testing::{bits, work_of};

/// A flock and its state from tick to tick.
struct Sky {
    settings: FlockSettings,
    bodies: Vec<Body>,
    members: Vec<FlockMember>,
    groups: Vec<u32>,
    leader: Option<Body>,
    plane: Option<MovementPlane>,
    neighbors: Neighbors,
    tick: u64,
}

impl Sky {
    fn new(settings: FlockSettings, bodies: Vec<Body>) -> Self {
        let members = (0..bodies.len() as u64).map(|id| FlockMember { id, ..FlockMember::default() });
        Self {
            settings,
            members: members.collect(),
            bodies,
            groups: Vec::new(),
            leader: None,
            plane: None,
            neighbors: Neighbors::default(),
            tick: 0,
        }
    }

    fn accelerations(&mut self, dt: f32, simd: Simd, parts: usize) -> Vec<Vec3> {
        let rules = [self.settings.rules(dt)];
        self.neighbors.build(rules[0].reach(), &self.bodies, &self.groups);
        let groups = [FlockGroup::new(&self.bodies, self.leader, self.plane)];
        let pass = FlockPass::new(&self.neighbors, &self.members, &rules, &groups)
            .with_plane(self.plane)
            .with_simd(simd);
        let run = |slots, out: &mut [FlockStep]| pass.run(slots, out).unwrap();
        let steps = self.neighbors.found_by(self.bodies.len(), parts, FlockStep::default(), run);
        for (index, step) in steps.iter().enumerate() {
            let velocity = rules[0].velocity(self.bodies[index].velocity, step.acceleration, self.plane);
            assert_eq!(step.velocity, velocity, "many turn as each would");
            let parts = pass.parts(index).unwrap();
            if self.bodies.len() < 200 {
                assert_eq!(rules[0].total(&parts), step.acceleration, "the parts explain the acceleration");
            }
        }
        steps.iter().map(|step| step.acceleration).collect()
    }

    fn step(&mut self, dt: f32) {
        let accelerations = self.accelerations(dt, Simd::widest(), usize::MAX);
        let rules = self.settings.rules(dt);
        for (index, acceleration) in accelerations.into_iter().enumerate() {
            rules.advance(&mut self.bodies[index], acceleration, self.plane);
            let member = &mut self.members[index];
            member.noise = rules.random_push(member.noise, 1, member.id, self.tick, self.plane);
        }
        self.tick += 1;
    }
}

/// Bodies anywhere in a box; a few share their position with another.
fn crowd(count: usize, half: Vec3) -> Vec<Body> {
    let body = |index: usize| {
        let mut rng = CounterRng::new(5, if index % 11 == 10 { index as u64 - 1 } else { index as u64 }, 0);
        let place = rng.place() * half;
        Body::new(place, rng.place() * half * 0.5)
    };
    (0..count).map(body).collect()
}

fn presets() -> [FlockSettings; 5] {
    let half_blind = FlockSettings { alignment_angle: PI, ..FlockSettings::default() };
    [
        FlockSettings::default(),
        half_blind,
        FlockSettings::seagull(),
        FlockSettings::unity_flock(),
        FlockSettings::reynolds(),
    ]
}

/// Checks that the accelerations are finite, and the same in any parts and with any instructions.
fn same_accelerations(sky: &mut Sky) -> Vec<Vec3> {
    let expected = sky.accelerations(0.02, Simd::Scalar, usize::MAX);
    assert!(expected.iter().all(|it| it.is_finite()), "every acceleration is finite");
    for (simd, parts) in Simd::ALL.into_iter().zip([1, 13, 4096]).chain([(Simd::widest(), 1)]) {
        let (count, model) = (expected.len(), sky.settings.model);
        assert_eq!(
            sky.accelerations(0.02, simd, parts),
            expected,
            "{simd:?} by {parts} of {count}, {model:?}"
        );
    }
    expected
}

/// Members near one point, and some apart.
fn heap(count: usize, size: f32) -> Vec<Body> {
    let heap =
        crowd(count, Vec3::ONE).into_iter().map(|body| Body { position: body.position * size, ..body });
    heap.chain(crowd(100, Vec3::splat(12.0))).collect()
}

#[test]
fn parts_and_instructions_change_nothing() {
    for settings in presets() {
        for (count, half) in [(0, 9.0), (1, 9.0), (7, 2.0), (45, 12.0), (201, 15.0), (700, 40.0)] {
            for half in [Vec3::splat(half), Vec3::new(half, 0.0, half)] {
                let mut sky = Sky::new(settings, crowd(count, half));
                sky.groups = (0..count as u32).map(|index| index % 3 / 2).collect();
                sky.leader = Some(Body::new(Vec3::ONE, Vec3::X));
                same_accelerations(&mut sky);
            }
        }
        for size in [0.0, 1e-3] {
            let mut sky = Sky::new(settings, heap(1_000, size));
            sky.groups = (0..1_100).map(|index| index % 3 / 2).collect();
            let pushed = same_accelerations(&mut sky)[..1_000].iter().filter(|it| it.length() > 0.5).count();
            assert!(pushed > 990, "{pushed} of 1,000 are pushed under {:?} within {size}", settings.model);
        }
    }
}

/// The work is the number of others that are looked at, all together.
#[test]
fn the_work_for_a_heap_grows_with_its_size_and_not_with_the_square() {
    for (settings, size) in presets().into_iter().flat_map(|it| [(it, 0.0), (it, 1e-3), (it, 0.3)]) {
        for count in [2_000, 8_000] {
            let mut sky = Sky::new(settings, heap(count, size));
            let pass = work_of(|| drop(sky.accelerations(0.02, Simd::widest(), usize::MAX)));
            let stats = work_of(|| _ = FlockStats::new(&sky.neighbors, &sky.bodies, &[], 0));
            let [pass, stats] = [pass, stats].map(|work| work / count as u64);
            let name = settings.model;
            assert!(pass < 5_000 && stats < 600, "{name:?} within {size}: {pass} and {stats} of {count}");
        }
    }
}

#[test]
fn many_move_as_each_would() {
    for settings in presets() {
        // All members by one set of rules, or some by another or by none.
        for (count, half, plane, kinds) in [
            (603, Vec3::splat(9.0), None, [0, 0, 1, 9]),
            (603, Vec3::splat(9.0), None, [0; 4]),
            (90, Vec3::new(9.0, 0.0, 9.0), Some(MovementPlane::XZ), [0, 0, 1, 9]),
        ] {
            let mut sky = Sky::new(settings, crowd(count, half));
            for (index, member) in sky.members.iter_mut().enumerate() {
                member.rules = kinds[index / 40 % 4];
                member.noise = sky.bodies[index].velocity;
                sky.bodies[index].radius = 0.1 * index as f32;
            }
            let rules = [settings.rules(0.02), FlockSettings::seagull().rules(0.02)];
            sky.neighbors.build(3.0, &sky.bodies, &[]);
            let pass = FlockPass::new(&sky.neighbors, &sky.members, &rules, &[]).with_plane(plane);
            let order: Vec<_> = sky.neighbors.order().iter().map(|&index| index as usize).collect();
            let mut steps = vec![FlockStep::default(); count];
            pass.run(0..count, &mut steps).unwrap();
            let (reversed, nothing) =
                (Range { start: 5, end: 3 }, FlockMoved { bodies: &mut [], members: &mut [] });
            assert_eq!(pass.advance(reversed, &sky.bodies, &[], (4, 2), nothing), Ok(()), "no slot, no work");
            for (simd, size) in Simd::ALL.into_iter().flat_map(|simd| [(simd, 11), (simd, 999)]) {
                let pass = pass.with_simd(simd);
                let mut bodies = vec![Body::default(); count];
                let mut members = vec![FlockMember::default(); count];
                for start in (0..count).step_by(size) {
                    let part = start..count.min(start + size);
                    let to =
                        FlockMoved { bodies: &mut bodies[part.clone()], members: &mut members[part.clone()] };
                    pass.advance(part.clone(), &sky.bodies, &steps[part], (4, 2), to).unwrap();
                }
                for (slot, &index) in order.iter().enumerate() {
                    let (mut body, mut member) = (sky.bodies[index], sky.members[index]);
                    if let Some(rules) = rules.get(member.rules as usize) {
                        rules.advance(&mut body, steps[slot].acceleration, plane);
                        member.noise = rules.random_push(member.noise, 4, member.id, 2, plane);
                    } else {
                        assert_eq!(steps[slot].velocity, body.velocity, "without rules nothing changes");
                    }
                    assert_eq!((bodies[slot], members[slot]), (body, member), "body {index}");
                }
            }
        }
    }
}

#[test]
fn a_plane_stays_a_plane() {
    for settings in presets() {
        for normal in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut sky = Sky::new(settings, crowd(80, (Vec3::ONE - normal) * 9.0));
            sky.plane = MovementPlane::from_up(normal);
            sky.leader = Some(Body::new((Vec3::ONE - normal) * 30.0, Vec3::ZERO));
            for _ in 0..60 {
                sky.step(1.0 / 60.0);
            }
            let left = sky.bodies.iter().map(|body| body.position.dot(normal).abs()).fold(0.0, f32::max);
            assert_eq!(left, 0.0, "{:?} leaves the plane of {normal}", settings.model);
        }
    }
}

#[test]
fn numbers_of_any_size_give_accelerations_that_are_numbers() {
    for seed in 0..2_000 {
        let mut rng = CounterRng::new(34, seed, 0);
        let bodies = rng.any_bodies(20);
        let mut settings = presets()[seed as usize % 5];
        if seed % 2 == 0 {
            // One time in four the same number for all.
            let odd = [f32::NAN, -1.0, 0.0, f32::INFINITY, f32::MAX][seed as usize / 40 % 5];
            let one = (seed % 8 == 0).then_some(odd);
            let mut number = || one.unwrap_or_else(|| rng.any_number());
            settings = FlockSettings {
                model: settings.model,
                min_speed: number(),
                max_speed: number(),
                turn_speed: number(),
                max_acceleration: number(),
                noise_frequency: number(),
                noise_force: number(),
                leader_force: number(),
                leader_range: number(),
                leader_distance: number(),
                damping: number(),
                cohesion_force: number(),
                separation_radius: number(),
                separation_force: number(),
                alignment_force: number(),
                alignment_radius: number(),
                alignment_angle: number(),
                cohesion_radius: number(),
                cohesion_angle: number(),
                separation_angle: number(),
            };
        }
        let members: Vec<FlockMember> =
            (0..20).map(|id| FlockMember { id, noise: rng.any_vector(), ..FlockMember::default() }).collect();
        let rules = [settings.rules(rng.any_number())];
        let neighbors = Neighbors::of(rules[0].reach(), &bodies);
        let leader = Body::new(rng.any_vector(), rng.any_vector());
        let groups = [FlockGroup::new(&bodies, Some(leader), None)];
        let found = Simd::ALL.map(|simd| {
            let pass = FlockPass::new(&neighbors, &members, &rules, &groups).with_simd(simd);
            let mut steps = vec![FlockStep::default(); neighbors.len()];
            pass.run(0..steps.len(), &mut steps).unwrap();
            bits(steps.iter().flat_map(|step| [step.acceleration, step.velocity]))
        });
        let is_number = |vector: &[u32; 3]| vector.iter().all(|&bits| f32::from_bits(bits).is_finite());
        assert!(found[0].iter().all(is_number), "seed {seed}: all are numbers under {settings:?}");
        assert!(found[0] == found[1] && found[0] == found[2], "seed {seed}: all instructions give the same");
    }
}

#[test]
fn a_flock_on_one_spot_comes_apart_each_in_a_direction_of_its_own() {
    for settings in presets() {
        let mut heap = Sky::new(settings, vec![Body::default(); 300]);
        let mut pushes = bits(heap.accelerations(1.0 / 60.0, Simd::widest(), usize::MAX));
        pushes.sort_unstable();
        pushes.dedup();
        assert_eq!(pushes.len(), 300, "{:?}: every acceleration is one of its own", settings.model);
    }
}

/// Mean spacing and width of a flock of 60 round a leader that flies in circles.
fn settled(rate: f32) -> FlockStats {
    let mut sky = Sky::new(FlockSettings::default(), crowd(60, Vec3::splat(6.0)));
    let (mut sum, mut count) = (FlockStats::default(), 0.0);
    for tick in 0..(rate * 24.0) as u32 {
        let angle = tick as f32 / rate * 0.3;
        let out = Vec3::new(libm::cosf(angle), 0.0, libm::sinf(angle));
        sky.leader = Some(Body::new(out * 25.0, Vec3::new(-out.z, 0.0, out.x) * 7.5));
        sky.step(1.0 / rate);
        if tick as f32 > rate * 12.0 {
            let now = FlockStats::new(&sky.neighbors, &sky.bodies, &[], 0);
            sum.polarization += now.polarization;
            sum.nearest += now.nearest;
            sum.gyration += now.gyration;
            count += 1.0;
        }
    }
    FlockStats {
        polarization: sum.polarization / count,
        nearest: sum.nearest / count,
        gyration: sum.gyration / count,
    }
}

#[test]
fn a_flock_is_the_same_at_every_rate() {
    let [slow, usual, fast] = [30.0, 60.0, 144.0].map(settled);
    for other in [slow, fast] {
        assert!((other.nearest / usual.nearest - 1.0).abs() < 0.05, "{other:?}, but {usual:?}");
        assert!((other.gyration / usual.gyration - 1.0).abs() < 0.05, "{other:?}, but {usual:?}");
        assert!((other.polarization - usual.polarization).abs() < 0.03, "{other:?}, but {usual:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn accelerations_turn_with_the_world(axis in prop::array::uniform3(-1.0..1.0_f32), angle in 0.0..6.0_f32) {
        prop_assume!(Vec3::from_array(axis).length() > 0.1);
        let turn = Quat::from_axis_angle(Vec3::from_array(axis).normalize(), angle);
        // No two at one position: the direction in which such a pair parts does not turn with the world.
        let bodies: Vec<Body> =
            crowd(50, Vec3::splat(5.0)).into_iter().enumerate().filter(|(index, _)| index % 11 != 10).map(|it| it.1).collect();
        let turned: Vec<Body> =
            bodies.iter().map(|body| Body::new(turn * body.position, turn * body.velocity)).collect();
        for settings in [FlockSettings::default(), FlockSettings::seagull()] {
            let here = Sky::new(settings, bodies.clone()).accelerations(0.02, Simd::widest(), 99);
            let there = Sky::new(settings, turned.clone()).accelerations(0.02, Simd::widest(), 99);
            for (here, there) in here.into_iter().zip(there) {
                prop_assert!((turn * here).distance(there) < 0.02 * (1.0 + here.length()), "{} and {}", turn * here, there);
            }
        }
    }

    #[test]
    fn members_stay_within_their_limits(
        count in 1..60_usize, half in 0.0..20.0_f32, rate in 10.0..200.0_f32, which in 0..5_usize,
    ) {
        let settings = presets()[which];
        let mut sky = Sky::new(settings, crowd(count, Vec3::splat(half)));
        sky.leader = Some(Body::new(Vec3::splat(half), Vec3::X));
        for _ in 0..20 {
            let before = sky.bodies.clone();
            sky.step(1.0 / rate);
            for (before, body) in before.iter().zip(&sky.bodies) {
                let speed = body.velocity.length();
                prop_assert!(body.is_finite());
                prop_assert!(speed <= settings.max_speed * 1.0001, "a speed of {}", speed);
                prop_assert!(speed == 0.0 || speed >= settings.min_speed * 0.9999, "a speed of {}", speed);
                if before.velocity != Vec3::ZERO {
                    let turned = before.velocity.angle_between(body.velocity);
                    prop_assert!(turned <= settings.turn_speed / rate + 2e-3, "a turn of {}", turned);
                }
            }
        }
    }
}
