//! Flight by path: the cell to run to from threats that follow.
//!
//! The agent can use the cells that it reaches before the threats do, all along its way: its *own cells*. Of all ways to
//! flee without looking at what the threat does, the way to the own cell that the threats reach last puts off capture
//! the longest (the algorithm TrailMax: C. Moldenhauer and N. R. Sturtevant, "Evaluating Strategies for Running from the
//! Cops", IJCAI 2009). But that cell often lies at the end of a dead end, and capture is then certain. Where a way leads
//! round something the threat can only shut one side of it at a time, and the agent leaves by the other.
//!
//! So dead ends are told from ways that lead on by the shape of the own cells together with the threat's cells:
//! [thinning](thinning) takes own cells away as long as no hole opens or closes. A dead end, a room with one
//! door, and everything if there is just one way, vanish. What stays are rings round walls, the ways to them, and ways
//! from the threat's cells round to the threat's cells again:
//!
//! ```text
//!  ##.........      ##.........
//!  ##.#######.      ##.#######.    P  the threat
//!  P.A........  ->  P.A........    A  the agent
//!  ##.########      ## ########    .  its own cells, and those that thinning leaves
//!  ##.........      ##             (between P and A lies a cell of the threat)
//! ```
//!
//! The agent runs to the cell of these that the threats reach last, and only if there is none to the own cell that the
//! threats reach last.

mod flight;
mod thinning;

use super::run::check_start;
use super::{SearchError, SearchScratch};
use crate::grid::{Grid, GridCell, KindId, StepRules};

use flight::{Flight, path_to};

/// A query for the cell to flee to.
///
/// ```
/// use pathfind_core::{
///     DistanceField, FleeOutcome, FleeQuery, Grid, GridCell, KindId, SearchScratch, StepRules, find_refuge,
/// };
/// let grid = Grid::from_ascii("##.........\n##.#######.\n...........\n##.########\n##.........")?;
/// let (kind, steps, scratch) = (KindId::default(), StepRules::FOUR, &mut SearchScratch::default());
/// let threats = DistanceField::new(&grid, kind, steps, &[GridCell::new(0, 2)], scratch)?;
/// let query = FleeQuery::new(GridCell::new(2, 2)).with_steps(steps);
/// let FleeOutcome::Flee(refuge) = find_refuge(&grid, &query, &|cell| threats.distance(cell), scratch)? else { panic!() };
/// assert!(!refuge.is_dead_end && refuge.cell.y <= 2, "round the loop, not down into the dead end");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FleeQuery {
    /// The cell of the agent that flees.
    pub start: GridCell,
    /// The kind of the agent. Default: the grid's default kind.
    pub kind: KindId,
    /// The steps that the agent may take. Default: eight directions, no corners cut, diagonals at √2.
    pub steps: StepRules,
    /// The distance by path from the nearest threat beyond which the agent is safe, as a cost. Range: 0 and up, infinity
    /// too. Default: infinity.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub safe_distance: f32,
    /// The speed of the threats divided by that of the agent. Range: above 0. Default: 1.
    pub speed_ratio: f32,
    /// The greatest cost of the way to the cell, which bounds the work: the cells that it lets the agent reach. Beyond
    /// it the agent takes ground to be open: on maps of 44 by 33 cells with rooms and dead ends longer than 64 cells, it
    /// threw away 9 of 332 chances to escape with a limit of 64, and none with 256. Range: 0 and up, infinity too.
    /// Default: 64.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub limit: f32,
    /// The most cells that it looks at, those that cost least first, which bounds the time in the open. Beyond them it
    /// takes ground to be open, too. Range: 1 and up (0 counts as 1). Default: 4,096, in the open those within 35 cells.
    pub max_cells: u32,
}

