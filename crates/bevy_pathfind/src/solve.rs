//! Solve: from a request in line to a path in place.
//!
//! ```text
//!  repair  ─▶ line ─▶ snapshot ─▶ worker ─▶ result ─▶ Path + PathStatus + event
//!  recheck    sorted  Arc<Grid>   task or   stale? back in line
//!  (edits)            + query     slice     too late? dropped
//! ```
//!
//! The search itself lives in the core. This stage decides when it runs, on which thread, for how long,
//! and whether its answer still counts when it comes.

mod away;
mod client;
mod error;
mod events;
mod failures;
mod here;
mod line;
mod path;
mod recheck;
mod repair;
mod result;
mod settings;
mod snapshot;
mod stats;
mod status;
mod worker;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub(crate) use away::Errand;
pub(crate) use client::{Client, ClientItem};
pub use error::PathError;
pub use events::{PathArrived, PathFailed, PathFound, PathReplanned};
pub(crate) use failures::{Failures, Warned};
pub use path::{PartialWhy, Path, PathOutcome};
pub use settings::{SolveMode, SolveSettings};
pub use stats::{LastSearch, SolveStats};
pub use status::PathStatus;
pub(crate) use worker::{Solved, Worker};

use crate::plugins::{NavSystems, order_stages};
use crate::request::{DefaultSearch, TicketCounter};

/// Searches, and repairs paths after edits; see [`NavSystems::Solve`].
#[derive(Debug, Clone, Copy)]
pub struct SolvePlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for SolvePlugin {
    fn build(&self, app: &mut App) {
        order_stages(app, self.schedule);
        app.register_type::<Path>()
            .register_type::<PathStatus>()
            .register_type::<SolveSettings>()
            .register_type::<SolveStats>()
            .init_resource::<SolveSettings>()
            .init_resource::<SolveStats>()
            .init_resource::<DefaultSearch>()
            .init_resource::<TicketCounter>()
            .init_resource::<Warned>()
            .init_resource::<worker::Spaces>()
            .init_resource::<worker::Outbox>()
            .init_resource::<away::Away>()
            .add_systems(
                self.schedule,
                (
                    repair::carry_paths,
                    repair::leave_lost_grids,
                    repair::leave_unfit,
                    repair::replan_touched,
                    recheck::look_again,
                    away::collect,
                    away::dispatch.run_if(settings::in_background),
                    here::step.run_if(not(settings::in_background).or_else(here::has_slices)),
                    result::apply,
                    stats::count_line,
                )
                    .chain()
                    .in_set(NavSystems::Solve),
            );
    }
}
