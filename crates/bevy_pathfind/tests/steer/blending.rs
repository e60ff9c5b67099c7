//! The priority of goals, and the steering breakdown.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::fixture::*;
use crate::support::{order, position, spawn_grid, ticks};

fn breakdown(app: &App, agent: Entity) -> SteeringBreakdown {
    *app.world().get::<SteeringBreakdown>(agent).expect("every agent has one")
}

#[test]
fn priority_is_override_pursuit_path_behavior() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(40, 40).unwrap());
    let prey = spawn(&mut app, place(20.0, 35.0));
    let behavior = Behavior::about(BehaviorKind::Seek, Vec3::new(-1.0, 20.0, 0.0));
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
    app.world_mut().entity_mut(agent).insert(SteeringOverride(Vec3::NEG_Y * 3.0));
    leads(&mut app, GoalSource::Override, Vec3::NEG_Y);
    app.world_mut().entity_mut(agent).remove::<(SteeringOverride, Pursuer, Behavior, PathRequest)>();
    ticks(&mut app, 32);
    assert_eq!(breakdown(&app, agent), SteeringBreakdown::default(), "who wants nothing says nothing");
    assert_eq!(velocity(&app, agent), Vec3::ZERO, "and stands");
}

/// The behaviours of a game: one that states a goal of its own, and one that changes what was stated.
mod own {
    use super::*;

    pub(super) const HOME: u8 = 7;
    pub(super) const WIND: u8 = 9;

    #[derive(Component)]
    pub(super) struct Homing(pub(super) Vec3);

    #[derive(Component)]
    pub(super) struct Drifting(pub(super) Vec3);

    pub(super) fn plug_in(app: &mut App) {
        let home = |mut agents: Query<(&Homing, &Transform, GoalWriter)>| {
            for (&Homing(home), at, mut goal) in &mut agents {
                goal.set(HOME, home - at.translation);
            }
        };
        let drift = |mut agents: Query<(&Drifting, GoalWriter)>| {
            for (&Drifting(wind), mut goal) in &mut agents {
                goal.adjust(WIND, |velocity| velocity + wind);
            }
        };
        let steer = NavStage(NavSystems::Steer);
        app.add_systems(steer, home.in_set(SteerSystems::Goals).ambiguous_with_all());
        app.add_systems(steer, drift.in_set(SteerSystems::Adjust));
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
    assert_eq!(breakdown(&app, agent).source, GoalSource::Custom(own::HOME), "before the path");
    assert!(!breakdown(&app, agent).is_on_path && velocity(&app, agent).x > 0.0);
    ticks(&mut app, 64 * 6);
    assert!(position(&app, agent).distance(Vec3::new(30.0, 20.0, 0.0)) < 0.1, "it is home");
    app.world_mut().entity_mut(agent).insert(SteeringOverride(Vec3::Y));
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Override, "direct control goes first");
    app.world_mut().entity_mut(agent).remove::<(SteeringOverride, own::Homing)>();
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Path, "it no longer states anything");

    app.world_mut().entity_mut(agent).insert(own::Drifting(Vec3::Y * 2.0));
    ticks(&mut app, 16);
    let adjusted = breakdown(&app, agent);
    assert_eq!(adjusted.source, GoalSource::Custom(own::WIND));
    assert!(adjusted.is_on_path && adjusted.goal.x < 0.0 && adjusted.goal.y > 0.0, "the path and the wind");
    app.world_mut().entity_mut(agent).insert(own::Drifting(Vec3::NAN));
    ticks(&mut app, 16);
    assert_eq!(breakdown(&app, agent).source, GoalSource::Path, "what is no velocity changes nothing");
    app.world_mut().entity_mut(agent).insert(own::Homing(Vec3::INFINITY));
    ticks(&mut app, 4);
    assert!(position(&app, agent).is_finite() && velocity(&app, agent).is_finite());

    let idle = spawn(&mut app, (Agent::default(), own::Drifting(Vec3::X), place(10.0, 10.0)));
    ticks(&mut app, 64);
    assert_eq!(breakdown(&app, idle).source, GoalSource::Custom(own::WIND));
    assert!(position(&app, idle).distance(Vec3::new(11.0, 10.0, 0.0)) < 0.1, "it drifts without a goal");
}

#[test]
fn the_steering_breakdown_has_all_contributions() {
    let mut app = planar_app();
    let avoider = Avoider { time_horizon: 1.0, ..Avoider::reciprocal() };
    let agent =
        spawn(&mut app, (avoider, Separation::default(), SteeringOverride(Vec3::X * 4.0), place(0.0, 0.0)));
    spawn(&mut app, (Obstacle::sphere(1.0), place(4.0, 0.4)));
    let meeting = spawn(&mut app, (avoider, SteeringOverride(Vec3::X * 4.0), place(0.0, 30.0)));
    spawn(&mut app, (avoider, SteeringOverride(Vec3::X * -4.0), place(10.0, 30.2)));
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
        let slow = Agent { acceleration: 2.0, ..Agent::with_speed(5.0) };
        let agent = spawn(&mut app, (slow, SteeringOverride(Vec3::Y * 5.0), place(0.0, 0.0)));
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
    let agent = spawn(&mut app, (Agent::default(), SteeringOverride(Vec3::X * 1.3), far));
    ticks(&mut app, 30);
    for tick in 0..50 {
        ticks(&mut app, 1);
        assert!(velocity(&app, agent).distance(Vec3::X * 1.3) < 1e-4, "{tick}: {}", velocity(&app, agent));
    }
    let moved = position(&app, agent).x - far.translation.x;
    assert!((1.0..3.0).contains(&moved), "it goes on: {moved}");
}
