//! The cells where terrain costs change: those with a walkable neighbour that costs something else; the cells at
//! cliffs, from which not every neighbour can be reached; and those near edges with rules. Inside an area of one cost a
//! search can jump as on uniform terrain; it has to stop at these cells.

use super::{Bitmap, CellRect, Classes, Cliffs, CostTable, EdgeRules, Terrain, ones};

/// One bit for each walkable cell: whether the cost of one of its eight neighbours, if walkable, differs from its
/// own, a cliff parts it from one of them, or an edge between them has a rule.
#[derive(Clone, Debug)]
pub(crate) struct Borders {
    pub(crate) rows: Bitmap,
    pub(crate) columns: Bitmap,
}

impl Borders {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { rows: Bitmap::new(height, width), columns: Bitmap::new(width, height) }
    }

    /// Updates the bits of a rectangle of cells.
    pub(crate) fn refresh(
        &mut self,
        walkable: &Bitmap,
        terrain: &Classes,
        (costs, cliffs, rules): (&CostTable, Option<&Cliffs>, Option<&EdgeRules>),
        rect: CellRect,
    ) {
        let cost = |class: u8| costs.cost(Terrain(class));
        for y in rect.min.y..=rect.max.y {
            for x in (rect.min.x & !63..=rect.max.x).step_by(64) {
                let near_cliffs = cliffs.map_or(0, |cliffs| cliffs.near_word(y, x));
                let near = near_cliffs | rules.map_or(0, |rules| rules.near_word(y, x));
                let word = border_word(walkable, terrain, &cost, x, y) | near & walkable.word(y, x);
                self.rows.set_word(y, x, word);
            }
        }
        self.columns.set_transpose_of(&self.rows, rect);
    }
}

/// The bits of 64 cells of row `y`, from column `x` on.
fn border_word(
    walkable: &Bitmap,
    terrain: &Classes,
    cost: &impl Fn(u8) -> Option<f32>,
    x: i32,
    y: i32,
) -> u64 {
    let own = walkable.word(y, x);
    if own == 0 {
        return 0;
    }
    // These cells and those round them: classes, and one bit for each that is walkable. What lies outside the map is
    // as the first walkable cell, and not walkable.
    let usual = terrain.get(y as usize, (x as u32 + own.trailing_zeros()) as usize);
    let mut classes = [[usual; 66]; 3];
    for (classes, line) in classes.iter_mut().zip(y - 1..).filter(|&(_, line)| line >= 0) {
        if line as usize >= terrain.rows() {
            break;
        }
        let (row, x) = (terrain.row(line as usize), x as usize);
        let cells = row.piece(x / 64);
        classes[1..=cells.len()].copy_from_slice(cells);
        if x > 0 {
            classes[0] = row[x - 1];
        }
        if x + 64 < terrain.row_len() {
            classes[65] = row[x + 64];
        }
    }
    let usual = cost(usual);
    // Most words lie inside an area: all that is passable there costs the same.
    if classes.iter().flatten().all(|&class| cost(class).is_none() || cost(class) == usual) {
        return 0;
    }
    let walkable = [y - 1, y, y + 1].map(|line| {
        let [before, after] = [x - 1, x + 64].map(|i| u128::from(walkable.get(line, i)));
        before | u128::from(walkable.word(line, x)) << 1 | after << 65
    });
    let mut border = 0;
    for bit in ones(own) {
        let own = cost(classes[1][bit + 1]);
        let is_border = classes.iter().zip(walkable).any(|(classes, walkable)| {
            (bit..bit + 3).any(|at| walkable >> at & 1 != 0 && cost(classes[at]) != own)
        });
        border |= u64::from(is_border) << bit;
    }
    border
}
