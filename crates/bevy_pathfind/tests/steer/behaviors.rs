//! The simple behaviours, each by itself.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::BehaviorKind, world::Grid};

use crate::fixture::*;
use crate::support::{plot, position, spawn_grid, ticks};

#[test]
fn seek_reaches_the_goal_and_arrive_stops_there() {
    let mut app = app();
    let goal = Vec3::new(10.0, 4.0, 2.0);
    let seeker = spawn(&mut app, (Behavior::seek(goal), place(0.0, 0.0)));
    let arriver = spawn(&mut app, (Behavior::arrive(goal), place(0.0, 0.0)));
    let mut nearest = f32::INFINITY;
    for _ in 0..64 * 5 {
        ticks(&mut app, 1);
        nearest = nearest.min(position(&app, seeker).distance(goal));
    }
    assert!(nearest < 0.2, "who seeks comes by: {nearest}");
    assert!(position(&app, arriver).distance(goal) < 0.05, "who arrives is there");
    assert!(velocity(&app, arriver).length() < 0.05, "and stands");
}

#[test]
fn flee_and_evade_get_away_and_stop() {
    for kind in [BehaviorKind::Flee, BehaviorKind::Evade] {
        let mut app = app();
        let threat = spawn(&mut app, (Agent::new(2.0), ManualVelocity(Vec3::X * 2.0), place(-4.0, 0.3)));
        let runner = spawn(&mut app, (Behavior::new(kind, threat), place(0.0, 0.0)));
        let mut nearest = f32::INFINITY;
        for _ in 0..64 * 6 {
            ticks(&mut app, 1);
            nearest = nearest.min(position(&app, runner).distance(position(&app, threat)));
        }
        assert!(nearest > 3.5, "{kind:?} keeps away: {nearest}");
        let gap = position(&app, runner).distance(position(&app, threat));
        assert!((8.5..12.0).contains(&gap), "{kind:?} runs no farther than it must: {gap}");
        app.world_mut().despawn(threat);
        ticks(&mut app, 64);
        assert_eq!(velocity(&app, runner), Vec3::ZERO, "{kind:?} rests when nothing is there");
    }
}

#[test]
fn keeping_distance_stays_within_the_band() {
    for start in [1.0, 6.0, 30.0] {
        let mut app = app();
        let about = spawn(&mut app, (Agent::new(2.0), place(0.0, 0.0)));
        let guard = spawn(&mut app, (Behavior::keep_distance(about), place(start, 0.0)));
        ticks(&mut app, 64 * 8);
        app.world_mut().entity_mut(about).insert(ManualVelocity(Vec3::new(1.0, 1.5, 0.0)));
        for _ in 0..64 * 4 {
            ticks(&mut app, 1);
            let gap = position(&app, guard).distance(position(&app, about));
            assert!((2.8..=10.2).contains(&gap), "from {start}: {gap}");
        }
    }
}

#[test]
fn wander_is_smooth_and_stays_on_the_plane() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(200, 200).unwrap());
    let wanderer = spawn(&mut app, (Behavior::wander(), place(100.0, 100.0)));
    ticks(&mut app, 32);
    let mut turned = 0.0;
    for _ in 0..64 * 8 {
        let before = velocity(&app, wanderer);
        ticks(&mut app, 1);
        let now = velocity(&app, wanderer);
        assert!((now.length() - 5.0).abs() < 0.1, "it keeps its speed: {now}");
        let angle = before.angle_between(now);
        assert!(angle < 0.1, "a tick turns it by {angle}");
        assert_eq!(position(&app, wanderer).z, 0.0, "it stays on the ground");
        turned += angle;
    }
    assert!(turned > 1.0, "it does not go straight: {turned}");
}

#[test]
fn a_cornered_runner_stands() {
    let mut app = app();
    let mut runners = Vec::new();
    for kind in [BehaviorKind::Flee, BehaviorKind::Evade] {
        for avoider in [Avoider::contact(), Avoider::default()] {
            for threat in [(3.5, 3.0), (4.0, 1.5), (1.0, 5.0)] {
                let corner = plot(&mut app, runners.len(), Grid::new(12, 12).unwrap());
                let at = |(x, y): (f32, f32)| Transform::from_translation(corner + Vec3::new(x, y, 0.0));
                let threat = spawn(&mut app, at(threat));
                let agent = Agent::new(3.0).with_facing(AgentFacing::Right);
                let behavior = Behavior::new(kind, threat);
                runners.push(spawn(&mut app, (agent, avoider, behavior, at((1.6, 1.7)))));
            }
        }
    }
    ticks(&mut app, 64 * 6);
    let seen = |app: &App| -> Vec<Transform> {
        runners.iter().map(|&runner| *app.world().get::<Transform>(runner).unwrap()).collect()
    };
    let before = seen(&app);
    for _ in 0..64 {
        ticks(&mut app, 1);
        for (now, before) in seen(&app).iter().zip(&before) {
            let moved = now.translation.distance(before.translation);
            let turned = now.rotation.angle_between(before.rotation);
            assert!(
                moved < 0.02 && turned < 0.05,
                "from {before:?} it moves by {moved} and turns by {turned}"
            );
        }
    }
}
