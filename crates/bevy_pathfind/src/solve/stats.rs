//! Statistics of the stage, for panels, tests and diagnostics.

use bevy::prelude::*;
use pathfind_core::Recording;

use super::Solved;
use super::latency::Latencies;
use super::pool::Pool;
use super::service_order::OpenRequests;
use crate::order::{Algorithm, PathStatus, Ticket, TicketState};

/// Statistics of the solve stage. Read-only: writing has no effect.
#[derive(Resource, Reflect, Debug, Clone, Default)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug)]
pub struct SolveStats {
    /// Requests that wait after this tick: those without an answer that are not counted in `running`.
    pub waiting: u32,
    /// Searches under way after this tick. An upper bound: finished searches whose answers are not applied yet, and
    /// requests that share a search, may be counted.
    pub running: u32,
    /// Searches finished since the start; one that serves many requests counts once.
    pub finished: u64,
    /// Requests answered since the start.
    pub answered: u64,
    /// Cells expanded by the searches.
    pub expanded: u64,
    /// Answers that were dropped because the map had changed; their requests were queued again.
    pub stale: u64,
    /// Paths that edits touched, and that were requested again.
    pub replanned: u64,
    /// Searches, backwards from a goal, that served several requests at once.
    pub shared: u64,
    /// Requests that were served by shared searches.
    pub shared_requests: u64,
    /// Requests answered from the cache, without a search.
    pub cache_hits: u64,
    /// Requests whose deadline passed.
    pub late: u64,
    /// The median latency of the latest thousand requests. Unit: ticks.
    pub latency_p50: u32,
    /// The 99th percentile of their latency. Unit: ticks.
    pub latency_p99: u32,
    /// The search that ended last.
    pub last: Option<LastSearch>,
}

/// The search that ended last.
#[derive(Reflect, Debug, Clone)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug)]
pub struct LastSearch {
    /// The requester.
    pub agent: Entity,
    /// The grid.
    pub grid: Entity,
    /// The algorithm that ran; `Auto` if no path was found, or if there was nothing to search.
    pub algorithm: Algorithm,
    /// How many requests it served: more than one if they had the same goal, and a search backwards from it was
    /// cheaper.
    pub served: u32,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// Time spent on it, in microseconds; the only value here that differs between runs.
    pub micros: f32,
    /// Cells expanded.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Length of the path before straightening, in cells; 0 without a path.
    pub length: f32,
    /// Cost of the path: length weighted by terrain; 0 without a path.
    pub cost: f32,
    /// Cells of the path before straightening, start and end included; 0 without a path.
    pub cells: u32,
    /// The cells that were opened and closed, if `SolveSettings::record` is on; `None` for a search over links.
    #[reflect(ignore)]
    pub recording: Option<Recording>,
}

impl SolveStats {
    /// Counts an answer and, once, the search that found it; keeps the record of the search.
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
            algorithm: found.map_or_else(Algorithm::default, |found| found.algorithm),
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

/// Updates the numbers of waiting requests and running searches, and the latencies. Sets the status of each request
/// whose search has begun.
pub(super) fn count_requests(
    mut tickets: Query<(&Ticket, &mut PathStatus)>,
    (pool, requests): (Res<Pool>, Res<OpenRequests>),
    latencies: Res<Latencies>,
    mut stats: ResMut<SolveStats>,
) {
    let (mut open, mut begun) = (requests.waiting.len(), 0);
    for &entity in &requests.queued {
        let Ok((ticket, mut status)) = tickets.get_mut(entity) else { continue };
        if ticket.is_closed() {
            continue;
        }
        open += 1;
        if matches!(&ticket.state, TicketState::Running { token, .. } if token.has_begun()) {
            begun += 1;
            // During a recheck the agent keeps its answer and its status.
            if !ticket.is_recheck() {
                status.set_if_neq(PathStatus::Searching);
            }
        }
    }
    // Requests whose search has begun may share it, or the search may be over: there are no more searches under way
    // than workers and suspended searches.
    let running = begun.min(pool.queue.lock().under_way());
    (stats.waiting, stats.running) = ((open - running) as u32, running as u32);
    if latencies.is_changed() {
        (stats.latency_p50, stats.latency_p99) = (latencies.quantile(0.5), latencies.quantile(0.99));
    }
}
