//! Estimates of the cost that is left.

use super::costs::StepCosts;
use crate::grid::{DiagonalCost, Directions, Steps};

/// How the cost to the goal is estimated, on a grid without walls and of the cheapest terrain.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heuristic {
    /// The exact one for the steps in force: octile for eight directions, Manhattan for four.
    #[default]
    Auto,
    /// Columns plus rows, the "simple metric". Too large where diagonals are allowed.
    Manhattan,
    /// The straight line, the "physical metric". Too large where diagonals cost less than √2.
    Euclidean,
    /// As many diagonal steps as fit, then straight ones.
    Octile,
    /// The larger of columns and rows.
    Chebyshev,
}

impl Heuristic {
    /// Every heuristic.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Manhattan, Self::Euclidean, Self::Octile, Self::Chebyshev];

    /// The heuristic with `Auto` decided.
    pub(crate) fn resolved(self, steps: Steps) -> Self {
        match (self, steps.directions) {
            (Self::Auto, Directions::Four) => Self::Manhattan,
            (Self::Auto, Directions::Eight) => Self::Octile,
            (chosen, _) => chosen,
        }
    }

    /// Whether the estimate never exceeds the true cost. All that do not are also consistent.
    #[must_use]
    pub fn is_admissible(self, steps: Steps) -> bool {
        match self.resolved(steps) {
            Self::Manhattan => steps.directions == Directions::Four,
            Self::Euclidean => steps.directions == Directions::Four || steps.diagonal == DiagonalCost::Sqrt2,
            _ => true,
        }
    }

    /// The estimate across `dx` columns and `dy` rows, in units of the search; `Auto` is decided.
    #[inline]
    pub(crate) fn estimate(self, costs: &StepCosts, dx: u32, dy: u32) -> u64 {
        let (dx, dy) = (u64::from(dx), u64::from(dy));
        let (long, short) = (dx.max(dy), dx.min(dy));
        match self {
            Self::Manhattan => costs.straight * (dx + dy),
            // Rounded down, so that the estimate stays below the rounded cost of each step.
            Self::Euclidean => (((dx * dx + dy * dy) as f64).sqrt() * costs.straight as f64) as u64,
            Self::Auto | Self::Octile => costs.straight * (long - short) + costs.diagonal * short,
            Self::Chebyshev => costs.straight * long,
        }
    }
}
