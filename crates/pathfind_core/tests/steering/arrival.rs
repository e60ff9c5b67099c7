//! No body overshoots its target.

use glam::Vec3;
use pathfind_core::steer::pursue::{InterceptForecast, PursuitMode, PursuitSettings, pursue};
use pathfind_core::steer::seek::{arrive, seek};
use pathfind_core::steer::{Body, MotionLimits};
use proptest::prelude::*;

use super::common::{flatten, vector};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn basic_pursuit_passes_its_prey_on_no_axis(
        gap in vector(10.0), speed in 0.1..50.0_f32, dt in 0.001..0.5_f32, normalize_diagonal in any::<bool>(),
    ) {
        let settings = PursuitSettings { normalize_diagonal, ..PursuitSettings::new(PursuitMode::Basic) };
        let limits = MotionLimits::new(speed, dt);
        let prey = Body::new(gap, Vec3::ZERO);
        let mut hunter = Body::default();
        for _ in 0..200 {
            hunter.velocity = pursue(&settings, &hunter, &prey, &limits).desired;
            hunter.position += hunter.velocity * dt;
            let passed = (hunter.position - gap) * gap.signum();
            prop_assert!(passed.max_element() <= 1e-5 * (1.0 + gap.length()), "past it by {passed}");
        }
    }

    #[test]
    fn arriving_does_not_overshoot(
        point in vector(20.0), speed in 0.1..20.0_f32, acceleration in 0.5..200.0_f32, dt in 0.002..0.1_f32,
        is_planar in any::<bool>(),
    ) {
        let point = flatten(point, is_planar);
        let limits = MotionLimits::new(speed, dt).with_acceleration(acceleration);
        let mut body = Body::default();
        let along = point.normalize_or_zero();
        for _ in 0..3_000 {
            let wish = arrive(&body, point, &limits);
            body.velocity = body.velocity.move_towards(wish, acceleration * dt);
            body.position += body.velocity * dt;
            let past = (body.position - point).dot(along);
            prop_assert!(past <= 1e-4 * (1.0 + point.length()), "past it by {past}");
        }
        let time = 3_000.0 * dt - 2.0 * (speed / acceleration + point.length() / speed) - 100.0 * dt;
        let left = body.position.distance(point);
        prop_assert!(time < 0.0 || left < 1e-2 * (1.0 + point.length()), "and it arrives: {left} left");
    }

    #[test]
    fn seeking_ends_on_the_point(point in vector(5.0), dt in 0.01..0.5_f32) {
        let limits = MotionLimits::new(5.0, dt);
        let mut body = Body::default();
        for _ in 0..200 {
            body.position += seek(&body, point, &limits) * dt;
        }
        prop_assert!(body.position.distance(point) <= 1e-5, "there: {}", body.position);
    }

    #[test]
    fn a_hunter_that_arrives_comes_to_rest_with_its_prey(
        gap in vector(15.0), velocity in vector(2.0), is_planar in any::<bool>(), is_exact in any::<bool>(),
    ) {
        let mode = if is_exact { PursuitMode::Intercept } else { PursuitMode::LineOfSight };
        let settings = PursuitSettings { arrives: true, ..PursuitSettings::new(mode) };
        let limits = MotionLimits::new(5.0, 1.0 / 60.0).with_acceleration(20.0);
        let mut prey = Body::new(flatten(gap, is_planar), flatten(velocity, is_planar));
        let mut hunter = Body::default();
        for _ in 0..3_600 {
            let desired = pursue(&settings, &hunter, &prey, &limits).desired;
            hunter.velocity = hunter.velocity.move_towards(desired, 20.0 * limits.dt);
            hunter.position += hunter.velocity * limits.dt;
            prey.position += prey.velocity * limits.dt;
        }
        let pursuit = pursue(&settings, &hunter, &prey, &limits);
        prop_assert_eq!(pursuit.aim.forecast, InterceptForecast::Caught, "it has it");
        let slip = hunter.velocity.distance(prey.velocity);
        prop_assert!(slip < 0.5, "and goes along with it: {slip}");
    }
}
