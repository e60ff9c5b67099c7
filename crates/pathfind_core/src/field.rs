//! Distance and flow fields: the way to the nearest of many goals from every cell at once.
//!
//! One search backwards from the goals serves any number of agents: each asks its cell where to go
//! next. Steps, corner rule, terrain costs and size are those of a path search, and so are the costs:
//! the distance at a cell is what [`solve`](crate::solve) would answer for it, but for the rounding of costs
//! (see [`Answer::bound`](crate::Answer::bound)).

use glam::Vec2;

use crate::grid::{Cell, Direction, Grid, KindId, Steps};
use crate::search::{SearchError, SearchScratch, flood};

/// For every cell the cost to the nearest goal, and the step that leads there.
///
/// It takes 5 bytes a cell and remembers the [revision](Grid::revision) of the grid that it was made for.
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
    /// Index of the direction to go, or one of the two values below.
    steps: Vec<u8>,
}

impl DistanceField {
    const GOAL: u8 = 8;
    const UNREACHABLE: u8 = 9;

    /// The field round goals; those that the agent cannot stand on are left out.
    ///
    /// Takes time in proportion to the cells that can be reached.
    ///
    /// # Errors
    /// [`SearchError::UnknownKind`]; [`SearchError::NoGoal`] without goals; [`SearchError::GoalOutside`] or
    /// [`SearchError::GoalBlocked`] with the first one if no goal is left.
    pub fn new(
        grid: &Grid,
        kind: KindId,
        steps: Steps,
        goals: &[Cell],
        scratch: &mut SearchScratch,
    ) -> Result<Self, SearchError> {
        let cells = grid.width() as usize * grid.height() as usize;
        let mut field = Self {
            width: grid.width(),
            height: grid.height(),
            revision: grid.revision(),
            distances: vec![f32::INFINITY; cells],
            steps: vec![Self::UNREACHABLE; cells],
        };
        flood(grid, kind, steps, goals, scratch, |cell, towards, cost| {
            let index = field.index(cell).expect("a search stays on its grid");
            field.distances[index] = cost as f32;
            field.steps[index] = Direction::between(cell, towards).map_or(Self::GOAL, |step| step as u8);
        })?;
        Ok(field)
    }

    /// The revision of the grid that the field was made for.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost from a cell to the nearest goal; `None` outside and where no goal can be reached from.
    #[must_use]
    pub fn distance(&self, cell: Cell) -> Option<f32> {
        let distance = self.distances[self.index(cell)?];
        (distance != f32::INFINITY).then_some(distance)
    }

    /// The step from a cell towards the nearest goal; `None` on a goal, outside, and where no goal can
    /// be reached from.
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        let step = self.steps[self.index(cell)?];
        (step < Self::GOAL).then(|| Direction::from_index(step))
    }

    /// Whether a cell is a goal.
    #[must_use]
    pub fn is_goal(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.steps[index] == Self::GOAL)
    }

    /// The way to go from a point of grid space, of length 1: towards the centre of the next cell, on a
    /// goal towards its own centre. `None` where [`direction`](Self::direction) has no answer, and
    /// on the very centre of a goal.
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

    /// The cells from one to the nearest goal, both included; empty where no goal can be reached from.
    pub fn path(&self, from: Cell) -> impl Iterator<Item = Cell> {
        let start = self.distance(from).map(|_| from);
        std::iter::successors(start, |&cell| Some(cell.step(self.direction(cell)?)))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        // A negative coordinate becomes a huge one.
        let inside = (cell.x as u32) < self.width && (cell.y as u32) < self.height;
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
