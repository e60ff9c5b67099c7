//! Distance and flow fields: for every cell the cost and the first step of the cheapest path to the nearest of
//! several goals.
//!
//! One search backwards from the goals serves any number of agents: an agent looks up the step at its own cell. Steps,
//! corner rule, terrain costs and agent sizes are those of a path search, and the distance at a cell is the cost that
//! [`solve`](crate::solve) would answer from that cell, up to the rounding of costs (see
//! [`Answer::suboptimality_bound`](crate::Answer::suboptimality_bound)). Of several steps that are equally cheap a
//! field holds one, always the same for the same grid and goals. A field is not updated when the grid is edited:
//! compare [revisions](DistanceField::revision), and make a new field.

use glam::Vec2;

use crate::grid::{Cell, Direction, Grid, KindId, Steps};
use crate::search::distance_search::{DistanceJob, GOAL, find_distances};
use crate::search::{SearchError, SearchScratch};

/// For every cell of a grid, the cost to the nearest goal and the step towards it.
///
/// A field takes 5 bytes a cell, and holds the [revision](Grid::revision) of the grid that it was made from.
///
/// ```
/// use pathfind_core::{Cell, Direction, DistanceField, Grid, KindId, SearchScratch, Steps};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let goals = [Cell::new(0, 0), Cell::new(4, 0)];
/// let field = DistanceField::new(&grid, KindId::default(), Steps::FOUR, &goals, &mut SearchScratch::default())?;
/// assert_eq!(field.distance(Cell::new(1, 2)), Some(3.0));
/// assert_eq!(field.direction(Cell::new(1, 2)), Some(Direction::W));
/// assert_eq!(field.distance(Cell::new(2, 1)), None, "nobody stands in a wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    width: u32,
    height: u32,
    revision: u64,
    distances: Vec<f32>,
    /// For each cell the index of the [`Direction`] to step in, or `GOAL`, or `UNREACHABLE`.
    steps: Vec<u8>,
}

impl DistanceField {
    /// Makes the field for a kind of agent and several goals. Goals outside the grid, and goals where the agent
    /// cannot stand, are left out.
    ///
    /// The time is in proportion to the number of cells from which a goal can be reached.
    ///
    /// # Errors
    /// [`SearchError::UnknownKind`] if the grid does not have the kind; [`SearchError::NoGoal`] if `goals` is
    /// empty; with the first goal, [`SearchError::GoalOutside`] if all goals lie outside the grid, else
    /// [`SearchError::GoalBlocked`] if all are left out.
    pub fn new(
        grid: &Grid,
        kind: KindId,
        steps: Steps,
        goals: &[Cell],
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        let (distances, directions) = find_distances(grid, DistanceJob { kind, steps, goals }, scratch)?;
        let (width, height, revision) = (grid.width(), grid.height(), grid.revision());
        Ok(Self { width, height, revision, distances, steps: directions })
    }

    /// The revision that the grid had when the field was made.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost from a cell to the nearest goal; `None` outside the grid, and where no goal can be reached.
    #[must_use]
    pub fn distance(&self, cell: Cell) -> Option<f32> {
        let distance = self.distances[self.index(cell)?];
        (distance != f32::INFINITY).then_some(distance)
    }

    /// The step from a cell towards the nearest goal; `None` on a goal, outside the grid, and where no goal can
    /// be reached.
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        let step = self.steps[self.index(cell)?];
        (step < GOAL).then(|| Direction::from_index(step))
    }

    /// Whether a cell is one of the goals that the field leads to.
    #[must_use]
    pub fn is_goal(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.steps[index] == GOAL)
    }

    /// The direction to move in from a point of grid space, as a vector of length 1: towards the centre of the
    /// next cell, and on a goal towards that goal's centre. `None` at the centre of a goal, at a point that is not
    /// finite, outside the grid, and where no goal can be reached.
    #[must_use]
    pub fn flow(&self, point: Vec2) -> Option<Vec2> {
        if !point.is_finite() {
            return None;
        }
        let cell = Cell::containing(point);
        let towards = match self.direction(cell) {
            Some(direction) => cell.step(direction),
            None if self.is_goal(cell) => cell,
            None => return None,
        };
        (towards.center() - point).try_normalize()
    }

    /// The cells from `from` to the nearest goal, both included; empty where no goal can be reached.
    pub fn path(&self, from: Cell) -> impl Iterator<Item = Cell> {
        let start = self.distance(from).map(|_| from);
        std::iter::successors(start, |&cell| Some(cell.step(self.direction(cell)?)))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        // Cast to `u32`, a negative coordinate exceeds every width and height.
        let inside = (cell.x as u32) < self.width && (cell.y as u32) < self.height;
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
