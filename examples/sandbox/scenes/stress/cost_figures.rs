//! The cost figures of the scene, to read and to copy.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore, FrameTimeDiagnosticsPlugin},
    prelude::*,
};
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, solve::SolveStats};

use crate::{flags::Flags, theme, widgets::button};

/// The figures, and the counters that they are computed from.
#[derive(Resource, Default)]
pub(super) struct CostFigures {
    /// The counters when the scene began.
    base: Option<SolveStats>,
    /// The time of the last measurement, and the counters then.
    last: Option<(f32, SolveStats)>,
    per_second: PerSecond,
    agents: usize,
    /// `None` if every frame is one tick, however long it takes.
    fps: Option<f64>,
    frame_ms: Option<f64>,
    /// Whether the figures are copied to the clipboard when they are next drawn.
    pub(super) wants_copy: bool,
}

/// Rates over the last second.
#[derive(Debug, Clone, Copy, Default)]
struct PerSecond {
    searches: f64,
    answers: f64,
    expanded: f64,
    replanned: f64,
}

impl CostFigures {
    /// Requests answered since the scene began.
    pub(super) fn answered(&self, stats: &SolveStats) -> u64 {
        stats.answered - self.base.as_ref().map_or(0, |base| base.answered)
    }

    /// All figures, with their names.
    fn numbers(&self, stats: &SolveStats) -> Vec<(&'static str, String)> {
        let PerSecond { searches, answers, expanded, replanned } = self.per_second;
        let base = self.base.clone().unwrap_or_default();
        let none = || "–".to_owned();
        let rate = |rate: f64| theme::grouped(rate.round() as u64);
        // Latencies are over the latest thousand answers; before the scene has that many, some are of another
        // scene.
        let is_ours = self.answered(stats) >= 1000;
        let latency = |ticks: u32| match ticks {
            _ if !is_ours => none(),
            1 => "1 tick".to_owned(),
            _ => format!("{ticks} ticks"),
        };
        vec![
            ("agents", theme::grouped(self.agents as u64)),
            ("frames per second", self.fps.map_or_else(none, |fps| format!("{fps:.0}"))),
            ("frame", self.frame_ms.map_or_else(none, |ms| format!("{ms:.1} ms"))),
            ("answers per second", rate(answers)),
            ("searches per second", rate(searches)),
            ("cells per second", rate(expanded)),
            ("waiting now", theme::grouped(u64::from(stats.waiting + stats.running))),
            ("latency, half below", latency(stats.latency_p50)),
            ("latency, 99 % below", latency(stats.latency_p99)),
            ("replanned per second", rate(replanned)),
            ("by shared searches", theme::grouped(stats.shared_requests - base.shared_requests)),
            ("from the cache", theme::grouped(stats.cache_hits - base.cache_hits)),
            ("stale answers", theme::grouped(stats.stale - base.stale)),
        ]
    }
}

/// Updates the figures; rates once per second.
pub(super) fn read(
    mut figures: ResMut<CostFigures>,
    stats: Res<SolveStats>,
    diagnostics: Res<DiagnosticsStore>,
    agents: Query<(), With<Agent>>,
    (time, flags): (Res<Time<Real>>, Res<Flags>),
) {
    let is_timed = !flags.is_stepped();
    let smoothed =
        |path: &DiagnosticPath| diagnostics.get(path).filter(|_| is_timed).and_then(Diagnostic::smoothed);
    figures.fps = smoothed(&FrameTimeDiagnosticsPlugin::FPS);
    figures.frame_ms = smoothed(&FrameTimeDiagnosticsPlugin::FRAME_TIME);
    figures.agents = agents.iter().count();
    let now = time.elapsed_secs();
    figures.base.get_or_insert_with(|| stats.clone());
    let (then, last) = figures.last.get_or_insert_with(|| (now, stats.clone()));
    let seconds = f64::from(now - *then);
    if seconds >= 1.0 {
        let rate = |now: u64, then: u64| (now - then) as f64 / seconds;
        let per_second = PerSecond {
            searches: rate(stats.finished, last.finished),
            answers: rate(stats.answered, last.answered),
            expanded: rate(stats.expanded, last.expanded),
            replanned: rate(stats.replanned, last.replanned),
        };
        figures.per_second = per_second;
        figures.last = Some((now, stats.clone()));
    }
}

/// The size of the graph of frame times, in logical pixels, and the time that its height is, in milliseconds.
const GRAPH: egui::Vec2 = egui::vec2(240.0, 54.0);
const HEIGHT_MS: f32 = 50.0;
/// The time of a frame at 60 frames a second, in milliseconds.
const SMOOTH_MS: f32 = 1000.0 / 60.0;

/// Draws the times of the latest frames, with a line where 60 frames a second end.
fn show_frames(ui: &mut egui::Ui, world: &World) {
    let diagnostics = world.resource::<DiagnosticsStore>();
    let Some(times) = diagnostics.get(&FrameTimeDiagnosticsPlugin::FRAME_TIME) else { return };
    let (area, _) =
        ui.allocate_exact_size(GRAPH.min(egui::vec2(ui.available_width(), GRAPH.y)), egui::Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 3.0, theme::egui_color(theme::VOID));
    let step = area.width() / times.get_max_history_length().max(1) as f32;
    let height = |ms: f32| area.bottom() - area.height() * (ms / HEIGHT_MS).min(1.0);
    for (number, &ms) in times.values().enumerate() {
        let x = area.left() + number as f32 * step;
        let color = if ms as f32 <= 1.1 * SMOOTH_MS { theme::FRIEND } else { theme::HUNTER };
        let bar =
            egui::Rect::from_two_pos(egui::pos2(x, area.bottom()), egui::pos2(x + step, height(ms as f32)));
        painter.rect_filled(bar, 0.0, theme::egui_color(color.with_alpha(0.7)));
    }
    let line = egui::Stroke::new(1.0, theme::egui_color(theme::TEXT));
    painter.hline(area.x_range(), height(SMOOTH_MS), line);
    let text = (egui::Align2::RIGHT_BOTTOM, "16.7 ms", egui::FontId::proportional(11.0));
    painter.text(egui::pos2(area.right() - 4.0, height(SMOOTH_MS)), text.0, text.1, text.2, line.color);
}

/// Draws the table in the panel, and the button that copies it.
pub(super) fn show(ui: &mut egui::Ui, world: &mut World) {
    if !world.resource::<Flags>().is_stepped() {
        show_frames(ui, world);
    }
    let numbers = world.resource::<CostFigures>().numbers(world.resource::<SolveStats>());
    let rows = numbers.iter().map(|(name, number)| (theme::quiet(*name), vec![number]));
    theme::table(ui, "gauge", &[], rows);
    let is_clicked = button(ui, "stress.copy", "Copy", "the numbers as text (C)");
    if std::mem::take(&mut world.resource_mut::<CostFigures>().wants_copy) || is_clicked {
        let lines: Vec<_> = numbers.iter().map(|(name, number)| format!("{name}: {number}")).collect();
        ui.ctx().copy_text(lines.join("\n"));
    }
}
