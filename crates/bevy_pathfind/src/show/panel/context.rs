//! Which of several egui contexts shows the panel.
//!
//! A game may have a context for each window, or one that is drawn on a texture in the world, each with a schedule
//! of its own for its widgets. The panel uses the context of [`NavPanel::context`]; by default the primary context,
//! if that is on the primary window, else another context on that window.

use bevy::camera::{NormalizedRenderTarget, RenderTarget};
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext};

use super::state::{NavPanel, Screen, is_open};
use super::window;
use crate::bevy_version::EguiSchedule;

/// The schedules that have a system which draws the panel.
#[derive(Resource, Default)]
struct Passes(HashSet<InternedScheduleLabel>);

/// Components of a camera that may show the panel.
type Candidate = (
    Entity,
    &'static RenderTarget,
    Has<EguiContext>,
    Option<&'static EguiSchedule>,
    Has<PrimaryEguiContext>,
    &'static Camera,
);

/// Adds the drawing system to the primary context's schedule; other schedules get one when their context is chosen.
pub(super) fn wire(app: &mut App) {
    app.init_resource::<Passes>().add_systems(Update, choose.run_if(is_open));
    add_drawing(app.world_mut(), EguiPrimaryContextPass.intern());
}

/// The window that a camera with this target renders to; `primary` is the primary window.
pub(super) fn window_of(target: &RenderTarget, primary: Option<Entity>) -> Option<Entity> {
    match target.normalize(primary) {
        Some(NormalizedRenderTarget::Window(window)) => Some(window.entity()),
        _ => None,
    }
}

/// Chooses the context that shows the panel. If there is none, a camera gets the primary context.
fn choose(
    world: &mut World,
    cameras: &mut QueryState<Candidate>,
    primary: &mut QueryState<Entity, With<PrimaryWindow>>,
) {
    let primary = primary.iter(world).next();
    let window_of = |target: &RenderTarget| window_of(target, primary);
    let requested = world.resource::<NavPanel>().context;
    let is_primary_window = |window: Option<Entity>| window.is_some() && window == primary;
    let chosen = cameras
        .iter(world)
        .filter(|(_, _, has_context, ..)| *has_context)
        .map(|(camera, target, _, pass, is_primary, _)| {
            let pass = pass.map_or(EguiPrimaryContextPass.intern(), |pass| pass.0);
            (Screen { camera, window: window_of(target), pass }, is_primary)
        })
        .max_by_key(|(screen, is_primary)| {
            let is_requested = requested == Some(screen.camera);
            let lowest_entity = core::cmp::Reverse(screen.camera);
            (is_requested, is_primary_window(screen.window), *is_primary, lowest_entity)
        });
    if let Some((screen, _)) = chosen {
        add_drawing(world, screen.pass);
    } else {
        // The context's camera was despawned, or there was none: give the primary context to another active camera.
        let active = cameras.iter(world).filter(|(.., camera)| camera.is_active);
        let first = active
            .min_by_key(|(entity, target, .., camera)| {
                (!is_primary_window(window_of(target)), camera.order, *entity)
            })
            .map(|(entity, ..)| entity);
        if let Some(entity) = first {
            world.entity_mut(entity).insert(PrimaryEguiContext);
        }
    }
    world.resource_mut::<NavPanel>().bypass_change_detection().screen = chosen.map(|(screen, _)| screen);
}

/// Adds to a schedule, once, a system that draws the panel if a context with this schedule is chosen.
fn add_drawing(world: &mut World, pass: InternedScheduleLabel) {
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
