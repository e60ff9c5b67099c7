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
    theme::{self, egui_color},
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
    hunting: Query<(&Hunter, &Transform, &PursuitAim), Without<HoldPosition>>,
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

/// The distance of a name from its hunter, and the height of a line of names, in logical pixels.
const ASIDE: f32 = 16.0;
const LINE: f32 = 18.0;

/// A hunter, or the prey.
type Racer = (&'static Transform, Option<&'static Hunter>, Option<&'static Catch>);

/// Draws names beside prey and hunters, and beside those that have caught it the time of the catch. Names of racers that
/// are close together stand below each other, each with a line to its racer.
fn show_names(
    mut contexts: EguiContexts,
    racers: Query<Racer, With<Trail>>,
    view: Res<View>,
    chrome: Chrome,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    let (middle, free) = (ctx.viewport_rect().center(), chrome.free(window));
    let painter = ctx.layer_painter(egui::LayerId::background());
    let mut racers: Vec<_> = racers
        .iter()
        .map(|(at, hunter, catch)| {
            (
                view.on_screen(middle, at.translation.truncate()),
                hunter.copied(),
                catch.map(|catch| catch.after),
            )
        })
        .collect();
    racers.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
    let mut taken: Vec<egui::Pos2> = Vec::new();
    for (at, hunter, after) in racers {
        let name = hunter.map_or("Prey", |Hunter(i)| HUNTERS[i].1);
        let text = after.map_or_else(|| name.to_owned(), |after| format!("{name}  {after:.1} s"));
        // On the right while it runs, on the left once it has caught the prey.
        let is_at_edge = at.x + ASIDE + 8.0 * text.len() as f32 > free.max.x;
        let side = if after.is_some() || is_at_edge { -1.0 } else { 1.0 };
        let mut place = at + egui::vec2(side * ASIDE, 0.0);
        let is_taken = |place: egui::Pos2| {
            taken.iter().any(|other: &egui::Pos2| {
                (other.x - place.x).abs() < 110.0 && (other.y - place.y).abs() < LINE
            })
        };
        while is_taken(place) {
            place.y += LINE;
        }
        place.x = place.x.clamp(free.min.x + 4.0, (free.max.x - 4.0).max(free.min.x + 4.0));
        place.y = place.y.clamp(free.min.y + LINE, (free.max.y - LINE).max(free.min.y + LINE));
        taken.push(place);
        let anchor = if side < 0.0 { egui::Align2::RIGHT_CENTER } else { egui::Align2::LEFT_CENTER };
        let color = color_of(hunter.as_ref());
        if at.distance(place) > 1.5 * ASIDE {
            painter.line_segment([at, place], egui::Stroke::new(1.0, egui_color(color.with_alpha(0.6))));
        }
        label(&painter, place, anchor, text, color);
    }
    Ok(())
}
