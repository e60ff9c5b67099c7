//! Several grids joined by links: stairs, ladders, doors, teleporters, the gap between a bridge and its bank.
//!
//! A [`NavGraph`] holds grids and [`Link`]s as plain data. A [`GraphQuery`] names grid and cell at both ends;
//! [`solve_graph`] answers it at once, a [`GraphSearch`] in slices. The [`GraphAnswer`] is a list of
//! [legs](GraphLeg): the path on one grid, and the link that it ends at.
//!
//! ```text
//!   start ──leg──▶ link ══crossing══▶ leg ──▶ link ══▶ leg ──▶ goal
//!   └──── grid 0 ────┘                └─ grid 1 ─┘      └ grid 0 ┘
//! ```
//!
//! The answer costs least over all grids and links, if the query's algorithm finds least costs on one grid. Inside a
//! grid the search is that of [`solve`](crate::solve), jump points included, and only legs that may be part of the
//! path are searched. Where grids lie in the world, and how a link is crossed, is not known here.

mod bounds;
mod link;
mod query;
mod search;
mod usable;

pub use link::{GridId, KindSet, Link, LinkError, LinkUse, NavGraph, Place};
pub use query::{GraphAnswer, GraphLeg, GraphQuery};
pub use search::{GraphSearch, solve_graph};
