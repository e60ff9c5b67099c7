//! Paths on grids: pure, deterministic, engine-free.
//!
//! Three nouns carry it. A [`Grid`] is a map of terrain with everything derived from it kept up to
//! date under edits. A [`PathQuery`] asks for a way across it, and a [`Search`] (or [`solve`], in one go)
//! gives the [`Answer`]. A [`Route`] is that answer made ready to walk.
//!
//! ```
//! use pathfind_core::{Cell, Grid, KindId, PathQuery, SearchScratch, solve, straighten};
//!
//! let grid = Grid::from_ascii("
//! ..........
//! .######...
//! ......#...
//! ..........".trim_start())?;
//! let query = PathQuery::new(Cell::new(0, 2), Cell::new(9, 0));
//! let answer = solve(&grid, &query, &mut SearchScratch::default())?;
//! assert!(answer.is_optimal());
//! let points = straighten(&grid, KindId::default(), query.steps.corners, &answer.waypoints);
//! assert!(points.len() <= answer.waypoints.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is where
//!
//! | you want | look in |
//! |---|---|
//! | a map, what terrain costs whom, edits | [`grid`] |
//! | to know what is in sight, or what a ray meets | [`mod@sight`] |
//! | a path: at once, in slices, or for many starts together | [`search`] |
//! | the way to the nearest goal from every cell | [`mod@field`] |
//! | a path with fewer turns, and somebody who walks it | [`mod@route`] |
//! | who is near whom | [`neighbors`] |
//! | to seek, chase, avoid, flock, and end in no wall | [`steer`] |
//!
//! # What it promises
//!
//! - The same input gives the same output, bit for bit, however a search is sliced and on whichever
//!   thread it runs: no clock, no global randomness, no hash order.
//! - Bad input is an error that says what was wrong; nothing panics on it.
//! - [Grid space](Cell::center) has its origin at the outer corner of cell (0, 0); a cell is 1 wide; y
//!   grows down the rows of the map's text.
//!
//! # Features
//!
//! - `serde`: `Serialize` and `Deserialize` for cells, queries, settings and metrics.

#![cfg_attr(docsrs, feature(doc_cfg))]

// In running order: the map, what can be seen on it, ways across it, and walking them.
pub mod grid;
pub mod sight;

pub mod search;

pub mod field;

pub mod route;

// Bodies under way: who is near, and where each would like to go.
pub mod neighbors;
pub mod simd;
pub mod steer;

#[cfg(test)]
mod testing;

pub use field::DistanceField;
pub use grid::*;
pub use route::{Cursor, Route, straighten};
pub use search::*;
pub use sight::{RayHit, SIGHT_ROUNDING, cast_ray, line_of_sight, sweep_disc};

/// The README's code, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
