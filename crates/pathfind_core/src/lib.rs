//! Pathfinding on grids, and steering: pure, deterministic, engine-free.
//!
//! Three types carry the pathfinding. A [`Grid`] is a map of terrain; data derived from the terrain is kept
//! up to date under edits. A [`PathQuery`] asks for a path across a grid; [`solve`] at once, or a [`Search`] in
//! slices, gives the [`Answer`].
//!
//! ```
//! use pathfind_core::{GridCell, Grid, KindId, PathQuery, SearchScratch, solve, straighten};
//!
//! let grid = Grid::from_ascii("
//! ..........
//! .######...
//! ......#...
//! ..........".trim_start())?;
//! let query = PathQuery::new(GridCell::new(0, 2), GridCell::new(9, 0));
//! let answer = solve(&grid, &query, &mut SearchScratch::default())?;
//! assert!(answer.is_complete(), "the path ends at the goal");
//! assert!(answer.is_optimal(), "no path to where this one ends is cheaper");
//! let points = straighten(&grid, KindId::default(), query.steps.corners, &answer.waypoints);
//! assert!(points.len() <= answer.waypoints.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is where
//!
//! | you want | look in |
//! |---|---|
//! | a map, terrain costs for each kind of agent, edits | [`grid`] |
//! | fences, one-way edges, edges that cost something | [`Grid::set_edge`] |
//! | danger, scent, crowding: values over the cells, and what they cost | [`InfluenceLayer`], [`Grid::set_extra_costs`] |
//! | line of sight, and the first wall that a ray meets | [`mod@sight`] |
//! | a path: at once, in slices, or for many starts together | [`search`] |
//! | a path for a truck: arcs, and reversing where there is no room | [`VehicleSearch`] |
//! | the best cell to stand on, and the cell to flee to | [`search`] |
//! | distance and direction to the nearest goal from every cell | [`mod@field`] |
//! | a path over several grids that links join: floors, chunks | [`graph`] |
//! | a path with fewer turns | [`straighten`] |
//! | grids from the triangles of a level: floors, heights, and the links between them | [`bake`] |
//! | where two bodies do not fit side by side, and the chokepoints of a path | [`corridor`] |
//! | the neighbours of each agent | [`neighbors`] |
//! | seeking, pursuit, avoidance, flocking, and contact with walls and bodies | [`steer`] |
//! | the places of a formation, and who takes which | [`steer::formation`] |
//!
//! # What it promises
//!
//! - The same input gives the same output, bit for bit, however a search is sliced and on whichever
//!   thread it runs: results depend on no clock, no global random numbers and no hash order.
//! - Bad input gives an error that says what is wrong, never a panic.
//! - [Grid space](GridCell::center) has its origin at the outer corner of cell (0, 0); a cell is 1 wide; y
//!   grows down the rows of the map's text.
//!
//! # Features
//!
//! - `serde`: `Serialize` and `Deserialize` for cells, cost tables, queries, answers, settings and the state that
//!   steering keeps from tick to tick. Deserializing checks what the constructors check.
//! - `bevy_reflect`: `Reflect` for algorithms, steps, modes, terrain and kind ids, so that Bevy's tools can show and
//!   change settings that hold them.

#![cfg_attr(docsrs, feature(doc_cfg))]

// Modules in the order of their layers: each uses those above it, and none below.

// Shared by several modules: bodies, random numbers, the sweep of a rounded box, checks of saved state, and vector
// arithmetic on eight numbers at a time.
mod body;
mod rng;
mod rounded;
#[cfg(feature = "serde")]
mod saved;
mod simd;

// The map, the neighbours of each agent, and line of sight.
pub mod grid;
mod influence;
pub mod neighbors;
pub mod sight;

// Searching for paths.
pub mod search;

pub mod bake;
pub mod corridor;
pub mod field;
pub mod graph;
mod straighten;

// The velocity of each agent at each tick.
pub mod steer;

#[cfg(test)]
mod testing;

pub use field::DistanceField;
pub use grid::{
    AgentKind, AgentShape, AgentSize, CellRect, CornerRule, CostTable, DiagonalCost, Direction, Directions,
    EdgeRule, Footprint, Grid, GridCell, GridEdit, GridError, KindId, ObstacleLayer, StepRules, Terrain,
    TextError, TextErrorKind,
};
pub use influence::{Falloff, InfluenceLayer, InfluenceStamp};
pub use search::{
    Algorithm, Answer, CellFilter, CellQuery, CellScore, CellSearch, FleeOutcome, FleeQuery, Goal, Heuristic,
    Limits, ManyToOne, Metrics, NearestCells, Outcome, PartialReason, PathQuery, Progress, Reach, Recording,
    Refuge, ScoredCell, Search, SearchError, SearchEvent, SearchEventKind, SearchObserver, SearchScratch,
    UnknownAlgorithm, VehicleBody, VehicleLeg, VehiclePath, VehiclePose, VehicleQuery, VehicleSearch,
    best_cells, find_refuge, many_to_one_pays, solve, solve_vehicle,
};
pub use sight::{RayHit, SIGHT_ROUNDING, cast_ray, line_of_sight, sweep_disc};
pub use straighten::{can_walk_straight, straighten};

/// The README's code, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
