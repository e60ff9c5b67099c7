//! For any input, results are finite, within their limits, and in the plane of the input.

use glam::Vec3;
use pathfind_core::steer::blend::{BlendSettings, ByPriority, Priority, blend};
use pathfind_core::steer::follow::braking_speed;
use pathfind_core::steer::pursue::{
    EstimateSettings, PursuitMode, PursuitSettings, VelocityEstimate, intercept_time, pursue,
};
use pathfind_core::steer::seek::{Wander, WanderSettings, arrive, evade, flee, keep_distance, seek};
use pathfind_core::steer::turn::{turned, turned_velocity};
use pathfind_core::steer::{Body, CounterRng, MotionLimits};
use proptest::prelude::*;
use proptest::sample::select;

use super::common::{any_body, any_vector, flatten, length, number, settings};

/// Rounding to single precision.
const SLACK: f64 = 1.0 + 1e-6;
/// Absolute error for subnormal numbers.
const TINY: f64 = 1e-40;

/// The desired velocities of all behaviours, by name.
fn proposals(
    settings: &PursuitSettings,
    body: &Body,
    other: &Body,
    limits: &MotionLimits,
) -> Vec<(&'static str, Vec3)> {
    let (point, mut rng) = (other.position, CounterRng::new(1, 2, 3));
    vec![
        ("pursue", pursue(settings, body, other, limits).desired),
        ("seek", seek(body, point, limits)),
        ("flee", flee(body, point, limits)),
        ("evade", evade(body, other, settings.horizon, limits)),
        ("arrive", arrive(body, point, limits)),
        ("keep_distance", keep_distance(body, point, 1.0..=4.0, limits)),
        ("wander", Wander::default().step(body, &WanderSettings::default(), &mut rng, limits)),
    ]
}

fn flat(body: Body) -> Body {
    Body::new(flatten(body.position, true), flatten(body.velocity, true))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn steering_is_finite_and_within_the_top_speed(
        settings in settings(), body in any_body(), other in any_body(),
        (speed, acceleration, dt) in (number(), number(), number()),
    ) {
        let limits = MotionLimits::new(speed, dt).with_acceleration(acceleration);
        for (name, proposal) in proposals(&settings, &body, &other, &limits) {
            prop_assert!(proposal.is_finite(), "{name} proposes {proposal}");
            let is_arcade = name == "pursue" && settings.mode == PursuitMode::Basic && !settings.normalize_diagonal;
            let most = f64::from(speed.max(0.0)) * if is_arcade { 3.0_f64.sqrt() } else { 1.0 };
            prop_assert!(length(proposal) <= most * SLACK + TINY, "{name} proposes {proposal}, faster than {most}");
        }
        let aim = settings.aim(&body, &other, &limits);
        prop_assert!(aim.point.is_finite() && aim.time >= 0.0 && aim.time <= settings.horizon, "{aim:?}");
        if let Some(time) = intercept_time(other.position, other.velocity, speed, settings.catch_radius) {
            prop_assert!(time >= 0.0 && time.is_finite());
        }
    }

    #[test]
    fn planar_in_planar_out(
        settings in settings(), body in any_body(), other in any_body(), speed in number(), most in number(),
    ) {
        let (body, other) = (flat(body), flat(other));
        for (name, proposal) in proposals(&settings, &body, &other, &MotionLimits::new(speed, 0.02)) {
            prop_assert_eq!(proposal.z, 0.0, "{} leaves the plane: {}", name, proposal);
        }
        let direction = turned(body.velocity, other.velocity, most, Vec3::Z);
        prop_assert_eq!(direction.z, 0.0, "turning leaves the plane: {}", direction);
    }

    #[test]
    fn non_finite_input_gives_zero_velocity(
        settings in settings(), body in any_body(), other in any_body(),
        wrong in select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY]), place in 0..4_usize,
    ) {
        let (mut body, mut other, mut limits) = (body, other, MotionLimits::new(5.0, 0.02));
        match place {
            0 => body.position.y = wrong,
            1 => body.velocity.x = wrong,
            2 => other.position.z = wrong,
            _ => limits.speed = wrong,
        }
        for (name, proposal) in proposals(&settings, &body, &other, &limits) {
            // Wandering does not depend on other bodies.
            if name != "wander" || place != 2 {
                prop_assert_eq!(proposal, Vec3::ZERO, "{}", name);
            }
        }
    }

    #[test]
    fn turning_respects_the_turn_rate(
        from in any_vector(), to in any_vector(), most in number(), axis in any_vector(),
    ) {
        let direction = turned(from, to, most, axis);
        let is_unit = (direction.length() - 1.0).abs() < 1e-5;
        prop_assert!(direction == Vec3::ZERO || is_unit, "a direction or none: {direction}");
        let velocity = turned_velocity(from, to, most, axis);
        prop_assert!(length(velocity) <= length(to) * SLACK + TINY, "as fast as wanted: {velocity}");
        if from != Vec3::ZERO && to != Vec3::ZERO {
            let (from, direction) = (from.as_dvec3().normalize(), direction.as_dvec3());
            let turned = libm::atan2(from.cross(direction).length(), from.dot(direction));
            prop_assert!(turned <= f64::from(most.max(0.0)) + 1e-6, "it turned by {turned}");
        }
    }

    #[test]
    fn the_budget_holds(
        avoid in any_vector(), separation in any_vector(), goal in any_vector(), rest in any_vector(),
        weight in number(), budget in number(),
    ) {
        let mut proposals = ByPriority::default();
        for (priority, proposal) in Priority::ALL.iter().copied().zip([avoid, separation, goal, rest]) {
            proposals[priority] = proposal;
        }
        let settings = BlendSettings { separation: weight, ..BlendSettings::default() };
        let blended = blend(&proposals, &settings, budget);
        let most = f64::from(budget.max(0.0));
        prop_assert!(blended.change.is_finite());
        prop_assert!(length(blended.change) <= most * SLACK + TINY, "{blended:?} of {budget}");
        let spent: f64 = Priority::ALL.iter().map(|&priority| length(blended.granted[priority])).sum();
        prop_assert!(spent <= most * SLACK + TINY, "{spent} spent of {budget}");
        for pair in Priority::ALL.windows(2) {
            let is_granted = length(blended.granted[pair[1]]) > most * 1e-6;
            prop_assert!(blended.share(pair[0]) == 1.0 || !is_granted, "{:?} comes after {:?}", pair[1], pair[0]);
        }
        prop_assert!(Priority::ALL.iter().all(|&priority| (0.0..=1.0).contains(&blended.share(priority))));
    }

    #[test]
    fn brakes_and_estimates_are_finite(
        a in number(), b in number(), c in number(), d in number(), places in prop::array::uniform4(any_vector()),
    ) {
        let speed = braking_speed(a, b, c, d);
        prop_assert!(speed.is_finite() && speed >= 0.0, "{speed}");
        let mut estimate = VelocityEstimate::default();
        let settings = EstimateSettings { smoothing: b, teleport_speed: c };
        for place in places {
            let velocity = estimate.observe(place, a, &settings);
            prop_assert!(velocity.is_finite());
            prop_assert!(length(velocity) <= f64::from(c.max(0.0)) * SLACK, "faster than {c}: {velocity}");
        }
    }
}