impl FleeQuery {
    /// A query with all defaults.
    #[must_use]
    pub fn new(start: GridCell) -> Self {
        let (kind, steps) = (KindId::default(), StepRules::default());
        let (safe_distance, speed_ratio, limit, max_cells) = (f32::INFINITY, 1.0, 64.0, 4096);
        Self { start, kind, steps, safe_distance, speed_ratio, limit, max_cells }
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

    /// The query with a distance beyond which the agent is safe.
    #[must_use]
    pub fn with_safe_distance(self, safe_distance: f32) -> Self {
        Self { safe_distance, ..self }
    }

    /// The query for threats of another speed.
    #[must_use]
    pub fn with_speed_ratio(self, speed_ratio: f32) -> Self {
        Self { speed_ratio, ..self }
    }

    /// The query with another greatest cost of the way.
    #[must_use]
    pub fn with_limit(self, limit: f32) -> Self {
        Self { limit, ..self }
    }

    /// The query with another greatest number of cells.
    #[must_use]
    pub fn with_max_cells(self, max_cells: u32) -> Self {
        Self { max_cells, ..self }
    }

    fn check(&self, grid: &Grid) -> Result<(), SearchError> {
        check_start(grid, self.kind, self.start)?;
        if self.safe_distance.is_nan() || self.safe_distance < 0.0 {
            return Err(SearchError::BadDistance);
        }
        if !self.speed_ratio.is_finite() || self.speed_ratio <= 0.0 {
            return Err(SearchError::BadSpeedRatio);
        }
        if self.limit.is_nan() || self.limit < 0.0 { Err(SearchError::BadCost) } else { Ok(()) }
    }
}

/// What an agent does about its threats.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FleeOutcome {
    /// It flees to a cell.
    Flee(Refuge),
    /// It is as far from all threats as it wants to be.
    Safe,
    /// It stays: no cell is better than its own.
    Stay {
        /// Whether the threats can shut it in.
        is_dead_end: bool,
    },
}

/// A cell to flee to.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Refuge {
    /// The cell.
    pub cell: GridCell,
    /// The cells of the way, from the start to the refuge, both included. The agent reaches each before the threats.
    pub path: Vec<GridCell>,
    /// The cost of the way.
    pub cost: f64,
    /// The distance by path from the nearest threat, as a cost; infinite if no threat can come to the cell.
    pub distance: f32,
    /// Whether the threats can shut the agent in: it reaches no way round, and none that leads on beyond the limit,
    /// before they do.
    pub is_dead_end: bool,
}

/// The cell to flee to, of all that the agent reaches before the threats do.
///
/// `threat_distance` is the cost of the path between a cell and the nearest threat; `None` where no threat can come. The
/// distances of a [`DistanceField`] whose goals are the threats' cells are such, and serve all agents that flee from the
/// same threats; the field can be made for another kind of agent than the one that flees.
///
/// Cells on ways that lead on or round come before dead ends; of them the one that is farthest from the threats comes
/// first, of equally far ones, or of those beyond the safe distance, the cheapest to reach, then by row and column. As
/// threats move, ask again: every few steps is enough in the open, every step at close quarters.
///
/// Where terrain costs differ or edges have rules, a threat's way is taken to cost as much in both directions. Cliffs
/// and closed edges count as open ground where dead ends are told from ways round. The time is in proportion to the
/// number of cells within the query's limits.
///
/// # Errors
/// [`SearchError::UnknownKind`], [`SearchError::StartOutside`], [`SearchError::StartBlocked`];
/// [`SearchError::BadDistance`], [`SearchError::BadSpeedRatio`] and [`SearchError::BadCost`] for a number of the query
/// that is out of its range.
///
/// [`DistanceField`]: crate::DistanceField
pub fn find_refuge(
    grid: &Grid,
    query: &FleeQuery,
    threat_distance: &dyn Fn(GridCell) -> Option<f32>,
    scratch: &mut SearchScratch,
) -> Result<FleeOutcome, SearchError> {
    query.check(grid)?;
    let query = FleeQuery { steps: grid.steps_for(query.kind, query.steps), ..*query };
    if threat_distance(query.start).is_none_or(|distance| distance >= query.safe_distance) {
        return Ok(FleeOutcome::Safe);
    }
    let flight = Flight { grid, query, threat_distance };
    flight.search(scratch);
    let own = flight.own_cells(scratch);
    let ways_on = flight.ways_on(&own, &scratch.nodes, &scratch.costs);
    let best = ways_on.iter().chain(&own).next();
    let is_dead_end = ways_on.is_empty();
    let Some(best) = best.filter(|best| best.cell != query.start) else {
        return Ok(FleeOutcome::Stay { is_dead_end });
    };
    Ok(FleeOutcome::Flee(Refuge {
        cell: best.cell,
        path: path_to(&scratch.nodes, best.cell),
        cost: scratch.costs.cost(best.g),
        distance: best.distance,
        is_dead_end,
    }))
}
