//! Tests of contact between bodies: results, and independence of order, parts and instructions.

use super::*;
use crate::steer::CounterRng;
use crate::testing::{bits, standing, work_of};

fn body(x: f32, y: f32) -> Body {
    Body::new(Vec3::new(x, y, 0.0), Vec3::ZERO).with_radius(0.5)
}

/// A crowd in a square of the plane with this half side.
fn crowd(seed: u64, count: usize, half: f32) -> Vec<Body> {
    let bodies = standing(&mut CounterRng::new(seed, 0, 0), count, Vec3::new(half, half, 0.0));
    bodies.into_iter().map(|body| body.with_radius(0.5)).collect()
}

fn contact_bodies(count: usize) -> Vec<ContactBody> {
    (0..count).map(|id| ContactBody { id: id as u64, yields: 1.0 }).collect()
}

fn solve(bodies: &mut [Body], contact_bodies: &[ContactBody], sweeps: u32) -> f32 {
    let contact = BodyContact { sweeps, ..BodyContact::default() };
    ContactSolver::default().solve(&contact, Some(MovementPlane::XY), bodies, contact_bodies).unwrap()
}

fn deepest(bodies: &[Body]) -> f32 {
    let overlap = |one: &Body, other: &Body| 1.0 - one.position.distance(other.position);
    let others = |index: usize| bodies[..index].iter().map(move |other| overlap(&bodies[index], other));
    (0..bodies.len()).flat_map(others).fold(0.0, f32::max)
}

#[test]
fn a_pair_parts_by_half_each_and_one_that_stands_stays() {
    let mut pair = [body(0.0, 0.0), body(0.6, 0.0)];
    solve(&mut pair, &contact_bodies(2), 8);
    assert!((pair[0].position.x + 0.2).abs() < 1e-5, "each moves by half the overlap: {pair:?}");
    assert!((pair[1].position.x - 0.8).abs() < 1e-5, "each moves by half the overlap: {pair:?}");

    let mut pair = [body(0.0, 0.0), body(0.6, 0.0)];
    let contact_bodies = [ContactBody { id: 0, yields: 0.0 }, ContactBody { id: 1, yields: 1.0 }];
    solve(&mut pair, &contact_bodies, 8);
    assert_eq!(pair[0], body(0.0, 0.0), "one that cannot be moved is not");
    assert!((pair[1].position.x - 1.0).abs() < 1e-5, "the other does it all: {pair:?}");
}

#[test]
fn what_does_not_overlap_is_not_touched_by_one_bit() {
    let mut bodies = [body(0.1, 0.3), body(1.2, 0.3), body(0.7, 1.9), body(f32::NAN, 0.0)];
    let before = bodies;
    assert_eq!(solve(&mut bodies, &contact_bodies(4), 8), 0.0);
    assert_eq!(bodies[..3], before[..3]);
}

#[test]
fn a_crowd_comes_apart_whatever_the_order_and_the_parts() {
    let mut bodies = crowd(3, 400, 14.0);
    let mut order = contact_bodies(400);
    let mut forth = bodies.clone();
    assert!(deepest(&bodies) > 0.5, "at first many overlap");
    let left = solve(&mut forth, &order, 100);
    assert!(left <= 0.01 && deepest(&forth) <= 0.0101, "in the end none do: {left}");

    bodies.reverse();
    order.reverse();
    solve(&mut bodies, &order, 100);
    bodies.reverse();
    assert_eq!(forth, bodies, "the order of bodies does not matter");
}

#[test]
fn sweeps_in_parts_on_threads_and_by_any_instructions_lead_to_the_same_places() {
    let (mut once, order) = (crowd(5, 300, 9.0), contact_bodies(300));
    let (mut again, contact) = (once.clone(), BodyContact::default());
    let left = solve(&mut once, &order, contact.sweeps);
    let mut sweeps = 0;
    let check = |sweep: &ContactSweep, whole: &mut [Vec3]| {
        sweeps += 1;
        let found = sweep.run(0..300, whole)?;
        assert!(found.deepest > 0.0 && found.drift > 0.0, "there is something to do: {found:?}");
        for (simd, size) in Simd::ALL.into_iter().flat_map(|simd| [(simd, 7), (simd, 150), (simd, 300)]) {
            let mut parts = [Vec3::NAN; 300];
            let stats = std::thread::scope(|scope| {
                let parts = parts.chunks_mut(size).enumerate().map(|(part, out)| {
                    scope.spawn(move || sweep.run_with(simd, part * size..part * size + out.len(), out))
                });
                let parts: Vec<_> = parts.collect();
                parts.into_iter().map(|part| part.join().expect("it ends")).reduce(SweepStats::and)
            });
            assert_eq!(stats, Some(found), "{simd:?} in parts of {size} finds the same");
            assert_eq!(parts, *whole, "and leads to the same places");
        }
        for (slot, &index) in sweep.neighbors.order().iter().enumerate() {
            let (push, _) = sweep.push(index as usize, sweep.from[slot]);
            assert_eq!(whole[slot], sweep.from[slot] + push, "as each is pushed alone");
        }
        Ok(found)
    };
    let plane = Some(MovementPlane::XY);
    let settled = ContactSolver::default().solve_with(&contact, plane, &mut again, &order, check);
    assert_eq!((settled, again), (Ok(left), once));
    assert!(sweeps > 1, "there was something to do");
}

