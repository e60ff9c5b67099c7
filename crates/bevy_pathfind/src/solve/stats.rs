//! What the stage has done, for panels, tests and the curious.

use bevy::prelude::*;
use pathfind_core::Recording;

use super::Solved;
use super::latency::Latencies;
use super::pool::Pool;
use crate::order::{Algorithm, CancelToken, PathStatus, Ticket, TicketState};

/// What the solve stage has done. Read it; writing changes nothing.
#[derive(Resource, Reflect, Debug, Clone, Default)]
#[reflect(Resource, Default, Debug)]
pub struct SolveStats {
    /// Requests in line after this tick.
    pub waiting: u32,
    /// Searches under way after this tick.
    pub running: u32,
    /// Searches that have ended since the start; one that serves many requests counts once.
    pub finished: u64,
    /// Requests that have been answered since the start.
    pub answered: u64,
    /// Cells expanded by the searches.
    pub expanded: u64,
    /// Answers that died because the map had changed; their requests went back in line.
    pub stale: u64,
    /// Paths that edits touched, and that were asked for again.
    pub replanned: u64,
    /// Searches, backwards from a goal, that served several requests at once.
    pub shared: u64,
    /// Requests that were served by those.
    pub shared_requests: u64,
    /// Requests whose answer was known, so that nothing was searched.
    pub cache_hits: u64,
    /// Requests whose deadline passed.
    pub late: u64,
    /// After how many ticks half of the latest thousand requests were answered.
    pub latency_p50: u32,
    /// After how many ticks 99 of 100 of them were.
    pub latency_p99: u32,
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
    /// How many requests it served: more than one if they had one goal, and a search backwards from there was cheaper.
    pub served: u32,
    /// Whether the answer was known from an earlier search on the same map.
    pub cached: bool,
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
    /// Counts an answer, and the search that found it; keeps the record of the latter.
    pub(super) fn count(&mut self, agent: Entity, solved: &mut Solved) {
        let found = solved.result.as_ref().ok();
        self.answered += 1;
        self.cache_hits += u64::from(solved.cached);
        if solved.is_first {
            self.finished += 1;
            self.expanded += solved.metrics.expanded;
            if solved.served > 1 {
                self.shared += 1;
                self.shared_requests += u64::from(solved.served);
            }
        }
        self.last = Some(LastSearch {
            agent,
            grid: solved.grid,
            algorithm: found.map_or_else(Algorithm::default, |found| found.algorithm.into()),
            served: solved.served,
            cached: solved.cached,
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

/// Counts waiting requests and running searches, and how long requests have taken. Sets the status of each request whose
/// search has begun.
pub(super) fn count_line(
    mut tickets: Query<(&Ticket, &mut PathStatus)>,
    pool: Res<Pool>,
    latencies: Res<Latencies>,
    mut stats: ResMut<SolveStats>,
) {
    let (mut open, mut begun) = (0, 0);
    for (ticket, mut status) in tickets.iter_mut().filter(|(ticket, _)| !ticket.is_closed()) {
        open += 1;
        if matches!(&ticket.state, TicketState::Running(token) if CancelToken::has_begun(token)) {
            begun += 1;
            // An agent that has an answer, and for which a better one is searched, keeps its status meanwhile.
            if !ticket.recheck {
                status.set_if_neq(PathStatus::Searching);
            }
        }
    }
    // Of those that have begun some may be done already, or served together: a hand has no more than one at a time.
    let running = begun.min(pool.under_way());
    (stats.waiting, stats.running) = ((open - running) as u32, running as u32);
    if latencies.is_changed() {
        (stats.latency_p50, stats.latency_p99) = (latencies.quantile(0.5), latencies.quantile(0.99));
    }
}
