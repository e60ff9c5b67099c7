//! The components of a request and of its answer: goals, options, status, path, events and errors.
//!
//! This module has no systems. Requests are accepted in [`request`](crate::request) and answered in
//! [`solve`](crate::solve).

mod cancel;
mod crossing;
mod error;
mod events;
mod failures;
mod flow_field;
mod goal;
mod goal_queue;
mod options;
mod path;
mod path_check;
mod request;
mod requester;
mod status;
mod ticket;

pub(crate) use cancel::{CancelToken, SearchHandle};
pub use crossing::{LinkCrossed, LinkReached, OnLink};
pub use error::PathError;
pub use events::{
    AgentArrived, AgentStuck, Arrival, PathCause, PathEndedShort, PathFailed, PathFound, PathInvalidated,
    PathYielded, QueueFinished,
};
pub(crate) use failures::{Failures, Warned};
pub(crate) use flow_field::{FieldSource, UnderWay};
pub use flow_field::{FlowField, FlowFieldValues, FollowField, FollowFieldTemplate};
pub use goal::{GoalError, GoalPoints, NavGoal, NavGoalTemplate};
pub use goal_queue::{GoalQueue, QueueEnd};
pub(crate) use goal_queue::{QueueRests, QueueState};
pub use options::SearchOptions;
pub(crate) use path::{FoundPath, OFF_PATH_DISTANCE, OnwardLeg, nearest_on};
pub use path::{NavPath, PathOutcome};
pub(crate) use path_check::PathCheck;
#[doc(no_inline)]
pub use pathfind_core::{
    Algorithm, CornerRule, DiagonalCost, Directions, DistanceField, Heuristic, PartialReason, StepRules,
};
pub use request::{PathRequest, PathRequestTemplate};
pub(crate) use request::{PursuitRequest, Requests, ServedRequest};
pub(crate) use requester::{Requester, RequesterItem, RequesterReadOnlyItem};
pub use status::PathStatus;
pub(crate) use ticket::{RequestSnapshot, RequestSummary, Ticket, TicketCounter, TicketState};
