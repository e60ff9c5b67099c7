//! The areas of blocks as a graph: a coarse map of the grid, for searches over long distances.
//!
//! A node is an area, a connected part of a block of 64×64 cells, at the cell nearest to its middle. An edge joins
//! two areas that touch, and also two areas at the corner of their blocks if both touch a third one: so paths along
//! diagonals are as long on this map as on the grid.

use super::outline::Joint;
use super::{NEIGHBORS, Regions, SIDE, WalkableCells};
use crate::grid::{CellRect, GridCell};

/// An area of a block.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    /// Column and row of the block.
    column: i32,
    row: i32,
    number: u16,
}

impl Regions {
    pub(crate) fn area(&self, walkable: WalkableCells<'_>, cell: GridCell) -> Area {
        let (column, row) = (cell.x >> 6, cell.y >> 6);
        Area { column, row, number: self.block(column, row).area(walkable, cell) }
    }

    pub(crate) fn area_count(&self) -> usize {
        self.joined().area_count
    }

    pub(crate) fn area_index(&self, area: Area) -> usize {
        self.joined().first_area[self.index(area.column, area.row)] as usize + usize::from(area.number)
    }

    /// The cell of an area that is nearest to its middle.
    pub(crate) fn middle(&self, area: Area) -> GridCell {
        let [x, y] = match area.number {
            0 => self.outlines[area.row as usize][area.column as usize].first_middle,
            _ => self.block(area.column, area.row).middle(area.number),
        };
        GridCell::new(area.column * SIDE + i32::from(x), area.row * SIDE + i32::from(y))
    }

    /// Whether a block that a rectangle meets has a walkable cell.
    pub(crate) fn any_in(&self, rect: CellRect) -> bool {
        let blocks = CellRect::new(
            GridCell::new(rect.min.x.max(0) >> 6, rect.min.y.max(0) >> 6),
            GridCell::new((rect.max.x >> 6).min(self.columns - 1), (rect.max.y >> 6).min(self.rows - 1)),
        );
        blocks.cells().any(|block| self.outlines[block.y as usize][block.x as usize].is_walkable)
    }

    /// Visits the areas that touch an area, and those at its block's corners that touch one of these; some twice.
    pub(crate) fn areas_around(&self, area: Area, mut visit: impl FnMut(Area)) {
        for (side, (dx, dy)) in NEIGHBORS.into_iter().enumerate() {
            for is_back in [false, true] {
                // Across a corner: first straight on, then to both sides.
                let turn = if dx == 0 { 0 } else { 2 };
                self.touching(area, side, is_back, |beside| {
                    visit(beside);
                    if dx == 0 || dy == 0 {
                        self.touching(beside, turn, false, &mut visit);
                        self.touching(beside, turn, true, &mut visit);
                    }
                });
            }
        }
    }

    /// Visits the areas that touch an area in its neighbour `side` of [`NEIGHBORS`], or in the one opposite.
    #[inline]
    fn touching(
        &self,
        Area { column, row, number }: Area,
        side: usize,
        is_back: bool,
        mut visit: impl FnMut(Area),
    ) {
        let (dx, dy) = NEIGHBORS[side];
        // A block keeps its links with four neighbours; the other four keep their links with it.
        let ([x, y], [to_x, to_y]) = if is_back {
            ([column - dx, row - dy], [column - dx, row - dy])
        } else {
            ([column, row], [column + dx, row + dy])
        };
        if x < 0 || y < 0 || x >= self.columns || y >= self.rows {
            return;
        }
        match self.outlines[y as usize][x as usize].joints.with(side) {
            Joint::None => {}
            Joint::OfFirst if number == 0 => visit(Area { column: to_x, row: to_y, number: 0 }),
            Joint::OfFirst => {}
            Joint::Listed => {
                for &(to, mine, theirs) in self.links[y as usize][x as usize].iter() {
                    let (here, there) = if is_back { (theirs, mine) } else { (mine, theirs) };
                    if usize::from(to) == side && here == number {
                        visit(Area { column: to_x, row: to_y, number: there });
                    }
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
) -> Vec<[u8; 2]> {
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
