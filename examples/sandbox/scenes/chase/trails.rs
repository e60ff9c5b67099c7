//! Drawing of the race: trails, aim points, and places of catches.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_pathfind::{
    prelude::*,
    steer::{InterceptForecast, PursuitAim},
};

use super::{ChaseSettings, HUNTERS, Hunter, SCENE};
use crate::{
    chrome::Chrome,
    hud::label,
    theme,
    view::{View, ViewSystems},
};

/// The trail of a hunter or prey, oldest point first.
#[derive(Component, Debug, Default)]
pub(super) struct Trail(VecDeque<Vec2>);

/// Where a hunter has caught its prey, and after how many seconds.
#[derive(Component, Debug)]
pub(super) struct Catch {
    pub at: Vec2,
    pub after: f32,
}

/// The most points of a trail, and their distance, in cells.
const PLACES: usize = 240;
const STEP: f32 = 0.3;

pub(super) fn build(app: &mut App) {
    app.add_systems(FixedUpdate, record_trails.after(NavSystems::Motion).run_if(SCENE.is_active()))
        .add_systems(Update, (draw_trails, draw_aims).after(ViewSystems).run_if(SCENE.is_active()))
        .add_systems(EguiPrimaryContextPass, show_names.run_if(SCENE.is_active()));
}

fn record_trails(mut racers: Query<(&mut Trail, &Transform)>) {
    for (mut trail, at) in &mut racers {
        let at = at.translation.truncate();
        if trail.0.back().is_none_or(|last| last.distance(at) > STEP) {
            trail.0.push_back(at);
        }
        if trail.0.len() > PLACES {
            trail.0.pop_front();
        }
    }
}

fn color_of(hunter: Option<&Hunter>) -> Color {
    hunter.map_or(theme::PREY, |&Hunter(i)| HUNTERS[i].2)
}

fn draw_trails(
    racers: Query<(&Trail, &Transform, Option<&Hunter>)>,
    settings: Res<ChaseSettings>,
    mut gizmos: Gizmos,
) {
    if !settings.trails {
        return;
    }
    for (trail, at, hunter) in &racers {
        let (color, count) = (color_of(hunter), trail.0.len() as f32);
        let places = trail.0.iter().enumerate();
        let fading = places.map(|(i, &place)| (place, color.with_alpha(0.75 * i as f32 / count)));
        gizmos.linestrip_gradient_2d(fading.chain([(at.translation.truncate(), color.with_alpha(0.75))]));
    }
}

/// Draws a line from each hunter to its aim point, with a cross if it expects to meet the prey there.
fn draw_aims(
    hunting: Query<(&Hunter, &Transform, &PursuitAim), With<Pursuer>>,
    caught: Query<(&Hunter, &Catch)>,
    view: Res<View>,
    mut gizmos: Gizmos,
) {
    // While the clock is paused at the start, hunters have no aim yet.
    for (hunter, at, aim) in hunting.iter().filter(|(.., aim)| **aim != PursuitAim::default()) {
        let (color, point) = (color_of(Some(hunter)), aim.point.truncate());
        gizmos.line_2d(at.translation.truncate(), point, color.with_alpha(0.16));
        if aim.time > 0.0 {
            gizmos.cross_2d(Isometry2d::new(point, Rot2::FRAC_PI_4), 10.0 * view.scale, color);
            if aim.forecast == InterceptForecast::Meets {
                gizmos.circle_2d(point, 11.0 * view.scale, color).resolution(24);
            }
        }
    }
    for (hunter, caught) in &caught {
        for radius in [9.0, 13.0] {
            gizmos.circle_2d(caught.at, radius * view.scale, color_of(Some(hunter))).resolution(32);
        }
    }
}

/// Draws names beside hunters, and beside those that have caught the prey the time of the catch.
fn show_names(
    mut contexts: EguiContexts,
    hunters: Query<(&Hunter, &Transform, Option<&Catch>)>,
    view: Res<View>,
    chrome: Chrome,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    // Names at the same place are stacked; those of hunters with a catch are on their left.
    let mut taken: Vec<(bool, egui::Pos2)> = Vec::new();
    for (&Hunter(i), at, catch) in &hunters {
        let (_, name, color) = HUNTERS[i];
        let (is_left, aside) = if catch.is_some() { (true, -22.0) } else { (false, 20.0) };
        let mut place = view.on_screen(middle, at.translation.truncate()) + egui::vec2(aside, 14.0);
        let is_near = |other: &(bool, egui::Pos2), place: egui::Pos2| {
            other.0 == is_left && (other.1.x - place.x).abs() < 110.0 && (other.1.y - place.y).abs() < 17.0
        };
        while taken.iter().any(|other| is_near(other, place)) {
            place.y += 17.0;
        }
        taken.push((is_left, place));
        let text = catch.map_or_else(|| name.to_owned(), |catch| format!("{name}  {:.1} s", catch.after));
        if !chrome.covers(Vec2::new(place.x, place.y)) {
            let anchor = if is_left { egui::Align2::RIGHT_TOP } else { egui::Align2::LEFT_TOP };
            label(&painter, place, anchor, text, color);
        }
    }
    Ok(())
}
