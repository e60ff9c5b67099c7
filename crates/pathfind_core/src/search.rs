//! Finding paths: one open-list loop over cells, and the algorithms that it serves. Only the shortest path
//! that turns at corners goes its own way, over intervals.
//!
//! A [`PathQuery`] asks; [`solve`] answers at once, a [`Search`] in slices; the [`Answer`] holds the path,
//! says whether it reaches the goal and whether anything shorter can exist, and names what ran. All
//! searches of a thread may share one [`SearchScratch`]. A [`ManyToOne`] answers one question for many starts at once;
//! [`NearestCells`] are the places round a goal for those who cannot all stand on it.
//!
//! Open nodes are taken in a total order: by the algorithm's key, and of equal keys the newest first.
//! As costs are whole numbers inside, equal costs are equal, and the same question has the same
//! answer on every machine, however the work is sliced.
//!
//! This module does not smooth paths ([`straighten`](crate::straighten) does) and knows no threads.

mod answer;
mod any_angle;
mod astar;
mod costs;
mod flood;
mod heuristic;
mod jps;
mod many_to_one;
mod nearest_cells;
mod nodes;
mod open_list;
mod path;
mod plan;
mod query;
mod run;
mod scratch;
mod solve;
mod strategy;
mod targets;
mod theta;
mod trace;
mod visible;

pub use answer::{Answer, Metrics, Outcome, PartialReason, SearchError};
pub(crate) use flood::flood;
pub use heuristic::Heuristic;
pub use many_to_one::{ManyToOne, many_to_one_pays};
pub use nearest_cells::NearestCells;
pub use query::{Algorithm, Goal, Limits, PathQuery, UnknownAlgorithm};
pub use scratch::SearchScratch;
pub use solve::{Progress, Search, solve};
pub use trace::{Recording, SearchEvent, SearchEventKind, SearchObserver};
