//! The cells where terrain costs change: those with a walkable neighbour that costs something else; and the cells at
//! cliffs, from which not every neighbour can be reached. Inside an area of one cost a search can jump as on uniform terrain;
//! it has to stop at these cells.

use super::bitmap::Bitmap;
use super::cell::CellRect;
use super::cliffs::Cliffs;
use super::copy_on_write_rows::CopyOnWriteRows;
use super::{CostTable, Terrain};

/// One bit for each walkable cell: whether the cost of one of its eight neighbours, if walkable, differs from its own, or a
/// cliff parts it from one of them.
#[derive(Clone, Debug)]
pub(crate) struct Borders {
    pub(crate) rows: Bitmap,
    pub(crate) columns: Bitmap,
}

impl Borders {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { rows: Bitmap::new(height, width), columns: Bitmap::new(width, height) }
    }

    /// The same borders on a canvas of other size, so many blocks of 64 cells farther.
    pub(crate) fn moved(&self, width: u32, height: u32, [columns, rows]: [isize; 2]) -> Self {
        Self {
            rows: self.rows.moved(height, width, [64 * rows, columns]),
            columns: self.columns.moved(width, height, [64 * columns, rows]),
        }
    }

    /// Updates the bits of a rectangle of cells.
    pub(crate) fn refresh(
        &mut self,
        walkable: &Bitmap,
        terrain: &CopyOnWriteRows<u8>,
        (costs, cliffs): (&CostTable, Option<&Cliffs>),
        rect: CellRect,
    ) {
        let cost = |class: u8| costs.cost(Terrain(class));
        for y in rect.min.y..=rect.max.y {
            for x in (rect.min.x & !63..=rect.max.x).step_by(64) {
                let near_cliffs = cliffs.map_or(0, |cliffs| cliffs.near_word(y, x) & walkable.word(y, x));
                let word = border_word(walkable, terrain, &cost, x, y) | near_cliffs;
                if self.rows.word(y, x) != word {
                    self.rows.set_word(y, x, word);
                }
            }
        }
        self.columns.set_transpose_of(&self.rows, rect);
    }
}

/// The bits of 64 cells of row `y`, from column `x` on.
fn border_word(
    walkable: &Bitmap,
    terrain: &CopyOnWriteRows<u8>,
    cost: &impl Fn(u8) -> Option<f32>,
    x: i32,
    y: i32,
) -> u64 {
    let own = walkable.word(y, x);
    let (first, last) = (x.max(1) as usize - 1, (x as usize + 64).min(terrain.row_len() - 1));
    let lines = (y.max(1) as usize - 1)..=(y as usize + 1).min(terrain.rows() - 1);
    let mut rows = lines.clone().map(|line| &terrain.row(line)[first..=last]);
    if own == 0 {
        return 0;
    }
    let first_walkable = x as usize + own.trailing_zeros() as usize;
    let usual = cost(terrain.row(y as usize)[first_walkable]);
    // Most words lie inside an area: all that is passable there costs the same.
    if rows.all(|row| row.iter().all(|&class| cost(class).is_none() || cost(class) == usual)) {
        return 0;
    }
    let mut border = 0;
    let mut left = own;
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let at = x as usize + bit as usize;
        let own = cost(terrain.row(y as usize)[at]);
        let beside = at.max(1) - 1..=(at + 1).min(terrain.row_len() - 1);
        let is_border = lines.clone().any(|line| {
            beside.clone().any(|i| walkable.get(line as i32, i as i32) && cost(terrain.row(line)[i]) != own)
        });
        border |= u64::from(is_border) << bit;
    }
    border
}
