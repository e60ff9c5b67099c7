//! The models are what their formulas say.

use glam::Vec3;

use super::*;

#[test]
fn the_robust_model_is_what_its_formula_says() {
    let bodies = crowd(60, Vec3::splat(6.0));
    let settings = FlockSettings::default();
    let mut sky = Sky::new(settings, bodies.clone());
    let _ = sky.accelerations(0.02, Simd::widest(), 7);
    let rules = [settings.rules(0.02)];
    let pass = FlockPass::new(&sky.neighbors, &sky.members, &rules, &[]);
    // Only members that share their position with no mate.
    for index in (0..60).filter(|index| !matches!(index % 11, 9 | 10)) {
        let (mut push, mut alignment_sum, mut pull, mut weights) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
        for other in (0..60).filter(|&other| other != index) {
            let offset = bodies[other].position - bodies[index].position;
            let distance = offset.length();
            push -= offset / distance * (1.0 - distance / 2.5).max(0.0);
            let weight = (1.0 - distance / 6.0).max(0.0);
            weights += weight;
            alignment_sum += (bodies[other].velocity - bodies[index].velocity) * weight;
            pull += offset * weight;
        }
        let parts = pass.parts(index).unwrap();
        let near = |a: Vec3, b: Vec3| a.distance(b) <= 1e-3 * (1.0 + b.length());
        assert!(near(parts.separation, push * 40.0), "{:?}, not {}", parts, push * 40.0);
        let share = if weights > 0.0 { 1.0 / weights } else { 0.0 };
        let alignment = alignment_sum * share / 0.35;
        assert!(near(parts.alignment, alignment), "{parts:?}, not {alignment}");
        let pull = (pull * share / 1.5).clamp_length_max(1.0) * 4.0;
        assert!(near(parts.cohesion, pull), "{parts:?}, not {pull}");
    }
}

#[test]
fn the_tutorials_model_is_what_its_formula_says() {
    let bodies = [(0.0, 3.0), (4.0, -12.0), (30.0, 9.0), (90.0, 10.0)]
        .map(|(x, speed)| Body::new(Vec3::new(x, 0.0, 0.0), Vec3::new(0.0, speed, 0.0)));
    let mut sky = Sky::new(FlockSettings::seagull(), bodies.to_vec());
    sky.leader = Some(Body::new(Vec3::new(0.0, 0.0, 50.0), Vec3::ZERO));
    let acceleration = sky.accelerations(0.02, Simd::widest(), 99)[0];
    // Two mates within 40, one of them within 20; three others.
    let push = Vec3::new(-20.0 * (1.0 - 4.0 / 20.0), 0.0, 0.0);
    let alignment_sum = Vec3::Y * 4.0 * (30.0 / 40.0 - 4.0 / 40.0);
    let expected =
        (push + alignment_sum) / 3.0 + Vec3::Z * (20.0 / 100.0 * 50.0) + Vec3::X * 2.0 - Vec3::Y * 10.0;
    assert!(acceleration.distance(expected) < 1e-3, "{acceleration}, not {expected}");
}

#[test]
fn stats_of_a_flock_that_is_known() {
    let places = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::new(2.0, 2.0, 0.0)];
    let bodies: Vec<Body> = places.map(|place| Body::new(place, Vec3::X * 3.0)).to_vec();
    let neighbors = Neighbors::of(1.0, &bodies);
    let stats = FlockStats::new(&neighbors, &bodies, &[], 0);
    assert!((stats.polarization - 1.0).abs() < 1e-6, "all fly alike: {stats:?}");
    assert!((stats.nearest - 2.0).abs() < 1e-6, "{stats:?}");
    assert!((stats.gyration - 2.0_f32.sqrt()).abs() < 1e-6, "{stats:?}");
    assert_eq!(FlockStats::new(&neighbors, &bodies, &[], 9), FlockStats::default(), "a group of none");
}
