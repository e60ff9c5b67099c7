//! 30, 60 and 144 ticks per second give the same results, within stated bounds.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::FlockStats};

use crate::fixture::*;
use crate::support::{position, ticks};

const RATES: [f64; 3] = [30.0, 60.0, 144.0];

/// The largest difference between the results.
fn spread(values: [f32; 3]) -> f32 {
    values.into_iter().fold(f32::MIN, f32::max) - values.into_iter().fold(f32::MAX, f32::min)
}

#[test]
fn prey_is_caught_at_the_same_time() {
    let times = RATES.map(|hz| {
        let mut app = app_at(hz);
        let prey = spawn(&mut app, (Agent::default(), ManualVelocity(Vec3::X * 4.0), place(0.0, 0.0)));
        let hunter = (Agent::new(4.5), Pursuer::intercept(prey), place(12.0, -7.0));
        let hunter = spawn(&mut app, hunter);
        let mut tick = 0;
        while count_steering(&app, &SteeringEvent::Caught(hunter)) == 0 && tick < 6 * hz as usize {
            ticks(&mut app, 1);
            tick += 1;
        }
        tick as f32 / hz as f32
    });
    assert!(times[0] < 5.0, "it is caught: {times:?}");
    assert!(spread(times) < 0.1, "within a tenth of a second: {times:?}");
}

#[test]
fn an_obstacle_is_passed_on_the_same_side_and_path() {
    let sides = RATES.map(|hz| {
        let mut app = app_at(hz);
        app.world_mut().resource_mut::<NavSettings>().up = Some(Vec3::Z);
        let goal = Vec3::new(16.0, 0.0, 0.0);
        let behavior = Behavior::arrive(goal);
        let agent = spawn(&mut app, (Avoider::contact(), behavior, place(0.0, 0.0)));
        spawn(&mut app, (Obstacle::sphere(1.0), place(8.0, 0.3)));
        let (mut aside, mut back) = (0.0_f32, 0.0);
        for _ in 0..5 * hz as usize {
            ticks(&mut app, 1);
            let at = position(&app, agent);
            aside = aside.min(at.y);
            back = at.distance(goal);
        }
        assert!(back < 0.1, "at {hz} Hz it arrives: {back}");
        aside
    });
    assert!(sides[0] < -0.8, "it goes round on its right: {sides:?}");
    assert!(spread(sides) < 0.25, "within a quarter of a unit: {sides:?}");
}

#[test]
fn a_flock_is_as_wide_and_as_near_to_its_leader() {
    let flocks = RATES.map(|hz| {
        let mut app = app_at(hz);
        let leader = spawn(&mut app, (Agent::new(6.0), ManualVelocity(Vec3::X * 6.0), place(0.0, 0.0)));
        let mut rng = Xorshift::new(4);
        for _ in 0..30 {
            let at = Vec3::new(rng.signed(), rng.signed(), rng.signed()) * 5.0;
            let member = (Agent::new(12.0), Flock::default(), Transform::from_translation(at));
            let member = spawn(&mut app, member);
            app.world_mut().entity_mut(member).insert(FlockOf(leader));
        }
        ticks(&mut app, 6 * hz as usize);
        let (mut sums, count) = ((0.0, 0.0), 32);
        // Noise is drawn per tick, so only averages agree.
        for _ in 0..count {
            ticks(&mut app, hz as usize / 10);
            let stats = app.world().get::<FlockStats>(leader).unwrap();
            sums = (sums.0 + stats.gyration, sums.1 + stats.nearest);
        }
        (sums.0 / count as f32, sums.1 / count as f32)
    });
    let (wide, near) = (flocks.map(|(wide, _)| wide), flocks.map(|(_, near)| near));
    assert!(spread(wide) < 0.15 * wide[1], "gyration within 15 %: {wide:?}");
    assert!(spread(near) < 0.15 * near[1], "nearest mates within 15 %: {near:?}");
}
