//! Interception compared with a search over time.

use glam::Vec3;
use pathfind_core::steer::{
    Body, MotionLimits,
    pursue::{InterceptForecast, PursuitMode, PursuitSettings, UncatchablePolicy, intercept_time, pursue},
};
use proptest::prelude::*;
use proptest::sample::select;

use super::common::{flatten, vector};

/// Ratios of the hunter's speed to the prey's, with 1 and its neighbours.
const RATIOS: [f32; 9] = [0.0, 0.3, 0.77, 0.999_999, 1.0, 1.000_001, 1.3, 2.0, 40.0];
const LATEST: f64 = 40.0;
const STEP: f64 = 1e-3;

/// The distance that is left to touching the prey at a time, if the hunter runs straight there.
fn shortfall(gap: Vec3, velocity: Vec3, speed: f32, radius: f32, time: f64) -> f64 {
    (gap.as_dvec3() + velocity.as_dvec3() * time).length() - f64::from(speed) * time - f64::from(radius)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_closed_form_is_the_first_time_that_a_search_finds(
        gap in vector(20.0), velocity in vector(5.0), ratio in select(RATIOS.to_vec()),
        radius in select(vec![0.0_f32, 0.5, 3.0, 15.0]), is_still in prop::bool::weighted(0.1),
        is_planar in any::<bool>(),
    ) {
        let gap = flatten(gap, is_planar);
        let velocity = if is_still { Vec3::ZERO } else { flatten(velocity, is_planar) };
        let speed = if is_still { 5.0 * ratio } else { velocity.length() * ratio };
        let shortfall = |time| shortfall(gap, velocity, speed, radius, time);
        let found = (0..(LATEST / STEP) as u32).map(|i| f64::from(i) * STEP).find(|&time| shortfall(time) <= 0.0);
        let exact = intercept_time(gap, velocity, speed, radius).map(f64::from);
        // The search misses a graze shorter than a step, and rounding decides whether bodies touch.
        let slack = 1e-5 * (1.0 + f64::from(gap.length()));
        match (exact, found) {
            (Some(exact), found) => {
                prop_assert!(exact >= 0.0);
                prop_assert!(shortfall(exact) <= slack * (1.0 + exact), "they do not meet at {exact}");
                if let Some(found) = found {
                    prop_assert!(exact <= found + slack, "they could meet at {found}, before {exact}");
                }
                if exact > STEP {
                    let before = (0..100).map(|i| exact * 0.999 * f64::from(i) / 100.0);
                    let sooner = before.min_by(|&a, &b| shortfall(a).total_cmp(&shortfall(b)));
                    let sooner = sooner.expect("there are a hundred times");
                    prop_assert!(shortfall(sooner) > -slack, "they could meet at {sooner}, before {exact}");
                }
            }
            (None, Some(found)) => {
                prop_assert!(shortfall(found) > -slack, "they meet at {found}, which the closed form denies");
            }
            (None, None) => {}
        }
    }

    #[test]
    fn a_hunter_that_keeps_its_course_intercepts_in_time(
        gap in vector(20.0), velocity in vector(5.0), ratio in 0.5..3.0_f32, is_planar in any::<bool>(),
    ) {
        let (gap, velocity) = (flatten(gap, is_planar), flatten(velocity, is_planar));
        let limits = MotionLimits::new(velocity.length() * ratio, 0.01);
        let settings = PursuitSettings::default().with_horizon(1e6);
        let (hunter, prey) = (Body::default(), Body::new(gap, velocity));
        let pursuit = pursue(&settings, &hunter, &prey, &limits);
        let time = pursuit.aim.time;
        if pursuit.aim.forecast == InterceptForecast::Meets && (0.02..100.0).contains(&time) {
            let reached = (prey.position + velocity * time).distance(pursuit.desired * time);
            let reach = settings.catch_radius * (1.0 + 1e-3) + 1e-4 * time * limits.speed;
            prop_assert!(reached <= reach, "after {time} s it is {reached} away");
        }
    }

    #[test]
    fn a_prey_that_escapes_is_missed_by_the_least(
        gap in vector(20.0), velocity in vector(5.0), ratio in 0.1..0.99_f32, is_planar in any::<bool>(),
    ) {
        let (gap, velocity) = (flatten(gap, is_planar), flatten(velocity, is_planar));
        let limits = MotionLimits::new(velocity.length() * ratio, 0.01);
        let settings =
            PursuitSettings::new(PursuitMode::Intercept).with_uncatchable(UncatchablePolicy::LeastMiss).with_horizon(1e6);
        let aim = settings.aim(&Body::default(), &Body::new(gap, velocity), &limits);
        if aim.forecast == InterceptForecast::Escapes {
            let miss = |time| shortfall(gap, velocity, limits.speed, 0.0, time);
            let best = f64::from(aim.time);
            for other in (0..2_000).map(|i| f64::from(i) * 0.02) {
                prop_assert!(miss(best) <= miss(other) + 1e-4 * (1.0 + best), "less at {other} than at {best}");
            }
        }
    }
}
