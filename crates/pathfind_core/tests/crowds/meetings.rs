//! Crowds that meet in the open.

use glam::{Vec2, Vec3};
use pathfind_core::steer::{CounterRng, MovementPlane};

use super::world::{DT, RADIUS, SPEED, World};

/// The deepest permitted overlap: what contact resolution leaves.
const TOLERANCE: f32 = 0.02 * RADIUS;

/// Bodies on a circle, each with the opposite point as its goal.
fn circle(count: u32, radius: f32, plane: MovementPlane) -> World {
    let mut world = World { plane, ..World::default() };
    for index in 0..count {
        let angle = std::f32::consts::TAU * index as f32 / count as f32;
        let at = plane.lift(Vec2::new(libm::cosf(angle), libm::sinf(angle)) * radius);
        world.add(at, &[-at]);
    }
    world
}

#[test]
fn two_agents_head_on_pass_each_other() {
    for plane in
        [MovementPlane::XY, MovementPlane::XZ, MovementPlane::from_up(Vec3::new(1.0, -2.0, 0.5)).unwrap()]
    {
        let mut world = circle(2, 5.0, plane);
        let ticks = world.run(20.0, RADIUS).expect("they do not stand face to face");
        assert!(ticks as f32 * DT < 1.5 * 10.0 / SPEED, "nor do they waver: {ticks} ticks");
        assert!(world.deepest <= TOLERANCE, "they do not touch: {}", world.deepest);
    }
}

#[test]
fn two_agents_head_on_move_symmetrically() {
    let mut world = circle(2, 5.0, MovementPlane::XY);
    for tick in 0..200 {
        world.tick();
        let [one, other] = [world.bodies[0], world.bodies[1]];
        let off = (one.position + other.position).length();
        assert!(off < 1e-3, "tick {tick}: both do the same, each from its side: {off}");
    }
}

#[test]
fn a_ring_changes_places_without_standing_still() {
    for (count, radius) in [(3, 6.0), (4, 6.0), (8, 8.0), (20, 14.0), (50, 20.0)] {
        let mut world = circle(count, radius, MovementPlane::XZ);
        // Fifty bodies cannot keep apart by avoidance alone.
        world.is_hard = count == 50;
        let ticks = world.run(60.0, RADIUS);
        let (took, straight) = (ticks.unwrap_or(0) as f32 * DT, 2.0 * radius / SPEED);
        println!("ring of {count}: {took} s, {} times straight, overlap {}", took / straight, world.deepest);
        assert!(ticks.is_some(), "all {count} arrive within a minute");
        assert!(count > 8 || took < 1.5 * straight, "{count} lose little time: {took} s");
        assert!(world.deepest <= TOLERANCE, "{count}: nobody touches anybody: {}", world.deepest);
    }
}

#[test]
fn two_dense_groups_that_change_places_come_to_rest() {
    for apart in [3.5, 4.0] {
        let mut world = World { is_hard: true, ..World::default() };
        for index in 0..32 {
            let (column, row) = (index % 16 / 4, index % 4);
            let place = Vec3::new(column as f32 - 1.5, row as f32 - 1.5, 0.0) * apart * RADIUS;
            let side = if index < 16 { Vec3::X * 10.0 } else { Vec3::X * -10.0 };
            world.add(place - side, &[place + side]);
        }
        let ticks = world.run(60.0, RADIUS).expect("all come to their places");
        (0..120).for_each(|_| world.tick());
        let before: Vec<_> = world.bodies.iter().map(|body| body.position).collect();
        (0..60).for_each(|_| world.tick());
        let stirs = world.bodies.iter().zip(&before).map(|(body, was)| body.position.distance(*was));
        let most = stirs.fold(0.0, f32::max);
        println!("groups {apart} radii apart: {} s, then stir by {most}", ticks as f32 * DT);
        assert!(most < 0.1 * RADIUS, "and stay there: {most}");
    }
}

#[test]
fn a_tick_is_the_same_on_xy_and_on_xz_and_in_any_order() {
    let (mut flat, mut ground, mut back) = (
        circle(50, 12.0, MovementPlane::XY),
        circle(50, 12.0, MovementPlane::XZ),
        circle(50, 12.0, MovementPlane::XY),
    );
    back.bodies.reverse();
    back.ids.reverse();
    back.stations.reverse();
    for _ in 0..300 {
        flat.tick();
        ground.tick();
        back.tick();
    }
    for (index, body) in flat.bodies.iter().enumerate() {
        let at = ground.bodies[index].position;
        assert_eq!(body.position, Vec3::new(at.x, -at.z, at.y), "body {index} moves the same on the ground");
        assert_eq!(body, &back.bodies[49 - index], "and in any order of the bodies");
    }
}

#[test]
fn two_hundred_agents_cross_a_square() {
    let mut rng = CounterRng::new(2, 0, 0);
    let mut world = World { is_hard: true, ..World::default() };
    for index in 0..200 {
        let lane = (index / 20) as f32 * 1.6 + 14.0;
        let place = (index % 20) as f32 * 1.6 - 15.2 + rng.signed() * 0.2;
        let (at, to) = if index % 40 < 20 {
            (Vec3::new(-lane, place, 0.0), Vec3::new(46.0 - lane, place, 0.0))
        } else {
            (Vec3::new(place, -lane, 0.0), Vec3::new(place, 46.0 - lane, 0.0))
        };
        world.add(at, &[to]);
    }
    let ticks = world.run(120.0, 4.0).expect("all get across");
    println!("crossing of 200: {} s, overlap {}", ticks as f32 * DT, world.deepest);
    assert!(world.deepest <= TOLERANCE, "nobody touches anybody: {}", world.deepest);
}
