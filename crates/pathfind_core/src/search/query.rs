//! What is asked of a search.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::Heuristic;
use crate::grid::{Cell, KindId, Steps};

/// How a path is searched for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Algorithm {
    /// The fastest that answers the question with an optimal path of steps.
    #[default]
    Auto,
    /// A*: least cost so far plus estimate first (Hart, Nilsson and Raphael, 1968).
    AStar,
    /// Dijkstra, "distance first": least cost so far first (Dijkstra, 1959).
    Dijkstra,
    /// Greedy best-first, "goal distance first": least estimate first. Fast, never promised optimal.
    Greedy,
    /// Jump point search (Harabor and Grastien, 2011 and 2014): A* that skips over equal paths. For
    /// uniform terrain, eight directions, one goal and no limits; else A* runs instead. A* also runs, after it,
    /// where every path is longer than 42 million cells.
    Jps,
    /// Weighted A*: the estimate counts [`PathQuery::weight`] times, so that the search hurries to the goal
    /// and the path costs at most so many times the least (Pohl, 1970).
    WeightedAStar,
    /// Theta*: straight lines at any angle between cells' centres, nearly the shortest (Nash et al.,
    /// 2007). For uniform terrain and eight directions at their true length; else A* runs instead.
    Theta,
    /// Lazy Theta*: Theta* with far fewer tests of sight (Nash et al., 2010). As for Theta*.
    LazyTheta,
    /// The shortest path at any angle, for uniform terrain and eight directions at their true length; else
    /// A* runs instead. Where corners may be touched (`OneFree`, `Always`) it turns at the corners of walls
    /// (Anya: Harabor et al., 2016), for one goal and no limits; else Theta* runs instead. Under `Never` it
    /// turns at cells' centres, and takes far longer. For agents that are discs Theta* runs instead, and also
    /// where the exact search takes more memory than [`SearchScratch`](super::SearchScratch) allows; the answer
    /// names the algorithm that ran, and promises no bound.
    AnyAngle,
}

impl Algorithm {
    /// Every algorithm, simplest first.
    pub const ALL: [Self; 9] = [
        Self::Auto,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::Theta,
        Self::LazyTheta,
        Self::Jps,
        Self::AnyAngle,
    ];

    /// The name in text: lower case, words joined by `_`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::AStar => "astar",
            Self::Dijkstra => "dijkstra",
            Self::Greedy => "greedy",
            Self::Jps => "jps",
            Self::WeightedAStar => "weighted_astar",
            Self::Theta => "theta",
            Self::LazyTheta => "lazy_theta",
            Self::AnyAngle => "any_angle",
        }
    }

    /// Whether its paths run at any angle, not only by steps.
    #[must_use]
    pub const fn is_any_angle(self) -> bool {
        matches!(self, Self::Theta | Self::LazyTheta | Self::AnyAngle)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no algorithm.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[error(
    "no such algorithm; known are auto, dijkstra, greedy, astar, weighted_astar, theta, lazy_theta, jps and any_angle"
)]
pub struct UnknownAlgorithm;

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name).ok_or(UnknownAlgorithm)
    }
}

/// Where a path shall end.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Goal {
    /// On one cell.
    Cell(Cell),
    /// On any of several cells, whichever is cheapest to reach.
    AnyOf(Vec<Cell>),
    /// On any cell whose centre is at most `radius` cells from the centre of another.
    Within {
        /// The cell to come near to.
        center: Cell,
        /// Greatest distance, in cells. Range: 0 and up.
        radius: f32,
    },
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

/// How much a search may spend before it answers with what it has.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Most cells to expand, over all algorithms that run for the answer. 0 expands none: the answer ends at the
    /// start. Range: 0 and up. Default: no limit.
    pub expansions: Option<u64>,
    /// Greatest cost of the path, up to the rounding of costs (see [`Answer::suboptimality_bound`](super::Answer::suboptimality_bound)).
    /// Range: 0 and up. Default: no limit.
    pub cost: Option<f64>,
}

/// A question to a grid: from where, to where, for whom and how.
///
/// ```
/// use pathfind_core::{Algorithm, Cell, PathQuery, Steps};
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(5, 3))
///     .with_steps(Steps::FOUR)
///     .with_algorithm(Algorithm::Dijkstra);
/// # assert_eq!(query.steps, Steps::FOUR);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// The cell to start from.
    pub start: Cell,
    /// Where to go.
    pub goal: Goal,
    /// The kind of agent. Default: the grid's default kind.
    pub kind: KindId,
    /// The steps that it may take. Default: eight directions, no corners cut, diagonals at √2.
    pub steps: Steps,
    /// How to search. Default: `Auto`.
    pub algorithm: Algorithm,
    /// Estimate of the cost that is left. Default: `Auto`.
    pub heuristic: Heuristic,
    /// How often weighted A* counts the estimate, in steps of 1/256. Range: 1 to 100. Default: 1.5.
    pub weight: f32,
    /// What the search may spend. Default: no limits.
    pub limits: Limits,
    /// Whether to go as near as possible if the goal cannot be reached or a limit is. Default: `true`.
    pub allow_partial: bool,
}

impl PathQuery {
    /// The weights that weighted A* takes.
    pub const WEIGHTS: core::ops::RangeInclusive<f32> = 1.0..=100.0;

    /// A question with all defaults.
    #[must_use]
    pub fn new(start: Cell, goal: impl Into<Goal>) -> Self {
        Self {
            start,
            goal: goal.into(),
            kind: KindId::default(),
            steps: Steps::default(),
            algorithm: Algorithm::default(),
            heuristic: Heuristic::default(),
            weight: 1.5,
            limits: Limits::default(),
            allow_partial: true,
        }
    }

    /// The question for another kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// The question with other steps.
    #[must_use]
    pub fn with_steps(self, steps: Steps) -> Self {
        Self { steps, ..self }
    }

    /// The question to another algorithm.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The question with another estimate.
    #[must_use]
    pub fn with_heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic, ..self }
    }

    /// The question with another weight of the estimate.
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The question with limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The question with or without paths that end short of the goal.
    #[must_use]
    pub fn with_partial(self, allow_partial: bool) -> Self {
        Self { allow_partial, ..self }
    }
}
