//! The search options of a request.

use bevy::prelude::*;
use pathfind_core::{Goal, GridCell, KindId, Limits, PathQuery, StepRules};
use serde::{Deserialize, Serialize};

use super::{Algorithm, CornerRule, DiagonalCost, Directions, Heuristic};

use crate::attributes::MeasuredIn;

/// How the path for a request is searched: a field of a request, and as a resource the options of all requests that
/// have none of their own.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchOptions {
    /// The search algorithm. Default: `Auto`.
    pub algorithm: Algorithm,
    /// The heuristic: an estimate of the remaining cost. Default: `Auto`.
    pub heuristic: Heuristic,
    /// The factor by which `WeightedAStar` multiplies the heuristic. Range: 1 to 100. Default: `1.5`.
    #[reflect(@1.0..=10.0_f32)]
    pub weight: f32,
    /// Steps in four or eight directions. Default: `Eight`.
    pub directions: Directions,
    /// When diagonal steps may pass blocked cells; straightening and line of sight obey it too. Default: `Never`.
    pub corners: CornerRule,
    /// What a diagonal step costs. Default: `Sqrt2`.
    pub diagonal: DiagonalCost,
    /// Whether turning points are removed where line of sight makes them unnecessary. Default: `true`.
    pub straighten: bool,
    /// Whether the path for a goal that cannot be reached leads to the reachable cell that is nearest to it; the
    /// agent then gets `PathEndedShort` instead of `AgentArrived`. If off, the request fails. Default: `true`.
    pub allow_partial: bool,
    /// The most cells that a search may expand. Unit: cells. Range: 0 and up. Default: `None`, which is no limit.
    #[reflect(@0..=1_000_000_u32, @MeasuredIn("cells"))]
    pub max_expansions: Option<u32>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            heuristic: Heuristic::default(),
            weight: 1.5,
            directions: Directions::default(),
            corners: CornerRule::default(),
            diagonal: DiagonalCost::default(),
            straighten: true,
            allow_partial: true,
            max_expansions: None,
        }
    }
}

impl SearchOptions {
    /// The steps that the search may take, for functions of the core that take [`StepRules`].
    #[must_use]
    pub const fn steps(&self) -> StepRules {
        StepRules { directions: self.directions, corners: self.corners, diagonal: self.diagonal }
    }

    /// The query of the core for a path with these options.
    pub(crate) fn path_query(&self, start: GridCell, goal: Goal, kind: KindId) -> PathQuery {
        PathQuery::new(start, goal)
            .with_kind(kind)
            .with_steps(self.steps())
            .with_algorithm(self.algorithm)
            .with_heuristic(self.heuristic)
            .with_weight(self.weight)
            .with_limits(Limits { expansions: self.max_expansions.map(u64::from), ..Limits::default() })
            .with_partial(self.allow_partial)
    }
}
