//! The benchmark of the whole plugin, headless: from entities to written `Transform`s.

use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolThreadAssignmentPolicy};
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{agent::AgentId, prelude::*};
use pathfind_core::steer::Body;

use crate::Times;
use crate::crowd::Crowd;
use crate::flock::RATE;
use crate::options::{Behaviour, Options};

/// A headless application with agents.
pub(crate) struct PluginCrowd(App);

/// Times of a tick: its start, the start of steering, the end of steering, and its end.
#[derive(Resource)]
struct StageTimes([Instant; 4]);

impl PluginCrowd {
    pub(crate) fn new(crowd: Crowd, options: &Options) -> Self {
        let mut settings = NavSettings::default().with_threads(options.threads as u32);
        settings.up = crowd.is_flat.then_some(Vec3::Z);
        let mut app = App::new();
        app.add_plugins(MinimalPlugins.set(TaskPoolPlugin { task_pool_options: pools(options.threads) }))
            .add_plugins((TransformPlugin, PathfindPlugins::default()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
            .insert_resource(settings)
            .insert_resource(StageTimes([Instant::now(); 4]))
            .add_systems(
                FixedUpdate,
                (
                    record_time::<0>.before(NavSystems::World),
                    record_time::<1>.after(NavSystems::Solve).before(NavSystems::Steer),
                    record_time::<2>.after(NavSystems::Steer).before(NavSystems::Motion),
                    record_time::<3>.after(NavSystems::Motion),
                ),
            );
        if options.threads == 1 {
            for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
                schedule.set_executor(SingleThreadedExecutor::new());
            }
        }
        let world = app.world_mut();
        for (id, body) in (0..).zip(&crowd.bodies) {
            let agent = Agent::new(crowd.settings.max_speed);
            let at = Transform::from_translation(body.position);
            let mut entity = world.spawn((AgentId(id), agent, at, AgentVelocity(body.velocity)));
            let neighbor_range = crowd.settings.alignment_radius;
            match options.behaviour {
                Behaviour::Flock => entity.insert(Flock::default()),
                Behaviour::Orca => {
                    let max_neighbors = options.neighbours as u32;
                    let avoider =
                        Avoider { neighbor_range: Some(neighbor_range), max_neighbors, ..Avoider::default() };
                    entity.insert((avoider, ManualVelocity(body.velocity), Agent { radius: 0.5, ..agent }))
                }
                Behaviour::Separate => {
                    let separation = Separation { radius: neighbor_range / agent.body_unit(), ..default() };
                    entity.insert((separation, ManualVelocity(body.velocity)))
                }
            };
        }
        // The first update indexes the new agents and starts the task pools.
        app.update();
        Self(app)
    }

    /// Runs one frame with one tick; the times of the stages before steering, of steering, and of those after it.
    pub(crate) fn tick(&mut self) -> Times {
        self.0.update();
        let [begun, to_steer, steered, end] = self.0.world().resource::<StageTimes>().0;
        Times { build: to_steer - begun, pass: steered - to_steer, integrate: end - steered }
    }

    /// The time of a whole frame, including all that Bevy does for its entities.
    pub(crate) fn frame(&mut self) -> Duration {
        let begun = Instant::now();
        self.0.update();
        begun.elapsed()
    }

    /// All bodies, with their ids.
    pub(crate) fn bodies(&mut self) -> Vec<(u64, Body)> {
        let mut agents = self.0.world_mut().query::<(&AgentId, &Transform, &AgentVelocity)>();
        let body = |(id, at, velocity): (&AgentId, &Transform, &AgentVelocity)| {
            (id.0, Body::new(at.translation, velocity.0))
        };
        agents.iter(self.0.world()).map(body).collect()
    }
}

/// Task pools with this many computing threads, including the main thread, which computes while it waits for the
/// others.
fn pools(threads: usize) -> TaskPoolOptions {
    let exactly = |threads| TaskPoolThreadAssignmentPolicy {
        min_threads: threads,
        max_threads: threads,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    TaskPoolOptions {
        min_total_threads: threads + 2,
        max_total_threads: threads + 2,
        io: exactly(1),
        async_compute: exactly(1),
        compute: exactly((threads - 1).max(1)),
    }
}

fn record_time<const POINT: usize>(mut stage_times: ResMut<StageTimes>) {
    stage_times.0[POINT] = Instant::now();
}
