//! The goals of the herds, and a small map of the world that is loaded.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

use super::{HERDS, Herds, chunks::Chunks, terrain::SIDE};
use crate::{
    chrome::Chrome,
    theme::{self, egui_color},
    view::View,
};

/// Draws where each herd goes.
pub(super) fn draw_goals(herds: Res<Herds>, view: Res<View>, mut gizmos: Gizmos) {
    for (herd, color) in herds.herds.iter().zip(HERDS) {
        gizmos.line_2d(herd.center, herd.goal, color.with_alpha(0.16));
        for radius in [6.0, 10.0] {
            gizmos.circle_2d(herd.goal, radius * view.scale, color.with_alpha(0.8)).resolution(24);
        }
    }
}

/// The side of the small map, and its distance from the edges, in logical pixels.
const MAP: f32 = 132.0;
const MARGIN: f32 = 14.0;
/// In a free part smaller than this there is no room for it.
const LEAST: f32 = 420.0;

/// Draws the small map in the lower right corner of the free part: chunks that are loaded, the herds and their goals, and
/// the part of the world in view.
pub(super) fn show(
    mut contexts: EguiContexts,
    (chunks, herds): (Res<Chunks>, Res<Herds>),
    (view, chrome): (Res<View>, Chrome),
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    let free = chrome.free(window);
    if free.size().min_element() < LEAST {
        return Ok(());
    }
    let corner =
        |chunk: bevy_pathfind::prelude::GridCell| Vec2::new(chunk.x as f32, chunk.y as f32) * SIDE as f32;
    let shown = view.shown(window);
    let chunk_rect = |chunk| Rect::from_corners(corner(chunk), corner(chunk) + SIDE as f32);
    let world =
        chunks.loaded.keys().map(|&chunk| chunk_rect(chunk)).fold(shown, |all, chunk| all.union(chunk));
    let scale = MAP / world.size().max_element();
    let low = egui::pos2(free.max.x - MARGIN, free.max.y - MARGIN);
    let on_map = |at: Vec2| {
        let from = (world.max - at) * scale;
        egui::pos2(low.x - from.x, low.y - (at.y - world.min.y) * scale)
    };
    let rect = |part: Rect| egui::Rect::from_two_pos(on_map(part.min), on_map(part.max));
    let painter = ctx.layer_painter(egui::LayerId::background());
    painter.rect_filled(rect(world).expand(4.0), 4.0, egui_color(theme::VOID.with_alpha(0.8)));
    for &chunk in chunks.loaded.keys() {
        painter.rect_filled(
            rect(chunk_rect(chunk)).shrink(0.5),
            0.0,
            egui_color(theme::WALL.with_alpha(0.5)),
        );
    }
    let line = |color: Color| egui::Stroke::new(1.0, egui_color(color));
    painter.rect_stroke(rect(shown), 0.0, line(theme::TEXT), egui::StrokeKind::Inside);
    for (herd, color) in herds.herds.iter().zip(HERDS) {
        painter.line_segment([on_map(herd.center), on_map(herd.goal)], line(color.with_alpha(0.5)));
        painter.circle_stroke(on_map(herd.goal), 2.5, line(color));
        painter.circle_filled(on_map(herd.center), 3.0, egui_color(color));
    }
    Ok(())
}
