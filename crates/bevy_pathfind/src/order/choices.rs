//! The choices of a search request: algorithm, heuristic, steps and their costs.

use core::fmt;
use core::str::FromStr;

use bevy::prelude::*;

use crate::mirror::mirrored;

mirrored! {
    /// How a path is searched.
    Algorithm of pathfind_core::Algorithm {
        /// The fastest algorithm that finds the shortest path of steps.
        #[default]
        Auto,
        /// A*: the shortest path, guided by the heuristic.
        AStar,
        /// Dijkstra: the shortest path, unguided.
        Dijkstra,
        /// Greedy best-first: some path, quickly; often longer than the shortest.
        Greedy,
        /// Jump point search: A* that prunes equivalent paths, on uniform terrain; else as A*.
        Jps,
        /// Weighted A*: the heuristic is multiplied by `weight`, and the path costs at most `weight` times
        /// the least.
        WeightedAStar,
        /// Theta*: any-angle paths, on uniform terrain; else as A*.
        Theta,
        /// Lazy Theta*: Theta* with far fewer line-of-sight tests.
        LazyTheta,
        /// The shortest any-angle path, on uniform terrain; where no corner may be touched it takes far
        /// longer. For discs as Theta*.
        AnyAngle,
    }
}

mirrored! {
    /// The heuristic: an estimate of the remaining cost.
    Heuristic of pathfind_core::Heuristic {
        /// The exact one for the steps in force: octile for eight directions, Manhattan for four.
        #[default]
        Auto,
        /// |dx| + |dy|: exact for four directions, too large for eight.
        Manhattan,
        /// The straight line.
        Euclidean,
        /// Octile distance: exact for eight directions without obstacles.
        Octile,
        /// The larger of |dx| and |dy|.
        Chebyshev,
    }
}

mirrored! {
    /// In how many directions a step may lead.
    Directions of pathfind_core::Directions {
        /// Along rows and columns.
        Four,
        /// Along rows, columns and diagonals.
        #[default]
        Eight,
    }
}

mirrored! {
    /// When a diagonal step past blocked cells is legal.
    CornerRule of pathfind_core::CornerRule {
        /// Only when both cells beside it are free.
        #[default]
        Never,
        /// When at least one of the two is free.
        OneFree,
        /// Always, even between two blocked cells.
        Always,
    }
}

mirrored! {
    /// What a diagonal step costs, where a straight one costs 1.
    DiagonalCost of pathfind_core::DiagonalCost {
        /// √2, its length.
        #[default]
        Sqrt2,
        /// 1.4, as in the classic 10/14 costs.
        FourteenTenths,
        /// 1, as a king moves.
        One,
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pathfind_core::Algorithm::from(*self).fmt(f)
    }
}

impl FromStr for Algorithm {
    type Err = <pathfind_core::Algorithm as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<pathfind_core::Algorithm>().map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_of_the_core_has_its_name_here() {
        for &ours in Algorithm::ALL {
            assert_eq!(Algorithm::from(pathfind_core::Algorithm::from(ours)), ours, "{ours} survives");
        }
        assert_eq!(Algorithm::ALL.len(), pathfind_core::Algorithm::ALL.len(), "none is missing");
    }
}
