//! The priority of goals, and the steering breakdown.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{GoalSource, SteeringBreakdown, SteeringNames},
    world::Grid,
};

use crate::fixture::*;
use crate::support::{order, position, spawn_grid, ticks};

#[test]
fn priority_is_manual_pursuit_path_behavior() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(40, 40).unwrap());
    let prey = spawn(&mut app, place(20.0, 35.0));
    let behavior = Behavior::seek(Vec3::new(-1.0, 20.0, 0.0));
    let agent = spawn(&mut app, (Agent::default(), behavior, place(20.0, 20.0)));
    let leads = |app: &mut App, source: GoalSource, direction: Vec3| {
        ticks(app, 16);
        let breakdown = breakdown(app, agent);
        assert_eq!(breakdown.source, source);
        let goal = breakdown.goal;
        assert!(goal.normalize().distance(direction) < 0.35, "{source:?} heads for {goal}");
        assert!(velocity(app, agent).normalize().distance(direction) < 0.35, "and {source:?} has the say");
    };
    leads(&mut app, GoalSource::Behavior, Vec3::NEG_X);
    order(&mut app, agent, Vec3::new(35.0, 20.0, 0.0));
    leads(&mut app, GoalSource::Path, Vec3::X);
    app.world_mut().entity_mut(agent).insert(Pursuer::intercept(prey));
    leads(&mut app, GoalSource::Pursuit, Vec3::Y);
    app.world_mut().entity_mut(agent).insert(ManualVelocity(Vec3::NEG_Y * 3.0));
    leads(&mut app, GoalSource::Manual, Vec3::NEG_Y);
    app.world_mut().entity_mut(agent).remove::<(ManualVelocity, Pursuer, Behavior, PathRequest)>();
    ticks(&mut app, 32);
    assert_eq!(breakdown(&app, agent), SteeringBreakdown::default(), "who wants nothing says nothing");
    assert_eq!(velocity(&app, agent), Vec3::ZERO, "and stands");
}

/// The behaviours of a game: one that states a goal of its own, and one that changes what was stated.
mod own {
    use super::*;

    #[derive(Component)]
    pub(super) struct Homing(pub(super) Vec3);

    #[derive(Component)]
    pub(super) struct Drifting(pub(super) Vec3);

    pub(super) fn plug_in(app: &mut App) {
        let home = |me: In<SteeringId>, mut agents: Query<(&Homing, &Transform, SteeringGoal)>| {
            for (&Homing(home), at, mut goal) in &mut agents {
                goal.set(*me, home - at.translation);
            }
        };
        let drift = |me: In<SteeringId>, mut agents: Query<(&Drifting, SteeringGoal)>| {
            for (&Drifting(wind), mut goal) in &mut agents {
                goal.adjust(*me, |velocity| velocity + wind);
            }
        };
        app.add_steering("home", home).adjust_steering("the wind", drift);
    }

    /// The source of a behaviour's goals.
    pub(super) fn source(app: &App, name: &str) -> GoalSource {
        GoalSource::Custom(app.world().resource::<SteeringNames>().id(name).expect("it was added"))
    }
}

