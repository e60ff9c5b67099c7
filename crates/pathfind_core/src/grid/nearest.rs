//! The search for the walkable cell nearest to any cell, regardless of connectivity.

use super::{Grid, GridCell, KindId};

impl Grid {
    /// The walkable cell nearest to a cell, which may lie outside the grid; distances are between centres. Of
    /// several equally near cells, the one of least row, then of least column. `None` if no cell is walkable, or
    /// the kind is unknown.
    ///
    /// The search scans rows, 64 cells at a time, and visits no row farther away than the nearest cell so far.
    ///
    /// ```
    /// # use pathfind_core::{GridCell, Grid, KindId};
    /// let grid = Grid::from_ascii("#####\n###..\n#####")?;
    /// assert_eq!(grid.nearest_walkable(KindId::default(), GridCell::new(0, 1)), Some(GridCell::new(3, 1)));
    /// # Ok::<(), pathfind_core::TextError>(())
    /// ```
    #[must_use]
    pub fn nearest_walkable(&self, kind: KindId, to: GridCell) -> Option<GridCell> {
        let layer = self.layer(kind).filter(|layer| layer.regions(false).0.any())?;
        let (width, height) = (self.width as i32, self.height as i32);
        let inside = self.bounds().nearest_to(to);
        let mut best: Option<GridCell> = None;
        let try_row = |y: i32, best: &mut Option<GridCell>| {
            let right = layer.rows.next(y, inside.x, 1, true, width);
            let left = layer.rows.next(y, inside.x, -1, true, -1);
            let key = |cell: &GridCell| (cell.distance_squared(to), cell.y, cell.x);
            let ends =
                [left, right].into_iter().filter(|x| (0..width).contains(x)).map(|x| GridCell::new(x, y));
            *best = best.take().into_iter().chain(ends).min_by_key(key);
        };
        for away in 0..height {
            let rows = [inside.y - away, inside.y + away];
            let near = |y: i32| {
                let row = GridCell::new(inside.x, y).distance_squared(to);
                (0..height).contains(&y) && best.is_none_or(|best| row <= best.distance_squared(to))
            };
            let [above, below] = rows.map(near);
            if !above && !below && best.is_some() {
                break;
            }
            if above {
                try_row(rows[0], &mut best);
            }
            if below && away > 0 {
                try_row(rows[1], &mut best);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::scattered;

    #[test]
    fn it_is_the_nearest_of_all() {
        let mut rng = CounterRng::new(7, 0, 0);
        for free in [0.0, 0.01, 0.05, 0.5] {
            let grid = scattered(&mut rng, 150, 90, 1.0 - free);
            for _ in 0..50 {
                let to = GridCell::new(rng.below(190) as i32 - 20, rng.below(130) as i32 - 20);
                let all = grid.bounds().cells().filter(|&cell| grid.is_walkable(KindId::default(), cell));
                let slow = all.min_by_key(|cell| (cell.distance_squared(to), cell.y, cell.x));
                assert_eq!(grid.nearest_walkable(KindId::default(), to), slow, "{free} are free, near {to}");
            }
        }
        assert_eq!(Grid::new(2, 2).unwrap().nearest_walkable(KindId(9), GridCell::new(0, 0)), None);
    }
}
