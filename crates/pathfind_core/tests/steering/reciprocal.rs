//! Reciprocal avoidance of any crowd.

use glam::{Vec2, Vec3};
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::reciprocal::{
    AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings, Wall,
};
use pathfind_core::steer::{Body, MovementPlane};
use proptest::prelude::*;

/// An agent: position, velocity, preferred velocity, top speed and radius.
type One = ([f32; 2], [f32; 2], [f32; 2], f32, f32);

/// The largest difference of two results that differ by rounding only, relative to the top speed.
const ROUNDING: f32 = 2e-3;

/// Within this distance, rounding decides on which side something is.
const CLOSE: f32 = 0.02;

/// The distance of a point from a segment.
fn distance(place: [f32; 2], (from, to): ([f32; 2], [f32; 2])) -> f32 {
    let (place, from, to) = (Vec2::from_array(place), Vec2::from_array(from), Vec2::from_array(to));
    let along = to - from;
    let part = ((place - from).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    place.distance(from + along * part)
}

fn pair(size: f32) -> impl Strategy<Value = [f32; 2]> {
    prop::array::uniform2(-size..size)
}

fn one() -> impl Strategy<Value = One> {
    (pair(6.0), pair(3.0), pair(3.0), 0.0..3.0_f32, 0.0..0.6_f32)
}

/// The velocities of a crowd that was rotated by an angle about the plane's normal, rotated back.
fn decided(
    crowd: &[One],
    walls: &[([f32; 2], [f32; 2])],
    angle: f32,
    settings: ReciprocalSettings,
) -> Vec<Vec2> {
    let (sine, cosine) = (libm::sinf(angle), libm::cosf(angle));
    let at = |pair: [f32; 2]| Vec2::new(cosine, sine).rotate(Vec2::from_array(pair)).extend(0.0);
    let bodies: Vec<Body> =
        crowd.iter().map(|one| Body::new(at(one.0), at(one.1)).with_radius(one.4)).collect();
    let preferences: Vec<AgentPreference> =
        (0..).zip(crowd).map(|(id, one)| AgentPreference::new(id, at(one.2), one.3)).collect();
    let walls: Vec<Wall> = walls.iter().map(|wall| Wall::new(at(wall.0), at(wall.1))).collect();
    let (mut neighbors, mut crowd_state) = (Neighbors::default(), CrowdState::default());
    neighbors.build(5.0, &bodies, &[]);
    crowd_state.gather(MovementPlane::XY, &neighbors, &bodies, &preferences);
    let pass = ReciprocalPass {
        settings,
        neighbors: &neighbors,
        crowd_state: &crowd_state,
        walls: &walls,
        dt: 0.02,
    };
    let mut by_slot = vec![Vec3::NAN; neighbors.len()];
    pass.run(0..neighbors.len(), &mut by_slot).unwrap();
    let mut decided = vec![Vec2::NAN; bodies.len()];
    for (&index, velocity) in neighbors.order().iter().zip(by_slot) {
        assert_eq!(velocity.z, 0.0, "the plane is not left");
        decided[index as usize] = Vec2::new(cosine, -sine).rotate(velocity.truncate());
    }
    decided
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_rotated_crowd_gives_rotated_velocities(
        crowd in prop::collection::vec(one(), 1..25),
        walls in prop::collection::vec((pair(6.0), pair(6.0)), 0..3),
        angle in 0.0..core::f32::consts::TAU,
    ) {
        // An agent that is stuck steps aside at once, and rounding decides which agent is stuck.
        let settings = ReciprocalSettings { side_bias: 0.0, ..ReciprocalSettings::default() };
        // For an agent that shares its position with another, or whose centre is on a wall, no direction is better
        // than another.
        let is_lone = |index: &usize| {
            let others = crowd.iter().enumerate().filter(|(other, _)| other != index);
            others.map(|(_, other)| (other.0, other.0)).chain(walls.iter().copied())
                .all(|segment| distance(crowd[*index].0, segment) > CLOSE)
        };
        prop_assume!((0..crowd.len()).all(|index| is_lone(&index)));
        let straight = decided(&crowd, &walls, 0.0, settings);
        let about = decided(&crowd, &walls, angle, settings);
        for (index, (straight, about)) in straight.into_iter().zip(about).enumerate() {
            let off = straight.distance(about);
            prop_assert!(off <= ROUNDING * (1.0 + crowd[index].3), "body {} is off by {}", index, off);
        }
    }
}
