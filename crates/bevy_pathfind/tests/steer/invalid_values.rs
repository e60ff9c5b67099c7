//! Every number of every component out of its range: nothing panics, and all positions stay finite.

use bevy::prelude::*;
use bevy::reflect::structs::Struct;
use bevy_pathfind::{
    prelude::*,
    steer::{BehaviorKind, PursuitMode, SteerSettings},
    world::Grid,
};

use crate::fixture::*;
use crate::support::{order, position, spawn_grid, ticks};

const INVALID: [f32; 5] = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e30];

/// Copies of a component, each with the invalid value in another of its numbers.
fn with_each_field_invalid<T: Struct + Clone>(good: &T, invalid: f32) -> Vec<T> {
    (0..good.field_len())
        .filter_map(|index| {
            let mut bad = good.clone();
            let field = bad.field_at_mut(index)?;
            if let Some(number) = field.try_downcast_mut::<f32>() {
                *number = invalid;
            } else if let Some(vector) = field.try_downcast_mut::<Vec3>() {
                *vector = Vec3::new(invalid, 1.0, invalid);
            } else {
                return None;
            }
            Some(bad)
        })
        .collect()
}

/// Runs a world with these copies, each beside a valid agent.
fn run<T: Component + Struct + Clone>(good: T, others: impl Fn(&mut EntityWorldMut)) {
    for invalid in INVALID {
        for on_grid in [true, false] {
            let mut app = app();
            if on_grid {
                spawn_grid(&mut app, Grid::new(64, 64).unwrap());
            }
            spawn(&mut app, (Obstacle::sphere(1.0), place(20.0, 3.5)));
            let all: Vec<_> = with_each_field_invalid(&good, invalid)
                .into_iter()
                .enumerate()
                .flat_map(|(i, bad)| {
                    let at = |dx: f32| place(2.5 + (i % 10) as f32 * 6.0 + dx, 2.5 + (i / 10) as f32 * 6.0);
                    let bad = spawn(&mut app, (bad, at(0.0)));
                    others(&mut app.world_mut().entity_mut(bad));
                    let well = spawn(&mut app, (Flock::default(), Avoider::default(), at(0.7)));
                    order(&mut app, bad, Vec3::new(30.5, 30.5, 0.0));
                    [bad, well]
                })
                .collect();
            assert!(!all.is_empty(), "it has numbers");
            ticks(&mut app, 24);
            for &it in &all {
                let at = position(&app, it);
                assert!(at.is_finite(), "{} with {invalid}: {at}", core::any::type_name::<T>());
            }
        }
    }
}

fn as_member(it: &mut EntityWorldMut) {
    it.insert((Flock::default(), Avoider::default(), Separation::default()));
}

fn as_traveller(it: &mut EntityWorldMut) {
    it.remove::<PathRequest>().insert((ManualVelocity(Vec3::X * 3.0), Separation::default()));
}

#[test]
fn invalid_agents_stay_finite() {
    run(Agent::default(), as_member);
    run(Agent::default(), as_traveller);
}

#[test]
fn invalid_avoiders_stay_finite() {
    run(Avoider::default(), as_traveller);
    run(Avoider::ray(5.0), as_traveller);
}

#[test]
fn invalid_flocks_stay_finite() {
    for knobs in [Flock::default(), Flock::seagull(), Flock::reynolds()] {
        run(knobs, |_| ());
    }
}

#[test]
fn invalid_leaders_and_separation_stay_finite() {
    run(FlockLeader::default(), |_| ());
    run(Separation::default(), as_traveller);
}

#[test]
fn invalid_behaviors_stay_finite() {
    use BehaviorKind::{Arrive, Evade, Flee, KeepDistance, Seek, Wander};
    for kind in [Seek, Arrive, Flee, Evade, KeepDistance, Wander] {
        run(Behavior::new(kind, Vec3::new(9.0, 9.0, 0.0)), |it| _ = it.remove::<PathRequest>());
    }
    for invalid in INVALID {
        let mut app = app();
        let lost = Behavior::seek(Vec3::splat(invalid));
        let agent = spawn(&mut app, (lost, place(0.0, 0.0)));
        ticks(&mut app, 8);
        assert!(position(&app, agent).is_finite(), "a target of {invalid} draws nobody out of the world");
    }
}

#[test]
fn invalid_pursuers_stay_finite() {
    for &mode in PursuitMode::ALL {
        for invalid in INVALID {
            let mut app = app();
            let prey = spawn(&mut app, (Agent::default(), ManualVelocity(Vec3::Y), place(9.0, 9.0)));
            let hunters: Vec<_> = with_each_field_invalid(&Pursuer::new(prey, mode), invalid)
                .into_iter()
                .map(|pursuer| spawn(&mut app, (pursuer, place(0.0, 0.0))))
                .collect();
            ticks(&mut app, 24);
            assert!(hunters.iter().all(|&it| position(&app, it).is_finite()), "{mode:?} with {invalid}");
        }
    }
}

#[test]
fn invalid_settings_and_obstacles_stay_finite() {
    for invalid in INVALID {
        for settings in with_each_field_invalid(&SteerSettings::default(), invalid) {
            let mut app = app();
            app.insert_resource(settings)
                .insert_resource(NavSettings::default().with_up(Vec3::splat(invalid)));
            let bundle = (Flock::default(), Avoider::default(), Separation::default());
            let all = [0.0, 0.0, 1.0].map(|x| spawn(&mut app, (bundle, place(x, 0.0))));
            ticks(&mut app, 16);
            assert!(all.iter().all(|&it| position(&app, it).is_finite()), "settings with {invalid}");
        }
        let mut app = app();
        let agent = spawn(&mut app, (Avoider::contact(), ManualVelocity(Vec3::X), place(0.0, 0.0)));
        for at in [Vec3::X * 3.0, Vec3::splat(invalid)] {
            for obstacle in [Obstacle::sphere(invalid), Obstacle::cuboid(Vec3::new(invalid, 1.0, 1.0))] {
                let at = Transform::from_translation(at + Vec3::Y * 40.0);
                spawn(&mut app, (obstacle, at));
                spawn(&mut app, (obstacle, at.with_scale(Vec3::splat(invalid))));
            }
        }
        ticks(&mut app, 16);
        assert!(position(&app, agent).is_finite(), "obstacles with {invalid}");
    }
}
