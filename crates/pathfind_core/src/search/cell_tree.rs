//! Cells as a k-d tree, for the distance to the nearest of many.

use crate::grid::{CellRect, GridCell};

/// Cells ordered as a k-d tree (J. L. Bentley, "Multidimensional Binary Search Trees Used for Associative Searching",
/// 1975): the middle one parts those of lesser and of greater rows, and in both parts the middle one those of lesser and
/// of greater columns, and so on by turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellTree {
    cells: Vec<GridCell>,
    /// A rectangle round the cells; `None` if there are none.
    rect: Option<CellRect>,
}

impl CellTree {
    pub(crate) fn set(&mut self, cells: impl IntoIterator<Item = GridCell>) {
        self.cells.clear();
        self.cells.extend(cells);
        self.rect = self.cells.iter().map(|&cell| CellRect::new(cell, cell)).reduce(CellRect::union);
        order(&mut self.cells, true);
    }

    pub(crate) fn cells(&self) -> &[GridCell] {
        &self.cells
    }

    /// The least squared distance from a cell to one of the tree, if it is less than `bound`, else `bound`.
    pub(crate) fn least_squared(&self, to: GridCell, bound: u64) -> u64 {
        let square = |side: u32| u64::from(side) * u64::from(side);
        self.least(to, bound, &|dx, dy| square(dx) + square(dy))
    }

    /// The least distance from a cell to one of the tree, if it is less than `bound`, else `bound`. `measure` is the
    /// distance across so many columns and rows; it must not fall where one of them grows.
    pub(crate) fn least<T: PartialOrd + Copy>(
        &self,
        to: GridCell,
        bound: T,
        measure: &impl Fn(u32, u32) -> T,
    ) -> T {
        let Some(rect) = self.rect else { return bound };
        let nearest = rect.nearest_to(to);
        let gap = (to.x.abs_diff(nearest.x), to.y.abs_diff(nearest.y));
        if measure(gap.0, gap.1) < bound { least(&self.cells, true, to, gap, bound, measure) } else { bound }
    }
}

fn order(cells: &mut [GridCell], by_row: bool) {
    if cells.len() > 1 {
        let key = |cell: &GridCell| if by_row { cell.y } else { cell.x };
        let (less, _, greater) = cells.select_nth_unstable_by_key(cells.len() / 2, key);
        order(less, !by_row);
        order(greater, !by_row);
    }
}

/// `gap` is the number of columns and of rows to the part of the plane in which the cells lie.
fn least<T: PartialOrd + Copy>(
    cells: &[GridCell],
    by_row: bool,
    to: GridCell,
    gap: (u32, u32),
    mut bound: T,
    measure: &impl Fn(u32, u32) -> T,
) -> T {
    let Some(&middle) = cells.get(cells.len() / 2) else { return bound };
    #[cfg(test)]
    crate::testing::count(1);
    let (less, greater) = (&cells[..cells.len() / 2], &cells[cells.len() / 2 + 1..]);
    let (dx, dy) = (to.x.abs_diff(middle.x), to.y.abs_diff(middle.y));
    let distance = measure(dx, dy);
    if distance < bound {
        bound = distance;
    }
    let (is_less, beyond) =
        if by_row { (to.y < middle.y, (gap.0, dy)) } else { (to.x < middle.x, (dx, gap.1)) };
    let (near, far) = if is_less { (less, greater) } else { (greater, less) };
    bound = least(near, !by_row, to, gap, bound, measure);
    if measure(beyond.0, beyond.1) < bound { least(far, !by_row, to, beyond, bound, measure) } else { bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::CounterRng;
    use crate::testing::work_of;

    #[test]
    fn the_least_distance_is_that_to_the_nearest() {
        let mut rng = CounterRng::new(12, 0, 0);
        let mut tree = CellTree::default();
        for count in [0, 1, 2, 7, 40, 3_000] {
            let mut cell = || GridCell::new(rng.below(200) as i32, rng.below(90) as i32);
            let cells: Vec<GridCell> = (0..count).map(|_| cell()).collect();
            tree.set(cells.iter().copied());
            let mut work = 0;
            for bound in [u64::MAX, 50].repeat(100) {
                let to = cell();
                let nearest = cells.iter().map(|cell| cell.distance_squared(to)).min().unwrap_or(u64::MAX);
                work += work_of(|| assert_eq!(tree.least_squared(to, bound), nearest.min(bound), "{to}"));
            }
            assert!(work < 200 * 60, "{count} cells: {work} were looked at");
        }
    }
}
