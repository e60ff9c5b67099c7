//! Which of several egui contexts shows the panel.
//!
//! A game may have a context for each window, or one that is drawn on a texture in the world, each with a
//! schedule of its own in which its widgets are laid out. The panel is drawn by the one that
//! [`NavPanel::context`] names; by default by the primary context, if that is on the primary window, else by
//! another one there.

use bevy::camera::{NormalizedRenderTarget, RenderTarget};
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiContext, EguiMultipassSchedule, EguiPrimaryContextPass, PrimaryEguiContext};

use super::is_open;
use super::state::NavPanel;
use super::window;

/// A context that shows the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Screen {
    /// The camera that has the context.
    pub(super) camera: Entity,
    /// The window that the camera looks out of, if it is one.
    pub(super) window: Option<Entity>,
    /// The schedule that lays out its widgets.
    pass: InternedScheduleLabel,
}

/// The schedules that draw the panel when its context is theirs.
#[derive(Resource, Default)]
struct Passes(HashSet<InternedScheduleLabel>);

/// What is known about a camera that may show the panel.
type Candidate = (
    Entity,
    &'static RenderTarget,
    Has<EguiContext>,
    Option<&'static EguiMultipassSchedule>,
    Has<PrimaryEguiContext>,
    &'static Camera,
);

/// Lets the primary context draw the panel; others are asked when they are chosen.
pub(super) fn wire(app: &mut App) {
    app.init_resource::<Passes>().add_systems(Update, choose.run_if(is_open));
    rebuild_index(app.world_mut(), EguiPrimaryContextPass.intern());
}

/// Finds the context that shows the panel; without any a camera gets one.
fn choose(
    world: &mut World,
    cameras: &mut QueryState<Candidate>,
    primary: &mut QueryState<Entity, With<PrimaryWindow>>,
) {
    let primary = primary.iter(world).next();
    let window_of = |target: &RenderTarget| match target.normalize(primary) {
        Some(NormalizedRenderTarget::Window(window)) => Some(window.entity()),
        _ => None,
    };
    let wished = world.resource::<NavPanel>().context;
    let is_there = |window: Option<Entity>| window.is_some() && window == primary;
    let chosen = cameras
        .iter(world)
        .filter(|(_, _, has_context, ..)| *has_context)
        .map(|(camera, target, _, pass, is_primary, _)| {
            let pass = pass.map_or(EguiPrimaryContextPass.intern(), |pass| pass.0);
            (Screen { camera, window: window_of(target), pass }, is_primary)
        })
        .max_by_key(|(screen, is_primary)| {
            let is_wished = wished == Some(screen.camera);
            (is_wished, is_there(screen.window), *is_primary, core::cmp::Reverse(screen.camera))
        });
    if let Some((screen, _)) = chosen {
        rebuild_index(world, screen.pass);
    } else {
        // The camera of the context is gone, or there never was one: another one gets it.
        let active = cameras.iter(world).filter(|(.., camera)| camera.is_active);
        let first = active
            .min_by_key(|(entity, target, .., camera)| (!is_there(window_of(target)), camera.order, *entity))
            .map(|(entity, ..)| entity);
        if let Some(entity) = first {
            world.entity_mut(entity).insert(PrimaryEguiContext);
        }
    }
    world.resource_mut::<NavPanel>().bypass_change_detection().screen = chosen.map(|(screen, _)| screen);
}

/// Lets a schedule draw the panel when its context is chosen; once.
fn rebuild_index(world: &mut World, pass: InternedScheduleLabel) {
    if world.resource_mut::<Passes>().0.insert(pass) {
        let draw = move |world: &mut World| {
            let screen = world.resource::<NavPanel>().screen.filter(|screen| screen.pass == pass);
            if let Some(screen) = screen {
                window::draw(world, screen.camera);
            }
        };
        world.resource_mut::<Schedules>().add_systems(pass, draw.run_if(is_open));
    }
}
