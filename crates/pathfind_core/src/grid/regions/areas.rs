//! The areas of blocks as a graph: a coarse map of the grid, for searches over long distances.
//!
//! A node is an area, a connected part of a block of 64×64 cells, at the cell nearest to its middle. An edge joins two areas
//! that touch, and also two areas at the corner of their blocks if both touch a third one: so paths along diagonals are as
//! long on this map as on the grid.

use super::{NEIGHBORS, Regions, SIDE, WalkableCells};
use crate::grid::Cell;

/// An area of a block.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    /// Column and row of the block.
    column: i32,
    row: i32,
    /// Its number in the block.
    number: u16,
}

impl Regions {
    /// The area of a walkable cell.
    pub(crate) fn area(&self, walkable: WalkableCells<'_>, cell: Cell) -> Area {
        let (column, row) = (cell.x >> 6, cell.y >> 6);
        Area { column, row, number: self.block(column, row).area(walkable.word(cell), cell) }
    }

    /// The number of all areas.
    pub(crate) fn area_count(&self) -> usize {
        self.joined().regions.len()
    }

    /// The index of an area among all.
    pub(crate) fn area_index(&self, area: Area) -> usize {
        self.joined().first_area[self.index(area.column, area.row)] as usize + usize::from(area.number)
    }

    /// The cell of an area that is nearest to its middle.
    pub(crate) fn middle(&self, area: Area) -> Cell {
        let [x, y] = self.block(area.column, area.row).middles[usize::from(area.number)];
        Cell::new(area.column * SIDE + i32::from(x), area.row * SIDE + i32::from(y))
    }

    /// Visits the areas that touch an area, and those at the corners of its block that touch one of these.
    pub(crate) fn areas_around(&self, area: Area, mut visit: impl FnMut(Area)) {
        self.touching(area, |beside| {
            visit(beside);
            let is_row = beside.row == area.row;
            self.touching(beside, |next| {
                let is_corner = next.column != area.column && next.row != area.row;
                let turns = if is_row { next.column == beside.column } else { next.row == beside.row };
                if is_corner && turns {
                    visit(next);
                }
            });
        });
    }

    /// Visits the areas that touch an area.
    fn touching(&self, Area { column, row, number }: Area, mut visit: impl FnMut(Area)) {
        for (side, (dx, dy)) in (0u8..).zip(NEIGHBORS) {
            for &(to, here, there) in self.links[row as usize][column as usize].iter() {
                if to == side && here == number {
                    visit(Area { column: column + dx, row: row + dy, number: there });
                }
            }
            // The links of the other four neighbours are kept by them.
            let (column, row) = (column - dx, row - dy);
            if column < 0 || row < 0 || column >= self.columns || row >= self.rows {
                continue;
            }
            for &(to, there, here) in self.links[row as usize][column as usize].iter() {
                if to == side && here == number {
                    visit(Area { column, row, number: there });
                }
            }
        }
    }
}

/// For each area of a block the column and row of its cell nearest to its middle, from its runs.
pub(super) fn middles(
    runs: &[u64],
    first_run: &[u16; SIDE as usize + 1],
    area_of_run: &[u16],
    count: u16,
) -> Box<[[u8; 2]]> {
    let rows = || {
        let spans = first_run.windows(2).map(|span| usize::from(span[0])..usize::from(span[1]));
        (0i32..).zip(spans).flat_map(|(y, span)| span.map(move |run| (y, run)))
    };
    let ends = |run: u64| (run.trailing_zeros() as i32, 63 - run.leading_zeros() as i32);
    // Twice the sums of columns, the sums of rows, and the numbers of cells.
    let mut sums = vec![[0i32; 3]; usize::from(count)];
    for (y, run) in rows() {
        let (first, last) = ends(runs[run]);
        let length = last - first + 1;
        let sum = &mut sums[usize::from(area_of_run[run])];
        *sum = [sum[0] + (first + last) * length, sum[1] + y * length, sum[2] + length];
    }
    let mut nearest = vec![(i32::MAX, [0, 0]); usize::from(count)];
    for (y, run) in rows() {
        let area = usize::from(area_of_run[run]);
        let [columns, row_sum, cells] = sums[area];
        let (middle_x, middle_y) = (columns / (2 * cells), row_sum / cells);
        let (first, last) = ends(runs[run]);
        let x = middle_x.clamp(first, last);
        let away = (x - middle_x).pow(2) + (y - middle_y).pow(2);
        if away < nearest[area].0 {
            nearest[area] = (away, [x as u8, y as u8]);
        }
    }
    nearest.into_iter().map(|(_, middle)| middle).collect()
}
