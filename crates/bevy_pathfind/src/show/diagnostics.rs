//! Numbers for Bevy's diagnostics, under `nav/solve/...`.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, DiagnosticsStore, RegisterDiagnostic};
use bevy::prelude::*;

use crate::solve::SolveStats;
use crate::stage::NavSystems;

/// The paths of the solve stage's diagnostics.
#[derive(Debug, Clone, Copy)]
pub struct SolveDiagnostics;

impl SolveDiagnostics {
    /// Requests in line.
    pub const WAITING: DiagnosticPath = DiagnosticPath::const_new("nav/solve/waiting");
    /// Searches under way.
    pub const RUNNING: DiagnosticPath = DiagnosticPath::const_new("nav/solve/running");
    /// Searches that ended this frame.
    pub const SEARCHES: DiagnosticPath = DiagnosticPath::const_new("nav/solve/searches");
    /// Cells expanded by them.
    pub const EXPANDED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/expanded");
    /// Requests answered this frame without a search, from what was found before.
    pub const CACHE_HITS: DiagnosticPath = DiagnosticPath::const_new("nav/solve/cache_hits");
    /// Requests answered this frame by searches that served several at once.
    pub const SHARED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/shared");
    /// Paths that edits touched this frame.
    pub const REPLANNED: DiagnosticPath = DiagnosticPath::const_new("nav/solve/replanned");
    /// After how many ticks half of the latest thousand requests were answered.
    pub const LATENCY_P50: DiagnosticPath = DiagnosticPath::const_new("nav/solve/latency_p50");
    /// After how many ticks 99 of 100 of them were.
    pub const LATENCY_P99: DiagnosticPath = DiagnosticPath::const_new("nav/solve/latency_p99");
    /// Time spent on the search that ended last, in microseconds.
    pub const MICROS: DiagnosticPath = DiagnosticPath::const_new("nav/solve/micros");
}

/// Registers the diagnostics, if the application has any; once.
pub(super) fn wire(app: &mut App) {
    let Some(store) = app.world().get_resource::<DiagnosticsStore>() else { return };
    if store.get(&SolveDiagnostics::WAITING).is_some() {
        return;
    }
    for path in [
        SolveDiagnostics::WAITING,
        SolveDiagnostics::RUNNING,
        SolveDiagnostics::SEARCHES,
        SolveDiagnostics::EXPANDED,
        SolveDiagnostics::CACHE_HITS,
        SolveDiagnostics::SHARED,
        SolveDiagnostics::REPLANNED,
    ] {
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

/// The counters that only grow, as they were a frame ago.
#[derive(Default, Clone, Copy)]
struct Counted {
    searches: u64,
    expanded: u64,
    cache_hits: u64,
    shared: u64,
    replanned: u64,
}

/// Measures what happened since the last frame.
fn measure(mut diagnostics: Diagnostics, stats: Res<SolveStats>, mut before: Local<Counted>) {
    let now = Counted {
        searches: stats.finished,
        expanded: stats.expanded,
        cache_hits: stats.cache_hits,
        shared: stats.shared_requests,
        replanned: stats.replanned,
    };
    let then = core::mem::replace(&mut *before, now);
    let mut add = |path: &DiagnosticPath, value: f64| diagnostics.add_measurement(path, || value);
    add(&SolveDiagnostics::WAITING, f64::from(stats.waiting));
    add(&SolveDiagnostics::RUNNING, f64::from(stats.running));
    add(&SolveDiagnostics::SEARCHES, (now.searches - then.searches) as f64);
    add(&SolveDiagnostics::EXPANDED, (now.expanded - then.expanded) as f64);
    add(&SolveDiagnostics::CACHE_HITS, (now.cache_hits - then.cache_hits) as f64);
    add(&SolveDiagnostics::SHARED, (now.shared - then.shared) as f64);
    add(&SolveDiagnostics::REPLANNED, (now.replanned - then.replanned) as f64);
    add(&SolveDiagnostics::LATENCY_P50, f64::from(stats.latency_p50));
    add(&SolveDiagnostics::LATENCY_P99, f64::from(stats.latency_p99));
    if now.searches > then.searches
        && let Some(last) = &stats.last
    {
        add(&SolveDiagnostics::MICROS, f64::from(last.micros));
    }
}
