//! The query that a search answers: start, goal, algorithm and limits.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::{Heuristic, SearchError};
use crate::grid::{AgentShape, Grid, GridCell, KindId, StepRules};

/// The algorithm that searches for a path. [`Answer::algorithm`](super::Answer::algorithm) names the one that ran.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum Algorithm {
    /// The fastest algorithm that finds an optimal path of steps for the query: jump point search where it can
    /// run, else A*.
    #[default]
    Auto,
    /// A*: expands the least cost so far plus estimate first (Hart, Nilsson and Raphael, 1968).
    AStar,
    /// Dijkstra, "distance first": expands the least cost so far first (Dijkstra, 1959).
    Dijkstra,
    /// Greedy best-first, "goal distance first": expands the least estimate first. Fast, with no bound on the cost.
    Greedy,
    /// Jump point search (Harabor and Grastien, 2011 and 2014): A* that skips over paths of equal cost.
    ///
    /// Where terrain costs differ it jumps inside areas of one cost (Carlson et al., 2023), and stops near edges with
    /// rules; [`Auto`](Self::Auto) takes A* instead where more than half of the cells have a neighbour of another cost
    /// or such an edge near. A record of the search
    /// holds costs up to those of 42 million straight steps on uniform terrain: if a path may cost more, A* runs
    /// instead, or after it when it has found none. A* also runs afterwards if [`Limits::cost`] leaves only a partial
    /// path.
    Jps,
    /// Weighted A*: multiplies the estimate by [`PathQuery::weight`], to expand fewer nodes. The path costs
    /// at most that many times the least cost, if the heuristic is admissible (Pohl, 1970).
    WeightedAStar,
    /// Theta*: straight lines at any angle between cells' centres, nearly the shortest (Nash et al.,
    /// 2007). For uniform terrain without cliffs, fences and rules of edges, and eight directions with diagonals at √2;
    /// else A* runs instead.
    Theta,
    /// Lazy Theta*: Theta* with far fewer line-of-sight tests (Nash et al., 2010). For the same queries as Theta*.
    LazyTheta,
    /// The shortest path at any angle, for uniform terrain without cliffs, fences and rules of edges, and eight
    /// directions with diagonals at √2; else A* runs instead.
    ///
    /// It is found where corners may be touched (`OneFree`, `Always`), for one goal cell and without limits: the path
    /// turns at the corners of walls (Anya: Harabor et al., 2016). Else Theta* runs, and its path is made shorter by
    /// moving its turns: under `Never`, where a path turns at cells' centres, for agents that are discs, and where the
    /// exact search needs more memory than [`SearchScratch`](super::SearchScratch) allows. The answer then names Theta*
    /// and promises no bound.
    AnyAngle,
    /// Nearly the cheapest path, for goals that are thousands of cells away: a search over areas of the grid finds a
    /// corridor, and the path is the cheapest one in the corridor. On a world of 16,384² cells paths among lakes and
    /// scattered walls, and on roads, cost up to 0.4 % more than the cheapest on average. Of all paths measured over
    /// thousands of cells, caves, rooms and mazes among the maps, none cost over 2 % more; shorter ones, over 1,500
    /// and 1,800 cells, cost 5.8 % and 3.5 % more. Where walls have few corners jump point search takes about as long, and answers instead; so it
    /// does where the path winds, as in a maze, although it takes longer there.
    /// [`Answer::suboptimality_bound`](super::Answer::suboptimality_bound) says by how much more the path can cost at
    /// most.
    ///
    /// For one goal that can be reached, uniform terrain without cliffs, fences and rules of edges, and no limits;
    /// else, and for goals less than about a thousand cells away, as `Auto`.
    Hierarchical,
}

impl Algorithm {
    /// Every algorithm: `Auto`, then the others from the simplest.
    pub const ALL: &'static [Self] = &[
        Self::Auto,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::Theta,
        Self::LazyTheta,
        Self::Jps,
        Self::AnyAngle,
        Self::Hierarchical,
    ];

    /// The name as [`FromStr`] reads it: lower case, words joined by `_`.
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
            Self::Hierarchical => "hierarchical",
        }
    }

    /// Whether its paths have legs at any angle, not only along rows, columns and diagonals.
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

/// The error of parsing a text that is not the [name](Algorithm::name) of an algorithm.
#[derive(Error, Copy, Clone, Debug, PartialEq, Eq)]
#[error(
    "no such algorithm; known are auto, dijkstra, greedy, astar, weighted_astar, theta, lazy_theta, jps, any_angle \
     and hierarchical"
)]
pub struct UnknownAlgorithm;

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name).ok_or(UnknownAlgorithm)
    }
}

/// Where a path is to end.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Goal {
    /// On one cell.
    GridCell(GridCell),
    /// On any of several cells, whichever is cheapest to reach.
    AnyOf(Vec<GridCell>),
    /// On any cell whose centre is at most `radius` cells from the centre of the cell `center`.
    Within {
        /// The cell that the path ends near to.
        center: GridCell,
        /// Greatest distance, in cells. Range: 0 and up, infinity too.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
        radius: f32,
    },
}

