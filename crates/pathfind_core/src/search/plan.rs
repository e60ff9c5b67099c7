//! The choice of algorithm, heuristic and open list for a query.

use super::astar::KeyOrder;
use super::costs::StepCosts;
use super::nodes::{AnyParent, ParentEncoding};
use super::path::Leg;
use super::targets::Targets;
use super::theta::KEY_SHIFT;
use super::{Algorithm, Heuristic, Limits, PathQuery};
use crate::grid::{CornerRule, DiagonalCost, Directions, Grid};

/// How a query is answered: by the algorithm that was asked for if that can answer it, else by one that can.
#[derive(Copy, Clone, Debug)]
pub(super) struct Plan {
    pub(super) algorithm: Algorithm,
    pub(super) heuristic: Heuristic,
    pub(super) order: KeyOrder,
    /// The factor by which the answer's cost may exceed the least cost, if one is known.
    pub(super) suboptimality_bound: Option<f64>,
    /// Whether the keys of popped nodes never fall: then the open list is `Buckets`, else `Heap`.
    pub(super) monotone: bool,
    /// Most keys pushed are less than this above the last key popped: the size of `Buckets`.
    pub(super) window: u64,
}

impl Plan {
    /// Plans the search for a query whose costs and targets are set.
    pub(super) fn new(grid: &Grid, query: &PathQuery, costs: &StepCosts, targets: &Targets) -> Self {
        use Algorithm::{
            AStar, AnyAngle, Auto, Dijkstra, Greedy, Hierarchical, Jps, LazyTheta, Theta, WeightedAStar,
        };
        // The exact any-angle search treats the agent as a point: a disc may not fit where its paths go.
        let is_disc = query.shape().disc(grid, query.steps.corners).is_some();
        let heuristic = query.heuristic.resolved(query.steps);
        let admissible = heuristic.is_admissible(query.steps);
        let exact = Self::exact_steps(query, costs);
        let chosen = Self { algorithm: query.algorithm, heuristic, ..exact };
        let by_angle = Self { heuristic: Heuristic::Euclidean, ..chosen };
        match query.algorithm {
            // Jumps are longer than steps, but seldom very long.
            Auto | Jps | Hierarchical if can_jump(grid, query, costs) => {
                Self { algorithm: Jps, window: exact.window.max(1 << 15), ..exact }
            }
            AnyAngle if can_cross_intervals(query, costs, targets) && !is_disc => {
                Self { monotone: false, ..by_angle }
            }
            AnyAngle if sees_straight(query, costs) => by_angle.with_theta(),
            Theta | LazyTheta if sees_straight(query, costs) => {
                Self { suboptimality_bound: None, ..by_angle }
            }
            Dijkstra => Self { order: KeyOrder::Cost, ..chosen },
            Greedy => {
                Self { order: KeyOrder::Estimate, suboptimality_bound: None, monotone: false, ..chosen }
            }
            WeightedAStar => {
                let more = ((query.weight - 1.0) * 256.0) as u64;
                let suboptimality_bound = admissible.then_some(1.0 + more as f64 / 256.0);
                Self { order: KeyOrder::Weighted(more), suboptimality_bound, monotone: false, ..chosen }
            }
            AStar if !admissible => Self { suboptimality_bound: None, monotone: false, ..chosen },
            // Also in place of another algorithm.
            _ if admissible => Self { algorithm: AStar, ..chosen },
            // An inadmissible heuristic is replaced, so that the path is optimal.
            _ => exact,
        }
    }

    /// A* with the heuristic that is exact without walls: it finds the cheapest path of steps within the limits.
    pub(super) fn exact_steps(query: &PathQuery, costs: &StepCosts) -> Self {
        Self {
            algorithm: Algorithm::AStar,
            heuristic: Heuristic::Auto.resolved(query.steps),
            order: KeyOrder::Total,
            suboptimality_bound: Some(1.0),
            monotone: true,
            // A successor's key exceeds its node's by at most a step's cost and the change of the estimate, two steps;
            // a parent assumed by Lazy Theta* can double that.
            window: 4 * costs.greatest + 1,
        }
    }

    /// Theta* in place of an exact any-angle search that ran out of memory.
    pub(super) fn with_theta(self) -> Self {
        Self { algorithm: Algorithm::Theta, suboptimality_bound: None, monotone: true, ..self }
    }

    /// Whether a node's parent may lie further away than one step.
    pub(super) fn links_far(self) -> bool {
        self.algorithm == Algorithm::Jps || self.algorithm.is_any_angle()
    }

    pub(super) fn leg(self, query: &PathQuery) -> Leg {
        match query.steps.directions {
            _ if self.algorithm.is_any_angle() => Leg::Line,
            Directions::Four => Leg::ColumnFirst,
            Directions::Eight => Leg::DiagonalFirst,
        }
    }

    /// How many of the lowest bits of a cost the keys of open nodes leave out.
    pub(super) fn key_shift(self) -> u32 {
        if matches!(self.algorithm, Algorithm::Theta | Algorithm::LazyTheta) { KEY_SHIFT } else { 0 }
    }

    /// Whether the search expands intervals instead of cells.
    pub(super) fn crosses_intervals(self) -> bool {
        self.algorithm == Algorithm::AnyAngle
    }
}

/// Whether jump point search can answer the query, and is asked for by name or likely faster than A*.
fn can_jump(grid: &Grid, query: &PathQuery, costs: &StepCosts) -> bool {
    if !costs.weighted {
        return true;
    }
    // A record with a far parent holds smaller costs. They have to leave room for a path four times as long as both
    // sides of the grid.
    let sides = u64::from(grid.width()) + u64::from(grid.height());
    costs.greatest * 4 * sides <= AnyParent::MAX_COST
        && (query.algorithm == Algorithm::Jps || grid.has_wide_areas(query.kind))
}

/// Whether the search over intervals, whose paths turn at the corners of walls, can answer the query.
fn can_cross_intervals(query: &PathQuery, costs: &StepCosts, targets: &Targets) -> bool {
    sees_straight(query, costs)
        && query.steps.corners != CornerRule::Never
        && targets.single().is_some()
        && query.limits == Limits::default()
}

/// Whether a path's cost is its length: uniform terrain, and eight directions with diagonals at √2.
fn sees_straight(query: &PathQuery, costs: &StepCosts) -> bool {
    query.steps.directions == Directions::Eight
        && query.steps.diagonal == DiagonalCost::Sqrt2
        && !costs.weighted
}
