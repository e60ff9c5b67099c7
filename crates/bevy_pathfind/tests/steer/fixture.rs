//! Shared parts of the steering tests: an application, a log of steering events, bodies, a random number generator.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    steer::{AgentInvalid, AgentRecovered, InvalidAgent, LossReason, SteeringBreakdown},
};

use crate::support;
pub(crate) use crate::support::velocity;

/// A logged event of steering.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SteeringEvent {
    Caught(Entity),
    Lost(Entity),
    Abandoned(Entity),
    Invalid(Entity, InvalidAgent),
    Recovered(Entity),
}

/// All steering events so far.
#[derive(Resource, Default)]
pub(crate) struct SteeringLog(pub(crate) Vec<SteeringEvent>);

/// An application with one tick of 1/64 s per update, and inline searches.
pub(crate) fn app() -> App {
    let mut app = support::app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default());
    log_steering(&mut app);
    app
}

/// The same for agents in the plane XY.
pub(crate) fn planar_app() -> App {
    let mut app = app();
    app.world_mut().resource_mut::<NavSettings>().up = Some(Vec3::Z);
    app
}

/// As [`app`], with another tick rate.
pub(crate) fn app_at(hz: f64) -> App {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(hz));
    app
}

type Log<'w> = ResMut<'w, SteeringLog>;

fn log_steering(app: &mut App) {
    app.init_resource::<SteeringLog>()
        .add_observer(|on: On<CaughtTarget>, mut log: Log| log.0.push(SteeringEvent::Caught(on.entity)))
        .add_observer(|on: On<LostTarget>, mut log: Log| {
            log.0.push(match on.reason {
                LossReason::TooFast => SteeringEvent::Abandoned(on.entity),
                _ => SteeringEvent::Lost(on.entity),
            });
        })
        .add_observer(|on: On<AgentInvalid>, mut log: Log| {
            log.0.push(SteeringEvent::Invalid(on.entity, on.reason));
        })
        .add_observer(|on: On<AgentRecovered>, mut log: Log| log.0.push(SteeringEvent::Recovered(on.entity)));
}

pub(crate) fn steering_events(app: &App) -> &[SteeringEvent] {
    &app.world().resource::<SteeringLog>().0
}

/// How often an event was logged.
pub(crate) fn count_steering(app: &App, what: &SteeringEvent) -> usize {
    steering_events(app).iter().filter(|&it| it == what).count()
}

pub(crate) fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

pub(crate) fn place(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

pub(crate) fn put(app: &mut App, entity: Entity, at: Vec3) {
    app.world_mut().get_mut::<Transform>(entity).expect("it has a place").translation = at;
}

/// What has moved an agent in the last tick.
pub(crate) fn breakdown(app: &App, agent: Entity) -> SteeringBreakdown {
    *app.world().get::<SteeringBreakdown>(agent).expect("every agent has one")
}

/// The deepest overlap of two bodies of one radius, relative to the sum of their radii.
pub(crate) fn deepest(app: &App, bodies: &[Entity], radius: f32) -> f32 {
    let places: Vec<_> = bodies.iter().map(|&body| support::position(app, body)).collect();
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| a.distance(*b)));
    1.0 - pairs.fold(f32::INFINITY, f32::min).min(2.0 * radius) / (2.0 * radius)
}

/// A xorshift generator of numbers from -1 to 1.
pub(crate) struct Xorshift(u64);

impl Xorshift {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    pub(crate) fn signed(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}
