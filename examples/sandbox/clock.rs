//! The clock: pause, single steps, slow and fast motion. It controls everything that depends on `Time`.

use std::time::Duration;

use bevy::{input::InputSystems, prelude::*};

use crate::scenes::ActiveScene;

/// Requests to the clock for the next frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Clock {
    /// Whether to run one tick and then stay paused.
    pub step: bool,
}

/// Relative speeds of the clock, in the order of switching.
const SPEEDS: [f32; 6] = [1.0, 0.5, 0.25, 0.1, 4.0, 2.0];

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Clock>()
        .add_systems(PreUpdate, step.after(InputSystems).after(crate::keys::KeySystems))
        .add_systems(Update, reset.run_if(state_changed::<ActiveScene>));
}

/// Pauses or resumes the clock.
pub(crate) fn toggle_pause(time: &mut Time<Virtual>) {
    if time.is_paused() { time.unpause() } else { time.pause() }
}

/// Switches to the next speed.
pub(crate) fn change_speed(time: &mut Time<Virtual>) {
    let now = SPEEDS.iter().position(|&speed| speed == time.relative_speed()).unwrap_or(SPEEDS.len() - 1);
    time.set_relative_speed(SPEEDS[(now + 1) % SPEEDS.len()]);
}

/// Another scene begins at full speed.
fn reset(
    scene: Res<State<ActiveScene>>,
    mut time: ResMut<Time<Virtual>>,
    mut before: Local<Option<&'static str>>,
) {
    if before.replace(scene.get().0).is_some_and(|before| before != scene.get().0) {
        time.set_relative_speed(1.0);
    }
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
