//! Heuristics: estimates of the cost from a cell to the goal.

use super::costs::StepCosts;
use crate::grid::{DiagonalCost, Directions, StepRules};
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};

/// An estimate of the cost from a cell to the goal, as if all terrain were free and the cheapest that occurs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum Heuristic {
    /// The exact estimate for the query's steps: `Octile` for eight directions, `Manhattan` for four.
    #[default]
    Auto,
    /// Columns plus rows, the "simple metric". Not admissible with eight directions.
    Manhattan,
    /// The straight line, the "physical metric". Not admissible where diagonals cost less than √2.
    Euclidean,
    /// As many diagonal steps as fit, and straight steps for the rest.
    Octile,
    /// The larger of columns and rows.
    Chebyshev,
}

impl Heuristic {
    /// Every heuristic, `Auto` first.
    pub const ALL: &'static [Self] =
        &[Self::Auto, Self::Manhattan, Self::Euclidean, Self::Octile, Self::Chebyshev];

    /// The heuristic, with `Auto` replaced by the one for the steps.
    pub(crate) fn resolved(self, steps: StepRules) -> Self {
        match (self, steps.directions) {
            (Self::Auto, Directions::Four) => Self::Manhattan,
            (Self::Auto, Directions::Eight) => Self::Octile,
            (chosen, _) => chosen,
        }
    }

    /// Whether the estimate never exceeds the true cost. Every heuristic admissible for the steps is consistent too.
    #[must_use]
    pub fn is_admissible(self, steps: StepRules) -> bool {
        match self.resolved(steps) {
            Self::Manhattan => steps.directions == Directions::Four,
            Self::Euclidean => steps.directions == Directions::Four || steps.diagonal == DiagonalCost::Sqrt2,
            _ => true,
        }
    }

    /// The estimate across `dx` columns and `dy` rows, in units of the search. `Auto` counts as `Octile`.
    #[inline]
    pub(crate) fn estimate(self, costs: &StepCosts, dx: u32, dy: u32) -> u64 {
        let (dx, dy) = (u64::from(dx), u64::from(dy));
        let (long, short) = (dx.max(dy), dx.min(dy));
        match self {
            Self::Manhattan => costs.straight * (dx + dy),
            // Rounded down, so that the estimate does not exceed the rounded cost of the steps. Signed integers
            // convert to and from floating-point numbers faster than unsigned ones.
            Self::Euclidean => {
                (((dx * dx + dy * dy) as i64 as f64).sqrt() * costs.straight as i64 as f64) as i64 as u64
            }
            Self::Auto | Self::Octile => costs.straight * (long - short) + costs.diagonal * short,
            Self::Chebyshev => costs.straight * long,
        }
    }
}
