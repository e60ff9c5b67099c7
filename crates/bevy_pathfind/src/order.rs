//! Order: the components of a request and of its answer (goals, options, status, path, events and errors), and the
//! stage that accepts, changes and cancels requests.
//!
//! In each tick, new and changed [`PathRequest`]s are checked and queued. Removed ones are cancelled, together with
//! their searches. A request whose goal is an entity is queued again when that entity has moved. Searches are run by
//! [`solve`](crate::solve).

mod accept;
mod breacher;
mod cancel;
mod cell_request;
mod crossing;
mod error;
mod events;
mod failures;
mod flow_field;
mod follow_canvas;
mod goal;
mod goal_queue;
mod known_path;
mod options;
mod path;
mod path_check;
mod request;
mod requester;
mod reservation;
mod retarget;
mod returned;
mod status;
mod target_slots;
mod ticket;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub(crate) use accept::accept;
pub use breacher::Breacher;
pub(crate) use cancel::{SearchHandle, cancel};
pub(crate) use cell_request::CellTicket;
pub use cell_request::{
    CellCondition, CellRequest, CellRequestFailed, CellValue, CellsFound, FoundCell, WeightedValue,
};
pub use crossing::{LinkCrossed, LinkReached, OnLink};
pub use error::PathError;
pub use events::{
    AgentArrived, AgentStuck, Arrival, PathBlocked, PathCause, PathEndedShort, PathFailed, PathFound,
    PathInvalidated, QueueFinished,
};
pub(crate) use failures::{Failures, Warned};
pub(crate) use flow_field::{FieldSource, UnderWay};
pub use flow_field::{FlowField, FlowFieldValues, FollowField, FollowFieldTemplate};
pub use goal::{GoalError, GoalPoints, NavGoal, NavGoalTemplate};
pub(crate) use goal_queue::QueueSuspended;
pub use goal_queue::{GoalQueue, QueueEnd};
pub(crate) use known_path::KnownPath;
pub use options::SearchOptions;
pub(crate) use path::{FoundPath, OFF_PATH_DISTANCE, OnwardLeg, nearest_on};
pub use path::{NavPath, PathOutcome};
pub(crate) use path_check::PathCheck;
#[doc(no_inline)]
pub use pathfind_core::{
    Algorithm, CornerRule, DiagonalCost, Directions, DistanceField, Heuristic, PartialReason, StepRules,
};
pub use request::{PathRequest, PathRequestTemplate};
pub(crate) use request::{Requests, ServedRequest, SteeringRequest};
pub(crate) use requester::{PathBody, Requester, RequesterItem, RequesterReadOnlyItem};
pub use reservation::{Reservation, ReservationEnd, ReservationEnded};
pub(crate) use returned::Returned;
pub use status::PathStatus;
pub(crate) use target_slots::SlotPlace;
pub use target_slots::{SlotClaim, SlotLayout, TargetSlots};
pub(crate) use ticket::{RequestSnapshot, RequestSummary, Ticket, TicketCounter, TicketState};

use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule, stands_still};

/// Accepts and cancels requests; see [`NavSystems::Request`].
#[derive(Debug, Clone, Copy)]
pub struct RequestPlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(RequestPlugin);

impl Plugin for RequestPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Request);
        app.register_type::<PathRequest>()
            .register_type::<GoalQueue>()
            .register_type::<Breacher>()
            .register_type::<CellRequest>()
            .register_type::<CellsFound>()
            .register_type::<CellRequestFailed>()
            .register_type::<TargetSlots>()
            .register_type::<SlotClaim>()
            .register_type::<Reservation>()
            .register_type::<ReservationEnded>()
            .init_resource::<SearchOptions>()
            .init_resource::<TicketCounter>()
            .init_resource::<Warned>()
            .init_resource::<Returned>()
            .add_systems(
                NavStage(NavSystems::Request),
                (
                    count_round,
                    returned::find_returned,
                    follow_canvas::follow_canvas,
                    goal_queue::request_next,
                    reservation::grant_reservations,
                    cancel,
                    accept,
                    retarget::retarget,
                )
                    .chain(),
            );
    }
}

/// Begins a run of the stage, and a tick unless time is paused.
fn count_round(mut counter: ResMut<TicketCounter>, time: Option<Res<Time<Virtual>>>) {
    counter.round += 1;
    counter.tick += u64::from(!stands_still(time));
}
