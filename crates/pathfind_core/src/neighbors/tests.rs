use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::steer::CounterRng;
use crate::testing::{standing, work_of};

/// The reference: every body within a radius, found by testing each body.
fn brute(bodies: &[Body], center: Vec3, radius: f32) -> Vec<usize> {
    let is_near = |body: &Body| {
        let offset = body.position - center;
        body.is_finite() && radius >= 0.0 && offset.length_squared() <= radius * radius
    };
    (0..bodies.len()).filter(|&index| is_near(&bodies[index])).collect()
}

fn found(neighbors: &Neighbors, center: Vec3, radius: f32) -> Vec<usize> {
    let mut found = Vec::new();
    neighbors.for_each_near(center, radius, |near| found.push(near.index));
    found.sort_unstable();
    found
}

fn still(positions: impl IntoIterator<Item = Vec3>) -> Vec<Body> {
    positions.into_iter().map(|position| Body::new(position, Vec3::ZERO)).collect()
}

/// Bodies in many arrangements: flat along any axis, tilted, clustered, spread over several orders of magnitude.
fn crowd() -> impl Strategy<Value = Vec<Body>> {
    let place = prop_oneof![
        8 => -10.0..10.0_f32,
        2 => (-3..3_i32).prop_map(|whole| whole as f32),
        1 => -1e6..1e6_f32,
    ];
    let shape = prop_oneof![
        Just(Vec3::ONE),
        Just(Vec3::new(1.0, 1.0, 0.0)),
        Just(Vec3::new(1.0, 0.0, 1.0)),
        Just(Vec3::new(0.0, 1.0, 1.0)),
        Just(Vec3::new(0.0, 1.0, 0.0)),
        Just(Vec3::ZERO),
    ];
    let tilt = prop_oneof![Just(0.0), 0.0..3.0_f32];
    (prop::collection::vec([place.clone(), place.clone(), place], 0..80), shape, tilt).prop_map(
        |(places, shape, tilt)| {
            let tilt = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), tilt);
            still(places.into_iter().map(|place| tilt * (Vec3::from_array(place) * shape)))
        },
    )
}

proptest! {
    #[test]
    fn near_bodies_are_found_once(
        bodies in crowd(),
        reach in prop_oneof![0.01..20.0_f32, Just(0.0), Just(f32::NAN), Just(f32::INFINITY), Just(1e-30)],
        radius in prop_oneof![0.0..30.0_f32, Just(0.0), Just(f32::INFINITY), Just(1e9)],
        who in 0..80_usize,
    ) {
        let neighbors = Neighbors::of(reach, &bodies);
        prop_assert_eq!(neighbors.len(), bodies.len());
        let mut places = vec![Vec3::ZERO, Vec3::new(3.0, -40.0, 2.0)];
        places.extend(bodies.get(who).map(|body| body.position));
        for center in places {
            prop_assert_eq!(found(&neighbors, center, radius), brute(&bodies, center, radius));
        }
        let slots: Vec<_> = neighbors.order().iter().map(|&index| neighbors.slot(index as usize)).collect();
        prop_assert_eq!(slots, (0..bodies.len()).map(Some).collect::<Vec<_>>(), "slots tell whose they are");
    }

    #[test]
    fn the_nearest_are_the_nearest_of_all(
        bodies in crowd(), reach in 0.1..9.0_f32, radius in 0.0..30.0_f32, count in 0..12_usize, who in 0..80_usize,
    ) {
        let neighbors = Neighbors::of(reach, &bodies);
        let center = bodies.get(who).map_or(Vec3::ONE, |body| body.position);
        let mut nearest = Vec::new();
        neighbors.nearest(center, radius, count, Some(who), &mut nearest);
        let mut all = Vec::new();
        neighbors.for_each_near(center, radius, |near| all.push(near));
        all.retain(|near| near.index != who);
        all.sort_by(|a, b| (a.distance_squared, a.index).partial_cmp(&(b.distance_squared, b.index)).unwrap());
        all.truncate(count);
        prop_assert_eq!(nearest, all);
    }
}

