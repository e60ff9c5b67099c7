//! Path searches. One open-list loop over cells serves every algorithm but two, which have loops of their own: the exact
//! any-angle search that turns at the corners of walls, over intervals, and the search for vehicles, over poses.
//!
//! A [`PathQuery`] states start, goal and options; [`solve`](fn@solve) answers it at once, a [`Search`] in
//! slices. The [`Answer`] holds the path, says whether the path reaches the goal and whether a cheaper one
//! can exist, and names the algorithm that ran. Searches that run one after another can share one
//! [`SearchScratch`]. A [`ManyToOne`] finds the paths from many starts to one goal in one search;
//! [`NearestCells`] lists the cells round a goal, for agents that cannot all stand on it. A [`CellSearch`] finds the best
//! cells within reach by filters and scores, [`find_refuge`] the cell to flee to. A [`VehicleSearch`] finds the path of a
//! body that cannot turn on the spot.
//!
//! Open nodes are expanded in a total order: least key first, and of equal keys the newest first. Costs are
//! integers internally, so that equal costs compare equal and the same query has the same answer on every
//! machine, however the work is sliced.
//!
//! This module does not smooth paths ([`straighten`](crate::straighten) does) and starts no threads.

mod answer;
mod any_angle;
mod astar;
mod cell_query;
mod cell_search;
mod cell_tree;
mod costs;
pub(crate) mod distance_search;
mod flee;
mod heuristic;
mod hierarchical;
mod jps;
mod many_to_one;
mod near_edges;
mod nearest_cells;
mod nodes;
mod open_list;
mod path;
mod plan;
mod query;
mod reach;
mod run;
mod scratch;
mod solve;
mod strategy;
mod targets;
mod theta;
mod tighten;
mod trace;
mod vehicle;
mod weighted_pruning;

pub use answer::{Answer, Metrics, Outcome, PartialReason, SearchError};
pub use cell_query::{CellFilter, CellQuery, CellScore};
pub use cell_search::{CellSearch, ScoredCell, best_cells};
pub(crate) use cell_tree::CellTree;
pub use flee::{FleeOutcome, FleeQuery, Refuge, find_refuge};
pub use heuristic::Heuristic;
pub use many_to_one::{ManyToOne, many_to_one_pays};
pub use nearest_cells::NearestCells;
pub use query::{Algorithm, Goal, Limits, PathQuery, UnknownAlgorithm};
pub use reach::Reach;
pub(crate) use run::check_start;
pub use scratch::SearchScratch;
pub use solve::{Progress, Search, solve};
pub use trace::{Recording, SearchEvent, SearchEventKind, SearchObserver};
pub use vehicle::{
    VehicleBody, VehicleLeg, VehiclePath, VehiclePose, VehicleQuery, VehicleSearch, solve_vehicle,
};
