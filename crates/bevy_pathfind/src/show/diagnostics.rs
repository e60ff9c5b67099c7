//! Bevy diagnostics of the solve stage, under `nav/solve/...`.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, DiagnosticsStore, RegisterDiagnostic};
use bevy::prelude::*;

use crate::solve::SolveStats;
use crate::stage::NavSystems;

/// The paths of the solve stage's diagnostics. Values are per frame where the description says so.
#[derive(Debug, Clone, Copy)]
pub struct SolveDiagnostics;

impl SolveDiagnostics {
    /// Requests that wait for a search.
    pub const WAITING: DiagnosticPath = DiagnosticPath::const_new("nav/solve/waiting");
    /// Searches that are running.
    pub const RUNNING: DiagnosticPath = DiagnosticPath::const_new("nav/solve/running");
    /// Searches that ended this frame.
    pub const SEARCHES: DiagnosticPath = DiagnosticPath::const_new("nav/solve/searches");
    /// Cells expanded by the searches that ended this frame.
    pub const EXPANDED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/expanded");
    /// Requests answered this frame from the cache, without a search.
    pub const CACHE_HITS: DiagnosticPath = DiagnosticPath::const_new("nav/solve/cache_hits");
    /// Requests answered this frame by searches that served several requests.
    pub const SHARED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/shared");
    /// Paths that were invalidated by edits of the grid this frame, and are searched again.
    pub const REPLANNED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/replanned");
    /// Median latency of the latest thousand requests. Unit: ticks.
    pub const LATENCY_P50: DiagnosticPath = DiagnosticPath::const_new("nav/solve/latency_p50");
    /// 99th percentile of the latency of the latest thousand requests. Unit: ticks.
    pub const LATENCY_P99: DiagnosticPath = DiagnosticPath::const_new("nav/solve/latency_p99");
    /// Time spent on the search that ended last. Unit: microseconds.
    pub const MICROS: DiagnosticPath = DiagnosticPath::const_new("nav/solve/micros");
}

/// Registers the diagnostics, once, if the application has a `DiagnosticsStore`.
pub(super) fn wire(app: &mut App) {
    let Some(store) = app.world().get_resource::<DiagnosticsStore>() else { return };
    if store.get(&SolveDiagnostics::WAITING).is_some() {
        return;
    }
    for path in [SolveDiagnostics::WAITING, SolveDiagnostics::RUNNING].into_iter().chain(COUNTERS) {
        app.register_diagnostic(Diagnostic::new(path));
    }
    for path in [SolveDiagnostics::LATENCY_P50, SolveDiagnostics::LATENCY_P99] {
        app.register_diagnostic(Diagnostic::new(path).with_suffix(" ticks"));
    }
    app.register_diagnostic(Diagnostic::new(SolveDiagnostics::MICROS).with_suffix(" µs")).add_systems(
        PostUpdate,
        measure.run_if(resource_exists::<DiagnosticsStore>).in_set(NavSystems::Show),
    );
}

/// The diagnostics of cumulative counters of [`SolveStats`].
const COUNTERS: [DiagnosticPath; 5] = [
    SolveDiagnostics::SEARCHES,
    SolveDiagnostics::EXPANDED,
    SolveDiagnostics::CACHE_HITS,
    SolveDiagnostics::SHARED,
    SolveDiagnostics::REPLANNED,
];

/// Adds a measurement per frame to each diagnostic: cumulative counters as their increase since the last frame.
fn measure(mut diagnostics: Diagnostics, stats: Res<SolveStats>, mut before: Local<[u64; 5]>) {
    // In the order of `COUNTERS`.
    let now = [stats.finished, stats.expanded, stats.cache_hits, stats.shared_requests, stats.replanned];
    let then = core::mem::replace(&mut *before, now);
    let mut add = |path: &DiagnosticPath, value: f64| diagnostics.add_measurement(path, || value);
    add(&SolveDiagnostics::WAITING, f64::from(stats.waiting));
    add(&SolveDiagnostics::RUNNING, f64::from(stats.running));
    for (path, (now, then)) in COUNTERS.iter().zip(now.into_iter().zip(then)) {
        add(path, (now - then) as f64);
    }
    add(&SolveDiagnostics::LATENCY_P50, f64::from(stats.latency_p50));
    add(&SolveDiagnostics::LATENCY_P99, f64::from(stats.latency_p99));
    if now[0] > then[0]
        && let Some(last) = &stats.last
    {
        add(&SolveDiagnostics::MICROS, f64::from(last.micros));
    }
}
