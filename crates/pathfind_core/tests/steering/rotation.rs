//! Results do not depend on the orientation of the input.

use glam::{Quat, Vec3};
use pathfind_core::steer::pursue::{PursuitMode, pursue};
use pathfind_core::steer::seek::{arrive, evade, flee, keep_distance, seek};
use pathfind_core::steer::turn::turned;
use pathfind_core::steer::{Body, MotionLimits};
use proptest::prelude::*;

use super::common::{settings, vector};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn a_rotated_input_gives_a_rotated_result(
        settings in settings(), position in vector(20.0), velocity in vector(5.0),
        (body_velocity, prey_velocity) in (vector(5.0), vector(5.0)),
        axis in vector(1.0), angle in 0.0..core::f32::consts::TAU,
    ) {
        let turn = Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Z), angle);
        let turned_body = |body: Body| Body::new(turn * body.position, turn * body.velocity);
        let (body, other) = (Body::new(Vec3::ZERO, body_velocity), Body::new(position, prey_velocity));
        let limits = MotionLimits::new(velocity.length() + 0.1, 0.02).with_acceleration(10.0);
        let wishes = |body: &Body, other: &Body| {
            let point = other.position;
            let pursuit = pursue(&settings, body, other, &limits);
            [
                pursuit.desired,
                seek(body, point, &limits),
                flee(body, point, &limits),
                evade(body, other, 10.0, &limits),
                arrive(body, point, &limits),
                keep_distance(body, point, 3.0..=9.0, &limits),
                turned(body.velocity, other.velocity, 0.3, Vec3::ZERO),
            ]
        };
        let straight = wishes(&body, &other);
        let about = wishes(&turned_body(body), &turned_body(other));
        for (i, (straight, about)) in straight.into_iter().zip(about).enumerate() {
            // Only the basic mode depends on the axes.
            if i > 0 || settings.mode != PursuitMode::Basic {
                let off = about.distance(turn * straight);
                prop_assert!(off < 2e-3 * (1.0 + limits.speed), "wish {i} is off by {off}: {straight} {about}");
            }
        }
    }
}
