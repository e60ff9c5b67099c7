//! NaN and infinity in agents: isolated, reported once, and re-admitted after recovery.

use bevy::prelude::*;
use bevy_pathfind::{
    motion::MotionPlugin,
    prelude::*,
    steer::InvalidAgent::{self, Place, Scale, Settings},
};

use crate::fixture::*;
use crate::support::{position, ticks, warnings};

/// Three agents of a flock, of which the first will get an invalid value.
fn three_agents(app: &mut App) -> [Entity; 3] {
    let kind = (Flock::default(), Avoider::default(), Separation::default());
    [0.0, 2.0, 4.0].map(|x| spawn(app, (kind, place(x, 0.0))))
}

type Change = fn(&mut App, Entity);

fn body(app: &mut App, it: Entity) -> Mut<'_, Agent> {
    app.world_mut().get_mut::<Agent>(it).unwrap()
}

/// Names, what is wrong, and the changes that make an agent invalid and valid again.
const INVALID: [(&str, InvalidAgent, Change, Change); 5] = [
    ("nan place", Place, |app, it| put(app, it, Vec3::NAN), |app, it| put(app, it, Vec3::ONE)),
    ("infinite place", Place, |app, it| put(app, it, Vec3::INFINITY), |app, it| put(app, it, Vec3::ONE)),
    ("nan speed", Settings, |app, it| body(app, it).speed = f32::NAN, |app, it| body(app, it).speed = 5.0),
    ("nan radius", Settings, |app, it| body(app, it).radius = f32::NAN, |app, it| body(app, it).radius = 0.4),
    (
        "flat parent",
        Scale,
        |app, it| {
            let flat = spawn(app, Transform::from_scale(Vec3::new(1.0, 0.0, 1.0)));
            app.world_mut().entity_mut(it).insert(ChildOf(flat));
        },
        |app, it| _ = app.world_mut().entity_mut(it).remove::<ChildOf>(),
    ),
];

#[test]
fn an_invalid_agent_stops_is_reported_once_and_recovers() {
    warnings();
    for (what, reason, harm, heal) in INVALID {
        let mut app = app();
        let [invalid, well, other] = three_agents(&mut app);
        app.world_mut().entity_mut(invalid).insert(Name::new(format!("Ilse with a {what}")));
        ticks(&mut app, 20);
        harm(&mut app, invalid);
        ticks(&mut app, 100);
        let reported = [SteeringEvent::Invalid(invalid, reason)];
        assert_eq!(steering_events(&app), reported, "{what} is reported once");
        let logged = warnings().lock().unwrap().iter().filter(|it| it.contains(what)).count();
        assert_eq!(logged, 1, "and logged once: {what}");
        assert_eq!(velocity(&app, invalid), Vec3::ZERO, "it stands: {what}");
        for it in [well, other] {
            let goes_on = position(&app, it).is_finite() && velocity(&app, it).length() > 1.0;
            assert!(goes_on, "others go on: {what}");
        }
        heal(&mut app, invalid);
        ticks(&mut app, 64);
        assert_eq!(count_steering(&app, &SteeringEvent::Recovered(invalid)), 1, "it recovers: {what}");
        assert!(velocity(&app, invalid).length() > 1.0, "and flies: {what}");
    }
}

#[test]
fn an_invalid_velocity_is_reset_in_the_next_tick() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut app = app();
        let [invalid, ..] = three_agents(&mut app);
        ticks(&mut app, 20);
        app.world_mut().entity_mut(invalid).insert(AgentVelocity(Vec3::splat(bad)));
        ticks(&mut app, 20);
        assert_eq!(
            steering_events(&app),
            [SteeringEvent::Invalid(invalid, InvalidAgent::Velocity), SteeringEvent::Recovered(invalid)]
        );
        assert!(position(&app, invalid).is_finite() && velocity(&app, invalid).length() > 1.0, "it flies on");
    }
}

#[test]
fn an_agent_with_zero_scale_is_valid() {
    let mut app = app();
    let parent = spawn(&mut app, Transform::IDENTITY);
    let hidden = place(0.0, 0.0).with_scale(Vec3::ZERO);
    let agent = spawn(&mut app, (Agent::default(), ManualVelocity(Vec3::X), ChildOf(parent), hidden));
    ticks(&mut app, 64);
    assert_eq!(steering_events(&app), [], "nothing is wrong with it");
    assert!(position(&app, agent).x > 0.5, "it goes");
}

#[test]
fn a_pursuer_waits_for_prey_with_an_invalid_position() {
    let mut app = app();
    let prey = spawn(&mut app, (Agent::default(), place(10.0, 0.0)));
    let hunter = spawn(&mut app, (Pursuer::intercept(prey), place(0.0, 0.0)));
    put(&mut app, prey, Vec3::NAN);
    ticks(&mut app, 30);
    assert_eq!(count_steering(&app, &SteeringEvent::Lost(hunter)), 0, "it is not gone for good");
    put(&mut app, prey, Vec3::X * 10.0);
    ticks(&mut app, 64 * 3);
    assert_eq!(count_steering(&app, &SteeringEvent::Caught(hunter)), 1, "and is caught when it is back");
}

#[test]
fn agents_have_distinct_ids_without_the_motion_plugin() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default().build().disable::<MotionPlugin>()));
    let ids = [0, 1].map(|_| *app.world_mut().spawn(Agent::default()).get::<AgentId>().unwrap());
    assert!(ids[0] < ids[1], "each has a number of its own: {ids:?}");
}
