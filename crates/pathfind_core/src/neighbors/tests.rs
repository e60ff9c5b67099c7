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

/// The reference for the nearest: all within a radius, sorted.
fn sorted(
    neighbors: &Neighbors,
    center: Vec3,
    radius: f32,
    count: usize,
    counts: impl Fn(usize) -> bool,
) -> Vec<Neighbor> {
    let mut all = Vec::new();
    neighbors.for_each_near(center, radius, |near| all.push(near));
    all.retain(|near| counts(near.index));
    all.sort_by(|a, b| (a.distance_squared, a.index).partial_cmp(&(b.distance_squared, b.index)).unwrap());
    all.truncate(count);
    all
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
        prop_assert_eq!(nearest, sorted(&neighbors, center, radius, count, |index| index != who));
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
    let places = || (0..10_000).map(|step| Vec3::new((step % 100) as f32, (step / 100) as f32, 0.0));
    let away = || places().map(|place| place - Vec3::new(3e6, 0.0, 0.0));
    for far in [
        vec![Vec3::new(1e7, 3e6, 0.0)],
        vec![Vec3::new(-1e9, 1e9, 0.0)],
        vec![Vec3::new(1e5, 0.0, 0.0), Vec3::new(0.0, -1e12, 0.0), Vec3::new(-1e18, 1e18, 0.0)],
        vec![Vec3::splat(1e9), Vec3::splat(-1e6)],
        vec![Vec3::Z * -1e9],
        away().chain([Vec3::Y * 1e10]).collect(),
    ] {
        let bodies = still(far.into_iter().chain(places()));
        let neighbors = Neighbors::of(2.0, &bodies);
        let (center, mut looked_at) = (neighbors.axes.grid(Vec3::new(50.0, 50.0, 0.0)), 0);
        neighbors.for_each_range(center, 2.0, |range| looked_at += range.len());
        assert!(looked_at < 1000, "{looked_at} of {} are looked at for a dozen", bodies.len());
        for body in bodies.iter().take(3).chain(bodies.iter().step_by(997)) {
            for radius in [0.0, 2.0, 1e8, f32::INFINITY] {
                let (at, expected) = (body.position, brute(&bodies, body.position, radius));
                assert_eq!(found(&neighbors, at, radius), expected, "{radius} round {at}");
            }
        }
    }
}

/// The work is the number of bodies that are looked at, all together.
#[test]
fn clusters_and_lines_in_a_regular_pattern_do_not_share_their_cells() {
    type Pattern<'p> = (&'p str, &'p dyn Fn(usize, &mut CounterRng) -> Vec3);
    let lattice = |at: usize, per: [usize; 3], apart: f32| {
        let [x, y, z] = [at % per[0], at / per[0] % per[1], at / per[0] / per[1] % per[2]];
        Vec3::new(x as f32, y as f32, z as f32) * apart
    };
    let patterns: [Pattern; 6] = [
        ("a row", &|at, rng| lattice(at, [64, 1, 1], 4096.0) + rng.place().with_z(0.0) * 0.5),
        ("a square", &|at, rng| lattice(at, [10, 10, 1], 1024.0) + rng.place().with_z(0.0) * 0.5),
        ("a cube", &|at, rng| lattice(at, [4, 4, 4], 1024.0) + rng.place() * 0.5),
        ("a slanting line", &|at, _| Vec3::ONE * (0.3 * at as f32)),
        ("half far", &|at, rng| rng.place().with_z(0.0) * [3.0, 1e8][at % 2]),
        ("two halves", &|at, rng| rng.place().with_z(0.0) * 3.0 + Vec3::X * [0.0, 1e8][at % 2]),
    ];
    for (name, place) in patterns {
        let mut rng = CounterRng::new(18, 0, 0);
        let bodies = still((0..8_000).map(|at| place(at, &mut rng)));
        let neighbors = Neighbors::of(1.0, &bodies);
        let (mut looked_at, mut near) = (0, 0);
        for body in bodies.iter().step_by(37) {
            let at = neighbors.axes.grid(body.position);
            neighbors.for_each_range(at, 1.0, |range| looked_at += range.len());
            near += brute(&bodies, body.position, 2.0).len();
            assert_eq!(found(&neighbors, body.position, 1.0), brute(&bodies, body.position, 1.0), "{name}");
        }
        // Some share an entry by chance, as there are only so many entries for each body.
        let by_chance = 60 * bodies.len() / 37;
        assert!(looked_at < 3 * near + by_chance, "{name}: {looked_at} looks, {near} within twice the reach");
    }
}

