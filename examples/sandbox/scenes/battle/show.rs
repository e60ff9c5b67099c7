//! Drawings besides the soldiers: goals and paths of the selected companies, strikes, and a label at each company.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_pathfind::{prelude::*, steer::FormationMembers};

use super::{
    armies::{Company, TROOPS},
    fight::{FLIGHT, Flights},
};
use crate::{chrome::Chrome, hud::label, orders::Selected, theme, view::View};

/// The room of a label, in logical pixels.
const ROOM: egui::Vec2 = egui::vec2(72.0, 18.0);

/// Draws the ways of selected companies.
pub(super) fn companies(
    companies: Query<(&Company, &NavPath, &Transform), With<Selected>>,
    mut gizmos: Gizmos,
) {
    for (company, path, at) in &companies {
        let color = company.side.color().with_alpha(0.45);
        let points = core::iter::once(&at.translation).chain(path.remaining());
        gizmos.linestrip_2d(points.map(|point| point.truncate()), color);
        if let Some(end) = path.remaining().last() {
            gizmos.circle_2d(end.truncate(), 1.2, color).resolution(24);
        }
    }
}

/// Draws strikes and arrows, which fade.
pub(super) fn flights(mut flights: ResMut<Flights>, time: Res<Time>, mut gizmos: Gizmos) {
    for (from, to, age, side) in &mut flights.0 {
        *age += time.delta_secs();
        let share = (*age / FLIGHT).min(1.0);
        let color = side.color().mix(&theme::TEXT, 0.4).with_alpha(0.8 * (1.0 - share));
        let head = from.lerp(*to, share);
        gizmos.line_2d(from.lerp(*to, (share - 0.35).max(0.0)), head, color);
    }
    flights.0.retain(|&(_, _, age, _)| age < FLIGHT);
}

/// Writes at each company what it is, and how many are left.
pub(super) fn labels(
    mut contexts: EguiContexts,
    companies: Query<(&Company, &FormationMembers, &Transform)>,
    (view, chrome): (Res<View>, Chrome),
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    let mut taken: Vec<egui::Rect> = Vec::new();
    for (company, members, at) in &companies {
        let mut at = view.on_screen(middle, at.translation.truncate());
        if chrome.covers(Vec2::new(at.x, at.y)) {
            continue;
        }
        // Labels of companies that are close together stand below each other.
        let room = |at: egui::Pos2| egui::Rect::from_center_size(at, ROOM);
        while taken.iter().any(|other| other.intersects(room(at))) {
            at.y += 1.0;
        }
        taken.push(room(at));
        let text = format!("{} {}", TROOPS[company.troop].name, members.count());
        label(&painter, at, egui::Align2::CENTER_CENTER, text, company.side.color());
    }
    Ok(())
}
