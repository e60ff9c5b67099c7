//! What the stage has done, for panels, tests and the curious.

use bevy::prelude::*;
use pathfind_core::Recording;

use super::Solved;
use super::away::Away;
use crate::request::{Algorithm, Job, Ticket, TicketState};

/// What the solve stage has done. Read it; writing changes nothing.
#[derive(Resource, Reflect, Debug, Clone, Default)]
#[reflect(Resource, Default, Debug)]
pub struct SolveStats {
    /// Requests in line after this tick.
    pub waiting: u32,
    /// Searches under way after this tick.
    pub running: u32,
    /// Searches that have ended since the start.
    pub finished: u64,
    /// Cells expanded by them.
    pub expanded: u64,
    /// Answers that died because the map had changed; their requests went back in line.
    pub stale: u64,
    /// Paths that edits touched, and that were asked for again.
    pub replanned: u64,
    /// The search that ended last.
    pub last: Option<LastSearch>,
}

/// What the search that ended last was like.
#[derive(Reflect, Debug, Clone)]
#[reflect(Debug)]
pub struct LastSearch {
    /// Who asked.
    pub agent: Entity,
    /// Where.
    pub grid: Entity,
    /// What ran; `Auto` if there was nothing to search.
    pub algorithm: Algorithm,
    /// Time spent on it, in microseconds; the only number here that differs between runs.
    pub micros: f32,
    /// Cells expanded.
    pub expanded: u64,
    /// Successors looked at.
    pub generated: u64,
    /// Length of the path before straightening, in cells; 0 without a path.
    pub length: f32,
    /// Cost of the path: length weighted by terrain; 0 without a path.
    pub cost: f32,
    /// Cells of the path before straightening, start and end included; 0 without a path.
    pub cells: u32,
    /// The cells that were opened and closed, if `SolveSettings::record` is on.
    #[reflect(ignore)]
    pub recording: Option<Recording>,
}

impl SolveStats {
    /// Counts a search that has ended, and keeps its record.
    pub(super) fn count(&mut self, agent: Entity, solved: &mut Solved) {
        let found = solved.result.as_ref().ok();
        self.finished += 1;
        self.expanded += solved.metrics.expanded;
        self.last = Some(LastSearch {
            agent,
            grid: solved.grid,
            algorithm: found.map_or_else(Algorithm::default, |found| found.algorithm.into()),
            micros: solved.micros,
            expanded: solved.metrics.expanded,
            generated: solved.metrics.generated,
            length: found.map_or(0.0, |found| found.length as f32),
            cost: found.map_or(0.0, |found| found.cost as f32),
            cells: found.map_or(0, |found| found.cells),
            recording: solved.recording.take(),
        });
    }
}

/// Counts who waits and what runs.
pub(super) fn count_line(tickets: Query<&Ticket>, away: Res<Away>, mut stats: ResMut<SolveStats>) {
    let (mut open, mut slices, mut begun) = (0, 0, 0);
    for ticket in tickets.iter().filter(|ticket| !ticket.is_closed()) {
        open += 1;
        match &ticket.state {
            TicketState::Running(Job::Slice(_)) => slices += 1,
            TicketState::Running(Job::Away(errand)) => begun += usize::from(errand.has_begun()),
            _ => (),
        }
    }
    // Of those that have begun some may be done already: a worker has no more than one at a time.
    let running = slices + begun.min(away.workers());
    (stats.waiting, stats.running) = ((open - running) as u32, running as u32);
}
