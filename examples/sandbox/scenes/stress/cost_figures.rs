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

/// Draws the table in the panel, and the button that copies it.
pub(super) fn show(ui: &mut egui::Ui, world: &mut World) {
    let numbers = world.resource::<CostFigures>().numbers(world.resource::<SolveStats>());
    let rows = numbers.iter().map(|(name, number)| (theme::quiet(*name), vec![number]));
    theme::table(ui, "gauge", &[], rows);
    let is_clicked = button(ui, "stress.copy", "Copy", "the numbers as text (C)");
    if std::mem::take(&mut world.resource_mut::<CostFigures>().wants_copy) || is_clicked {
        let lines: Vec<_> = numbers.iter().map(|(name, number)| format!("{name}: {number}")).collect();
        ui.ctx().copy_text(lines.join("\n"));
    }
}
