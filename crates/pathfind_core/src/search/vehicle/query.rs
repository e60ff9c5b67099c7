//! The query for the path of a vehicle, and the shape of its body.

use glam::{DVec2, Vec2};

use crate::grid::{Grid, GridCell, KindId, StepRules};
use crate::search::run::check_start;
use crate::search::{Limits, SearchError};

/// The body of a vehicle: a rectangle, and how it turns.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehicleBody {
    /// The length of the rectangle, in cells. Range: above 0, up to 64.
    pub length: f32,
    /// The width of the rectangle, in cells. Range: above 0, up to 64.
    pub width: f32,
    /// The radius of the tightest arc that the middle of the rectangle can follow, in cells. The heading is the
    /// direction of the arc at the middle. Range: above 0, up to 1,000.
    pub turning_radius: f32,
    /// Whether it can drive backwards.
    pub reverses: bool,
}

impl VehicleBody {
    pub(super) fn check(&self) -> Result<(), SearchError> {
        let is_within = |value: f32, most: f32| value > 0.0 && value <= most;
        let fits = is_within(self.length, 64.0) && is_within(self.width, 64.0);
        if fits && is_within(self.turning_radius, 1000.0) { Ok(()) } else { Err(SearchError::BadBody) }
    }

    /// Half of the length and half of the width.
    pub(super) fn half(&self) -> DVec2 {
        DVec2::new(self.length.into(), self.width.into()) / 2.0
    }
}

/// Where a vehicle is and which way it heads.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehiclePose {
    /// The middle of the body, in grid space.
    pub position: Vec2,
    /// The direction of the front, in radians: 0 along x, and π/2 along y.
    pub heading: f32,
}

impl VehiclePose {
    /// The direction of the front, as a vector of length 1.
    #[must_use]
    pub fn ahead(&self) -> Vec2 {
        let (sin, cos) = libm::sincosf(self.heading);
        Vec2::new(cos, sin)
    }
}

/// A query for the path of a vehicle from where it is to a point, with any heading at the end.
///
/// ```
/// use glam::Vec2;
/// use pathfind_core::{Grid, SearchScratch, VehicleBody, VehiclePose, VehicleQuery, solve_vehicle};
/// let grid = Grid::new(20, 20)?;
/// let truck = VehicleBody { length: 2.0, width: 1.0, turning_radius: 3.0, reverses: false };
/// let start = VehiclePose { position: Vec2::new(10.0, 5.0), heading: 0.0 };
/// let query = VehicleQuery::new(start, Vec2::new(5.0, 12.0), truck);
/// let path = solve_vehicle(&grid, query, &mut SearchScratch::default())?;
/// assert!(path.is_complete());
/// assert!(path.length > 10.0, "it drives a bend");
/// assert!(path.legs.iter().all(|leg| leg.curvature.abs() <= 1.0 / 2.999));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehicleQuery {
    /// The vehicle's present pose.
    pub start: VehiclePose,
    /// The point to drive to, in grid space.
    pub goal: Vec2,
    /// How far from the goal a path may end where it cannot end on it, in cells. Range: 0 and up. Default: 0.5.
    pub reach: f32,
    /// The body.
    pub body: VehicleBody,
    /// The kind of agent that says which terrain is blocked and what terrain costs. What a path costs depends on the
    /// cells under the middle of the body. Default: the grid's default kind.
    pub kind: KindId,
    /// Limits of expanded poses and of the path's cost. Default: [`MAX_EXPANSIONS`](Self::MAX_EXPANSIONS) expansions,
    /// which bound the memory, some 300 bytes for each.
    pub limits: Limits,
}

impl VehicleQuery {
    /// What a path costs for a length driven backwards, as a multiple of its cost forwards.
    pub const REVERSE_COST: f64 = 1.5;
    /// What a change between forwards and backwards costs: as much as driving so many cells of the cheapest terrain.
    pub const GEAR_COST: f64 = 0.5;
    /// The greatest number of expansions by default.
    pub const MAX_EXPANSIONS: u64 = 150_000;

    /// A query with all defaults.
    #[must_use]
    pub fn new(start: VehiclePose, goal: Vec2, body: VehicleBody) -> Self {
        let limits = Limits { expansions: Some(Self::MAX_EXPANSIONS), cost: None };
        Self { start, goal, reach: 0.5, body, kind: KindId::default(), limits }
    }

    /// The query for another kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// The query with another distance from the goal where a path may end, in cells.
    #[must_use]
    pub fn with_reach(self, reach: f32) -> Self {
        Self { reach, ..self }
    }

    /// The query with limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Whether the numbers are in their ranges, and both ends lie on cells where an agent of the kind can stand.
    pub(super) fn check(&self, grid: &Grid) -> Result<(), SearchError> {
        self.body.check()?;
        let VehiclePose { position, heading } = self.start;
        if !position.is_finite() || !self.goal.is_finite() {
            return Err(SearchError::BadPoint);
        }
        if !heading.is_finite() {
            return Err(SearchError::BadHeading);
        }
        if !(0.0..=f32::INFINITY).contains(&self.reach) {
            return Err(SearchError::BadRadius);
        }
        if self.limits.cost.is_some_and(|cost| cost.is_nan() || cost < 0.0) {
            return Err(SearchError::BadCost);
        }
        check_start(grid, self.kind, GridCell::containing(position))?;
        let goal = self.goal_cell();
        match grid.is_walkable(self.kind, goal) {
            true => Ok(()),
            false if grid.contains(goal) => Err(SearchError::GoalBlocked(goal)),
            false => Err(SearchError::GoalOutside(goal)),
        }
    }

    pub(super) fn goal_cell(&self) -> GridCell {
        GridCell::containing(self.goal)
    }

    pub(super) fn steps(&self, grid: &Grid) -> StepRules {
        grid.steps_for(self.kind, StepRules::default())
    }
}
