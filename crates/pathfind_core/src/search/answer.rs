//! The answer of a search: the path and how it was found, or why there is none.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::Vec2;
use thiserror::Error;

use super::Algorithm;
use super::path::steps_of;
use crate::grid::{GridCell, KindId};

/// A path, and how it was found.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// Start, turning points and end in grid space (a cell's centre is at `x + 0.5, y + 0.5`), joined
    /// by straight legal segments. Never empty; one point if start and end are the same cell.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::not_empty"))]
    pub waypoints: Vec<Vec2>,
    /// Cost of the path: its length weighted by terrain and diagonal cost, and the surcharges of edges.
    pub cost: f64,
    /// Length of the path, in cells.
    pub length: f64,
    /// The algorithm that found the path; never [`Algorithm::Auto`]. It differs from the query's algorithm where
    /// that one cannot answer the query (see [`Algorithm`]), and is A* where that one ran out of nodes at a limit of
    /// cost without a proof that every path exceeds the limit.
    pub algorithm: Algorithm,
    /// The greatest ratio of the cost to that of the cheapest path of the steps allowed: 1 for an optimal path,
    /// `None` if no bound is known. The rounding of costs comes on top: at most 6 parts in a million, or 4 in
    /// a hundred thousand where terrain costs have more than two decimals.
    pub suboptimality_bound: Option<f64>,
    /// Counts of what the search did.
    pub metrics: Metrics,
    /// The [revision](crate::Grid::revision) of the grid that was searched.
    pub revision: u64,
}

impl Answer {
    /// Whether the path ends at the goal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome == Outcome::Complete
    }

    /// Whether the path is the cheapest to its last cell, of the steps allowed. A [partial](Outcome::Partial) path can
    /// be optimal too, although it ends short of the goal: see [`is_complete`](Self::is_complete).
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.suboptimality_bound == Some(1.0)
    }

    /// The cells of the path from start to end, step by step. Of a leg that is not made of steps, as paths [at any
    /// angle](Algorithm::is_any_angle) have, only the cells of its two ends are listed: of the corner of a wall the
    /// cell below and to the right, which may be blocked.
    ///
    /// ```
    /// use pathfind_core::{GridCell, Grid, PathQuery, SearchScratch, solve};
    /// let grid = Grid::from_ascii("...\n.#.\n...")?;
    /// let query = PathQuery::new(GridCell::new(0, 1), GridCell::new(2, 2));
    /// let answer = solve(&grid, &query, &mut SearchScratch::default())?;
    /// let cells: Vec<GridCell> = answer.cells().collect();
    /// assert_eq!(cells, [(0, 1), (0, 2), (1, 2), (2, 2)].map(GridCell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = GridCell> {
        let start = self.waypoints.first().map(|&point| GridCell::containing(point));
        let steps = self.waypoints.windows(2).flat_map(|leg| {
            let (mut cell, to) = (GridCell::containing(leg[0]), GridCell::containing(leg[1]));
            let (direction, count) = steps_of(leg).unzip();
            (0..count.unwrap_or(u32::from(cell != to))).map(move |_| {
                cell = direction.map_or(to, |direction| cell.step(direction));
                cell
            })
        });
        start.into_iter().chain(steps)
    }

    /// Cuts the path before its first cell that is not free, if there is one after the first, and returns that cell.
    /// The path is then partial, for the reason [`PartialReason::Breach`]; its cost stays that of the whole way, so that
    /// ways with and without such cells can be compared. Of a leg that is not made of steps only the ends count.
    pub fn cut_before(&mut self, is_free: impl Fn(GridCell) -> bool) -> Option<GridCell> {
        let cells: Vec<GridCell> = self.cells().collect();
        let first = cells.iter().skip(1).position(|&cell| !is_free(cell))? + 1;
        // The turning points up to the cut, then the last free cell. No path enters a cell twice.
        let is_beyond = |&point: &Vec2| !cells[..first].contains(&GridCell::containing(point));
        self.waypoints.truncate(self.waypoints.iter().position(is_beyond).unwrap_or(self.waypoints.len()));
        let nearest = cells[first - 1];
        if self.end() != nearest {
            self.waypoints.push(nearest.center());
        }
        self.outcome = Outcome::Partial { nearest, reason: PartialReason::Breach };
        Some(cells[first])
    }

    /// The last cell of the path.
    #[must_use]
    pub fn end(&self) -> GridCell {
        GridCell::containing(*self.waypoints.last().expect("a path has at least its start"))
    }
}

