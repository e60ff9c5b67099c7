//! What is asked of an agent, and what came of it: requests and their goals, status, path, events and errors.
//!
//! How requests are taken in is in [`request`](crate::request), how they are answered in [`solve`](crate::solve).

mod cancel;
mod choices;
mod error;
mod events;
mod failures;
mod goal;
mod options;
mod path;
mod request;
mod requester;
mod status;
mod ticket;

pub(crate) use cancel::{CancelToken, Promise};
pub use choices::{Algorithm, CornerRule, DiagonalCost, Directions, Heuristic};
pub use error::PathError;
pub use events::{
    Arrival, PathArrived, PathEndedShort, PathFailed, PathFound, PathInvalidated, PathStuck, PathYielded,
    ReplanReason,
};
pub(crate) use failures::{Failures, Warned};
pub use goal::{GoalError, GoalPoints, NavGoal, NavGoalTemplate};
pub use options::{DefaultSearch, SearchOptions};
pub(crate) use path::FoundPath;
pub use path::{NavPath, PartialReason, PathOutcome};
pub use request::{PathRequest, PathRequestTemplate};
pub(crate) use requester::{Requester, RequesterItem};
pub use status::PathStatus;
pub(crate) use ticket::{Asked, Ticket, TicketCounter, TicketState};
