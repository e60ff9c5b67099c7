//! The cells round a goal, nearest first, for agents that cannot all stand on the goal.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::grid::{Grid, GridCell, KindId, StepRules};

/// The cells round a goal, nearest first, where each is one legal step from a cell that came before.
///
/// Cells are taken best-first, by their straight distance to the goal, out of those that the cells so far lead to:
/// a cell behind a wall comes only after the cells on a path round the wall. Cells are found as they are asked
/// for, in O(log n) each for the n-th.
///
/// ```
/// use pathfind_core::{GridCell, Grid, KindId, NearestCells, StepRules};
/// let grid = Grid::new(9, 9)?;
/// let mut nearest_cells = NearestCells::new(KindId::default(), StepRules::default(), GridCell::new(4, 4));
/// nearest_cells.begin_at(&grid, GridCell::new(4, 4));
/// let near: Vec<GridCell> = (0..5).filter_map(|i| nearest_cells.get(&grid, i)).collect();
/// assert_eq!(near, [(4, 4), (4, 3), (3, 4), (5, 4), (4, 5)].map(GridCell::from));
/// # Ok::<(), pathfind_core::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NearestCells {
    kind: KindId,
    steps: StepRules,
    goal: GridCell,
    found: Vec<GridCell>,
    /// Cells that are known and not listed yet: squared distance to the goal, row and column.
    open: BinaryHeap<Reverse<(u64, i32, i32)>>,
    /// All cells that are open or listed: row and column.
    known: BTreeSet<(i32, i32)>,
}

impl NearestCells {
    /// An empty list for a goal: [`begin_at`](Self::begin_at) adds the cells that the list begins with.
    #[must_use]
    pub fn new(kind: KindId, steps: StepRules, goal: GridCell) -> Self {
        let (found, open, known) = (Vec::new(), BinaryHeap::new(), BTreeSet::new());
        Self { kind, steps, goal, found, open, known }
    }

    /// Adds a cell to begin with: the goal itself, or the cells nearest to a goal that cannot be reached. A cell where
    /// the agent cannot stand is left out.
    pub fn begin_at(&mut self, grid: &Grid, cell: GridCell) {
        if grid.is_walkable(self.kind, cell) && self.known.insert((cell.y, cell.x)) {
            self.open.push(Reverse((cell.distance_squared(self.goal), cell.y, cell.x)));
        }
    }

    /// The cell at an index of the list; `None` beyond its end. The grid must be the same, unedited, in every call.
    pub fn get(&mut self, grid: &Grid, index: usize) -> Option<GridCell> {
        while self.found.len() <= index {
            let Reverse((_, y, x)) = self.open.pop()?;
            let cell = GridCell::new(x, y);
            self.found.push(cell);
            for direction in grid.steps_from(self.kind, self.steps, cell) {
                self.begin_at(grid, cell.step(direction));
            }
        }
        self.found.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The map with the first cells of the list marked in their order, by digits and then letters.
    fn picture(map: &str, begin: (i32, i32), goal: (i32, i32), count: u8) -> String {
        let grid = Grid::from_ascii(map).unwrap();
        let mut nearest_cells = NearestCells::new(KindId::default(), StepRules::default(), goal.into());
        nearest_cells.begin_at(&grid, begin.into());
        let mut rows: Vec<Vec<u8>> = map.lines().map(|row| row.bytes().collect()).collect();
        for (index, sign) in (b'0'..=b'9').chain(b'a'..=b'z').take(count.into()).enumerate() {
            if let Some(GridCell { x, y }) = nearest_cells.get(&grid, index) {
                rows[y as usize][x as usize] = sign;
            }
        }
        rows.iter().map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn nearest_cells_come_first() {
        assert_eq!(picture(".....\n.....\n.....", (2, 1), (2, 1), 9), ".516.\n.203.\n.748.");
        let wall = picture("..#...\n..#...\n..#...\n......", (1, 0), (1, 0), 10);
        assert_eq!(wall, "10#...\n32#...\n54#...\n7689..", "cells behind a wall come after the way round it");
        let sealed = picture(".....\n.###.\n.#.#.\n.###.\n.....", (2, 0), (2, 2), 16);
        assert_eq!(sealed, "31027\n4###8\n5#.#9\n6###a\nbcdef", "round a sealed goal they go round");
    }

    #[test]
    fn there_are_no_more_than_there_are() {
        let grid = Grid::from_ascii("..#..").unwrap();
        let mut cells = NearestCells::new(KindId::default(), StepRules::default(), GridCell::new(0, 0));
        cells.begin_at(&grid, GridCell::new(2, 0));
        assert_eq!(cells.get(&grid, 0), None, "a wall has no nearest cells");
        cells.begin_at(&grid, GridCell::new(0, 0));
        assert_eq!([1, 2].map(|index| cells.get(&grid, index)), [Some(GridCell::new(1, 0)), None]);
    }
}
