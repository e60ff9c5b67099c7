//! The map in the form that every entrant gets.

use clap::ValueEnum;
use pathfind_core::{GridCell, CornerRule, Grid, KindId, StepRules, Terrain};

/// A point of grid space: a cell is 1 wide, and its centre lies at halves.
pub(crate) type Point = (f64, f64);

/// The question that all entrants answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Question {
    /// Paths in eight directions, or at any angle, where every cell costs 1.
    Plain,
    /// Paths in four directions.
    Four,
    /// Paths in eight directions, where one in four blocks of 8×8 cells costs 3.
    Blocks,
}

/// Which cells are free and what they cost, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) free: Vec<bool>,
    pub(crate) question: Question,
    /// The cost of each cell; empty where all cost 1.
    costs: Vec<u8>,
}

impl Board {
    /// Reads a MovingAI map.
    pub(crate) fn from_map(text: &str, question: Question) -> Result<Self, String> {
        Grid::from_map(text).map(|grid| Self::from_grid(&grid, question)).map_err(|error| error.to_string())
    }

    fn from_grid(grid: &Grid, question: Question) -> Self {
        let free = grid.bounds().cells().map(|cell| grid.is_walkable(KindId::default(), cell)).collect();
        let cost = |cell| if question == Question::Blocks && is_costly(cell) { 3 } else { 1 };
        let costs = match question {
            Question::Blocks => grid.bounds().cells().map(cost).collect(),
            Question::Plain | Question::Four => Vec::new(),
        };
        Self { width: grid.width() as i32, height: grid.height() as i32, free, question, costs }
    }

    /// The map as a grid of this project.
    pub(crate) fn grid(&self) -> Grid {
        let terrain = |cell: GridCell| match self.is_free(cell.x, cell.y) {
            true if self.cost(self.index(cell)) > 1 => Terrain::weight(3),
            true => Terrain::GROUND,
            false => Terrain::WALL,
        };
        let grid = Grid::from_fn(self.width as u32, self.height as u32, terrain);
        grid.expect("the board was read from a map")
    }

    /// The steps that paths consist of.
    pub(crate) fn steps(&self, corners: CornerRule) -> StepRules {
        if self.question == Question::Four { StepRules::FOUR } else { StepRules::eight(corners) }
    }

    /// By how much the length of a step into a free cell is multiplied.
    #[inline]
    pub(crate) fn cost(&self, index: u32) -> u32 {
        if self.costs.is_empty() { 1 } else { u32::from(self.costs[index as usize]) }
    }

    /// Whether a cell is on the map and free.
    #[inline]
    pub(crate) fn is_free(&self, x: i32, y: i32) -> bool {
        // A negative coordinate becomes a huge unsigned one.
        (x as u32) < self.width as u32
            && (y as u32) < self.height as u32
            && self.free[y as usize * self.width as usize + x as usize]
    }

    /// The index of a cell, row by row.
    #[inline]
    pub(crate) fn index(&self, cell: GridCell) -> u32 {
        (cell.y * self.width + cell.x) as u32
    }

    /// The cell with an index.
    #[inline]
    pub(crate) fn cell(&self, index: u32) -> GridCell {
        let width = self.width as u32;
        GridCell::new((index % width) as i32, (index / width) as i32)
    }
}

/// Whether a cell is in one of the blocks that cost 3: one in four, by a hash of the block's column and row.
fn is_costly(cell: GridCell) -> bool {
    let block = ((cell.x as u32 / 8) << 16) | (cell.y as u32 / 8);
    // Multiplicative hashing (Knuth): the upper bits are mixed best.
    (block.wrapping_mul(0x9e37_79b1) ^ block).wrapping_mul(0x85eb_ca6b) >> 30 == 0
}

/// The centre of a cell.
pub(crate) fn center(cell: GridCell) -> Point {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

#[cfg(test)]
impl Board {
    /// Reads a map of `.` and `#`.
    pub(crate) fn from_ascii(text: &str) -> Self {
        Self::from_grid(&Grid::from_ascii(text).expect("the test's map is well formed"), Question::Plain)
    }
}
