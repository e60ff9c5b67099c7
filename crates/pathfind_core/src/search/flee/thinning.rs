//! Thinning: cells are taken away as long as that changes neither the holes nor the connections of what is left.
//!
//! A cell is *simple* if taking it away leaves as many pieces and as many holes as before, which its eight neighbours
//! alone tell: those that are left hang together round the cell, and a side of it is open (T. Y. Kong and A. Rosenfeld,
//! "Digital Topology: Introduction and Survey", Computer Vision, Graphics, and Image Processing 48, 1989). Without
//! simple cells, what is left are rings round holes, and lines between cells that were kept.

use crate::grid::{CellRect, Direction, GridCell};

/// What thinning does with a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The cell counts as a wall.
    Gone,
    /// The cell is taken away if it is simple.
    Loose,
    /// The cell stays.
    Kept,
}

/// A value for every cell of a rectangle.
#[derive(Clone)]
pub(super) struct CellMap<T> {
    rect: CellRect,
    width: usize,
    /// Row by row.
    values: Vec<T>,
}

impl<T: Copy> CellMap<T> {
    pub(super) fn new(rect @ CellRect { min, max }: CellRect, fill: T) -> Self {
        let [width, height] = [max.x - min.x + 1, max.y - min.y + 1].map(|side| side as usize);
        Self { rect, width, values: vec![fill; width * height] }
    }

    /// The value of a cell; `None` outside the rectangle.
    pub(super) fn get(&self, cell: GridCell) -> Option<T> {
        self.index(cell).map(|index| self.values[index])
    }

    /// Sets the value of a cell of the rectangle; does nothing outside.
    pub(super) fn set(&mut self, cell: GridCell, value: T) {
        if let Some(index) = self.index(cell) {
            self.values[index] = value;
        }
    }

    fn index(&self, cell: GridCell) -> Option<usize> {
        let CellRect { min, max } = self.rect;
        let is_inside = (min.x..=max.x).contains(&cell.x) && (min.y..=max.y).contains(&cell.y);
        is_inside.then(|| (cell.y - min.y) as usize * self.width + (cell.x - min.x) as usize)
    }
}

impl CellMap<Role> {
    /// Takes loose cells away until none is simple. `order` lists the loose cells: of those that are simple the first
    /// goes first. Whether two cells that meet only at a corner hang together, `joins_corners` says.
    pub(super) fn thin(&mut self, order: impl Iterator<Item = GridCell>, joins_corners: bool) {
        // A cell that was not simple in its turn is looked at again when a neighbour goes.
        let mut had_turn = CellMap::new(self.rect, false);
        let mut open = Vec::new();
        for cell in order {
            had_turn.set(cell, true);
            open.push(cell);
            while let Some(cell) = open.pop() {
                if self.get(cell) != Some(Role::Loose) {
                    continue;
                }
                let around = Direction::ALL.map(|direction| cell.step(direction));
                let left = around.map(|cell| self.get(cell).is_some_and(|role| role != Role::Gone));
                if is_one_run(if joins_corners { left.map(|is_left| !is_left) } else { left }) {
                    self.set(cell, Role::Gone);
                    open.extend(around.into_iter().filter(|&cell| had_turn.get(cell) == Some(true)));
                }
            }
        }
    }
}

/// Whether, of the neighbours of a cell, clockwise from E, those of one colour that share a side with the cell hang
/// together by their sides, and some neighbour has the other colour.
fn is_one_run(colour: [bool; 8]) -> bool {
    let sides = (0..8).step_by(2).filter(|&i| colour[i]).count();
    // Two sides next to each other hang together over the corner between them.
    let joints = (1..8).step_by(2).filter(|&i| colour[i - 1] && colour[i] && colour[(i + 1) % 8]).count();
    sides == joints + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thins the loose cells `.`; `K` are kept, and the rest is gone.
    fn thinned(map: &str, joins_corners: bool) -> String {
        let mut rows: Vec<Vec<u8>> = map.lines().map(|row| row.bytes().collect()).collect();
        let last = GridCell::new(rows[0].len() as i32 - 1, rows.len() as i32 - 1);
        let mut roles = CellMap::new(CellRect::new(GridCell::new(0, 0), last), Role::Gone);
        let cells = || CellRect::new(GridCell::new(0, 0), last).cells();
        for cell in cells() {
            match rows[cell.y as usize][cell.x as usize] {
                b'.' => roles.set(cell, Role::Loose),
                b'K' => roles.set(cell, Role::Kept),
                _ => {}
            }
        }
        roles.thin(cells(), joins_corners);
        for cell in cells().filter(|&cell| roles.get(cell) == Some(Role::Gone)) {
            let row = &mut rows[cell.y as usize];
            row[cell.x as usize] = if row[cell.x as usize] == b'.' { b' ' } else { row[cell.x as usize] };
        }
        rows.iter().map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn dead_ends_vanish_and_ways_round_and_through_stay() {
        let dead_end = "#####.##\nK......#\n#####.##\n#...#.##\n#......#";
        assert_eq!(thinned(dead_end, false), dead_end.replace('.', " "), "all of it vanishes");
        let ring = thinned("......#\n.....##\nK.##..#\n..##...\n.......", false);
        assert_eq!(ring.matches('.').count(), 12, "a ring of one cell's width round the wall, to K:\n{ring}");
        let through = thinned("K..K\n....\n##.#", false);
        assert_eq!(through, "K  K\n....\n## #", "one way from K to K, and no dead end");
    }

    #[test]
    fn corners_join_cells_only_if_steps_do() {
        let corners = "K.#\n..#\n##K";
        assert_eq!(thinned(corners, true).matches('.').count(), 1, "the way from K to K over the corner");
        assert_eq!(thinned(corners, false).matches('.').count(), 0, "no way leads to the other K");
    }
}
