//! Solve: from a queued request to a path in place.
//!
//! ```text
//!  replan  ─▶ queue  ─▶ snapshot ─▶ job ─▶ worker ─▶ result ─▶ NavPath + PathStatus + event
//!  recheck    by        Arc<Grid>          single    stale? queued again
//!  (edits)    due time  + query            or shared withdrawn? dropped
//! ```
//!
//! The search algorithms are in the core. This stage decides when a search runs, on which thread and for how long,
//! and whether its answer is still valid when it arrives. Flow fields are computed here too.

mod batch;
mod cache;
mod cell_input;
mod cell_searches;
mod deadlines;
mod dispatch;
mod fields;
mod job_run;
mod latency;
mod main_thread;
mod nav_query;
mod pool;
mod recheck;
mod replan;
mod resources;
mod result;
mod scratch_pool;
mod search_input;
mod search_queue;
mod service_order;
mod settings;
mod shared;
mod snapshot;
mod stats;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub(crate) use job_run::{JobRun, Solved};
pub use nav_query::{ChokepointFound, KindQuery, NavQuery, RouteFound};
pub use settings::{SolveMode, SolveSettings};
pub use stats::{LastSearch, SolveStats};

use crate::order::{
    AgentArrived, AgentStuck, FlowField, FollowField, NavPath, PathBlocked, PathEndedShort, PathFailed,
    PathFound, PathInvalidated, PathStatus, QueueFinished, Returned, SearchOptions, TicketCounter, Warned,
};
use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule};
use crate::world::LinkGraph;

/// Runs searches, and replans after edits; see [`NavSystems::Solve`].
#[derive(Debug, Clone, Copy)]
pub struct SolvePlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(SolvePlugin);

impl Plugin for SolvePlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Solve);
        app.register_type::<NavPath>()
            .register_type::<PathStatus>()
            .register_type::<PathEndedShort>()
            .register_type::<PathBlocked>()
            .register_type::<SolveSettings>()
            .register_type::<SolveStats>()
            .register_type::<PathFound>()
            .register_type::<PathFailed>()
            .register_type::<AgentArrived>()
            .register_type::<QueueFinished>()
            .register_type::<PathInvalidated>()
            .register_type::<AgentStuck>()
            .register_type::<FlowField>()
            .register_type::<FollowField>()
            .init_resource::<SolveSettings>()
            .init_resource::<SolveStats>()
            .init_resource::<SearchOptions>()
            .init_resource::<TicketCounter>()
            .init_resource::<Warned>()
            .init_resource::<Returned>()
            .init_resource::<LinkGraph>()
            .init_resource::<resources::SearchResources>()
            .init_resource::<job_run::CompletedSearches>()
            .init_resource::<pool::Pool>()
            .init_resource::<service_order::OpenRequests>()
            .init_resource::<latency::Latencies>()
            .add_systems(
                NavStage(NavSystems::Solve),
                (
                    replan::update_waypoints,
                    replan::drop_lost_grids,
                    replan::update_checks,
                    replan::replan_touched,
                    replan::replan_onward,
                    recheck::seek_shortcuts,
                    cell_searches::answer_cell_requests.run_if(settings::in_background),
                    cell_searches::queue_cell_requests,
                    dispatch::collect.run_if(settings::in_background),
                    dispatch::enqueue.run_if(settings::in_background),
                    main_thread::step.run_if(not(settings::in_background)),
                    dispatch::collect.run_if(not(settings::in_background)),
                    result::apply,
                    deadlines::fail_late,
                    stats::count_requests,
                    cell_searches::answer_cell_requests.run_if(not(settings::in_background)),
                    fields::update_fields,
                    crate::world::release_graph,
                )
                    .chain(),
            );
    }
}