#[test]
fn a_behaviour_of_the_games_own_is_blended_as_any_other() {
    let mut app = app();
    own::plug_in(&mut app);
    spawn_grid(&mut app, Grid::new(40, 40).unwrap());
    let agent =
        spawn(&mut app, (Agent::default(), own::Homing(Vec3::new(30.0, 20.0, 0.0)), place(20.0, 20.0)));
    order(&mut app, agent, Vec3::new(5.0, 20.0, 0.0));
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, own::source(&app, "home"), "before the path");
    assert!(!breakdown(&app, agent).is_on_path && velocity(&app, agent).x > 0.0);
    ticks(&mut app, 64 * 6);
    assert!(position(&app, agent).distance(Vec3::new(30.0, 20.0, 0.0)) < 0.1, "it is home");
    app.world_mut().entity_mut(agent).insert(ManualVelocity(Vec3::Y));
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Manual, "direct control goes first");
    app.world_mut().entity_mut(agent).remove::<(ManualVelocity, own::Homing)>();
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Path, "it no longer states anything");

    app.world_mut().entity_mut(agent).insert(own::Drifting(Vec3::Y * 2.0));
    ticks(&mut app, 16);
    let adjusted = breakdown(&app, agent);
    assert_eq!(adjusted.source, own::source(&app, "the wind"));
    assert!(adjusted.is_on_path && adjusted.goal.x < 0.0 && adjusted.goal.y > 0.0, "the path and the wind");
    app.world_mut().entity_mut(agent).insert(own::Drifting(Vec3::NAN));
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Path, "what is no velocity changes nothing");
    app.world_mut().entity_mut(agent).insert(own::Homing(Vec3::INFINITY));
    ticks(&mut app, 4);
    assert!(position(&app, agent).is_finite() && velocity(&app, agent).is_finite());

    let idle = spawn(&mut app, (Agent::default(), own::Drifting(Vec3::X), place(10.0, 10.0)));
    ticks(&mut app, 64);
    assert_eq!(breakdown(&app, idle).source, own::source(&app, "the wind"));
    assert!(position(&app, idle).distance(Vec3::new(11.0, 10.0, 0.0)) < 0.1, "it drifts without a goal");
}

#[test]
fn the_steering_breakdown_has_all_contributions() {
    let mut app = planar_app();
    let avoider = Avoider { time_horizon: 1.0, ..Avoider::default() };
    let agent =
        spawn(&mut app, (avoider, Separation::default(), ManualVelocity(Vec3::X * 4.0), place(0.0, 0.0)));
    spawn(&mut app, (Obstacle::sphere(1.0), place(4.0, 0.4)));
    let meeting = spawn(&mut app, (avoider, ManualVelocity(Vec3::X * 4.0), place(0.0, 30.0)));
    spawn(&mut app, (avoider, ManualVelocity(Vec3::X * -4.0), place(10.0, 30.2)));
    spawn(&mut app, (Agent::default(), place(-1.5, 0.2)));
    let (mut separated, mut avoided, mut gave_way) = (false, false, false);
    for _ in 0..64 * 6 {
        ticks(&mut app, 1);
        let breakdown = self::breakdown(&app, agent);
        separated |= breakdown.separation.x > 0.0;
        avoided |= breakdown.avoidance.y < 0.0;
        gave_way |= self::breakdown(&app, meeting).reciprocal.length() > 0.1;
        assert_eq!(breakdown.flock, Vec3::ZERO, "it flies in no flock");
    }
    assert!(separated && avoided && gave_way, "{separated}, {avoided}, {gave_way}");
}

#[test]
fn higher_priorities_use_up_the_acceleration() {
    let run = |separates: bool| {
        let mut app = app();
        let slow = Agent { acceleration: 2.0, ..Agent::new(5.0) };
        let agent = spawn(&mut app, (slow, ManualVelocity(Vec3::Y * 5.0), place(0.0, 0.0)));
        spawn(&mut app, place(0.0, 0.0));
        spawn(&mut app, (Agent::default(), place(-0.5, 0.0)));
        if separates {
            app.world_mut().entity_mut(agent).insert(Separation { force: 500.0, limit: 500.0, ..default() });
        }
        ticks(&mut app, 16);
        velocity(&app, agent)
    };
    let (alone, pushed) = (run(false), run(true));
    assert!(alone.y > 0.45 && alone.x.abs() < 1e-3, "without a push all goes to the goal: {alone}");
    assert!(pushed.x > 0.45 && pushed.y < 0.05, "a push off others is served before it: {pushed}");
}

#[test]
fn far_from_the_origin_velocities_do_not_flicker() {
    let mut app = app();
    // At this distance positions have a resolution of 1/256, a fifth of a step.
    let far = place(40_000.0, 0.0);
    let agent = spawn(&mut app, (Agent::default(), ManualVelocity(Vec3::X * 1.3), far));
    ticks(&mut app, 30);
    for tick in 0..50 {
        ticks(&mut app, 1);
        assert!(velocity(&app, agent).distance(Vec3::X * 1.3) < 1e-4, "{tick}: {}", velocity(&app, agent));
    }
    let moved = position(&app, agent).x - far.translation.x;
    assert!((1.0..3.0).contains(&moved), "it goes on: {moved}");
}