impl From<GridCell> for Goal {
    fn from(cell: GridCell) -> Self {
        Self::GridCell(cell)
    }
}

impl Goal {
    /// The cells that the goal names.
    pub(crate) fn cells(&self) -> &[GridCell] {
        match self {
            Self::GridCell(cell) | Self::Within { center: cell, .. } => core::slice::from_ref(cell),
            Self::AnyOf(cells) => cells,
        }
    }

    /// Whether agents of the kind can stand on none of the goal's cells.
    pub(crate) fn is_blocked(&self, grid: &Grid, kind: KindId) -> bool {
        match *self {
            Self::Within { center, radius } => !grid
                .nearest_walkable(kind, center)
                .is_some_and(|cell| cell.distance_squared(center) as f64 <= f64::from(radius).powi(2)),
            _ => self.cells().iter().all(|&cell| !grid.is_walkable(kind, cell)),
        }
    }

    /// Checks that the goal names cells, one of them on the grid, and a valid radius. Returns the first cell.
    pub(crate) fn check(&self, grid: &Grid) -> Result<GridCell, SearchError> {
        if let &Self::Within { radius, .. } = self
            && (radius.is_nan() || radius < 0.0)
        {
            return Err(SearchError::BadRadius);
        }
        let &first = self.cells().first().ok_or(SearchError::NoGoal)?;
        let is_inside = self.cells().iter().any(|&cell| grid.contains(cell));
        if is_inside { Ok(first) } else { Err(SearchError::GoalOutside(first)) }
    }
}

/// Limits of a search. When a limit is reached, the search ends with a partial path, or with an error if the query
/// allows no partial path.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Most cells to expand, counted over all algorithms that run for the answer. With 0 the path ends at the
    /// start. Jump point search expands only jump points, far fewer cells for the same path than A*, so that the same
    /// limit lets it search much farther. Range: 0 and up. Default: no limit.
    pub expansions: Option<u64>,
    /// Greatest cost of the path, up to the rounding of costs (see
    /// [`Answer::suboptimality_bound`](super::Answer::suboptimality_bound)). Range: 0 and up. Default: no limit.
    pub cost: Option<f64>,
}

/// A query for a path on a grid: start, goal, kind of agent, legal steps, algorithm and limits.
///
/// ```
/// use pathfind_core::{Algorithm, GridCell, PathQuery, StepRules};
/// let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(5, 3))
///     .with_steps(StepRules::FOUR)
///     .with_algorithm(Algorithm::Dijkstra);
/// # assert_eq!(query.steps, StepRules::FOUR);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// The cell to start from.
    pub start: GridCell,
    /// Where the path is to end.
    pub goal: Goal,
    /// The kind of agent. Default: the grid's default kind.
    pub kind: KindId,
    /// The radius of the agent's body, from which the any-angle algorithms keep walls; see [`AgentShape`]. Paths of
    /// steps do not depend on it. Unit: cells. Range: 0 and up. Default: 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub radius: f32,
    /// The steps that the agent may take. Default: eight directions, no corners cut, diagonals at √2.
    pub steps: StepRules,
    /// The algorithm. Default: `Auto`.
    pub algorithm: Algorithm,
    /// The estimate of the cost from a cell to the goal. Jump point search and the any-angle algorithms ignore it and
    /// use their own. Default: `Auto`.
    pub heuristic: Heuristic,
    /// The factor by which weighted A* multiplies the estimate, rounded down to a multiple of 1/256. Range: 1 to 100.
    /// Default: 1.5.
    pub weight: f32,
    /// Limits of expansions and of the path's cost. Default: no limits.
    pub limits: Limits,
    /// Whether to answer with a path to the nearest cell if the goal cannot be reached or a limit ends the search.
    /// Default: `true`.
    pub allow_partial: bool,
}

impl PathQuery {
    /// The weights that weighted A* accepts.
    pub const WEIGHTS: core::ops::RangeInclusive<f32> = 1.0..=100.0;

    /// A query with all defaults.
    #[must_use]
    pub fn new(start: GridCell, goal: impl Into<Goal>) -> Self {
        Self {
            start,
            goal: goal.into(),
            kind: KindId::default(),
            radius: 0.0,
            steps: StepRules::default(),
            algorithm: Algorithm::default(),
            heuristic: Heuristic::default(),
            weight: 1.5,
            limits: Limits::default(),
            allow_partial: true,
        }
    }

    /// The query for another kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// The query for a body of another radius, in cells.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius, ..self }
    }

    pub(crate) const fn shape(&self) -> AgentShape {
        AgentShape { kind: self.kind, radius: self.radius }
    }

    /// The query with other steps.
    #[must_use]
    pub fn with_steps(self, steps: StepRules) -> Self {
        Self { steps, ..self }
    }

    /// The query with another algorithm.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The query with another heuristic.
    #[must_use]
    pub fn with_heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic, ..self }
    }

    /// The query with another weight for weighted A*.
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The query with limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The query with or without partial paths.
    #[must_use]
    pub fn with_partial(self, allow_partial: bool) -> Self {
        Self { allow_partial, ..self }
    }
}
