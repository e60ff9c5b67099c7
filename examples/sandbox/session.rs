//! The end of a run: `--frames`, and the screenshots of the last frame and, for an animation, of those before it.

use bevy::{
    prelude::*,
    render::{
        RenderApp, RenderStartup,
        renderer::RenderInstance,
        view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    },
};

use crate::flags::Flags;

/// The number of frames shown.
#[derive(Resource, Debug, Default)]
pub(crate) struct Session {
    /// Counted from 1.
    pub frame: u32,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Session>()
        .add_systems(First, (count_frames, activate_cameras).chain())
        .add_systems(Last, end_run);
    // Headless runs have no renderer.
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        render_app.add_systems(RenderStartup, keep_driver_loaded);
    }
}

/// Keeps the graphics driver in memory until the process has ended. It is unloaded with the last owner of the
/// instance; Mesa's software Vulkan has by then asked the C library to call it at the end, and in one run of some
/// hundred that call met unloaded code and the process ended with a fault instead of its exit code.
fn keep_driver_loaded(instance: Res<RenderInstance>) {
    std::mem::forget(instance.clone());
}

fn count_frames(mut session: ResMut<Session>) {
    session.frame += 1;
}

/// How many frames are drawn before the last one: panels need a few until their layout is final.
const WARM_UP: u32 = 30;

/// One frame in how many belongs to an animation.
const FILM_STEP: u32 = 4;

/// If only the last frames are wanted, cameras are inactive before the warm-up.
fn activate_cameras(session: Res<Session>, flags: Res<Flags>, mut cameras: Query<&mut Camera>) {
    let Some(frames) = flags.frames.filter(|_| flags.screenshot.is_some()) else { return };
    let before = frames.saturating_sub(session.frame).saturating_sub(WARM_UP);
    let is_wanted = before.div_ceil(FILM_STEP) <= flags.film;
    for mut camera in cameras.iter_mut().filter(|camera| camera.is_active != is_wanted) {
        camera.is_active = is_wanted;
    }
}

/// After this many more frames, a screenshot that has not arrived counts as failed.
const SCREENSHOT_TIMEOUT: u32 = 600;

fn end_run(
    mut commands: Commands,
    session: Res<Session>,
    flags: Res<Flags>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(frames) = flags.frames else { return };
    if let Some(left) = frames.checked_sub(session.frame).filter(|&left| left > 0) {
        let (number, is_on_step) = (left / FILM_STEP, left.is_multiple_of(FILM_STEP));
        if let Some(path) = flags.screenshot.as_ref().filter(|_| is_on_step && number <= flags.film) {
            // Counted up, so that the names are in the order of the pictures.
            let path = path.with_extension(format!("{:03}.png", flags.film - number));
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
        }
        return;
    }
    match &flags.screenshot {
        None => drop(exit.write(AppExit::Success)),
        Some(path) if session.frame == frames => {
            let mut save = save_to_disk(path.clone());
            commands.spawn(Screenshot::primary_window()).observe(
                move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                    save(captured);
                    exit.write(AppExit::Success);
                },
            );
        }
        Some(path) if session.frame > frames + SCREENSHOT_TIMEOUT => {
            error!("no picture for {} could be taken", path.display());
            exit.write(AppExit::error());
        }
        Some(_) => {}
    }
}
