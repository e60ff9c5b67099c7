//! The clock: pause, single steps, slow motion. It controls everything that depends on `Time`.

use std::time::Duration;

use bevy::{input::InputSystems, prelude::*};

/// Requests to the clock for the next frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Clock {
    /// Whether to run one tick and then stay paused.
    pub step: bool,
}

/// Relative speeds of the clock, in the order of switching.
const SPEEDS: [f32; 4] = [1.0, 0.5, 0.25, 0.1];

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Clock>()
        .add_systems(PreUpdate, step.after(InputSystems).after(crate::keys::KeySystems));
}

/// Pauses or resumes the clock.
pub(crate) fn toggle_pause(time: &mut Time<Virtual>) {
    if time.is_paused() { time.unpause() } else { time.pause() }
}

/// Switches to the next lower speed; after the lowest to full speed.
pub(crate) fn slow_down(time: &mut Time<Virtual>) {
    let now = SPEEDS.iter().position(|&speed| speed == time.relative_speed()).unwrap_or(SPEEDS.len() - 1);
    time.set_relative_speed(SPEEDS[(now + 1) % SPEEDS.len()]);
}

/// Runs exactly one tick on a paused clock.
fn step(
    mut clock: ResMut<Clock>,
    mut time: ResMut<Time>,
    mut virtual_time: ResMut<Time<Virtual>>,
    fixed: Res<Time<Fixed>>,
) {
    if !clock.step {
        return;
    }
    clock.step = false;
    let is_running = virtual_time.delta() > Duration::ZERO;
    virtual_time.pause();
    if !is_running {
        virtual_time.advance_by(fixed.timestep());
        *time = virtual_time.as_generic();
    }
}
