//! Numbers for Bevy's diagnostics, under `nav/solve/...`.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, DiagnosticsStore, RegisterDiagnostic};
use bevy::prelude::*;

use crate::plugins::NavSystems;
use crate::solve::SolveStats;

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
    /// Time spent on the search that ended last, in microseconds.
    pub const MICROS: DiagnosticPath = DiagnosticPath::const_new("nav/solve/micros");
}

/// Registers the diagnostics, if the application has any; once.
pub(super) fn wire(app: &mut App) {
    let Some(store) = app.world().get_resource::<DiagnosticsStore>() else { return };
    if store.get(&SolveDiagnostics::WAITING).is_some() {
        return;
    }
    app.register_diagnostic(Diagnostic::new(SolveDiagnostics::WAITING))
        .register_diagnostic(Diagnostic::new(SolveDiagnostics::RUNNING))
        .register_diagnostic(Diagnostic::new(SolveDiagnostics::SEARCHES))
        .register_diagnostic(Diagnostic::new(SolveDiagnostics::EXPANDED))
        .register_diagnostic(Diagnostic::new(SolveDiagnostics::MICROS).with_suffix(" µs"))
        .add_systems(
            PostUpdate,
            measure.run_if(resource_exists::<DiagnosticsStore>).in_set(NavSystems::Show),
        );
}

/// Measures what happened since the last frame.
fn measure(mut diagnostics: Diagnostics, stats: Res<SolveStats>, mut before: Local<(u64, u64)>) {
    let (searches, expanded) = (stats.finished - before.0, stats.expanded - before.1);
    *before = (stats.finished, stats.expanded);
    diagnostics.add_measurement(&SolveDiagnostics::WAITING, || f64::from(stats.waiting));
    diagnostics.add_measurement(&SolveDiagnostics::RUNNING, || f64::from(stats.running));
    diagnostics.add_measurement(&SolveDiagnostics::SEARCHES, || searches as f64);
    diagnostics.add_measurement(&SolveDiagnostics::EXPANDED, || expanded as f64);
    if searches > 0
        && let Some(last) = &stats.last
    {
        diagnostics.add_measurement(&SolveDiagnostics::MICROS, || f64::from(last.micros));
    }
}