/// The work is the number of bodies that are looked at, all together.
#[test]
fn the_nearest_are_found_by_few_looks_however_wide_the_search() {
    let bodies = standing(&mut CounterRng::new(17, 0, 0), 8_000, Vec3::new(60.0, 60.0, 0.0));
    let (neighbors, mut nearest) = (Neighbors::of(3.0, &bodies), Vec::new());
    for radius in [40.0, 1e9, f32::INFINITY] {
        let search = |index: usize, count, nearest: &mut Vec<Neighbor>| {
            neighbors.nearest(bodies[index].position, radius, count, Some(index), nearest);
        };
        let work = work_of(|| (0..8_000).for_each(|index| search(index, 6, &mut nearest))) / 8_000;
        assert!(work < 100, "{work} looks for each within {radius}");
        for (index, count) in (0..8_000).step_by(797).flat_map(|index| [(index, 6), (index, 300)]) {
            search(index, count, &mut nearest);
            let all = sorted(&neighbors, bodies[index].position, radius, count, |it| it != index);
            assert_eq!(nearest, all, "{count} of body {index} within {radius}");
        }
    }
}

/// Crowds on one point or two, on a line, in a disc; in half of them some bodies stand apart.
fn packed(count: usize) -> impl Iterator<Item = Vec<Body>> {
    let halves = [Vec3::ZERO, Vec3::splat(1e-4), Vec3::new(0.3, 0.3, 0.0), Vec3::X, Vec3::new(0.0, 3.0, 3.0)];
    halves.into_iter().flat_map(|half| [(half, 1, 0.0), (half, 2, 30.0)]).map(move |(half, points, apart)| {
        let mut rng = CounterRng::new(16, 0, 0);
        let mut bodies = standing(&mut rng, count, half);
        for (index, body) in bodies.iter_mut().enumerate() {
            let far = if index % 10 == 0 { apart * rng.signed() } else { 0.0 };
            body.position.x += 0.5 * (index % points) as f32 + far;
        }
        bodies
    })
}

/// The work is the number of bodies that are looked at, all together.
#[test]
fn the_nearest_of_a_packed_crowd_are_found_by_few_looks() {
    for (crowd, bodies) in packed(8_000).enumerate() {
        let groups: Vec<u32> = (0..8_000).map(|index| index / 2_000).collect();
        let mut neighbors = Neighbors::default();
        neighbors.build(3.0, &bodies, &groups);
        let mut nearest = Vec::new();
        for (group, radius) in [(None, 3.0), (Some(2), 3.0), (None, 0.1)] {
            let search = |index: usize, nearest: &mut Vec<Neighbor>| {
                neighbors.nearest_of(group, bodies[index].position, radius, (6, Some(index)), nearest)
            };
            let work = work_of(|| (0..8_000).for_each(|index| search(index, &mut nearest))) / 8_000;
            assert!(work < 600, "crowd {crowd}: {work} looks for each within {radius}, of group {group:?}");
            for index in (0..8_000).step_by(397) {
                search(index, &mut nearest);
                let counts = |it: usize| it != index && group.is_none_or(|group| group == groups[it]);
                let all = sorted(&neighbors, bodies[index].position, radius, 6, counts);
                assert_eq!(nearest, all, "crowd {crowd}: of body {index} within {radius}");
            }
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
                let at = neighbors.axes.grid(body.position);
                neighbors.for_each_range(at, radius, |range| slots.extend(range));
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
