//! The query for the best cells within reach: what a cell must be, and what makes it better.

use glam::Vec2;

use super::SearchError;
use super::run::check_start;
use crate::grid::{CornerRule, Grid, GridCell, KindId, StepRules};
use crate::sight::{cast_ray, line_of_sight};

/// What a cell must be to be among the best. Distances are those from the cell's centre, in cells; points are in grid
/// space.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CellFilter {
    /// A line of sight leads from the cell to a point.
    Sees(Vec2),
    /// No line of sight leads from the cell to a point.
    HiddenFrom(Vec2),
    /// The straight distance to a point is in a range.
    Distance {
        /// The point.
        to: Vec2,
        /// The least distance, included. Range: 0 and up.
        min: f32,
        /// The greatest distance, included. Range: `min` and up, infinity too.
        #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
        max: f32,
    },
    /// The cell is none of these, for example the cells that others have taken.
    NotIn(Vec<GridCell>),
    /// The value of a layer at the cell is less than a bound; a value that is not a number is not.
    LayerBelow {
        /// The index of the layer among those that the search is given.
        layer: usize,
        /// The bound.
        bound: f32,
    },
}

/// What makes a cell better or worse. Each value is multiplied by its weight, and the sum is the cell's score.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CellScore {
    /// The cost of the cheapest path from the start.
    PathCost,
    /// The straight distance to a point of grid space from the cell's centre, in cells.
    Distance(Vec2),
    /// The value at the cell of the layer with this index. A cell whose value is not finite is left out.
    Layer(usize),
    /// How well the cell is covered from a point of grid space: 0 in its sight; out of its sight 1 divided by the
    /// distance to the first wall towards the point, in cells, and 1 where that wall is nearer than a cell.
    Cover(Vec2),
}

/// A query for the best cells that an agent can reach within a cost: cover, a firing position, a free cell near others.
/// (Game engines call it an environment query or tactical position selection: M. Jack, "Tactical Position Selection",
/// Game AI Pro, 2013.)
///
/// ```
/// use glam::Vec2;
/// use pathfind_core::{CellFilter, CellQuery, CellScore, GridCell};
/// let enemy = Vec2::new(20.5, 4.5);
/// let query = CellQuery::new(GridCell::new(3, 4), 15.0)
///     .with_filter(CellFilter::HiddenFrom(enemy))
///     .with_filter(CellFilter::Distance { to: enemy, min: 5.0, max: 12.0 })
///     .with_score(CellScore::Cover(enemy), 5.0)
///     .with_score(CellScore::PathCost, -1.0)
///     .with_count(3);
/// # assert_eq!(query.scores.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellQuery {
    /// The cell of the agent.
    pub start: GridCell,
    /// The greatest cost of the path to a cell, which bounds the work. Range: 0 and up, infinity too.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub limit: f32,
    /// How many cells to find at most. Default: 1.
    pub count: usize,
    /// The kind of the agent. Default: the grid's default kind.
    pub kind: KindId,
    /// The steps that the agent may take. Default: eight directions, no corners cut, diagonals at √2.
    pub steps: StepRules,
    /// The kind of agent whose blocked cells block sight. Default: `None`, the kind of the agent.
    pub sight_kind: Option<KindId>,
    /// What a line of sight may touch. Default: `OneFree`.
    pub sight_corners: CornerRule,
    /// What a cell must be. Default: nothing.
    pub filters: Vec<CellFilter>,
    /// What the score of a cell is the sum of, each with its weight. Range of the weights: finite; the greatest score is
    /// the best. Default: nothing, so that the nearest cells are the best.
    pub scores: Vec<(CellScore, f32)>,
}

impl CellQuery {
    /// A query for the one nearest cell, to which filters and scores are added.
    #[must_use]
    pub fn new(start: GridCell, limit: f32) -> Self {
        Self {
            start,
            limit,
            count: 1,
            kind: KindId::default(),
            steps: StepRules::default(),
            sight_kind: None,
            sight_corners: CornerRule::OneFree,
            filters: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// The query for another number of cells.
    #[must_use]
    pub fn with_count(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// The query for another kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// The query with other steps.
    #[must_use]
    pub fn with_steps(self, steps: StepRules) -> Self {
        Self { steps, ..self }
    }

    /// The query with sight that the blocked cells of another kind block, and that may touch other corners.
    #[must_use]
    pub fn with_sight(self, kind: KindId, corners: CornerRule) -> Self {
        Self { sight_kind: Some(kind), sight_corners: corners, ..self }
    }

    /// The query with one more filter.
    #[must_use]
    pub fn with_filter(mut self, filter: CellFilter) -> Self {
        self.filters.push(filter);
        self
    }

    /// The query with one more score.
    #[must_use]
    pub fn with_score(mut self, score: CellScore, weight: f32) -> Self {
        self.scores.push((score, weight));
        self
    }

    pub(super) fn check(&self, grid: &Grid) -> Result<(), SearchError> {
        check_start(grid, self.kind, self.start)?;
        if let Some(kind) = self.sight_kind.filter(|&kind| grid.kind(kind).is_none()) {
            return Err(SearchError::UnknownKind(kind));
        }
        if self.limit.is_nan() || self.limit < 0.0 {
            return Err(SearchError::BadCost);
        }
        self.filters.iter().try_for_each(CellFilter::check)?;
        self.scores.iter().try_for_each(|&(score, weight)| match score {
            _ if !weight.is_finite() => Err(SearchError::BadScoreWeight),
            CellScore::Distance(point) | CellScore::Cover(point) if !point.is_finite() => {
                Err(SearchError::BadPoint)
            }
            _ => Ok(()),
        })
    }

    /// The greatest index of a layer that filters and scores name.
    pub(super) fn last_layer(&self) -> Option<usize> {
        let filters = self.filters.iter().filter_map(|filter| match *filter {
            CellFilter::LayerBelow { layer, .. } => Some(layer),
            _ => None,
        });
        let scores = self.scores.iter().filter_map(|&(score, _)| match score {
            CellScore::Layer(layer) => Some(layer),
            _ => None,
        });
        filters.chain(scores).max()
    }

    pub(super) fn sees(&self, grid: &Grid, cell: GridCell, point: Vec2) -> bool {
        let kind = self.sight_kind.unwrap_or(self.kind);
        line_of_sight(grid, kind, self.sight_corners, cell.center(), point)
    }

    /// The value of [`CellScore::Cover`], from 0 to 1.
    pub(super) fn cover(&self, grid: &Grid, cell: GridCell, point: Vec2) -> f64 {
        if self.sees(grid, cell, point) {
            return 0.0;
        }
        let hit = cast_ray(grid, self.sight_kind.unwrap_or(self.kind), cell.center(), point);
        let share = hit.map_or(1.0, |hit| f64::from(hit.fraction));
        1.0 / (share * distance(cell, point)).max(1.0)
    }
}

impl CellFilter {
    fn check(&self) -> Result<(), SearchError> {
        match *self {
            Self::Sees(point) | Self::HiddenFrom(point) | Self::Distance { to: point, .. }
                if !point.is_finite() =>
            {
                Err(SearchError::BadPoint)
            }
            Self::Distance { min, max, .. } if !(0.0..=max).contains(&min) => Err(SearchError::BadDistance),
            Self::LayerBelow { bound, .. } if bound.is_nan() => Err(SearchError::BadBound),
            _ => Ok(()),
        }
    }
}

/// The distance from the centre of a cell to a point.
pub(super) fn distance(cell: GridCell, point: Vec2) -> f64 {
    cell.center().as_dvec2().distance(point.as_dvec2())
}