#[test]
fn numbers_of_any_size_push_no_other_body_out_of_the_world() {
    for seed in 0..3_000 {
        let mut rng = CounterRng::new(31, seed, 0);
        let bodies = rng.any_bodies(12);
        let contact_bodies: Vec<ContactBody> =
            (0..12).map(|id| ContactBody { id, yields: rng.any_number() }).collect();
        let contact = BodyContact { sweeps: 4, tolerance: rng.any_number() };
        let [once, four, eight] = Simd::ALL.map(|simd| {
            let (mut bodies, mut solver) = (bodies.clone(), ContactSolver::default());
            let run = |sweep: &ContactSweep, out: &mut [Vec3]| Ok(sweep.run_with(simd, 0..out.len(), out));
            let plane = Some(MovementPlane::XY);
            let left = solver.solve_with(&contact, plane, &mut bodies, &contact_bodies, run).unwrap();
            assert!((0.0..=1.0).contains(&left), "seed {seed}: {left} is a part of the radii");
            bits(bodies.iter().map(|body| body.position))
        });
        assert!(once == four && once == eight, "seed {seed}: all instructions lead to the same places");
        for (before, after) in bodies.iter().zip(once) {
            let is_number = after.iter().all(|&bits| f32::from_bits(bits).is_finite());
            let is_kept = bits([before.position]) == [after];
            assert!(if before.is_in_range() { is_number } else { is_kept }, "seed {seed}: {before:?}");
        }
    }
}

#[test]
fn a_crowd_in_one_place_comes_apart_whatever_the_order() {
    let mut bodies = vec![body(3.0, 4.0); 300];
    let mut order = contact_bodies(300);
    let ticks = (0..200).find(|_| solve(&mut bodies, &order, 8) <= 0.01);
    assert!(ticks.is_some(), "300 come apart in 200 ticks: {} is left", deepest(&bodies));
    assert!(deepest(&bodies) <= 0.0101, "and that is so: {}", deepest(&bodies));
    assert!(bodies.iter().all(|body| body.position.z == 0.0), "all stay in the plane");

    let mut heap = vec![body(3.0, 4.0); 300];
    let mut back = heap.clone();
    for _ in 0..20 {
        solve(&mut heap, &order, 8);
        order.reverse();
        solve(&mut back, &order, 8);
        order.reverse();
    }
    back.reverse();
    assert_eq!(heap, back, "the order of bodies does not matter");
}

/// The work is the number of other bodies that are looked at, all together.
#[test]
fn far_and_wide_bodies_leave_the_work_of_others_as_it_is() {
    let far = |x: f32, y: f32, radius: f32| Body::new(Vec3::new(x, y, 0.0), Vec3::ZERO).with_radius(radius);
    let mut rng = CounterRng::new(15, 0, 0);
    let others: [Vec<Body>; 7] = [
        vec![],
        vec![far(1e9, 1e9, 0.5)],
        vec![far(-1e17, 3e5, 0.5), far(1e12, 0.0, 7.0)],
        vec![far(2e4, 0.0, 1.9e4), far(-2e9, 0.0, 1e9)],
        (0..300).map(|index| far(3e4, 1e3 * index as f32, 1e4)).collect(),
        (0..4_000).map(|_| far(1e9 * rng.signed(), 1e9 * rng.signed(), 0.5)).collect(),
        vec![far(0.0, 0.0, 200.0)],
    ];
    let contact_bodies = contact_bodies(8_000);
    let alone = crowd(14, 4_000, 100.0);
    let mut expected = alone.clone();
    let least = work_of(|| _ = solve(&mut expected, &contact_bodies[..4_000], 4));
    for (index, others) in others.iter().enumerate() {
        let mut bodies = alone.clone();
        bodies.extend(others);
        let work = work_of(|| _ = solve(&mut bodies, &contact_bodies[..4_000 + others.len()], 4));
        assert!(work < 5 * least, "crowd {index}: {work} looks instead of {least}");
        if index < 6 {
            let pairs = bodies.iter().zip(&expected);
            let moved = pairs.filter(|(one, other)| one.position.distance(other.position) > 1e-3).count();
            assert_eq!(moved, 0, "crowd {index}: the others touch none of it");
        }
    }
}

/// In space few of the bodies in the cells around overlap a body, so that the first sample may not do.
#[test]
fn the_work_for_a_dense_heap_in_space_grows_with_its_size() {
    let work_for = |count: usize| {
        let heap = standing(&mut CounterRng::new(16, 0, 0), count, Vec3::splat(1.7));
        let mut heap: Vec<Body> = heap.into_iter().map(|body| body.with_radius(0.5)).collect();
        work_of(|| _ = solve(&mut heap, &contact_bodies(count), 1)) / count as u64
    };
    let [some, many] = [2_000, 8_000].map(work_for);
    assert!(many < 400 && many < 2 * some, "each looks at {some} others of 2,000, and at {many} of 8,000");
}

/// The work is the number of other bodies that are looked at, all together.
#[test]
fn the_work_of_a_sweep_is_bounded_however_many_are_in_one_place() {
    for count in [1_000, 8_000] {
        let mut heap = vec![body(0.0, 0.0); count];
        let mut left = 0.0;
        let work = work_of(|| left = solve(&mut heap, &contact_bodies(count), 1));
        assert!(left > 0.9, "all overlap at first: {left}");
        assert!(heap.iter().all(|body| body.position.length() > 0.1), "every body gets away");
        let most = (SAMPLE * count) as u64;
        assert!((most / 2..=most).contains(&work), "{count} in one place look at {work} others");
    }
}
