//! Counters: how many people pass each gate and bridge in a minute.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use std::collections::VecDeque;

use super::{
    Walker,
    town::{CROSSINGS, SIZE},
};
use crate::{chrome::Chrome, hud::label, theme, view::View};

/// The time over which a rate is measured, in seconds.
const WINDOW: f32 = 30.0;

/// For each crossing: how many have passed since the beginning, and the times of the latest.
#[derive(Resource, Default)]
pub(super) struct Counters {
    passed: [u64; CROSSINGS.len()],
    latest: [VecDeque<f32>; CROSSINGS.len()],
    /// The time since the beginning, in seconds.
    now: f32,
}

/// Where a walker was in the last tick.
#[derive(Component)]
pub(super) struct Before(f32);

impl Counters {
    /// How many pass a crossing in a minute, as over the last half minute, or since the beginning.
    fn per_minute(&self, crossing: usize) -> f32 {
        self.latest[crossing].len() as f32 * 60.0 / self.now.clamp(1.0, WINDOW)
    }

    /// The name of each crossing, and how many have passed it.
    pub(super) fn facts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        CROSSINGS.iter().zip(self.passed).map(|(crossing, passed)| (crossing.name, passed))
    }
}

/// Counts those who have crossed a line in this tick.
pub(super) fn count(
    mut walkers: Query<(Entity, &Transform, Option<&mut Before>), With<Walker>>,
    mut counters: ResMut<Counters>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let counters = &mut *counters;
    counters.now += time.delta_secs();
    let now = counters.now;
    for (entity, at, before) in &mut walkers {
        let at = at.translation.truncate() + SIZE / 2.0;
        let Some(mut before) = before else {
            commands.entity(entity).insert(Before(at.x));
            continue;
        };
        let from = core::mem::replace(&mut before.0, at.x);
        for (number, line) in CROSSINGS.iter().enumerate() {
            let is_within = (line.y..line.y + line.width).contains(&at.y);
            if (from < line.x) != (at.x < line.x) && is_within {
                counters.passed[number] += 1;
                counters.latest[number].push_back(now);
            }
        }
    }
    for latest in &mut counters.latest {
        while latest.front().is_some_and(|&time| now - time > WINDOW) {
            latest.pop_front();
        }
    }
}

/// Draws the table in the panel.
pub(super) fn show(ui: &mut egui::Ui, counters: &Counters) {
    let rows = CROSSINGS.iter().enumerate().map(|(number, crossing)| {
        let values = vec![format!("{}", crossing.width), format!("{:.0}", counters.per_minute(number))];
        (theme::quiet(crossing.name), values)
    });
    theme::table(ui, "crossings", &["", "cells wide", "people"], rows);
}

/// Writes at each gate and bridge how many pass it.
pub(super) fn show_labels(
    mut contexts: EguiContexts,
    counters: Res<Counters>,
    (view, chrome): (Res<View>, Chrome),
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    for (number, crossing) in CROSSINGS.iter().enumerate() {
        let above = Vec2::new(crossing.x, crossing.y + crossing.width) - SIZE / 2.0;
        let at = view.on_screen(middle, above) - egui::vec2(0.0, 14.0);
        if !chrome.covers(Vec2::new(at.x, at.y)) {
            let text = format!("{} {:.0} a min", crossing.name, counters.per_minute(number));
            label(&painter, at, egui::Align2::CENTER_CENTER, text, theme::TEXT);
        }
    }
    Ok(())
}