/// Whether a path ends at the goal or short of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The path ends at the goal.
    Complete,
    /// The path ends short of the goal.
    Partial {
        /// The cell where the path ends: of all cells reached the nearest to the goal, and of equally near ones
        /// the cheapest to reach. Of several goals, those that cannot be reached count only if none can be.
        nearest: GridCell,
        /// Why the path ends there.
        reason: PartialReason,
    },
}

/// Why a path ends short of its goal.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum PartialReason {
    /// The agent may not stand on the goal.
    GoalBlocked,
    /// No path leads to the goal.
    #[default]
    Unreachable,
    /// The path leads on through cells that the agent has to break first: see [`Answer::cut_before`].
    Breach,
    /// The limit of expansions was reached.
    ExpansionLimit,
    /// Every path of steps to the goal costs more than the limit. After an algorithm that promises no optimal
    /// path, A* confirms this first.
    CostLimit,
}

/// Counts of what a search did, over all algorithms that ran for the answer.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Metrics {
    /// Nodes expanded: taken from the open list and closed. The sweep of a tile by a hierarchical search, which takes
    /// about as long as four expansions, counts as four.
    pub expanded: u64,
    /// Successors generated, whether or not their paths were kept.
    pub generated: u64,
    /// Entries put on the open list.
    pub pushes: u64,
    /// Entries taken from the open list, including those of nodes closed before.
    pub pops: u64,
}

impl core::ops::Add for Metrics {
    type Output = Self;

    /// The counts of two searches together.
    fn add(self, other: Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            pushes: self.pushes + other.pushes,
            pops: self.pops + other.pops,
        }
    }
}

/// Why a search has no answer.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The start lies outside the grid.
    #[error("the start {0} lies outside the grid")]
    StartOutside(GridCell),
    /// The agent may not stand on the start.
    #[error("the start {0} is blocked")]
    StartBlocked(GridCell),
    /// The goal lies outside the grid; of several goals all do, and this is the first.
    #[error("the goal {0} lies outside the grid")]
    GoalOutside(GridCell),
    /// The agent may not stand on the goal, or on any of several, and no partial path was allowed.
    #[error("the goal {0} is blocked")]
    GoalBlocked(GridCell),
    /// The query's list of goals is empty.
    #[error("the query names no goal")]
    NoGoal,
    /// The radius of a goal is negative or not a number.
    #[error("the radius of the goal is negative or not a number")]
    BadRadius,
    /// No path leads to the goal, and no partial path was allowed.
    #[error("no path leads to the goal")]
    Unreachable,
    /// Steps lead to the goal, but no drive of the vehicle was found that does.
    #[error("no path that the vehicle can drive leads to the goal")]
    NotDrivable,
    /// A limit was reached, and no partial path was allowed.
    #[error("the search reached its limit")]
    LimitReached,
    /// The weight of weighted A* is outside [its range](super::PathQuery::WEIGHTS) or not a number.
    #[error("the weight of the estimate is not between 1 and 100")]
    BadWeight,
    /// The grid has no such kind of agent.
    #[error("the grid knows no agents of kind {}", _0.0)]
    UnknownKind(KindId),
    /// A limit of cost is negative or not a number.
    #[error("a limit of cost is negative or not a number")]
    BadCost,
    /// A distance is negative or not a number, or the least distance exceeds the greatest.
    #[error("a distance is negative or not a number, or the least exceeds the greatest")]
    BadDistance,
    /// A ratio of speeds is not a positive finite number.
    #[error("the ratio of speeds is not a positive finite number")]
    BadSpeedRatio,
    /// The weight of a score is not a finite number.
    #[error("the weight of a score is not a finite number")]
    BadScoreWeight,
    /// A coordinate of a point is not a finite number.
    #[error("a coordinate of a point is not a finite number")]
    BadPoint,
    /// A heading is not a finite number.
    #[error("a heading is not a finite number")]
    BadHeading,
    /// The length, the width or the turning circle of a vehicle is not a positive number, or is too great.
    #[error("the length, the width or the turning circle of the vehicle is out of range")]
    BadBody,
    /// The bound of a layer's values is not a number.
    #[error("the bound of a layer's values is not a number")]
    BadBound,
    /// The query names a layer of this index, and fewer layers were given.
    #[error("the query names layer {0}, which was not given")]
    UnknownLayer(usize),
    /// A graph has no grid of this number.
    #[error("the graph has no grid {0}")]
    UnknownGrid(u32),
    /// `finish` or `answer` was called before the search was [done](super::Progress::Done).
    #[error("the search was finished before it was done")]
    Unfinished,
}