#[test]
fn a_place_on_the_very_rim_is_found() {
    let mut neighbors = Neighbors::default();
    for step in 0..20_000 {
        let at = step as f32 * 0.013_7;
        let bodies =
            still([Vec3::new(at, 100.0, 0.0), Vec3::new(at + 2.0, 100.0, 0.0), Vec3::new(-900.0, 0.0, 0.0)]);
        neighbors.build(2.0, &bodies, &[]);
        let radius = bodies[1].position.distance(bodies[0].position);
        assert_eq!(found(&neighbors, bodies[0].position, radius), brute(&bodies, bodies[0].position, radius));
    }
}

#[test]
fn bodies_without_a_place_are_left_out() {
    let mut bodies = still([Vec3::ZERO, Vec3::NAN, Vec3::X, Vec3::INFINITY]);
    bodies.push(Body::new(Vec3::Y, Vec3::NAN));
    let mut neighbors = Neighbors::default();
    neighbors.build(1.0, &bodies, &[0, 1, 2]);
    assert_eq!(neighbors.order(), [0, 2]);
    assert_eq!([0, 1, 2, 5].map(|index| neighbors.slot(index)), [Some(0), None, Some(1), None]);
    assert_eq!([0, 1].map(|slot| neighbors.columns.group(slot)), [0, 2], "each keeps its own group");
    assert_eq!(found(&neighbors, Vec3::ZERO, 9.0), [0, 2]);
    assert_eq!(found(&neighbors, Vec3::NAN, 9.0), [0; 0], "NaN is near no body");
    assert_eq!(found(&neighbors, Vec3::ZERO, f32::NAN), [0; 0]);
    assert_eq!(found(&neighbors, Vec3::ZERO, -1.0), [0; 0]);
    neighbors.build(1.0, &[], &[]);
    assert!(neighbors.is_empty());
    assert_eq!(found(&neighbors, Vec3::ZERO, 9.0), [0; 0], "an empty build finds none");
}

#[test]
fn a_wide_and_empty_world_takes_no_more_memory_than_its_bodies() {
    let far = [Vec3::ZERO, Vec3::splat(1e30), Vec3::new(-1e38, 1e38, 0.0), Vec3::splat(f32::MAX), Vec3::MIN];
    let bodies = still(far.into_iter().chain((0..95).map(|step| Vec3::X * step as f32)));
    let neighbors = Neighbors::of(1e-3, &bodies);
    assert!(neighbors.starts.len() <= 4 * bodies.len() + 2, "{} cells", neighbors.starts.len());
    assert!(found(&neighbors, Vec3::ZERO, 2.5).starts_with(&[0, 5, 6, 7]), "what lies close is found");
}

#[test]
fn bodies_far_away_leave_the_others_sorted() {
    let places = (0..10_000).map(|step| Vec3::new((step % 100) as f32, (step / 100) as f32, 0.0));
    let town = || places.clone().map(|place| place - Vec3::new(3e6, 0.0, 0.0));
    for (far, most) in [
        (vec![Vec3::new(1e7, 3e6, 0.0)], 400),
        (vec![Vec3::new(-1e9, 1e9, 0.0)], 400),
        (vec![Vec3::new(1e5, 0.0, 0.0), Vec3::new(0.0, -1e12, 0.0), Vec3::new(-1e18, 1e18, 0.0)], 400),
        (vec![Vec3::splat(1e9), Vec3::splat(-1e6)], 1_000),
        (town().chain([Vec3::Y * 1e10]).collect(), 400),
    ] {
        let bodies = still(places.clone().chain(far));
        for reach in [2.0, 0.0, f32::NAN] {
            let neighbors = Neighbors::of(reach, &bodies);
            let center = Vec3::new(50.0, 50.0, 0.0);
            let mut looked_at = 0;
            let at = neighbors.axes().grid(center);
            neighbors.for_each_range(at, 2.0, |range| looked_at += range.len());
            assert!(looked_at < most, "{looked_at} of {} are looked at for a dozen", bodies.len());
            for body in bodies.iter().step_by(997).chain(bodies.last()) {
                for radius in [0.0, 2.0, 1e8, f32::INFINITY] {
                    let at = body.position;
                    assert_eq!(
                        found(&neighbors, at, radius),
                        brute(&bodies, at, radius),
                        "{radius} round {at}"
                    );
                }
            }
        }
    }
}

