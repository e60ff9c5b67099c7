//! Distance and flow fields: for every cell the cost and the first step of the cheapest path to the nearest of
//! several goals.
//!
//! One search backwards from the goals serves any number of agents: an agent looks up the step at its own cell.
//! Steps, corner rule, terrain costs and agent sizes are those of a path search, and the distance at a cell is the
//! cost that [`solve`](crate::solve) would answer from that cell, up to the rounding of costs (see
//! [`Answer::suboptimality_bound`](crate::Answer::suboptimality_bound)). Of several steps that are equally cheap a
//! field holds one, always the same for the same grid and goals. A field is not updated by itself when the grid is
//! edited: compare [revisions](DistanceField::revision), and [repair](DistanceField::repair) the field.

use glam::Vec2;

use crate::grid::{AgentKind, CellRect, Direction, Grid, GridCell, KindId, StepRules};
use crate::search::distance_search::{self, DistanceJob, Distances, GOAL, UNREACHABLE, find_distances};
use crate::search::{SearchError, SearchScratch};

/// For every cell of a grid, the cost to the nearest goal and the step towards it.
///
/// A field takes 5 bytes a cell (9 where its costs do not fit into 32 bits), and holds the [revision](Grid::revision)
/// of the grid that it was made from.
///
/// ```
/// use pathfind_core::{GridCell, Direction, DistanceField, Grid, KindId, SearchScratch, StepRules};
/// let grid = Grid::from_ascii(".....\n.###.\n.....")?;
/// let goals = [GridCell::new(0, 0), GridCell::new(4, 0)];
/// let field = DistanceField::new(&grid, KindId::default(), StepRules::FOUR, &goals, &mut SearchScratch::default())?;
/// assert_eq!(field.distance(GridCell::new(1, 2)), Some(3.0));
/// assert_eq!(field.direction(GridCell::new(1, 2)), Some(Direction::W));
/// assert_eq!(field.distance(GridCell::new(2, 1)), None, "no path begins in a wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    width: u32,
    height: u32,
    revision: u64,
    kind: KindId,
    /// The costs, the size and the climb that the kind had.
    agent: AgentKind,
    steps: StepRules,
    goals: Vec<GridCell>,
    distances: Distances,
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
        steps: StepRules,
        goals: &[GridCell],
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        let distances = find_distances(grid, DistanceJob { kind, steps, goals }, scratch)?;
        let agent = grid.kind(kind).ok_or(SearchError::UnknownKind(kind))?.clone();
        let (width, height, revision) = (grid.width(), grid.height(), grid.revision());
        Ok(Self { width, height, revision, kind, agent, steps, goals: goals.to_vec(), distances })
    }

    /// Brings the field up to date after edits of its grid: it then equals a [new](Self::new) one for the same goals.
    /// Returns the number of cells whose distance has changed; the time follows that number, not the size of the grid.
    ///
    /// `edited` are rectangles that hold all cells whose terrain, height or edges have changed since the grid had the
    /// field's [revision](Self::revision); terrain also changes where an obstacle comes or goes. The field is made
    /// anew, and all cells are counted, where so many cells change that this takes less time (over 4,096 and about one
    /// in 50), and where the kind of agent, the grid's size or the units of costs are others than before. Costs have
    /// other units where the terrain of an edit is the first of its cost on the grid, or the last.
    ///
    /// ```
    /// use pathfind_core::{GridCell, CellRect, DistanceField, Grid, KindId, SearchScratch, StepRules, Terrain};
    /// let mut grid = Grid::new(64, 64)?;
    /// let (kind, goal, scratch) = (KindId::default(), GridCell::new(60, 30), &mut SearchScratch::default());
    /// let mut field = DistanceField::new(&grid, kind, StepRules::FOUR, &[goal], scratch)?;
    /// let wall = GridCell::new(3, 30);
    /// grid.set(wall, Terrain::WALL)?;
    /// let changed = field.repair(&grid, &[CellRect::new(wall, wall)], scratch)?;
    /// assert_eq!(changed, 4, "the wall's cell, and those that had to go over it");
    /// assert_eq!(field.distance(GridCell::new(2, 30)), Some(60.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new); the field is then unchanged.
    pub fn repair(
        &mut self,
        grid: &Grid,
        edited: &[CellRect],
        scratch: &mut SearchScratch,
    ) -> Result<usize, SearchError> {
        let Self { kind, steps, ref goals, .. } = *self;
        let is_same = (grid.width(), grid.height()) == (self.width, self.height)
            && grid.kind(kind) == Some(&self.agent);
        let job = DistanceJob { kind, steps, goals };
        let repaired = match is_same {
            true => distance_search::repair(&mut self.distances, grid, job, edited, scratch)?,
            false => None,
        };
        let Some(changed) = repaired else {
            *self = Self::new(grid, kind, steps, goals, scratch)?;
            return Ok(grid.width() as usize * grid.height() as usize);
        };
        self.revision = grid.revision();
        Ok(changed)
    }

    /// The revision that the grid had when the field was made or last repaired.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost from a cell to the nearest goal; `None` outside the grid, and where no goal can be reached.
    #[must_use]
    pub fn distance(&self, cell: GridCell) -> Option<f32> {
        let distance = self.distances.distance(self.index(cell)?);
        (distance != f32::INFINITY).then_some(distance)
    }

    /// The step from a cell towards the nearest goal; `None` on a goal, outside the grid, and where no goal can
    /// be reached.
    #[must_use]
    pub fn direction(&self, cell: GridCell) -> Option<Direction> {
        let step = self.distances.step(self.index(cell)?);
        (step < GOAL).then(|| Direction::from_index(step))
    }

    /// Whether a cell is one of the goals that the field leads to.
    #[must_use]
    pub fn is_goal(&self, cell: GridCell) -> bool {
        self.index(cell).is_some_and(|index| self.distances.step(index) == GOAL)
    }

    /// The direction to move in from a point of grid space, as a vector of length 1: towards the centre of the
    /// next cell, and on a goal towards that goal's centre. `None` at the centre of a goal, at a point that is not
    /// finite, outside the grid, and where no goal can be reached.
    #[must_use]
    pub fn flow(&self, point: Vec2) -> Option<Vec2> {
        if !point.is_finite() {
            return None;
        }
        let cell = GridCell::containing(point);
        let towards = match self.direction(cell) {
            Some(direction) => cell.step(direction),
            None if self.is_goal(cell) => cell,
            None => return None,
        };
        (towards.center() - point).try_normalize()
    }

    /// The cells from `from` to the nearest goal, both included; empty where no goal can be reached.
    pub fn path(&self, from: GridCell) -> impl Iterator<Item = GridCell> {
        let is_reached = |&index: &usize| self.distances.step(index) != UNREACHABLE;
        let start = self.index(from).filter(is_reached).map(|_| from);
        std::iter::successors(start, |&cell| Some(cell.step(self.direction(cell)?)))
    }

    fn index(&self, cell: GridCell) -> Option<usize> {
        // Cast to `u32`, a negative coordinate exceeds every width and height.
        let inside = (cell.x as u32) < self.width && (cell.y as u32) < self.height;
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
