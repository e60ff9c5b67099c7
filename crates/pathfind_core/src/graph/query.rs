//! The query for a path over several grids, and its answer.

use super::{GridId, LinkUse, Place};
use crate::search::{Answer, Goal, Metrics, Outcome, PathQuery};

/// A query for a path over several grids.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphQuery {
    /// The grid to start on.
    pub from: GridId,
    /// The grid of the goal.
    pub to: GridId,
    /// Start, goal and options, as for a path on one grid: the start lies on `from`, the goal on `to`. A limit of
    /// expansions is for all searches together; a limit of cost is for the whole path.
    pub path: PathQuery,
}

impl GraphQuery {
    /// A query with all defaults.
    #[must_use]
    pub fn new(start: Place, grid: GridId, goal: impl Into<Goal>) -> Self {
        Self { from: start.grid, to: grid, path: PathQuery::new(start.cell, goal) }
    }

    pub(super) fn start(&self) -> Place {
        Place::new(self.from, self.path.start)
    }
}

/// A path over several grids.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphAnswer {
    /// The paths on the grids, in the order in which they are walked. Never empty.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::not_empty"))]
    pub legs: Vec<GraphLeg>,
    /// Whether the path ends at the goal. If no cell of the goal's grid can be reached, it ends at the start: where
    /// the grids lie, and so what is near, is not known here.
    /// [`nearest_reachable`](super::NavGraph::nearest_reachable) lists what can be reached.
    pub outcome: Outcome,
    /// The cost of all legs and crossings.
    pub cost: f64,
    /// The greatest ratio of the cost to that of the cheapest path: 1 for an optimal path, `None` if no bound is known.
    pub suboptimality_bound: Option<f64>,
    /// Counts of what all searches on grids did together.
    pub metrics: Metrics,
}

/// A part of a path that lies on one grid.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphLeg {
    /// The grid.
    pub grid: GridId,
    /// The path on it.
    pub path: Answer,
    /// The link that is taken at its end; `None` on the last leg.
    pub link: Option<LinkUse>,
}