#[test]
fn in_packed_cells_the_nearest_are_found_by_few_looks() {
    let mut rng = CounterRng::new(16, 0, 0);
    for (size, apart) in [(0.0, 0), (1e-4, 0), (0.3, 0), (0.0, 3), (1e-4, 3)] {
        let mut bodies = standing(&mut rng, 8_000, Vec3::splat(size));
        // Some stand apart, with two others within a step.
        bodies
            .iter_mut()
            .step_by(10)
            .take(100 * apart)
            .for_each(|body| body.position.x += rng.signed() * 50.0);
        let neighbors = Neighbors::of(3.0, &bodies);
        let mut nearest = Vec::new();
        let work = work_of(|| {
            for (index, body) in bodies.iter().enumerate() {
                neighbors.nearest(body.position, 3.0, 6, Some(index), &mut nearest);
            }
        });
        assert!(work < 2_000 * 8_000, "{} looks for each within {size}", work / 8_000);
        for (index, body) in bodies.iter().enumerate().step_by(41) {
            neighbors.nearest(body.position, 3.0, 6, Some(index), &mut nearest);
            let mut all = Vec::new();
            neighbors.for_each_near(body.position, 3.0, |near| all.push(near));
            all.retain(|near| near.index != index);
            all.sort_by(|a, b| {
                (a.distance_squared, a.index).partial_cmp(&(b.distance_squared, b.index)).unwrap()
            });
            all.truncate(6);
            assert_eq!(nearest, all, "of body {index} within {size}");
        }
    }
}

/// Bodies in two clusters at the distance `apart` along each axis.
fn clusters(rng: &mut CounterRng, apart: f32) -> Vec<Body> {
    let mut bodies = standing(rng, 80, Vec3::splat(3.0));
    bodies.iter_mut().skip(40).for_each(|body| body.position += Vec3::splat(apart));
    bodies
}

#[test]
fn distant_cells_share_an_entry_only_for_clusters() {
    let mut rng = CounterRng::new(4, 0, 0);
    let mut neighbors = Neighbors::of(2.0, &clusters(&mut rng, 500.0));
    assert!(neighbors.cell_grid.is_shared(), "in larger cells a cluster would be in one");
    assert_eq!(neighbors.reach(), 2.0);
    neighbors.build(2.0, &standing(&mut rng, 80, Vec3::splat(250.0)), &[]);
    assert!(!neighbors.cell_grid.is_shared(), "no cell is shared");
    assert!(neighbors.reach() > 2.0, "{} is asked for in fewer rows", neighbors.reach());
}

#[test]
fn slots_come_in_their_order_also_where_distant_cells_share_an_entry() {
    let mut rng = CounterRng::new(3, 0, 0);
    let crowds = [3.0, 12.0, 90.0].map(|half| standing(&mut rng, 50, Vec3::splat(half)));
    for bodies in crowds.into_iter().chain([30.0, 500.0].map(|apart| clusters(&mut rng, apart))) {
        let neighbors = Neighbors::of(2.0, &bodies);
        for body in &bodies {
            for radius in [2.0, 7.0] {
                let mut slots = Vec::new();
                neighbors.for_each_range(neighbors.axes().grid(body.position), radius, |range| {
                    slots.extend(range)
                });
                assert!(slots.is_sorted(), "within {radius} of {body:?}");
            }
        }
    }
}

#[test]
fn equal_places_keep_the_order_given_and_flat_worlds_say_so() {
    let bodies = still([Vec3::ONE; 40]);
    let mut neighbors = Neighbors::of(1.0, &bodies);
    assert!(neighbors.order().is_sorted(), "a stable sort");
    for (normal, places) in [
        (Vec3::Z, [Vec3::ZERO, Vec3::new(4.0, 5.0, 0.0)]),
        (Vec3::Y, [Vec3::Y, Vec3::new(4.0, 1.0, 5.0)]),
        (Vec3::X, [Vec3::ZERO, Vec3::new(0.0, 4.0, 5.0)]),
    ] {
        let mut bodies = still(places);
        neighbors.build(1.0, &bodies, &[]);
        assert_eq!(neighbors.flat_axis(), Some(normal));
        bodies[0].velocity = normal;
        neighbors.build(1.0, &bodies, &[]);
        assert_eq!(neighbors.flat_axis(), None, "one body off the plane needs space");
    }
}
