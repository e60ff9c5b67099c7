//! Stage clocks, and statistics of their times.

use std::time::Instant;

use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use bevy_pathfind::prelude::*;

/// The measurements.
#[derive(Resource, Default)]
pub(crate) struct Measured {
    /// The number of the tick; it is kept when measuring restarts.
    pub(crate) tick: u32,
    mark: Option<Instant>,
    /// The time of all stages in each frame, in milliseconds.
    pub(crate) frames: Vec<f64>,
    pub(crate) stages: [Vec<f64>; 5],
    /// Latencies of answers, in ticks.
    pub(crate) latencies: Vec<f64>,
    pub(crate) edits: u64,
}

impl Measured {
    /// Restarts measuring, and returns the measurements so far.
    pub(crate) fn restart(app: &mut App) -> Self {
        let mut measured = app.world_mut().resource_mut::<Self>();
        let tick = measured.tick;
        core::mem::replace(&mut *measured, Self { tick, ..default() })
    }
}

/// Adds clock systems between the stages; the time of `before` is not counted.
pub(crate) fn add_clocks<M>(app: &mut App, before: impl IntoScheduleConfigs<ScheduleSystem, M>) {
    app.init_resource::<Measured>()
        .add_systems(
            FixedUpdate,
            (before.into_configs(), start_clock.into_configs()).chain().before(NavSystems::World),
        )
        .add_systems(
            FixedUpdate,
            (
                clock::<0>.after(NavSystems::World).before(NavSystems::Request),
                clock::<1>.after(NavSystems::Request).before(NavSystems::Solve),
                clock::<2>.after(NavSystems::Solve).before(NavSystems::Steer),
                clock::<3>.after(NavSystems::Steer).before(NavSystems::Motion),
                clock::<4>.after(NavSystems::Motion),
            ),
        );
}

fn start_clock(mut measured: ResMut<Measured>) {
    measured.mark = Some(Instant::now());
    measured.frames.push(0.0);
}

/// Records the time of a stage.
fn clock<const STAGE: usize>(mut measured: ResMut<Measured>) {
    let now = Instant::now();
    let Some(mark) = measured.mark.replace(now) else { return };
    let ms = (now - mark).as_secs_f64() * 1e3;
    measured.stages[STAGE].push(ms);
    if let Some(frame) = measured.frames.last_mut() {
        *frame += ms;
    }
}

/// Prints the times of each stage.
pub(crate) fn print_stages(measured: &mut Measured) {
    for (name, times) in ["world", "request", "solve", "steer", "motion"].iter().zip(&mut measured.stages) {
        let [p50, p99, max] = quantiles(times);
        println!("{name:<8} {p50:>8.3} ms p50 {p99:>8.3} ms p99 {max:>8.3} ms max");
    }
    let [p50, p99, max] = quantiles(&mut measured.frames);
    println!("frame    {p50:>8.3} ms p50 {p99:>8.3} ms p99 {max:>8.3} ms max");
}

/// Median, 99th percentile and maximum; zeros without values.
pub(crate) fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let index = (values.len() as f64 * part).ceil() as usize;
        values.get(index.saturating_sub(1)).copied().unwrap_or(0.0)
    };
    [at(0.5), at(0.99), at(1.0)]
}
