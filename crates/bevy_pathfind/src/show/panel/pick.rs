//! Selecting agents with a click in the world, in 2D and 3D.

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, Window};
use bevy_egui::input::EguiWantsInput;

use super::context::window_of;
use super::state::NavPanel;
use crate::agent::Agent;

/// The minimal radius round an agent's centre in which a click selects it, in logical pixels.
const REACH: f32 = 12.0;

/// Selects the agent nearest to the pointer, unless egui uses the click.
pub(super) fn pick(
    mut panel: ResMut<NavPanel>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    wants: Option<Res<EguiWantsInput>>,
    windows: Query<(Entity, &Window, Has<PrimaryWindow>)>,
    cameras: Query<(&Camera, &RenderTarget, &GlobalTransform)>,
    agents: Query<(Entity, &Agent, &GlobalTransform)>,
) {
    let (Some(button), Some(buttons)) = (panel.pick_with, buttons) else { return };
    if !buttons.just_pressed(button) || wants.is_some_and(|wants| wants.wants_any_pointer_input()) {
        return;
    }
    let primary = windows.iter().find(|(.., is_primary)| *is_primary).map(|(entity, ..)| entity);
    let Some((window, pointer)) =
        windows.iter().find_map(|(entity, window, _)| Some((entity, window.cursor_position()?)))
    else {
        return;
    };
    let is_there = panel.screen.is_some_and(|screen| screen.window == Some(window));
    if is_there && panel.area().is_some_and(|area| area.contains(pointer)) {
        return;
    }
    // Of several cameras at the pointer, the click goes to the one that renders last, on top.
    let camera = cameras
        .iter()
        .filter(|(camera, target, _)| camera.is_active && window_of(target, primary) == Some(window))
        .filter(|(camera, ..)| camera.logical_viewport_rect().is_some_and(|view| view.contains(pointer)))
        .max_by_key(|(camera, ..)| camera.order);
    let Some((camera, _, eye)) = camera else { return };
    let hit = agents.iter().filter_map(|(entity, agent, at)| {
        let distance = distance_on_screen(camera, eye, at.translation(), agent.radius, pointer)?;
        Some((entity, distance))
    });
    if let Some((agent, _)) = hit.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
        let held = [KeyCode::ShiftLeft, KeyCode::ShiftRight, KeyCode::ControlLeft, KeyCode::ControlRight];
        panel.select(agent, keys.is_some_and(|keys| keys.any_pressed(held)));
    }
}

/// The distance of a point on screen from an agent's centre; `None` if it is outside the agent's radius (at least
/// [`REACH`]).
fn distance_on_screen(
    camera: &Camera,
    eye: &GlobalTransform,
    at: Vec3,
    radius: f32,
    pointer: Vec2,
) -> Option<f32> {
    let middle = camera.world_to_viewport(eye, at).ok()?;
    let rim = camera.world_to_viewport(eye, at + eye.right() * radius.max(0.0)).unwrap_or(middle);
    let distance = middle.distance(pointer);
    (distance <= REACH.max(middle.distance(rim))).then_some(distance)
}
